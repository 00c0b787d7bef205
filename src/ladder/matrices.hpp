// A ladder's sparse matrices: made once for a climb; their sizes become parameters, their parts the contents of buffers.
#pragma once

#include "apod/spmv.hpp"
#include "ladder/ladder.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace apod::ladder {

class Matrices {
public:
    // Makes or reads every matrix and adds its sizes to the parameters.
    static Result<Matrices> make(const Ladder& ladder, Environment& parameters);

    // The part of the matrix that the init names, as elements of the type; what the buffer has beyond it stays as it is. A buffer that is
    // too small, or a type that cannot hold the numbers, is bad_input.
    [[nodiscard]] Result<void> fill(const Initial& initial, ElementType type, std::vector<std::byte>& bytes) const;

private:
    std::map<std::string, std::shared_ptr<const spmv::Csr<double, std::int64_t>>> made_;
};

// "a_rows", "a_columns", "a_entries", "a_longest".
[[nodiscard]] std::vector<std::string> matrix_parameters(const std::string& name);
// "offsets", "columns", "values".
[[nodiscard]] const std::vector<std::string>& matrix_parts();

} // namespace apod::ladder

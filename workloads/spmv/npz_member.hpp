// One array of an .npz file, with the types that sparse matrices have.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace apod::spmv {

struct NpzMember {
    std::string name;
    std::string descr; // "<f8"
    std::vector<std::uint64_t> shape;
    std::string data; // its elements, and nothing else
    bool fortran_order = false;

    [[nodiscard]] std::uint64_t elements() const;
};

Result<NpzMember> parse_member(const std::string& contents, const std::string& name, const std::string& file);

// The elements as numbers; other types than integers (numbers: and reals, complex, booleans) are errors.
Result<std::vector<std::int64_t>> integers(const NpzMember& member, const std::string& file);
Result<std::vector<double>> reals(const NpzMember& member, const std::string& file, std::vector<double>& imaginary);
// A scalar string ("csr"), as bytes or as Unicode.
Result<std::string> text(const NpzMember& member, const std::string& file);

} // namespace apod::spmv

#include "workloads/spmv/read_matrix.hpp"

#include "base/file.hpp"
#include "workloads/spmv/matrix_market.hpp"
#include "workloads/spmv/npz.hpp"

namespace apod::spmv {

Result<MatrixFile> parse_matrix(std::string_view contents, const std::string& file) {
    return contents.substr(0, 2) == "PK" ? parse_npz(contents, file) : parse_matrix_market(contents, file);
}

MatrixFile read_matrix(const std::string& path) {
    const auto contents = read_file(path);
    if (!contents) throw Error(to_text(contents.error()));
    auto matrix = parse_matrix(*contents, path);
    if (!matrix) throw Error(to_text(matrix.error()));
    return *std::move(matrix);
}

} // namespace apod::spmv

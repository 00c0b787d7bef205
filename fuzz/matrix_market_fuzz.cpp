// Any bytes as a Matrix Market file; what is read must be a sound matrix.
#include "workloads/spmv/matrix_market.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = apod::spmv::parse_matrix_market({reinterpret_cast<const char*>(data), size}, "fuzz");
    if (!file) return 0;
    const auto& matrix = file->matrix;
    if (!file->imaginary.empty() && file->imaginary.size() != matrix.values.size()) std::abort();
    constexpr std::int64_t most = 1 << 20; // rows without entries are no work worth the time
    if (matrix.rows > most || matrix.columns > most) return 0;
    apod::spmv::validate(apod::spmv::to_csr<float, std::int32_t>(matrix));
    return 0;
}

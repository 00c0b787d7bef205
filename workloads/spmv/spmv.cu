// The kernels of ladder.toml: y = alpha A x + beta y in float with 32-bit indices, from the obvious to the fast. The kernels themselves are
// templates in the headers beside this file, which the library (device.cuh) shares.
#include "analysis.cuh"
#include "merge.cuh"
#include "repeats_analysis.cuh"
#include "resident.cuh"
#include "staged.cuh"

namespace apod::spmv {

template __global__ void thread_per_row(const int*, const int*, const float*, const float*, float*, float, float, long long);
template __global__ void warp_per_row_shared(const int*, const int*, const float*, const float*, float*, float, float, long long);
template __global__ void read_only_warp_per_row(const int*, const int*, const float*, const float*, float*, float, float, long long);
template __global__ void group_per_row<float, float, int, 4>(const int*, const int*, const float*, const float*, float*, float, float,
                                                             long long);
template __global__ void group_per_row<float, float, int, 8>(const int*, const int*, const float*, const float*, float*, float, float,
                                                             long long);
template __global__ void aligned_group_per_row<float, float, int, 16>(const int*, const int*, const float*, const float*, float*, float,
                                                                      float, long long);
template __global__ void find_merge_tiles(const int*, long long, long long, long long, int*);
template __global__ void merge_path(const int*, const int*, const int*, const float*, const float*, float*, float, float, long long,
                                    long long, int*, float*);
template __global__ void add_carries<float, int>(const int*, const float*, long long, long long, float*, float);
template __global__ void find_tiles(const int*, long long, long long, int*);
template __global__ void find_huge_rows(const int*, long long, int*, int*, unsigned long long*);
template __global__ void make_window_codes(const int*, const int*, unsigned short*, unsigned*, unsigned long long*);
template __global__ void make_plain_codes(const int*, long long, unsigned short*);
template __global__ void tiled<Codes::none, 4>(const int*, const int*, const int*, const unsigned short*, const unsigned*, const float*,
                                               const float*, float*, float, float, const int*, int, float*, unsigned*);
template __global__ void staged<Codes::windows, 128>(const int*, const int*, const int*, const unsigned short*, const unsigned*,
                                                     const float*, const float*, float*, float, float, const int*, int, float*, unsigned*,
                                                     long long);
template __global__ void resident<Codes::plain, 4, 5>(const int*, const int*, const unsigned short*, const float*, const float*, float*,
                                                      float, float, long long, long long);
template __global__ void find_repeats(const int*, const int*, const int*, long long, unsigned short*, RepeatTile*, unsigned long long*);
template __global__ void place_repeats<1024>(RepeatTile*, long long);
template __global__ void write_repeats(const int*, const int*, const int*, const unsigned short*, const RepeatTile*, int*);
template __global__ void repeated<128, false, false>(const int*, const int*, const int*, const unsigned short*, const RepeatTile*,
                                                     const int*, const float*, const float*, float*, float, float, const int*, int, float*,
                                                     unsigned*, long long);

} // namespace apod::spmv

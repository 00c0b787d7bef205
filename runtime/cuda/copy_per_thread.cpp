// The copies and fills that programs compiled for per-thread default streams call. A call that waits gives the same whatever its stream.
#include "runtime/cuda/entries.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cuda;

#pragma GCC visibility push(default)
extern "C" {

Error cuMemcpy_ptds(Address to, Address from, std::size_t bytes) { return cuMemcpy(to, from, bytes); }
Error cuMemcpyHtoD_v2_ptds(Address to, const void* from, std::size_t bytes) { return cuMemcpyHtoD_v2(to, from, bytes); }
Error cuMemcpyDtoH_v2_ptds(void* to, Address from, std::size_t bytes) { return cuMemcpyDtoH_v2(to, from, bytes); }
Error cuMemcpyDtoD_v2_ptds(Address to, Address from, std::size_t bytes) { return cuMemcpyDtoD_v2(to, from, bytes); }
Error cuMemcpyPeer_ptds(Address to, Context* to_context, Address from, Context* from_context, std::size_t bytes) {
    return cuMemcpyPeer(to, to_context, from, from_context, bytes);
}
Error cuMemcpy2D_v2_ptds(const Copy2d* copy) { return cuMemcpy2D_v2(copy); }
Error cuMemcpy2DUnaligned_v2_ptds(const Copy2d* copy) { return cuMemcpy2DUnaligned_v2(copy); }
Error cuMemcpy3D_v2_ptds(const Copy3d* copy) { return cuMemcpy3D_v2(copy); }
Error cuMemcpy3DPeer_ptds(const Copy3d* copy) { return cuMemcpy3DPeer(copy); }
Error cuMemsetD8_v2_ptds(Address to, unsigned char value, std::size_t count) { return cuMemsetD8_v2(to, value, count); }
Error cuMemsetD16_v2_ptds(Address to, unsigned short value, std::size_t count) { return cuMemsetD16_v2(to, value, count); }
Error cuMemsetD32_v2_ptds(Address to, unsigned value, std::size_t count) { return cuMemsetD32_v2(to, value, count); }
Error cuMemsetD2D8_v2_ptds(Address to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height) {
    return cuMemsetD2D8_v2(to, pitch, value, width, height);
}
Error cuMemsetD2D16_v2_ptds(Address to, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height) {
    return cuMemsetD2D16_v2(to, pitch, value, width, height);
}
Error cuMemsetD2D32_v2_ptds(Address to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
    return cuMemsetD2D32_v2(to, pitch, value, width, height);
}
Error cuMemcpyAsync_ptsz(Address to, Address from, std::size_t bytes, Stream* stream) {
    return cuMemcpyAsync(to, from, bytes, per_thread(stream));
}
Error cuMemcpyHtoDAsync_v2_ptsz(Address to, const void* from, std::size_t bytes, Stream* stream) {
    return cuMemcpyHtoDAsync_v2(to, from, bytes, per_thread(stream));
}
Error cuMemcpyDtoHAsync_v2_ptsz(void* to, Address from, std::size_t bytes, Stream* stream) {
    return cuMemcpyDtoHAsync_v2(to, from, bytes, per_thread(stream));
}
Error cuMemcpyDtoDAsync_v2_ptsz(Address to, Address from, std::size_t bytes, Stream* stream) {
    return cuMemcpyDtoDAsync_v2(to, from, bytes, per_thread(stream));
}
Error cuMemcpyPeerAsync_ptsz(Address to, Context* to_context, Address from, Context* from_context, std::size_t bytes, Stream* stream) {
    return cuMemcpyPeerAsync(to, to_context, from, from_context, bytes, per_thread(stream));
}
Error cuMemcpy2DAsync_v2_ptsz(const Copy2d* copy, Stream* stream) { return cuMemcpy2DAsync_v2(copy, per_thread(stream)); }
Error cuMemcpy3DAsync_v2_ptsz(const Copy3d* copy, Stream* stream) { return cuMemcpy3DAsync_v2(copy, per_thread(stream)); }
Error cuMemcpy3DPeerAsync_ptsz(const Copy3d* copy, Stream* stream) { return cuMemcpy3DPeerAsync(copy, per_thread(stream)); }
Error cuMemsetD8Async_ptsz(Address to, unsigned char value, std::size_t count, Stream* stream) {
    return cuMemsetD8Async(to, value, count, per_thread(stream));
}
Error cuMemsetD16Async_ptsz(Address to, unsigned short value, std::size_t count, Stream* stream) {
    return cuMemsetD16Async(to, value, count, per_thread(stream));
}
Error cuMemsetD32Async_ptsz(Address to, unsigned value, std::size_t count, Stream* stream) {
    return cuMemsetD32Async(to, value, count, per_thread(stream));
}
Error cuMemsetD2D8Async_ptsz(Address to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height, Stream* stream) {
    return cuMemsetD2D8Async(to, pitch, value, width, height, per_thread(stream));
}
Error cuMemsetD2D16Async_ptsz(Address to, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height, Stream* stream) {
    return cuMemsetD2D16Async(to, pitch, value, width, height, per_thread(stream));
}
Error cuMemsetD2D32Async_ptsz(Address to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height, Stream* stream) {
    return cuMemsetD2D32Async(to, pitch, value, width, height, per_thread(stream));
}

} // extern "C"
#pragma GCC visibility pop

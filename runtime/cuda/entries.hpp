// The entries that those for per-thread default streams call.
#pragma once

#include "runtime/cuda/call.hpp"

namespace apod::runtime::cuda {

#pragma GCC visibility push(default)
extern "C" {

Error cuMemcpy(Address to, Address from, std::size_t bytes);
Error cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes);
Error cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes);
Error cuMemcpyDtoD_v2(Address to, Address from, std::size_t bytes);
Error cuMemcpyPeer(Address to, Context* to_context, Address from, Context* from_context, std::size_t bytes);
Error cuMemcpy2D_v2(const Copy2d* copy);
Error cuMemcpy2DUnaligned_v2(const Copy2d* copy);
Error cuMemcpy3D_v2(const Copy3d* copy);
Error cuMemcpy3DPeer(const Copy3d* copy);
Error cuMemsetD8_v2(Address to, unsigned char value, std::size_t count);
Error cuMemsetD16_v2(Address to, unsigned short value, std::size_t count);
Error cuMemsetD32_v2(Address to, unsigned value, std::size_t count);
Error cuMemsetD2D8_v2(Address to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height);
Error cuMemsetD2D16_v2(Address to, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height);
Error cuMemsetD2D32_v2(Address to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height);
Error cuMemcpyAsync(Address to, Address from, std::size_t bytes, Stream* stream);
Error cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, Stream* stream);
Error cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, Stream* stream);
Error cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, Stream* stream);
Error cuMemcpyPeerAsync(Address to, Context* to_context, Address from, Context* from_context, std::size_t bytes, Stream* stream);
Error cuMemcpy2DAsync_v2(const Copy2d* copy, Stream* stream);
Error cuMemcpy3DAsync_v2(const Copy3d* copy, Stream* stream);
Error cuMemcpy3DPeerAsync(const Copy3d* copy, Stream* stream);
Error cuMemsetD8Async(Address to, unsigned char value, std::size_t count, Stream* stream);
Error cuMemsetD16Async(Address to, unsigned short value, std::size_t count, Stream* stream);
Error cuMemsetD32Async(Address to, unsigned value, std::size_t count, Stream* stream);
Error cuMemsetD2D8Async(Address to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height, Stream* stream);
Error cuMemsetD2D16Async(Address to, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height, Stream* stream);
Error cuMemsetD2D32Async(Address to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height, Stream* stream);

} // extern "C"
#pragma GCC visibility pop

} // namespace apod::runtime::cuda

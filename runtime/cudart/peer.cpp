// Copies of boxes from one device to another: all memory is at addresses of its own, so they are copies as any.
#include "runtime/cudart/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

struct PeerCopy3d { // cudaMemcpy3DPeerParms
    void* from_array;
    Position from_position;
    PitchedPointer from;
    int from_device;
    void* to_array;
    Position to_position;
    PitchedPointer to;
    int to_device;
    Extent extent;
};

Copy3d plain(const PeerCopy3d& copy) {
    constexpr int device_to_device = 3;
    return {copy.from_array, copy.from_position, copy.from, copy.to_array, copy.to_position, copy.to, copy.extent, device_to_device};
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaMemcpy3D(const Copy3d* parameters);
Error cudaMemcpy3DAsync(const Copy3d* parameters, Stream* stream);

Error cudaMemcpy3DPeer(const PeerCopy3d* parameters) {
    if (parameters == nullptr) return remember(Error::invalid_value);
    const Copy3d copy = plain(*parameters);
    return cudaMemcpy3D(&copy);
}

Error cudaMemcpy3DPeerAsync(const PeerCopy3d* parameters, Stream* stream) {
    if (parameters == nullptr) return remember(Error::invalid_value);
    const Copy3d copy = plain(*parameters);
    return cudaMemcpy3DAsync(&copy, stream);
}

} // extern "C"
#pragma GCC visibility pop

// A ladder's buffers on the host and on the device: made once for a climb, put back before each rung, compared after it.
#pragma once

#include "base/result.hpp"
#include "device/device.hpp"
#include "ladder/bind.hpp"
#include "ladder/climb.hpp"
#include "ladder/host_buffer.hpp"

#include <map>
#include <span>
#include <vector>

namespace apod::ladder {

// Contents of buffers that are on the host, by the buffer's number.
using HostContents = std::map<std::size_t, std::span<const std::byte>>;

class DeviceBuffers {
public:
    // Allocates and initialises. Sizes are tried on the device first, so that one too large for it is refused before the host fills it.
    static Result<DeviceBuffers> make(const Ladder& ladder, const Environment& parameters, const Matrices& matrices,
                                      device::Device& device);
    DeviceBuffers(DeviceBuffers&& other) noexcept = default;
    DeviceBuffers& operator=(DeviceBuffers&&) = delete;
    ~DeviceBuffers();

    // In and inout get their initial contents. Out gets the golden result with every bit turned, so that what a kernel leaves unwritten
    // is never right by accident; before there is a golden result, and in work buffers, all bits are set (NaN in floating types).
    Result<void> prepare();

    // Takes what the device holds now as the golden result of the out and inout buffers. From a sample, it holds for what was written.
    Result<void> take_golden(bool sampled);
    // The golden results were put into host() by a reference or from files.
    void set_golden(std::vector<HostBuffer> golden) { golden_ = std::move(golden); }

    // The first mismatch over all compared buffers, on the device or where `elsewhere` says. After a sample, only elements that were
    // written are compared.
    Result<std::optional<Mismatch>> compare(bool sampled, const HostContents& elsewhere = {});

    [[nodiscard]] const std::vector<HostBuffer>& host() const { return host_; }
    [[nodiscard]] const std::vector<BoundBuffer>& bound() const { return bound_; }

private:
    DeviceBuffers(const Ladder& ladder, device::Device& device) : ladder_(&ladder), device_(&device) {}
    Result<void> allocate(const Environment& parameters);
    [[nodiscard]] Result<void> check_host_memory() const;
    Result<void> poison_with_golden(std::size_t index);
    Result<std::optional<Mismatch>> compare_one(std::size_t index, bool sampled, const HostContents& elsewhere);

    const Ladder* ladder_;
    device::Device* device_;
    std::vector<HostBuffer> host_; // initial contents
    std::vector<BoundBuffer> bound_;
    std::vector<HostBuffer> golden_; // empty until known; otherwise one for each buffer, those not compared without bytes
    bool golden_sampled_ = false;
};

} // namespace apod::ladder

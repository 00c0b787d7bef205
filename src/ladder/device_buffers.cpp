#include "ladder/device_buffers.hpp"

#include "base/host_memory.hpp"
#include "base/units.hpp"
#include "ladder/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace apod::ladder {

namespace {

// Copies go through pieces of this size; a multiple of every element's size.
constexpr std::uint64_t piece_bytes = std::uint64_t{64} << 20;
constexpr std::byte all_set{0xff};

bool is_compared(Role role) { return role == Role::out || role == Role::inout; }

// Calls work(offset, bytes) for each piece of `total` bytes until one fails.
template<class Work> Result<void> in_pieces(std::uint64_t total, const Work& work) {
    for (std::uint64_t offset = 0; offset < total; offset += piece_bytes) {
        if (Result<void> done = work(offset, std::min(piece_bytes, total - offset)); !done) return done;
    }
    return {};
}

std::vector<std::byte> turned(std::span<const std::byte> bytes) {
    std::vector<std::byte> result(bytes.size());
    std::transform(bytes.begin(), bytes.end(), result.begin(), [](std::byte b) { return ~b; });
    return result;
}

} // namespace

Result<DeviceBuffers> DeviceBuffers::make(const Ladder& ladder, const Environment& parameters, const Matrices& matrices,
                                          device::Device& device) {
    DeviceBuffers buffers(ladder, device);
    if (Result<void> allocated = buffers.allocate(parameters); !allocated) return allocated.error();
    for (std::size_t i = 0; i < ladder.buffers.size(); ++i) {
        const Buffer& buffer = ladder.buffers[i];
        if (buffer.initial.fill == Fill::poison) continue;
        if (Result<void> filled = initialise(buffer, parameters, matrices, ladder.origin, buffers.host_[i]); !filled) return filled.error();
    }
    return buffers;
}

DeviceBuffers::~DeviceBuffers() {
    // A device that cannot free has been reported by what failed before.
    for (const BoundBuffer& buffer : bound_) (void)device_->free(buffer.address).ok();
}

// Refused before anything is touched: a machine that runs out of memory half way ends the process without a word.
Result<void> DeviceBuffers::check_host_memory() const {
    std::uint64_t bytes = 0;
    for (const HostBuffer& host : host_) {
        // Inputs are kept here to be written again for each rung, results to be compared; an emulated device holds all buffers as well.
        bytes += host.size_bytes() * (device_->is_emulated() ? 2 : 1);
    }
    const std::uint64_t available = available_host_memory();
    if (bytes <= available) return {};
    return unavailable(fmt::format("the ladder's buffers need {} of this machine's memory, {} are free",
                                   format_bytes(static_cast<double>(bytes)), format_bytes(static_cast<double>(available))),
                       "choose smaller parameters, e.g. with -p");
}

Result<void> DeviceBuffers::allocate(const Environment& parameters) {
    for (const Buffer& buffer : ladder_->buffers) {
        auto shape = evaluate_shape(buffer, parameters);
        if (!shape) return shape.error();
        HostBuffer host{buffer.name, buffer.type, buffer.role, *std::move(shape), {}, {}};
        const auto address = device_->allocate(host.size_bytes(), buffer.name);
        if (!address) {
            Diagnostic error = address.error();
            if (error.where.file.empty()) error.where = buffer.where;
            if (error.hint.empty()) error.hint = "choose smaller parameters";
            return error;
        }
        bound_.push_back({buffer.name, buffer.type, *address});
        host_.push_back(std::move(host));
    }
    return check_host_memory();
}

Result<void> DeviceBuffers::prepare() {
    for (std::size_t i = 0; i < host_.size(); ++i) {
        const HostBuffer& host = host_[i];
        Result<void> done;
        if (host.role == Role::in || host.role == Role::inout) {
            done = device_->write(bound_[i].address, host.bytes);
        } else if (host.role == Role::out && !golden_.empty()) {
            done = poison_with_golden(i);
        } else {
            done = device_->poison(bound_[i].address, all_set, host.size_bytes());
        }
        if (!done) return done;
    }
    return {};
}

Result<void> DeviceBuffers::poison_with_golden(std::size_t index) {
    const std::span<const std::byte> golden = golden_[index].bytes;
    return in_pieces(golden.size(), [&](std::uint64_t offset, std::uint64_t bytes) {
        return device_->write(bound_[index].address + offset, turned(golden.subspan(offset, bytes)));
    });
}

Result<void> DeviceBuffers::take_golden(bool sampled) {
    std::vector<HostBuffer> golden = host_;
    for (std::size_t i = 0; i < golden.size(); ++i) {
        if (!is_compared(golden[i].role)) {
            golden[i].bytes.clear();
            continue;
        }
        golden[i].bytes.resize(golden[i].size_bytes());
        if (Result<void> read = device_->read(golden[i].bytes, bound_[i].address); !read) return read;
    }
    golden_ = std::move(golden);
    golden_sampled_ = sampled;
    return {};
}

Result<std::optional<Mismatch>> DeviceBuffers::compare(bool sampled, const HostContents& elsewhere) {
    for (std::size_t i = 0; i < host_.size(); ++i) {
        if (!is_compared(host_[i].role)) continue;
        auto mismatch = compare_one(i, sampled, elsewhere);
        if (!mismatch || mismatch->has_value()) return mismatch;
    }
    return std::optional<Mismatch>();
}

Result<std::optional<Mismatch>> DeviceBuffers::compare_one(std::size_t index, bool sampled, const HostContents& elsewhere) {
    const HostBuffer& golden = golden_[index];
    Comparison comparison(golden, ladder_->buffers[index].tolerance.value_or(ladder_->tolerance));
    const std::size_t size = element_bytes(golden.type);
    const auto here = elsewhere.find(index);
    std::vector<std::byte> actual;
    Result<void> done = in_pieces(golden.bytes.size(), [&](std::uint64_t offset, std::uint64_t bytes) -> Result<void> {
        actual.resize(bytes);
        if (here != elsewhere.end()) {
            const std::span<const std::byte> from = here->second.subspan(offset, bytes);
            std::copy(from.begin(), from.end(), actual.begin());
        } else if (Result<void> read = device_->read(actual, bound_[index].address + offset); !read) {
            return read;
        }
        if (!sampled && !golden_sampled_) {
            comparison.add(actual);
            return {};
        }
        // What an element holds that nobody wrote: its first contents.
        const std::span<const std::byte> expected = std::span<const std::byte>(golden.bytes).subspan(offset, bytes);
        std::vector<std::byte> unwritten =
            golden.role == Role::inout ? std::vector<std::byte>(host_[index].bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                                                                host_[index].bytes.begin() + static_cast<std::ptrdiff_t>(offset + bytes))
                                       : turned(expected);
        // Where the golden rung wrote nothing there is nothing to compare with: the element is taken for unwritten.
        for (std::uint64_t at = 0; golden_sampled_ && at < bytes; at += size) {
            const bool unknown = golden.role == Role::inout
                                     ? std::memcmp(&expected[at], &unwritten[at], size) == 0
                                     : std::all_of(&expected[at], &expected[at] + size, [](std::byte b) { return b == all_set; });
            if (unknown) std::memcpy(&unwritten[at], &actual[at], size);
        }
        comparison.add(actual, unwritten);
        return {};
    });
    if (!done) return done.error();
    return comparison.mismatch();
}

} // namespace apod::ladder

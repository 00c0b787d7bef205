// What is known of the registers of one frame beside their values: which lanes hold something that nobody initialised, and into which
// object a pointer points. Registers are counted in units of 128 bytes: 32 lanes of 4.
#pragma once

#include "emu/check/allocations.hpp"
#include "emu/event.hpp"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace apod::emu {

// Objects that a value points into, added and subtracted: q - p is {q, p}, and p + (q - p) is {q, none} again.
struct Pointer {
    ObjectId plus = 0;
    ObjectId minus = 0;

    [[nodiscard]] bool none() const { return plus == 0 && minus == 0; }
    friend bool operator==(const Pointer&, const Pointer&) = default;
};
// A value in which a pointer may be hidden.
inline constexpr ObjectId any_object = 0x7fffffffu;
inline constexpr Pointer any_pointer{any_object, 0};

// Where something uninitialised comes from: the op that read it from memory or from a lane that was not there, and whether it has been
// computed with since.
struct Origin {
    std::uint32_t op = 0;
    bool computed = false;
};
inline constexpr std::uint32_t never_written = 0xffffffffu; // Origin::op of a register

struct FrameShadow {
    std::vector<std::uint32_t> undefined; // by unit: lanes
    std::vector<std::uint32_t> pointing;  // by unit: lanes whose Pointer is not none
    std::vector<std::array<Origin, lanes>> origins;
    std::vector<std::array<Pointer, lanes>> pointers;
    std::vector<std::uint32_t> undefined_predicates;
    std::vector<Origin> predicate_origins;

    void reset(std::size_t units, std::size_t predicates) {
        undefined.assign(units, 0);
        pointing.assign(units, 0);
        origins.resize(units);
        pointers.resize(units);
        undefined_predicates.assign(predicates, 0);
        predicate_origins.assign(predicates, {});
    }
};

// The frames of a warp, by where their registers lie.
class WarpShadow {
public:
    [[nodiscard]] FrameShadow& frame(const std::byte* registers) {
        if (registers == at_) return *current_;
        at_ = registers;
        return *(current_ = &frames_[registers]);
    }
    void clear() {
        frames_.clear();
        at_ = nullptr;
    }

private:
    std::unordered_map<const std::byte*, FrameShadow> frames_;
    const std::byte* at_ = nullptr;
    FrameShadow* current_ = nullptr;
};

} // namespace apod::emu

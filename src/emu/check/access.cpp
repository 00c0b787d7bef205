// Whether an access stays in the object that its pointer was made from, and what is said when it does not.
#include "emu/check/block_check.hpp"
#include "emu/host_memory.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace apod::emu {

namespace {

using Kind = PlanValue::Kind;

const char* space_word(MemorySpace space) {
    switch (space) {
    case MemorySpace::global: return "global";
    case MemorySpace::shared: return "shared";
    case MemorySpace::local: return "local";
    case MemorySpace::constant: return "constant";
    }
    return "";
}

std::string name_text(const std::string& name) { return name.empty() ? "" : fmt::format(" '{}'", name); }

// "12 bytes past the end of", "4 bytes before", "at offset 8 of"
std::string place_text(std::int64_t offset, std::uint64_t bytes, std::uint64_t size) {
    if (offset < 0) return fmt::format("{} bytes before", -offset);
    if (static_cast<std::uint64_t>(offset) == size) return "directly past the end of";
    if (static_cast<std::uint64_t>(offset) >= size)
        return fmt::format("{} bytes past the end of", static_cast<std::uint64_t>(offset) - size);
    if (static_cast<std::uint64_t>(offset) + bytes > size)
        return fmt::format("from {} bytes before the end of", size - static_cast<std::uint64_t>(offset));
    return fmt::format("at offset {} of", offset);
}

std::string object_text(const CheckObject& object) {
    const std::string what = object.space == "global" || object.space == "constant" ? "allocation" : object.space + " memory";
    const std::string number = object.number != 0 ? fmt::format(" {}", object.number) : "";
    return fmt::format("{}{}{} ({} bytes)", what, number, name_text(object.name), object.bytes);
}

} // namespace

std::string access_text(AccessKind kind, std::uint32_t bytes) {
    switch (kind) {
    case AccessKind::load: return fmt::format("read of {} bytes", bytes);
    case AccessKind::store: return fmt::format("write of {} bytes", bytes);
    default: return fmt::format("atomic update of {} bytes", bytes);
    }
}

void BlockCheck::addresses(const WarpContext& warp, OperandRef ref, std::int64_t offset, bool narrow, CheckedAccess& access) const {
    const std::byte* values = warp.region[ref & region_mask] + (ref & ~region_mask);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (narrow) {
            std::uint32_t value = 0;
            std::memcpy(&value, values + lane * 4, 4);
            access.address[lane] = value + static_cast<std::uint32_t>(offset);
        } else {
            std::uint64_t value = 0;
            std::memcpy(&value, values + lane * 8, 8);
            access.address[lane] = value + static_cast<std::uint64_t>(offset);
        }
    }
}

std::uint32_t BlockCheck::allowed(WarpContext& warp, const Op& op, const PlanValue& base, const CheckedAccess& access) {
    FrameShadow& frame = shadow(warp);
    std::uint32_t fine = 0;
    const std::uint64_t uneven = std::has_single_bit(access.bytes) ? access.bytes - 1 : 0;
    for (std::uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        if ((access.address[lane] & uneven) != 0)
            report_misaligned(warp, op, access, lane);
        else if (allowed_lane(warp, op, access, lane, pointer_of(warp, frame, base, lane)))
            fine |= 1u << lane;
    }
    return fine;
}

bool BlockCheck::allowed_lane(WarpContext& warp, const Op& op, const CheckedAccess& access, unsigned lane, Pointer pointer) {
    const std::uint64_t address = access.address[lane];
    const bool device = access.space == MemorySpace::global || access.space == MemorySpace::constant;
    ObjectId id = pointer.minus == 0 && pointer.plus != any_object ? pointer.plus : 0;
    Allocations& allocations = launch_.allocations();
    if (id == 0 && device) {
        const ObjectId found = allocations.find(address);
        if (found != 0 && !allocations[found].heap && allocations[found].holds(address, access.bytes)) return true;
    } else if (id == 0) {
        const std::uint64_t size = access.space == MemorySpace::shared ? shared_bytes_ : local_bytes_;
        if (address <= size && access.bytes <= size - address) return true;
    } else if ((id & object_flag) != 0) {
        const CheckedObject& object = launch_.object(id);
        if (object.space == access.space && address >= object.first && address <= object.end && access.bytes <= object.end - address)
            return true;
    } else {
        const CheckedAllocation& allocation = allocations[id];
        if (device && allocation.live && !allocation.heap && allocation.holds(address, access.bytes)) return true;
    }
    report_bounds(warp, op, access, lane, id);
    return false;
}

CheckObject BlockCheck::object_at(ObjectId id, std::uint64_t address) const {
    if ((id & object_flag) != 0) {
        const CheckedObject& object = launch_.object(id);
        return {space_word(object.space), object.name, object.end - object.first, static_cast<std::int64_t>(address - object.first)};
    }
    return launch_.allocations().object(id, address);
}

// What lies at an address that may be touched.
std::optional<CheckObject> BlockCheck::object_around(const CheckedAccess& access, unsigned lane) const {
    const std::uint64_t address = access.address[lane];
    if (access.space == MemorySpace::global || access.space == MemorySpace::constant) {
        const ObjectId id = launch_.allocations().find(address);
        return id != 0 ? std::optional(object_at(id, address)) : std::nullopt;
    }
    const std::vector<CheckedObject>& objects = launch_.plans().objects;
    for (std::size_t o = 0; o < objects.size(); ++o)
        if (objects[o].space == access.space && address >= objects[o].first && address < objects[o].end)
            return object_at(object_flag | static_cast<ObjectId>(o), address);
    const std::uint64_t size = access.space == MemorySpace::shared ? shared_bytes_ : local_bytes_;
    return CheckObject{space_word(access.space), "", size, static_cast<std::int64_t>(address)};
}

void BlockCheck::report_bounds(const WarpContext& warp, const Op& op, const CheckedAccess& access, unsigned lane, ObjectId meant) {
    Allocations& allocations = launch_.allocations();
    const std::uint64_t address = access.address[lane];
    const bool device = access.space == MemorySpace::global || access.space == MemorySpace::constant;
    const bool vague = meant == 0 || ((meant & object_flag) == 0 && allocations[meant].heap);
    ObjectId freed = vague && device ? allocations.freed_at(address) : 0;
    if (!vague && (meant & object_flag) == 0 && !allocations[meant].live) freed = meant;
    const CheckKind kind = freed != 0 ? CheckKind::use_after_free : CheckKind::out_of_bounds;
    ObjectId of = freed != 0 ? freed : meant;
    if ((of & object_flag) == 0 && allocations[of].block) of = 0; // each thread may have its own
    if (launch_.known(kind, op.index, of)) return;
    CheckReport report = launch_.begin(kind, site(warp, op.index, lane), access_text(access.kind, access.bytes));
    report.address = address;
    const std::string what = report.access.what;
    if (freed != 0) {
        report.object = object_at(freed, address);
        report.message = fmt::format("{} {} {}, which is free", what, place_text(report.object->offset, access.bytes, report.object->bytes),
                                     object_text(*report.object));
        if (!allocations[freed].freed_by.empty()) report.notes.push_back("freed by " + allocations[freed].freed_by);
        report.advice = "free memory after its last use, and let no pointer to it stay behind";
    } else if (const StrangeAddress strange =
                   access.space == MemorySpace::global && vague ? strange_address(address, access.bytes) : StrangeAddress::no;
               strange != StrangeAddress::no) {
        report.message = fmt::format("{} {}", what, strange_text(strange, address));
        report.advice = strange_advice(strange);
    } else {
        if (vague) {
            if (const ObjectId near = device ? allocations.nearest(address) : 0; near != 0) report.object = object_at(near, address);
            if (!device)
                report.object =
                    CheckObject{space_word(access.space), "", access.space == MemorySpace::shared ? shared_bytes_ : local_bytes_,
                                static_cast<std::int64_t>(address)};
        } else {
            report.object = object_at(meant, address);
        }
        report.message =
            report.object ? fmt::format("{} out of bounds, {} {}", what,
                                        place_text(report.object->offset, access.bytes, report.object->bytes), object_text(*report.object))
                          : fmt::format("{} out of bounds at {:#x}: there are no allocations", what, address);
        if (!vague)
            if (const auto inside = object_around(access, lane);
                inside && !(*inside == *report.object) && (!inside->name.empty() || inside->number != 0))
                report.notes.push_back(fmt::format("the address lies in {} at offset {}, but the pointer is one of {}",
                                                   object_text(*inside), inside->offset, object_text(*report.object)));
        report.advice = "check the index against the array's size before the access";
    }
    launch_.report(std::move(report), op.index, of);
}

void BlockCheck::report_misaligned(const WarpContext& warp, const Op& op, const CheckedAccess& access, unsigned lane) {
    if (launch_.known(CheckKind::misaligned, op.index, 0)) return;
    CheckReport report = launch_.begin(CheckKind::misaligned, site(warp, op.index, lane), access_text(access.kind, access.bytes));
    report.address = access.address[lane];
    report.object = object_around(access, lane);
    report.message = fmt::format("misaligned {} at {} address {:#x}", report.access.what, space_word(access.space), report.address);
    report.advice = fmt::format("an access of {0} bytes needs an address that is a multiple of {0}", access.bytes);
    launch_.report(std::move(report), op.index, 0);
}

void BlockCheck::use_undefined(const WarpContext& warp, const Op& op, const PlanValue& value, std::uint32_t mask, const char* use,
                               bool computed) {
    FrameShadow& frame = shadow(warp);
    for (std::uint32_t rest = undefined_lanes(frame, value) & mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const Origin origin = origin_of(frame, value, lane);
        if (!computed || origin.computed) report_undefined(warp, op.index, origin, lane, use);
    }
}

void BlockCheck::report_undefined(const WarpContext& warp, std::uint32_t user, Origin origin, unsigned lane, const std::string& use) {
    const bool from_register = origin.op == never_written;
    const std::uint32_t at = from_register ? user : origin.op;
    const OpPlan& plan = launch_.plans().ops[at];
    const bool shuffle = !from_register && plan.flow == Flow::shuffle;
    const CheckKind kind = shuffle ? CheckKind::invalid_shuffle : CheckKind::uninitialised;
    if (launch_.known(kind, at, 0)) return;
    CheckReport report = launch_.begin(kind, site(warp, at, lane), "");
    if (from_register) {
        report.access.what = "use of a variable";
        report.message = fmt::format("a variable that was never written is used as {}", use);
        report.advice = "give the variable a value where it is declared";
    } else if (shuffle) {
        report.access.what = "shuffle";
        report.message = "a shuffle takes the value of a lane that does not take part in it, which is undefined";
        report.notes.push_back(fmt::format("it is used as {} in {}:{}", use, launch_.place(user).file, launch_.place(user).line));
        report.advice = "let all lanes that are read from execute the shuffle: move it out of the branch, or put __syncwarp() before it; "
                        "name them in its mask";
    } else {
        report.access.what = access_text(AccessKind::load, plan.bytes);
        report.message = fmt::format("{} of uninitialised {} memory", report.access.what, space_word(plan.space));
        report.notes.push_back(fmt::format("it is used as {} in {}:{}", use, launch_.place(user).file, launch_.place(user).line));
        report.advice = "write the memory before it is read";
    }
    launch_.report(std::move(report), at, 0);
}

} // namespace apod::emu

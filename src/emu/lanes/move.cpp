// mov in all widths, vector packing and unpacking, address conversions.
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/requests.hpp"

namespace apod::emu::APOD_LANES {

namespace {

struct Move {
    template<class R> static R apply(R a) { return a; }
};

void move128(WarpContext& warp, const Op& op, std::uint32_t mask) {
    struct Wide {
        std::uint64_t low, high;
    };
    auto* d = slot<Wide>(warp, op.dst);
    const auto* a = slot<Wide>(warp, op.a);
    for (unsigned l = 0; l < lanes; ++l)
        if (lane_of(mask, l)) d[l] = a[l];
}

// mov.b64 d, {a, b} and its like: Op::count elements named in extra, each Part wide.
template<class Whole, class Part> void pack_vector(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<Slot<Whole>>(warp, op.dst);
    const std::uint32_t* refs = warp.block->extra + op.extra;
    for (unsigned l = 0; l < lanes; ++l) {
        Whole value = 0;
        for (unsigned i = 0; i < sizeof(Whole) / sizeof(Part); ++i)
            value |= static_cast<Whole>(unpack<Part>(slot<Slot<Part>>(warp, refs[i])[l])) << (8 * sizeof(Part) * i);
        d[l] = blend(mask, l, pack<Whole>(value), d[l]);
    }
}

// mov.b64 {a, b}, s. A sink among the destinations has the reference 0xffffffff.
template<class Whole, class Part> void unpack_vector(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const auto* a = slot<Slot<Whole>>(warp, op.a);
    const std::uint32_t* refs = warp.block->extra + op.extra;
    Slot<Whole> copy[lanes]; // a destination may be the source's slot
    for (unsigned l = 0; l < lanes; ++l) copy[l] = a[l];
    for (unsigned i = 0; i < sizeof(Whole) / sizeof(Part); ++i) {
        if (refs[i] == 0xffffffffu) continue;
        auto* d = slot<Slot<Part>>(warp, refs[i]);
        for (unsigned l = 0; l < lanes; ++l) {
            const Part value = static_cast<Part>(unpack<Whole>(copy[l]) >> (8 * sizeof(Part) * i));
            d[l] = blend(mask, l, pack<Part>(value), d[l]);
        }
    }
}

// mov.b128 d, {a, b} and back.
void pack_quad(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<Quad>(warp, op.dst);
    const std::uint32_t* refs = warp.block->extra + op.extra;
    for (unsigned l = 0; l < lanes; ++l)
        for (unsigned i = 0; i < 2 && lane_of(mask, l); ++i) d[l].part[i] = slot<std::uint64_t>(warp, refs[i])[l];
}
void unpack_quad(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const auto* a = slot<Quad>(warp, op.a);
    const std::uint32_t* refs = warp.block->extra + op.extra;
    for (unsigned i = 0; i < 2; ++i)
        for (unsigned l = 0; l < lanes && refs[i] != 0xffffffffu; ++l)
            if (lane_of(mask, l)) slot<std::uint64_t>(warp, refs[i])[l] = a[l].part[i];
}

// Generic to a space's own address and back; windows as in warp_context.hpp. Op::imm holds the window's base.
struct AddWindow {
    static void run(WarpContext& warp, const Op& op, std::uint32_t mask) {
        auto* d = slot<std::uint64_t>(warp, op.dst);
        const auto base = static_cast<std::uint64_t>(op.imm);
        if ((op.flags & flag_address32) != 0) {
            const auto* a = slot<std::uint32_t>(warp, op.a);
            for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, base | a[l], d[l]);
        } else {
            const auto* a = slot<std::uint64_t>(warp, op.a);
            for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, base | (a[l] & ~window_mask), d[l]);
        }
    }
};
struct RemoveWindow {
    template<class R> static R apply(R a) { return a & ~static_cast<R>(window_mask); }
};

// isspacep: Op::imm is a SpaceQuestion. Variables of constant memory lie beside global ones here: their ranges, in pairs of 64-bit words,
// are in Code::extra at Op::extra, Op::count of them.
bool in_constant_memory(const WarpContext& warp, const Op& op, std::uint64_t address) {
    const std::uint32_t* words = warp.block->extra + op.extra;
    for (unsigned i = 0; i < op.count; ++i, words += 4) {
        const std::uint64_t first = words[0] | std::uint64_t{words[1]} << 32;
        const std::uint64_t end = words[2] | std::uint64_t{words[3]} << 32;
        if (address >= first && address < end) return true;
    }
    return false;
}

bool in_space(const WarpContext& warp, const Op& op, std::uint64_t address) {
    const std::uint64_t window = address & window_mask;
    switch (static_cast<SpaceQuestion>(op.imm)) {
    case SpaceQuestion::global: return window == 0 && !in_constant_memory(warp, op, address);
    case SpaceQuestion::constant: return window == 0 && in_constant_memory(warp, op, address);
    case SpaceQuestion::shared_of_block: return window == shared_window && is_own(warp, address & ~window_mask);
    case SpaceQuestion::shared_of_cluster: return window == shared_window;
    case SpaceQuestion::local: return window == local_window;
    case SpaceQuestion::parameter: return window == parameter_window;
    }
    return false;
}

void is_space(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const auto* a = slot<std::uint64_t>(warp, op.a);
    std::uint32_t bits = 0;
    for (unsigned l = 0; l < lanes; ++l) bits |= static_cast<std::uint32_t>(in_space(warp, op, a[l])) << l;
    set_predicate(warp, op.dst, bits, mask);
}

void nothing(WarpContext&, const Op&, std::uint32_t) {}

void clock32(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const auto now = static_cast<std::uint32_t>(read_clock() >> op.imm);
    auto* d = slot<std::uint32_t>(warp, op.dst);
    for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, now, d[l]);
}
void clock64(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const std::uint64_t now = read_clock();
    auto* d = slot<std::uint64_t>(warp, op.dst);
    for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, now, d[l]);
}

template<class Whole, class Part> void add_vector(FormTable& table, const char* pack_name, const char* unpack_name) {
    table.add({pack_name, pack_vector<Whole, Part>, pack_vector<Whole, Part>, ptx_type<Whole>, ptx_type<Part>, ptx::Type::none,
               ptx::Type::none, OpClass::move});
    table.add({unpack_name, unpack_vector<Whole, Part>, unpack_vector<Whole, Part>, ptx_type<Part>, ptx_type<Whole>, ptx::Type::none,
               ptx::Type::none, OpClass::move});
}

} // namespace

void add_move_forms(FormTable& table) {
    using ptx::Type;
    add_unary<Move, std::uint32_t, std::uint32_t>(table, "mov.b16", OpClass::move);
    add_unary<Move, std::uint32_t, std::uint32_t>(table, "mov.b32", OpClass::move);
    add_unary<Move, std::uint64_t, std::uint64_t>(table, "mov.b64", OpClass::move);
    table.add({"mov.b128", move128, move128, Type::b128, Type::b128, Type::none, Type::none, OpClass::move});
    add_vector<std::uint32_t, std::uint16_t>(table, "pack.b32.b16", "unpack.b32.b16");
    add_vector<std::uint64_t, std::uint32_t>(table, "pack.b64.b32", "unpack.b64.b32");
    add_vector<std::uint64_t, std::uint16_t>(table, "pack.b64.b16", "unpack.b64.b16");
    add_vector<std::uint32_t, std::uint8_t>(table, "pack.b32.b8", "unpack.b32.b8");
    add_vector<std::uint16_t, std::uint8_t>(table, "pack.b16.b8", "unpack.b16.b8");
    table.add({"pack.b128.b64", pack_quad, pack_quad, Type::b128, Type::b64, Type::none, Type::none, OpClass::move});
    table.add({"unpack.b128.b64", unpack_quad, unpack_quad, Type::b64, Type::b128, Type::none, Type::none, OpClass::move});
    table.add({"cvta.window", AddWindow::run, AddWindow::run, Type::b64, Type::b64, Type::none, Type::none, OpClass::move});
    add_unary<RemoveWindow, std::uint64_t, std::uint64_t>(table, "cvta.to", OpClass::move);
    table.add({"isspacep", is_space, is_space, Type::pred, Type::b64, Type::none, Type::none, OpClass::compare});
    table.add({"fence", nothing, nothing, Type::none, Type::none, Type::none, Type::none, OpClass::fence});
    table.add({"nop", nothing, nothing, Type::none, Type::none, Type::none, Type::none, OpClass::other});
    table.add({"mov.clock", clock32, clock32, Type::b32, Type::none, Type::none, Type::none, OpClass::move});
    table.add({"mov.clock_hi", clock32, clock32, Type::b32, Type::none, Type::none, Type::none, OpClass::move, 32});
    table.add({"mov.clock64", clock64, clock64, Type::b64, Type::none, Type::none, Type::none, OpClass::move});
}

} // namespace apod::emu::APOD_LANES

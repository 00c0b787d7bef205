// wmma.load, wmma.store, ldmatrix, stmatrix, movmatrix.
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/requests.hpp"
#include "emu/matrix_shape.hpp"

namespace apod::emu::APOD_LANES {

namespace {

struct Tile {
    Fragment fragment;
    bool row_major = true;
    OperandRef stride = 0;
    const std::uint32_t* registers = nullptr;
};

Tile tile_of(const WarpContext& warp, const Op& op) {
    const std::uint32_t* words = warp.block->extra + op.extra;
    Tile tile;
    tile.fragment.part = static_cast<MatrixPart>(words[0] & 0xff);
    tile.fragment.type = static_cast<MatrixType>(words[0] >> 8 & 0xff);
    tile.fragment.shape = {static_cast<std::uint16_t>(words[1] & 0xffff), static_cast<std::uint16_t>(words[1] >> 16),
                           static_cast<std::uint16_t>(words[2] & 0xffff)};
    tile.fragment.registers = words[2] >> 16;
    tile.row_major = words[3] != 0;
    tile.stride = words[4];
    tile.registers = words + matrix_load_header;
    return tile;
}

// Elements of one register are neighbours in memory when the register runs along the leading dimension.
bool runs_along(const Tile& tile) {
    switch (tile.fragment.part) {
    case MatrixPart::a: return tile.row_major;
    case MatrixPart::b: return !tile.row_major;
    case MatrixPart::c: return tile.row_major;
    }
    return false;
}

// The lanes' addresses of element `sub` of register `reg`. `base` is the matrix's start, the same for all lanes.
void element_addresses(const Tile& tile, std::uint64_t base, std::uint64_t stride, unsigned reg, unsigned sub, Request& request) {
    for (unsigned l = 0; l < lanes; ++l) {
        const ElementPlace place = element_place(tile.fragment, l, reg, sub);
        const std::uint64_t element = tile.row_major ? place.row * stride + place.column : place.column * stride + place.row;
        request.address[l] = base + element * matrix_bits(tile.fragment.type) / 8;
    }
}

template<MemorySpace Space, bool Store>
bool move_bytes(WarpContext& warp, const Op& op, Request& request, std::uint32_t mask, OperandRef reg, unsigned first_byte, unsigned bytes,
                bool wide) {
    describe(request, mask, bytes);
    const AccessKind kind = Store ? AccessKind::store : AccessKind::load;
    if (!admit<Space>(warp, op, request, mask, kind, bytes)) return false;
    tell(warp, op, request, mask, Space, kind, bytes);
    const unsigned slot_bytes = wide ? 8 : 4;
    auto* values = reinterpret_cast<std::byte*>(slot<std::uint32_t>(warp, reg));
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const unsigned l = static_cast<unsigned>(__builtin_ctz(rest));
        std::byte* memory = host_address<Space>(warp, l, request.address[l]);
        std::byte* value = values + l * slot_bytes + first_byte;
        for (unsigned i = 0; i < bytes; ++i) (Store ? memory[i] : value[i]) = Store ? value[i] : memory[i];
    }
    return true;
}

template<MemorySpace Space, bool Store> void move_tile(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const Tile tile = tile_of(warp, op);
    Request request;
    lane_addresses(warp, op, request);
    const unsigned first = static_cast<unsigned>(__builtin_ctz(mask));
    const std::uint64_t base = request.address[first] & ~(Space == MemorySpace::shared ? window_mask : 0);
    const std::uint64_t stride = slot<std::uint32_t>(warp, tile.stride)[first];
    const std::uint32_t bits = matrix_bits(tile.fragment.type);
    const unsigned together = bits >= 32 || runs_along(tile) ? 1 : tile.fragment.per_register();
    const unsigned bytes = together == 1 ? (bits == 64 ? 8u : 4u) : bits / 8;
    const std::uint32_t registers = Store ? tile.fragment.needed() : tile.fragment.registers;
    for (unsigned reg = 0; reg < registers; ++reg) {
        for (unsigned part = 0; part < together; ++part) {
            element_addresses(tile, base, stride, reg, part, request);
            if (reg >= tile.fragment.needed()) { // a copy of what is loaded already
                const auto* from = slot<std::uint32_t>(warp, tile.registers[reg % tile.fragment.needed()]);
                auto* to = slot<std::uint32_t>(warp, tile.registers[reg]);
                for (unsigned l = 0; l < lanes; ++l) to[l] = blend(mask, l, from[l], to[l]);
                break;
            }
            if (!move_bytes<Space, Store>(warp, op, request, mask, tile.registers[reg], part * bytes, bytes, bits == 64)) return;
        }
    }
}

template<bool Store> void move_tile_generic(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    const std::uint64_t window = request.address[static_cast<unsigned>(__builtin_ctz(mask))] & window_mask;
    if (window == shared_window)
        move_tile<MemorySpace::shared, Store>(warp, op, mask);
    else
        move_tile<MemorySpace::global, Store>(warp, op, mask);
}

// ldmatrix and stmatrix: lanes 8i to 8i + 7 name the rows (16 bytes each) of matrix i; Op::count matrices, registers in extra, Op::c 1 when
// transposed. Lane l holds elements (l / 4, 2 * (l % 4)) and the next of each matrix.
template<bool Store> void move_rows(WarpContext& warp, const Op& op, std::uint32_t mask) {
    Request request;
    lane_addresses(warp, op, request);
    for (unsigned l = 0; l < lanes; ++l)
        if ((request.address[l] & window_mask) == shared_window) request.address[l] &= ~window_mask;
    const std::uint32_t naming = op.count == 4 ? 0xffffffffu : (1u << (8 * op.count)) - 1;
    describe(request, mask & naming, 16);
    const AccessKind kind = Store ? AccessKind::store : AccessKind::load;
    if (!admit<MemorySpace::shared>(warp, op, request, mask & naming, kind, 16)) return;
    tell(warp, op, request, mask & naming, MemorySpace::shared, kind, 16);
    for (unsigned matrix = 0; matrix < op.count; ++matrix) {
        auto* values = slot<std::uint32_t>(warp, warp.block->extra[op.extra + matrix]);
        for (unsigned l = 0; l < lanes; ++l) {
            if (!lane_of(mask, l)) continue;
            std::uint32_t word = Store ? values[l] : 0;
            for (unsigned half = 0; half < 2; ++half) {
                const unsigned row = op.c != 0 ? 2 * (l % 4) + half : l / 4;
                const unsigned column = op.c != 0 ? l / 4 : 2 * (l % 4) + half;
                std::byte* at = warp.block->shared + request.address[8 * matrix + row] + 2 * column;
                std::uint16_t element = static_cast<std::uint16_t>(word >> (16 * half));
                if constexpr (Store)
                    __builtin_memcpy(at, &element, 2);
                else {
                    __builtin_memcpy(&element, at, 2);
                    word |= static_cast<std::uint32_t>(element) << (16 * half);
                }
            }
            if constexpr (!Store) values[l] = word;
        }
    }
}

// movmatrix.trans: an 8 x 8 matrix of 16-bit elements, transposed across the warp.
void transpose_registers(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const auto* a = slot<std::uint32_t>(warp, op.a);
    auto* d = slot<std::uint32_t>(warp, op.dst);
    std::uint32_t result[lanes];
    for (unsigned l = 0; l < lanes; ++l) {
        result[l] = 0;
        for (unsigned half = 0; half < 2; ++half) {
            const unsigned row = 2 * (l % 4) + half; // of the source
            const unsigned column = l / 4;
            const std::uint32_t word = a[row * 4 + column / 2];
            result[l] |= (word >> (16 * (column % 2)) & 0xffffu) << (16 * half);
        }
    }
    for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, result[l], d[l]);
}

} // namespace

void add_matrix_memory_forms(FormTable& table) {
    using ptx::Type;
    const auto add = [&](const char* name, Handler handler, OpClass op_class) {
        table.add({name, handler, handler, Type::none, Type::b64, Type::none, Type::none, op_class});
    };
    add("wmma.load.global", move_tile<MemorySpace::global, false>, OpClass::load_global);
    add("wmma.load.shared", move_tile<MemorySpace::shared, false>, OpClass::load_shared);
    add("wmma.load.generic", move_tile_generic<false>, OpClass::load_generic);
    add("wmma.store.global", move_tile<MemorySpace::global, true>, OpClass::store_global);
    add("wmma.store.shared", move_tile<MemorySpace::shared, true>, OpClass::store_shared);
    add("wmma.store.generic", move_tile_generic<true>, OpClass::store_generic);
    add("ldmatrix", move_rows<false>, OpClass::load_shared);
    add("stmatrix", move_rows<true>, OpClass::store_shared);
    table.add({"movmatrix", transpose_registers, transpose_registers, Type::b32, Type::b32, Type::none, Type::none, OpClass::shuffle});
}

} // namespace apod::emu::APOD_LANES

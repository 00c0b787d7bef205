// mma.sync and wmma.mma: D = A * B + C over the fragments of matrix_shape.hpp. Floating-point sums are formed in double precision and
// rounded once, which is at least as exact as the hardware, whose order and intermediate width are not documented.
#include "emu/lanes/half_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/matrix_shape.hpp"

namespace apod::emu::APOD_LANES {

namespace {

struct Multiply {
    Fragment d, a, b, c;
    std::uint32_t flags = 0;
    const std::uint32_t* d_registers = nullptr;
    const std::uint32_t* a_registers = nullptr;
    const std::uint32_t* b_registers = nullptr;
    const std::uint32_t* c_registers = nullptr;
};

Multiply multiply_of(const WarpContext& warp, const Op& op) {
    const std::uint32_t* words = warp.block->extra + op.extra;
    const MatrixShape shape{static_cast<std::uint16_t>(words[1] & 0xffff), static_cast<std::uint16_t>(words[1] >> 16),
                            static_cast<std::uint16_t>(words[2] & 0xffff)};
    Multiply result;
    result.flags = words[2] >> 16;
    const auto type = [&](unsigned at) { return static_cast<MatrixType>(words[0] >> (8 * at) & 0xff); };
    result.a = {MatrixPart::a, type(0), shape, 0};
    result.b = {MatrixPart::b, type(1), shape, 0};
    result.c = {MatrixPart::c, type(2), shape, 0};
    result.d = {MatrixPart::c, type(3), shape, 0};
    const std::uint32_t* at = words + matrix_mma_header;
    const auto take = [&](Fragment& fragment) {
        fragment.registers = *at++;
        const std::uint32_t* registers = at;
        at += fragment.registers;
        return registers;
    };
    result.d_registers = take(result.d);
    result.a_registers = take(result.a);
    result.b_registers = take(result.b);
    result.c_registers = take(result.c);
    return result;
}

std::uint64_t element_bits(WarpContext& warp, const Fragment& fragment, const std::uint32_t* registers, unsigned lane, unsigned reg,
                           unsigned sub) {
    const std::uint32_t bits = matrix_bits(fragment.type);
    if (bits == 64) return slot<std::uint64_t>(warp, registers[reg])[lane];
    const std::uint32_t word = slot<std::uint32_t>(warp, registers[reg])[lane];
    return bits == 32 ? word : word >> (bits * sub) & ((1u << bits) - 1);
}

double real_of(std::uint64_t bits, MatrixType type) {
    switch (type) {
    case MatrixType::f16: return to_float(Half{static_cast<std::uint16_t>(bits)});
    case MatrixType::bf16: return to_float(BFloat{static_cast<std::uint16_t>(bits)});
    case MatrixType::tf32: return from_bits<float>(static_cast<std::uint32_t>(bits) & 0xffffe000u); // the low 13 bits are not read
    case MatrixType::f64: return from_bits<double>(bits);
    default: return from_bits<float>(static_cast<std::uint32_t>(bits));
    }
}

std::int64_t integer_of(std::uint64_t bits, MatrixType type) {
    switch (type) {
    case MatrixType::s8: return static_cast<std::int8_t>(bits);
    case MatrixType::s4: return static_cast<std::int64_t>(bits << 60) >> 60;
    case MatrixType::s32: return static_cast<std::int32_t>(bits);
    default: return static_cast<std::int64_t>(bits);
    }
}

std::uint64_t bits_of_real(double value, MatrixType type) {
    if (type == MatrixType::f64) return bits_of(value);
    if (type == MatrixType::f16) return from_float<Half>(static_cast<float>(value)).bits;
    return bits_of(canonical(static_cast<float>(value)));
}

constexpr unsigned most_elements = 128 * 128; // of one operand

// All elements of a fragment, row by row.
template<class T, class F> void collect(WarpContext& warp, const Fragment& fragment, const std::uint32_t* registers, T* into, F convert) {
    for (unsigned reg = 0; reg < fragment.needed(); ++reg)
        for (unsigned l = 0; l < lanes; ++l)
            for (unsigned sub = 0; sub < fragment.per_register(); ++sub) {
                const ElementPlace place = element_place(fragment, l, reg, sub);
                into[place.row * fragment.columns() + place.column] = convert(element_bits(warp, fragment, registers, l, reg, sub));
            }
}

template<class F> void deliver(WarpContext& warp, const Multiply& m, std::uint32_t mask, F value) {
    const std::uint32_t bits = matrix_bits(m.d.type);
    for (unsigned reg = 0; reg < m.d.registers; ++reg)
        for (unsigned l = 0; l < lanes; ++l) {
            if (!lane_of(mask, l)) continue;
            std::uint64_t word = 0;
            for (unsigned sub = 0; sub < m.d.per_register(); ++sub) {
                const ElementPlace place = element_place(m.d, l, reg, sub);
                word |= value(place.row, place.column) << (bits * sub & 63);
            }
            if (bits == 64)
                slot<std::uint64_t>(warp, m.d_registers[reg])[l] = word;
            else
                slot<std::uint32_t>(warp, m.d_registers[reg])[l] = static_cast<std::uint32_t>(word);
        }
}

void multiply_real(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const Multiply m = multiply_of(warp, op);
    const MatrixShape shape = m.a.shape;
    static thread_local double a[most_elements];
    static thread_local double b[most_elements];
    static thread_local double c[most_elements];
    collect(warp, m.a, m.a_registers, a, [&](std::uint64_t bits) { return real_of(bits, m.a.type); });
    collect(warp, m.b, m.b_registers, b, [&](std::uint64_t bits) { return real_of(bits, m.b.type); });
    collect(warp, m.c, m.c_registers, c, [&](std::uint64_t bits) { return real_of(bits, m.c.type); });
    for (unsigned i = 0; i < shape.m; ++i)
        for (unsigned k = 0; k < shape.k; ++k)
            for (unsigned j = 0; j < shape.n; ++j) {
                double& sum = c[i * shape.n + j];
                sum = m.a.type == MatrixType::f64 ? __builtin_fma(a[i * shape.k + k], b[k * shape.n + j], sum)
                                                  : sum + a[i * shape.k + k] * b[k * shape.n + j];
            }
    deliver(warp, m, mask, [&](unsigned row, unsigned column) { return bits_of_real(c[row * shape.n + column], m.d.type); });
}

void multiply_integer(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const Multiply m = multiply_of(warp, op);
    const MatrixShape shape = m.a.shape;
    static thread_local std::int64_t a[most_elements];
    static thread_local std::int64_t b[most_elements];
    static thread_local std::int64_t c[most_elements];
    collect(warp, m.a, m.a_registers, a, [&](std::uint64_t bits) { return integer_of(bits, m.a.type); });
    collect(warp, m.b, m.b_registers, b, [&](std::uint64_t bits) { return integer_of(bits, m.b.type); });
    collect(warp, m.c, m.c_registers, c, [&](std::uint64_t bits) { return integer_of(bits, m.c.type); });
    for (unsigned i = 0; i < shape.m; ++i)
        for (unsigned j = 0; j < shape.n; ++j) {
            std::int64_t sum = c[i * shape.n + j];
            for (unsigned k = 0; k < shape.k; ++k) {
                const std::int64_t x = a[i * shape.k + k];
                const std::int64_t y = b[k * shape.n + j];
                if ((m.flags & matrix_xor_popc) != 0)
                    sum += x ^ y;
                else if ((m.flags & matrix_and_popc) != 0)
                    sum += x & y;
                else
                    sum += x * y;
            }
            if ((m.flags & matrix_saturate) != 0) sum = sum > 0x7fffffff ? 0x7fffffff : sum < -0x80000000ll ? -0x80000000ll : sum;
            c[i * shape.n + j] = sum;
        }
    deliver(warp, m, mask, [&](unsigned row, unsigned column) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(c[row * shape.n + column]));
    });
}

} // namespace

void add_matrix_multiply_forms(FormTable& table) {
    using ptx::Type;
    table.add({"mma.real", multiply_real, multiply_real, Type::none, Type::none, Type::none, Type::none, OpClass::matrix});
    table.add({"mma.integer", multiply_integer, multiply_integer, Type::none, Type::none, Type::none, Type::none, OpClass::matrix});
}

} // namespace apod::emu::APOD_LANES

// wmma, mma, ldmatrix, stmatrix, movmatrix: shapes and fragments checked here, so that the handlers need not.
#include "emu/lower/lowering.hpp"
#include "emu/matrix_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

std::optional<MatrixType> matrix_type(std::string_view name) {
    constexpr std::pair<std::string_view, MatrixType> names[] = {
        {"f16", MatrixType::f16}, {"bf16", MatrixType::bf16}, {"tf32", MatrixType::tf32}, {"f32", MatrixType::f32},
        {"f64", MatrixType::f64}, {"u8", MatrixType::u8},     {"s8", MatrixType::s8},     {"s32", MatrixType::s32},
        {"u4", MatrixType::u4},   {"s4", MatrixType::s4},     {"b1", MatrixType::b1}};
    for (const auto& [text, type] : names)
        if (text == name) return type;
    return std::nullopt;
}

// "m16n8k16".
std::optional<MatrixShape> matrix_shape(std::string_view name) {
    MatrixShape shape;
    const char* at = name.data();
    const char* const end = at + name.size();
    for (auto [letter, into] : {std::pair{'m', &shape.m}, std::pair{'n', &shape.n}, std::pair{'k', &shape.k}}) {
        if (at == end || *at != letter) return std::nullopt;
        const auto [next, error] = std::from_chars(at + 1, end, *into);
        if (error != std::errc{} || *into == 0 || *into > 256) return std::nullopt;
        at = next;
    }
    return at == end ? std::optional(shape) : std::nullopt;
}

struct Parts {
    MatrixShape shape;
    std::vector<MatrixType> types;
    std::vector<std::string_view> layouts; // row, col
};

Result<Parts> parts_of(const Lowering& lowering, const ptx::Instruction& instruction, std::initializer_list<std::string_view> known) {
    Parts parts;
    for (const std::string_view modifier : instruction.modifiers) {
        if (const auto shape = matrix_shape(modifier))
            parts.shape = *shape;
        else if (const auto type = matrix_type(modifier))
            parts.types.push_back(*type);
        else if (modifier == "row" || modifier == "col")
            parts.layouts.push_back(modifier);
        else if (std::find(known.begin(), known.end(), modifier) == known.end())
            return cannot_run_modifier(lowering, instruction, modifier);
    }
    if (parts.shape.m == 0) return cannot_run(lowering, instruction, "its shape is not known to the emulator");
    return parts;
}

// Tiles of 8 and 16 rows and of 8 columns; registers full of elements.
bool has_layout(const Fragment& fragment) {
    const MatrixShape& shape = fragment.shape;
    if (shape.m % 8 != 0 || (shape.m > 8 && shape.m % 16 != 0) || shape.n % 8 != 0) return false;
    if (fragment.part != MatrixPart::c && shape.k % (4 * fragment.per_register()) != 0) return false;
    return fragment.rows() * fragment.columns() % (32 * fragment.per_register()) == 0;
}

Result<void> lower_registers(Lowering& lowering, const ptx::Instruction& instruction, const Operand& operand, Fragment& fragment,
                             bool destinations) {
    const std::vector<Operand> one{operand};
    const std::vector<Operand>& registers = operand.kind == OperandKind::vector ? operand.children : one;
    fragment.registers = static_cast<std::uint32_t>(registers.size());
    if (!has_layout(fragment)) return cannot_run(lowering, instruction, "a fragment of this shape and type is not known to the emulator");
    if (registers.empty() || fragment.registers % fragment.needed() != 0)
        return malformed(lowering, instruction,
                         fmt::format("a fragment needs {} registers, {} are given", fragment.needed(), fragment.registers));
    const Type type = fragment.type == MatrixType::f64 ? Type::b64 : Type::b32;
    for (const Operand& reg : registers) {
        auto ref = destinations ? destination(lowering, instruction, reg, type) : source(lowering, instruction, reg, type);
        if (!ref) return ref.error();
        lowering.code.extra.push_back(*ref);
    }
    return {};
}

std::string_view space_of(const ptx::Instruction& instruction) {
    if (instruction.has("global")) return "global";
    if (instruction.has("shared") || instruction.has("shared::cta")) return "shared";
    return "generic";
}

// wmma.load.{a,b,c}.sync.aligned.LAYOUT.SHAPE{.SPACE}.TYPE r, [p]{, stride}; wmma.store.d likewise with [p] first.
Result<bool> lower_tile(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, bool store) {
    auto parts =
        parts_of(lowering, instruction, {"load", "store", "a", "b", "c", "d", "sync", "aligned", "global", "shared", "shared::cta"});
    if (!parts) return parts.error();
    if (parts->types.size() != 1 || parts->layouts.size() != 1 || instruction.operands.size() < 2) return cannot_run(lowering, instruction);
    Fragment fragment{instruction.has("a")   ? MatrixPart::a
                      : instruction.has("b") ? MatrixPart::b
                                             : MatrixPart::c,
                      parts->types[0], parts->shape, 0};
    const bool row_major = parts->layouts[0] == "row";
    OperandRef stride = lowering.pool.constant32(row_major ? fragment.columns() : fragment.rows());
    if (instruction.operands.size() > 2) {
        auto given = source(lowering, instruction, instruction.operands[2], Type::b32);
        if (!given) return given.error();
        stride = *given;
    }
    use_form(lowered, *form_table().find(fmt::format("wmma.{}.{}", store ? "store" : "load", space_of(instruction))));
    if (auto done = address(lowering, instruction, instruction.operands[store ? 0 : 1], lowered.op); !done) return done.error();
    lowered.op.extra = static_cast<std::uint32_t>(lowering.code.extra.size());
    const std::size_t header = lowering.code.extra.size();
    for (const std::uint32_t word : {static_cast<std::uint32_t>(fragment.part) | static_cast<std::uint32_t>(fragment.type) << 8,
                                     std::uint32_t{fragment.shape.m} | std::uint32_t{fragment.shape.n} << 16,
                                     std::uint32_t{fragment.shape.k}, std::uint32_t{row_major}, stride})
        lowering.code.extra.push_back(word);
    if (auto done = lower_registers(lowering, instruction, instruction.operands[store ? 1 : 0], fragment, !store); !done)
        return done.error();
    lowering.code.extra[header + 2] |= fragment.registers << 16;
    lowered.info.bytes = matrix_bits(fragment.type) == 64 ? 8 : 4;
    return true;
}

// The types that mma and wmma.mma name: D, A, B, C; wmma on f16 names D and C only, on integers and others all four.
bool complete_types(const ptx::Instruction& instruction, std::vector<MatrixType>& types) {
    if (types.size() == 2 && instruction.opcode == "wmma") types = {types[0], MatrixType::f16, MatrixType::f16, types[1]};
    return types.size() == 4;
}

Result<bool> lower_multiply(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    auto parts = parts_of(lowering, instruction, {"mma", "sync", "aligned", "rn", "satfinite", "xor", "and", "popc"});
    if (!parts) return parts.error();
    if (!complete_types(instruction, parts->types) || instruction.operands.size() != 4) return cannot_run(lowering, instruction);
    const bool integers = parts->types[0] == MatrixType::s32;
    if (instruction.opcode == "mma" && parts->layouts.size() == 2 && (parts->layouts[0] != "row" || parts->layouts[1] != "col"))
        return cannot_run(lowering, instruction, "mma.sync takes A by rows and B by columns here");
    if (parts->shape.m == 8 && parts->types[1] == MatrixType::f16)
        return cannot_run(lowering, instruction, "m8n8k4 on f16 is not emulated");
    if (instruction.has("satfinite") && !integers) return cannot_run_modifier(lowering, instruction, "satfinite");
    use_form(lowered, *form_table().find(integers ? "mma.integer" : "mma.real"));
    std::uint32_t flags = instruction.has("satfinite") ? std::uint32_t{matrix_saturate} : 0;
    if (parts->types[1] == MatrixType::b1) flags |= instruction.has("and") ? matrix_and_popc : matrix_xor_popc;
    lowered.op.extra = static_cast<std::uint32_t>(lowering.code.extra.size());
    const auto code = [&](std::size_t i) { return static_cast<std::uint32_t>(parts->types[i]); };
    lowering.code.extra.push_back(code(1) | code(2) << 8 | code(3) << 16 | code(0) << 24);
    lowering.code.extra.push_back(std::uint32_t{parts->shape.m} | std::uint32_t{parts->shape.n} << 16);
    lowering.code.extra.push_back(std::uint32_t{parts->shape.k} | flags << 16);
    constexpr MatrixPart order[] = {MatrixPart::c, MatrixPart::a, MatrixPart::b, MatrixPart::c};
    for (std::size_t i = 0; i < 4; ++i) {
        Fragment fragment{order[i], parts->types[i], parts->shape, 0};
        const std::size_t count = lowering.code.extra.size();
        lowering.code.extra.push_back(0);
        if (auto done = lower_registers(lowering, instruction, instruction.operands[i], fragment, i == 0); !done) return done.error();
        lowering.code.extra[count] = fragment.registers;
    }
    return true;
}

// ldmatrix.sync.aligned.m8n8.x4{.trans}.shared.b16 {r...}, [p]; stmatrix with [p] first.
Result<bool> lower_rows(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, bool store) {
    const auto unknown =
        unknown_modifier(instruction, {"sync", "aligned", "m8n8", "x1", "x2", "x4", "num", "trans", "shared", "shared::cta", "b16"});
    if (!unknown.empty()) return cannot_run_modifier(lowering, instruction, unknown);
    if (instruction.operands.size() != 2) return malformed(lowering, instruction, "registers and an address are needed");
    const std::size_t count = instruction.has("x4") ? 4 : instruction.has("x2") ? 2 : 1;
    const Operand& values = instruction.operands[store ? 1 : 0];
    const std::vector<Operand> one{values};
    const std::vector<Operand>& registers = values.kind == OperandKind::vector ? values.children : one;
    if (registers.size() != count) return malformed(lowering, instruction, fmt::format("{} registers are needed", count));
    use_form(lowered, *form_table().find(store ? "stmatrix" : "ldmatrix"));
    if (auto done = address(lowering, instruction, instruction.operands[store ? 0 : 1], lowered.op); !done) return done.error();
    lowered.op.count = static_cast<std::uint16_t>(count);
    lowered.op.c = instruction.has("trans") ? 1 : 0;
    lowered.op.extra = static_cast<std::uint32_t>(lowering.code.extra.size());
    for (const Operand& reg : registers) {
        auto ref = store ? source(lowering, instruction, reg, Type::b32) : destination(lowering, instruction, reg, Type::b32);
        if (!ref) return ref.error();
        lowering.code.extra.push_back(*ref);
    }
    lowered.info.bytes = 16;
    return true;
}

} // namespace

Result<bool> lower_matrix(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    if (instruction.opcode == "wmma" && instruction.has("load")) return lower_tile(lowering, instruction, lowered, false);
    if (instruction.opcode == "wmma" && instruction.has("store")) return lower_tile(lowering, instruction, lowered, true);
    if ((instruction.opcode == "wmma" && instruction.has("mma")) || (instruction.opcode == "mma" && !instruction.has("sp")))
        return lower_multiply(lowering, instruction, lowered);
    if (instruction.opcode == "ldmatrix") return lower_rows(lowering, instruction, lowered, false);
    if (instruction.opcode == "stmatrix") return lower_rows(lowering, instruction, lowered, true);
    if (instruction.opcode == "movmatrix" && instruction.operands.size() == 2) {
        use_form(lowered, *form_table().find("movmatrix"));
        auto dst = destination(lowering, instruction, instruction.operands[0], Type::b32);
        auto src = source(lowering, instruction, instruction.operands[1], Type::b32);
        if (!dst) return dst.error();
        if (!src) return src.error();
        lowered.op.dst = *dst;
        lowered.op.a = *src;
        return true;
    }
    return false;
}

} // namespace apod::emu

#include "model/counters/operations.hpp"

#include "model/metric_registry.hpp"

#include <charconv>

namespace apod::model {

namespace {

using Counts = std::vector<OperationCount>;

// The operations of one number format.
struct Format {
    Operation add{};
    Operation multiply{};
    Operation fused{};
};
constexpr Format single{Operation::fadd, Operation::fmul, Operation::ffma};
constexpr Format twice{Operation::dadd, Operation::dmul, Operation::dfma};
constexpr Format half{Operation::hadd, Operation::hmul, Operation::hfma};

Counts plain(std::string_view opcode, const Format& format, double each) {
    if (opcode == "add" || opcode == "sub") return {{format.add, each}};
    if (opcode == "mul") return {{format.multiply, each}};
    if (opcode == "fma" || opcode == "mad") return {{format.fused, each}};
    return {};
}

// ptxas 13.0 for sm_90, without what its guards leave out for ordinary operands.
Counts expanded(emu::OpClass op_class, const ptx::Instruction& instruction) {
    const bool reciprocal = instruction.opcode == "rcp";
    Counts counts;
    switch (op_class) {
    case emu::OpClass::fp32_div:
        counts = reciprocal ? Counts{{Operation::fadd, 1}, {Operation::ffma, 2}} : Counts{{Operation::ffma, 5}};
        break;
    case emu::OpClass::fp32_sqrt: counts = {{Operation::fmul, 2}, {Operation::ffma, 2}}; break;
    case emu::OpClass::fp64_div:
        counts = reciprocal ? Counts{{Operation::dfma, 5}} : Counts{{Operation::dmul, 1}, {Operation::dfma, 7}, {Operation::ffma, 1}};
        break;
    case emu::OpClass::fp64_sqrt: counts = {{Operation::dmul, 3}, {Operation::dfma, 5}}; break;
    case emu::OpClass::special:
        if (instruction.has("f64") && instruction.opcode == "rsqrt") counts = {{Operation::dmul, 2}, {Operation::dfma, 3}};
        if (reciprocal && instruction.has("f32") && !instruction.has("ftz")) counts = {{Operation::fmul, 2}}; // scaled, and back
        // An approximate quotient is a product with the reciprocal; an angle is turned into parts of a circle first.
        if (instruction.opcode == "div" || instruction.opcode == "sin" || instruction.opcode == "cos") counts = {{Operation::fmul, 1}};
        break;
    default: break;
    }
    for (OperationCount& count : counts) count.expanded = true;
    return counts;
}

Counts integers(const ptx::Instruction& instruction) {
    const bool wide = instruction.has("s64") || instruction.has("u64") || instruction.has("b64");
    const bool with_sum = instruction.opcode.starts_with("mad") || instruction.opcode == "sad";
    return {{Operation::integer, (with_sum ? 2.0 : 1.0) * (wide ? 2 : 1)}};
}

// "m16n8k16" -> 16 * 8 * 16; 0 for any other word.
double shape_product(std::string_view word) {
    double product = 1;
    for (const char letter : {'m', 'n', 'k'}) {
        if (word.empty() || word.front() != letter) return 0;
        word.remove_prefix(1);
        unsigned value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc()) return 0;
        word.remove_prefix(static_cast<std::size_t>(end - word.data()));
        product *= value;
    }
    return word.empty() ? product : 0;
}

Counts matrices(const ptx::Instruction& instruction) {
    double product = 0;
    for (const std::string_view word : instruction.modifiers) product = product > 0 ? product : shape_product(word);
    if (product <= 0) return {};                                                            // its loads and stores
    if (instruction.has("s4") || instruction.has("u4") || instruction.has("b1")) return {}; // no rate is known
    Operation operation = Operation::tensor_half; // wmma names the factors' type only where they are not halves
    if (instruction.has("f64")) operation = Operation::tensor_double;
    if (instruction.has("tf32")) operation = Operation::tensor_tf32;
    if (instruction.has("s8") || instruction.has("u8")) operation = Operation::tensor_int8;
    return {{operation, 2 * product, true}};
}

} // namespace

std::string_view metric_of(Operation operation) {
    static constexpr std::array<std::string_view, operation_kinds> names = {
        metric::fadds,       metric::fmuls,       metric::ffmas,       metric::dadds,        metric::dmuls,
        metric::dfmas,       metric::hadds,       metric::hmuls,       metric::hfmas,        metric::integer_operations,
        metric::tensor_half, metric::tensor_tf32, metric::tensor_int8, metric::tensor_double};
    return names[static_cast<std::size_t>(operation)];
}

std::vector<OperationCount> operations_of(const emu::OpInfo& op) {
    const ptx::Instruction& instruction = op.function->instructions[op.instruction];
    const auto packed = [&instruction](std::string_view one, std::string_view other) {
        return instruction.has(one) || instruction.has(other) ? 2.0 : 1.0;
    };
    switch (op.op_class) {
    case emu::OpClass::fp32: return plain(instruction.opcode, single, packed("f32x2", "f32x2"));
    case emu::OpClass::fp64: return plain(instruction.opcode, twice, 1);
    case emu::OpClass::fp16: return plain(instruction.opcode, half, 1); // pairs, or one in the place of a pair
    case emu::OpClass::int_add:
    case emu::OpClass::int_mul:
    case emu::OpClass::logic: return integers(instruction);
    case emu::OpClass::matrix: return instruction.has("mma") || instruction.opcode == "mma" ? matrices(instruction) : Counts();
    default: return expanded(op.op_class, instruction);
    }
}

} // namespace apod::model

// A kernel and the functions that it may call on their way from PTX to Code. Each file of this folder lowers one family of instructions;
// lower.cpp drives them.
#pragma once

#include "emu/code.hpp"
#include "emu/forms.hpp"
#include "emu/lower/layout.hpp"
#include "emu/lower/pool.hpp"
#include "emu/lower/slots.hpp"
#include "emu/program.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apod::emu {

inline constexpr OperandRef sink_ref = 0xffffffffu; // a destination that is not wanted, "_"

// The lowering of one of them.
struct Lowering {
    std::shared_ptr<const Image> image;
    const ptx::Module& module;
    const ptx::Function& function;
    const ptx::ControlFlow& flow;
    const ptx::Liveness& live;
    Program& program;
    Code& code;
    PoolBuilder& pool;
    const Layout& layout;
    const std::map<SpecialKind, OperandRef>& specials;
    SlotMap slots;
    std::uint32_t first_block = 0; // of this function in Code::blocks
};

// What an instruction's guard, destinations and class become; the caller appends it.
struct LoweredOp {
    Op op;
    OpInfo info;
};

// "the emulator cannot run 'NAME' yet", with the PTX place.
[[nodiscard]] Diagnostic cannot_run(const Lowering& lowering, const ptx::Instruction& instruction, std::string why = {});
[[nodiscard]] Diagnostic malformed(const Lowering& lowering, const ptx::Instruction& instruction, std::string why);

// operands.cpp. `type` decides the slot and how an immediate is read.
Result<OperandRef> source(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand, ptx::Type type);
// Refuses the sink "_": a handler writes where it is told to. Whose handler looks for sink_ref first takes destination_or_sink().
Result<OperandRef> destination(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand, ptx::Type type);
Result<OperandRef> destination_or_sink(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand,
                                       ptx::Type type);
Result<PredicateRef> predicate_source(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand);
Result<std::uint32_t> predicate_destination(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand);
// The constant address that a symbol stands for in its own space.
Result<std::uint64_t> symbol_address(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand);
Result<std::int64_t> immediate(const Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand);
// frame.cpp. The offset in the running function's frame of a local variable or of one in .param space; nothing for other symbols, and for
// the kernel's own parameters.
[[nodiscard]] std::optional<std::uint64_t> frame_offset(const Lowering& lowering, const ptx::Operand& operand);
// The register that holds the frame's address; the constant 0 in the kernel.
[[nodiscard]] OperandRef frame_base(Lowering& lowering);
// Where a parameter or result of the function lies in its frame.
[[nodiscard]] Result<ValuePlace> value_place(const Lowering& lowering, const ptx::Variable& variable);

// [base + offset] into op.a, op.imm and flag_address32.
Result<void> address(Lowering& lowering, const ptx::Instruction& instruction, const ptx::Operand& operand, Op& op);

// canonical.cpp: the name in the form table of an instruction whose meaning the table holds alone.
[[nodiscard]] std::string canonical_form(const ptx::Instruction& instruction);
// The last modifier that names a type; none when there is none.
[[nodiscard]] ptx::Type last_type(const ptx::Instruction& instruction);
// "u8", "s16", "u32", ... : how a memory form spells an element of this type; empty when it cannot be one.
[[nodiscard]] std::string_view element_name(ptx::Type type);

// modifiers.cpp: the first modifier that is not on the list, or empty. The second knows what ld, st, atom and red may carry without a
// change of their meaning, and insists on one type.
[[nodiscard]] std::string_view unknown_modifier(const ptx::Instruction& instruction, std::initializer_list<std::string_view> known);
[[nodiscard]] std::string_view unknown_memory_modifier(const ptx::Instruction& instruction,
                                                       std::initializer_list<std::string_view> operations);
// "global", "shared", "cluster" (.shared::cluster), ..., "generic"; empty: a space that is not emulated. And 1, 2, 4 or 8 elements.
[[nodiscard]] std::string_view memory_space(const ptx::Instruction& instruction);
[[nodiscard]] std::uint32_t vector_length(const ptx::Instruction& instruction);
// How many operands there are before the cache policy of .L2::cache_hint, which is checked and otherwise a hint.
[[nodiscard]] Result<std::size_t> operands_without_policy(Lowering& lowering, const ptx::Instruction& instruction);
[[nodiscard]] Diagnostic cannot_run_modifier(const Lowering& lowering, const ptx::Instruction& instruction, std::string_view modifier);

// One file each. False in the result: not of this family.
Result<bool> lower_memory(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered);
Result<bool> lower_atomic(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, bool result_unused);
Result<bool> lower_cluster(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered);
Result<bool> lower_async(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered);
Result<bool> lower_image(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered);
Result<bool> lower_matrix(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered);
Result<bool> lower_move(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered);
Result<bool> lower_warp(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered);
Result<bool> lower_call(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, CodeBlock& block);
Result<bool> lower_frame(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered);
Result<bool> lower_control(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, CodeBlock& block);
Result<bool> lower_convert(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered);
Result<bool> lower_set(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered);
Result<bool> lower_lop3(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered);
Result<bool> lower_scalar_video(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered);
Result<bool> lower_video(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered);
// Everything that the form table describes completely, setp and selp included.
Result<void> lower_simple(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered);

// The op of a terminator: it has no handlers, the warp loop executes it.
void set_control(LoweredOp& lowered, OpClass op_class);
// Puts the form's handlers and class into the op.
void use_form(LoweredOp& lowered, const Form& form);

// guard.cpp: the entries of a guarded op, which narrow the mask to the guard's lanes first.
void guarded_full(WarpContext& warp, const Op& op, std::uint32_t mask);

} // namespace apod::emu

// A parsed PTX module: what the text says, names resolved, nothing interpreted.
//
// Names are views into Module::text, which the module owns; a Module is therefore handled through shared_ptr<const Module>.
// An instruction is its opcode name and its modifiers as written ("ld" with "global", "nc", "v4", "f32"); what they mean is the
// business of the passes that follow. So every instruction of today's and tomorrow's PTX parses, and the emulator names what it cannot run.
#pragma once

#include "base/result.hpp"
#include "ptx/types.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::ptx {

inline constexpr std::uint32_t none = 0xffffffffu; // "no such index"

// Place in the PTX text, from 1.
struct TextPosition {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

enum class Linkage : std::uint8_t { internal, visible, external, weak, common };

struct Register {
    std::string_view name; // as declared; %r7 of ".reg .b32 %r<9>" is "%r7" (its text is then in Module::names)
    Type type = Type::none;
};

// ".file 1 "a.cu"": source files by index.
struct File {
    std::uint32_t index = 0;
    std::string name;
};

// One .loc. Consecutive instructions share it.
struct SourceLocation {
    std::uint32_t file = 0; // File::index; 0 with line 0: compiler-generated
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string_view function;      // of ", function_name": what was inlined; resolved through .debug_str; empty otherwise
    std::uint32_t inlined_file = 0; // of ", inlined_at": the call site; 0 when not inlined
    std::uint32_t inlined_line = 0;
    std::uint32_t inlined_column = 0;
};

// An element of an initialiser: bytes, or the address of a variable or function plus an addend (perhaps through generic()).
struct Relocation {
    std::uint64_t offset = 0; // bytes from the start of the variable
    std::string_view symbol;
    std::int64_t addend = 0;
    bool generic = false;
    std::uint32_t bytes = 8;
    std::uint32_t mask_shift = 0; // 0xff(sym): which byte of the address; 0 with bytes = 8 is the whole address
};

// A module-scope or function-scope variable in const, global, local, shared or param space.
struct Variable {
    std::string_view name;
    Space space = Space::global;
    Type type = Type::none;
    std::uint32_t vector = 1;   // 2 or 4 for .v2, .v4
    std::uint64_t elements = 1; // product of the array dimensions; 0 for an unsized array (extern shared)
    std::uint64_t align = 0;    // bytes, 0: natural
    Linkage linkage = Linkage::internal;
    bool managed = false;           // .attribute(.managed)
    bool unsized_array = false;     // "name[]"
    bool pointer = false;           // .ptr on a kernel parameter
    std::vector<std::byte> initial; // as far as the text spells it out, perhaps shorter than size_bytes(): the rest is zero
    std::vector<Relocation> relocations;
    TextPosition position;

    [[nodiscard]] std::uint64_t size_bytes() const;      // elements * vector * element size
    [[nodiscard]] std::uint64_t alignment_bytes() const; // align or natural
};

enum class OperandKind : std::uint8_t {
    reg,     // register: index into Function::registers; `negated` for !%p; `name`: the selector of a video instruction, "b0", or empty
    special, // %tid.x and its like: `name` without the leading %, with its component: "tid.x"
    integer, // `integer` (two's complement of what was written)
    real,    // `real_bits` as f64, or as f32 when `real_is_f32` (0f3F800000)
    label,   // index into Function::labels
    symbol,  // variable, function, parameter: `name`, resolved by SymbolRef below; `offset` for a+8
    address, // [base + offset]: `children[0]` is the base (reg, symbol, integer); further children: coordinates of tex and tensor forms
    vector,  // {a, b, c, d}: `children`
    pair,    // a|b destinations: `children`
    list,    // (a, b) of a call
    sink     // _
};

enum class SymbolKind : std::uint8_t {
    unresolved,
    module_variable,
    function_variable,
    parameter,
    return_parameter,
    function,
    prototype,
    label_list
};

struct Operand {
    OperandKind kind = OperandKind::sink;
    bool negated = false;
    bool real_is_f32 = false;
    SymbolKind symbol = SymbolKind::unresolved;
    std::uint32_t index = none; // register, label, or the variable/parameter/function in its table
    std::int64_t integer = 0;   // also the offset of an address or symbol
    std::uint64_t real_bits = 0;
    std::string_view name;
    std::vector<Operand> children;
    TextPosition position;
};

struct Guard {
    std::uint32_t reg = none; // none: unconditional
    bool negated = false;
};

struct Instruction {
    std::string_view opcode;                 // "ld", "mad", "wmma"
    std::vector<std::string_view> modifiers; // "global", "nc", "L2::128B", "v4", "f32" in the order written
    Guard guard;
    std::vector<Operand> operands; // destinations first, as written
    std::uint32_t location = none; // index into Module::locations
    TextPosition position;

    [[nodiscard]] bool has(std::string_view modifier) const;
    [[nodiscard]] std::string name() const; // "ld.global.nc.v4.f32"
};

struct Label {
    std::string_view name;
    std::uint32_t instruction = 0; // the instruction that follows it; instructions.size() at the end of the body
    TextPosition position;
};

// "$L: .branchtargets a, b;" (labels) and "$L: .calltargets f, g;" (functions).
struct LabelList {
    std::string_view name;
    std::vector<Operand> targets;
};

struct Prototype {
    std::string_view name;
    std::vector<Variable> returns;
    std::vector<Variable> parameters;
    bool noreturn = false;
};

// Performance-tuning directives of an entry; 0 = absent.
struct Tuning {
    std::uint32_t max_threads[3] = {0, 0, 0};      // .maxntid
    std::uint32_t required_threads[3] = {0, 0, 0}; // .reqntid
    std::uint32_t min_blocks_per_sm = 0;           // .minnctapersm
    std::uint32_t max_registers = 0;               // .maxnreg
    std::uint32_t required_cluster[3] = {0, 0, 0}; // .reqnctapercluster
    std::uint32_t max_cluster_rank = 0;            // .maxclusterrank
    bool explicit_cluster = false;                 // .explicitcluster
};

struct Function {
    std::string_view name;
    bool is_entry = false;
    bool has_body = false;
    bool noreturn = false;
    Linkage linkage = Linkage::internal;
    std::vector<Variable> returns;
    std::vector<Variable> parameters; // space param; kernel parameters lie one after another, each at its alignment
    std::vector<Register> registers;  // of all nested scopes, each once
    std::vector<Variable> variables;  // function-scope local, shared, param, const, global; of all nested scopes
    std::vector<Label> labels;
    std::vector<LabelList> label_lists;
    std::vector<Prototype> prototypes;
    std::vector<Instruction> instructions;
    std::vector<std::string_view> pragmas;
    Tuning tuning;
    TextPosition position;
};

struct Module {
    std::string file; // for messages: path of the text, or "module of ./app"
    std::string text;
    std::uint32_t lines_before = 0;                   // of the units before it in a linked module
    std::vector<std::shared_ptr<const Module>> units; // a linked module's: their texts, and where places lie in them
    std::vector<std::unique_ptr<std::string>> names;  // names that the text does not spell out (parameterised registers)
    std::uint32_t version_major = 0;
    std::uint32_t version_minor = 0;
    std::string_view target; // "sm_90a"
    std::vector<std::string_view> target_options;
    std::uint32_t address_size = 64;
    std::vector<File> files;
    std::vector<SourceLocation> locations;
    std::vector<Variable> variables;
    std::vector<Function> functions;

    [[nodiscard]] const Function* find_function(std::string_view name) const;
    [[nodiscard]] const Variable* find_variable(std::string_view name) const;
    [[nodiscard]] std::string_view file_name(std::uint32_t index) const; // "" when unknown
    [[nodiscard]] SourcePosition position(TextPosition at) const;
};

// Reads PTX text; `file` names it in messages. Errors are bad_input with file:line:column of the PTX. Never crashes on any bytes.
Result<std::shared_ptr<const Module>> parse(std::string text, std::string file);

// "_Z5tiledPfPKfi" -> "tiled(float*, float const*, int)"; a name that is not mangled comes back as it is.
[[nodiscard]] std::string demangle(std::string_view name);

} // namespace apod::ptx

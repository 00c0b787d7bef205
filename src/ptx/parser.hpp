// The PTX parser. Its grammar is spread over parse_*.cpp, one subject a file; this header is private to them.
//
// Every parse_ function leaves the lexer after what it read and returns true, or records the first error and returns false.
#pragma once

#include "ptx/lexer.hpp"
#include "ptx/literal.hpp"
#include "ptx/scoped_names.hpp"

#include <optional>
#include <unordered_map>

namespace apod::ptx {

class Parser {
public:
    explicit Parser(Module& module) : module_(module), lexer_(module.text, module.lines_before) {}

    bool parse_module();
    [[nodiscard]] Diagnostic take_error() { return std::move(*error_); }

private:
    // Memory stays proportional to the text: what a few bytes could blow up is bounded.
    static constexpr std::uint32_t max_registers = 1u << 22;           // of a module
    static constexpr std::uint32_t max_scope_depth = 128;              // nested {} of a body
    static constexpr std::uint32_t max_expression_depth = 64;          // nested (), {} of operands and initialisers
    static constexpr std::uint64_t max_variable_bytes = 1ull << 47;    // what an address can reach
    static constexpr std::uint64_t max_initialiser_gaps = 64ull << 20; // zero bytes between nested braces, of a module

    struct Declaration { // what stands before the names of a declaration
        Variable variable;
        bool reg = false;
    };
    struct PendingName { // a label-like name, looked up at the end of the function
        Operand* operand = nullptr;
        std::uint32_t scope = 0;
    };
    struct LabelKey {
        std::string_view name;
        std::uint32_t scope = 0;
        bool operator==(const LabelKey&) const = default;
    };
    struct LabelHash {
        std::size_t operator()(const LabelKey& key) const { return std::hash<std::string_view>{}(key.name) * 31 + key.scope; }
    };
    struct LabelValue {
        enum class Kind : std::uint8_t { label, list, prototype } kind = Kind::label;
        std::uint32_t index = 0;
    };
    struct ModuleName {
        SymbolKind kind = SymbolKind::unresolved; // module_variable or function
        std::uint32_t index = 0;
    };
    struct PendingLocation { // a function_name, found in .debug_str at the end of the module
        std::uint32_t location = 0;
        std::string_view label; // empty: the section's start
        std::uint64_t offset = 0;
    };
    struct Alias {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
    };
    struct Extent {                         // an initialiser under construction
        std::vector<std::uint64_t> strides; // elements inside one item of each brace level
        std::uint64_t count = 0;            // elements so far: one past the last
        std::uint64_t bytes = 0;            // of an element
        std::uint64_t limit = 0;            // elements; 0: as many as there are
        TextPosition position;
    };

    // Errors and tokens.
    bool fail(TextPosition at, std::string message, std::string hint = {});
    bool unexpected(std::string_view wanted);
    [[nodiscard]] const Token& token() const { return lexer_.current(); }
    [[nodiscard]] TextPosition here() const { return token().position; }
    void next() { lexer_.advance(); }
    bool accept(char c);
    bool expect(char c, std::string_view where);
    bool expect_identifier(std::string_view& name, std::string_view what);
    bool expect_u32(std::uint32_t& value, std::string_view what);

    // parse_module.cpp
    bool parse_header();
    bool parse_version();
    bool parse_target();
    bool parse_module_item();
    bool parse_linkage(Linkage& linkage);
    bool parse_module_variables(Linkage linkage);
    bool add_module_variable(Variable&& variable);
    bool parse_pragma(std::vector<std::string_view>* into);
    bool parse_alias();
    void resolve_aliases();

    // parse_debug.cpp
    bool parse_file();
    bool parse_location();
    bool parse_inlining(SourceLocation& location);
    bool parse_section();
    bool parse_debug_strings();
    void resolve_location_names();

    // parse_variable.cpp
    static std::optional<Space> variable_space(std::string_view directive);
    bool parse_declaration(Declaration& declaration); // from after the space up to the first name
    bool parse_attribute(Variable& variable);
    bool parse_pointer(Variable& variable);
    bool parse_variable(const Declaration& declaration, Variable& variable); // name, dimensions, initialiser
    bool parse_dimensions(Variable& variable, std::vector<std::uint64_t>& dimensions);
    bool parse_registers();
    bool declare_registers(std::string_view name, TextPosition at, Type type, std::uint32_t vector, std::optional<std::uint64_t> count);

    // parse_initialiser.cpp
    bool parse_initialiser(Variable& variable, const std::vector<std::uint64_t>& dimensions);
    bool parse_initialiser_list(Variable& variable, Extent& extent, std::size_t level, std::uint64_t base);
    bool parse_element(Variable& variable, Extent& extent, std::uint64_t at);
    bool parse_relocation(Variable& variable, Extent& extent, std::uint64_t at);
    bool parse_relocated_symbol(Relocation& relocation);
    bool parse_addend(Relocation& relocation);
    bool write_element(Variable& variable, Extent& extent, std::uint64_t at, const Constant& value);
    bool reserve_element(Variable& variable, Extent& extent, std::uint64_t at);

    // parse_constant.cpp
    bool parse_constant(Constant& value); // a whole constant expression
    bool parse_conditional(Constant& value, std::uint32_t depth);
    bool parse_binary(Constant& value, int weakest, std::uint32_t depth);
    bool parse_unary(Constant& value, std::uint32_t depth);
    bool parse_primary(Constant& value, std::uint32_t depth);
    bool parse_cast(Constant& value, std::uint32_t depth);
    bool combine(Constant& left, const Constant& right, std::string_view op, TextPosition at);
    bool parse_count(std::uint64_t& value, std::string_view what); // a constant that is not negative

    // parse_function.cpp
    bool parse_function(Linkage linkage, bool entry);
    bool parse_parameters(std::vector<Variable>& parameters);
    bool parse_parameter(std::vector<Variable>& parameters);
    bool parse_function_directives(Function& function);
    bool parse_tuning(Function& function, std::string_view directive);
    bool parse_up_to_three(std::uint32_t (&values)[3]);
    bool reserve_function(const Function& header, std::uint32_t& index);
    bool declare_parameters(const std::vector<Variable>& parameters, Binding::Kind kind);
    bool parse_body(Function& function);
    bool open_scope();
    bool parse_statement();
    bool parse_body_directive();
    bool parse_function_variables(Space space);
    bool parse_label(std::string_view name, TextPosition at);
    bool parse_label_list(std::string_view name);
    bool parse_prototype(std::string_view name);
    bool declare_label(std::string_view name, TextPosition at, LabelValue value);
    bool resolve_pending();
    bool resolve_pending(PendingName& pending);

    // parse_instruction.cpp
    bool parse_guarded();
    bool parse_instruction(Guard guard, std::string_view opcode, TextPosition at);
    bool parse_modifiers();
    bool parse_operands();
    bool parse_operand(Operand& operand, std::uint32_t depth);
    bool parse_single(Operand& operand, std::uint32_t depth);
    bool parse_negated(Operand& operand);
    bool parse_group(Operand& operand, OperandKind kind, char close, std::uint32_t depth);
    bool parse_address(Operand& operand, std::uint32_t depth);
    bool parse_offset(std::int64_t& offset);
    bool parse_number(Operand& operand);
    bool parse_name(Operand& operand);
    bool parse_bound_name(Operand& operand, const Binding& binding);
    bool parse_register_suffix(Operand& operand);
    bool parse_special(Operand& operand);
    bool parse_symbol_suffix(Operand& operand);
    [[nodiscard]] std::uint64_t element_bytes(const Operand& symbol) const;
    void note_pending(std::vector<Operand>& operands);

    Module& module_;
    Lexer lexer_;
    std::optional<Diagnostic> error_;

    std::unordered_map<std::string_view, ModuleName> module_names_;
    std::unordered_map<std::string_view, std::uint64_t> debug_labels_; // offset in debug_strings_
    std::string debug_strings_;
    std::vector<PendingLocation> pending_locations_;
    std::vector<Alias> aliases_;
    std::uint32_t registers_ = 0;         // of the module so far
    std::uint64_t initialiser_bytes_ = 0; // of the module so far

    // Of the function being read.
    Function* function_ = nullptr;
    ScopedNames names_;
    std::vector<std::uint32_t> scope_parents_;
    std::uint32_t scope_ = none;
    std::unordered_map<LabelKey, LabelValue, LabelHash> labels_;
    std::vector<PendingName> pending_;
    std::uint32_t location_ = none;

    // Of the instruction being read.
    std::string_view opcode_;
    std::vector<Operand> operands_;
    std::vector<std::string_view> modifiers_;
    bool has_pending_ = false;
};

} // namespace apod::ptx

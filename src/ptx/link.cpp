#include "ptx/link.hpp"

#include "ptx/parse_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace apod::ptx {
namespace {

using Unit = std::shared_ptr<Module>;

// A variable or function of a unit.
struct Place {
    std::uint32_t unit = 0;
    std::uint32_t index = 0;
    bool function = false;
};

// How much a definition counts; a reference does not define.
enum class Strength : std::uint8_t { reference, common, weak, strong };

struct Symbol {
    Place place; // of the definition, or of the first reference
    Strength strength = Strength::reference;
};

class Linker {
public:
    explicit Linker(std::vector<Unit> units) : units_(std::move(units)), linked_(std::make_shared<Module>()) {}

    Result<std::shared_ptr<const Module>> link();

private:
    [[nodiscard]] const Function& function(const Place& place) const { return units_[place.unit]->functions[place.index]; }
    [[nodiscard]] const Variable& variable(const Place& place) const { return units_[place.unit]->variables[place.index]; }
    [[nodiscard]] std::string_view name(const Place& place) const;
    [[nodiscard]] std::string where(const Place& place) const;
    [[nodiscard]] SourcePosition position(const Place& place) const;
    [[nodiscard]] bool is_private(const Place& place) const;
    [[nodiscard]] Strength strength(const Place& place) const;
    [[nodiscard]] std::string misfit(const Place& one, const Place& other) const;
    template<class Body> Result<void> each_place(const Body& body) const;

    Result<void> check_headers();
    Result<void> enter(const Place& place);
    [[nodiscard]] Result<void> check_fit(const Place& place) const;
    void number_symbols();
    void append_header(Module& unit);
    void append_debug(std::uint32_t number, Module& unit);
    void append_symbols();
    std::string_view own_name(const Place& place, std::string_view wanted);
    void redirect(std::uint32_t unit, Operand& operand) const;
    void redirect(std::uint32_t unit, Function& function) const;
    void redirect(std::uint32_t unit, Variable& variable) const;

    std::vector<Unit> units_;
    std::shared_ptr<Module> linked_;
    std::unordered_map<std::string_view, Symbol> symbols_;
    std::unordered_map<std::string_view, std::uint32_t> taken_; // names of the result: how many renamed ones began with it
    std::vector<Place> kept_;                                   // in the result's order
    std::vector<std::vector<std::uint32_t>> functions_;         // by unit and index: index in the result
    std::vector<std::vector<std::uint32_t>> variables_;
    std::vector<std::unordered_map<std::string_view, std::string_view>> renamed_; // by unit
};

std::uint64_t bytes_of(const std::vector<Variable>& parameters) {
    std::uint64_t bytes = 0;
    for (const Variable& parameter : parameters) bytes += parameter.size_bytes();
    return bytes;
}

std::string_view Linker::name(const Place& place) const { return place.function ? function(place).name : variable(place).name; }

SourcePosition Linker::position(const Place& place) const {
    return units_[place.unit]->position(place.function ? function(place).position : variable(place).position);
}

std::string Linker::where(const Place& place) const {
    const SourcePosition at = position(place);
    return fmt::format("{}:{}:{}", at.file, at.line, at.column);
}

// What other units cannot mean by its name.
bool Linker::is_private(const Place& place) const {
    if (!place.function) return variable(place).linkage == Linkage::internal;
    const Function& code = function(place);
    return code.linkage == Linkage::internal && code.has_body && !code.is_entry;
}

Strength Linker::strength(const Place& place) const {
    if (place.function && !function(place).has_body) return Strength::reference;
    switch (place.function ? function(place).linkage : variable(place).linkage) {
    case Linkage::external: return place.function ? Strength::strong : Strength::reference;
    case Linkage::common: return Strength::common;
    case Linkage::weak: return Strength::weak;
    default: return Strength::strong;
    }
}

// Why two of one name cannot be the same thing; empty when they can.
std::string Linker::misfit(const Place& one, const Place& other) const {
    if (one.function != other.function) return "a function here and a variable there";
    if (one.function) {
        const Function& a = function(one);
        const Function& b = function(other);
        if (a.is_entry != b.is_entry) return "a kernel here and a function there";
        if (a.parameters.size() != b.parameters.size() || bytes_of(a.parameters) != bytes_of(b.parameters)) return "its parameters differ";
        return bytes_of(a.returns) != bytes_of(b.returns) ? "what it returns differs" : "";
    }
    const Variable& a = variable(one);
    const Variable& b = variable(other);
    if (a.space != b.space) return fmt::format(".{} here and .{} there", space_name(a.space), space_name(b.space));
    const bool sized = !a.unsized_array && !b.unsized_array && a.linkage != Linkage::common && b.linkage != Linkage::common;
    if (sized && a.size_bytes() != b.size_bytes()) return fmt::format("{} bytes here and {} there", a.size_bytes(), b.size_bytes());
    return {};
}

template<class Body> Result<void> Linker::each_place(const Body& body) const {
    for (std::uint32_t unit = 0; unit < units_.size(); ++unit) {
        for (std::uint32_t v = 0; v < units_[unit]->variables.size(); ++v)
            if (Result<void> done = body(Place{unit, v, false}); !done) return done;
        for (std::uint32_t f = 0; f < units_[unit]->functions.size(); ++f)
            if (Result<void> done = body(Place{unit, f, true}); !done) return done;
    }
    return {};
}

Result<void> Linker::check_headers() {
    for (const Unit& unit : units_)
        if (unit->address_size != units_[0]->address_size)
            return bad_input({unit->file, 0, 0}, fmt::format("it has addresses of {} bits, and {} has {}", unit->address_size,
                                                             units_[0]->file, units_[0]->address_size));
    return {};
}

Result<void> Linker::enter(const Place& place) {
    if (is_private(place)) return {};
    const Strength strong = strength(place);
    const auto [entry, fresh] = symbols_.try_emplace(name(place), Symbol{place, strong});
    if (fresh) return {};
    Symbol& symbol = entry->second;
    if (strong == Strength::strong && symbol.strength == Strength::strong)
        return bad_input(position(place), fmt::format("'{}' is defined twice: here and at {}", name(place), where(symbol.place)),
                         "make one of them static, or inline if it is the same code");
    const bool larger = strong == Strength::common && symbol.strength == Strength::common && !place.function &&
                        variable(place).size_bytes() > variable(symbol.place).size_bytes();
    if (strong > symbol.strength || larger) symbol = {place, strong};
    return {};
}

Result<void> Linker::check_fit(const Place& place) const {
    if (is_private(place)) return {};
    const Symbol& symbol = symbols_.at(name(place));
    if (const std::string why = misfit(place, symbol.place); !why.empty())
        return bad_input(position(place), fmt::format("'{}' does not fit what is at {}: {}", name(place), where(symbol.place), why),
                         "use the same declaration in both, best from one header");
    return {};
}

// Every private symbol and every chosen one gets a place in the result; the others mean the chosen one.
void Linker::number_symbols() {
    for (const Unit& unit : units_) {
        functions_.emplace_back(unit->functions.size(), none);
        variables_.emplace_back(unit->variables.size(), none);
    }
    std::uint32_t counts[2] = {0, 0};
    const auto at = [this](const Place& place) -> std::uint32_t& {
        return (place.function ? functions_ : variables_)[place.unit][place.index];
    };
    const auto chosen = [this](const Place& place) { return is_private(place) ? place : symbols_.at(name(place)).place; };
    (void)each_place([&](const Place& place) {
        const Place meant = chosen(place);
        if (meant.unit != place.unit || meant.index != place.index || meant.function != place.function) return Result<void>{};
        at(place) = counts[place.function ? 1 : 0]++;
        kept_.push_back(place);
        return Result<void>{};
    });
    (void)each_place([&](const Place& place) {
        if (at(place) == none) at(place) = at(chosen(place));
        return Result<void>{};
    });
}

std::string_view Linker::own_name(const Place& place, std::string_view wanted) {
    if (!is_private(place)) return wanted;
    const auto [entry, fresh] = taken_.try_emplace(wanted, 0);
    if (fresh && !symbols_.contains(wanted)) return wanted;
    std::string name;
    do {
        name = fmt::format("{}${}", wanted, ++entry->second);
    } while (taken_.contains(name) || symbols_.contains(name));
    linked_->names.push_back(std::make_unique<std::string>(std::move(name)));
    const std::string_view own = *linked_->names.back();
    renamed_[place.unit].emplace(wanted, own);
    return own;
}

void Linker::append_header(Module& unit) {
    const bool newer = unit.version_major > linked_->version_major ||
                       (unit.version_major == linked_->version_major && unit.version_minor > linked_->version_minor);
    if (newer) {
        linked_->version_major = unit.version_major;
        linked_->version_minor = unit.version_minor;
    }
    const auto number = [](std::string_view target) { // "sm_90a" -> 90
        int value = 0;
        for (const char c : target)
            if (c >= '0' && c <= '9' && value < 100000) value = value * 10 + (c - '0');
        return value;
    };
    if (linked_->target.empty() || number(unit.target) > number(linked_->target)) {
        linked_->target = unit.target;
        linked_->target_options = unit.target_options;
    }
    linked_->address_size = unit.address_size;
}

// Files are numbered anew; 0 stays "none".
void Linker::append_debug(std::uint32_t number, Module& unit) {
    std::unordered_map<std::uint32_t, std::uint32_t> file_numbers{{0, 0}};
    for (File& file : unit.files) {
        const auto index = static_cast<std::uint32_t>(linked_->files.size() + 1);
        file_numbers.emplace(file.index, index);
        linked_->files.push_back({index, std::move(file.name)});
    }
    const auto first = static_cast<std::uint32_t>(linked_->locations.size());
    for (SourceLocation location : unit.locations) {
        location.file = file_numbers[location.file];
        location.inlined_file = file_numbers[location.inlined_file];
        linked_->locations.push_back(location);
    }
    for (Function& function : units_[number]->functions)
        for (Instruction& instruction : function.instructions)
            if (instruction.location != none) instruction.location += first;
}

void Linker::append_symbols() {
    for (const Place& place : kept_) {
        if (place.function)
            linked_->functions.push_back(std::move(units_[place.unit]->functions[place.index]));
        else
            linked_->variables.push_back(std::move(units_[place.unit]->variables[place.index]));
    }
}

void Linker::redirect(std::uint32_t unit, Operand& operand) const {
    if (operand.symbol == SymbolKind::function) operand.index = functions_[unit][operand.index];
    if (operand.symbol == SymbolKind::module_variable) operand.index = variables_[unit][operand.index];
    if (operand.symbol == SymbolKind::function || operand.symbol == SymbolKind::module_variable)
        if (const auto found = renamed_[unit].find(operand.name); found != renamed_[unit].end()) operand.name = found->second;
    for (Operand& child : operand.children) redirect(unit, child);
}

void Linker::redirect(std::uint32_t unit, Function& function) const {
    for (Instruction& instruction : function.instructions)
        for (Operand& operand : instruction.operands) redirect(unit, operand);
    for (LabelList& list : function.label_lists)
        for (Operand& target : list.targets) redirect(unit, target);
    for (Variable& variable : function.variables) redirect(unit, variable);
}

void Linker::redirect(std::uint32_t unit, Variable& variable) const {
    for (Relocation& relocation : variable.relocations)
        if (const auto found = renamed_[unit].find(relocation.symbol); found != renamed_[unit].end()) relocation.symbol = found->second;
}

Result<std::shared_ptr<const Module>> Linker::link() {
    if (const Result<void> done = check_headers(); !done) return done.error();
    if (const Result<void> done = each_place([this](const Place& place) { return enter(place); }); !done) return done.error();
    if (const Result<void> done = each_place([this](const Place& place) { return check_fit(place); }); !done) return done.error();
    number_symbols();
    renamed_.resize(units_.size());
    linked_->file = units_[0]->file;
    std::vector<std::pair<Place, std::string_view>> names; // all are chosen before one is changed: symbols_ is by name
    (void)each_place([&](const Place& place) {
        names.emplace_back(place, own_name(place, name(place)));
        return Result<void>{};
    });
    for (const auto& [place, own] : names)
        (place.function ? units_[place.unit]->functions[place.index].name : units_[place.unit]->variables[place.index].name) = own;
    for (std::uint32_t number = 0; number < units_.size(); ++number) {
        Module& unit = *units_[number];
        for (Function& function : unit.functions) redirect(number, function);
        for (Variable& variable : unit.variables) redirect(number, variable);
        append_header(unit);
        append_debug(number, unit);
        linked_->units.push_back(units_[number]);
    }
    append_symbols();
    return std::shared_ptr<const Module>{std::move(linked_)};
}

} // namespace

Result<std::shared_ptr<const Module>> link(std::vector<LinkUnit> units) {
    if (units.empty()) return bad_input({}, "nothing to link");
    if (units.size() == 1) return parse(std::move(units[0].text), std::move(units[0].file));
    std::vector<Unit> parsed;
    std::uint64_t lines = 0;
    for (LinkUnit& unit : units) {
        const auto lines_of_unit = static_cast<std::uint64_t>(std::count(unit.text.begin(), unit.text.end(), '\n')) + 1;
        if (lines + lines_of_unit >= none) return bad_input({unit.file, 0, 0}, "too many lines of PTX");
        Result<std::shared_ptr<Module>> module = parse_unit(std::move(unit.text), std::move(unit.file), static_cast<std::uint32_t>(lines));
        if (!module) return module.error();
        parsed.push_back(*std::move(module));
        lines += lines_of_unit;
    }
    return Linker(std::move(parsed)).link();
}

} // namespace apod::ptx

#include "emu/check/plan.hpp"

#include "emu/lower/layout.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace apod::emu {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;
using ptx::SymbolKind;
using Kind = PlanValue::Kind;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

ptx::Type last_type_of(const Instruction& instruction) {
    ptx::Type type = ptx::Type::none;
    for (const std::string_view modifier : instruction.modifiers)
        if (const auto named = ptx::type_from_name(modifier)) type = *named;
    return type;
}

bool is_integer(ptx::Type type) { return type != ptx::Type::none && !ptx::is_float(type) && type != ptx::Type::pred; }

class Builder {
public:
    Builder(const Program& program, const Allocations& allocations, std::uint32_t dynamic_shared) :
        program_(program), code_(*program.code), allocations_(allocations) {
        for (const FunctionCode& function : code_.functions) {
            functions_[function.function] = &function;
            order_.push_back(function.function);
        }
        if (auto layout = lay_out(program.image->module(), order_)) layout_ = std::move(*layout);
        add_shared_objects(dynamic_shared);
    }

    Plans build() {
        for (const FunctionCode& function : code_.functions) add_unwritten(function);
        plans_.ops.resize(code_.ops.size());
        for (std::uint32_t op = 0; op < code_.ops.size(); ++op) plan(op);
        for (const CodeBlock& block : code_.blocks) {
            group_loads(block);
            if (block.terminator == Terminator::warp_sync) plans_.ops[block.last].unguarded = true;
        }
        find_optimistic_loads();
        return std::move(plans_);
    }

private:
    void add_shared_objects(std::uint32_t dynamic) {
        for (const auto& [variable, offset] : layout_.offset) {
            if (variable->space != ptx::Space::shared) continue;
            const bool sized = !variable->unsized_array && variable->elements != 0;
            const std::uint64_t bytes = sized ? variable->size_bytes() : dynamic;
            objects_[variable] = object_flag | static_cast<ObjectId>(plans_.objects.size());
            plans_.objects.push_back({MemorySpace::shared, offset, offset + bytes,
                                      sized ? ptx::demangle(variable->name) : ptx::demangle(variable->name) + " (dynamic)"});
        }
    }

    // Registers that are live where the function begins: some path reads them before it writes them.
    void add_unwritten(const FunctionCode& function) {
        std::vector<std::uint32_t> units, predicates;
        std::vector<std::uint32_t> live;
        if (function.function == program_.function) {
            if (!program_.live.live_in.empty()) live = program_.live.live_in[0];
        } else if (auto flow = ptx::control_flow(program_.image->module(), *function.function)) {
            live = ptx::liveness(*function.function, *flow).live_in[0];
        }
        for (const std::uint32_t r : live) {
            const ptx::Register& reg = function.function->registers[r];
            const bool formal = std::any_of(function.function->parameters.begin(), function.function->parameters.end(),
                                            [&](const ptx::Variable& v) { return v.name == reg.name; });
            if (formal) continue;
            (reg.type == ptx::Type::pred ? predicates : units).push_back(value_of_register(function, r).at);
        }
        plans_.unwritten.push_back(std::move(units));
        plans_.unwritten_predicates.push_back(std::move(predicates));
    }

    static PlanValue value_of_register(const FunctionCode& function, std::uint32_t r) {
        const ptx::Type type = function.function->registers[r].type;
        const std::uint32_t slot = function.slots[r];
        if (type == ptx::Type::pred) return {Kind::predicate, false, slot};
        const std::uint32_t bits = ptx::type_bits(type);
        return {bits > 64 ? Kind::quad : bits > 32 ? Kind::wide : Kind::narrow, false, slot / slot32_bytes};
    }

    PlanValue value_of(const Operand& operand) {
        switch (operand.kind) {
        case OperandKind::reg: {
            PlanValue value = value_of_register(*function_, operand.index);
            value.negated = operand.negated;
            return value;
        }
        case OperandKind::symbol: return value_of_symbol(operand);
        case OperandKind::sink: return {Kind::nowhere, false, 0};
        case OperandKind::address: return operand.children.empty() ? PlanValue{} : value_of(operand.children[0]);
        default: return {};
        }
    }

    PlanValue value_of_symbol(const Operand& operand) {
        const ptx::Variable* variable = nullptr;
        if (operand.symbol == SymbolKind::module_variable) variable = &program_.image->module().variables[operand.index];
        if (operand.symbol == SymbolKind::function_variable) variable = &function_->function->variables[operand.index];
        if (variable == nullptr) return {};
        if (const auto shared = objects_.find(variable); shared != objects_.end()) return {Kind::object, false, shared->second};
        if (variable->space == ptx::Space::local) {
            const auto [place, fresh] = locals_.try_emplace(variable, static_cast<std::uint32_t>(plans_.locals.size()));
            if (fresh) plans_.locals.push_back({std::string(variable->name), layout_.offset.at(variable), variable->size_bytes()});
            return {Kind::frame_variable, false, place->second};
        }
        const DeviceAddress address = program_.image->address_of(variable->name);
        return address != 0 ? PlanValue{Kind::object, false, allocations_.pointed_at(address)} : PlanValue{};
    }

    void add_value(const Operand& operand) {
        if (is_one_of_lists(operand.kind)) {
            for (const Operand& child : operand.children) add_value(child);
            return;
        }
        plans_.values.push_back(value_of(operand));
    }
    static bool is_one_of_lists(OperandKind kind) {
        return kind == OperandKind::vector || kind == OperandKind::pair || kind == OperandKind::list;
    }

    void plan(std::uint32_t index) {
        const OpInfo& info = program_.ops[index];
        const Instruction& instruction = info.function->instructions[info.instruction];
        function_ = functions_.at(info.function);
        OpPlan& plan = plans_.ops[index];
        plan.original = code_.ops[index].body;
        plan.first = static_cast<std::uint32_t>(plans_.values.size());
        const bool writes = !instruction.operands.empty() && instruction.operands[0].kind != OperandKind::address &&
                            !is_one_of(instruction.opcode, {"st", "red", "bra", "brx", "call", "bar", "barrier", "stmatrix", "sust",
                                                            "sured", "stackrestore", "prefetch", "prefetchu", "cp", "nanosleep"});
        std::size_t at = 0;
        if (writes) add_value(instruction.operands[at++]);
        plan.results = static_cast<std::uint8_t>(plans_.values.size() - plan.first);
        for (; at < instruction.operands.size(); ++at)
            if (instruction.operands[at].kind != OperandKind::address) add_value(instruction.operands[at]);
        plan.sources = static_cast<std::uint8_t>(plans_.values.size() - plan.first - plan.results);
        for (const Operand& operand : instruction.operands)
            if (operand.kind == OperandKind::address) {
                plan.address = value_of(operand);
                break;
            }
        describe(instruction, info, plan);
    }

    void describe(const Instruction& instruction, const OpInfo& info, OpPlan& plan) {
        const std::string_view opcode = instruction.opcode;
        if (instruction.has("async") && is_one_of(opcode, {"st", "red"})) {
            plan.act = Act::unchecked;
            return;
        }
        if (is_one_of(opcode, {"ld", "ldu", "st"})) return describe_load_store(instruction, info, plan);
        if (is_one_of(opcode, {"atom", "red"})) return describe_atomic(instruction, info, plan);
        if (opcode == "cp") return describe_copy(instruction, info, plan);
        if (opcode == "mbarrier") return describe_mbarrier(instruction, plan);
        if (is_one_of(opcode, {"membar", "fence"})) {
            plan.act = Act::fence;
            const bool narrow = instruction.has("cta");
            plan.scope = narrow ? FenceScope::block : FenceScope::device;
            return;
        }
        if (opcode == "wmma" || opcode == "ldmatrix" || opcode == "stmatrix") return describe_matrix(instruction, plan);
        if (is_one_of(opcode, {"mma", "movmatrix", "tex", "tld4", "suld", "sust", "sured", "txq", "suq", "activemask", "elect", "alloca",
                               "stacksave", "stackrestore", "prefetch", "prefetchu", "mapa", "getctarank", "st.async"})) {
            plan.act = Act::unchecked;
            return;
        }
        plan.flow = flow_of(instruction, plan);
    }

    void describe_strength(const Instruction& instruction, OpPlan& plan) {
        plan.strong = instruction.has("volatile") || instruction.has("relaxed") || instruction.has("acquire") ||
                      instruction.has("release") || instruction.has("acq_rel") || instruction.has("mmio");
        plan.acquires = instruction.has("acquire") || instruction.has("acq_rel") || instruction.has("volatile"); // see docs/checks.md
        plan.releases = instruction.has("release") || instruction.has("acq_rel");
        plan.scope = instruction.has("cta") ? FenceScope::block : FenceScope::device;
    }

    static void set_space(const Instruction& instruction, OpPlan& plan) {
        plan.generic = true;
        for (const std::string_view modifier : instruction.modifiers) {
            const bool known = is_one_of(modifier, {"global", "shared", "shared::cta", "shared::cluster", "local", "const"});
            if (!known) continue;
            plan.generic = false;
            plan.space = modifier == "global"  ? MemorySpace::global
                         : modifier == "local" ? MemorySpace::local
                         : modifier == "const" ? MemorySpace::constant
                                               : MemorySpace::shared;
        }
    }

    void describe_load_store(const Instruction& instruction, const OpInfo& info, OpPlan& plan) {
        const bool load = instruction.opcode != "st";
        plan.arithmetic = false;
        describe_strength(instruction, plan);
        plan.elements = instruction.has("v2") ? 2 : instruction.has("v4") ? 4 : instruction.has("v8") ? 8 : 1;
        plan.bytes = info.bytes / std::max(plan.elements, 1u);
        if (instruction.has("param") || instruction.has("param::func") || instruction.has("param::entry")) {
            if (load && info.function->is_entry && !names_variable(instruction))
                plan.act = Act::parameter;
            else
                plan.act = names_register(instruction) ? Act::unchecked : load ? Act::frame_load : Act::frame_store;
            return;
        }
        set_space(instruction, plan);
        plan.act = load ? Act::load : Act::store;
    }

    // [variable of the function's frame]
    static bool names_variable(const Instruction& instruction) {
        for (const Operand& operand : instruction.operands)
            if (operand.kind == OperandKind::address && !operand.children.empty() && operand.children[0].kind == OperandKind::symbol)
                return operand.children[0].symbol == SymbolKind::function_variable;
        return false;
    }
    static bool names_register(const Instruction& instruction) {
        for (const Operand& operand : instruction.operands)
            if (operand.kind == OperandKind::address && !operand.children.empty()) return operand.children[0].kind == OperandKind::reg;
        return false;
    }

    void describe_atomic(const Instruction& instruction, const OpInfo& info, OpPlan& plan) {
        describe_strength(instruction, plan);
        plan.strong = true;
        plan.elements = instruction.has("v2") ? 2 : instruction.has("v4") ? 4 : instruction.has("v8") ? 8 : 1;
        plan.bytes = info.bytes / std::max(plan.elements, 1u);
        plan.has_result = plan.results != 0 && (code_.ops[index_of(plan)].flags & flag_no_result) == 0;
        set_space(instruction, plan);
        plan.act = plan.bytes != 0 ? Act::atomic : Act::unchecked;
    }
    [[nodiscard]] std::size_t index_of(const OpPlan& plan) const { return static_cast<std::size_t>(&plan - plans_.ops.data()); }

    void describe_copy(const Instruction& instruction, const OpInfo& info, OpPlan& plan) {
        plan.arithmetic = false;
        plan.bytes = info.bytes;
        if (instruction.has("mbarrier") && !instruction.has("bulk")) {
            plan.act = Act::async_arrive;
            plan.space = MemorySpace::shared;
            plan.bytes = 8;
        } else if (instruction.has("commit_group")) {
            plan.act = instruction.has("bulk") ? Act::unchecked : Act::async_commit;
        } else if (instruction.has("wait_all") || instruction.has("wait_group") || instruction.has("wait_group.read")) {
            plan.act = instruction.has("bulk") ? Act::unchecked : Act::async_wait;
            plan.wait_for = 0;
            if (instruction.has("wait_all"))
                plan.wait_for = -1;
            else if (!instruction.operands.empty())
                plan.wait_for = static_cast<std::int32_t>(instruction.operands[0].integer);
        } else if (instruction.has("bulk")) {
            const bool load = instruction.has("mbarrier::complete_tx::bytes");
            plan.act = instruction.has("tensor") || instruction.has("reduce") || instruction.has("multicast::cluster") ||
                               !instruction.has("global") || instruction.operands.size() < 3
                           ? Act::unchecked
                           : Act::bulk_copy;
            plan.is_store = !load;
            set_copy_sides(instruction, plan, load ? 0 : 1);
        } else {
            plan.act = Act::copy_async;
            set_copy_sides(instruction, plan, 0);
        }
    }
    void set_copy_sides(const Instruction& instruction, OpPlan& plan, std::size_t shared) {
        if (instruction.operands.size() < 2) return;
        plan.address = value_of(instruction.operands[shared]);
        plan.second_address = value_of(instruction.operands[1 - shared]);
    }

    void describe_mbarrier(const Instruction& instruction, OpPlan& plan) {
        plan.act = Act::mbarrier;
        plan.space = MemorySpace::shared;
        plan.bytes = 8;
        const std::string_view what = instruction.modifiers.empty() ? "" : instruction.modifiers[0];
        plan.is_store = what == "init" || what == "inval";
        plan.acquires = what == "test_wait" || what == "try_wait";
        plan.releases = what == "arrive" || what == "arrive_drop";
        if (what == "pending_count" || instruction.has("shared::cluster")) plan.act = Act::unchecked;
    }

    void describe_matrix(const Instruction& instruction, OpPlan& plan) {
        plan.act = Act::unchecked;
        plan.is_store = instruction.opcode == "stmatrix" || instruction.has("store");
        if (instruction.opcode != "wmma") {
            plan.act = Act::rows;
            plan.space = MemorySpace::shared;
            plan.bytes = 16;
        } else if (instruction.has("load") || instruction.has("store")) {
            plan.act = Act::tile;
            set_space(instruction, plan);
        }
    }

    Flow flow_of(const Instruction& instruction, OpPlan& plan) {
        const std::string_view opcode = instruction.opcode;
        const ptx::Type type = last_type_of(instruction);
        const bool integers = is_integer(type);
        plan.arithmetic = true;
        const auto copies = [&](Flow flow) {
            plan.arithmetic = false;
            return flow;
        };
        if (opcode == "mov" && plan.results > 1) return copies(Flow::split);
        if (opcode == "mov" && plan.sources > 1) return copies(Flow::join);
        if (opcode == "mov" || opcode == "cvta") return copies(Flow::copy);
        if (opcode == "cvt" && integers && all_integers(instruction)) return copies(Flow::copy);
        if (opcode == "selp") return copies(Flow::select);
        if (opcode == "shfl") return copies(Flow::shuffle);
        if (type == ptx::Type::pred && opcode == "and") return Flow::both;
        if (type == ptx::Type::pred && opcode == "or") return Flow::either;
        if (!integers || instruction.has("cc") || instruction.has("hi")) return Flow::other;
        if (opcode == "add") return Flow::add;
        if (opcode == "sub") return Flow::subtract;
        if (opcode == "mad") return Flow::multiply_add;
        if (is_one_of(opcode, {"and", "or", "xor", "lop3"})) return Flow::keep;
        return Flow::other;
    }
    static bool all_integers(const Instruction& instruction) {
        return std::none_of(instruction.modifiers.begin(), instruction.modifiers.end(), [](std::string_view modifier) {
            const auto type = ptx::type_from_name(modifier);
            return type && ptx::is_float(*type);
        });
    }

    // The operand in brackets; null: none.
    [[nodiscard]] const Operand* address_operand(std::uint32_t op) const {
        const OpInfo& info = program_.ops[op];
        for (const Operand& operand : info.function->instructions[info.instruction].operands)
            if (operand.kind == OperandKind::address && !operand.children.empty()) return &operand;
        return nullptr;
    }

    // The line of the kernel's own text, whatever was inlined there.
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> own_line(std::uint32_t op) const {
        const ptx::SourceLocation* source = program_.source(op);
        if (source == nullptr) return {0, 0};
        const std::vector<ptx::SourceLocation>& all = program_.image->module().locations;
        std::pair<std::uint32_t, std::uint32_t> line{source->file, source->line};
        for (const ptx::SourceLocation* at = source; source->inlined_line != 0;) {
            line = {source->inlined_file, source->inlined_line};
            const auto calls = [&](const ptx::SourceLocation& l) {
                return l.file == source->inlined_file && l.line == source->inlined_line && l.column == source->inlined_column;
            };
            while (at != all.data() && !calls(*at)) --at;
            if (!calls(*at) || at == source) break;
            source = at;
        }
        return line;
    }
    // old = *p; do { seen = old; old = atomicCAS(p, seen, ...); } while (old != seen); and: if (*p < v) atomicMax(p, v). What such a load
    // sees may be out of date, and does no harm.
    void find_optimistic_loads() {
        std::vector<std::pair<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>> confirming; // op, its line
        for (std::uint32_t op = 0; op < plans_.ops.size(); ++op) {
            const OpInfo& info = program_.ops[op];
            const Instruction& instruction = info.function->instructions[info.instruction];
            if (plans_.ops[op].act == Act::atomic && (instruction.has("cas") || instruction.has("min") || instruction.has("max")))
                confirming.emplace_back(op, own_line(op));
        }
        for (std::uint32_t op = 0; op < plans_.ops.size() && !confirming.empty(); ++op) {
            if (plans_.ops[op].act != Act::load) continue;
            const Operand* from = address_operand(op);
            const auto line = own_line(op);
            for (const auto& [atomic, its_line] : confirming) {
                const Operand* to = address_operand(atomic);
                const bool same = from != nullptr && to != nullptr && program_.ops[op].function == program_.ops[atomic].function &&
                                  from->children[0].kind == to->children[0].kind && from->children[0].index == to->children[0].index &&
                                  from->integer == to->integer;
                const bool one_line = line.second != 0 && line == its_line && plans_.ops[op].bytes == plans_.ops[atomic].bytes;
                if ((same || one_line) && op < atomic) plans_.ops[op].optimistic = true;
            }
        }
    }

    // Loads of one source line off one register: the members of a structure, some of them perhaps padding.
    void group_loads(const CodeBlock& block) {
        std::map<std::tuple<std::uint32_t, std::uint32_t, const ptx::Function*>, std::vector<std::uint32_t>> together;
        for (std::uint32_t op = block.first; op < block.last; ++op) {
            const OpPlan& plan = plans_.ops[op];
            const OpInfo& info = program_.ops[op];
            if (plan.act != Act::load || info.location == ptx::none) continue;
            for (const Operand& operand : info.function->instructions[info.instruction].operands)
                if (operand.kind == OperandKind::address && !operand.children.empty())
                    together[{info.location, operand.children[0].index, info.function}].push_back(op);
        }
        for (const auto& [key, ops] : together) {
            if (ops.size() < 2) continue;
            ++plans_.groups;
            for (const std::uint32_t op : ops) plans_.ops[op].group = plans_.groups;
            plans_.ops[ops.back()].group_ends = true;
        }
    }

    const Program& program_;
    const Code& code_;
    const Allocations& allocations_;
    const FunctionCode* function_ = nullptr;
    std::unordered_map<const ptx::Function*, const FunctionCode*> functions_;
    std::vector<const ptx::Function*> order_;
    Layout layout_;
    std::unordered_map<const ptx::Variable*, ObjectId> objects_;
    std::unordered_map<const ptx::Variable*, std::uint32_t> locals_;
    Plans plans_;
};

} // namespace

Plans make_plans(const Program& program, const Allocations& allocations, std::uint32_t dynamic_shared_bytes) {
    return Builder(program, allocations, dynamic_shared_bytes).build();
}

} // namespace apod::emu

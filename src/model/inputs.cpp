#include "model/inputs.hpp"

#include <algorithm>
#include <istream>
#include <ostream>
#include <sstream>

namespace apod::model {

namespace {

// The numbers of a launch in one order for writing and reading.
template<typename Facts, typename Visit> void each_number(Facts& facts, const Visit& visit) {
    for (auto* value :
         {&facts.grid.x, &facts.grid.y, &facts.grid.z, &facts.block.x, &facts.block.y, &facts.block.z, &facts.dynamic_shared_bytes,
          &facts.registers_per_thread, &facts.occupancy.blocks_per_sm, &facts.occupancy.warps_per_sm})
        visit(*value);
    for (auto* value : {&facts.atomics.turns, &facts.atomics.hottest_sector, &facts.atomics.hottest_chunk}) visit(*value);
    auto& cache = facts.cache;
    for (auto* value : {&cache.l2_read_sectors, &cache.l2_write_sectors, &cache.l2_write_lines, &cache.l2_read_lines,
                        &cache.dram_read_bytes, &cache.dram_written_back_bytes, &cache.dram_dirty_bytes, &cache.footprint_read_bytes,
                        &cache.footprint_write_bytes, &cache.footprint_bytes, &facts.scale, &facts.imbalance, &facts.longest_warp,
                        &cache.l2_copied_sectors, &cache.l2_merged_sectors, &facts.prints, &facts.print_lanes})
        visit(*value);
}

template<typename T, typename Visit> void each_traffic(T& t, const Visit& visit) {
    for (auto* value : {&t.requests, &t.lanes, &t.bytes, &t.sectors, &t.ideal_sectors, &t.lines, &t.random_lines, &t.wavefronts,
                        &t.ideal_wavefronts, &t.atomic_addresses, &t.atomic_max_lanes})
        visit(*value);
}

void write_kernel(std::ostream& out, const LaunchFacts& facts) {
    const emu::Program& program = facts.program;
    out << "kernel " << program.flow.blocks.size() << ' ' << program.ops.size() << ' ' << facts.machine->kernel.instructions.size() << '\n';
    for (const ptx::BasicBlock& block : program.flow.blocks) {
        out << block.loop_depth << ' ' << block.predecessors.size();
        for (const std::uint32_t from : block.predecessors) out << ' ' << from;
        out << '\n';
    }
    for (const emu::OpInfo& op : program.ops)
        out << static_cast<unsigned>(op.op_class) << ' ' << op.block << ' ' << op.function->instructions[op.instruction].name() << '\n';
    for (std::size_t i = 0; i < facts.machine->kernel.instructions.size(); ++i) {
        const sass::Instruction& s = facts.machine->kernel.instructions[i];
        const unsigned flags = (s.guarded ? 1u : 0u) | (s.only_divergent ? 2u : 0u) | (s.waits_for_block ? 4u : 0u);
        out << static_cast<unsigned>(s.unit) << ' ' << static_cast<unsigned>(s.access) << ' ' << static_cast<unsigned>(s.space) << ' '
            << static_cast<unsigned>(s.flow) << ' ' << flags << ' ' << unsigned{s.stall} << ' ' << unsigned{s.write_barrier} << ' '
            << unsigned{s.read_barrier} << ' ' << unsigned{s.wait_mask} << ' '
            << static_cast<std::int64_t>(static_cast<std::int32_t>(s.target)) << ' '
            << static_cast<std::int64_t>(static_cast<std::int32_t>(facts.machine->op[i])) << '\n';
    }
}

// Values of one op that are all zero are left out.
void write_launch(std::ostream& out, const LaunchFacts& facts) {
    out.precision(9);
    out << "launch";
    each_number(facts, [&out](const auto& value) { out << ' ' << value; });
    out << ' ' << facts.execution.warps_run << '\n';
    for (const emu::OpCount& count : facts.execution.counts) out << count.warps << ' ';
    out << '\n';
    for (std::size_t op = 0; op < facts.cache.ops.size(); ++op) {
        const OpCache& c = facts.cache.ops[op];
        if (c.load_sectors > 0 || c.l2_reads > 0)
            out << "cache " << op << ' ' << c.load_sectors << ' ' << c.l1_hits << ' ' << c.l2_hits << ' ' << c.l2_reads << ' ' << c.lines
                << ' ' << c.l2_lines << ' ' << c.dram_lines << ' ' << c.requests << ' ' << c.l2_requests << ' ' << c.dram_requests << '\n';
    }
    // Of warps as long as others nothing is needed.
    for (std::size_t op = 0; op < facts.longest_requests.size() && facts.longest_warp > 1.1; ++op)
        if (facts.longest_requests[op] > 0) out << "longest " << op << ' ' << facts.longest_requests[op] << '\n';
    for (std::size_t i = 0; i < facts.traffic.size(); ++i) {
        if (facts.traffic[i].requests == 0) continue;
        out << "traffic " << i << ' ' << static_cast<unsigned>(facts.traffic[i].kind) << ' ' << facts.traffic[i].lane_bytes;
        each_traffic(facts.traffic[i], [&out](const auto& value) { out << ' ' << value; });
        out << '\n';
        const auto& apart = facts.traffic[i].apart;
        if (std::none_of(apart.begin(), apart.end(), [](std::uint64_t count) { return count > 0; })) continue;
        out << "apart " << i;
        for (const std::uint64_t count : apart) out << ' ' << count;
        out << '\n';
    }
    out << "end\n";
}

Diagnostic broken(const std::string& what) {
    return bad_input({"inputs of launches", 0, 0}, what, "write them again with APOD_MODEL_INPUTS");
}

// Splits "ld.global.f32".
void set_name(ptx::Instruction& instruction, std::string_view name) {
    instruction.opcode = name.substr(0, name.find('.'));
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
        name.remove_prefix(dot + 1);
        instruction.modifiers.push_back(name.substr(0, name.find('.')));
    }
}

bool read_instruction(std::istream& in, sass::Instruction& s, std::uint32_t& op) {
    unsigned unit = 0;
    unsigned access = 0;
    unsigned space = 0;
    unsigned flow = 0;
    unsigned flags = 0;
    unsigned stall = 0;
    unsigned write = 0;
    unsigned read = 0;
    unsigned wait = 0;
    std::int64_t target = 0;
    std::int64_t from = 0;
    if (!(in >> unit >> access >> space >> flow >> flags >> stall >> write >> read >> wait >> target >> from)) return false;
    s.unit = static_cast<sass::Unit>(unit);
    s.access = static_cast<sass::Access>(access);
    s.space = static_cast<sass::Space>(space);
    s.flow = static_cast<sass::Flow>(flow);
    s.guarded = (flags & 1) != 0;
    s.only_divergent = (flags & 2) != 0;
    s.waits_for_block = (flags & 4) != 0;
    s.stall = static_cast<std::uint8_t>(stall);
    s.write_barrier = static_cast<std::uint8_t>(write);
    s.read_barrier = static_cast<std::uint8_t>(read);
    s.wait_mask = static_cast<std::uint8_t>(wait);
    s.target = static_cast<std::uint32_t>(target);
    op = static_cast<std::uint32_t>(from);
    return true;
}

// A program without operands, with the function that its ops belong to.
struct Skeleton {
    ptx::Function function;
    emu::Program program;
};

} // namespace

void write_inputs(std::ostream& out, const LaunchFacts& facts) {
    write_kernel(out, facts);
    write_launch(out, facts);
}

bool InputReader::read_kernel() {
    std::size_t blocks = 0;
    std::size_t ops = 0;
    std::size_t instructions = 0;
    constexpr std::size_t most = 1u << 20;
    if (!(in_ >> blocks >> ops >> instructions) || blocks > most || ops > most || instructions > most) return false;
    auto skeleton = std::make_shared<Skeleton>();
    skeleton->program.function = &skeleton->function;
    skeleton->program.flow.blocks.resize(blocks);
    for (ptx::BasicBlock& block : skeleton->program.flow.blocks) {
        std::size_t count = 0;
        in_ >> block.loop_depth >> count;
        for (std::size_t i = 0; in_ && i < count; ++i) in_ >> block.predecessors.emplace_back();
    }
    for (std::uint32_t op = 0; op < ops; ++op) {
        unsigned op_class = 0;
        emu::OpInfo& info = skeleton->program.ops.emplace_back();
        if (!(in_ >> op_class >> info.block >> texts_.emplace_back())) return false;
        info.op_class = static_cast<emu::OpClass>(op_class);
        info.function = &skeleton->function;
        info.instruction = op;
        set_name(skeleton->function.instructions.emplace_back(), texts_.back());
    }
    sass::Kernel kernel;
    std::vector<std::uint32_t> op_of(instructions, no_op);
    for (std::uint32_t& op : op_of)
        if (!read_instruction(in_, kernel.instructions.emplace_back(), op)) return false;
    program_ = {skeleton, &skeleton->program};
    machine_ = make_machine_code(std::move(kernel), std::move(op_of), *program_);
    return true;
}

Result<KeptLaunch> InputReader::read_launch() {
    auto execution = std::make_shared<emu::Execution>();
    KeptLaunch launch{std::make_unique<LaunchFacts>(LaunchFacts{*program_, gpu_, *execution, {}, {}}), program_, execution};
    LaunchFacts& facts = *launch.facts;
    facts.machine = machine_;
    each_number(facts, [this](auto& value) { in_ >> value; });
    in_ >> execution->warps_run;
    const std::size_t ops = program_->ops.size();
    execution->counts.resize(ops);
    for (emu::OpCount& count : execution->counts) in_ >> count.warps;
    facts.cache.ops.resize(std::max<std::size_t>(ops, 1));
    facts.traffic.resize(ops * space_count);
    std::string word;
    while (in_ >> word && word != "end") {
        std::size_t index = 0;
        in_ >> index;
        if (word == "cache" && index < facts.cache.ops.size()) {
            OpCache& c = facts.cache.ops[index];
            in_ >> c.load_sectors >> c.l1_hits >> c.l2_hits >> c.l2_reads >> c.lines >> c.l2_lines >> c.dram_lines >> c.requests >>
                c.l2_requests >> c.dram_requests;
        } else if (word == "traffic" && index < facts.traffic.size()) {
            unsigned kind = 0;
            in_ >> kind >> facts.traffic[index].lane_bytes;
            facts.traffic[index].kind = static_cast<emu::AccessKind>(kind);
            each_traffic(facts.traffic[index], [this](auto& value) { in_ >> value; });
        } else if (word == "longest" && index < ops) {
            facts.longest_requests.resize(ops);
            in_ >> facts.longest_requests[index];
        } else if (word == "apart" && index < facts.traffic.size()) {
            for (std::uint64_t& count : facts.traffic[index].apart) in_ >> count;
        } else {
            return broken("'" + word + "' is nothing that a launch has");
        }
    }
    if (!in_) return broken("a launch is cut off");
    return launch;
}

Result<KeptLaunch> InputReader::next() {
    std::string word;
    while (in_ >> word) {
        if (word == "launch" && program_) return read_launch();
        if (word != "kernel") return broken("'" + word + "' where a kernel or a launch should begin");
        if (!read_kernel()) return broken("a kernel is cut off");
    }
    return KeptLaunch{};
}

} // namespace apod::model

#include "model/launch_metrics.hpp"

#include "model/counters/operations.hpp"
#include "model/metric_registry.hpp"
#include "model/predict/memory_cost.hpp"
#include "model/sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

#include <fmt/format.h>

namespace apod::model {

namespace {

// The sums of one op, line or launch.
struct Sums {
    std::array<std::array<Traffic, 4>, space_count> by_kind; // [space][kind]
    std::uint64_t warps = 0;
    std::uint64_t threads = 0;
    std::uint64_t textures = 0;
    std::uint64_t float_double = 0;  // conversions, by threads
    std::uint64_t float_atomics = 0; // requests
    std::uint64_t followed_loads = 0;
    std::uint64_t reloads = 0;
    double load_hits = 0;
    std::array<double, purpose_count> issued{};
    std::array<double, wait_kinds> waits{};
    std::array<double, operation_kinds> operations{};
    std::array<bool, operation_kinds> expanded{}; // some of them are what ptxas writes for a division or a function

    Traffic& at(emu::MemorySpace space, emu::AccessKind kind) {
        return by_kind[static_cast<std::size_t>(space)][static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] const Traffic& at(emu::MemorySpace space, emu::AccessKind kind) const {
        return by_kind[static_cast<std::size_t>(space)][static_cast<std::size_t>(kind)];
    }
};

bool reads_texture(const emu::OpInfo& op) {
    const std::string_view opcode = op.function->instructions[op.instruction].opcode;
    return op.op_class == emu::OpClass::texture && (opcode == "tex" || opcode == "tld4");
}

const ptx::Instruction& instruction_of(const emu::OpInfo& op) { return op.function->instructions[op.instruction]; }

bool converts_float_and_double(const emu::OpInfo& op) {
    const ptx::Instruction& instruction = instruction_of(op);
    return instruction.opcode == "cvt" && instruction.has("f32") && instruction.has("f64");
}

bool is_float_atomic(const emu::OpInfo& op) {
    const bool atomic = op.op_class == emu::OpClass::atomic_global || op.op_class == emu::OpClass::atomic_shared ||
                        op.op_class == emu::OpClass::atomic_generic;
    return atomic && works_on_floats(instruction_of(op));
}

// What another thread may have written meanwhile is meant to be loaded again.
bool waits_for_others(const emu::OpInfo& op) {
    const ptx::Instruction& instruction = instruction_of(op);
    return instruction.has("volatile") || instruction.has("relaxed") || instruction.has("acquire");
}

void add_costs(Sums& sums, const OpCosts& costs, std::uint32_t op, emu::OpClass op_class) {
    if (op < costs.issued.size()) sums.issued[static_cast<std::size_t>(purpose_of(op_class))] += costs.issued[op];
    const std::optional<WaitKind> kind = wait_kind_of(op_class);
    if (kind && op < costs.waits.size()) sums.waits[static_cast<std::size_t>(*kind)] += costs.waits[op];
}

void add_op(Sums& sums, const LaunchFacts& facts, const OpCosts& costs, std::uint32_t op) {
    add_costs(sums, costs, op, facts.program.ops[op].op_class);
    for (std::uint32_t space = 0; space < space_count; ++space) {
        const Traffic& traffic = facts.of(op, static_cast<emu::MemorySpace>(space));
        sums.at(static_cast<emu::MemorySpace>(space), traffic.kind) += traffic;
    }
    sums.warps += facts.execution.counts[op].warps;
    sums.threads += facts.execution.counts[op].threads;
    for (const OperationCount& count : operations_of(facts.program.ops[op])) {
        const emu::OpCount& ran = facts.execution.counts[op];
        const auto kind = static_cast<std::size_t>(count.operation);
        sums.operations[kind] += count.each * static_cast<double>(count.of_warp ? ran.warps : ran.threads);
        if (ran.warps > 0 && count.expanded) sums.expanded[kind] = true;
    }
    if (is_float_atomic(facts.program.ops[op])) sums.float_atomics += facts.execution.counts[op].warps;
    if (converts_float_and_double(facts.program.ops[op])) sums.float_double += facts.execution.counts[op].threads;
    if (const Traffic& global = facts.of(op, emu::MemorySpace::global);
        global.followed_loads > 0 && !waits_for_others(facts.program.ops[op])) {
        sums.followed_loads += global.followed_loads;
        sums.reloads += global.reloads;
    }
    if (reads_texture(facts.program.ops[op])) sums.textures += facts.execution.counts[op].warps;
    if (op < facts.cache.ops.size()) sums.load_hits += facts.cache.ops[op].l1_hits;
}

class MapWriter {
public:
    // `error`: of everything that is scaled (LaunchFacts::blocks_error).
    MapWriter(MetricMap& map, double scale, double error) : map_(map), scale_(scale), error_(error) {}

    void set(std::string_view name, double value, Source source = Source::counted, double own_error = 0) {
        const double noise = both(error_, own_error);
        map_[std::string(name)] = {std::round(value * scale_), source, noise > 0 && value > 0 ? std::optional(noise) : std::nullopt};
    }

private:
    MetricMap& map_;
    double scale_;
    double error_;
};

double conflicts(const Traffic& traffic) {
    return traffic.wavefronts > traffic.ideal_wavefronts ? static_cast<double>(traffic.wavefronts - traffic.ideal_wavefronts) : 0.0;
}

void write_global(MapWriter& out, const Sums& sums, double hits_error) {
    using enum emu::AccessKind;
    const auto global = emu::MemorySpace::global;
    const Traffic& loads = sums.at(global, load);
    const Traffic& stores = sums.at(global, store);
    const Traffic& atomics = sums.at(global, atomic);
    const Traffic& reductions = sums.at(global, reduction);
    out.set(metric::global_load_requests, static_cast<double>(loads.requests));
    out.set(metric::global_store_requests, static_cast<double>(stores.requests));
    out.set(metric::global_load_sectors, static_cast<double>(loads.sectors));
    out.set(metric::global_store_sectors, static_cast<double>(stores.sectors));
    out.set(metric::global_load_bytes, static_cast<double>(loads.bytes));
    out.set(metric::global_store_bytes, static_cast<double>(stores.bytes));
    out.set(metric::global_load_wavefronts, static_cast<double>(loads.wavefronts));
    out.set(metric::global_store_wavefronts, static_cast<double>(stores.wavefronts));
    out.set(metric::ideal_load_sectors, static_cast<double>(loads.ideal_sectors));
    out.set(metric::ideal_store_sectors, static_cast<double>(stores.ideal_sectors));
    out.set(metric::global_load_hits, sums.load_hits, Source::predicted, hits_error);
    out.set(metric::global_atomic_requests, static_cast<double>(atomics.requests));
    out.set(metric::global_atomic_sectors, static_cast<double>(atomics.sectors));
    out.set(metric::global_reduction_requests, static_cast<double>(reductions.requests));
    out.set(metric::global_reduction_sectors, static_cast<double>(reductions.sectors));
    const Traffic& shared_atomics = sums.at(emu::MemorySpace::shared, atomic);
    const Traffic& shared_reductions = sums.at(emu::MemorySpace::shared, reduction);
    out.set(metric::atomic_lanes, static_cast<double>(atomics.lanes + reductions.lanes + shared_atomics.lanes + shared_reductions.lanes));
    out.set(metric::atomic_addresses, static_cast<double>(atomics.atomic_addresses + reductions.atomic_addresses +
                                                          shared_atomics.atomic_addresses + shared_reductions.atomic_addresses));
    out.set(metric::global_atomic_turns, static_cast<double>(atomics.atomic_max_lanes + reductions.atomic_max_lanes));
    out.set(metric::shared_atomic_turns, static_cast<double>(shared_atomics.atomic_max_lanes + shared_reductions.atomic_max_lanes));
}

// Absent where there is none.
void write_costs(MapWriter& out, const Sums& sums) {
    static constexpr std::array<std::string_view, purpose_count> purposes = {
        metric::issued_memory,     metric::issued_arithmetic, metric::issued_integer, metric::issued_division,
        metric::issued_conversion, metric::issued_control,    std::string_view()};
    static constexpr std::array<std::string_view, wait_kinds> kinds = {metric::wait_memory, metric::wait_shared, metric::wait_atomics,
                                                                       metric::wait_barriers, metric::wait_special};
    double all = 0;
    for (std::size_t purpose = 0; purpose < purpose_count; ++purpose) {
        all += sums.issued[purpose];
        if (sums.issued[purpose] > 0 && !purposes[purpose].empty()) out.set(purposes[purpose], sums.issued[purpose], Source::predicted);
    }
    if (all > 0) out.set(metric::issued, all, Source::predicted);
    for (std::size_t kind = 0; kind < wait_kinds; ++kind)
        if (sums.waits[kind] > 0) out.set(kinds[kind], sums.waits[kind], Source::predicted);
}

void write_shared_and_local(MapWriter& out, const Sums& sums) {
    using enum emu::AccessKind;
    const auto shared = emu::MemorySpace::shared;
    const auto local = emu::MemorySpace::local;
    const Traffic& loads = sums.at(shared, load);
    const Traffic& stores = sums.at(shared, store);
    Traffic atomics = sums.at(shared, atomic);
    atomics += sums.at(shared, reduction);
    out.set(metric::shared_load_requests, static_cast<double>(loads.requests));
    out.set(metric::shared_store_requests, static_cast<double>(stores.requests));
    out.set(metric::shared_atomic_requests, static_cast<double>(atomics.requests));
    out.set(metric::shared_wavefronts, static_cast<double>(loads.wavefronts + stores.wavefronts + atomics.wavefronts));
    out.set(metric::shared_load_wavefronts, static_cast<double>(loads.wavefronts));
    out.set(metric::shared_store_wavefronts, static_cast<double>(stores.wavefronts));
    out.set(metric::shared_load_conflicts, conflicts(loads));
    out.set(metric::shared_store_conflicts, conflicts(stores));
    out.set(metric::shared_atomic_conflicts, conflicts(atomics));
    out.set(metric::local_load_requests, static_cast<double>(sums.at(local, load).requests));
    out.set(metric::local_store_requests, static_cast<double>(sums.at(local, store).requests));
    out.set(metric::local_load_sectors, static_cast<double>(sums.at(local, load).sectors));
    out.set(metric::local_store_sectors, static_cast<double>(sums.at(local, store).sectors));
}

MetricMap to_metrics(const Sums& sums, const LaunchFacts& facts) {
    MetricMap map;
    MapWriter out(map, facts.scale, facts.blocks_error);
    write_global(out, sums, facts.cache.errors.l1_hits);
    write_shared_and_local(out, sums);
    write_costs(out, sums);
    out.set(metric::warp_instructions, static_cast<double>(sums.warps));
    out.set(metric::thread_instructions, static_cast<double>(sums.threads));
    for (std::size_t kind = 0; kind < operation_kinds; ++kind)
        if (sums.operations[kind] > 0)
            out.set(metric_of(static_cast<Operation>(kind)), sums.operations[kind],
                    sums.expanded[kind] ? Source::predicted : Source::counted);
    if (sums.float_double != 0) out.set(metric::float_double_conversions, static_cast<double>(sums.float_double));
    if (sums.float_atomics != 0) out.set(metric::float_atomics, static_cast<double>(sums.float_atomics));
    if (sums.reloads != 0) {
        out.set(metric::followed_loads, static_cast<double>(sums.followed_loads));
        out.set(metric::followed_reloads, static_cast<double>(sums.reloads));
    }
    if (sums.textures != 0) out.set(metric::texture_instructions, static_cast<double>(sums.textures));
    return map;
}

// Dirty data that still fits in L2 when the launch ends is not written to DRAM by it. `dirty` and `footprint` are those of the whole grid.
double dram_write_bytes(const LaunchFacts& facts) {
    const double dirty = (facts.cache.dram_written_back_bytes + facts.cache.dram_dirty_bytes) * facts.scale;
    if (facts.scale == 1) return facts.cache.dram_written_back_bytes;
    const double footprint = facts.cache.footprint_bytes * facts.scale;
    if (footprint <= 0) return 0;
    const double stays = std::min(1.0, usable_l2_bytes(facts.gpu) / footprint) * facts.cache.footprint_write_bytes * facts.scale;
    return std::max(0.0, dirty - stays);
}

// Sectors of atomics, which the simulation of caches reads and writes: the counters of reads and writes have none of them (op_atom and
// op_red are others).
double atomic_sectors(const LaunchFacts& facts) {
    double sum = 0;
    for (std::uint32_t op = 0; op < std::min(facts.cache.ops.size(), facts.program.ops.size()); ++op) {
        const emu::AccessKind kind = facts.of(op, emu::MemorySpace::global).kind;
        if (kind == emu::AccessKind::atomic || kind == emu::AccessKind::reduction) sum += facts.cache.ops[op].l2_reads;
    }
    return sum;
}

using LineKey = std::tuple<std::string_view, std::uint32_t, std::string>; // file, line, call site

LineKey key_of(const ptx::Module& module, const ptx::SourceLocation& location) {
    std::string call_site;
    if (location.inlined_line != 0) call_site = fmt::format("{}:{}", module.file_name(location.inlined_file), location.inlined_line);
    return {module.file_name(location.file), location.line, std::move(call_site)};
}

} // namespace

MetricMap launch_metrics(const LaunchFacts& facts, const OpCosts& costs) {
    Sums sums;
    for (std::uint32_t op = 0; op < facts.program.ops.size(); ++op) add_op(sums, facts, costs, op);
    if (!costs.issued.empty()) sums.issued[static_cast<std::size_t>(Purpose::other)] += costs.issued.back();
    MetricMap map = to_metrics(sums, facts);
    MapWriter out(map, facts.scale, facts.blocks_error);
    out.set(metric::barriers, static_cast<double>(facts.execution.barriers));
    const double atomics = atomic_sectors(facts);
    const CacheErrors& errors = facts.cache.errors;
    const double read =
        std::max(0.0, facts.cache.l2_read_sectors - atomics - facts.gpu.model.l2_merged_share * facts.cache.l2_merged_sectors);
    const double written = std::max(0.0, facts.cache.l2_write_sectors - atomics);
    out.set(metric::l2_sm_read_sectors, read, Source::predicted, errors.l2_reads);
    out.set(metric::l2_sm_write_sectors, written, Source::predicted, errors.l2_writes);
    out.set(metric::l2_read_sectors, read + facts.cache.l2_copied_sectors, Source::predicted, errors.l2_reads);
    out.set(metric::l2_write_sectors, written * l2_passages(facts.gpu), Source::predicted, errors.l2_writes);
    out.set(metric::dram_read_bytes, facts.cache.dram_read_bytes, Source::predicted, errors.dram_reads);
    out.set(metric::footprint_read_bytes, facts.cache.footprint_read_bytes);
    out.set(metric::footprint_write_bytes, facts.cache.footprint_write_bytes);
    MapWriter unscaled(map, 1, 0);
    unscaled.set(metric::dram_write_bytes, dram_write_bytes(facts), Source::predicted, both(facts.blocks_error, errors.dram_writes));
    unscaled.set(metric::grid_size, static_cast<double>(facts.grid.count()));
    unscaled.set(metric::block_size, static_cast<double>(facts.block.count()));
    recompute_ratios(map);
    return map;
}

std::vector<LineRecord> line_records(const LaunchFacts& facts, const OpCosts& costs) {
    std::map<LineKey, Sums> by_line;
    const ptx::Module& module = facts.program.image->module();
    for (std::uint32_t op = 0; op < facts.program.ops.size(); ++op) {
        const ptx::SourceLocation* location = facts.program.source(op);
        if (location == nullptr || location->line == 0 || facts.execution.counts[op].warps == 0) continue;
        add_op(by_line[key_of(module, *location)], facts, costs, op);
    }
    std::vector<LineRecord> records;
    for (const auto& [key, sums] : by_line) {
        LineRecord record;
        record.file = std::get<0>(key);
        record.line = std::get<1>(key);
        record.inlined_at = std::get<2>(key);
        record.metrics = to_metrics(sums, facts);
        std::erase_if(record.metrics, [](const auto& entry) { return entry.second.value == 0; });
        recompute_ratios(record.metrics);
        records.push_back(std::move(record));
    }
    return records;
}

} // namespace apod::model

// Counters: from the sinks of one launch to its record.
#include "model/counters/worker_sink.hpp"
#include "model/facts.hpp"
#include "model/floor.hpp"
#include "model/inputs.hpp"
#include "model/launch_metrics.hpp"
#include "model/likely_error.hpp"
#include "model/machine/machine_work.hpp"
#include "model/metric_registry.hpp"
#include "model/model.hpp"
#include "model/predict/op_costs.hpp"
#include "model/predict/predict.hpp"
#include "model/registers.hpp"
#include "model/roofline.hpp"
#include "ptx/module.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace apod::model {

struct Counters::State {
    const emu::Program& program;
    const arch::Gpu& gpu;
    Dim3 grid;
    Dim3 block;
    std::uint32_t dynamic_shared_bytes = 0;
    std::vector<std::unique_ptr<WorkerSink>> sinks; // by worker

    [[nodiscard]] LaunchFacts facts(const emu::Execution& execution, const arch::Gpu& on, const LaunchShape& shape,
                                    std::optional<std::uint32_t> most_registers) const;
};

Counters::Counters(const emu::Program& program, const arch::Gpu& gpu, const emu::LaunchConfig& config) :
    state_(new State{program, gpu, config.grid, config.block, config.dynamic_shared_bytes, {}}) {}

Counters::~Counters() = default;

emu::SinkFactory Counters::sinks() {
    return [state = state_.get()](unsigned worker) -> emu::EventSink* {
        if (state->sinks.size() <= worker) state->sinks.resize(worker + 1);
        if (!state->sinks[worker]) state->sinks[worker] = std::make_unique<WorkerSink>(state->program.ops.size());
        return state->sinks[worker].get();
    };
}

namespace {

std::vector<Traffic> merged_traffic(const std::vector<std::unique_ptr<WorkerSink>>& sinks, std::size_t ops) {
    std::vector<Traffic> total(ops * space_count);
    for (const auto& sink : sinks) {
        if (!sink) continue;
        for (std::size_t i = 0; i < total.size(); ++i) total[i] += sink->traffic()[i];
    }
    return total;
}

AtomicDemand merged_atomics(const std::vector<std::unique_ptr<WorkerSink>>& sinks) {
    AtomicLoad load;
    for (const auto& sink : sinks)
        if (sink) load += sink->atomics();
    return load.demand();
}

std::vector<BlockWork> merged_work(const std::vector<std::unique_ptr<WorkerSink>>& sinks) {
    std::vector<BlockWork> work;
    for (const auto& sink : sinks)
        if (sink) work.insert(work.end(), sink->work().begin(), sink->work().end());
    return work;
}

std::vector<std::uint32_t> merged_longest(const std::vector<std::unique_ptr<WorkerSink>>& sinks, std::size_t ops) {
    LongestWarp longest(ops);
    for (const auto& sink : sinks)
        if (sink) longest.merge(sink->longest());
    return longest.requests();
}

// `blocks_per_sm`: resident ones, in blocks of the size that ran.
CacheResult replay_caches(const std::vector<std::unique_ptr<WorkerSink>>& sinks, const LaunchFacts& facts, std::uint32_t blocks_per_sm) {
    std::vector<AccessLog*> logs;
    for (const auto& sink : sinks)
        if (sink) logs.push_back(&sink->log());
    HierarchyShape shape;
    shape.sm_count = std::max(facts.gpu.sm_count, 1u);
    shape.blocks_per_sm = std::max(blocks_per_sm, 1u);
    shape.l1_bytes = facts.occupancy.l1_bytes;
    shape.l2_bytes = static_cast<std::uint64_t>(usable_l2_bytes(facts.gpu));
    shape.partitions = std::max(facts.gpu.caches.l2_partitions, 1u);
    shape.fetch_bytes = facts.gpu.memory.fetch_bytes;
    return simulate(merge_logs(logs), facts.program.ops.size(), shape);
}

arch::Occupancy occupancy_of(const LaunchFacts& facts) {
    arch::KernelResources resources;
    resources.threads_per_block = static_cast<std::uint32_t>(facts.block.count());
    resources.registers_per_thread = facts.registers_per_thread;
    resources.static_shared_bytes = facts.program.static_shared_bytes;
    resources.dynamic_shared_bytes = facts.dynamic_shared_bytes;
    return arch::occupancy(facts.gpu.limits, facts.gpu.cc, resources);
}

OccupancyRecord to_record(const arch::Occupancy& occupancy, const arch::Gpu& gpu) {
    return {occupancy.blocks_per_sm, occupancy.warps_per_sm, gpu.limits.max_warps_per_sm, occupancy.limiter};
}

void set_time(LaunchRecord& record, const LaunchFacts& facts) {
    const Prediction prediction = predict(facts);
    record.time_ns = {prediction.time_ns, Source::predicted, {}};
    record.time_error = likely_error(facts.gpu, prediction, facts.machine != nullptr, {facts.blocks_error, facts.cache.errors});
    record.limiter = prediction.limiter;
    record.shares = prediction.shares;
    const auto set = [&record](std::string_view name, double value, Source source) {
        record.metrics[std::string(name)] = {value, source, {}};
    };
    set(metric::duration, std::round(prediction.time_ns), Source::predicted);
    set(metric::cold_duration, std::round(prediction.cold_ns), Source::predicted);
    set(metric::warps_active, prediction.warps_active_percent, Source::predicted);
    set(metric::theoretical_occupancy, 100 * facts.occupancy.fraction, Source::theoretical);
    set(metric::waves_per_sm, prediction.waves, Source::theoretical);
    set(metric::registers_per_thread, facts.registers_per_thread, Source::predicted);
    if (facts.longest_warp >= 2) set(metric::longest_warp, facts.longest_warp, Source::counted);
    if (facts.machine)
        set(metric::machine_instructions,
            std::round(machine_instructions(facts) * static_cast<double>(facts.execution.warps_run) * facts.scale), Source::predicted);
}

// For people who work on the model (docs/model.md): one file a launch.
void keep_inputs(const LaunchFacts& facts) {
    static std::atomic<unsigned> number = 0;
    const char* folder = std::getenv("APOD_MODEL_INPUTS");
    if (folder == nullptr || !facts.machine) return;
    std::ofstream out(std::filesystem::path(folder) / (std::to_string(number++) + ".inputs"));
    write_inputs(out, facts);
}

// Calls of the device's printf.
void count_prints(LaunchFacts& facts) {
    for (std::uint32_t op = 0; op < facts.program.ops.size(); ++op) {
        const emu::OpInfo& info = facts.program.ops[op];
        if (info.op_class != emu::OpClass::call) continue;
        const std::vector<ptx::Operand>& operands = info.function->instructions[info.instruction].operands;
        if (std::none_of(operands.begin(), operands.end(), [](const ptx::Operand& operand) { return operand.name == "vprintf"; })) continue;
        facts.prints += static_cast<double>(facts.execution.counts[op].warps);
        facts.print_lanes += static_cast<double>(facts.execution.counts[op].threads);
    }
}

} // namespace

// What the sinks counted, seen as a launch of this shape on this GPU.
LaunchFacts Counters::State::facts(const emu::Execution& execution, const arch::Gpu& on, const LaunchShape& shape,
                                   std::optional<std::uint32_t> most_registers) const {
    LaunchFacts facts{program, on, execution, shape.grid, shape.block, shape.dynamic_shared_bytes};
    facts.machine = machine_code_of(program, on, most_registers.value_or(0));
    facts.registers_per_thread = registers_of(program, on, facts.machine.get());
    if (most_registers) facts.registers_per_thread = std::min(facts.registers_per_thread, *most_registers);
    facts.occupancy = occupancy_of(facts);
    facts.traffic = merged_traffic(sinks, program.ops.size());
    facts.atomics = merged_atomics(sinks);
    const std::uint64_t resident = facts.occupancy.blocks_per_sm * shape.block.count() / std::max<std::uint64_t>(1, block.count());
    facts.cache = replay_caches(sinks, facts, static_cast<std::uint32_t>(resident));
    std::vector<BlockWork> work = merged_work(sinks);
    facts.longest_warp = longest_warp(work, static_cast<std::uint32_t>((block.count() + emu::lanes - 1) / emu::lanes));
    facts.longest_requests = merged_longest(sinks, program.ops.size());
    count_prints(facts);
    facts.blocks_error = blocks_error(work, execution.blocks_total);
    facts.imbalance = imbalance(std::move(work), std::max(on.sm_count, 1u), std::max(static_cast<std::uint32_t>(resident), 1u));
    if (execution.blocks_run > 0) facts.scale = static_cast<double>(execution.blocks_total) / static_cast<double>(execution.blocks_run);
    return facts;
}

LaunchRecord Counters::record(const emu::Execution& execution, const Work& work) const {
    const State& state = *state_;
    const LaunchFacts facts = state.facts(execution, state.gpu, {state.grid, state.block, state.dynamic_shared_bytes}, {});
    keep_inputs(facts);

    LaunchRecord record;
    record.mangled = std::string(state.program.name());
    record.kernel = ptx::demangle(state.program.name());
    record.grid = state.grid;
    record.block = state.block;
    record.static_shared_bytes = state.program.static_shared_bytes;
    record.dynamic_shared_bytes = state.dynamic_shared_bytes;
    record.registers_per_thread = {static_cast<double>(facts.registers_per_thread), Source::predicted, {}};
    record.occupancy = to_record(facts.occupancy, state.gpu);
    const OpCosts costs = op_costs(facts);
    record.metrics = launch_metrics(facts, costs);
    record.lines = line_records(facts, costs);
    record.floor_ns = {floor_ns(facts, work), Source::theoretical, {}};
    if (work.useful_bytes == 0 && work.operations == 0)
        record.floor_ns.value = std::max(record.floor_ns.value, own_operations_ns(record.metrics, state.gpu));
    set_time(record, facts);
    if (execution.blocks_run != execution.blocks_total) record.sample = SampleNote{execution.blocks_run, execution.blocks_total};
    return record;
}

Estimate Counters::estimate(const emu::Execution& execution, const Scenario& scenario, const LaunchShape& shape) const {
    const LaunchFacts facts = state_->facts(execution, scenario.gpu, shape, scenario.registers);
    Estimate estimate;
    estimate.what = scenario.name;
    estimate.occupancy = to_record(facts.occupancy, scenario.gpu);
    if (facts.occupancy.blocks_per_sm == 0) {
        estimate.why_not = "a block does not fit an SM: too much " + std::string(facts.occupancy.limiter);
        return estimate;
    }
    LaunchRecord there;
    there.metrics = launch_metrics(facts, {});
    set_time(there, facts);
    estimate.time_ns = there.time_ns;
    estimate.error = there.time_error;
    estimate.limiter = there.limiter;
    estimate.ceilings = ceilings(scenario.gpu);
    estimate.roofline = roofline(there, scenario.gpu);
    return estimate;
}

} // namespace apod::model

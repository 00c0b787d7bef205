#include "device/emulated/launch_program.hpp"

#include "device/emulated/launch_limits.hpp"
#include "device/emulated/sampled_run.hpp"
#include "model/model.hpp"

#include <algorithm>

namespace apod::device {
namespace {

// The scenario's GPU and the kernel itself may refuse what is asked; that is an answer too.
Estimate estimate(const emu::Program& program, const Launch& launch, const model::Counters& counters, const emu::Execution& execution,
                  const model::Scenario& scenario) {
    const auto refused = [&scenario](const Diagnostic& why) {
        Estimate none;
        none.what = scenario.name;
        none.why_not = why.message;
        return none;
    };
    if (auto target = check_target(program.image->module(), scenario.gpu); !target) return refused(target.error());
    const auto shape = model::reshape(program, {launch.grid, launch.block, launch.dynamic_shared_bytes}, scenario);
    if (!shape) return refused(shape.error());
    Launch other = launch;
    other.grid = shape->grid;
    other.block = shape->block;
    other.dynamic_shared_bytes = shape->dynamic_shared_bytes;
    if (auto allowed = check_launch(program, other, scenario.gpu); !allowed) return refused(allowed.error());
    return counters.estimate(execution, scenario, *shape);
}

emu::LaunchConfig config_of(const Launch& launch) {
    return {launch.grid, launch.block, launch.dynamic_shared_bytes, launch.parameters, launch.cluster};
}

emu::RunOptions options_of(const LaunchPlace& place) {
    emu::RunOptions options;
    options.sm_count = std::max(place.gpu.sm_count, 1u);
    options.threads = place.threads;
    options.print = place.print;
    options.cooperative = place.cooperative;
    // A GPU always has room for the calls that the compiler can see; the limit that programs set is for recursion. Pages that nobody
    // touches cost nothing.
    constexpr std::uint32_t room_for_calls = 64 << 10;
    options.stack_bytes = std::max({options.stack_bytes, place.stack_bytes, room_for_calls});
    options.checks = place.checks;
    options.fault = place.fault;
    options.cancel = place.cancel;
    options.stalled = place.stalled;
    return options;
}

} // namespace

Result<LaunchRecord> launch_program(const emu::Program& program, const Launch& launch, const LaunchPlace& place) {
    if (auto allowed = check_launch(program, launch, place.gpu); !allowed) return allowed.error();
    const emu::LaunchConfig config = config_of(launch);
    const emu::RunOptions options = options_of(place);
    model::Counters counters(program, place.gpu, config);
    const Result<emu::Execution> execution =
        run_within(program, config, place.memory, options, counters.sinks(), launch.instruction_budget);
    if (!execution) return execution.error();
    LaunchRecord record = counters.record(*execution, {launch.useful_bytes, launch.operations, launch.operation_type});
    for (const model::Scenario& scenario : place.scenarios)
        record.estimates.push_back(estimate(program, launch, counters, *execution, scenario));
    return record;
}

Result<std::uint64_t> run_uncounted(const emu::Program& program, const Launch& launch, const LaunchPlace& place) {
    if (auto allowed = check_launch(program, launch, place.gpu); !allowed) return allowed.error();
    const Result<emu::Execution> execution = emu::run(program, config_of(launch), place.memory, options_of(place));
    if (!execution) return execution.error();
    std::uint64_t instructions = 0;
    for (const emu::OpCount& op : execution->counts) instructions += op.warps;
    return instructions;
}

} // namespace apod::device

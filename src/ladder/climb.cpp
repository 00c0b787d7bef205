#include "ladder/climb.hpp"

#include "base/nearest.hpp"
#include "explain/explain.hpp"
#include "ladder/bind.hpp"
#include "ladder/device_buffers.hpp"
#include "ladder/golden.hpp"
#include "ladder/gpu_names.hpp"
#include "ladder/host_buffer.hpp"
#include "ladder/pipeline_run.hpp"
#include "ladder/sources.hpp"
#include "ladder/summary.hpp"
#include "ladder/time_launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace apod::ladder {

namespace {

// About ten seconds of emulation on two cores.
constexpr std::uint64_t default_instruction_budget = 300'000'000;

// A rung of the climb: selected, and ready to run unless its `when` says no.
struct Step {
    const Rung* rung = nullptr;
    std::vector<BoundLaunch> preparations;
    std::vector<BoundLaunch> launches;
    std::optional<PipelineStep> pipeline; // instead of launches
    RungResult result;
    bool done = false;
};

class Climber {
public:
    Climber(const Ladder& ladder, device::Device& device, const ClimbOptions& options, Environment parameters) :
        ladder_(ladder),
        device_(device),
        options_(options),
        timer_(device, options.timing),
        pipelines_(device, options.timing),
        parameters_(std::move(parameters)) {}

    Result<ClimbResult> run();

private:
    Result<void> load();
    Result<void> evaluate_work();
    Result<void> plan();
    Result<Step> make_step(const Rung& rung, const DeviceBuffers& buffers);
    Result<void> make_golden(DeviceBuffers& buffers);
    Result<void> make_golden_from_rung(DeviceBuffers& buffers);
    // Launches everything of a step; false when the rung failed, with its error in the result.
    Result<bool> launch_all(Step& step, DeviceBuffers& buffers);
    Result<void> climb_step(Step& step, DeviceBuffers& buffers);
    Result<void> climb_pipeline(Step& step, DeviceBuffers& buffers);
    // Runs it once more through streams and compares; true: right, or there are no streams.
    Result<bool> overlapped_is_right(Step& step, DeviceBuffers& buffers);
    static Result<void> fail(Step& step, Diagnostic error);
    Result<void> time_and_summarise(Step& step);
    void report_progress(const Step& step);
    [[nodiscard]] bool stopped() const { return options_.stop != nullptr && *options_.stop; }
    ClimbResult finish();

    const Ladder& ladder_;
    device::Device& device_;
    const ClimbOptions& options_;
    LaunchTimer timer_;
    PipelineRunner pipelines_;
    Environment parameters_;
    std::vector<std::shared_ptr<device::Code>> modules_;
    std::vector<const Rung*> selected_;
    std::vector<Step> steps_;
    std::optional<Step> golden_step_; // when the golden rung is not among the selected
    std::optional<Step> yardstick_;
    ProblemWork work_;
    std::size_t begun_ = 0;
};

Result<void> Climber::load() {
    auto sources = load_sources(ladder_, options_.oldest.value_or(device_.gpu().cc));
    if (!sources && options_.oldest) sources = load_sources(ladder_, device_.gpu().cc);
    if (!sources) return sources.error();
    for (const PtxText& source : *sources) {
        auto code = device_.load(source.text, source.file);
        if (!code) return code.error();
        modules_.push_back(*std::move(code));
    }
    return {};
}

Result<void> Climber::evaluate_work() {
    const auto amount = [&](const std::optional<Expression>& expression, std::string_view what) -> Result<double> {
        if (!expression) return 0.0;
        auto value = expression->evaluate_real(parameters_, what);
        if (value.ok() && (*value < 0 || *value > 0x1p63)) {
            return bad_input(expression->where(), fmt::format("{} is {}, and must be between 0 and 2^63", what, *value));
        }
        return value;
    };
    const auto bytes = amount(ladder_.work.bytes, "bytes");
    if (!bytes) return bytes.error();
    const auto operations = amount(ladder_.work.operations, "operations");
    if (!operations) return operations.error();
    work_ = {static_cast<std::uint64_t>(*bytes), *operations, *operations > 0 ? ladder_.work.operation_type : std::string(), 0};
    return {};
}

// Which rungs are wanted, in the ladder's order.
Result<void> Climber::plan() {
    std::vector<std::string> known;
    for (const Rung& rung : ladder_.rungs) {
        known.push_back(rung.name);
        const bool wanted = std::find(options_.rungs.begin(), options_.rungs.end(), rung.name) != options_.rungs.end();
        if (wanted || options_.rungs.empty()) selected_.push_back(&rung);
    }
    for (const std::string& name : options_.rungs) {
        if (ladder_.find_rung(name) != nullptr) continue;
        return usage_error(fmt::format("the ladder '{}' has no rung '{}'", ladder_.name, name), nearest_hint(name, known));
    }
    return {};
}

Result<Step> Climber::make_step(const Rung& rung, const DeviceBuffers& buffers) {
    Step step;
    step.rung = &rung;
    step.result.name = rung.name;
    step.result.what = rung.what;
    if (rung.when) {
        const auto wanted = rung.when->evaluate_condition(parameters_, "when");
        if (!wanted) return wanted.error();
        if (!*wanted) {
            step.result.skipped_because = rung.otherwise.empty() ? fmt::format("runs only when {}", rung.when->text()) : rung.otherwise;
            step.done = true;
            return step;
        }
    }
    for (const KernelLaunch& launch : rung.preparations) {
        auto bound = bind_launch(launch, modules_, buffers.bound(), parameters_);
        if (!bound) return bound.error();
        step.preparations.push_back(*std::move(bound));
    }
    if (rung.pipeline) {
        auto pipeline = pipelines_.make(rung, modules_, buffers, parameters_);
        if (!pipeline) return pipeline.error();
        step.pipeline = *std::move(pipeline);
        return step;
    }
    for (const KernelLaunch& launch : rung.launches) {
        auto bound = bind_launch(launch, modules_, buffers.bound(), parameters_);
        if (!bound) return bound.error();
        bound->launch.instruction_budget = options_.instruction_budget != 0 ? options_.instruction_budget : default_instruction_budget;
        // Of a rung with several launches nobody has said which does what part of the work: their floors come from their footprints.
        if (rung.launches.size() == 1) {
            bound->launch.useful_bytes = work_.bytes;
            bound->launch.distinct_bytes = work_.distinct_bytes;
            bound->launch.operations = work_.operations;
            bound->launch.operation_type = work_.operation_type;
        }
        step.launches.push_back(*std::move(bound));
    }
    return step;
}

Result<bool> Climber::launch_all(Step& step, DeviceBuffers& buffers) {
    report_progress(step);
    step.done = true;
    if (Result<void> prepared = buffers.prepare(); !prepared) return prepared.error();
    const auto fail = [&](Diagnostic error, const BoundLaunch& bound) -> Result<bool> {
        if (error.kind == ErrorKind::internal) return error;
        if (error.where.file.empty()) error.where = bound.where;
        step.result.error = std::move(error);
        step.result.launches.clear();
        return false;
    };
    for (BoundLaunch& bound : step.preparations) {
        // Whole, whatever the budget: a sample of an analysis would be a wrong one.
        const auto record = device_.launch(*bound.kernel, bound.launch);
        if (!record) return fail(record.error(), bound);
    }
    for (BoundLaunch& bound : step.launches) {
        auto record = device_.launch(*bound.kernel, bound.launch);
        if (!record) return fail(record.error(), bound);
        record->index = static_cast<std::uint32_t>(step.result.launches.size());
        step.result.launches.push_back(*std::move(record));
    }
    return true;
}

// What happens to one rung is that rung's error; what is our own fault ends the climb.
Result<void> Climber::fail(Step& step, Diagnostic error) {
    if (error.kind == ErrorKind::internal) return error;
    step.result.error = std::move(error);
    step.result.launches.clear();
    step.result.pipeline.reset();
    return {};
}

Result<bool> Climber::overlapped_is_right(Step& step, DeviceBuffers& buffers) {
    if (Result<void> prepared = pipelines_.prepare(*step.pipeline, buffers); !prepared) return prepared.error();
    const Result<bool> ran = pipelines_.run_overlapped(*step.pipeline);
    if (!ran) return ran.error();
    if (!*ran) return true;
    const auto results = pipelines_.results(*step.pipeline);
    if (!results) return results.error();
    auto mismatch = buffers.compare(false, *results);
    if (!mismatch) return mismatch.error();
    step.result.mismatch = *std::move(mismatch);
    return !step.result.mismatch.has_value();
}

// One step after the other first, for the launches' records; then as it is timed. Both must be right.
Result<void> Climber::climb_pipeline(Step& step, DeviceBuffers& buffers) {
    report_progress(step);
    step.done = true;
    if (Result<void> prepared = pipelines_.prepare(*step.pipeline, buffers); !prepared) return prepared;
    for (BoundLaunch& bound : step.preparations) {
        const auto record = device_.launch(*bound.kernel, bound.launch);
        if (!record) return fail(step, record.error());
    }
    auto records = pipelines_.run(*step.pipeline);
    if (!records) return fail(step, records.error());
    const bool sampled = is_sampled(*records);
    const auto results = pipelines_.results(*step.pipeline);
    if (!results) return results.error();
    auto mismatch = buffers.compare(sampled, *results);
    if (!mismatch) return mismatch.error();
    step.result.mismatch = *std::move(mismatch);
    Result<bool> right = !step.result.mismatch.has_value();
    if (*right) right = overlapped_is_right(step, buffers);
    if (!right) return fail(step, right.error());
    if (!*right) {
        step.result.verification = Verification::wrong;
        return {};
    }
    step.result.verification = sampled ? Verification::sampled : Verification::correct;
    auto timed = pipelines_.time(*step.pipeline, *records);
    if (!timed) return fail(step, timed.error());
    step.result.launches = *std::move(records);
    if (!timed->has_value()) { // a device that tells no time of it: that of the launches alone
        summarise(step.result, work_, device_.gpu());
        return {};
    }
    step.result.pipeline = **std::move(timed);
    summarise_pipeline(step.result, device_.gpu());
    return {};
}

// The time of a kernel means something only when its result is right.
Result<void> Climber::climb_step(Step& step, DeviceBuffers& buffers) {
    if (step.pipeline) return climb_pipeline(step, buffers);
    Result<bool> ran = launch_all(step, buffers);
    if (!ran) return ran.error();
    if (!*ran) return {};
    const bool sampled = is_sampled(step.result.launches);
    auto mismatch = buffers.compare(sampled);
    if (!mismatch) return mismatch.error();
    if (mismatch->has_value()) {
        step.result.verification = Verification::wrong;
        step.result.mismatch = **std::move(mismatch);
        step.result.launches.clear();
        return {};
    }
    step.result.verification = sampled ? Verification::sampled : Verification::correct;
    return time_and_summarise(step);
}

// What a rung's timing fails with is that rung's error, as a fault would be.
Result<void> Climber::time_and_summarise(Step& step) {
    const Result<void> timed = timer_.time(step.launches, step.result.launches);
    if (!timed) return fail(step, timed.error());
    summarise(step.result, work_, device_.gpu());
    return {};
}

Result<void> Climber::make_golden_from_rung(DeviceBuffers& buffers) {
    const auto own = std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) { return step.rung->name == ladder_.golden.name; });
    Step* step = own != steps_.end() ? &*own : nullptr;
    if (step == nullptr) {
        auto made = make_step(*ladder_.find_rung(ladder_.golden.name), buffers);
        if (!made) return made.error();
        step = &golden_step_.emplace(*std::move(made));
    }
    if (step->done) {
        return bad_input(ladder_.golden.where, fmt::format("the golden rung '{}' {}", step->rung->name, step->result.skipped_because),
                         "choose parameters for which it runs, or take the golden result from another rung or a reference");
    }
    Result<bool> ran = launch_all(*step, buffers);
    if (!ran) return ran.error();
    if (!*ran) {
        Diagnostic error = *step->result.error;
        error.notes.push_back(
            fmt::format("this happened in the golden rung '{}', without which no rung can be verified", step->rung->name));
        return error;
    }
    const bool sampled = is_sampled(step->result.launches);
    step->result.verification = sampled ? Verification::sampled : Verification::correct;
    // The result first: timing runs the kernels again, over what they have written.
    if (Result<void> taken = buffers.take_golden(sampled); !taken) return taken;
    return time_and_summarise(*step);
}

Result<void> Climber::make_golden(DeviceBuffers& buffers) {
    if (ladder_.golden.kind == GoldenKind::rung) return make_golden_from_rung(buffers);
    auto golden = ladder_.golden.kind == GoldenKind::files ? golden_from_files(ladder_, buffers.host())
                                                           : golden_from_reference(ladder_, parameters_, buffers.host());
    if (!golden) return golden.error();
    buffers.set_golden(*std::move(golden));
    return {};
}

void Climber::report_progress(const Step& step) {
    if (options_.progress) options_.progress(step.rung->name, begun_, selected_.size() + (yardstick_ ? 1 : 0));
    ++begun_;
}

ClimbResult Climber::finish() {
    ClimbResult result;
    result.ladder = ladder_.name;
    result.title = ladder_.title;
    result.device = device_.id();
    result.gpu = device_.gpu();
    result.emulated = device_.is_emulated();
    for (const auto& [name, value] : parameters_) {
        if (name.starts_with(gpu_prefix)) continue;
        result.parameters[name] = as_real(value);
        if (const Parameter* const parameter = ladder_.find_parameter(name); parameter != nullptr && !parameter->choices.empty())
            result.choices[name] = parameter->choices.at(static_cast<std::size_t>(std::get<std::int64_t>(value)));
    }
    result.useful_bytes = work_.bytes;
    result.distinct_bytes = work_.distinct_bytes;
    result.operations = work_.operations;
    result.operation_type = work_.operation_type;
    result.stopped = stopped();
    for (Step& step : steps_) {
        if (!step.done && result.stopped) step.result.skipped_because = "not reached before apod was stopped";
        result.rungs.push_back(std::move(step.result));
    }
    if (yardstick_) result.yardstick = std::move(yardstick_->result);
    return result;
}

Result<ClimbResult> Climber::run() {
    if (Result<void> planned = plan(); !planned) return planned.error();
    const auto matrices = Matrices::make(ladder_, parameters_);
    if (!matrices) return matrices.error();
    if (Result<void> evaluated = evaluate_work(); !evaluated) return evaluated.error();
    if (Result<void> loaded = load(); !loaded) return loaded.error();
    auto buffers = DeviceBuffers::make(ladder_, parameters_, *matrices, device_);
    if (!buffers) return buffers.error();
    for (const HostBuffer& buffer : buffers->host()) work_.distinct_bytes += buffer.size_bytes();
    work_.distinct_bytes = std::min(work_.distinct_bytes, work_.bytes);
    for (const Rung* rung : selected_) {
        auto step = make_step(*rung, *buffers);
        if (!step) return step.error();
        steps_.push_back(*std::move(step));
    }
    if (ladder_.yardstick) {
        auto step = make_step(*ladder_.yardstick, *buffers);
        if (!step) return step.error();
        yardstick_ = *std::move(step);
    }
    if (Result<void> made = make_golden(*buffers); !made) {
        const bool told = std::any_of(steps_.begin(), steps_.end(), [](const Step& step) { return step.result.error.has_value(); });
        if (stopped() && told) return finish();
        return made.error();
    }
    for (Step& step : steps_) {
        if (step.done) continue;
        if (stopped()) return finish();
        if (Result<void> climbed = climb_step(step, *buffers); !climbed) return climbed.error();
    }
    if (yardstick_ && !yardstick_->done && !stopped()) {
        Result<bool> ran = launch_all(*yardstick_, *buffers);
        if (!ran) return ran.error();
        if (*ran) {
            if (Result<void> timed = time_and_summarise(*yardstick_); !timed) return timed.error();
        }
    }
    return finish();
}

} // namespace

bool ClimbResult::all_right() const {
    return !stopped && std::none_of(rungs.begin(), rungs.end(), [](const RungResult& rung) {
        return rung.verification == Verification::wrong || rung.error.has_value();
    });
}

namespace {

// A shape or an extent that cannot be with these parameters. Those that need more than parameters (a matrix, a chunk) are left out.
std::optional<Diagnostic> impossible_size(const Ladder& ladder, const Environment& parameters) {
    if (!ladder.matrices.empty()) return std::nullopt;
    for (const Buffer& buffer : ladder.buffers)
        if (const auto shape = evaluate_shape(buffer, parameters); !shape) return shape.error();
    for (const Rung& rung : ladder.rungs) {
        if (rung.pipeline) continue;
        const Result<bool> wanted = rung.when ? rung.when->evaluate_condition(parameters, "when") : Result<bool>(true);
        if (!wanted || !*wanted) continue;
        for (const KernelLaunch& launch : rung.launches)
            for (const auto& [extents, what] : {std::pair{&launch.grid, "grid"}, std::pair{&launch.block, "block"}})
                for (const Expression& extent : *extents)
                    if (const auto count = extent.evaluate_count(parameters, what, 1); !count) return count.error();
    }
    return std::nullopt;
}

} // namespace

Result<ClimbResult> climb(const Ladder& ladder, device::Device& device, const ClimbOptions& options) {
    auto parameters = bind_parameters(ladder, options.parameters, device.is_emulated());
    if (!parameters) return parameters.error();
    add_gpu_names(*parameters, device.gpu());
    if (const auto wrong = impossible_size(ladder, *parameters); wrong && !options.parameters.empty()) {
        // The file is right as it stands: it is the parameters that were given.
        auto own = bind_parameters(ladder, {}, device.is_emulated());
        if (own) add_gpu_names(*own, device.gpu());
        if (own && !impossible_size(ladder, *own)) {
            Diagnostic error = *wrong;
            error.kind = ErrorKind::usage;
            for (const auto& [name, value] : options.parameters)
                error.notes.push_back(fmt::format("the command line says {} = {}", name, value));
            return error;
        }
    }
    return Climber(ladder, device, options, *std::move(parameters)).run();
}

} // namespace apod::ladder

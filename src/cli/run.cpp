// apod run -- APP ARGS
#include "cli/check_output.hpp"
#include "cli/commands.hpp"
#include "cli/compile_program.hpp"
#include "cli/output.hpp"
#include "cli/program_records.hpp"
#include "cli/run_program.hpp"

#include "base/file.hpp"
#include "cli/open_device.hpp"
#include "explain/explain.hpp"
#include "explain/host.hpp"
#include "model/roofline.hpp"
#include "report/run_view.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

#include <fmt/format.h>

namespace apod::cli {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
    std::vector<std::string> program;
    DeviceOptions device;
    OutputOptions output;
    int devices = 1;
    double timeout_s = 0;
    std::optional<unsigned> counted;
    bool anyway = false;
    std::string fresh_memory;
};

void tell_end(const ProgramEnd& end, const RunOptions& options) {
    if (end.timed_out)
        return note(
            fmt::format("{} was stopped after {} s; what follows is what had run until then", options.program[0], options.timeout_s));
    if (end.signal != 0) note(fmt::format("{} was ended by signal {} ({})", options.program[0], end.signal, ::strsignal(end.signal)));
}

explain::HostWork host_work(const report::RunRecord& record) {
    explain::HostWork work;
    for (const auto& [direction, total] : record.copies)
        work.copies.push_back({direction, direction == "host to device" || direction == "device to host", total.count, total.bytes,
                               total.time_ns, total.pageable_bytes, total.pageable_ns});
    work.launches = record.launch_count() - record.apods_own().count;
    work.kernel_ns = record.kernel_ns();
    return work;
}

Result<void> show(report::RunRecord record, const RunOptions& options, const device::Device& device) {
    record.program = options.program[0];
    for (report::CountedLaunch& launch : record.launches) {
        if (launch.only_ran()) continue;
        launch.record.roofline = model::roofline(launch.record, device.gpu());
        if (!report::is_apods_own(launch.record)) launch.record.findings = explain::explain(launch.record, device.gpu());
    }
    if (!record.only_ran()) record.findings = explain::explain_host(host_work(record), device.gpu());
    const report::RunView view{record, device.id(), device.gpu()};
    Forms forms;
    forms.text = [&] {
        if (options.output.quiet) return std::string();
        return "--- apod run\n" + report::run_text(view, {text_style(options.output), options.output.verbose, program_source_text()});
    };
    forms.json = [&] { return report::run_json(view); };
    forms.csv = [&] { return report::run_csv(view); };
    forms.markdown = [&] { return report::run_markdown(view); };
    return write_outputs(options.output, forms);
}

// The program runs on the emulator, also where there is a GPU.
Result<std::unique_ptr<device::Device>> open_emulated(DeviceOptions options, bool quiet) {
    if (options.device == "auto") {
        options.device = default_device;
        if (!quiet) note(std::string("--device auto takes ") + default_device + ": apod run emulates");
    }
    if (!options.device.starts_with("emu:"))
        return usage_error("apod run needs an emulated GPU, and '" + options.device + "' is none",
                           std::string("e.g. --device ") + default_device + "; on a GPU the program runs without apod");
    return open_device(options, quiet);
}

int run(const RunOptions& options) {
    if (const Result<void> writable = check_outputs(options.output, files_of_program(options.program, options.device.device)); !writable)
        return report_error(writable.error());
    const Result<std::unique_ptr<device::Device>> device = open_emulated(options.device, options.output.quiet);
    if (!device) return report_error(device.error());
    Result<TempDirectory> directory = TempDirectory::make("apod-run");
    if (!directory) return report_error(directory.error());
    const auto started = compiled(options.program, (*device)->gpu(), directory->path(), options.output.quiet);
    if (!started) return report_error(started.error());
    if (!options.anyway)
        if (const Result<void> fits = check_program((*started)[0], (*device)->gpu()); !fits) return report_error(fits.error());
    ProgramRun program{*started,          (*device)->id(),           options.devices,   options.device.threads,
                       directory->path(), to_stdout(options.output), options.timeout_s, options.device.check,
                       options.counted,   options.fresh_memory};
    if (const Result<void> marked = expect_whole_records(directory->path()); !marked) return report_error(marked.error());
    const Result<ProgramEnd> end = run_program(program);
    if (!end) return report_error(end.error());
    tell_end(*end, options);
    const int lacking = are_whole(directory->path()) ? 0 : report_error(records_lack_something());
    Result<report::RunRecord> record = read_records(directory->path());
    if (!record) return report_error(record.error());
    if (lacking != 0) record->unfinished.clear(); // how they ended is what could not be written
    for (const std::string& launch : record->unfinished) note("the program ended while a kernel was running: " + readable_launch(launch));
    const std::vector<CheckReport> checks = all_mistakes(*record);
    const std::string stopped = how_it_was_stopped(*end, options.timeout_s, *record);
    if (const Result<void> shown = show(*std::move(record), options, **device); !shown) return report_error(shown.error());
    const int code = end->exit_code != 0 ? end->exit_code : lacking;
    if (!options.device.check) return code;
    const int checked = add_checks({options.program[0], (*device)->id(), checks, {}, stopped}, program_source_text(), options.output);
    return code != 0 ? code : checked;
}

} // namespace

void add_run(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<RunOptions>();
    CLI::App& command = *app.add_subcommand("run", "Run a CUDA program without a GPU: every launch, its counters, its predicted time");
    command.add_option("PROGRAM", options->program, "The program and its arguments, behind --; of a .cu file nvcc makes one first")
        ->required()
        ->type_name("");
    command.add_option("--devices", options->devices, "How many of the device the program finds")
        ->type_name("COUNT")
        ->check(CLI::Range(1, 16));
    add_timeout_option(command, options->timeout_s, "End the program after so many seconds; the report shows what had run");
    command
        .add_option("--counted", options->counted,
                    "Count the first so many launches of each kernel with each shape; the later ones only run, which is faster, and are "
                    "reported with the figures of the last that was counted. 0: nothing is counted or predicted (default: all are counted)")
        ->type_name("LAUNCHES")
        ->check(number_from(0, std::numeric_limits<unsigned>::max() - 1));
    command.add_flag("--anyway", options->anyway, "Start the program even where it seems unable to run");
    command
        .add_option("--fresh-memory", options->fresh_memory,
                    "What device memory holds before anything is written to it: zeros, as a GPU usually has it, or ones (0xFF), which show "
                    "who relies on that; --check has ones")
        ->type_name("zeros|ones")
        ->check(CLI::IsMember({"zeros", "ones"}));
    add_device_options(command, options->device);
    add_check_option(command, options->device);
    add_output_options(command, options->output);
    command.get_option("--quiet")->description("No notes and no report: only what the program prints, and the files asked for");
    command.get_option("--verbose")->description("Every launch, and every kernel line by line beside its text");
    add_examples(command, {"apod run -- ./app input.txt                     what the program prints, then where its time went",
                           "apod run -- app.cu                              compiles it with nvcc first, so that lines are named",
                           "apod run -q --json run.json -d emu:a100 -- ./app nothing but the program's output; the report as JSON"});
    command.callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace apod::cli

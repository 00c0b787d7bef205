// apod run -- APP ARGS
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/run_program.hpp"

#include "base/file.hpp"
#include "cli/open_device.hpp"
#include "explain/explain.hpp"
#include "report/run_view.hpp"
#include "runtime/inspect/program.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

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
    bool anyway = false;
};

// Says now what would otherwise fail in the middle of the program, or in a way that nobody understands.
Result<void> check_program(const std::string& program, const arch::Gpu& gpu) {
    const fs::path path = find_executable(program);
    if (path.empty()) return {}; // starting it says why
    const Result<std::optional<runtime::ProgramFacts>> facts = runtime::inspect_program(path.string());
    if (!facts) return facts.error();
    if (!*facts) return {};
    const std::optional<Diagnostic> why = runtime::why_it_cannot_run(**facts, static_cast<std::uint32_t>(gpu.cc.number()));
    return why ? Result<void>(*why) : Result<void>();
}

void tell_end(const ProgramEnd& end, const RunOptions& options) {
    if (end.timed_out)
        return note(
            fmt::format("{} was stopped after {} s; what follows is what had run until then", options.program[0], options.timeout_s));
    if (end.signal != 0) note(fmt::format("{} was ended by signal {} ({})", options.program[0], end.signal, ::strsignal(end.signal)));
}

// The record files of all processes of the program, in the order in which they were begun.
Result<report::RunRecord> read_records(const fs::path& directory) {
    std::vector<fs::directory_entry> files;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, failed)) files.push_back(entry);
    std::sort(files.begin(), files.end(), [](const fs::directory_entry& a, const fs::directory_entry& b) {
        return a.path().filename().string() < b.path().filename().string();
    });
    report::RunRecord record;
    for (const fs::directory_entry& file : files) {
        const Result<std::string> text = read_file(file.path());
        if (!text) return text.error();
        if (const Result<void> read = report::read_run_lines(*text, record); !read) return read.error();
    }
    return record;
}

bool to_stdout(const OutputOptions& output) { return output.json == "-" || output.csv == "-" || output.markdown == "-"; }

Result<void> show(report::RunRecord record, const RunOptions& options, const device::Device& device) {
    record.program = options.program[0];
    for (report::CountedLaunch& launch : record.launches) launch.record.findings = explain::explain(launch.record, device.gpu());
    const report::RunView view{record, device.id(), device.gpu()};
    Forms forms;
    forms.text = [&] {
        if (options.output.quiet) return std::string();
        return "--- apod run\n" + report::run_text(view, {text_style(options.output), options.output.verbose});
    };
    forms.json = [&] { return report::run_json(view); };
    forms.csv = [&] { return report::run_csv(view); };
    forms.markdown = [&] { return report::run_markdown(view); };
    return write_outputs(options.output, forms);
}

int run(const RunOptions& options) {
    if (const Result<void> writable = check_outputs(options.output); !writable) return report_error(writable.error());
    const Result<std::unique_ptr<device::Device>> device = open_device(options.device, options.output.quiet);
    if (!device) return report_error(device.error());
    if (!options.anyway)
        if (const Result<void> fits = check_program(options.program[0], (*device)->gpu()); !fits) return report_error(fits.error());
    Result<TempDirectory> directory = TempDirectory::make("apod-run");
    if (!directory) return report_error(directory.error());
    ProgramRun program{options.program,   (*device)->id(),           options.devices,  options.device.threads,
                       directory->path(), to_stdout(options.output), options.timeout_s};
    const Result<ProgramEnd> end = run_program(program);
    if (!end) return report_error(end.error());
    tell_end(*end, options);
    Result<report::RunRecord> record = read_records(directory->path());
    if (!record) return report_error(record.error());
    for (const std::string& launch : record->unfinished) note("the program ended while a kernel was running: " + launch);
    if (const Result<void> shown = show(*std::move(record), options, **device); !shown) return report_error(shown.error());
    return end->exit_code;
}

} // namespace

void add_run(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<RunOptions>();
    CLI::App& command = *app.add_subcommand("run", "Run a CUDA program without a GPU: every launch, its counters, its predicted time");
    command.add_option("PROGRAM", options->program, "The program and its arguments, behind --")->required()->type_name("");
    command.add_option("--devices", options->devices, "How many of the device the program finds")
        ->type_name("COUNT")
        ->check(CLI::Range(1, 16));
    command.add_option("--timeout", options->timeout_s, "End the program after so many seconds; the report shows what had run")
        ->type_name("SECONDS")
        ->check(CLI::PositiveNumber);
    command.add_flag("--anyway", options->anyway, "Start the program even where it seems unable to run");
    add_device_options(command, options->device);
    add_output_options(command, options->output);
    add_examples(command, {"apod run -- ./app input.txt                     what the program prints, then where its time went",
                           "apod run -q --json run.json -d emu:a100 -- ./app nothing but the program's output; the report as JSON"});
    command.callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace apod::cli

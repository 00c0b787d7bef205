// apod check LADDER, apod check -- APP ARGS
#include "cli/check_output.hpp"
#include "cli/commands.hpp"
#include "cli/compile_program.hpp"
#include "cli/open_device.hpp"
#include "cli/output.hpp"
#include "cli/program_records.hpp"
#include "cli/run_ladder.hpp"
#include "cli/run_program.hpp"
#include "cli/source_text.hpp"

#include "base/file.hpp"
#include "base/interruption.hpp"
#include "report/check_view.hpp"

#include <algorithm>
#include <memory>

namespace apod::cli {
namespace {

struct CheckOptions {
    std::vector<std::string> subject; // a ladder, or a program and its arguments
    LadderOptions ladder;
    DeviceOptions device;
    OutputOptions output;
    bool no_leaks = false;
};

bool is_ladder(const std::vector<std::string>& subject) {
    if (subject.size() != 1) return false;
    const std::vector<std::string> known = ladder::built_in_ladders();
    return subject[0].ends_with(".toml") || std::find(known.begin(), known.end(), subject[0]) != known.end();
}

int show(const report::CheckView& view, const report::SourceText& source, const OutputOptions& output) {
    Forms forms;
    forms.text = [&] { return report::check_text(view, source, text_style(output)); };
    forms.json = [&] { return report::check_json(view); };
    forms.csv = [&] { return report::check_csv(view); };
    forms.markdown = [&] { return report::check_markdown(view); };
    if (const Result<void> written = write_outputs(output, forms); !written) return report_error(written.error());
    return view.reports.empty() ? 0 : exit_code(ErrorKind::check_failed);
}

int check_ladder(const CheckOptions& options) {
    LadderOptions ladder = options.ladder;
    ladder.ladder = options.subject[0];
    const Result<LadderRun> run = run_ladder(ladder, options.device, options.output);
    if (!run) return end_ladder(run.error());
    report::CheckView view{run->result.ladder, run->result.device, run->checks, {}, stopped_text(run->result)};
    for (const ladder::RungResult& rung : run->result.rungs)
        if (rung.error && (run->checks.empty() || run->result.stopped)) view.errors.push_back(*rung.error); // a fault is a report already
    const int code = show(view, source_text(run->ladder), options.output);
    if (run->result.stopped) return stop_exit_code();
    return code != 0 || view.errors.empty() ? code : exit_code(view.errors.front().kind);
}

int check_a_program(const CheckOptions& options) {
    if (const Result<void> writable = check_outputs(options.output, files_of_program(options.subject, options.device.device)); !writable)
        return report_error(writable.error());
    const Result<std::unique_ptr<device::Device>> device = open_device(options.device, options.output.quiet);
    if (!device) return report_error(device.error());
    Result<TempDirectory> directory = TempDirectory::make("apod-check");
    if (!directory) return report_error(directory.error());
    const auto started = compiled(options.subject, (*device)->gpu(), directory->path(), options.output.quiet);
    if (!started) return report_error(started.error());
    if (const Result<void> fits = check_program((*started)[0], (*device)->gpu()); !fits) return report_error(fits.error());
    ProgramRun program{
        *started, (*device)->id(), 1, options.device.threads, directory->path(), to_stdout(options.output), options.ladder.timeout_s, true,
        0, // what it shows needs no counters
        {}};
    if (const Result<void> marked = expect_whole_records(directory->path()); !marked) return report_error(marked.error());
    const Result<ProgramEnd> end = run_program(program);
    if (!end) return report_error(end.error());
    const int lacking = are_whole(directory->path()) ? 0 : report_error(records_lack_something());
    Result<report::RunRecord> record = read_records(directory->path());
    if (!record) return report_error(record.error());
    if (options.no_leaks) std::erase_if(record->checks, [](const CheckReport& report) { return report.kind == CheckKind::leak; });
    const std::vector<CheckReport> reports = all_mistakes(*record);
    const std::string stopped = how_it_was_stopped(*end, options.ladder.timeout_s, *record);
    const int code = show({options.subject[0], (*device)->id(), reports, {}, stopped}, program_source_text(), options.output);
    if (end->timed_out || end->signal != 0 || (code == 0 && end->exit_code != 0)) return end->exit_code;
    return code != 0 ? code : lacking; // without mistakes in a part of the run is not clean
}

int check(const CheckOptions& options) { return is_ladder(options.subject) ? check_ladder(options) : check_a_program(options); }

} // namespace

void add_check(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<CheckOptions>();
    options->device.check = true;
    CLI::App& command = *app.add_subcommand("check", "Find mistakes in kernels: bounds, races, initialisation, barriers, leaks");
    command.add_option("SUBJECT", options->subject, "A ladder (transpose, or a .toml file), or behind -- a program and its arguments")
        ->required()
        ->type_name("");
    add_rung_options(command, options->ladder);
    add_timeout_option(command, options->ladder.timeout_s, "Stop after so many seconds; what was found until then is shown");
    command.add_flag("--no-leaks", options->no_leaks, "Say nothing about memory that the program does not free");
    add_device_options(command, options->device);
    add_output_options(command, options->output);
    add_examples(command, {"apod check transpose -p n=256               every rung of a ladder",
                           "apod check --json report.json -- ./app 1000 a program, its memory and all its kernels"});
    command.callback([options, &exit_code] { exit_code = check(*options); });
}

} // namespace apod::cli

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/run_ladder.hpp"
#include "cli/source_text.hpp"
#include "report/explain_view.hpp"
#include "report/roofline_view.hpp"

#include <memory>

namespace apod::cli {
namespace {

struct ExplainOptions {
    LadderOptions ladder;
    DeviceOptions device;
    OutputOptions output;
    bool roofline = false;
};

int explain(const ExplainOptions& options) {
    const Result<LadderRun> run = run_ladder(options.ladder, options.device, options.output);
    if (!run) return end_ladder(run.error());
    const ladder::ClimbResult& result = run->result;
    const report::SourceText source = source_text(run->ladder);
    Forms forms;
    if (options.roofline) {
        forms.text = [&] { return report::rooflines_text(result, text_style(options.output)); };
        forms.csv = [&] { return report::rooflines_csv(result); };
        forms.markdown = [&] { return report::rooflines_markdown(result); };
    } else {
        forms.text = [&] { return report::explain_text(result, source, {text_style(options.output), options.output.verbose}); };
        forms.csv = [&] { return report::explain_csv(result); };
        forms.markdown = [&] { return report::explain_markdown(result, source); };
    }
    forms.json = [&] { return report::explain_json(result); }; // has the rooflines too
    return show_ladder(*run, options.device, forms, options.output);
}

} // namespace

void add_explain(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<ExplainOptions>();
    CLI::App& command = *app.add_subcommand("explain", "Counters and findings of a ladder's rungs, per kernel and per source line");
    add_ladder_options(command, options->ladder);
    add_device_options(command, options->device);
    add_prediction_option(command, options->device);
    add_what_if_option(command, options->device);
    command.add_flag("--roofline", options->roofline,
                     "Rooflines instead of counters: the ceilings of each GPU, and each launch's operations and instructions below them");
    add_check_option(command, options->device);
    add_output_options(command, options->output);
    add_examples(command, {"apod explain transpose --rung tiled_32                            one rung, line by line",
                           "apod explain transpose -d emu:h200,emu:a100 --what-if bandwidth=2x  elsewhere, and otherwise, in one table"});
    command.callback([options, &exit_code] { exit_code = explain(*options); });
}

} // namespace apod::cli

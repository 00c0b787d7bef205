#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/run_ladder.hpp"
#include "cli/source_text.hpp"
#include "report/climb_csv.hpp"
#include "report/climb_json.hpp"
#include "report/climb_markdown.hpp"
#include "report/climb_text.hpp"

#include <memory>

namespace apod::cli {
namespace {

struct ClimbOptions {
    LadderOptions ladder;
    DeviceOptions device;
    OutputOptions output;
};

int climb(const ClimbOptions& options) {
    const Result<LadderRun> run = run_ladder(options.ladder, options.device, options.output);
    if (!run) return end_ladder(run.error());
    const ladder::ClimbResult& result = run->result;
    Forms forms;
    forms.text = [&] { return report::climb_text(result, {text_style(options.output), options.output.verbose, source_text(run->ladder)}); };
    forms.json = [&] { return report::climb_json(result); };
    forms.csv = [&] { return report::climb_csv(result); };
    forms.markdown = [&] { return report::climb_markdown(result); };
    return show_ladder(*run, options.device, forms, options.output);
}

} // namespace

void add_climb(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<ClimbOptions>();
    CLI::App& command = *app.add_subcommand("climb", "Run a ladder: verify, time or predict and explain each rung, name the next step");
    add_ladder_options(command, options->ladder);
    add_device_options(command, options->device);
    add_prediction_option(command, options->device);
    refuse_what_if_option(command);
    add_check_option(command, options->device);
    add_output_options(command, options->output);
    add_examples(command,
                 {"apod climb transpose                                   the built-in ladder: measured on a GPU, or an emulated H200",
                  "apod climb my.toml --device emu:a100 -p n=4096 --json - your own, on another GPU, at another size, as JSON"});
    command.callback([options, &exit_code] { exit_code = climb(*options); });
}

} // namespace apod::cli

#include "cli/commands.hpp"
#include "cli/open_device.hpp"
#include "cli/output.hpp"
#include "cli/present_gpus.hpp"
#include "report/devices_view.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace apod::cli {
namespace {

struct DevicesOptions {
    MeasureOptions measure;
    OutputOptions output;
};

Result<std::vector<report::DeviceEntry>> known_devices() {
    std::vector<report::DeviceEntry> devices;
    for (const std::string& id : arch::known_gpu_ids()) {
        Result<arch::Gpu> gpu = arch::find_gpu(id);
        if (!gpu) return gpu.error();
        devices.push_back({"emu:" + id, true, *std::move(gpu)});
    }
    // Newest architectures first, the widest memory first among them.
    std::stable_sort(devices.begin(), devices.end(), [](const report::DeviceEntry& a, const report::DeviceEntry& b) {
        if (a.gpu.cc != b.gpu.cc) return a.gpu.cc > b.gpu.cc;
        return a.gpu.memory.peak_gbs > b.gpu.memory.peak_gbs;
    });
    return devices;
}

constexpr std::string_view replay_prefix = "replay:";

// --measure shows the GPUs that were measured and nothing else.
int show_measured(const PresentGpus& present, const OutputOptions& output) {
    Forms forms;
    forms.text = [&] { return report::present_text(present.gpus, text_style(output)); };
    forms.json = [&] { return report::devices_json({}, present.gpus); };
    forms.csv = [&] { return report::peaks_csv(present.gpus); };
    forms.markdown = [&] { return report::present_markdown(present.gpus); };
    if (const Result<void> written = write_outputs(output, forms); !written) return report_error(written.error());
    return 0;
}

int list_devices(const DevicesOptions& options) {
    const OutputOptions& output = options.output;
    if (const Result<void> writable = check_outputs(output, files_of_device(options.measure.device)); !writable)
        return report_error(writable.error());
    if (options.measure.again && !options.measure.measure)
        return report_error(usage_error("--again goes with --measure", "apod devices --measure --again"));
    const std::string& name = options.measure.device;
    if (name.starts_with(replay_prefix)) {
        if (options.measure.measure)
            return report_error(usage_error("a recording is not measured", "leave --measure out: it is shown with its figures"));
        const Result<PresentGpus> recorded = recorded_gpus(name.substr(replay_prefix.size()));
        return recorded ? show_measured(*recorded, output) : report_error(recorded.error());
    }
    if (!name.empty() && !options.measure.measure)
        return report_error(usage_error("--device goes with --measure, or names a recording", "apod devices --device replay:FILE.json"));
    Result<PresentGpus> present = present_gpus();
    if (!present) return report_error(present.error());
    if (options.measure.measure) {
        if (const Result<void> measured = measure(*present, options.measure, output); !measured) return report_error(measured.error());
        return show_measured(*present, output);
    }
    const Result<std::vector<report::DeviceEntry>> devices = known_devices();
    if (!devices) return report_error(devices.error());
    Forms forms;
    forms.text = [&] {
        const std::string none = present->gpus.empty() ? "No GPU here: " + present->why_none + ". These can be emulated:\n\n" : "";
        return none + report::present_text(present->gpus, text_style(output)) + report::devices_text(*devices, text_style(output));
    };
    forms.json = [&] { return report::devices_json(*devices, present->gpus); };
    forms.csv = [&] { return report::devices_csv(*devices, present->gpus); };
    forms.markdown = [&] { return report::present_markdown(present->gpus) + report::devices_markdown(*devices); };
    if (const Result<void> written = write_outputs(output, forms); !written) return report_error(written.error());
    return 0;
}

} // namespace

void add_devices(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<DevicesOptions>();
    CLI::App& command =
        *app.add_subcommand("devices", "List the devices that --device takes, with their theoretical peaks; measure a GPU's");
    command.add_flag("-m,--measure", options->measure.measure,
                     "Measure what the GPUs here reach, about half a minute each; kept for each GPU and driver");
    command.add_flag("--again", options->measure.again, "With --measure: also where figures are kept");
    command
        .add_option("-d,--device", options->measure.device,
                    "With --measure: only this GPU, e.g. cuda:0; or replay:FILE.json, what --json recorded")
        ->type_name("DEVICE");
    add_output_options(command, options->output);
    add_examples(command, {"apod devices                     the GPUs here and those that can be emulated",
                           "apod devices --measure           bandwidths, rates and latencies that this GPU reaches"});
    command.callback([options, &exit_code] { exit_code = list_devices(*options); });
}

} // namespace apod::cli

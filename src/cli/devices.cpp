#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "report/devices_view.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace apod::cli {
namespace {

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

int list_devices(const OutputOptions& output) {
    if (const Result<void> writable = check_outputs(output); !writable) return report_error(writable.error());
    const Result<std::vector<report::DeviceEntry>> devices = known_devices();
    if (!devices) return report_error(devices.error());
    Forms forms;
    forms.text = [&] { return report::devices_text(*devices, text_style(output)); };
    forms.json = [&] { return report::devices_json(*devices); };
    forms.csv = [&] { return report::devices_csv(*devices); };
    forms.markdown = [&] { return report::devices_markdown(*devices); };
    if (const Result<void> written = write_outputs(output, forms); !written) return report_error(written.error());
    return 0;
}

} // namespace

void add_devices(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<OutputOptions>();
    CLI::App& command = *app.add_subcommand("devices", "List the devices that --device takes, with their theoretical peaks");
    add_output_options(command, *options);
    add_examples(command,
                 {"apod devices                     the table", "apod devices --json devices.json  with the source of every number"});
    command.callback([options, &exit_code] { exit_code = list_devices(*options); });
}

} // namespace apod::cli

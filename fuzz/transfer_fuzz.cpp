// Any bytes as recorded transfers; what is read can be shown in every view.
#include "report/plot.hpp"
#include "report/transfer_reader.hpp"
#include "report/transfer_view.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apod::report;
    const auto findings = transfer_from_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    if (!findings) return 0;
    std::size_t shown = transfer_text(*findings, {80, false}, true).size() + transfer_csv(*findings).size();
    shown += transfer_markdown(*findings).size() + svg_plots(transfer_plots(*findings)).size();
    for (const Plot& plot : transfer_plots(*findings)) shown += text_plot(plot).size();
    const std::string json = transfer_json(*findings);
    if (shown == 0 || !transfer_from_json(json, "again.json")) std::abort();
    return 0;
}

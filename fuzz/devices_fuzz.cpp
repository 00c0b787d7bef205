// Any bytes as recorded devices; what is read can be shown in every view.
#include "report/gpu_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apod::report;
    const auto gpus = present_from_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    if (!gpus) return 0;
    if (gpus->empty()) std::abort();
    (void)present_text(*gpus, {80, false});
    (void)present_markdown(*gpus);
    (void)peaks_csv(*gpus);
    for (const PresentGpu& gpu : *gpus) (void)present_json(gpu).dump();
    return 0;
}

// Any bytes as what a program's CUDA runtime wrote down; what is read can be shown in every view.
#include "report/run_record.hpp"
#include "report/run_view.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apod::report;
    RunRecord record;
    if (!read_run_lines({reinterpret_cast<const char*>(data), size}, record)) return 0;
    static const apod::arch::Gpu gpu = apod::arch::find_gpu("h200").value();
    const RunView view{record, "emu:h200", gpu};
    (void)run_text(view, {{80, false}, true});
    (void)run_json(view);
    (void)run_csv(view);
    (void)run_markdown(view);
    return 0;
}

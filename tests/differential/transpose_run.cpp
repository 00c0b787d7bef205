#include "transpose_run.hpp"

#include "device/emulated/emulated.hpp"

#include <cstring>
#include <fstream>
#include <sstream>

namespace apod::differential {

namespace {

struct Shape {
    const char* name;
    const char* kernel;
    Dim3 grid;
    Dim3 block;
};

std::vector<Shape> shapes(std::uint32_t n) {
    const auto groups = [](std::uint64_t items, std::uint64_t size) { return static_cast<std::uint32_t>((items + size - 1) / size); };
    const Dim3 square16{groups(n, 16), groups(n, 16)};
    const Dim3 square32{groups(n, 32), groups(n, 32)};
    const Dim3 square64{groups(n, 64), groups(n, 64)};
    return {{"copy", "copy", {groups(groups(std::uint64_t{n} * n, 4), 256)}, {256}},
            {"one_thread", "one_thread", {1}, {1}},
            {"per_row_256", "per_row", {groups(n, 256)}, {256}},
            {"per_row_1024", "per_row", {groups(n, 1024)}, {1024}},
            {"per_element_16", "per_element", square16, {16, 16}},
            {"per_element_32", "per_element", square32, {32, 32}},
            {"tiled_32", "tiled<32>", square32, {32, 32}},
            {"tiled_16", "tiled<16>", square16, {16, 16}},
            {"padded", "padded", square32, {32, 32}},
            {"coarse", "coarse", square32, {32, 8}},
            {"vectorised", "vectorised", square64, {256}}};
}

} // namespace

Result<std::unique_ptr<TransposeRun>> TransposeRun::make(int n, unsigned threads) {
    Result<arch::Gpu> gpu = arch::find_gpu("h200");
    if (!gpu) return gpu.error();
    std::unique_ptr<TransposeRun> run(new TransposeRun);
    run->n_ = n;
    run->device_ = device::make_emulated(*std::move(gpu), {threads});
    const std::uint64_t bytes = std::uint64_t(n) * static_cast<std::uint64_t>(n) * sizeof(float);
    for (auto& [address, name] : {std::pair{&run->in_, "in"}, std::pair{&run->out_, "out"}}) {
        const Result<device::Address> allocated = run->device_->allocate(bytes, name);
        if (!allocated) return allocated.error();
        *address = *allocated;
    }
    const std::string path = "workloads/transpose/transpose.ptx";
    std::ifstream file(std::string(APOD_SOURCE_DIR) + "/" + path);
    std::stringstream text;
    text << file.rdbuf();
    Result<std::shared_ptr<device::Code>> code = run->device_->load(text.str(), path);
    if (!code) return code.error();
    run->code_ = *std::move(code);
    return run;
}

Result<LaunchRecord> TransposeRun::launch(const std::string& name, std::uint64_t budget) {
    for (const Shape& shape : shapes(static_cast<std::uint32_t>(n_))) {
        if (shape.name != name) continue;
        const Result<std::shared_ptr<device::Kernel>> kernel = code_->kernel(shape.kernel);
        if (!kernel) return kernel.error();
        device::Launch launch;
        launch.grid = shape.grid;
        launch.block = shape.block;
        launch.instruction_budget = budget;
        launch.parameters.resize((*kernel)->info().parameter_bytes);
        std::memcpy(launch.parameters.data(), &out_, 8);
        std::memcpy(launch.parameters.data() + 8, &in_, 8);
        std::memcpy(launch.parameters.data() + 16, &n_, 4);
        return device_->launch(**kernel, launch);
    }
    return internal_error("no kernel of that name is launched here: " + name);
}

} // namespace apod::differential

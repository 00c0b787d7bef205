#include "runtime/cuda/load.hpp"

#include "base/file.hpp"

namespace apod::runtime::cuda {
namespace {

Error read(Runtime& runtime, std::span<const std::byte> image, const std::string& name, std::vector<PtxUnit>& units, JitLog& log) {
    Diagnostic why;
    const Error error = read_image(image, runtime.gpu(), name, units, why);
    if (error != Error::success) log.error(why);
    return error;
}

} // namespace

Error units_of(Runtime& runtime, const void* image, const std::string& name, std::vector<PtxUnit>& units, JitLog& log) {
    const auto* data = static_cast<const std::byte*>(image);
    return read(runtime, {data, image_bytes(data)}, name, units, log);
}

Error units_of_file(Runtime& runtime, const char* path, std::vector<PtxUnit>& units, JitLog& log) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) {
        log.error(bytes.error());
        return file_not_found;
    }
    return read(runtime, {reinterpret_cast<const std::byte*>(bytes->data()), bytes->size()}, path, units, log);
}

Error load(Runtime& runtime, std::vector<PtxUnit> units, Module*& module, JitLog& log) {
    Module* added = runtime.add_module(std::move(units));
    const auto image = added->image(thread_state().device, runtime.gpu(), runtime.device_memory());
    if (!image) {
        const Error error = added->failure();
        log.error(image.error());
        runtime.remove_module(added);
        return error;
    }
    module = added;
    return Error::success;
}

Error image_of(Runtime& runtime, Module* module, std::shared_ptr<const emu::Image>& image) {
    if (!runtime.is_module(module)) return invalid_handle;
    const auto made = module->image(thread_state().device, runtime.gpu(), runtime.device_memory());
    if (!made) return module->failure();
    image = *made;
    return Error::success;
}

} // namespace apod::runtime::cuda

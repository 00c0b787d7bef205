// Any bytes as what nvcc says that a source includes, and as what was kept of an earlier compilation: an entry that is damaged is none.
#include "base/file.hpp"
#include "ladder/compile_cache.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

// A cache with one entry, and the file that holds it.
struct OneEntry {
    apod::TempDirectory directory = apod::TempDirectory::make("apod-fuzz").value();
    apod::ladder::CompileCache cache{directory.path(), "/no/nvcc", "k.cu", "source", {}};
    std::filesystem::path file;

    OneEntry() {
        cache.keep("ptx", {});
        file = std::filesystem::directory_iterator(directory.path() / "ptx")->path();
        if (cache.find() != "ptx") std::abort();
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const OneEntry entry;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const std::filesystem::path& path : apod::ladder::parse_dependencies(text, "k.cu"))
        if (path.empty()) std::abort();
    if (!apod::write_file(entry.file, text).ok()) std::abort();
    const std::optional<std::string> kept = entry.cache.find();
    if (kept && !text.ends_with(*kept)) std::abort();
    return 0;
}

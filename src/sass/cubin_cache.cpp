#include "sass/cubin_cache.hpp"

#include "base/file.hpp"
#include "base/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace apod::sass {

namespace fs = std::filesystem;

namespace {

// First line of an entry; another version of the format is no entry.
constexpr std::string_view heading = "apod assembled PTX 1\n";

// Leaves a quarter of the room free, so that not every new entry has to look for the oldest.
void make_room(const fs::path& directory, std::size_t most) {
    std::error_code failed;
    std::vector<std::pair<fs::file_time_type, fs::path>> entries;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, failed))
        if (entry.path().extension() == ".cubin") entries.emplace_back(entry.last_write_time(failed), entry.path());
    if (entries.size() < most) return;
    std::sort(entries.begin(), entries.end());
    const std::size_t too_many = entries.size() - most * 3 / 4;
    for (std::size_t i = 0; i < too_many; ++i) fs::remove(entries[i].second, failed);
}

} // namespace

CubinCache::CubinCache(const fs::path& directory, const fs::path& ptxas, const std::vector<std::string>& command, std::string_view ptx) {
    Fingerprint key;
    key.add(state_of(ptxas));
    for (const std::string& part : command) key.add(part);
    key.add(ptx);
    entry_ = directory / "ptxas" / (key.text() + ".cubin");
}

std::optional<std::string> CubinCache::find() const {
    auto contents = read_file(entry_);
    if (!contents || !contents->starts_with(heading)) return std::nullopt;
    return contents->substr(heading.size());
}

// Written beside its place and renamed: whoever reads meanwhile finds all of it or nothing.
void CubinCache::keep(std::string_view cubin, std::size_t most) const {
    std::error_code failed;
    fs::create_directories(entry_.parent_path(), failed);
    if (failed) return;
    make_room(entry_.parent_path(), most);
    const fs::path unfinished = entry_.string() + fmt::format(".{}", ::getpid());
    if (write_file(unfinished, std::string(heading).append(cubin))) fs::rename(unfinished, entry_, failed);
    if (failed) fs::remove(unfinished, failed);
}

} // namespace apod::sass

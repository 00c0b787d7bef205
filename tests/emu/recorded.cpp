#include "tests/emu/recorded.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unordered_map>

namespace apod::emu::testing {

namespace {

constexpr const char* file_name = APOD_SOURCE_DIR "/tests/replay/h200/instructions.csv";

// Lines: instruction, key, hash of the results. Comments begin with #.
std::unordered_map<std::uint64_t, std::uint64_t> read_record() {
    std::unordered_map<std::uint64_t, std::uint64_t> record;
    std::ifstream file(file_name);
    for (std::string line; std::getline(file, line);) {
        const std::size_t second = line.rfind(',');
        const std::size_t first = line.rfind(',', second - 1);
        if (line.empty() || line[0] == '#' || first == std::string::npos) continue;
        record[std::stoull(line.substr(first + 1, second - first - 1), nullptr, 16)] = std::stoull(line.substr(second + 1), nullptr, 16);
    }
    return record;
}

std::size_t agreed = 0;

} // namespace

std::uint64_t key_of(const KernelRun& before) {
    std::uint64_t hash = hash_of(before.text.data(), before.text.size());
    for (const auto& buffer : before.buffers) hash = hash_of(buffer.data(), buffer.size(), hash);
    return hash_of(before.scalars.data(), before.scalars.size() * 4, hash);
}

std::string compare_with_record(std::string_view name, std::uint64_t key, std::uint64_t hash) {
    if (on_hardware()) {
        if (const char* path = std::getenv("APOD_RECORD"); path != nullptr)
            std::ofstream(path, std::ios::app) << fmt::format("\"{}\",{:016x},{:016x}\n", name, key, hash);
        return {};
    }
    static const auto record = read_record();
    const auto found = record.find(key);
    if (found == record.end()) return {};
    if (found->second != hash) return fmt::format("{}: an H200 gave other bits (tests/replay/h200/instructions.csv)", name);
    ++agreed;
    return {};
}

std::size_t agreed_with_record() { return agreed; }

} // namespace apod::emu::testing

#include "runtime/core/record_file.hpp"

#include "report/check_view.hpp"
#include "report/json.hpp"
#include "runtime/core/message.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace apod::runtime {
namespace {

constexpr std::size_t most_remembered = 32; // different launches of a kernel that later ones are compared with

std::string text(const report::Json& json) { return json.dump(-1, ' ', false, report::Json::error_handler_t::replace); }

const char* direction_text(Direction direction) {
    switch (direction) {
    case Direction::host_to_device: return "host to device";
    case Direction::device_to_host: return "device to host";
    case Direction::device_to_device: return "device to device";
    case Direction::host_to_host: return "host to host";
    }
    return "";
}

bool same(const LineRecord& a, const LineRecord& b) {
    return a.line == b.line && a.file == b.file && a.inlined_at == b.inlined_at && a.metrics == b.metrics;
}

// In shape and in every counter; all else follows from these.
bool same(const LaunchRecord& a, const LaunchRecord& b) {
    return a.grid == b.grid && a.block == b.block && a.static_shared_bytes == b.static_shared_bytes &&
           a.dynamic_shared_bytes == b.dynamic_shared_bytes && a.time_ns == b.time_ns && a.metrics == b.metrics &&
           std::equal(a.lines.begin(), a.lines.end(), b.lines.begin(), b.lines.end(),
                      [](const LineRecord& x, const LineRecord& y) { return same(x, y); });
}

} // namespace

void RecordFile::open(const std::string& path, const std::string& program, const std::string& device, int devices) {
    if (path.empty()) return;
    std::error_code ignored;
    const bool directory = std::filesystem::is_directory(path, ignored);
    if (directory) directory_ = path;
    const std::string file = directory ? path + "/" + std::to_string(::getpid()) + ".jsonl" : path;
    file_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file_ < 0) return give_up(errno, 0);
    write(text({{"schema", report::schema_version}, {"program", program}, {"device", device}, {"devices", devices}}));
}

void RecordFile::begin(const std::string& kernel, const Dim3& grid, const Dim3& block) {
    if (file_ < 0) return;
    const auto shape = [](const Dim3& d) { return std::to_string(d.x) + " " + std::to_string(d.y) + " " + std::to_string(d.z); };
    write("{\"begun\":\"" + kernel + ", grid " + shape(grid) + ", block " + shape(block) + "\"}"); // names of PTX need no escapes
}

std::uint32_t RecordFile::launch(LaunchRecord record) {
    if (file_ < 0) return 0;
    record.index = launches_++;
    std::vector<LaunchRecord>& seen = seen_[record.mangled];
    for (const LaunchRecord& other : seen)
        if (same(record, other)) {
            write("{\"again\":" + std::to_string(other.index) + "}");
            return other.index;
        }
    const std::string index = std::to_string(record.index);
    report::Json json = report::to_json(record);
    json["index"] = 0;
    write("{\"index\":" + index + ",\"launch\":" + text(json) + "}");
    const std::uint32_t own = record.index;
    if (seen.size() < most_remembered) seen.push_back(std::move(record));
    return own;
}

std::uint32_t RecordFile::only_ran(LaunchRecord record) {
    if (file_ < 0) return 0;
    const std::uint32_t index = launches_++;
    report::Json json = report::to_json(record);
    write("{\"index\":" + std::to_string(index) + ",\"ran\":" + text(json) + "}");
    return index;
}

void RecordFile::uncounted(std::uint32_t like) {
    if (file_ < 0) return;
    ++launches_;
    write("{\"uncounted\":" + std::to_string(like) + "}");
}

void RecordFile::copy(Direction direction, std::uint64_t bytes, double time_ns, bool pinned) {
    if (file_ < 0) return;
    write(text({{"copy", direction_text(direction)}, {"bytes", bytes}, {"time_ns", report::number(time_ns)}, {"pinned", pinned}}));
}

void RecordFile::fill(std::uint64_t bytes, double time_ns) {
    if (file_ < 0) return;
    write(text({{"copy", "fill"}, {"bytes", bytes}, {"time_ns", report::number(time_ns)}}));
}

void RecordFile::check(const CheckReport& report) {
    if (file_ < 0) return;
    write(text({{"check", report::to_json(report)}}));
}

void RecordFile::check_again(std::size_t index, std::uint64_t count) {
    if (file_ < 0) return;
    write(text({{"check_again", index}, {"count", count}}));
}

void RecordFile::failed_call(const CheckReport& report) {
    if (file_ < 0) return;
    write(text({{"failed_call", report::to_json(report)}}));
}

void RecordFile::failed_again(std::size_t index, std::uint64_t count) {
    if (file_ < 0) return;
    write(text({{"failed_again", index}, {"count", count}}));
}

void RecordFile::fault(const Diagnostic& diagnostic) {
    if (file_ < 0) return;
    write(text({{"fault", report::to_json(diagnostic)}}));
}

// One write for each line: whatever ends the process later, what has finished is in the file.
void RecordFile::write(const std::string& line) {
    const std::string whole = line + "\n";
    std::size_t done = 0;
    while (done < whole.size()) {
        const ssize_t written = ::write(file_, whole.data() + done, whole.size() - done);
        if (written < 0 && errno != EINTR) return give_up(errno, done);
        if (written > 0) done += static_cast<std::size_t>(written);
    }
}

// What could not be recorded must not look as if it had not happened.
void RecordFile::give_up(int error, std::size_t written_of_line) {
    if (file_ >= 0) {
        const off_t end = ::lseek(file_, 0, SEEK_END);
        if (written_of_line > 0 && end >= static_cast<off_t>(written_of_line))
            (void)!::ftruncate(file_, end - static_cast<off_t>(written_of_line));
        ::close(std::exchange(file_, -1));
    }
    if (!directory_.empty()) ::unlink((directory_ + "/" + whole_records).c_str());
    say("cannot write the record of what runs: " + std::generic_category().message(error) + "; what follows is missing in it");
}

} // namespace apod::runtime

#include "runtime/core/record_file.hpp"

#include "report/json.hpp"
#include "runtime/core/message.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace apod::runtime {
namespace {

constexpr std::size_t most_remembered = 4096; // different launches that later ones are compared with

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

} // namespace

void RecordFile::open(const std::string& path, const std::string& program, const std::string& device, int devices) {
    if (path.empty()) return;
    std::error_code ignored;
    const bool directory = std::filesystem::is_directory(path, ignored);
    const std::string file = directory ? path + "/" + std::to_string(::getpid()) + ".jsonl" : path;
    file_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file_ < 0) {
        say("cannot write the record " + file + ": " + std::generic_category().message(errno));
        return;
    }
    write(text({{"schema", report::schema_version}, {"program", program}, {"device", device}, {"devices", devices}}));
}

void RecordFile::launch(LaunchRecord record) {
    if (file_ < 0) return;
    record.index = 0;
    std::string launch = text(report::to_json(record));
    const std::uint32_t index = launches_++;
    if (const auto found = seen_.find(launch); found != seen_.end()) return write("{\"again\":" + std::to_string(found->second) + "}");
    write("{\"index\":" + std::to_string(index) + ",\"launch\":" + launch + "}");
    if (seen_.size() < most_remembered) seen_.emplace(std::move(launch), index);
}

void RecordFile::copy(Direction direction, std::uint64_t bytes, double time_ns, bool pinned) {
    if (file_ < 0) return;
    write(text({{"copy", direction_text(direction)}, {"bytes", bytes}, {"time_ns", report::number(time_ns)}, {"pinned", pinned}}));
}

void RecordFile::fill(std::uint64_t bytes, double time_ns) {
    if (file_ < 0) return;
    write(text({{"copy", "fill"}, {"bytes", bytes}, {"time_ns", report::number(time_ns)}}));
}

void RecordFile::fault(const Diagnostic& diagnostic) {
    if (file_ < 0) return;
    write(text({{"fault", report::to_json(diagnostic)}}));
}

// One write for each line: whatever ends the process later, what has finished is in the file.
void RecordFile::write(const std::string& line) const {
    const std::string whole = line + "\n";
    std::size_t done = 0;
    while (done < whole.size()) {
        const ssize_t written = ::write(file_, whole.data() + done, whole.size() - done);
        if (written < 0 && errno != EINTR) return;
        if (written > 0) done += static_cast<std::size_t>(written);
    }
}

} // namespace apod::runtime

#include "report/run_record.hpp"

#include "base/json_problem.hpp"
#include "bench/helper_kernels.hpp"
#include "model/metric_registry.hpp"
#include "report/check_view.hpp"
#include "report/launch_reader.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace apod::report {
namespace {

class Reader {
public:
    explicit Reader(RunRecord& record) : record_(record), first_check_(record.checks.size()), first_failed_(record.failed_calls.size()) {}

    Result<void> line(const Json& json) {
        if (json.contains("begun")) {
            running_ = json.at("begun").get<std::string>();
            return {};
        }
        if (json.contains("failed_call")) return report(json.at("failed_call"), record_.failed_calls);
        if (json.contains("failed_again")) return count_again(json, "failed_again", record_.failed_calls, first_failed_);
        if (!json.contains("copy")) running_.clear(); // what comes next is how it ended
        if (json.contains("launch")) return launch(json, "launch", 0);
        if (json.contains("ran")) return launch(json, "ran", 1);
        if (json.contains("again")) return again(json.at("again").get<std::uint32_t>(), 0);
        if (json.contains("uncounted")) return again(json.at("uncounted").get<std::uint32_t>(), 1);
        if (json.contains("copy")) {
            CopyTotal& total = record_.copies[json.at("copy").get<std::string>()];
            ++total.count;
            total.bytes += json.at("bytes").get<std::uint64_t>();
            total.time_ns += json.at("time_ns").get<double>();
            if (!json.value("pinned", true)) {
                total.pageable_bytes += json.at("bytes").get<std::uint64_t>();
                total.pageable_ns += json.at("time_ns").get<double>();
            }
        } else if (json.contains("check")) {
            return report(json.at("check"), record_.checks);
        } else if (json.contains("check_again")) {
            return count_again(json, "check_again", record_.checks, first_check_);
        } else if (json.contains("fault")) {
            std::optional<Diagnostic> fault = diagnostic_from_json(json.at("fault"));
            if (!fault) return bad_input({}, "its fault cannot be read");
            record_.faults.push_back(*std::move(fault));
        } else if (json.contains("program") && record_.program.empty()) {
            record_.program = json.at("program").get<std::string>();
        }
        return {};
    }

    // The process has ended.
    void end() {
        if (!running_.empty()) record_.unfinished.push_back(running_);
    }

private:
    Result<void> launch(const Json& json, const char* key, std::uint64_t uncounted) {
        Result<LaunchRecord> launch = launch_from_json(json.at(key));
        if (!launch) return launch.error();
        positions_[json.at("index").get<std::uint32_t>()] = record_.launches.size();
        follow(record_.launches.size());
        record_.launches.push_back({*std::move(launch), 1, uncounted});
        record_.launches.back().record.index = static_cast<std::uint32_t>(json.at("index").get<std::uint32_t>());
        return {};
    }

    Result<void> again(std::uint32_t index, std::uint64_t uncounted) {
        const auto found = positions_.find(index);
        if (found == positions_.end()) return bad_input({}, "it repeats launch " + std::to_string(index) + ", which is not there");
        follow(found->second);
        ++record_.launches[found->second].count;
        record_.launches[found->second].uncounted += uncounted;
        return {};
    }

    void follow(std::size_t launch) {
        if (record_.order.empty() || record_.order.back().launch != launch) record_.order.push_back({launch, 0});
        ++record_.order.back().times;
    }

    static Result<void> report(const Json& json, std::vector<CheckReport>& reports) {
        std::optional<CheckReport> report = check_from_json(json);
        if (!report) return bad_input({}, "its report of a check cannot be read");
        reports.push_back(*std::move(report));
        return {};
    }

    static Result<void> count_again(const Json& json, const char* key, std::vector<CheckReport>& reports, std::size_t first) {
        const auto index = json.at(key).get<std::size_t>();
        if (index >= reports.size() - first) return bad_input({}, "it repeats mistake " + std::to_string(index) + ", which is not there");
        reports[first + index].count = json.at("count").get<std::uint64_t>();
        return {};
    }

    RunRecord& record_;
    std::size_t first_check_; // of this process
    std::size_t first_failed_;
    std::string running_;
    std::unordered_map<std::uint32_t, std::size_t> positions_; // of this process's launches
};

Result<void> read_line(Reader& reader, std::string_view text, std::uint32_t number) {
    std::string problem;
    try {
        if (const Result<void> read = reader.line(Json::parse(text)); !read)
            problem = read.error().message;
        else
            return read;
    } catch (const Json::exception& error) {
        problem = json_problem(error.what());
    }
    return bad_input({"run record", number, 0}, problem);
}

} // namespace

double kernel_ns(const LaunchRecord& launch) {
    const double duration = model::value_or_zero(launch.metrics, model::metric::duration);
    return duration > 0 ? duration : launch.time_ns.value;
}

bool is_apods_own(const LaunchRecord& launch) {
    const auto& names = bench::helper_kernel_names;
    return std::find(std::begin(names), std::end(names), launch.mangled) != std::end(names);
}

std::uint64_t RunRecord::launch_count() const {
    std::uint64_t count = 0;
    for (const CountedLaunch& launch : launches) count += launch.count;
    return count;
}

std::uint64_t RunRecord::uncounted() const {
    std::uint64_t count = 0;
    for (const CountedLaunch& launch : launches) count += launch.uncounted;
    return count;
}

bool RunRecord::only_ran() const { return !launches.empty() && uncounted() == launch_count(); }

double RunRecord::kernel_ns() const {
    double sum = 0;
    for (const CountedLaunch& launch : launches)
        if (!is_apods_own(launch.record)) sum += report::kernel_ns(launch.record) * static_cast<double>(launch.count);
    return sum;
}

CountedTime RunRecord::apods_own() const {
    CountedTime own;
    for (const CountedLaunch& launch : launches) {
        if (!is_apods_own(launch.record)) continue;
        own.count += launch.count;
        own.time_ns += report::kernel_ns(launch.record) * static_cast<double>(launch.count);
    }
    return own;
}

double RunRecord::copy_ns() const {
    double sum = 0;
    for (const auto& [direction, total] : copies) sum += total.time_ns;
    return sum;
}

Result<void> read_run_lines(std::string_view lines, RunRecord& record) {
    Reader reader(record);
    std::uint32_t number = 0;
    while (!lines.empty()) {
        ++number;
        const std::size_t end = lines.find('\n');
        if (end == std::string_view::npos) break;
        if (const Result<void> read = read_line(reader, lines.substr(0, end), number); !read) return read;
        lines.remove_prefix(end + 1);
    }
    reader.end();
    return {};
}

} // namespace apod::report

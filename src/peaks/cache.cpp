#include "peaks/cache.hpp"

#include "base/file.hpp"
#include "base/json_problem.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace apod::peaks {

namespace {

using Json = nlohmann::ordered_json;

// Counted up when a kernel or a method changes, so that old figures are not shown for new ones.
constexpr int format_version = 2;

const char* source_word(Source source) { return source == Source::measured ? "measured" : "predicted"; }

Json figure_to_json(const Figure& figure) {
    Json json = {{"id", figure.id},     {"group", figure.group},       {"what", figure.what},
                 {"unit", figure.unit}, {"value", figure.value.value}, {"source", source_word(figure.value.source)}};
    if (figure.value.noise) json["noise"] = *figure.value.noise;
    if (figure.theoretical) json["theoretical"] = *figure.theoretical;
    if (figure.theoretical) json["formula"] = figure.formula;
    if (!figure.note.empty()) json["note"] = figure.note;
    return json;
}

Figure figure_from_json(const Json& json) {
    Figure figure;
    figure.id = json.at("id").get<std::string>();
    figure.group = json.at("group").get<std::string>();
    figure.what = json.at("what").get<std::string>();
    figure.unit = json.at("unit").get<std::string>();
    figure.value.value = json.at("value").get<double>();
    figure.value.source = json.at("source").get<std::string>() == "measured" ? Source::measured : Source::predicted;
    if (json.contains("noise")) figure.value.noise = json.at("noise").get<double>();
    if (json.contains("theoretical")) figure.theoretical = json.at("theoretical").get<double>();
    figure.formula = json.value("formula", std::string());
    figure.note = json.value("note", std::string());
    return figure;
}

std::string safe(const std::string& text) {
    std::string name;
    for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' ? c : '_';
    return name.empty() ? "unknown" : name;
}

} // namespace

std::filesystem::path cache_path(const std::filesystem::path& cache, const device::DeviceFacts& facts) {
    const std::string driver = facts.driver_version.empty() ? fmt::format("cuda{}", facts.cuda_version) : facts.driver_version;
    return cache / "peaks" / fmt::format("{}-{}.json", safe(facts.uuid), safe(driver));
}

std::string peaks_to_json(const Peaks& peaks) {
    Json json = {{"format", format_version},
                 {"device", peaks.device},
                 {"name", peaks.name},
                 {"uuid", peaks.uuid},
                 {"driver", peaks.driver},
                 {"cuda_version", peaks.cuda_version},
                 {"measured_at", peaks.measured_at},
                 {"clock_mhz", peaks.clock_mhz}};
    json["figures"] = Json::array();
    for (const Figure& figure : peaks.figures) json["figures"].push_back(figure_to_json(figure));
    json["notes"] = peaks.notes;
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Peaks> peaks_from_json(std::string_view text, const std::string& file) {
    try {
        const Json json = Json::parse(text);
        if (json.at("format").get<int>() != format_version)
            return bad_input({file, 0, 0}, "these figures are of another version of apod", "measure again: apod devices --measure --again");
        Peaks peaks;
        peaks.device = json.at("device").get<std::string>();
        peaks.name = json.at("name").get<std::string>();
        peaks.uuid = json.at("uuid").get<std::string>();
        peaks.driver = json.at("driver").get<std::string>();
        peaks.cuda_version = json.at("cuda_version").get<int>();
        peaks.measured_at = json.at("measured_at").get<std::string>();
        peaks.clock_mhz = json.at("clock_mhz").get<double>();
        for (const Json& figure : json.at("figures")) peaks.figures.push_back(figure_from_json(figure));
        for (const Json& note : json.at("notes")) peaks.notes.push_back(note.get<std::string>());
        return peaks;
    } catch (const Json::exception& error) {
        return bad_input({file, 0, 0}, fmt::format("these are no measured figures: {}", json_problem(error.what())),
                         "measure again: apod devices --measure --again");
    }
}

std::optional<Peaks> load_peaks(const std::filesystem::path& cache, const device::DeviceFacts& facts) {
    const std::filesystem::path path = cache_path(cache, facts);
    const Result<std::string> text = read_file(path, largest_recording_bytes);
    if (!text) return std::nullopt;
    Result<Peaks> peaks = peaks_from_json(*text, path.string());
    if (!peaks || peaks->uuid != facts.uuid) return std::nullopt;
    peaks->device = facts.id; // numbers may change with CUDA_VISIBLE_DEVICES
    return *std::move(peaks);
}

Result<void> keep_peaks(const std::filesystem::path& cache, const device::DeviceFacts& facts, const Peaks& peaks) {
    return write_file(cache_path(cache, facts), peaks_to_json(peaks));
}

} // namespace apod::peaks

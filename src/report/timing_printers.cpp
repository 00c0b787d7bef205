#include "report/timing_printers.hpp"

#include "base/units.hpp"
#include "report/delimited.hpp"
#include "report/json.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

#include <vector>

namespace apod::report {
namespace {

using bench::Comparison;
using bench::Measurement;

class TextPrinter final : public bench::Printer {
public:
    explicit TextPrinter(const TextStyle& style) :
        style_(style),
        table_({{"name"},
                {"median", Align::right},
                {"+-", Align::right, "95 %"},
                {"minimum", Align::right},
                {"quartiles", Align::right},
                {"samples", Align::right},
                {"clock", Align::right, "MHz"},
                {"first run", Align::right},
                {"stopped by"}}) {}

    void measurement(const Measurement& measured) override {
        const bench::Summary& time = measured.time_ns;
        table_.add_row({measured.name, format_time_ns(time.median), format_percent(time.noise(), 2), format_time_ns(time.minimum),
                        format_time_ns(time.lower_quartile) + " to " + format_time_ns(time.upper_quartile), std::to_string(time.samples),
                        measured.clock_mhz > 0 ? fmt::format("{:.0f}", measured.clock_mhz) : nothing,
                        format_time_ns(measured.first_run_ns, 3), measured.stop.rule + ": " + measured.stop.reason});
        for (const std::string& note : measured.notes) below_ += paragraph("  ", "  ", measured.name + ": " + note, style_);
        any_ = true;
    }

    void comparison(const Comparison& compared) override {
        measurement(compared.base);
        measurement(compared.other);
        const bench::Judgement& judged = compared.judgement;
        below_ += paragraph(
            "", "  ", fmt::format("{} against {}: {}: {}", compared.other.name, compared.base.name, to_text(judged.verdict), judged.reason),
            style_);
    }

    [[nodiscard]] std::string text() const override { return (any_ ? table_.render(style_) : std::string()) + below_; }

private:
    TextStyle style_;
    TextTable table_;
    std::string below_;
    bool any_ = false;
};

Json samples_json(const Measurement& measured) {
    Json samples = Json::array();
    for (const bench::Sample& sample : measured.samples)
        samples.push_back({{"time_ns", number(sample.time_ns)},
                           {"runs", sample.runs},
                           {"round", sample.round},
                           {"clock_mhz", number(sample.clock_mhz)},
                           {"held_back", sample.held_back}});
    return samples;
}

Json measurement_json(const Measurement& measured) {
    const bench::Summary& time = measured.time_ns;
    return {{"name", measured.name},
            {"median_ns", number(time.median)},
            {"low_ns", number(time.median_interval.low)},
            {"high_ns", number(time.median_interval.high)},
            {"confidence", number(time.median_interval.confidence)},
            {"minimum_ns", number(time.minimum)},
            {"lower_quartile_ns", number(time.lower_quartile)},
            {"upper_quartile_ns", number(time.upper_quartile)},
            {"relative_deviation", number(time.relative_deviation)},
            {"first_run_ns", number(measured.first_run_ns)},
            {"clock_mhz", number(measured.clock_mhz)},
            {"dropped", measured.dropped},
            {"stopped_by", measured.stop.rule},
            {"stop_reason", measured.stop.reason},
            {"notes", measured.notes},
            {"samples", samples_json(measured)}};
}

class JsonPrinter final : public bench::Printer {
public:
    void measurement(const Measurement& measured) override { timings_.push_back(measurement_json(measured)); }

    void comparison(const Comparison& compared) override {
        const bench::Judgement& judged = compared.judgement;
        comparisons_.push_back({{"base", timings_.size()},
                                {"other", timings_.size() + 1},
                                {"verdict", to_text(judged.verdict)},
                                {"ratio", number(judged.ratio)},
                                {"ratio_low", number(judged.ratio_interval.low)},
                                {"ratio_high", number(judged.ratio_interval.high)},
                                {"threshold", number(judged.threshold)},
                                {"cycle_ratio", number(judged.cycle_ratio)},
                                {"rounds", compared.rounds.size()},
                                {"reason", judged.reason}});
        measurement(compared.base);
        measurement(compared.other);
    }

    [[nodiscard]] std::string text() const override {
        Json json;
        json["schema"] = schema_version;
        json["timings"] = timings_;
        json["comparisons"] = comparisons_;
        return dump(json);
    }

private:
    Json timings_ = Json::array();
    Json comparisons_ = Json::array();
};

class CsvPrinter final : public bench::Printer {
public:
    void measurement(const Measurement& measured) override {
        for (const bench::Sample& sample : measured.samples)
            rows_ += csv_row({measured.name, std::to_string(sample.round), std::to_string(sample.runs), plain_number(sample.time_ns),
                              plain_number(sample.clock_mhz), sample.throttled ? "1" : "0", sample.held_back ? "1" : "0"});
    }
    void comparison(const Comparison& compared) override {
        measurement(compared.base);
        measurement(compared.other);
    }
    [[nodiscard]] std::string text() const override {
        return csv_row({"name", "round", "runs", "time_ns", "clock_mhz", "throttled", "held_back"}) + rows_;
    }

private:
    std::string rows_;
};

} // namespace

std::unique_ptr<bench::Printer> timing_text_printer(const TextStyle& style) { return std::make_unique<TextPrinter>(style); }
std::unique_ptr<bench::Printer> timing_json_printer() { return std::make_unique<JsonPrinter>(); }
std::unique_ptr<bench::Printer> timing_csv_printer() { return std::make_unique<CsvPrinter>(); }

} // namespace apod::report

#include "report/check_view.hpp"

#include "report/delimited.hpp"

#include <fmt/format.h>

#include <array>

namespace apod::report {
namespace {

constexpr std::array<std::pair<CheckKind, std::string_view>, 17> kinds = {{
    {CheckKind::out_of_bounds, "out-of-bounds"},
    {CheckKind::misaligned, "misaligned"},
    {CheckKind::use_after_free, "use-after-free"},
    {CheckKind::double_free, "double-free"},
    {CheckKind::invalid_free, "invalid-free"},
    {CheckKind::leak, "leak"},
    {CheckKind::uninitialised, "uninitialised"},
    {CheckKind::race, "race"},
    {CheckKind::divergent_barrier, "divergent-barrier"},
    {CheckKind::barrier_misuse, "barrier-misuse"},
    {CheckKind::deadlock, "deadlock"},
    {CheckKind::invalid_shuffle, "invalid-shuffle"},
    {CheckKind::invalid_mask, "invalid-mask"},
    {CheckKind::async_copy, "async-copy"},
    {CheckKind::stack_overflow, "stack-overflow"},
    {CheckKind::failed_call, "failed-call"},
    {CheckKind::fault, "fault"},
}};

Json index_json(const CheckIndex& index) { return Json::array({index.x, index.y, index.z}); }

CheckIndex index_from(const Json& json) {
    return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(), json.at(2).get<std::uint32_t>()};
}

Json access_json(const CheckAccess& access) {
    Json json = {{"what", access.what}, {"file", access.place.file}, {"line", access.place.line}};
    if (!access.place.inlined_at.empty()) json["inlined_at"] = access.place.inlined_at;
    json["block"] = index_json(access.block);
    json["thread"] = index_json(access.thread);
    return json;
}

CheckAccess access_from(const Json& json) {
    CheckAccess access;
    access.what = json.at("what").get<std::string>();
    access.place.file = json.at("file").get<std::string>();
    access.place.line = json.at("line").get<std::uint32_t>();
    if (json.contains("inlined_at")) access.place.inlined_at = json.at("inlined_at").get<std::vector<std::string>>();
    access.block = index_from(json.at("block"));
    access.thread = index_from(json.at("thread"));
    return access;
}

CheckReport report_from(const Json& json) {
    CheckReport report;
    const std::string kind = json.at("kind").get<std::string>();
    for (const auto& [known, name] : kinds)
        if (name == kind) report.kind = known;
    report.kernel = json.at("kernel").get<std::string>();
    report.message = json.at("message").get<std::string>();
    report.access = access_from(json.at("access"));
    report.count = json.at("count").get<std::uint64_t>();
    if (json.contains("address")) report.address = json.at("address").get<std::uint64_t>();
    if (json.contains("object")) {
        const Json& object = json.at("object");
        report.object = CheckObject{object.at("space").get<std::string>(), object.at("name").get<std::string>(),
                                    object.at("bytes").get<std::uint64_t>(), object.at("offset").get<std::int64_t>()};
        if (object.contains("number")) report.object->number = object.at("number").get<std::uint32_t>();
        if (object.contains("given_by")) report.object->given_by = object.at("given_by").get<std::string>();
        if (object.contains("given_at")) report.object->given_at = object.at("given_at").get<std::vector<std::string>>();
    }
    if (json.contains("other")) report.other = access_from(json.at("other"));
    if (json.contains("host")) report.host = json.at("host").get<std::vector<std::string>>();
    report.notes = json.at("notes").get<std::vector<std::string>>();
    report.advice = json.at("advice").get<std::string>();
    return report;
}

} // namespace

std::string_view check_kind_name(CheckKind kind) {
    for (const auto& [known, name] : kinds)
        if (known == kind) return name;
    return "fault";
}

Json to_json(const CheckReport& report) {
    Json json = {{"kind", check_kind_name(report.kind)},
                 {"kernel", report.kernel},
                 {"message", report.message},
                 {"count", report.count},
                 {"access", access_json(report.access)}};
    if (report.other) json["other"] = access_json(*report.other);
    if (report.object) {
        json["address"] = report.address;
        json["object"] = {{"space", report.object->space},
                          {"name", report.object->name},
                          {"bytes", report.object->bytes},
                          {"offset", report.object->offset}};
        if (report.object->number != 0) json["object"]["number"] = report.object->number;
        if (!report.object->given_by.empty()) json["object"]["given_by"] = report.object->given_by;
        if (!report.object->given_at.empty()) json["object"]["given_at"] = report.object->given_at;
    }
    if (!report.host.empty()) json["host"] = report.host;
    json["notes"] = report.notes;
    json["advice"] = report.advice;
    return json;
}

std::optional<CheckReport> check_from_json(const Json& json) {
    try {
        return report_from(json);
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

std::string check_json(const CheckView& view) {
    Json reports = Json::array();
    for (const CheckReport& report : view.reports) reports.push_back(to_json(report));
    Json errors = Json::array();
    for (const Diagnostic& error : view.errors) errors.push_back(to_json(error));
    Json json = {{"schema", schema_version}, {"checked", view.subject}, {"on", view.device}, {"reports", reports}, {"errors", errors}};
    if (!view.stopped.empty()) json["stopped"] = view.stopped;
    return dump(json);
}

namespace {

std::vector<std::string> cells(const CheckReport& report) {
    return {std::string(check_kind_name(report.kind)),
            report.kernel,
            report.access.place.file,
            std::to_string(report.access.place.line),
            report.other ? report.other->place.file : "",
            report.other ? std::to_string(report.other->place.line) : "",
            std::to_string(report.count),
            report.message};
}
const std::vector<std::string> heads = {"kind", "kernel", "file", "line", "other file", "other line", "count", "message"};

} // namespace

std::string check_csv(const CheckView& view) {
    std::string out = csv_row(heads);
    for (const CheckReport& report : view.reports) out += csv_row(cells(report));
    return out;
}

std::string check_markdown(const CheckView& view) {
    std::vector<std::vector<std::string>> rows;
    for (const CheckReport& report : view.reports) rows.push_back(cells(report));
    return fmt::format("### {} checked on {}\n\n", markdown_text(view.subject), markdown_text(view.device)) +
           markdown_table(heads, {false, false, false, true, false, true, true, false}, rows);
}

} // namespace apod::report

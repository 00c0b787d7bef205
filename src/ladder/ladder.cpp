#include "ladder/ladder.hpp"

#include "base/assets.hpp"
#include "base/file.hpp"
#include "base/nearest.hpp"
#include "ladder/fields.hpp"
#include "ladder/ladder_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apod::ladder {

using Kind = DocumentNode::Kind;

namespace {

constexpr std::string_view workloads = "workloads/";
constexpr std::string_view ladder_file = "/ladder.toml";

Result<void> read_sources(const DocumentNode& root, Ladder& ladder) {
    const auto node = require(root, "source", "the ladder", "source = \"kernels.cu\"");
    if (!node) return node.error();
    const auto paths = read_texts(**node, "source");
    if (!paths) return paths.error();
    for (std::size_t i = 0; i < paths->size(); ++i) {
        const SourcePosition where = (*node)->is(Kind::array) ? (*node)->items[i].where : (*node)->where;
        const std::string extension = std::filesystem::path((*paths)[i]).extension();
        if (extension != ".cu" && extension != ".ptx") {
            return bad_input(where, fmt::format("the source '{}' is neither .cu nor .ptx", (*paths)[i]));
        }
        ladder.sources.push_back({(*paths)[i], where});
    }
    if (ladder.sources.empty()) return bad_input((*node)->where, "there is no source", "add, for example: source = \"kernels.cu\"");
    const DocumentNode* flags = root.find("compile_flags");
    if (flags == nullptr) return {};
    const auto texts = read_texts(*flags, "compile_flags");
    if (!texts) return texts.error();
    ladder.compile_flags = *texts;
    return {};
}

// Calls `read` with each table of the array of tables under the key.
template<class Read> Result<void> for_each_table(const DocumentNode& root, std::string_view key, const Read& read) {
    const DocumentNode* array = root.find(key);
    if (array == nullptr) return {};
    const std::string wanted = fmt::format("an array of tables: [[{}]]", key);
    if (!array->is(Kind::array)) return wrong_type(*array, key, wanted);
    for (const DocumentNode& item : array->items) {
        if (!item.is(Kind::table)) return wrong_type(item, key, wanted);
        if (Result<void> done = read(item); !done) return done;
    }
    return {};
}

Result<void> read_data(const DocumentNode& root, Ladder& ladder) {
    if (const DocumentNode* node = root.find("parameters")) {
        auto parameters = read_parameters(*node);
        if (!parameters) return parameters.error();
        ladder.parameters = *std::move(parameters);
    }
    if (const DocumentNode* node = root.find("matrix")) {
        auto matrices = read_matrices(*node);
        if (!matrices) return matrices.error();
        ladder.matrices = *std::move(matrices);
    }
    Result<void> buffers = for_each_table(root, "buffer", [&](const DocumentNode& table) -> Result<void> {
        auto buffer = read_buffer(table);
        if (!buffer) return buffer.error();
        ladder.buffers.push_back(*std::move(buffer));
        return {};
    });
    if (!buffers) return buffers;
    if (const DocumentNode* node = root.find("check")) {
        const auto tolerance = read_tolerance(*node, "[check]");
        if (!tolerance) return tolerance.error();
        ladder.tolerance = *tolerance;
    }
    if (const DocumentNode* node = root.find("work")) {
        auto work = read_work(*node);
        if (!work) return work.error();
        ladder.work = *std::move(work);
    }
    const auto golden_node =
        require(root, "golden", "the ladder", "[golden] with rung = \"naive\": the results of that rung are the right ones");
    if (!golden_node) return golden_node.error();
    auto golden = read_golden(**golden_node);
    if (!golden) return golden.error();
    ladder.golden = *std::move(golden);
    return {};
}

Result<void> read_rungs(const DocumentNode& root, Ladder& ladder) {
    const DocumentNode* arguments = root.find("arguments");
    Result<void> rungs = for_each_table(root, "rung", [&](const DocumentNode& table) -> Result<void> {
        auto rung = read_rung(table, ladder.buffers, arguments);
        if (!rung) return rung.error();
        ladder.rungs.push_back(*std::move(rung));
        return {};
    });
    if (!rungs) return rungs;
    if (ladder.rungs.empty()) return bad_input(root.where, "the ladder has no rung", "add at least one [[rung]]");
    if (const DocumentNode* node = root.find("yardstick")) {
        auto yardstick = read_yardstick(*node, ladder.buffers, arguments);
        if (!yardstick) return yardstick.error();
        ladder.yardstick = *std::move(yardstick);
    }
    return {};
}

Result<Ladder> read_ladder(const DocumentNode& root, Ladder ladder) {
    const auto keys = check_keys(root, "the ladder",
                                 {"title", "source", "compile_flags", "parameters", "arguments", "matrix", "buffer", "golden", "check",
                                  "work", "rung", "yardstick"});
    if (!keys) return keys.error();
    if (const DocumentNode* node = root.find("title")) {
        const auto title = read_text(*node, "title");
        if (!title) return title.error();
        ladder.title = *title;
    }
    for (const auto step : {read_sources, read_data, read_rungs}) {
        if (Result<void> done = step(root, ladder); !done) return done.error();
    }
    if (Result<void> sound = check_ladder(ladder); !sound) return sound.error();
    return ladder;
}

} // namespace

const Buffer* Ladder::find_buffer(std::string_view buffer) const {
    const auto found = std::find_if(buffers.begin(), buffers.end(), [&](const Buffer& each) { return each.name == buffer; });
    return found == buffers.end() ? nullptr : &*found;
}

const Parameter* Ladder::find_parameter(std::string_view parameter) const {
    const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& each) { return each.name == parameter; });
    return found == parameters.end() ? nullptr : &*found;
}

const Rung* Ladder::find_rung(std::string_view rung) const {
    const auto found = std::find_if(rungs.begin(), rungs.end(), [&](const Rung& each) { return each.name == rung; });
    return found == rungs.end() ? nullptr : &*found;
}

Result<Ladder> parse_ladder(std::string_view toml_text, Origin origin) {
    auto document = parse_document(toml_text, origin.file);
    if (!document) return document.error();
    if (document->where.line == 0) document->where = {origin.file, 1, 1};
    Ladder ladder;
    const std::filesystem::path file(origin.file);
    ladder.name = origin.assets.empty() ? file.stem().string() : origin.assets.substr(workloads.size());
    // A file named ladder.toml is better known by its folder.
    if (origin.assets.empty() && ladder.name == "ladder" && file.has_parent_path()) ladder.name = file.parent_path().filename().string();
    ladder.title = ladder.name;
    ladder.origin = std::move(origin);
    return read_ladder(*document, std::move(ladder));
}

std::vector<std::string> built_in_ladders() {
    std::vector<std::string> names;
    for (const std::string_view path : asset_names(workloads)) {
        if (!path.ends_with(ladder_file)) continue;
        names.emplace_back(path.substr(workloads.size(), path.size() - workloads.size() - ladder_file.size()));
    }
    return names;
}

Result<Ladder> load_ladder(const std::string& name_or_path) {
    if (name_or_path.find('/') == std::string::npos && !name_or_path.ends_with(".toml")) {
        const std::string assets = std::string(workloads) + name_or_path;
        if (const auto text = find_asset(assets + std::string(ladder_file))) {
            return parse_ladder(*text, {assets + std::string(ladder_file), {}, assets});
        }
        const std::vector<std::string> known = built_in_ladders();
        return usage_error(fmt::format("there is no built-in ladder '{}'", name_or_path),
                           nearest_hint(name_or_path, known) + "; a ladder of your own is given by its path: my/ladder.toml");
    }
    const std::filesystem::path path(name_or_path);
    const auto text = read_file(path, std::uint64_t{16} << 20);
    if (!text) return text.error();
    const std::filesystem::path directory = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    return parse_ladder(*text, {name_or_path, directory, {}});
}

Result<std::string> read_ladder_file(const Origin& origin, const std::string& path, const SourcePosition& where) {
    if (!origin.assets.empty()) {
        if (const auto contents = find_asset(origin.assets + "/" + path)) return std::string(*contents);
        return bad_input(where, fmt::format("the built-in file '{}/{}' does not exist", origin.assets, path));
    }
    auto contents = read_file(origin.directory / path);
    if (contents.ok()) return contents;
    Diagnostic error = contents.error();
    error.notes.push_back(fmt::format("named at {}:{}:{}; paths are relative to that file", where.file, where.line, where.column));
    error.hint.clear();
    return error;
}

Result<Environment> bind_parameters(const Ladder& ladder, const std::map<std::string, double>& overrides, bool emulated) {
    Environment values;
    std::vector<std::string> known;
    for (const Parameter& parameter : ladder.parameters) {
        known.push_back(parameter.name);
        Value& value = values[parameter.name] = parameter.initial;
        if (emulated && parameter.emulated) value = *parameter.emulated;
        const auto given = overrides.find(parameter.name);
        if (given == overrides.end()) continue;
        const double real = given->second;
        const bool whole = real == std::floor(real) && std::abs(real) < 0x1p53;
        if (std::holds_alternative<std::int64_t>(parameter.initial) && !whole) {
            return usage_error(
                fmt::format("the parameter '{}' of the ladder '{}' is an integer, and {} is none", parameter.name, ladder.name, real));
        }
        if ((parameter.minimum && real < *parameter.minimum) || (parameter.maximum && real > *parameter.maximum) || !std::isfinite(real)) {
            const std::string least = parameter.minimum ? fmt::format("at least {}", *parameter.minimum) : "";
            const std::string most = parameter.maximum ? fmt::format("at most {}", *parameter.maximum) : "";
            return usage_error(fmt::format("the parameter '{}' of the ladder '{}' cannot be {}", parameter.name, ladder.name, real),
                               fmt::format("it must be {}{}{}", least, least.empty() || most.empty() ? "" : " and ", most));
        }
        if (std::holds_alternative<std::int64_t>(parameter.initial)) {
            value = static_cast<std::int64_t>(real);
        } else {
            value = real;
        }
    }
    for (const auto& [name, value] : overrides) {
        if (values.contains(name)) continue;
        return usage_error(fmt::format("the ladder '{}' has no parameter '{}'", ladder.name, name), nearest_hint(name, known));
    }
    return values;
}

} // namespace apod::ladder

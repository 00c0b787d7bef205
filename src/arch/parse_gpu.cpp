// Reading descriptions: TOML to Gpu, every error with its place. Only this file includes toml++.
#include "arch/fields.hpp"
#include "arch/plausible.hpp"
#include "base/assets.hpp"
#include "base/nearest.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <limits>
#include <set>

#include <fmt/format.h>

namespace apod::arch {
namespace {

constexpr std::string_view confidence_marks = "VMPR?";

// The files that make a GPU differ in what they may say at top level.
enum class Kind { gpu, capability, model };

struct Document {
    toml::table root;
    std::string file;
    Kind kind = Kind::gpu;
};

SourcePosition position(const Document& document, const toml::source_region& region) {
    return {document.file, region.begin.line, region.begin.column};
}
SourcePosition position(const Document& document, const toml::node& node) { return position(document, node.source()); }

Result<Document> read_document(std::string_view text, const std::string& file, Kind kind) {
    try {
        return Document{toml::parse(text, file), file, kind};
    } catch (const toml::parse_error& error) {
        return bad_input({file, error.source().begin.line, error.source().begin.column}, std::string(error.description()),
                         "a description is a TOML file; see docs/devices.md");
    } catch (const std::exception& error) {
        return bad_input({file, 0, 0}, std::string("not a description: ") + error.what());
    }
}

std::vector<std::string> keys_of_section(std::string_view section, Kind kind) {
    std::vector<std::string> keys;
    for (const auto& field : text_fields())
        if (field.section == section && kind == Kind::gpu) keys.emplace_back(field.key);
    for (const auto& field : number_fields())
        if (field.section == section && (kind == Kind::gpu || !section.empty())) keys.emplace_back(field.key);
    return keys;
}

Result<void> check_keys(const Document& document, const toml::table& table, const std::string& where,
                        const std::vector<std::string>& known) {
    for (const auto& [key, node] : table) {
        const std::string name(key.str());
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        return bad_input(position(document, key.source()), fmt::format("unknown key '{}' {}", name, where), nearest_hint(name, known));
    }
    return {};
}

// Sections are tables and hold no key that is not in the list of fields.
Result<void> check_structure(const Document& document) {
    auto top = keys_of_section("", document.kind);
    top.emplace_back(document.kind == Kind::model ? "measured_on" : "compute_capability");
    top.emplace_back("sources");
    top.insert(top.end(), section_names().begin(), section_names().end());
    if (auto checked = check_keys(document, document.root, "at top level", top); !checked) return checked;
    for (const auto section : section_names()) {
        const toml::node* node = document.root.get(section);
        if (node == nullptr) continue;
        if (!node->is_table())
            return bad_input(position(document, *node), fmt::format("'{}' must be a table", section),
                             "write [" + std::string(section) + "]");
        auto checked = check_keys(document, *node->as_table(), fmt::format("in [{}]", section), keys_of_section(section, document.kind));
        if (!checked) return checked;
    }
    return {};
}

Result<std::string> read_text(const Document& document, const toml::table& table, std::string_view path, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr)
        return bad_input(position(document, table), fmt::format("'{}' is missing", path), fmt::format("add {} = \"...\"", key));
    const auto text = node->value_exact<std::string>();
    if (!text) return bad_input(position(document, *node), fmt::format("'{}' must be a string", path), "put it in quotes");
    if (text->empty()) return bad_input(position(document, *node), fmt::format("'{}' must not be empty", path));
    return *text;
}

// "S1 S8" -> what these names stand for in the file's [sources]. All of them have to be there.
Result<std::string> spelled_sources(const Document& document, const toml::node& at, std::string_view names) {
    const toml::table* sources = document.root["sources"].as_table();
    std::vector<std::string> known;
    if (sources != nullptr)
        for (const auto& [key, node] : *sources) known.emplace_back(key.str());
    std::string spelled;
    std::size_t begin = 0;
    while ((begin = names.find_first_not_of(' ', begin)) != std::string_view::npos) {
        const auto end = std::min(names.find(' ', begin), names.size());
        const std::string name(names.substr(begin, end - begin));
        begin = end;
        const toml::node* node = sources == nullptr ? nullptr : sources->get(name);
        const auto text = node == nullptr ? std::nullopt : node->value_exact<std::string>();
        if (!text)
            return bad_input(position(document, at), fmt::format("source '{}' is not spelled out in [sources]", name),
                             nearest_hint(name, known));
        if (!spelled.empty()) spelled += "; ";
        spelled += *text;
    }
    if (spelled.empty()) return bad_input(position(document, at), "a number without source", "name one of [sources]");
    return spelled;
}

Result<Provenance> read_provenance(const Document& document, const toml::table& entry, const std::string& path) {
    auto names = read_text(document, entry, path + ".source", "source");
    if (!names) return names.error();
    auto confidence = read_text(document, entry, path + ".confidence", "confidence");
    if (!confidence) return confidence.error();
    if (confidence->size() != 1 || confidence_marks.find(confidence->front()) == std::string_view::npos)
        return bad_input(position(document, *entry.get("confidence")), fmt::format("'{}' is no mark of confidence", *confidence),
                         "V read in a public source, M measured, P part read, R recalled, ? unknown and substituted");
    auto spelled = spelled_sources(document, *entry.get("source"), *names);
    if (!spelled) return spelled.error();
    if (entry.get("note") != nullptr) {
        auto note = read_text(document, entry, path + ".note", "note");
        if (!note) return note.error();
        *spelled += " (" + *note + ")";
    }
    return Provenance{*spelled, *confidence};
}

class ValueReader {
public:
    ValueReader(const Document& document, const NumberField& field) : document_(document), field_(field) {}

    // Stores the value of `node` where the field says.
    Result<void> store(const toml::node& node, Gpu& gpu) const {
        return std::visit([&](auto target) { return assign(node, *target(gpu)); }, field_.target);
    }

private:
    Result<void> assign(const toml::node& node, bool& to) const {
        const auto value = node.value_exact<bool>();
        if (!value) return wrong(node, "must be true or false");
        to = *value;
        return {};
    }

    Result<void> assign(const toml::node& node, double& to) const {
        if (!node.is_number()) return wrong(node, "must be a number");
        const double value = *node.value<double>();
        if (!(value >= field_.low && value <= field_.high)) return out_of_range(node, fmt::format("{}", value));
        to = value;
        return {};
    }

    template<class Integer> Result<void> assign(const toml::node& node, Integer& to) const {
        const auto value = node.value_exact<std::int64_t>();
        if (!value) return wrong(node, "must be a whole number");
        const auto as_double = static_cast<double>(*value);
        if (*value < 0 || as_double < field_.low || as_double > field_.high) return out_of_range(node, std::to_string(*value));
        to = static_cast<Integer>(*value);
        return {};
    }

    Result<void> assign(const toml::node& node, std::vector<std::uint32_t>& to) const {
        const toml::array* list = node.as_array();
        if (list == nullptr || list->empty()) return wrong(node, "must be a list of whole numbers");
        to.clear();
        for (const toml::node& element : *list) {
            std::uint32_t value = 0;
            if (auto stored = assign(element, value); !stored) return stored;
            if (!to.empty() && value <= to.back()) return wrong(element, "must ascend");
            to.push_back(value);
        }
        return {};
    }

    Result<void> wrong(const toml::node& node, std::string_view what) const {
        return bad_input(position(document_, node), fmt::format("'{}' {}", field_.path(), what));
    }
    Result<void> out_of_range(const toml::node& node, const std::string& value) const {
        return bad_input(position(document_, node), fmt::format("'{}' = {} makes no sense", field_.path(), value),
                         fmt::format("from {} to {} is accepted", field_.low, field_.high));
    }

    const Document& document_;
    const NumberField& field_;
};

// { value = 132, source = "S10", confidence = "V" }, with an optional note.
Result<void> read_number(const Document& document, const toml::node& node, const NumberField& field, Gpu& gpu) {
    const std::string path = field.path();
    const toml::table* entry = node.as_table();
    if (entry == nullptr)
        return bad_input(position(document, node), fmt::format("'{}' must carry its source", path),
                         fmt::format("write {} = {{ value = ..., source = \"...\", confidence = \"V\" }}", field.key));
    if (auto checked = check_keys(document, *entry, "in '" + path + "'", {"value", "source", "confidence", "note"}); !checked)
        return checked;
    const toml::node* value = entry->get("value");
    if (value == nullptr) return bad_input(position(document, node), fmt::format("'{}' has no value", path), "add value = ...");
    if (auto stored = ValueReader(document, field).store(*value, gpu); !stored) return stored;
    auto provenance = read_provenance(document, *entry, path);
    if (!provenance) return provenance.error();
    gpu.provenance[path] = *provenance;
    return {};
}

const toml::node* find_number(const Document& document, const NumberField& field) {
    if (field.section.empty()) return document.root.get(field.key);
    const toml::table* section = document.root[field.section].as_table();
    return section == nullptr ? nullptr : section->get(field.key);
}

Result<void> read_numbers(const Document& document, Gpu& gpu) {
    for (const auto& field : number_fields()) {
        const toml::node* node = find_number(document, field);
        if (node == nullptr) continue;
        if (auto read = read_number(document, *node, field, gpu); !read) return read;
    }
    return {};
}

Result<void> read_texts(const Document& document, Gpu& gpu) {
    for (const auto& field : text_fields()) {
        const toml::table* table = field.section.empty() ? &document.root : document.root[field.section].as_table();
        if (table == nullptr) return bad_input({document.file, 1, 1}, fmt::format("[{}] is missing", field.section));
        if (!field.required && table->get(field.key) == nullptr) continue;
        const std::string path = field.section.empty() ? std::string(field.key) : fmt::format("{}.{}", field.section, field.key);
        auto text = read_text(document, *table, path, field.key);
        if (!text) return text.error();
        *field.target(gpu) = *text;
    }
    return {};
}

Result<void> check_complete(const Document& document, const Gpu& gpu) {
    for (const auto& field : number_fields()) {
        const std::string path = field.path();
        if (!field.required || gpu.provenance.contains(path)) continue;
        const toml::node* section = field.section.empty() ? nullptr : document.root.get(field.section);
        const SourcePosition where = section == nullptr ? SourcePosition{document.file, 1, 1} : position(document, *section);
        const std::string shared = field.section.empty() ? "" : fmt::format(", or to cc/{}.{}.toml", gpu.cc.major, gpu.cc.minor);
        return bad_input(where, fmt::format("'{}' is missing", path),
                         fmt::format("add {} = {{ value = ..., source = \"...\", confidence = \"?\" }}{}", field.key, shared));
    }
    return {};
}

// "9.0" -> {9, 0}.
Result<ComputeCapability> read_capability(const Document& document) {
    auto text = read_text(document, document.root, "compute_capability", "compute_capability");
    if (!text) return text.error();
    ComputeCapability cc;
    const char* const end = text->data() + text->size();
    const auto major = std::from_chars(text->data(), end, cc.major);
    const bool dotted = major.ec == std::errc() && major.ptr != end && *major.ptr == '.';
    const auto minor = dotted ? std::from_chars(major.ptr + 1, end, cc.minor) : std::from_chars_result{end, std::errc::invalid_argument};
    const bool good = minor.ec == std::errc() && minor.ptr == end && cc.major >= 1 && cc.major < 100 && cc.minor >= 0 && cc.minor < 10;
    if (!good || *text != fmt::format("{}.{}", cc.major, cc.minor))
        return bad_input(position(document, *document.root.get("compute_capability")), fmt::format("'{}' is no compute capability", *text),
                         "write \"9.0\"");
    return cc;
}

// What the GPUs of a capability share is read first; the GPU's own file may then overrule it.
Result<void> read_shared_part(const Document& own, const CapabilityText& capability_text, Gpu& gpu) {
    const std::string capability = fmt::format("{}.{}", gpu.cc.major, gpu.cc.minor);
    const auto text = capability_text ? capability_text(capability) : std::nullopt;
    if (!text)
        return bad_input(position(own, *own.root.get("compute_capability")), "no description of compute capability " + capability,
                         "add data/arch/cc/" + capability + ".toml");
    auto document = read_document(*text, "cc/" + capability + ".toml", Kind::capability);
    if (!document) return document.error();
    if (auto checked = check_structure(*document); !checked) return checked;
    auto stated = read_capability(*document);
    if (!stated) return stated.error();
    if (*stated != gpu.cc)
        return bad_input(position(*document, *document->root.get("compute_capability")),
                         "this file describes another compute capability than its name says");
    return read_numbers(*document, gpu);
}

// The constants of the model; those that another GPU was measured for are not known of this one.
Result<void> read_model_part(Gpu& gpu) {
    auto document = read_document(find_asset(model_constants_file).value_or(""), model_constants_file, Kind::model);
    if (!document) return document.error();
    if (auto checked = check_structure(*document); !checked) return checked;
    auto measured_on = read_text(*document, document->root, "measured_on", "measured_on");
    if (!measured_on) return measured_on.error();
    if (auto read = read_numbers(*document, gpu); !read) return read;
    if (*measured_on == gpu.id) return {};
    for (auto& [path, provenance] : gpu.provenance)
        if (path.starts_with("model.")) provenance = {"borrowed from the " + *measured_on + ": " + provenance.source, "?"};
    return {};
}

} // namespace

Result<Gpu> parse_gpu(std::string_view toml_text, const std::string& file, const CapabilityText& capability_text) {
    auto document = read_document(toml_text, file, Kind::gpu);
    if (!document) return document.error();
    if (auto checked = check_structure(*document); !checked) return checked.error();
    Gpu gpu;
    if (auto read = read_texts(*document, gpu); !read) return read.error();
    auto cc = read_capability(*document);
    if (!cc) return cc.error();
    gpu.cc = *cc;
    if (auto read = read_model_part(gpu); !read) return read.error();
    if (auto read = read_shared_part(*document, capability_text, gpu); !read) return read.error();
    if (auto read = read_numbers(*document, gpu); !read) return read.error();
    if (auto complete = check_complete(*document, gpu); !complete) return complete.error();
    if (auto problem = implausible(gpu)) {
        const auto field =
            std::find_if(number_fields().begin(), number_fields().end(), [&](const auto& f) { return f.path() == problem->path; });
        const toml::node* node = field == number_fields().end() ? nullptr : find_number(*document, *field);
        const SourcePosition where = node == nullptr ? SourcePosition{file, 1, 1} : position(*document, *node);
        return bad_input(where, "'" + problem->path + "' " + problem->message);
    }
    return gpu;
}

} // namespace apod::arch

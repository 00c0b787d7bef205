// The tables of a ladder file that describe its data: parameters, buffers, golden result, work.
#include "base/nearest.hpp"
#include "ladder/fields.hpp"
#include "ladder/gpu_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace apod::ladder {

using Kind = DocumentNode::Kind;

namespace {

bool is_identifier(std::string_view name) {
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) return false;
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
    }
    return name != "and" && name != "or" && name != "not" && name != "true" && name != "false";
}

Result<Value> read_value(const DocumentNode& node, std::string_view what) {
    if (node.is(Kind::integer)) return Value(node.integer);
    if (node.is(Kind::real)) return Value(node.real);
    return wrong_type(node, what, "a number");
}

Result<void> read_limit(const DocumentNode& table, std::string_view key, std::optional<double>& limit) {
    const DocumentNode* node = table.find(key);
    if (node == nullptr) return {};
    Result<double> value = read_real(*node, key);
    if (!value) return value.error();
    limit = *value;
    return {};
}

// default = "stencil", choices = ["random", "stencil"]: the value is which of them.
Result<void> read_choice(const DocumentNode& choices, const DocumentNode& initial, const std::string& what, Parameter& parameter) {
    auto names = read_texts(choices, "choices");
    if (!names) return names.error();
    for (const std::string& name : *names) {
        if (!is_identifier(name)) return bad_input(choices.where, fmt::format("'{}' cannot be a choice of {}", name, what));
    }
    parameter.choices = *std::move(names);
    const auto text = read_text(initial, what);
    if (!text) return text.error();
    const auto found = std::find(parameter.choices.begin(), parameter.choices.end(), *text);
    if (found == parameter.choices.end())
        return bad_input(initial.where, fmt::format("the default '{}' of {} is none of its choices", *text, what),
                         nearest_hint(*text, parameter.choices));
    parameter.initial = std::int64_t{found - parameter.choices.begin()};
    parameter.minimum = 0;
    parameter.maximum = static_cast<double>(parameter.choices.size() - 1);
    return {};
}

Result<Parameter> read_parameter(const DocumentEntry& entry) {
    Parameter parameter;
    parameter.name = entry.key;
    parameter.where = entry.where;
    if (!is_identifier(entry.key)) {
        return bad_input(entry.where, fmt::format("'{}' cannot be a parameter's name", entry.key),
                         "use letters, digits and '_', no digit first");
    }
    if (entry.key.starts_with(gpu_prefix))
        return bad_input(entry.where, fmt::format("'{}' cannot be a parameter's name: those of the GPU begin so", entry.key));
    const std::string what = fmt::format("the parameter '{}'", entry.key);
    const DocumentNode* initial = &entry.value;
    if (entry.value.is(Kind::table)) {
        if (const auto keys = check_keys(entry.value, what, {"default", "emulated", "min", "max", "description", "choices"}); !keys)
            return keys.error();
        const auto found = require(entry.value, "default", what, "default = 1024");
        if (!found) return found.error();
        initial = *found;
        for (const auto& [key, limit] : {std::pair{"min", &parameter.minimum}, std::pair{"max", &parameter.maximum}}) {
            if (const auto read = read_limit(entry.value, key, *limit); !read) return read.error();
        }
        if (const DocumentNode* node = entry.value.find("emulated")) {
            const auto value = read_value(*node, what);
            if (!value) return value.error();
            const auto* const whole = std::get_if<std::int64_t>(&*value);
            if (whole == nullptr) return wrong_type(*node, "emulated", "an integer");
            parameter.emulated = *whole;
        }
        if (const DocumentNode* node = entry.value.find("description")) {
            const auto text = read_text(*node, "description");
            if (!text) return text.error();
            parameter.description = *text;
        }
        if (const DocumentNode* node = entry.value.find("choices")) {
            if (const auto read = read_choice(*node, *initial, what, parameter); !read) return read.error();
            return parameter;
        }
    }
    const auto value = read_value(*initial, what);
    if (!value) return value.error();
    parameter.initial = *value;
    if (parameter.emulated && !std::holds_alternative<std::int64_t>(*value))
        return bad_input(initial->where, fmt::format("{} has an integer for emulated devices and another default", what));
    const double real = as_real(*value);
    if ((parameter.minimum && real < *parameter.minimum) || (parameter.maximum && real > *parameter.maximum)) {
        return bad_input(initial->where, fmt::format("the default {} of {} is outside its own limits", to_text(*value), what));
    }
    return parameter;
}

Result<Role> read_role(const DocumentNode& node) {
    Result<std::string> text = read_text(node, "role");
    if (!text) return text.error();
    if (*text == "in") return Role::in;
    if (*text == "out") return Role::out;
    if (*text == "inout") return Role::inout;
    if (*text == "work") return Role::work;
    const std::vector<std::string> known = {"in", "out", "inout", "work"};
    return bad_input(node.where, fmt::format("there is no role '{}'", *text), nearest_hint(*text, known));
}

Result<void> read_pair(const DocumentNode& node, std::string_view what, Initial& initial) {
    auto values = read_expressions(node, what, 2, 2);
    if (!values) return values.error();
    if (values->size() != 2) return wrong_type(node, what, "an array of two numbers");
    initial.first = (*values)[0];
    initial.second = (*values)[1];
    return {};
}

// { uniform = [0, 1], seed = 7 } and its like: one of the ways, and perhaps a seed.
Result<Initial> read_initial_table(const DocumentNode& node) {
    constexpr std::string_view what = "init";
    if (const auto keys = check_keys(node, what, {"constant", "iota", "uniform", "normal", "file", "matrix", "part", "seed"}); !keys)
        return keys.error();
    Initial initial;
    initial.where = node.where;
    std::size_t ways = 0;
    for (const DocumentEntry& entry : node.entries) {
        if (entry.key == "seed") {
            const auto seed = read_count(entry.value, "seed");
            if (!seed) return seed.error();
            initial.seed = *seed;
            continue;
        }
        if (entry.key == "part") {
            const auto part = read_text(entry.value, "part");
            if (!part) return part.error();
            initial.part = *part;
            continue;
        }
        ++ways;
        if (entry.key == "matrix") {
            initial.fill = Fill::matrix;
            const auto name = read_text(entry.value, "matrix");
            if (!name) return name.error();
            initial.matrix = *name;
        } else if (entry.key == "file") {
            initial.fill = Fill::file;
            const auto path = read_text(entry.value, "file");
            if (!path) return path.error();
            initial.path = *path;
        } else if (entry.key == "constant") {
            initial.fill = Fill::constant;
            auto value = read_expression(entry.value, "constant");
            if (!value) return value.error();
            initial.first = *value;
        } else {
            initial.fill = entry.key == "iota" ? Fill::iota : (entry.key == "uniform" ? Fill::uniform : Fill::normal);
            if (const auto pair = read_pair(entry.value, entry.key, initial); !pair) return pair.error();
        }
    }
    if (ways == 1 && (initial.fill == Fill::matrix) == !initial.part.empty()) return initial;
    if (ways == 1) return bad_input(node.where, "matrix and part go together", "for example: init = { matrix = \"a\", part = \"values\" }");
    return bad_input(node.where, "init needs exactly one of constant, iota, uniform, normal, file and matrix",
                     "for example: init = { uniform = [-1, 1], seed = 1 }");
}

Result<Initial> read_initial(const DocumentNode& node) {
    if (node.is(Kind::table)) return read_initial_table(node);
    Initial initial;
    initial.where = node.where;
    if (node.is_number()) {
        initial.fill = Fill::constant;
        auto value = read_expression(node, "init");
        if (!value) return value.error();
        initial.first = *value;
        return initial;
    }
    if (!node.is(Kind::text)) return wrong_type(node, "init", "a number, \"zeros\", \"iota\", or a table like { uniform = [0, 1] }");
    const std::vector<std::string> known = {"zeros", "iota", "uniform", "normal"};
    if (node.text == "zeros") return initial;
    if (node.text == "iota" || node.text == "uniform" || node.text == "normal") {
        initial.fill = node.text == "iota" ? Fill::iota : (node.text == "uniform" ? Fill::uniform : Fill::normal);
        initial.first = Expression::constant(std::int64_t{0}, node.where);
        initial.second = Expression::constant(std::int64_t{1}, node.where);
        return initial;
    }
    return bad_input(node.where, fmt::format("there is no init '{}'", node.text), nearest_hint(node.text, known));
}

Result<ElementType> read_type(const DocumentNode& node) {
    Result<std::string> text = read_text(node, "type");
    if (!text) return text.error();
    if (const auto type = element_type_from_name(*text)) return *type;
    if (*text == "float" || *text == "int" || *text == "double") {
        const std::string_view right = *text == "float" ? "f32" : (*text == "int" ? "s32" : "f64");
        return bad_input(node.where, fmt::format("'{}' is C++'s name of a type", *text), fmt::format("write PTX's: \"{}\"", right));
    }
    return bad_input(node.where, fmt::format("there is no type '{}'", *text), nearest_hint(*text, element_type_names()));
}

Result<void> read_buffer_contents(const DocumentNode& table, const std::string& what, Buffer& buffer) {
    if (const DocumentNode* role = table.find("role")) {
        const auto value = read_role(*role);
        if (!value) return value.error();
        buffer.role = *value;
    }
    const bool poisoned = buffer.role == Role::out || buffer.role == Role::work;
    if (poisoned) buffer.initial.fill = Fill::poison;
    if (const DocumentNode* init = table.find("init")) {
        if (poisoned) {
            return bad_input(init->where, fmt::format("{} is written by the kernels only, so it has no initial contents", what),
                             "give it role = \"inout\" when a kernel reads it or leaves parts of it as they were");
        }
        auto value = read_initial(*init);
        if (!value) return value.error();
        buffer.initial = *std::move(value);
    } else if (!poisoned) {
        return bad_input(table.where, fmt::format("{} lacks the key 'init'", what), "add, for example: init = \"iota\"");
    }
    if (const DocumentNode* check = table.find("check")) {
        auto tolerance = read_tolerance(*check, "check");
        if (!tolerance) return tolerance.error();
        buffer.tolerance = *tolerance;
    }
    return {};
}

} // namespace

Result<std::vector<Parameter>> read_parameters(const DocumentNode& table) {
    if (!table.is(Kind::table)) return wrong_type(table, "parameters", "a table");
    std::vector<Parameter> parameters;
    for (const DocumentEntry& entry : table.entries) {
        auto parameter = read_parameter(entry);
        if (!parameter) return parameter.error();
        parameters.push_back(*std::move(parameter));
    }
    return parameters;
}

Result<Buffer> read_buffer(const DocumentNode& table) {
    const auto name_node = require(table, "name", "[[buffer]]", "name = \"in\"");
    if (!name_node) return name_node.error();
    const auto name = read_name(**name_node, "name");
    if (!name) return name.error();
    const std::string what = fmt::format("the buffer '{}'", *name);
    if (const auto keys = check_keys(table, what, {"name", "type", "shape", "role", "init", "check"}); !keys) return keys.error();
    Buffer buffer;
    buffer.name = *name;
    buffer.where = (*name_node)->where;
    const auto type_node = require(table, "type", what, "type = \"f32\"");
    if (!type_node) return type_node.error();
    const auto type = read_type(**type_node);
    if (!type) return type.error();
    buffer.type = *type;
    const auto shape_node = require(table, "shape", what, "shape = [\"n\", \"n\"]");
    if (!shape_node) return shape_node.error();
    auto shape = read_expressions(**shape_node, "shape", 1, 8);
    if (!shape) return shape.error();
    buffer.shape = *std::move(shape);
    if (const auto contents = read_buffer_contents(table, what, buffer); !contents) return contents.error();
    return buffer;
}

Result<Golden> read_golden(const DocumentNode& table) {
    constexpr std::string_view what = "[golden]";
    if (!table.is(Kind::table)) return wrong_type(table, "golden", "a table");
    if (const auto keys = check_keys(table, what, {"rung", "reference", "files"}); !keys) return keys.error();
    if (table.entries.size() != 1) {
        return bad_input(table.where, "[golden] needs exactly one of rung, reference and files",
                         "for example: rung = \"naive\", or reference = \"transpose\", or files = { out = \"out.npy\" }");
    }
    Golden golden;
    const DocumentEntry& entry = table.entries.front();
    golden.where = entry.value.where;
    if (entry.key != "files") {
        golden.kind = entry.key == "rung" ? GoldenKind::rung : GoldenKind::reference;
        const auto name = read_name(entry.value, entry.key);
        if (!name) return name.error();
        golden.name = *name;
        return golden;
    }
    golden.kind = GoldenKind::files;
    if (!entry.value.is(Kind::table)) return wrong_type(entry.value, "files", "a table like { out = \"out.npy\" }");
    for (const DocumentEntry& file : entry.value.entries) {
        const auto path = read_text(file.value, file.key);
        if (!path) return path.error();
        golden.files[file.key] = *path;
    }
    return golden;
}

Result<Work> read_work(const DocumentNode& table) {
    if (!table.is(Kind::table)) return wrong_type(table, "work", "a table");
    if (const auto keys = check_keys(table, "[work]", {"bytes", "operations", "type"}); !keys) return keys.error();
    Work work;
    for (const auto& [key, target] : {std::pair{"bytes", &work.bytes}, std::pair{"operations", &work.operations}}) {
        const DocumentNode* node = table.find(key);
        if (node == nullptr) continue;
        auto expression = read_expression(*node, key);
        if (!expression) return expression.error();
        *target = *std::move(expression);
    }
    if (const DocumentNode* node = table.find("type")) {
        const auto type = read_text(*node, "type");
        if (!type) return type.error();
        const std::vector<std::string> known = {"fp32", "fp64", "int32"};
        if (*type != "fp32" && *type != "fp64" && *type != "int32") {
            return bad_input(node->where, fmt::format("there is no type of operations '{}'", *type), nearest_hint(*type, known));
        }
        work.operation_type = *type;
    }
    return work;
}

} // namespace apod::ladder

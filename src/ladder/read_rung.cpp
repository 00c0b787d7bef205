// [[rung]] and [yardstick]: kernels with their grids, blocks and arguments.
#include "base/nearest.hpp"
#include "ladder/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::ladder {

using Kind = DocumentNode::Kind;

namespace {

Result<Argument> read_argument(const DocumentNode& node, const std::vector<Buffer>& buffers) {
    Argument argument;
    argument.where = node.where;
    const auto is_named = [&](const Buffer& buffer) { return node.is(Kind::text) && buffer.name == node.text; };
    if (std::any_of(buffers.begin(), buffers.end(), is_named)) {
        argument.buffer = node.text;
        return argument;
    }
    auto scalar = read_expression(node, "an argument");
    if (!scalar) return scalar.error();
    argument.scalar = *std::move(scalar);
    return argument;
}

Result<void> read_arguments(const DocumentNode* node, const DocumentNode& table, const std::string& what,
                            const std::vector<Buffer>& buffers, KernelLaunch& launch) {
    launch.arguments_where = node != nullptr ? node->where : table.where;
    if (node == nullptr) {
        return bad_input(table.where, fmt::format("{} lacks the key 'arguments'", what),
                         "add, for example: arguments = [\"out\", \"in\", \"n\"], here or at the top of the file for all rungs");
    }
    if (!node->is(Kind::array)) return wrong_type(*node, "arguments", "an array of buffers' names and expressions");
    for (const DocumentNode& item : node->items) {
        auto argument = read_argument(item, buffers);
        if (!argument) return argument.error();
        launch.arguments.push_back(*std::move(argument));
    }
    return {};
}

Result<KernelLaunch> read_launch(const DocumentNode& table, const std::string& what, const std::vector<Buffer>& buffers,
                                 const DocumentNode* shared_arguments) {
    KernelLaunch launch;
    launch.where = table.where;
    const auto kernel = require(table, "kernel", what, "kernel = \"tiled\"");
    if (!kernel) return kernel.error();
    const auto kernel_name = read_text(**kernel, "kernel");
    if (!kernel_name) return kernel_name.error();
    launch.kernel = *kernel_name;
    launch.kernel_where = (*kernel)->where;
    for (const auto& [key, target, example] : {std::tuple{"grid", &launch.grid, "grid = [\"ceil(n/32)\", \"ceil(n/32)\"]"},
                                               std::tuple{"block", &launch.block, "block = [32, 8]"}}) {
        const auto node = require(table, key, what, example);
        if (!node) return node.error();
        auto extents = read_expressions(**node, key, 1, 3);
        if (!extents) return extents.error();
        *target = *std::move(extents);
    }
    if (const DocumentNode* node = table.find("dynamic_shared")) {
        auto bytes = read_expression(*node, "dynamic_shared");
        if (!bytes) return bytes.error();
        launch.dynamic_shared = *std::move(bytes);
    }
    const DocumentNode* own = table.find("arguments");
    const auto arguments = read_arguments(own != nullptr ? own : shared_arguments, table, what, buffers, launch);
    if (!arguments) return arguments.error();
    return launch;
}

// [[rung.launch]] or [[rung.prepare]]: each table is one launch.
Result<void> read_tables(const DocumentNode& node, std::string_view key, const std::string& what, const std::vector<Buffer>& buffers,
                         const DocumentNode* shared_arguments, std::vector<KernelLaunch>& launches) {
    const std::string wanted = fmt::format("an array of tables: [[rung.{}]]", key);
    if (!node.is(Kind::array) || node.items.empty()) return wrong_type(node, key, wanted);
    for (const DocumentNode& item : node.items) {
        if (!item.is(Kind::table)) return wrong_type(item, key, wanted);
        const std::string launch_what = fmt::format("{} {} of {}", key, launches.size() + 1, what);
        const auto keys = check_keys(item, launch_what, {"kernel", "grid", "block", "arguments", "dynamic_shared"});
        if (!keys) return keys.error();
        auto launch = read_launch(item, launch_what, buffers, shared_arguments);
        if (!launch) return launch.error();
        launches.push_back(*std::move(launch));
    }
    return {};
}

Result<void> read_launches(const DocumentNode& table, const std::string& what, const std::vector<Buffer>& buffers,
                           const DocumentNode* shared_arguments, Rung& rung) {
    const DocumentNode* several = table.find("launch");
    if (several == nullptr) {
        auto launch = read_launch(table, what, buffers, shared_arguments);
        if (!launch) return launch.error();
        rung.launches.push_back(*std::move(launch));
        return {};
    }
    for (const std::string_view key : {"kernel", "grid", "block", "arguments", "dynamic_shared"}) {
        const DocumentNode* node = table.find(key);
        if (node == nullptr) continue;
        return bad_input(node->where, fmt::format("{} has both '{}' and launches of its own", what, key),
                         "move it into each [[rung.launch]]");
    }
    return read_tables(*several, "launch", what, buffers, shared_arguments, rung.launches);
}

// host, chunks, streams: a rung with the way from and to the host.
Result<std::optional<PipelinePlan>> read_pipeline(const DocumentNode& table, const std::string& what) {
    const DocumentNode* host = table.find("host");
    PipelinePlan plan;
    for (const auto& [key, target] : {std::pair{"chunks", &plan.chunks}, std::pair{"streams", &plan.streams}}) {
        const DocumentNode* node = table.find(key);
        if (node == nullptr) continue;
        if (target == &plan.streams && node->is(Kind::text) && node->text == "stages") {
            plan.by_stage = true;
            continue;
        }
        if (host == nullptr)
            return bad_input(node->where, fmt::format("{} has '{}' but no host memory", what, key), "add host = \"pinned\"");
        auto expression = read_expression(*node, key);
        if (!expression) return expression.error();
        *target = *std::move(expression);
    }
    if (host == nullptr) return std::optional<PipelinePlan>();
    plan.where = host->where;
    const auto text = read_text(*host, "host");
    if (!text) return text.error();
    const std::vector<std::string> kinds = {"pageable", "pinned", "mapped"}; // as HostKind has them
    const auto found = std::find(kinds.begin(), kinds.end(), *text);
    if (found == kinds.end())
        return bad_input(host->where, fmt::format("'{}' is no kind of host memory", *text), nearest_hint(*text, kinds));
    plan.host = static_cast<HostKind>(found - kinds.begin());
    return std::optional<PipelinePlan>(std::move(plan));
}

Result<Rung> read_named(const DocumentNode& table, const std::string& what, std::string name, const std::vector<Buffer>& buffers,
                        const DocumentNode* shared_arguments) {
    const auto keys = check_keys(table, what,
                                 {"name", "what", "when", "otherwise", "kernel", "grid", "block", "arguments", "dynamic_shared", "launch",
                                  "prepare", "host", "chunks", "streams"});
    if (!keys) return keys.error();
    Rung rung;
    rung.name = std::move(name);
    rung.where = table.where;
    if (const DocumentNode* node = table.find("what")) {
        const auto text = read_text(*node, "what");
        if (!text) return text.error();
        rung.what = *text;
    }
    if (const DocumentNode* node = table.find("when")) {
        auto condition = read_expression(*node, "when");
        if (!condition) return condition.error();
        rung.when = *std::move(condition);
    }
    if (const DocumentNode* node = table.find("otherwise")) {
        if (!rung.when) return bad_input(node->where, fmt::format("{} has 'otherwise' and no 'when'", what));
        const auto text = read_text(*node, "otherwise");
        if (!text) return text.error();
        rung.otherwise = *text;
    }
    if (const DocumentNode* node = table.find("prepare")) {
        const auto read = read_tables(*node, "prepare", what, buffers, shared_arguments, rung.preparations);
        if (!read) return read.error();
    }
    auto pipeline = read_pipeline(table, what);
    if (!pipeline) return pipeline.error();
    rung.pipeline = *std::move(pipeline);
    if (const auto launches = read_launches(table, what, buffers, shared_arguments, rung); !launches) return launches.error();
    return rung;
}

} // namespace

Result<Rung> read_rung(const DocumentNode& table, const std::vector<Buffer>& buffers, const DocumentNode* shared_arguments) {
    const auto node = require(table, "name", "[[rung]]", "name = \"tiled\"");
    if (!node) return node.error();
    const auto name = read_name(**node, "name");
    if (!name) return name.error();
    return read_named(table, fmt::format("the rung '{}'", *name), *name, buffers, shared_arguments);
}

Result<Rung> read_yardstick(const DocumentNode& table, const std::vector<Buffer>& buffers, const DocumentNode* shared_arguments) {
    if (!table.is(Kind::table)) return wrong_type(table, "yardstick", "a table");
    std::string name = "yardstick";
    if (const DocumentNode* node = table.find("name")) {
        auto text = read_name(*node, "name");
        if (!text) return text.error();
        name = *std::move(text);
    }
    return read_named(table, "[yardstick]", name, buffers, shared_arguments);
}

} // namespace apod::ladder

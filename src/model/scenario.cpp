#include "model/scenario.hpp"

#include "arch/fields.hpp"
#include "base/nearest.hpp"
#include "emu/event.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace apod::model {

namespace {

// Short names, and what of a description they set.
struct DeviceName {
    std::string_view name;
    std::vector<std::string_view> keys;
};

const std::vector<DeviceName>& device_names() {
    static const std::vector<DeviceName> names = {{"sms", {"sm_count"}},
                                                  {"clock", {"boost_mhz"}},
                                                  {"bandwidth", {"memory.peak_gbs"}},
                                                  {"l2", {"caches.l2_bytes"}},
                                                  {"l2-bandwidth", {"caches.l2_bytes_per_clk", "caches.l2_write_sectors_per_clk"}}};
    return names;
}

constexpr std::array<std::string_view, 3> launch_names = {"block", "registers", "shared"};

struct Value {
    double number = 0;
    bool is_factor = false;
};

std::optional<Value> parse_value(std::string_view text) {
    Value value;
    double unit = 1;
    for (const auto& [suffix, bytes] : {std::pair{std::string_view("KiB"), 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}})
        if (text.ends_with(suffix)) {
            unit = bytes;
            text.remove_suffix(suffix.size());
        }
    if (unit == 1 && text.ends_with('x')) {
        value.is_factor = true;
        text.remove_suffix(1);
    }
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value.number);
    if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(value.number) || value.number < 0) return std::nullopt;
    value.number *= unit;
    return value;
}

const arch::NumberField* find_field(std::string_view path) {
    for (const arch::NumberField& field : arch::number_fields())
        if (field.path() == path) return &field;
    return nullptr;
}

std::vector<std::string> known_names() {
    std::vector<std::string> names;
    for (const DeviceName& name : device_names()) names.emplace_back(name.name);
    names.insert(names.end(), launch_names.begin(), launch_names.end());
    for (const arch::NumberField& field : arch::number_fields()) names.push_back(field.path());
    return names;
}

// Sets one number of the description; a value beyond what makes sense is refused as in a file.
class Setter {
public:
    Setter(const arch::NumberField& field, const Value& value) : field_(field), value_(value) {}

    Result<void> set(arch::Gpu& gpu) const {
        return std::visit([&](auto target) { return assign(*target(gpu)); }, field_.target);
    }

private:
    template<typename Number> Result<void> assign(Number& to) const {
        const double wanted = value_.is_factor ? static_cast<double>(to) * value_.number : value_.number;
        if (std::is_integral_v<Number> && !value_.is_factor && wanted != std::round(wanted))
            return usage_error(fmt::format("{} takes a whole number, not {}", field_.path(), wanted));
        if (!(wanted >= field_.low && wanted <= field_.high))
            return usage_error(fmt::format("{} = {} makes no sense", field_.path(), wanted),
                               fmt::format("from {} to {} is accepted", field_.low, field_.high));
        to = static_cast<Number>(std::is_integral_v<Number> ? std::round(wanted) : wanted);
        return {};
    }
    Result<void> assign(bool& to) const {
        to = value_.number != 0;
        return {};
    }
    Result<void> assign(std::vector<std::uint32_t>&) const { return usage_error("'" + field_.path() + "' is a list and cannot be set"); }

    const arch::NumberField& field_;
    const Value& value_;
};

Result<void> set_launch(Scenario& scenario, std::string_view name, const Value& value) {
    if (value.is_factor || value.number != std::floor(value.number) || value.number > 4294967295.0)
        return usage_error(fmt::format("{} takes a whole number", name), "e.g. block=128");
    const auto number = static_cast<std::uint32_t>(value.number);
    const arch::Limits& limits = scenario.gpu.limits;
    if (name == "block" && (number == 0 || number % emu::lanes != 0 || number > limits.max_threads_per_block))
        return usage_error(fmt::format("block={} is no block size", number),
                           fmt::format("whole warps: a multiple of {}, at most {}", emu::lanes, limits.max_threads_per_block));
    if (name == "registers" && (number == 0 || number > limits.max_registers_per_thread))
        return usage_error(fmt::format("a thread cannot have {} registers", number),
                           fmt::format("from 1 to {} are accepted", limits.max_registers_per_thread));
    if (name == "block") scenario.block_threads = number;
    if (name == "registers") scenario.registers = number;
    if (name == "shared") scenario.dynamic_shared_bytes = number;
    return {};
}

Result<void> set(Scenario& scenario, std::string_view name, const Value& value) {
    if (std::find(launch_names.begin(), launch_names.end(), name) != launch_names.end()) return set_launch(scenario, name, value);
    std::vector<std::string_view> keys = {name};
    for (const DeviceName& known : device_names())
        if (known.name == name) keys = known.keys;
    for (const std::string_view key : keys) {
        const arch::NumberField* field = find_field(key);
        if (field == nullptr) return usage_error(fmt::format("what-if knows no '{}'", name), nearest_hint(name, known_names()));
        if (auto done = Setter(*field, value).set(scenario.gpu); !done) return done;
    }
    return {};
}

bool reads_block_size(const emu::Program& program) {
    for (const emu::OpInfo& op : program.ops)
        for (const ptx::Operand& operand : op.function->instructions[op.instruction].operands)
            if (operand.name.find("ntid.x") != std::string_view::npos) return true;
    return false;
}

bool has_barrier(const emu::Program& program) {
    return std::any_of(program.ops.begin(), program.ops.end(), [](const emu::OpInfo& op) { return op.op_class == emu::OpClass::barrier; });
}

Result<LaunchShape> with_blocks_of(const emu::Program& program, const LaunchShape& launch, std::uint32_t threads) {
    const auto refuse = [](const char* why) { return bad_input({}, std::string("the block size cannot be changed here: ") + why); };
    if (threads == 0 || threads % emu::lanes != 0 || launch.block.x % emu::lanes != 0) return refuse("whole warps only");
    if (launch.block.y * launch.block.z * launch.grid.y * launch.grid.z != 1) return refuse("grid and block must have one dimension");
    if (program.static_shared_bytes + launch.dynamic_shared_bytes > 0) return refuse("the kernel uses shared memory");
    if (has_barrier(program)) return refuse("the kernel has barriers");
    if (!reads_block_size(program)) return refuse("the kernel never asks for it, so it is written into its code");
    const ptx::Tuning& tuning = program.function->tuning;
    if (tuning.required_threads[0] != 0) return refuse("the kernel requires its own (.reqntid)");
    if (tuning.max_threads[0] != 0 && threads > tuning.max_threads[0]) return refuse("it is beyond the kernel's launch bounds");
    LaunchShape shape = launch;
    const std::uint64_t all = launch.grid.count() * launch.block.x;
    shape.block.x = threads;
    shape.grid.x = static_cast<std::uint32_t>((all + threads - 1) / threads);
    return shape;
}

} // namespace

Result<Scenario> parse_scenario(std::string_view text, const arch::Gpu& base) {
    Scenario scenario{std::string(text), base};
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view setting = rest.substr(0, comma);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        const std::size_t equals = setting.find('=');
        if (equals == std::string_view::npos || equals == 0)
            return usage_error(fmt::format("--what-if takes NAME=VALUE, not '{}'", setting), "e.g. --what-if bandwidth=2x");
        const auto value = parse_value(setting.substr(equals + 1));
        if (!value)
            return usage_error(fmt::format("the value of --what-if {} is no number", setting), "e.g. sms=264, bandwidth=2x or l2=96MiB");
        if (auto done = set(scenario, setting.substr(0, equals), *value); !done) return done.error();
    }
    if (text.empty()) return usage_error("--what-if is empty", "e.g. --what-if bandwidth=2x");
    return scenario;
}

Result<LaunchShape> reshape(const emu::Program& program, const LaunchShape& launch, const Scenario& scenario) {
    LaunchShape shape = launch;
    if (scenario.block_threads && *scenario.block_threads != launch.block.x) {
        auto other = with_blocks_of(program, launch, *scenario.block_threads);
        if (!other) return other;
        shape = *other;
    }
    if (scenario.dynamic_shared_bytes) shape.dynamic_shared_bytes = *scenario.dynamic_shared_bytes;
    return shape;
}

} // namespace apod::model

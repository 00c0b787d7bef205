#include "ladder/host_buffer.hpp"

#include "ladder/npy.hpp"
#include "ladder/random.hpp"

#include <fmt/format.h>

#include <cmath>

namespace apod::ladder {

namespace {

std::string shape_text(const std::vector<std::uint64_t>& shape) {
    std::string text;
    for (const std::uint64_t extent : shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
    return text;
}

bool is_integer(const Value& value) { return std::holds_alternative<std::int64_t>(value); }

Result<void> fill_constant(const Value& value, HostBuffer& to) {
    const std::size_t size = element_bytes(to.type);
    for (std::size_t at = 0; at < to.bytes.size(); at += size) {
        if (is_integer(value)) {
            store_integer(to.type, std::get<std::int64_t>(value), to.bytes.data() + at);
        } else {
            store_real(to.type, as_real(value), to.bytes.data() + at);
        }
    }
    return {};
}

// first, first + step, ...: integers wrap as the type does, reals are computed as first + i * step in double.
Result<void> fill_iota(const Value& first, const Value& step, HostBuffer& to) {
    const std::size_t size = element_bytes(to.type);
    const bool integers = is_integer(first) && is_integer(step);
    const auto base = integers ? static_cast<std::uint64_t>(std::get<std::int64_t>(first)) : 0;
    const auto stride = integers ? static_cast<std::uint64_t>(std::get<std::int64_t>(step)) : 0;
    const std::uint64_t count = to.elements();
    for (std::uint64_t i = 0; i < count; ++i) {
        if (integers) {
            store_integer(to.type, static_cast<std::int64_t>(base + i * stride), to.bytes.data() + i * size);
        } else {
            store_real(to.type, as_real(first) + static_cast<double>(i) * as_real(step), to.bytes.data() + i * size);
        }
    }
    return {};
}

Result<void> fill_uniform(const Initial& initial, double low, double high, HostBuffer& to) {
    if (low > high)
        return bad_input(initial.where, fmt::format("uniform goes from {} down to {}", low, high), "give the smaller one first");
    Random random(initial.seed);
    const std::size_t size = element_bytes(to.type);
    for (std::size_t at = 0; at < to.bytes.size(); at += size) {
        const double unit = random.next_unit();
        if (is_floating(to.type)) {
            store_real(to.type, low + unit * (high - low), to.bytes.data() + at);
        } else {
            store_real(to.type, std::min(std::floor(low + unit * (high - low + 1)), high), to.bytes.data() + at);
        }
    }
    return {};
}

Result<void> fill_normal(const Initial& initial, double mean, double deviation, HostBuffer& to) {
    if (deviation < 0) return bad_input(initial.where, fmt::format("the standard deviation {} is negative", deviation));
    Random random(initial.seed);
    const std::size_t size = element_bytes(to.type);
    for (std::size_t at = 0; at < to.bytes.size(); at += size) {
        const double value = mean + deviation * random.next_normal();
        store_real(to.type, is_floating(to.type) ? value : std::round(value), to.bytes.data() + at);
    }
    return {};
}

Result<void> fill_from_file(const Initial& initial, const Origin& origin, HostBuffer& to) {
    const auto contents = read_ladder_file(origin, initial.path, initial.where);
    if (!contents) return contents.error();
    auto array = parse_npy(*contents, (origin.directory / initial.path).string());
    if (!array) return array.error();
    // NumPy has no bf16: its bits come as u16.
    const bool bits = to.type == ElementType::bf16 && array->type == ElementType::u16;
    if (array->type == to.type || bits) {
        if (array->shape == to.shape) {
            to.bytes = std::move(array->bytes);
            return {};
        }
    }
    return bad_input(initial.where,
                     fmt::format("'{}' holds {} {}, and the buffer '{}' is {} {}", initial.path, element_type_name(array->type),
                                 shape_text(array->shape), to.name, element_type_name(to.type), shape_text(to.shape)),
                     "save the array with that type and shape, or change the buffer's");
}

} // namespace

std::uint64_t HostBuffer::elements() const {
    std::uint64_t count = 1;
    for (const std::uint64_t extent : shape) count *= extent;
    return count;
}

Result<std::vector<std::uint64_t>> evaluate_shape(const Buffer& buffer, const Environment& parameters) {
    std::vector<std::uint64_t> shape;
    std::uint64_t bytes = element_bytes(buffer.type);
    for (const Expression& expression : buffer.shape) {
        const auto extent = expression.evaluate_count(parameters, "shape", 1);
        if (!extent) return extent.error();
        if (__builtin_mul_overflow(bytes, *extent, &bytes) || bytes >> 63 != 0) {
            return bad_input(expression.where(), fmt::format("the buffer '{}' is larger than any memory", buffer.name));
        }
        shape.push_back(*extent);
    }
    return shape;
}

Result<void> initialise(const Buffer& buffer, const Environment& parameters, const Matrices& matrices, const Origin& origin,
                        HostBuffer& to) {
    const Initial& initial = buffer.initial;
    to.bytes.assign(to.size_bytes(), std::byte{0});
    if (initial.fill == Fill::zeros || initial.fill == Fill::poison) return {};
    if (initial.fill == Fill::file) return fill_from_file(initial, origin, to);
    if (initial.fill == Fill::matrix) return matrices.fill(initial, to.type, to.bytes);
    Result<Value> first = initial.first.evaluate(parameters);
    if (!first) return first.error();
    if (initial.fill == Fill::constant) return fill_constant(*first, to);
    Result<Value> second = initial.second.evaluate(parameters);
    if (!second) return second.error();
    if (initial.fill == Fill::iota) return fill_iota(*first, *second, to);
    if (initial.fill == Fill::uniform) return fill_uniform(initial, as_real(*first), as_real(*second), to);
    return fill_normal(initial, as_real(*first), as_real(*second), to);
}

} // namespace apod::ladder

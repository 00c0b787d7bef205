#include "ladder/bind.hpp"

#include "ladder/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace apod::ladder {

namespace {

// One parameter and the argument for it, with what messages need.
struct Slot {
    const Argument& argument;
    const device::KernelParameter& parameter;
    const device::KernelInfo& kernel;
    std::size_t number; // from 1
    std::string cxx;    // its type in C++, empty when unknown

    [[nodiscard]] std::string takes() const {
        return fmt::format("the kernel {} takes {} there", kernel.display, cxx.empty() ? "a ." + parameter.type : cxx);
    }
    [[nodiscard]] Diagnostic error(const std::string& message, std::string hint = {}) const {
        return bad_input(argument.where, fmt::format("argument {} {}", number, message), std::move(hint));
    }
};

bool same_kind(ElementType a, ElementType b) { return element_bytes(a) == element_bytes(b) && is_floating(a) == is_floating(b); }

Result<std::uint64_t> pack_buffer(const Slot& slot, const std::vector<BoundBuffer>& buffers) {
    const auto found =
        std::find_if(buffers.begin(), buffers.end(), [&](const BoundBuffer& each) { return each.name == slot.argument.buffer; });
    if (found == buffers.end()) return internal_error("an argument names a buffer that was not bound");
    const CxxType cxx = read_cxx_type(slot.cxx);
    const bool holds_address = slot.parameter.bytes == 8 && slot.parameter.type != "f64";
    if (!holds_address || (!slot.cxx.empty() && !cxx.pointer)) {
        return slot.error(fmt::format("is the buffer '{}', and {}", found->name, slot.takes()), "give the arguments in the kernel's order");
    }
    // Bits in a buffer of unsigned integers may be anything, so only sizes and floating against integer are compared.
    // A short vector of integers is how a kernel reads smaller ones several at a time.
    const bool packed = cxx.vector && cxx.element && !is_floating(*cxx.element) && !is_floating(found->type) &&
                        element_bytes(found->type) < element_bytes(*cxx.element);
    if (cxx.element && !packed && !same_kind(*cxx.element, found->type)) {
        return slot.error(
            fmt::format("is the buffer '{}' of {}, and {}", found->name, element_type_name(found->type), slot.takes()),
            fmt::format("make it type = \"{}\", or give the arguments in the kernel's order", element_type_name(*cxx.element)));
    }
    return found->address;
}

Result<std::uint64_t> pack_real(const Slot& slot, const Environment& parameters) {
    Result<double> value = slot.argument.scalar.evaluate_real(parameters, "the argument");
    if (!value) return value.error();
    std::byte bytes[8] = {};
    store_real(slot.parameter.type == "f32" ? ElementType::f32 : ElementType::f64, *value, bytes);
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes, sizeof bits);
    return bits;
}

Result<std::uint64_t> pack_integer(const Slot& slot, const Environment& parameters) {
    Result<Value> value = slot.argument.scalar.evaluate(parameters);
    if (!value) return value.error();
    if (const auto* condition = std::get_if<bool>(&*value)) return std::uint64_t{*condition ? 1u : 0u};
    std::int64_t integer = 0;
    if (const auto* whole = std::get_if<std::int64_t>(&*value)) {
        integer = *whole;
    } else {
        const double real = std::get<double>(*value);
        if (real != std::floor(real) || std::abs(real) >= 0x1p63) {
            return slot.error(fmt::format("is {}, and {}", real, slot.takes()), "round it: ceil(...) or floor(...)");
        }
        integer = static_cast<std::int64_t>(real);
    }
    // nvcc writes int and unsigned alike as .u32, so both ranges are allowed.
    const unsigned bits = 8 * slot.parameter.bytes;
    const bool fits = bits >= 64 || (integer >= -(std::int64_t{1} << (bits - 1)) && integer < (std::int64_t{1} << bits));
    if (!fits) return slot.error(fmt::format("is {}, which does not fit: {}", integer, slot.takes()));
    return static_cast<std::uint64_t>(integer);
}

Result<std::uint64_t> pack_scalar(const Slot& slot, const Environment& parameters) {
    if (read_cxx_type(slot.cxx).pointer) {
        return slot.error(fmt::format("is the number '{}', and {}", slot.argument.scalar.text(), slot.takes()), "name a buffer");
    }
    if (slot.parameter.type == "f32" || slot.parameter.type == "f64") return pack_real(slot, parameters);
    const bool integer = slot.parameter.type.size() >= 2 && std::string_view("usb").find(slot.parameter.type[0]) != std::string_view::npos;
    if (integer && (slot.parameter.bytes == 1 || slot.parameter.bytes == 2 || slot.parameter.bytes == 4 || slot.parameter.bytes == 8)) {
        return pack_integer(slot, parameters);
    }
    return slot.error(fmt::format("cannot be given: {}, a structure of {} bytes", slot.takes(), slot.parameter.bytes),
                      "pass its members as parameters of their own");
}

Result<Dim3> evaluate_extents(const std::vector<Expression>& expressions, const Environment& parameters, std::string_view what) {
    std::uint32_t extents[3] = {1, 1, 1};
    for (std::size_t i = 0; i < expressions.size(); ++i) {
        const auto extent = expressions[i].evaluate_count(parameters, what, 1);
        if (!extent) return extent.error();
        if (*extent > std::numeric_limits<std::int32_t>::max()) {
            return bad_input(expressions[i].where(),
                             fmt::format("{} {} is {}, beyond any device's limit of 2147483647", what, "xyz"[i], *extent));
        }
        extents[i] = static_cast<std::uint32_t>(*extent);
    }
    return Dim3{extents[0], extents[1], extents[2]};
}

Result<std::shared_ptr<device::Kernel>> find_kernel(const KernelLaunch& launch, const std::vector<std::shared_ptr<device::Code>>& modules) {
    std::optional<Diagnostic> first;
    for (const auto& module : modules) {
        auto kernel = module->kernel(launch.kernel);
        if (kernel.ok()) return kernel;
        if (!first) {
            first = kernel.error();
        } else {
            first->notes.push_back(kernel.error().message);
        }
    }
    if (!first) return internal_error("a ladder without modules was bound");
    // The device says what there is; where it was asked for stands in the ladder. What is wrong within the PTX has its own place.
    if (first->where.line == 0) {
        if (!first->where.file.empty()) first->notes.insert(first->notes.begin(), fmt::format("looked for in {}", first->where.file));
        first->where = launch.kernel_where;
    }
    return *first;
}

} // namespace

Result<std::vector<std::byte>> pack_arguments(const KernelLaunch& launch, const device::KernelInfo& kernel,
                                              const std::vector<BoundBuffer>& buffers, const Environment& parameters) {
    if (launch.arguments.size() != kernel.parameters.size()) {
        return bad_input(launch.arguments_where, fmt::format("the kernel {} takes {} arguments, and {} are given", kernel.display,
                                                             kernel.parameters.size(), launch.arguments.size()));
    }
    const auto cxx = signature_types(kernel.display);
    const bool usable = cxx && cxx->size() == kernel.parameters.size();
    std::vector<std::byte> packed(kernel.parameter_bytes);
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const device::KernelParameter& parameter = kernel.parameters[i];
        const Slot slot{launch.arguments[i], parameter, kernel, i + 1, usable ? (*cxx)[i] : std::string()};
        const auto bits = slot.argument.buffer.empty() ? pack_scalar(slot, parameters) : pack_buffer(slot, buffers);
        if (!bits) return bits.error();
        if (std::size_t{parameter.offset} + parameter.bytes > packed.size() || parameter.bytes > sizeof(*bits)) {
            return internal_error(fmt::format("parameter {} of {} lies outside its parameter block", i + 1, kernel.display));
        }
        std::memcpy(packed.data() + parameter.offset, &*bits, parameter.bytes);
    }
    return packed;
}

Result<BoundLaunch> bind_launch(const KernelLaunch& launch, const std::vector<std::shared_ptr<device::Code>>& modules,
                                const std::vector<BoundBuffer>& buffers, const Environment& parameters) {
    BoundLaunch bound;
    bound.where = launch.where;
    auto kernel = find_kernel(launch, modules);
    if (!kernel) return kernel.error();
    bound.kernel = *kernel;
    const auto grid = evaluate_extents(launch.grid, parameters, "grid");
    if (!grid) return grid.error();
    const auto block = evaluate_extents(launch.block, parameters, "block");
    if (!block) return block.error();
    bound.launch.grid = *grid;
    bound.launch.block = *block;
    if (launch.dynamic_shared) {
        const auto bytes = launch.dynamic_shared->evaluate_count(parameters, "dynamic_shared", 0);
        if (!bytes) return bytes.error();
        if (*bytes > std::numeric_limits<std::uint32_t>::max()) {
            return bad_input(launch.dynamic_shared->where(), fmt::format("{} bytes of shared memory are beyond any device", *bytes));
        }
        bound.launch.dynamic_shared_bytes = static_cast<std::uint32_t>(*bytes);
    }
    auto packed = pack_arguments(launch, bound.kernel->info(), buffers, parameters);
    if (!packed) return packed.error();
    bound.launch.parameters = *std::move(packed);
    return bound;
}

} // namespace apod::ladder

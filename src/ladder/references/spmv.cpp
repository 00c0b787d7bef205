#include "apod/spmv.hpp"
#include "ladder/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace apod::ladder {

namespace {

struct Operands {
    const HostBuffer* offsets = nullptr;
    const HostBuffer* columns = nullptr;
    const HostBuffer* values = nullptr;
    const HostBuffer* x = nullptr;
    HostBuffer* y = nullptr;
    double alpha = 1;
    double beta = 0;
};

Result<Operands> find_operands(std::vector<HostBuffer>& buffers, const Environment& parameters) {
    Operands found;
    const std::pair<std::string_view, const HostBuffer**> wanted[] = {
        {"offsets", &found.offsets}, {"columns", &found.columns}, {"values", &found.values}, {"x", &found.x}};
    for (HostBuffer& buffer : buffers) {
        for (const auto& [name, target] : wanted) {
            if (buffer.name == name && buffer.role == Role::in && buffer.shape.size() == 1) *target = &buffer;
        }
        if (buffer.name == "y" && (buffer.role == Role::out || buffer.role == Role::inout) && buffer.shape.size() == 1) found.y = &buffer;
    }
    for (const auto& [name, target] : wanted) {
        if (*target == nullptr)
            return bad_input({}, fmt::format("the reference 'spmv' needs a buffer '{}' with role in and one extent", name));
    }
    if (found.y == nullptr) return bad_input({}, "the reference 'spmv' needs a buffer 'y' with role out or inout and one extent");
    if (found.x->type != found.y->type || found.offsets->type != found.columns->type) {
        return bad_input({}, "the reference 'spmv' needs x and y of one type, and offsets and columns of one type");
    }
    for (const auto& [name, number] : {std::pair{"alpha", &found.alpha}, {"beta", &found.beta}}) {
        const auto value = parameters.find(std::string_view(name));
        if (value != parameters.end()) *number = as_real(value->second);
    }
    if (found.y->role == Role::out && found.beta != 0) return bad_input({}, "beta is not 0, so y is read: it must be inout");
    return found;
}

template<class Element> std::vector<Element> elements(const HostBuffer& buffer) {
    std::vector<Element> all(buffer.bytes.size() / sizeof(Element));
    if (!all.empty()) std::memcpy(all.data(), buffer.bytes.data(), all.size() * sizeof(Element));
    return all;
}

template<class Value, class Index, class Vector> Result<void> compute(const Operands& operands) {
    spmv::Csr<Value, Index> a;
    a.row_offsets = elements<Index>(*operands.offsets);
    a.column_indices = elements<Index>(*operands.columns);
    a.values = elements<Value>(*operands.values);
    a.rows = static_cast<std::int64_t>(a.row_offsets.size()) - 1;
    const std::vector<Vector> x = elements<Vector>(*operands.x);
    a.columns = static_cast<std::int64_t>(x.size());
    // A buffer of a matrix without entries still has an element.
    const std::int64_t entries = a.row_offsets.back();
    if (entries >= 0 && static_cast<std::size_t>(entries) < a.values.size()) {
        a.values.resize(static_cast<std::size_t>(entries));
        a.column_indices.resize(static_cast<std::size_t>(entries));
    }
    operands.y->bytes.resize(operands.y->size_bytes());
    const std::vector<Vector> y = elements<Vector>(*operands.y);
    try {
        spmv::validate(a);
        const auto right = spmv::reference<Value, Index, Vector>(a, static_cast<spmv::Accumulator<Vector>>(operands.alpha), x,
                                                                 static_cast<spmv::Accumulator<Vector>>(operands.beta), y);
        operands.y->bound = right.bound;
        for (std::size_t i = 0; i < right.y.size(); ++i) {
            store_real(operands.y->type, static_cast<double>(right.y[i]), operands.y->bytes.data() + i * element_bytes(operands.y->type));
        }
    } catch (const spmv::Error& error) {
        return bad_input({}, fmt::format("the reference 'spmv' cannot use these buffers: {}", error.what()));
    }
    return {};
}

template<class Index> Result<void> compute_with(const Operands& operands) {
    const ElementType value = operands.values->type;
    const ElementType vector = operands.x->type;
    if (value == ElementType::f32 && vector == ElementType::f32) return compute<float, Index, float>(operands);
    if (value == ElementType::f64 && vector == ElementType::f64) return compute<double, Index, double>(operands);
    if (value == ElementType::f16 && vector == ElementType::f16) return compute<spmv::Half, Index, spmv::Half>(operands);
    if (value == ElementType::f32 && vector == ElementType::f64) return compute<float, Index, double>(operands);
    return bad_input(
        {},
        fmt::format("the reference 'spmv' knows no matrix of {} with vectors of {}", element_type_name(value), element_type_name(vector)),
        "f32 and f32, f64 and f64, f16 and f16, or f32 and f64");
}

} // namespace

Result<void> spmv_reference(std::vector<HostBuffer>& buffers, const Environment& parameters) {
    const auto operands = find_operands(buffers, parameters);
    if (!operands) return operands.error();
    if (operands->offsets->type == ElementType::s32) return compute_with<std::int32_t>(*operands);
    if (operands->offsets->type == ElementType::s64) return compute_with<std::int64_t>(*operands);
    return bad_input({}, "the reference 'spmv' needs offsets and columns of type s32 or s64");
}

} // namespace apod::ladder

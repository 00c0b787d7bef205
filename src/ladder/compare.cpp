#include "ladder/compare.hpp"

#include <cmath>
#include <cstring>

namespace apod::ladder {

bool is_right(ElementType type, const std::byte* expected, const std::byte* actual, const Tolerance& tolerance, double bound) {
    const std::uint64_t distance = distance_in_ulp(type, expected, actual);
    if (distance == 0) return true;
    if (!tolerance.ulp && !tolerance.relative && !tolerance.absolute && !tolerance.bound) return false;
    const double e = element_as_real(type, expected);
    const double a = element_as_real(type, actual);
    // Infinity is one step from the largest number, and no tolerance means that.
    if (!std::isfinite(e) || !std::isfinite(a)) return false;
    if (tolerance.ulp && distance <= *tolerance.ulp) return true;
    const double difference = std::abs(a - e);
    if (tolerance.relative && difference <= *tolerance.relative * std::abs(e)) return true;
    if (tolerance.bound && bound >= 0 && difference <= *tolerance.bound * bound) return true;
    return tolerance.absolute && difference <= *tolerance.absolute;
}

void Comparison::add(std::span<const std::byte> actual, std::span<const std::byte> unwritten) {
    const std::size_t size = element_bytes(expected_.type);
    const std::byte* const expected = expected_.bytes.data() + next_ * size;
    const std::uint64_t count = actual.size() / size;
    const std::uint64_t start = next_;
    next_ += count;
    if (unwritten.empty() && std::memcmp(expected, actual.data(), actual.size()) == 0) {
        compared_ += count;
        return;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::byte* const element = actual.data() + i * size;
        if (!unwritten.empty() && std::memcmp(element, unwritten.data() + i * size, size) == 0) continue;
        ++compared_;
        if (std::memcmp(expected + i * size, element, size) == 0) continue;
        const double bound = expected_.bound.empty() ? -1 : expected_.bound[start + i];
        if (!is_right(expected_.type, expected + i * size, element, tolerance_, bound)) note(start + i, element);
    }
}

void Comparison::note(std::uint64_t index, const std::byte* actual) {
    ++differing_;
    if (first_) return;
    const std::size_t size = element_bytes(expected_.type);
    Mismatch mismatch;
    mismatch.buffer = expected_.name;
    mismatch.index = index;
    mismatch.expected = element_as_text(expected_.type, expected_.bytes.data() + index * size);
    mismatch.actual = element_as_text(expected_.type, actual);
    mismatch.coordinates.resize(expected_.shape.size());
    for (std::size_t axis = expected_.shape.size(); axis-- > 0;) {
        mismatch.coordinates[axis] = index % expected_.shape[axis];
        index /= expected_.shape[axis];
    }
    first_ = std::move(mismatch);
}

std::optional<Mismatch> Comparison::mismatch() const {
    std::optional<Mismatch> result = first_;
    if (result) {
        result->differing = differing_;
        result->compared = compared_;
    }
    return result;
}

} // namespace apod::ladder

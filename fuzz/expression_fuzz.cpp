// Any bytes as an expression, evaluated where they are one.
#include "ladder/expression.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apod::ladder;
    static const Environment names = {{"n", std::int64_t{1024}}, {"x", 0.5}, {"m", std::int64_t{0}}};
    const auto expression = Expression::parse({reinterpret_cast<const char*>(data), size}, {"fuzz", 1, 1});
    if (!expression) return 0;
    (void)expression->evaluate(names).ok();
    (void)expression->evaluate_count(names, "grid", 1).ok();
    (void)expression->evaluate_condition(names, "when").ok();
    return 0;
}

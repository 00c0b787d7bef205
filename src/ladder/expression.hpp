// Expressions of a ladder file: "ceil(n/32)", "2*n*n*4", "n <= 4096 and n % 4 == 0".
//
// Values are integers (64 bits), reals and booleans. a / b of two integers is an integer where it is whole and a real otherwise, so that
// ceil(n/32) and n/2 both mean what they say. + - * of integers that leave 64 bits are an error, never a wrong number.
//   operators, loosest first:  or ||   and &&   not !   == != < <= > >=   + -   * / %   unary -
//   functions: ceil floor round abs sqrt log2 (one operand), min max (one or more), pow (two), pow2ceil (smallest power of two >= x),
//              if(condition, a, b)
//   a % b is for integers and has the sign of b.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace apod::ladder {

using Value = std::variant<std::int64_t, double, bool>;
using Environment = std::map<std::string, Value, std::less<>>;

// "1024", "0.5", "true".
[[nodiscard]] std::string to_text(const Value& value);
[[nodiscard]] double as_real(const Value& value); // a boolean is 0 or 1

namespace detail {
struct Node;
}

class Expression {
public:
    // `where` is the place of the first character of `text` in its file; errors (bad_input) add the column within it.
    static Result<Expression> parse(std::string_view text, const SourcePosition& where);
    // A number that the file gives as a number.
    static Expression constant(Value value, const SourcePosition& where);

    Expression() = default; // empty: evaluating it is an internal error

    // The value under the given names. Unknown name, division by zero, overflow, wrong kind of operand: bad_input with the place.
    [[nodiscard]] Result<Value> evaluate(const Environment& names) const;
    // The same where only an integer >= `minimum` will do; `what` ("grid", "shape") names it in messages.
    [[nodiscard]] Result<std::uint64_t> evaluate_count(const Environment& names, std::string_view what, std::uint64_t minimum) const;
    [[nodiscard]] Result<double> evaluate_real(const Environment& names, std::string_view what) const;
    [[nodiscard]] Result<bool> evaluate_condition(const Environment& names, std::string_view what) const;

    struct Name {
        std::string name;
        SourcePosition where;
    };
    [[nodiscard]] std::vector<Name> names() const; // every use, in order
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const SourcePosition& where() const { return where_; }

private:
    std::string text_;
    SourcePosition where_;
    std::shared_ptr<const detail::Node> root_;
};

} // namespace apod::ladder

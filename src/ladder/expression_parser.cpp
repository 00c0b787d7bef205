// Pratt parser: each operator has a binding power; an operand takes what binds tighter than the operator on its left.
#include "base/nearest.hpp"
#include "ladder/expression_node.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <optional>

namespace apod::ladder::detail {

namespace {

// Deep enough for any formula, shallow enough for any stack.
constexpr int max_depth = 200;
// A sum of many terms makes a deep tree too.
constexpr std::size_t max_length = 4000;

enum class TokenKind : std::uint8_t { number, name, symbol, end, bad };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;
    std::size_t offset = 0;
};

struct Binary {
    std::string_view text;
    Operator op;
    int power;
};

constexpr std::array binaries = {
    Binary{"or", Operator::either, 1},     Binary{"||", Operator::either, 1},
    Binary{"and", Operator::both, 2},      Binary{"&&", Operator::both, 2},
    Binary{"==", Operator::equal, 4},      Binary{"!=", Operator::unequal, 4},
    Binary{"<=", Operator::less_equal, 4}, Binary{">=", Operator::greater_equal, 4},
    Binary{"<", Operator::less, 4},        Binary{">", Operator::greater, 4},
    Binary{"+", Operator::add, 5},         Binary{"-", Operator::subtract, 5},
    Binary{"*", Operator::multiply, 6},    Binary{"/", Operator::divide, 6},
    Binary{"%", Operator::modulo, 6},
};
constexpr int comparison_power = 4;
constexpr int not_power = 3;
constexpr int unary_power = 7;

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) { advance(); }
    [[nodiscard]] const Token& peek() const { return token_; }
    Token take() {
        const Token token = token_;
        advance();
        return token;
    }

private:
    void advance() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
        const std::size_t start = at_;
        const TokenKind kind = scan();
        token_ = {kind, text_.substr(start, at_ - start), start};
    }

    TokenKind scan() {
        if (at_ >= text_.size()) return TokenKind::end;
        const char c = text_[at_];
        if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return scan_number();
        if (is_name_start(c)) {
            while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
            return TokenKind::name;
        }
        for (const std::string_view two : {"||", "&&", "==", "!=", "<=", ">="}) {
            if (text_.substr(at_, 2) == two) {
                at_ += 2;
                return TokenKind::symbol;
            }
        }
        ++at_;
        return std::string_view("+-*/%()<>,!").find(c) != std::string_view::npos ? TokenKind::symbol : TokenKind::bad;
    }

    TokenKind scan_number() {
        while (at_ < text_.size() && (is_name_char(text_[at_]) || text_[at_] == '.')) {
            const bool exponent =
                (text_[at_] == 'e' || text_[at_] == 'E') && at_ + 1 < text_.size() && (text_[at_ + 1] == '+' || text_[at_ + 1] == '-');
            at_ += exponent ? 2 : 1;
        }
        return TokenKind::number;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Token token_;
};

using NodeResult = Result<std::unique_ptr<Node>>;

class Parser {
public:
    Parser(std::string_view text, const SourcePosition& where) : lexer_(text), text_(text), where_(where) {}

    NodeResult parse_all() {
        NodeResult node = parse(0, 0);
        if (node.ok() && lexer_.peek().kind != TokenKind::end)
            return unexpected("an operator or the end", fmt::format("'{}' is neither a number nor a formula: ", text_));
        return node;
    }

private:
    NodeResult parse(int least_power, int depth) {
        if (depth > max_depth) return error(lexer_.peek().offset, "the expression is nested too deeply", "split it up or simplify it");
        NodeResult left = parse_operand(depth);
        while (left.ok()) {
            const std::optional<Binary> binary = peek_binary();
            if (!binary || binary->power <= least_power) break;
            const Token token = lexer_.take();
            NodeResult right = parse(binary->power, depth + 1);
            if (!right) return right;
            auto node = make(NodeKind::binary, token.offset);
            node->op = binary->op;
            node->children.push_back(std::move(left).value());
            node->children.push_back(std::move(right).value());
            left = std::move(node);
            if (binary->power != comparison_power) continue;
            const std::optional<Binary> next = peek_binary();
            if (next && next->power == comparison_power) {
                return error(lexer_.peek().offset, "comparisons cannot be chained", "join two of them with 'and': a < b and b < c");
            }
        }
        return left;
    }

    NodeResult parse_operand(int depth) {
        const Token token = lexer_.peek();
        if (token.kind == TokenKind::number) return parse_number(lexer_.take());
        if (token.kind == TokenKind::name && token.text == "not") return parse_unary(Operator::invert, not_power, depth);
        if (token.kind == TokenKind::name && !peek_binary()) return parse_name(lexer_.take(), depth);
        if (token.kind == TokenKind::symbol && token.text == "!") return parse_unary(Operator::invert, unary_power, depth);
        if (token.kind == TokenKind::symbol && token.text == "-") return parse_unary(Operator::negate, unary_power, depth);
        if (token.kind == TokenKind::symbol && token.text == "+") {
            lexer_.take();
            return parse(unary_power, depth + 1);
        }
        if (token.kind == TokenKind::symbol && token.text == "(") {
            lexer_.take();
            NodeResult inner = parse(0, depth + 1);
            if (!inner) return inner;
            if (!take_symbol(")")) return unexpected("')'");
            return inner;
        }
        return unexpected("a number, a name or '('");
    }

    NodeResult parse_unary(Operator op, int power, int depth) {
        auto node = make(NodeKind::unary, lexer_.take().offset);
        node->op = op;
        NodeResult operand = parse(power, depth + 1);
        if (!operand) return operand;
        node->children.push_back(std::move(operand).value());
        return NodeResult(std::move(node));
    }

    NodeResult parse_number(const Token& token) {
        auto node = make(NodeKind::constant, token.offset);
        const char* const end = token.text.data() + token.text.size();
        std::int64_t integer = 0;
        const auto whole = std::from_chars(token.text.data(), end, integer);
        if (whole.ptr == end && whole.ec == std::errc()) {
            node->value = integer;
            return NodeResult(std::move(node));
        }
        double real = 0;
        const auto fraction = std::from_chars(token.text.data(), end, real);
        if (fraction.ptr != end || fraction.ec != std::errc()) {
            return error(token.offset, fmt::format("'{}' is not a number, or too large for one", token.text.substr(0, 40)), "");
        }
        node->value = real;
        return NodeResult(std::move(node));
    }

    NodeResult parse_name(const Token& token, int depth) {
        auto node = make(NodeKind::name, token.offset);
        node->name = token.text;
        if (token.text == "true" || token.text == "false") {
            node->kind = NodeKind::constant;
            node->value = token.text == "true";
            return NodeResult(std::move(node));
        }
        if (!take_symbol("(")) return NodeResult(std::move(node));
        node->kind = NodeKind::call;
        do {
            NodeResult operand = parse(0, depth + 1);
            if (!operand) return operand;
            node->children.push_back(std::move(operand).value());
        } while (take_symbol(","));
        if (!take_symbol(")")) return unexpected("',' or ')'");
        return check_call(std::move(node));
    }

    NodeResult check_call(std::unique_ptr<Node> node) {
        std::vector<std::string> known;
        for (const FunctionInfo& function : functions()) {
            known.emplace_back(function.name);
            if (function.name != node->name) continue;
            const std::size_t count = node->children.size();
            if (count >= function.least && count <= function.most) return NodeResult(std::move(node));
            return error(node->offset,
                         fmt::format("{} takes {} operand{}, not {}", node->name, function.least,
                                     function.most > function.least ? "s or more" : (function.least == 1 ? "" : "s"), count),
                         "");
        }
        return error(node->offset, fmt::format("there is no function '{}'", node->name), nearest_hint(node->name, known));
    }

    [[nodiscard]] std::optional<Binary> peek_binary() const {
        const Token& token = lexer_.peek();
        if (token.kind != TokenKind::symbol && token.kind != TokenKind::name) return std::nullopt;
        for (const Binary& binary : binaries) {
            if (binary.text == token.text) return binary;
        }
        return std::nullopt;
    }

    bool take_symbol(std::string_view symbol) {
        if (lexer_.peek().kind != TokenKind::symbol || lexer_.peek().text != symbol) return false;
        lexer_.take();
        return true;
    }

    [[nodiscard]] NodeResult unexpected(std::string_view wanted, const std::string& what = {}) const {
        const Token& token = lexer_.peek();
        const std::string found = token.kind == TokenKind::end ? "the expression ends" : fmt::format("there is '{}'", token.text);
        return error(token.offset, fmt::format("{}expected {}, but {}", what, wanted, found),
                     "write it like ceil(n/32), 2*n*n*4 or n <= 4096 and n % 4 == 0");
    }

    [[nodiscard]] NodeResult error(std::size_t offset, std::string message, std::string hint) const {
        return bad_input(place(where_, offset), std::move(message), std::move(hint));
    }

    static std::unique_ptr<Node> make(NodeKind kind, std::size_t offset) {
        auto node = std::make_unique<Node>();
        node->kind = kind;
        node->offset = offset;
        return node;
    }

    Lexer lexer_;
    std::string_view text_;
    SourcePosition where_;
};

} // namespace

SourcePosition place(const SourcePosition& start, std::size_t offset) {
    SourcePosition result = start;
    if (result.column != 0) result.column += static_cast<std::uint32_t>(offset);
    return result;
}

NodeResult parse_node(std::string_view text, const SourcePosition& where) {
    if (text.size() <= max_length) return Parser(text, where).parse_all();
    return bad_input(where, fmt::format("an expression of {} characters is too long; the limit is {}", text.size(), max_length));
}

} // namespace apod::ladder::detail

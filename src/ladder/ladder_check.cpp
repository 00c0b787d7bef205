#include "ladder/ladder_check.hpp"

#include "base/nearest.hpp"
#include "ladder/gpu_names.hpp"
#include "ladder/matrices.hpp"
#include "ladder/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace apod::ladder {

namespace {

// Two things of one name: which one is meant could not be told.
template<class Range> Result<void> check_unique(const Range& range, std::string_view what) {
    std::map<std::string_view, std::uint32_t> lines;
    for (const auto& each : range) {
        const auto [first, is_new] = lines.try_emplace(each.name, each.where.line);
        if (is_new) continue;
        return bad_input(each.where, fmt::format("there are two {}s called '{}'", what, each.name),
                         fmt::format("the first is at line {}; rename one of them", first->second));
    }
    return {};
}

class NameCheck {
public:
    explicit NameCheck(const Ladder& ladder) : ladder_(ladder) {
        for (const Parameter& parameter : ladder.parameters) parameters_.push_back(parameter.name);
        for (const std::string& name : gpu_names()) parameters_.push_back(name);
        own_ = parameters_;
        for (const Matrix& matrix : ladder.matrices) {
            for (const std::string& name : matrix_parameters(matrix.name)) parameters_.push_back(name);
        }
    }

    // Of a matrix: only what the ladder's file gives is known before it is made.
    [[nodiscard]] Result<void> check(const Matrix& matrix) const {
        for (const auto& [name, rule] : matrix.rules) {
            for (const auto& [key, expression] : rule.numbers) {
                for (const Expression::Name& use : expression.names()) {
                    if (std::find(own_.begin(), own_.end(), use.name) != own_.end()) continue;
                    return bad_input(use.where, fmt::format("there is no parameter '{}'", use.name), nearest_hint(use.name, own_));
                }
            }
        }
        return {};
    }

    // In arguments a misspelt buffer looks like a parameter, so both are offered.
    [[nodiscard]] Result<void> check(const Expression& expression, bool buffers_too = false) const {
        for (const Expression::Name& use : expression.names()) {
            if (std::find(parameters_.begin(), parameters_.end(), use.name) != parameters_.end()) continue;
            std::vector<std::string> known = parameters_;
            if (buffers_too) {
                for (const Buffer& buffer : ladder_.buffers) known.push_back(buffer.name);
            } else if (ladder_.find_buffer(use.name) != nullptr) {
                return bad_input(use.where, fmt::format("'{}' is a buffer, and only parameters have values here", use.name));
            }
            return bad_input(use.where, fmt::format("there is no {} '{}'", buffers_too ? "buffer or parameter" : "parameter", use.name),
                             nearest_hint(use.name, known));
        }
        return {};
    }

    [[nodiscard]] Result<void> check(const std::optional<Expression>& expression) const {
        return expression ? check(*expression) : Result<void>();
    }

    [[nodiscard]] Result<void> check(const std::vector<Expression>& expressions) const {
        for (const Expression& expression : expressions) {
            if (Result<void> known = check(expression); !known) return known;
        }
        return {};
    }

    // With a name more.
    [[nodiscard]] NameCheck with(const std::string& name) const {
        NameCheck more = *this;
        more.parameters_.push_back(name);
        return more;
    }

private:
    const Ladder& ladder_;
    std::vector<std::string> parameters_;
    std::vector<std::string> own_; // without those of matrices
};

Result<void> check_launch(const KernelLaunch& launch, const NameCheck& names) {
    if (Result<void> known = names.check(launch.grid); !known) return known;
    if (Result<void> known = names.check(launch.block); !known) return known;
    if (Result<void> known = names.check(launch.dynamic_shared); !known) return known;
    for (const Argument& argument : launch.arguments) {
        if (!argument.buffer.empty()) continue;
        if (Result<void> known = names.check(argument.scalar, true); !known) return known;
    }
    return {};
}

Result<void> check_rung(const Rung& rung, const NameCheck& names) {
    if (Result<void> known = names.check(rung.when); !known) return known;
    for (const KernelLaunch& launch : rung.preparations) {
        if (Result<void> known = check_launch(launch, names); !known) return known;
    }
    const NameCheck names_of_launches = rung.pipeline ? names.with("chunk") : names;
    for (const KernelLaunch& launch : rung.launches) {
        if (Result<void> known = check_launch(launch, names_of_launches); !known) return known;
    }
    if (!rung.pipeline) return {};
    for (const auto* expression : {&rung.pipeline->chunks, &rung.pipeline->streams}) {
        if (Result<void> known = names.check(*expression); !known) return known;
    }
    return {};
}

Result<void> check_buffer(const Buffer& buffer, const Ladder& ladder, const NameCheck& names) {
    for (const Parameter& parameter : ladder.parameters) {
        if (parameter.name != buffer.name) continue;
        return bad_input(buffer.where, fmt::format("'{}' is a parameter and a buffer", buffer.name), "rename one of them");
    }
    if (Result<void> known = names.check(buffer.shape); !known) return known;
    for (const Expression* expression : {&buffer.initial.first, &buffer.initial.second}) {
        if (Result<void> known = names.check(*expression); !known) return known;
    }
    return {};
}

Result<void> check_matrix_part(const Buffer& buffer, const Ladder& ladder) {
    const Initial& initial = buffer.initial;
    if (initial.fill != Fill::matrix) return {};
    std::vector<std::string> known;
    for (const Matrix& matrix : ladder.matrices) known.push_back(matrix.name);
    if (std::find(known.begin(), known.end(), initial.matrix) == known.end()) {
        return bad_input(initial.where, fmt::format("there is no matrix '{}'", initial.matrix), nearest_hint(initial.matrix, known));
    }
    const std::vector<std::string>& parts = matrix_parts();
    if (std::find(parts.begin(), parts.end(), initial.part) != parts.end()) return {};
    return bad_input(initial.where, fmt::format("a matrix has no part '{}'", initial.part), nearest_hint(initial.part, parts));
}

// A rule for each choice, and no other.
Result<void> check_choice(const Ladder& ladder, const Matrix& matrix) {
    if (matrix.choice.empty()) return {};
    const Parameter* const parameter = ladder.find_parameter(matrix.choice);
    if (parameter == nullptr || parameter->choices.empty())
        return bad_input(
            matrix.where, fmt::format("the matrix '{}' is chosen by '{}', which is no parameter with choices", matrix.name, matrix.choice),
            fmt::format("add to [parameters], for example: {} = {{ default = \"one\", choices = [\"one\", \"other\"] }}", matrix.choice));
    for (const auto& [name, rule] : matrix.rules) {
        if (std::find(parameter->choices.begin(), parameter->choices.end(), name) != parameter->choices.end()) continue;
        return bad_input(rule.where, fmt::format("'{}' is no choice of the parameter '{}'", name, matrix.choice),
                         nearest_hint(name, parameter->choices));
    }
    for (const std::string& name : parameter->choices) {
        if (matrix.rules.contains(name)) continue;
        return bad_input(matrix.where,
                         fmt::format("the matrix '{}' has no rule for '{}', a choice of '{}'", matrix.name, name, matrix.choice),
                         fmt::format("add it: [matrix.{}.{}]", matrix.name, name));
    }
    return {};
}

// The parameters that matrices add are named like the ladder's own.
Result<void> check_matrices(const Ladder& ladder, const NameCheck& names) {
    for (const Matrix& matrix : ladder.matrices) {
        if (Result<void> known = names.check(matrix); !known) return known;
        if (Result<void> known = check_choice(ladder, matrix); !known) return known;
        for (const std::string& added : matrix_parameters(matrix.name)) {
            for (const Parameter& parameter : ladder.parameters) {
                if (parameter.name != added) continue;
                return bad_input(parameter.where, fmt::format("the parameter '{}' is also a size of the matrix '{}'", added, matrix.name),
                                 "rename one of them");
            }
        }
    }
    return {};
}

bool is_compared(const Buffer& buffer) { return buffer.role == Role::out || buffer.role == Role::inout; }

Result<void> check_golden_files(const Ladder& ladder) {
    const Golden& golden = ladder.golden;
    for (const auto& [name, path] : golden.files) {
        const Buffer* buffer = ladder.find_buffer(name);
        if (buffer != nullptr && is_compared(*buffer)) continue;
        std::vector<std::string> known;
        for (const Buffer& each : ladder.buffers) {
            if (is_compared(each)) known.push_back(each.name);
        }
        return bad_input(golden.where, fmt::format("'{}' is no buffer with role out or inout", name), nearest_hint(name, known));
    }
    for (const Buffer& buffer : ladder.buffers) {
        if (!is_compared(buffer) || golden.files.contains(buffer.name)) continue;
        return bad_input(golden.where, fmt::format("there is no golden file for the buffer '{}'", buffer.name),
                         fmt::format("add it: {} = \"{}.npy\", or give the buffer role = \"work\"", buffer.name, buffer.name));
    }
    return {};
}

Result<void> check_golden(const Ladder& ladder) {
    const Golden& golden = ladder.golden;
    if (golden.kind == GoldenKind::files) return check_golden_files(ladder);
    if (const Rung* rung = golden.kind == GoldenKind::rung ? ladder.find_rung(golden.name) : nullptr; rung != nullptr && rung->pipeline) {
        return bad_input(golden.where, fmt::format("the results of '{}' go out to the host, and cannot be the golden ones", golden.name),
                         "take a rung without host memory, or a reference");
    }
    if (golden.kind == GoldenKind::rung && ladder.find_rung(golden.name) == nullptr) {
        std::vector<std::string> known;
        for (const Rung& rung : ladder.rungs) known.push_back(rung.name);
        return bad_input(golden.where, fmt::format("there is no rung '{}'", golden.name), nearest_hint(golden.name, known));
    }
    if (golden.kind == GoldenKind::reference && find_reference(golden.name) == nullptr) {
        return bad_input(golden.where, fmt::format("there is no reference '{}'", golden.name),
                         nearest_hint(golden.name, reference_names()));
    }
    return {};
}

} // namespace

Result<void> check_ladder(const Ladder& ladder) {
    if (const auto unique = check_unique(ladder.buffers, "buffer"); !unique) return unique;
    if (const auto unique = check_unique(ladder.rungs, "rung"); !unique) return unique;
    const NameCheck names(ladder);
    if (const auto sound = check_matrices(ladder, names); !sound) return sound;
    bool compared = false;
    for (const Buffer& buffer : ladder.buffers) {
        if (const auto sound = check_buffer(buffer, ladder, names); !sound) return sound;
        if (const auto sound = check_matrix_part(buffer, ladder); !sound) return sound;
        compared = compared || is_compared(buffer);
    }
    if (!compared) {
        return bad_input({ladder.origin.file, 1, 1}, "no buffer has role out or inout, so there is no result to verify",
                         "give the buffer that the kernels write role = \"out\"");
    }
    if (const auto known = names.check(ladder.work.bytes); !known) return known;
    if (const auto known = names.check(ladder.work.operations); !known) return known;
    for (const Rung& rung : ladder.rungs) {
        if (const auto sound = check_rung(rung, names); !sound) return sound;
    }
    if (ladder.yardstick) {
        if (const auto sound = check_rung(*ladder.yardstick, names); !sound) return sound;
        if (ladder.yardstick->pipeline) return bad_input(ladder.yardstick->pipeline->where, "a yardstick has no way from and to the host");
    }
    return check_golden(ladder);
}

} // namespace apod::ladder

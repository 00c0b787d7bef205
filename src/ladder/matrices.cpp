#include "ladder/matrices.hpp"

#include "base/host_memory.hpp"
#include "base/units.hpp"
#include "workloads/spmv/generate.hpp"
#include "workloads/spmv/read_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apod::ladder {

namespace {

using Csr = spmv::Csr<double, std::int64_t>;

Result<spmv::Recipe> read_recipe(const MatrixRule& matrix, const std::string& name, const Environment& parameters) {
    spmv::Recipe recipe;
    recipe.kind = *spmv::kind_from_name(matrix.kind); // checked when the file was read
    const std::pair<const char*, std::int64_t*> numbers[] = {
        {"rows", &recipe.rows}, {"length", &recipe.length}, {"width", &recipe.width}, {"side", &recipe.side}, {"huge", &recipe.huge}};
    for (const auto& [key, target] : numbers) {
        const auto found = matrix.numbers.find(key);
        if (found == matrix.numbers.end()) continue;
        const auto value = found->second.evaluate_count(parameters, key, 0);
        if (!value) return value.error();
        *target = static_cast<std::int64_t>(*value);
    }
    if (matrix.kind == "stencil5" && recipe.rows == 0) recipe.rows = recipe.side * recipe.side;
    if (matrix.kind.starts_with("stencil") && recipe.rows == 0) recipe.rows = recipe.side * recipe.side * recipe.side;
    recipe.columns = recipe.rows; // square unless it says otherwise
    for (const char* key : {"columns", "seed"}) {
        const auto found = matrix.numbers.find(key);
        if (found == matrix.numbers.end()) continue;
        const auto value = found->second.evaluate_count(parameters, key, 0);
        if (!value) return value.error();
        if (std::string_view(key) == "seed")
            recipe.seed = *value;
        else
            recipe.columns = static_cast<std::int64_t>(*value);
    }
    const std::string wrong = spmv::what_is_wrong(recipe);
    if (!wrong.empty()) return bad_input(matrix.where, fmt::format("the matrix '{}' cannot be made: {}", name, wrong));
    return recipe;
}

// Refused before anything is touched: a machine that runs out of memory half way ends the process without a word. A row takes an offset, an
// entry a column and a value; while it is made, there are up to three such arrays of each.
Result<void> fits_memory(const MatrixRule& matrix, const std::string& name, double rows, double entries) {
    const double bytes = 3 * sizeof(std::int64_t) * (rows + entries);
    const std::uint64_t available = available_host_memory();
    if (bytes <= static_cast<double>(available)) return {};
    Diagnostic error = unavailable(fmt::format("to make the matrix '{}' takes {} of this machine's memory, {} are free", name,
                                               format_bytes(bytes), format_bytes(static_cast<double>(available))),
                                   "choose a smaller matrix");
    error.where = matrix.where;
    return error;
}

// In the mean row, where that is easily said: the check refuses nothing that fits.
double fewest_entries(const spmv::Recipe& recipe) {
    switch (recipe.kind) {
    case spmv::Kind::uniform:
    case spmv::Kind::dense_row: return static_cast<double>(std::min(recipe.length, recipe.columns));
    case spmv::Kind::banded: return static_cast<double>(std::min(recipe.width, recipe.columns));
    default: return 0;
    }
}

Result<Csr> make_matrix(const MatrixRule& matrix, const std::string& name, const Environment& parameters, const Origin& origin) {
    if (!matrix.kind.empty()) {
        const auto recipe = read_recipe(matrix, name, parameters);
        if (!recipe) return recipe.error();
        const double rows = static_cast<double>(recipe->rows);
        if (Result<void> fits = fits_memory(matrix, name, rows, rows * fewest_entries(*recipe)); !fits) return fits.error();
        return spmv::generate<double, std::int64_t>(*recipe);
    }
    const auto contents = read_ladder_file(origin, matrix.path, matrix.where);
    if (!contents) return contents.error();
    const auto file = spmv::parse_matrix(*contents, (origin.directory / matrix.path).string());
    if (!file) return file.error();
    if (!file->imaginary.empty())
        return bad_input(matrix.where, fmt::format("the matrix in '{}' is complex, and buffers are real", matrix.path));
    const double rows = static_cast<double>(file->matrix.rows);
    if (Result<void> fits = fits_memory(matrix, name, rows, static_cast<double>(file->matrix.values.size())); !fits) return fits.error();
    try {
        return spmv::to_csr<double, std::int64_t>(file->matrix);
    } catch (const spmv::Error& error) { // too many rows
        return bad_input(matrix.where, error.what());
    }
}

// The one that the parameter chooses; that there is one was checked when the file was read.
const MatrixRule& chosen_rule(const Matrix& matrix, const Ladder& ladder, const Environment& parameters) {
    if (matrix.choice.empty()) return matrix.rules.begin()->second;
    const auto which = std::get<std::int64_t>(parameters.find(matrix.choice)->second);
    return matrix.rules.find(ladder.find_parameter(matrix.choice)->choices.at(static_cast<std::size_t>(which)))->second;
}

std::int64_t longest_row(const Csr& csr) {
    std::int64_t longest = 0;
    for (std::size_t row = 1; row < csr.row_offsets.size(); ++row)
        longest = std::max(longest, csr.row_offsets[row] - csr.row_offsets[row - 1]);
    return longest;
}

} // namespace

std::vector<std::string> matrix_parameters(const std::string& name) {
    return {name + "_rows", name + "_columns", name + "_entries", name + "_longest"};
}

const std::vector<std::string>& matrix_parts() {
    static const std::vector<std::string> parts = {"offsets", "columns", "values"};
    return parts;
}

Result<Matrices> Matrices::make(const Ladder& ladder, Environment& parameters) {
    Matrices matrices;
    Environment sizes;
    for (const Matrix& matrix : ladder.matrices) {
        auto made = make_matrix(chosen_rule(matrix, ladder, parameters), matrix.name, parameters, ladder.origin);
        if (!made) return made.error();
        const std::int64_t values[] = {made->rows, made->columns, made->nonzeros(), longest_row(*made)};
        const std::vector<std::string> names = matrix_parameters(matrix.name);
        for (std::size_t i = 0; i < names.size(); ++i) sizes[names[i]] = values[i];
        matrices.made_[matrix.name] = std::make_shared<Csr>(*std::move(made));
    }
    parameters.merge(sizes);
    return matrices;
}

Result<void> Matrices::fill(const Initial& initial, ElementType type, std::vector<std::byte>& bytes) const {
    const auto found = made_.find(initial.matrix);
    if (found == made_.end()) return internal_error("a buffer holds a part of a matrix that was not made");
    const Csr& csr = *found->second;
    const bool values = initial.part == "values";
    const std::vector<std::int64_t>& indices = initial.part == "offsets" ? csr.row_offsets : csr.column_indices;
    const std::size_t count = values ? csr.values.size() : indices.size();
    const std::size_t size = element_bytes(type);
    if (bytes.size() / size < count) {
        return bad_input(initial.where, fmt::format("the buffer has {} elements, and the {} of the matrix '{}' are {}", bytes.size() / size,
                                                    initial.part, initial.matrix, count));
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::byte* const to = bytes.data() + i * size;
        if (values) {
            store_real(type, csr.values[i], to);
            continue;
        }
        store_integer(type, indices[i], to);
        if (is_floating(type) || element_as_real(type, to) != static_cast<double>(indices[i])) {
            return bad_input(
                initial.where,
                fmt::format("{} of the matrix '{}' do not fit elements of type {}", initial.part, initial.matrix, element_type_name(type)),
                "use s32, or s64 for large matrices");
        }
    }
    return {};
}

} // namespace apod::ladder

#include "ladder/matrices.hpp"

#include "base/file.hpp"
#include "ladder/reference.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstring>
#include <tuple>

namespace apod::ladder {
namespace {

constexpr std::string_view good = R"toml(source = "k.cu"
[parameters]
n = 4
[matrix.a]
kind = "banded"
rows = "n"
columns = "n+1"
width = 1
[[buffer]]
name = "values"
type = "f32"
shape = "a_entries"
init = { matrix = "a", part = "values" }
[[buffer]]
name = "y"
type = "f32"
shape = "a_rows"
role = "out"
[golden]
rung = "r"
[[rung]]
name = "r"
kernel = "k"
grid = "a_rows"
block = "a_longest"
arguments = ["y", "values", "a_columns"]
[[rung.prepare]]
kernel = "analyse"
grid = 1
block = 32
arguments = ["values"]
)toml";

Result<Ladder> ladder_after(std::string_view from, std::string_view to) {
    std::string text(good);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return parse_ladder(text.replace(at, from.size(), to), {"l.toml", ".", {}});
}

std::string error_after(std::string_view from, std::string_view to) {
    const auto ladder = ladder_after(from, to);
    if (!ladder) return to_text(ladder.error());
    auto parameters = bind_parameters(*ladder, {});
    const auto matrices = Matrices::make(*ladder, *parameters);
    return matrices ? "no error" : to_text(matrices.error());
}

void expect_part(const std::string& text, std::string_view part) { EXPECT_NE(text.find(part), std::string::npos) << text; }

template<class Element> std::vector<Element> filled(const Matrices& matrices, const char* part, ElementType type, std::size_t elements) {
    Initial initial;
    initial.matrix = "a";
    initial.part = part;
    std::vector<std::byte> bytes(elements * sizeof(Element));
    const auto done = matrices.fill(initial, type, bytes);
    EXPECT_TRUE(done.ok()) << to_text(done.error());
    std::vector<Element> all(elements);
    std::memcpy(all.data(), bytes.data(), bytes.size());
    return all;
}

TEST(LadderMatrices, sizes_become_parameters_and_parts_fill_buffers) {
    const auto ladder = ladder_after("\n", "\n");
    ASSERT_TRUE(ladder.ok()) << to_text(ladder.error());
    ASSERT_EQ(ladder->rungs[0].preparations.size(), 1u);
    EXPECT_EQ(ladder->rungs[0].preparations[0].kernel, "analyse");
    auto parameters = bind_parameters(*ladder, {});
    const auto matrices = Matrices::make(*ladder, *parameters);
    ASSERT_TRUE(matrices.ok()) << to_text(matrices.error());
    EXPECT_EQ(to_text(parameters->at("a_rows")), "4");
    EXPECT_EQ(to_text(parameters->at("a_columns")), "5");
    EXPECT_EQ(to_text(parameters->at("a_entries")), "11");
    EXPECT_EQ(to_text(parameters->at("a_longest")), "3");
    EXPECT_EQ(filled<std::int32_t>(*matrices, "offsets", ElementType::s32, 5), (std::vector<std::int32_t>{0, 2, 5, 8, 11}));
    EXPECT_EQ(filled<std::int64_t>(*matrices, "columns", ElementType::s64, 12),
              (std::vector<std::int64_t>{0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 0})); // one more than there is
    EXPECT_NE(filled<float>(*matrices, "values", ElementType::f32, 11)[0], 0);
}

TEST(LadderMatrices, a_part_that_does_not_fit_its_buffer_is_an_error) {
    const auto ladder = ladder_after("\n", "\n");
    auto parameters = bind_parameters(*ladder, {});
    const auto matrices = Matrices::make(*ladder, *parameters);
    Initial initial;
    initial.matrix = "a";
    initial.part = "offsets";
    std::vector<std::byte> small(16);
    expect_part(to_text(matrices->fill(initial, ElementType::s32, small).error()), "the buffer has 4 elements, and the offsets");
    std::vector<std::byte> real(64);
    expect_part(to_text(matrices->fill(initial, ElementType::f32, real).error()), "do not fit elements of type f32");
}

constexpr const char* one_of_two = "n = 4\nwhich = { default = \"band\", choices = [\"band\", \"grid\"] }\n"
                                   "[matrix.a]\nchoose = \"which\"\n[matrix.a.band]\nkind = \"banded\"\nrows = \"n\"\nwidth = 1\n"
                                   "[matrix.a.grid]\nkind = \"stencil5\"\nside = \"n\"\n";
constexpr std::string_view its_place = "n = 4\n[matrix.a]\nkind = \"banded\"\nrows = \"n\"\ncolumns = \"n+1\"\nwidth = 1\n";

TEST(LadderMatrices, a_parameter_chooses_among_rules) {
    const auto ladder = ladder_after(its_place, one_of_two);
    ASSERT_TRUE(ladder.ok()) << to_text(ladder.error());
    for (const auto& [which, rows, entries] : {std::tuple{0, "4", "10"}, std::tuple{1, "16", "64"}}) {
        auto parameters = bind_parameters(*ladder, {{"which", which}});
        const auto matrices = Matrices::make(*ladder, *parameters);
        ASSERT_TRUE(matrices.ok()) << to_text(matrices.error());
        EXPECT_EQ(to_text(parameters->at("a_rows")), rows);
        EXPECT_EQ(to_text(parameters->at("a_entries")), entries);
    }
    EXPECT_FALSE(bind_parameters(*ladder, {{"which", 2}}).ok());
}

TEST(LadderMatrices, a_choice_without_a_rule_and_a_rule_without_a_choice_are_mistakes) {
    const auto mistake = [](std::string_view from, std::string_view to) {
        std::string text = one_of_two;
        text.replace(text.find(from), from.size(), to);
        return error_after(its_place, text);
    };
    expect_part(mistake("[matrix.a.grid]", "[matrix.a.gird]"), "'gird' is no choice of the parameter 'which'");
    expect_part(mistake("[matrix.a.grid]\nkind = \"stencil5\"\nside = \"n\"\n", ""), "the matrix 'a' has no rule for 'grid'");
    expect_part(mistake("choose = \"which\"", "choose = \"n\""), "chosen by 'n', which is no parameter with choices");
    expect_part(mistake("choose = \"which\"", "choose = \"which\"\nrows = 3"), "has 'choose' and 'rows', which is no table");
    expect_part(mistake("default = \"band\"", "default = \"bend\""), "the default 'bend' of the parameter 'which' is none of its choices");
    expect_part(mistake("\"band\", \"grid\"]", "\"a band\"]"), "'a band' cannot be a choice");
}

TEST(LadderMatrices, mistakes_have_their_place) {
    expect_part(error_after("\"banded\"", "\"bended\""), "l.toml:5:8: there is no kind 'bended' of matrices");
    expect_part(error_after("kind = \"banded\"\n", ""), "l.toml:4:");
    expect_part(error_after("kind = \"banded\"\n", "file = \"a.mtx\"\n"), "comes from a file, so it has no 'columns'");
    expect_part(error_after("width = 1", "wide = 1"), "l.toml:8:1: the matrix 'a' has no key 'wide'");
    expect_part(error_after("rows = \"n\"", "rows = \"m\""), "there is no parameter 'm'");
    expect_part(error_after("rows = \"n\"", "rows = \"a_entries\""), "there is no parameter 'a_entries'");
    expect_part(error_after("rows = \"n\"", "rows = 0"), "rows is 0, and must be from 1 to 2^31 - 1");
    expect_part(error_after("{ matrix = \"a\"", "{ matrix = \"b\""), "l.toml:13:8: there is no matrix 'b'");
    expect_part(error_after("part = \"values\"", "part = \"value\""), "a matrix has no part 'value'");
    expect_part(error_after(", part = \"values\"", ""), "matrix and part go together");
    expect_part(error_after("n = 4", "n = 4\na_rows = 2"), "l.toml:4:1: the parameter 'a_rows' is also a size of the matrix 'a'");
    expect_part(error_after("[[rung.prepare]]\nkernel = \"analyse\"", "[[rung.prepare]]\nkernels = \"analyse\""),
                "prepare 1 of the rung 'r' has no key 'kernels'");
    expect_part(error_after("arguments = [\"values\"]\n", "arguments = [\"valves\"]\n"), "there is no buffer or parameter 'valves'");
}

TEST(LadderMatrices, a_file_is_read_and_its_mistakes_are_those_of_the_reader) {
    const auto directory = TempDirectory::make("apod-matrices");
    ASSERT_TRUE(directory.ok());
    std::string text(good);
    const std::size_t at = text.find("kind = ");
    text.replace(at, text.find("[[buffer]]") - at, "file = \"a.mtx\"\n");
    const auto ladder = parse_ladder(text, {"l.toml", directory->path(), {}});
    ASSERT_TRUE(ladder.ok()) << to_text(ladder.error());
    const auto entries_of = [&](std::string_view mtx) {
        EXPECT_TRUE(write_file(directory->path() / "a.mtx", mtx).ok());
        auto parameters = bind_parameters(*ladder, {});
        const auto matrices = Matrices::make(*ladder, *parameters);
        return matrices ? to_text(parameters->at("a_entries")) : to_text(matrices.error());
    };
    EXPECT_EQ(entries_of("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 3\n3 1 4\n"), "3");
    expect_part(entries_of("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 3\n3 4 4\n"), "a.mtx:4:3: the column is 4");
    const std::string huge = entries_of("%%MatrixMarket matrix coordinate real general\n1000000000000 3 0\n");
    expect_part(huge, "l.toml:4:9: to make the matrix 'a' takes 24.00 TB of this machine's memory, ");
    expect_part(huge, "choose a smaller matrix");
    expect_part(entries_of("%%MatrixMarket matrix coordinate complex general\n3 3 1\n1 1 3 4\n"), "is complex, and buffers are real");
}

HostBuffer buffer(const char* name, ElementType type, Role role, const std::vector<double>& elements) {
    HostBuffer made{name, type, role, {elements.size()}, std::vector<std::byte>(elements.size() * element_bytes(type)), {}};
    for (std::size_t i = 0; i < elements.size(); ++i) {
        std::byte* const to = made.bytes.data() + i * element_bytes(type);
        if (is_floating(type)) {
            store_real(type, elements[i], to);
        } else {
            store_integer(type, static_cast<std::int64_t>(elements[i]), to);
        }
    }
    return made;
}

TEST(SpmvReference, computes_y_with_its_bound_in_every_precision) {
    const std::pair<ElementType, ElementType> types[] = {{ElementType::f32, ElementType::f32},
                                                         {ElementType::f64, ElementType::f64},
                                                         {ElementType::f16, ElementType::f16},
                                                         {ElementType::f32, ElementType::f64}};
    for (const auto& [value, vector] : types) {
        for (const ElementType index : {ElementType::s32, ElementType::s64}) {
            std::vector<HostBuffer> buffers = {buffer("offsets", index, Role::in, {0, 2, 2}), buffer("columns", index, Role::in, {0, 2}),
                                               buffer("values", value, Role::in, {2, 3}), buffer("x", vector, Role::in, {5, 6, 7}),
                                               buffer("y", vector, Role::inout, {1, 1})};
            const auto done = spmv_reference(buffers, {{"alpha", 2.0}, {"beta", std::int64_t{-1}}});
            ASSERT_TRUE(done.ok()) << to_text(done.error());
            EXPECT_EQ(element_as_real(vector, buffers[4].bytes.data()), 61);
            EXPECT_EQ(element_as_real(vector, buffers[4].bytes.data() + element_bytes(vector)), -1);
            ASSERT_EQ(buffers[4].bound.size(), 2u);
            EXPECT_GT(buffers[4].bound[0], 0);
            EXPECT_LT(buffers[4].bound[0], 0.1);
        }
    }
}

TEST(SpmvReference, unsuitable_buffers_are_named) {
    std::vector<HostBuffer> buffers = {buffer("offsets", ElementType::s32, Role::in, {0, 1}),
                                       buffer("columns", ElementType::s32, Role::in, {9}),
                                       buffer("values", ElementType::f32, Role::in, {2}), buffer("x", ElementType::f32, Role::in, {5}),
                                       buffer("y", ElementType::f32, Role::out, {1})};
    expect_part(to_text(spmv_reference(buffers, {}).error()), "entry 0 is in column 9");
    expect_part(to_text(spmv_reference(buffers, {{"beta", 1.0}}).error()), "y is read: it must be inout");
    buffers[3].type = ElementType::f64;
    expect_part(to_text(spmv_reference(buffers, {}).error()), "x and y of one type");
    buffers.erase(buffers.begin());
    expect_part(to_text(spmv_reference(buffers, {}).error()), "needs a buffer 'offsets'");
}

} // namespace
} // namespace apod::ladder

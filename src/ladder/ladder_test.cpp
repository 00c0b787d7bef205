#include "ladder/ladder.hpp"

#include "base/file.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace apod::ladder {
namespace {

constexpr std::string_view good = R"toml(title = "Twice"
source = "k.cu"
arguments = ["out", "in", "n"]
[parameters]
n = { default = 100, min = 1, max = 1000, description = "elements" }
scale = 2.5
[[buffer]]
name = "in"
type = "f32"
shape = ["n", 4]
init = { uniform = [-1, 1], seed = 7 }
[[buffer]]
name = "out"
type = "f64"
shape = "n"
role = "out"
check = { ulp = 2 }
[golden]
rung = "a"
[check]
relative = 1e-6
absolute = 1e-9
[work]
bytes = "12*n"
operations = "2*n"
type = "fp64"
[[rung]]
name = "a"
what = "first"
kernel = "twice"
grid = "ceil(n/128)"
block = [32, 4]
[[rung]]
name = "b"
kernel = "twice<4>"
grid = 1
block = 1
dynamic_shared = "4*n"
when = "n < 50"
arguments = ["out", "in", "2*n", "scale"]
)toml";

std::string error_of(std::string_view text) {
    const auto ladder = parse_ladder(text, {"l.toml", ".", {}});
    return ladder.ok() ? "no error" : to_text(ladder.error());
}

// The error after one piece of the good ladder is replaced.
std::string error_after(std::string_view from, std::string_view to) {
    std::string text(good);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    return error_of(text);
}

void expect_error(const std::string& actual, std::string_view part) { EXPECT_NE(actual.find(part), std::string::npos) << actual; }

TEST(Ladder, everything_in_the_file_arrives) {
    const auto ladder = parse_ladder(good, {"dir/l.toml", "dir", {}});
    ASSERT_TRUE(ladder.ok()) << to_text(ladder.error());
    EXPECT_EQ(ladder->name, "l");
    EXPECT_EQ(ladder->title, "Twice");
    EXPECT_EQ(ladder->sources.at(0).path, "k.cu");
    ASSERT_EQ(ladder->parameters.size(), 2u);
    EXPECT_EQ(ladder->parameters[0].maximum, 1000);
    ASSERT_EQ(ladder->buffers.size(), 2u);
    EXPECT_EQ(ladder->buffers[0].shape.size(), 2u);
    EXPECT_EQ(ladder->buffers[0].initial.fill, Fill::uniform);
    EXPECT_EQ(ladder->buffers[0].initial.seed, 7u);
    EXPECT_EQ(ladder->buffers[1].role, Role::out);
    EXPECT_EQ(ladder->buffers[1].tolerance->ulp, 2u);
    EXPECT_EQ(ladder->tolerance.relative, 1e-6);
    EXPECT_EQ(ladder->golden.name, "a");
    EXPECT_EQ(ladder->work.operation_type, "fp64");
    ASSERT_EQ(ladder->rungs.size(), 2u);
    EXPECT_EQ(ladder->rungs[0].launches[0].arguments.size(), 3u);
    EXPECT_EQ(ladder->rungs[0].launches[0].arguments[0].buffer, "out");
    EXPECT_EQ(ladder->rungs[1].launches[0].arguments[3].scalar.text(), "scale");
    EXPECT_EQ(ladder->rungs[1].launches[0].dynamic_shared->text(), "4*n");
    EXPECT_EQ(ladder->rungs[1].when->text(), "n < 50");
}

TEST(Ladder, unknown_keys_are_named_with_the_nearest) {
    expect_error(error_after("title =", "titel ="), "l.toml:1:1: the ladder has no key 'titel'");
    expect_error(error_after("title =", "titel ="), "did you mean 'title'");
    expect_error(error_after("kernel = \"twice\"", "kernel = \"twice\"\nblok = 3"), "the rung 'a' has no key 'blok'");
    expect_error(error_after("seed = 7", "sede = 7"), "init has no key 'sede'");
    expect_error(error_after("ulp = 2", "ulps = 2"), "check has no key 'ulps'");
    expect_error(error_after("rung = \"a\"", "rang = \"a\""), "[golden] has no key 'rang'");
    expect_error(error_after("min = 1", "mini = 1"), "the parameter 'n' has no key 'mini'");
}

TEST(Ladder, missing_keys_come_with_an_example) {
    expect_error(error_after("source = \"k.cu\"\n", ""), "lacks the key 'source'");
    expect_error(error_after("kernel = \"twice\"\n", ""), "l.toml:27:1: the rung 'a' lacks the key 'kernel'");
    expect_error(error_after("grid = \"ceil(n/128)\"\n", ""), "add, for example: grid = ");
    expect_error(error_after("type = \"f32\"\n", ""), "the buffer 'in' lacks the key 'type'");
    expect_error(error_after("init = { uniform = [-1, 1], seed = 7 }\n", ""), "the buffer 'in' lacks the key 'init'");
    expect_error(error_after("arguments = [\"out\", \"in\", \"n\"]\n", ""), "the rung 'a' lacks the key 'arguments'");
    expect_error(error_after("[golden]\nrung = \"a\"\n", ""), "lacks the key 'golden'");
    expect_error(error_after("name = \"a\"\n", ""), "[[rung]] lacks the key 'name'");
    expect_error(error_of("source = \"a.cu\"\n[golden]\nrung = \"a\"\n"), "has no rung");
}

TEST(Ladder, wrong_types_are_named) {
    expect_error(error_after("title = \"Twice\"", "title = 3"), "l.toml:1:9: title is a string, not an integer");
    expect_error(error_after("block = [32, 4]", "block = [1, 2, 3, 4]"), "block has 1 to 3 numbers, not 4");
    expect_error(error_after("block = [32, 4]", "block = {}"), "block is a number or an expression in quotes");
    expect_error(error_after("type = \"f32\"", "type = \"float\""), "write PTX's: \"f32\"");
    expect_error(error_after("type = \"f32\"", "type = \"f33\""), "did you mean 'f32'");
    expect_error(error_after("[parameters]", "[[parameters]]"), "parameters is a table");
    expect_error(error_after("default = 100", "default = \"100\""), "the parameter 'n' is a number");
    expect_error(error_after("default = 100", "default = 0"), "outside its own limits");
    expect_error(error_after("uniform = [-1, 1]", "uniform = 1"), "uniform is an array of two numbers");
    expect_error(error_after("{ uniform = [-1, 1], seed = 7 }", "\"iotta\""), "did you mean 'iota'");
    expect_error(error_after("role = \"out\"", "role = \"output\""), "there is no role 'output'");
    expect_error(error_after("role = \"out\"", "role = \"out\"\ninit = 0"), "written by the kernels only");
    expect_error(error_after("type = \"fp64\"", "type = \"fp8\""), "there is no type of operations 'fp8'");
    expect_error(error_after("relative = 1e-6", "relative = -1"), "must not be negative");
    expect_error(error_after("source = \"k.cu\"", "source = \"k.cpp\""), "neither .cu nor .ptx");
}

TEST(Ladder, expressions_are_checked_when_the_file_is_read) {
    expect_error(error_after("ceil(n/128)", "ceil(n/128"), "l.toml:31:19: expected ',' or ')'");
    expect_error(error_after("ceil(n/128)", "ceil(m/128)"), "l.toml:31:14: there is no parameter 'm'");
    expect_error(error_after("ceil(n/128)", "in/2"), "'in' is a buffer, and only parameters have values here");
    expect_error(error_after("[\"out\", \"in\", \"n\"]", "[\"out\", \"inn\", \"n\"]"), "there is no buffer or parameter 'inn'");
    expect_error(error_after("n < 50", "m < 50"), "there is no parameter 'm'");
    expect_error(error_after("12*n", "12*k"), "there is no parameter 'k'");
}

TEST(Ladder, names_are_unique_and_known) {
    expect_error(error_after("name = \"b\"", "name = \"a\""), "there are two rungs called 'a'");
    expect_error(error_after("name = \"b\"", "name = \"a\""), "the first is at line 27");
    expect_error(error_after("name = \"out\"", "name = \"in\""), "there are two buffers called 'in'");
    expect_error(error_after("name = \"out\"", "name = \"n\""), "'n' is a parameter and a buffer");
    expect_error(error_after("name = \"b\"", "name = \"a b\""), "'a b' is not a name");
    expect_error(error_after("scale = 2.5", "and = 2.5"), "cannot be a parameter's name");
    expect_error(error_after("rung = \"a\"", "rung = \"c\""), "there is no rung 'c'");
    expect_error(error_after("rung = \"a\"", "reference = \"transpos\""), "did you mean 'transpose'");
    expect_error(error_after("rung = \"a\"", "rung = \"a\"\nreference = \"transpose\""), "exactly one of");
    expect_error(error_after("rung = \"a\"", "files = { in = \"x.npy\" }"), "'in' is no buffer with role out or inout");
    expect_error(error_after("rung = \"a\"", "files = { }"), "there is no golden file for the buffer 'out'");
    expect_error(error_after("role = \"out\"", "role = \"work\""), "there is no result to verify");
}

TEST(Ladder, garbage_is_an_error_with_its_place) {
    expect_error(error_of("a = [1, 2"), "l.toml:1:");
    expect_error(error_of("n = 1\nn = 2\n"), "l.toml:2:");
    expect_error(error_of(std::string("\0\xff\xfe", 3)), "l.toml:1:");
    expect_error(error_of(""), "lacks the key 'source'");
    expect_error(error_of("a = " + std::string(100000, '[')), "l.toml:1:");
    for (std::size_t length = 0; length < good.size(); ++length) (void)error_of(good.substr(0, length));
}

TEST(Ladder, several_launches_stand_in_the_rung) {
    const std::string launches = "[[rung]]\nname = \"c\"\n[[rung.launch]]\nkernel = \"x\"\ngrid = 1\nblock = 1\n[[rung.launch]]\n"
                                 "kernel = \"y\"\ngrid = 2\nblock = 1\n";
    const auto ladder = parse_ladder(std::string(good) + launches, {"l.toml", ".", {}});
    ASSERT_TRUE(ladder.ok()) << to_text(ladder.error());
    ASSERT_EQ(ladder->rungs[2].launches.size(), 2u);
    EXPECT_EQ(ladder->rungs[2].launches[1].kernel, "y");
    expect_error(error_of(std::string(good) + launches + "[[rung]]\nname = \"d\"\nkernel = \"x\"\n[[rung.launch]]\nkernel = \"x\"\n"),
                 "has both 'kernel' and launches of its own");
    expect_error(error_of(std::string(good) + "[[rung]]\nname = \"d\"\n[[rung.launch]]\nkernel = \"x\"\n"),
                 "launch 1 of the rung 'd' lacks the key 'grid'");
}

TEST(Ladder, parameters_take_overrides_within_their_limits) {
    const auto ladder = parse_ladder(good, {"l.toml", ".", {}});
    ASSERT_TRUE(ladder.ok());
    const auto bound = bind_parameters(*ladder, {{"n", 7}});
    ASSERT_TRUE(bound.ok());
    EXPECT_EQ(std::get<std::int64_t>(bound->at("n")), 7);
    EXPECT_EQ(std::get<double>(bound->at("scale")), 2.5);
    const auto error = [&](const std::map<std::string, double>& overrides) {
        const auto result = bind_parameters(*ladder, overrides);
        EXPECT_FALSE(result.ok());
        if (result.ok()) return std::string();
        EXPECT_EQ(result.error().kind, ErrorKind::usage);
        return to_text(result.error());
    };
    expect_error(error({{"n", 7.5}}), "is an integer");
    expect_error(error({{"n", 0}}), "at least 1 and at most 1000");
    expect_error(error({{"scael", 1}}), "did you mean 'scale'");
}

TEST(Ladder, built_in_ladders_are_found_by_name) {
    for (const auto& [name, rungs] : {std::pair<std::string, std::size_t>{"transpose", 11}, {"transfer", 6}, {"spmv", 11}}) {
        const auto ladder = load_ladder(name);
        ASSERT_TRUE(ladder.ok()) << to_text(ladder.error());
        EXPECT_EQ(ladder->name, name);
        EXPECT_EQ(ladder->rungs.size(), rungs) << name;
    }
    const auto unknown = load_ladder("transpos");
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(unknown.error().kind, ErrorKind::usage);
    expect_error(to_text(unknown.error()), "did you mean 'transpose'");
    const auto missing = load_ladder("no/such.toml");
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().kind, ErrorKind::bad_input);
}

TEST(Ladder, a_file_is_known_by_its_stem_or_its_folder) {
    const auto directory = TempDirectory::make();
    ASSERT_TRUE(directory.ok());
    for (const auto& [path, name] : {std::pair{"mine.toml", "mine"}, std::pair{"twice/ladder.toml", "twice"}}) {
        ASSERT_TRUE(write_file(directory->path() / path, good).ok());
        const auto ladder = load_ladder((directory->path() / path).string());
        ASSERT_TRUE(ladder.ok());
        EXPECT_EQ(ladder->name, name);
    }
}

} // namespace
} // namespace apod::ladder

// The ladder file: one problem, its data, its golden result, and the rungs from naive to best. docs/ladder.md describes the format.
#pragma once

#include "apod/pipeline.hpp"
#include "base/result.hpp"
#include "ladder/element.hpp"
#include "ladder/expression.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::ladder {

// Where the files that a ladder names are looked for: a directory, or the files built into apod.
struct Origin {
    std::string file;                // as it was given; names the ladder in messages
    std::filesystem::path directory; // of the file; relative paths within the ladder start here
    std::string assets;              // "workloads/transpose" when the ladder is built in; empty otherwise
};

// A source of kernels: CUDA C++ or PTX.
struct SourceFile {
    std::string path; // as written
    SourcePosition where;
};

struct Parameter {
    std::string name;
    Value initial = std::int64_t{0}; // an integer default makes it an integer parameter
    std::optional<double> minimum;
    std::optional<double> maximum;
    std::optional<std::int64_t> emulated; // instead of `initial` where the device is emulated
    std::vector<std::string> choices;     // where it is one of these by name: its value is which, from 0
    std::string description;
    SourcePosition where;
};

enum class Role : std::uint8_t {
    in,    // written before each rung
    out,   // poisoned before each rung, compared after it
    inout, // written before, compared after
    work   // poisoned before, never compared
};

enum class Fill : std::uint8_t { zeros, constant, iota, uniform, normal, file, matrix, poison };

// The initial contents. Random numbers are the same for the same seed on every machine.
struct Initial {
    Fill fill = Fill::zeros;
    Expression first;  // constant: the value; iota: first value; uniform: smallest; normal: mean
    Expression second; // iota: step; uniform: largest (not reached by reals, reached by integers); normal: standard deviation
    std::uint64_t seed = 1;
    std::string path;   // file
    std::string matrix; // matrix: its name,
    std::string part;   // and what of it
    SourcePosition where;
};

// How far a result may be from the golden one. An element is right when any of the limits that are set holds; none set: equal bits,
// but +0 and -0 are equal, and so are all NaN.
struct Tolerance {
    std::optional<std::uint64_t> ulp;
    std::optional<double> relative; // |a - e| <= relative * |e|
    std::optional<double> absolute; // |a - e| <= absolute
    std::optional<double> bound;    // |a - e| <= bound * what the reference says that the element may be off by
};

// How a sparse matrix is made: by a rule, or read from a file.
struct MatrixRule {
    std::string kind;                          // of workloads/spmv/recipe.hpp; empty: a file
    std::string path;                          // .mtx or .npz
    std::map<std::string, Expression> numbers; // rows, columns, length, width, side, huge, seed
    SourcePosition where;
};

// A sparse matrix; its parts are what buffers may hold. Later expressions know its sizes as parameters: <name>_rows, <name>_columns,
// <name>_entries and <name>_longest, the number of entries of its longest row.
struct Matrix {
    std::string name;
    std::string choice; // the parameter whose choices are the rules' names; empty: there is one rule, without a name
    std::map<std::string, MatrixRule> rules;
    SourcePosition where;
};

struct Buffer {
    std::string name;
    ElementType type = ElementType::f32;
    std::vector<Expression> shape;
    Role role = Role::in;
    Initial initial;
    std::optional<Tolerance> tolerance; // instead of the ladder's
    SourcePosition where;
};

// A buffer's name, or an expression whose type the kernel's parameter decides.
struct Argument {
    std::string buffer; // empty: it is `scalar`
    Expression scalar;
    SourcePosition where;
};

struct KernelLaunch {
    std::string kernel;
    std::vector<Expression> grid;  // 1 to 3
    std::vector<Expression> block; // 1 to 3
    std::optional<Expression> dynamic_shared;
    std::vector<Argument> arguments;
    SourcePosition where;
    SourcePosition kernel_where;
    SourcePosition arguments_where;
};

// A rung whose time includes the way from and to the host: its buffers come in, its launches run, its results go out, chunk by chunk. In
// the launches' expressions `chunk` is the number of elements of one, and buffers begin where it does.
struct PipelinePlan {
    HostKind host = HostKind::pageable;
    std::optional<Expression> chunks; // 1 where not given, as streams
    std::optional<Expression> streams;
    bool by_stage = false; // streams = "stages": one each for copies in, kernels and copies out
    SourcePosition where;
};

struct Rung {
    std::string name;
    std::string what;
    std::optional<Expression> when;
    std::string otherwise;                  // why not, where `when` does not hold: for whom the rung is, and how to see it
    std::vector<KernelLaunch> preparations; // before the launches, and no part of the rung's time: an analysis that is made once and kept
    std::vector<KernelLaunch> launches;
    std::optional<PipelinePlan> pipeline;
    SourcePosition where;
};

enum class GoldenKind : std::uint8_t { rung, reference, files };

struct Golden {
    GoldenKind kind = GoldenKind::reference;
    std::string name;                         // of the rung or of the reference
    std::map<std::string, std::string> files; // buffer -> path
    SourcePosition where;
};

struct Work {
    std::optional<Expression> bytes;
    std::optional<Expression> operations;
    std::string operation_type = "fp32";
};

struct Ladder {
    std::string name; // "transpose": the built-in name, or the file's stem
    std::string title;
    Origin origin;
    std::vector<SourceFile> sources;
    std::vector<std::string> compile_flags; // for nvcc, after apod's own
    std::vector<Parameter> parameters;
    std::vector<Matrix> matrices;
    std::vector<Buffer> buffers;
    std::vector<Rung> rungs;
    std::optional<Rung> yardstick; // no rung: a kernel to measure by, such as a copy of the same bytes; its results are not compared
    Golden golden;
    Tolerance tolerance;
    Work work;

    [[nodiscard]] const Buffer* find_buffer(std::string_view buffer) const;
    [[nodiscard]] const Parameter* find_parameter(std::string_view parameter) const;
    [[nodiscard]] const Rung* find_rung(std::string_view rung) const;
};

// Reads a ladder's text. Everything that can be known without its kernels is checked: each error is bad_input with file:line:column.
Result<Ladder> parse_ladder(std::string_view toml_text, Origin origin);

// A built-in ladder by name ("transpose"), or the file of that path; what ends in .toml or holds a '/' is a path. An unknown name is a
// usage error that names the nearest ladder.
Result<Ladder> load_ladder(const std::string& name_or_path);

// The names of the ladders built into this apod, in alphabetical order.
[[nodiscard]] std::vector<std::string> built_in_ladders();

// The bytes of a file that the ladder names, from its directory or from the built-in files.
Result<std::string> read_ladder_file(const Origin& origin, const std::string& path, const SourcePosition& where);

// The parameters' values: defaults, those for emulated devices where it is one, with `overrides` in their place. An unknown name, a
// fraction where the default is an integer, or a value beyond its limits is a usage error.
Result<Environment> bind_parameters(const Ladder& ladder, const std::map<std::string, double>& overrides, bool emulated = false);

} // namespace apod::ladder

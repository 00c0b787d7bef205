// Every shape and type of mma.sync and wmma: products of matrices in plain loops, with the fragments where the PTX manual's figures put
// them (group = lane / 4, thread = lane % 4), on integers that every type holds exactly and on any floats within a bound.
#include "tests/emu/kernel_run.hpp"
#include "tests/emu/recorded.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>

namespace apod::emu::testing {

namespace {

enum class Element : std::uint8_t { f16, bf16, tf32, f32, f64, u8, s8, u4, s4, b1, s32 };

struct TypeFacts {
    Element element;
    const char* name;
    unsigned bits; // in a register
    bool is_float;
};
constexpr TypeFacts types[] = {{Element::f16, "f16", 16, true}, {Element::bf16, "bf16", 16, true}, {Element::tf32, "tf32", 32, true},
                               {Element::f32, "f32", 32, true}, {Element::f64, "f64", 64, true},   {Element::u8, "u8", 8, false},
                               {Element::s8, "s8", 8, false},   {Element::u4, "u4", 4, false},     {Element::s4, "s4", 4, false},
                               {Element::b1, "b1", 1, false},   {Element::s32, "s32", 32, false}};
const TypeFacts& facts(Element element) {
    for (const TypeFacts& type : types)
        if (type.element == element) return type;
    return types[0];
}

struct Shape {
    unsigned m, n, k;
};

struct Product {
    Shape shape;
    Element a, b, c;
    const char* operation = ""; // after the types: ".xor.popc", or "satfinite"
};

unsigned per_register(Element element) { return element == Element::f64 ? 1 : 32 / facts(element).bits; }

std::uint16_t half_of(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000;
    const int exponent = static_cast<int>(bits >> 23 & 0xff) - 127 + 15;
    if ((bits & 0x7fffffff) == 0 || exponent <= 0) return static_cast<std::uint16_t>(sign);
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(exponent) << 10 | (bits >> 13 & 0x3ff)); // truncated
}
float float_of_half(std::uint32_t bits) {
    const std::uint32_t exponent = bits >> 10 & 0x1f;
    const float sign = (bits & 0x8000) != 0 ? -1.0f : 1.0f;
    if (exponent == 31) return (bits & 0x3ff) != 0 ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(bits & 0x3ff), -24);
    return sign * std::ldexp(static_cast<float>(0x400 | (bits & 0x3ff)), static_cast<int>(exponent) - 25);
}

// A number as the element's bits (truncated to what it holds), and back.
std::uint64_t encode(Element element, double value) {
    switch (element) {
    case Element::f16: return half_of(static_cast<float>(value));
    case Element::bf16: return std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16;
    case Element::tf32: return std::bit_cast<std::uint32_t>(static_cast<float>(value)) & 0xffffe000u;
    case Element::f32: return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case Element::f64: return std::bit_cast<std::uint64_t>(value);
    default: return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) & ((1ull << facts(element).bits) - 1);
    }
}
double decode(Element element, std::uint64_t bits) {
    switch (element) {
    case Element::f16: return float_of_half(static_cast<std::uint32_t>(bits));
    case Element::bf16: return std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16));
    case Element::tf32:
    case Element::f32: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case Element::f64: return std::bit_cast<double>(bits);
    case Element::s8: return static_cast<std::int8_t>(bits);
    case Element::s4: return static_cast<double>(static_cast<std::int64_t>(bits << 60) >> 60);
    case Element::s32: return static_cast<std::int32_t>(bits);
    default: return static_cast<double>(bits);
    }
}

double random_element(Element element, std::mt19937& random, bool exact) {
    if (element == Element::b1) return static_cast<double>(random() & 1);
    if (element == Element::s32) return static_cast<double>(static_cast<int>(random() % 2001) - 1000);
    if (facts(element).is_float) {
        if (exact) return static_cast<double>(static_cast<int>(random() % 15) - 7);
        return std::ldexp(static_cast<double>(random() % 4096) - 2047.5, -11);
    }
    return decode(element, random() & ((1ull << facts(element).bits) - 1));
}

struct Matrix {
    unsigned rows, columns;
    std::vector<double> at;
    Matrix(unsigned r, unsigned c) : rows(r), columns(c), at(std::size_t{r} * c) {}
    double& operator()(unsigned r, unsigned c) { return at[std::size_t{r} * columns + c]; }
};

// Where element `i` of a lane's fragment lies.
struct Place {
    unsigned row, column;
};
Place place_a(const Product& p, unsigned lane, unsigned i) {
    const unsigned e = per_register(p.a);
    const unsigned reg = i / e;
    const unsigned tall = p.shape.m / 8; // register pairs go down first
    return {lane / 4 + 8 * (reg % tall), lane % 4 * e + i % e + 4 * e * (reg / tall)};
}
Place place_b(const Product& p, unsigned lane, unsigned i) {
    const unsigned e = per_register(p.b);
    return {lane % 4 * e + i % e + 4 * e * (i / e), lane / 4};
}
Place place_c(unsigned lane, unsigned i) { return {lane / 4 + 8 * (i / 2), lane % 4 * 2 + i % 2}; }

using Registers = std::vector<std::vector<std::uint64_t>>; // by lane

template<class PlaceOf> Registers pack(Matrix& matrix, Element element, PlaceOf place) {
    const unsigned count = matrix.rows * matrix.columns / 32;
    const unsigned e = per_register(element);
    Registers lanes(32, std::vector<std::uint64_t>(count / e));
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < count; ++i) {
            const Place at = place(lane, i);
            lanes[lane][i / e] |= encode(element, matrix(at.row, at.column)) << (i % e * facts(element).bits % 64);
        }
    return lanes;
}

std::string list_of(const char* prefix, unsigned first, unsigned count) {
    std::string text = "{";
    for (unsigned i = 0; i < count; ++i) text += fmt::format("{}{}{}", i == 0 ? "" : ", ", prefix, first + i);
    return text + "}";
}

std::string mma_name(const Product& p) {
    const bool integer = !facts(p.a).is_float;
    const std::string saturate = std::string(p.operation) == "satfinite" ? ".satfinite" : "";
    return fmt::format("mma.sync.aligned.m{}n{}k{}.row.col{}.{}.{}.{}.{}{}", p.shape.m, p.shape.n, p.shape.k, integer ? saturate : "",
                       facts(p.c).name, facts(p.a).name, facts(p.b).name, facts(p.c).name, saturate.empty() ? p.operation : "");
}

// Each lane loads its registers (8 bytes each in the buffer), multiplies, stores.
std::string mma_text(const Product& p, unsigned a, unsigned b, unsigned c) {
    const bool wide = p.a == Element::f64;
    const char* reg = wide ? "%q" : "%w";
    const char* type = wide ? "b64" : "b32";
    std::string text = ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                       ".reg .b32 %w<80>;\n.reg .f64 %q<80>;\n.reg .b64 %d<8>;\n.reg .b32 %t<4>;\n"
                       "ld.param.u64 %d1, [in];\nld.param.u64 %d2, [out];\nmov.u32 %t1, %tid.x;\n";
    text += fmt::format("mul.wide.u32 %d3, %t1, {};\nadd.s64 %d1, %d1, %d3;\nmul.wide.u32 %d3, %t1, {};\nadd.s64 %d2, %d2, %d3;\n",
                        8 * (a + b + c), 8 * c);
    for (unsigned i = 0; i < a + b + c; ++i) text += fmt::format("ld.global.{} {}{}, [%d1+{}];\n", wide ? "f64" : type, reg, i, 8 * i);
    text += fmt::format("{} {}, {}, {}, {};\n", mma_name(p), list_of(reg, 60, c), list_of(reg, 0, a), list_of(reg, a, b),
                        list_of(reg, a + b, c));
    for (unsigned i = 0; i < c; ++i) text += fmt::format("st.global.{} [%d2+{}], {}{};\n", wide ? "f64" : type, 8 * i, reg, 60 + i);
    return text + "ret;\n}\n";
}

double multiply(const Product& p, double a, double b) {
    if (p.a != Element::b1) return a * b;
    const bool both = std::string(p.operation).find("and") != std::string::npos;
    return both ? a * b : (a != b ? 1.0 : 0.0);
}

double saturated(const Product& p, double value) {
    if (p.c != Element::s32) return value;
    if (std::string(p.operation) == "satfinite") return std::clamp(value, -2147483648.0, 2147483647.0);
    return static_cast<std::int32_t>(static_cast<std::int64_t>(value)); // wraps
}

void check_product(const Product& p, bool exact) {
    std::mt19937 random(p.shape.m * 1000 + p.shape.k + static_cast<unsigned>(p.a) * 77 + static_cast<unsigned>(p.b));
    Matrix a(p.shape.m, p.shape.k);
    Matrix b(p.shape.k, p.shape.n);
    Matrix c(p.shape.m, p.shape.n);
    for (double& x : a.at) x = decode(p.a, encode(p.a, random_element(p.a, random, exact)));
    for (double& x : b.at) x = decode(p.b, encode(p.b, random_element(p.b, random, exact)));
    for (double& x : c.at) x = decode(p.c, encode(p.c, random_element(p.c, random, exact)));
    if (p.c == Element::s32) c(0, 0) = c(p.shape.m - 1, 1) = 2147483647.0; // for saturation
    const Registers ra = pack(a, p.a, [&](unsigned l, unsigned i) { return place_a(p, l, i); });
    const Registers rb = pack(b, p.b, [&](unsigned l, unsigned i) { return place_b(p, l, i); });
    const Registers rc = pack(c, p.c, [](unsigned l, unsigned i) { return place_c(l, i); });
    std::vector<std::uint64_t> in;
    for (unsigned lane = 0; lane < 32; ++lane)
        for (const Registers* part : {&ra, &rb, &rc}) in.insert(in.end(), (*part)[lane].begin(), (*part)[lane].end());
    const auto count = static_cast<unsigned>(rc[0].size());
    KernelRun run;
    run.text = mma_text(p, static_cast<unsigned>(ra[0].size()), static_cast<unsigned>(rb[0].size()), count);
    run.buffers = {bytes_of(in.data(), in.size()), std::vector<std::byte>(32 * 8 * count)};
    const std::uint64_t key = key_of(run);
    ASSERT_EQ(run_kernel(run), "") << mma_name(p);
    std::vector<std::uint64_t> out(32 * count);
    std::memcpy(out.data(), run.buffers[1].data(), run.buffers[1].size());
    if (exact) {
        EXPECT_EQ(compare_with_record(mma_name(p), key, hash_of(out.data(), out.size() * 8)), "");
    }
    const unsigned e = per_register(p.c);
    const unsigned bits = facts(p.c).bits;
    for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned i = 0; i < count * e; ++i) {
            const Place at = place_c(lane, i);
            double want = c(at.row, at.column);
            double size = std::fabs(want);
            for (unsigned k = 0; k < p.shape.k; ++k) {
                want += multiply(p, a(at.row, k), b(k, at.column));
                size += std::fabs(a(at.row, k) * b(k, at.column));
            }
            const std::uint64_t word = out[lane * count + i / e] >> (i % e * bits % 64);
            const double got = decode(p.c, bits == 64 ? word : word & ((1ull << bits) - 1));
            const double bound = exact ? 0 : p.c == Element::f16 ? size * 0x1p-9 : p.c == Element::f64 ? size * 0x1p-50 : size * 0x1p-20;
            ASSERT_LE(std::fabs(got - saturated(p, want)), bound) << mma_name(p) << " row " << at.row << " column " << at.column;
        }
}

std::vector<Product> products() {
    using E = Element;
    std::vector<Product> list;
    for (const unsigned k : {8u, 16u}) {
        list.push_back({{16, 8, k}, E::f16, E::f16, E::f16});
        list.push_back({{16, 8, k}, E::f16, E::f16, E::f32});
        list.push_back({{16, 8, k}, E::bf16, E::bf16, E::f32});
    }
    for (const unsigned k : {4u, 8u}) list.push_back({{16, 8, k}, E::tf32, E::tf32, E::f32});
    list.push_back({{8, 8, 4}, E::f64, E::f64, E::f64});
    for (const unsigned k : {4u, 8u, 16u}) list.push_back({{16, 8, k}, E::f64, E::f64, E::f64});
    for (const auto& [a, b] : {std::pair{E::u8, E::u8}, {E::u8, E::s8}, {E::s8, E::u8}, {E::s8, E::s8}})
        for (const Shape shape : {Shape{8, 8, 16}, Shape{16, 8, 16}, Shape{16, 8, 32}})
            for (const char* saturation : {"", "satfinite"}) list.push_back({shape, a, b, E::s32, saturation});
    for (const auto& [a, b] : {std::pair{E::u4, E::u4}, {E::u4, E::s4}, {E::s4, E::u4}, {E::s4, E::s4}})
        for (const Shape shape : {Shape{8, 8, 32}, Shape{16, 8, 32}, Shape{16, 8, 64}})
            for (const char* saturation : {"", "satfinite"}) list.push_back({shape, a, b, E::s32, saturation});
    for (const Shape shape : {Shape{8, 8, 128}, Shape{16, 8, 128}, Shape{16, 8, 256}})
        for (const char* operation : {".xor.popc", ".and.popc"}) list.push_back({shape, E::b1, E::b1, E::s32, operation});
    return list;
}

} // namespace

TEST(MatrixForms, EveryShapeAndTypeOfMmaMultipliesExactlyWhereTheTypesAreExact) {
    for (const Product& product : products()) check_product(product, true);
}

TEST(MatrixForms, MmaOfAnyFloatsStaysWithinTheRoundingOfItsAccumulator) {
    for (const Product& product : products())
        if (facts(product.a).is_float) check_product(product, false);
}

} // namespace apod::emu::testing

// mov of vectors: packing and unpacking.
#include "tests/emu/catalogues.hpp"

namespace apod::emu::testing {

Catalogue move_cases() {
    Catalogue list;
    list.push_back(
        {"mov.b32 {lo, hi}", {Kind::i16, Kind::i16}, Kind::i32, [](Values v) { return v[1] << 16 | v[0]; }, "mov.b32 {d}, {{a}, {b}};"});
    list.push_back(
        {"mov.b64 {lo, hi}", {Kind::i32, Kind::i32}, Kind::i64, [](Values v) { return v[1] << 32 | v[0]; }, "mov.b64 {d}, {{a}, {b}};"});
    list.push_back({"mov.b64 {4 x b16}",
                    {Kind::i16, Kind::i16, Kind::i16, Kind::i16},
                    Kind::i64,
                    [](Values v) { return v[3] << 48 | v[2] << 32 | v[1] << 16 | v[0]; },
                    "mov.b64 {d}, {{a}, {b}, {c}, {e}};"});
    list.push_back({"mov.b32 {4 x b8}",
                    {Kind::i8, Kind::i8, Kind::i8, Kind::i8},
                    Kind::i32,
                    [](Values v) { return v[3] << 24 | v[2] << 16 | v[1] << 8 | v[0]; },
                    "mov.b32 {d}, {{a}, {b}, {c}, {e}};"});
    list.push_back(
        {"mov.b16 {2 x b8}", {Kind::i8, Kind::i8}, Kind::i16, [](Values v) { return v[1] << 8 | v[0]; }, "mov.b16 {d}, {{a}, {b}};"});
    list.push_back({"{lo, hi} = b32", {Kind::i32}, Kind::i16, [](Values v) { return v[0] >> 16; }, "mov.b32 {%h25, {d}}, {a};"});
    list.push_back({"{lo, _} = b64", {Kind::i64}, Kind::i32, [](Values v) { return v[0]; }, "mov.b64 {{d}, _}, {a};"});
    list.push_back({"{_, hi} = b64", {Kind::i64}, Kind::i32, [](Values v) { return v[0] >> 32; }, "mov.b64 {%w25, {d}}, {a};"});
    list.push_back(
        {"{4 x b16} = b64", {Kind::i64}, Kind::i16, [](Values v) { return v[0] >> 32; }, "mov.b64 {%h25, %h26, {d}, %h27}, {a};"});
    list.push_back(
        {"{4 x b8} = b32", {Kind::i32}, Kind::i32, [](Values v) { return (v[0] >> 16) & 0xff; }, "mov.b32 {%w24, %w25, {d}, %w27}, {a};"});
    list.push_back({"{2 x b8} = b16", {Kind::i16}, Kind::i32, [](Values v) { return v[0] >> 8; }, "mov.b16 {%w24, {d}}, {a};"});
    return list;
}

std::vector<Catalogue> all_catalogues() {
    return {integer_cases(), carry_cases(),   bit_cases(),  packed_cases(),        compare_cases(),    float_cases(),
            half_cases(),    convert_cases(), move_cases(), approximation_cases(), float_pair_cases(), scalar_video_cases()};
}

} // namespace apod::emu::testing

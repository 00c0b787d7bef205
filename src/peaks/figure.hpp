// What a GPU really reaches, figure by figure, each beside what its clocks and units would allow.
#pragma once

#include "apod/record.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::peaks {

struct Figure {
    std::string id;    // stable: "dram.copy"
    std::string group; // bandwidth, rate, latency, launch, link
    std::string what;  // "DRAM, copy of 2 GiB"
    std::string unit;  // GB/s, GFLOP/s, Gop/s, ns, cycles
    Quantity value;
    std::optional<double> theoretical; // of the same unit; only where clocks and units give a bound
    std::string formula;               // of the bound: "2 x 3201 MHz x 6016 bit / 8"
    std::string note;

    // value / theoretical; nothing without a bound.
    [[nodiscard]] std::optional<double> share() const {
        if (!theoretical || *theoretical <= 0) return std::nullopt;
        return value.value / *theoretical;
    }
};

struct Peaks {
    std::string device; // cuda:0
    std::string name;   // NVIDIA H200
    std::string uuid;
    std::string driver;      // 580.159.04
    int cuda_version = 0;    // that the driver supports
    std::string measured_at; // 2026-12-01T06:05:00Z
    double clock_mhz = 0;    // SM clock while the rates were measured; 0: not known
    std::vector<Figure> figures;
    std::vector<std::string> notes;

    [[nodiscard]] const Figure* find(std::string_view id) const {
        for (const Figure& figure : figures)
            if (figure.id == id) return &figure;
        return nullptr;
    }
};

} // namespace apod::peaks

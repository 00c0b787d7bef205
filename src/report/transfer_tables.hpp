// The tables of `apod transfer`, which text and Markdown share: cells, no layout.
#pragma once

#include "transfer/result.hpp"

#include <string>
#include <vector>

namespace apod::report {

struct TransferTable {
    std::string title;
    std::vector<std::string> header;
    std::vector<std::string> units; // below the header; may be empty
    std::vector<std::vector<std::string>> rows;
};

// Those that have rows, in the order in which they are shown.
[[nodiscard]] std::vector<TransferTable> transfer_tables(const transfer::Findings& findings, bool verbose);

// "cuda:0: NVIDIA H200, driver 580.159, PCIe 5.0 x16 (63.0 GB/s each way), NUMA node 0; times measured"
[[nodiscard]] std::string transfer_device_line(const transfer::Findings& findings);

} // namespace apod::report

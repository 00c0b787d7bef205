#include "model/likely_error.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace apod::model {

namespace {

// The numbers of a description that the time of a share follows from.
struct Behind {
    std::string_view share;
    std::vector<const char*> keys;
};

const std::vector<Behind>& behind_shares() {
    static const std::vector<Behind> all = {{"issue", {"boost_mhz"}},
                                            {"fma", {"boost_mhz", "throughput.fp32"}},
                                            {"alu", {"boost_mhz", "throughput.int_add"}},
                                            {"fp64", {"boost_mhz", "throughput.fp64"}},
                                            {"xu", {"boost_mhz", "throughput.special"}},
                                            {"shuffle", {"boost_mhz", "throughput.shuffle"}},
                                            {"barrier", {"boost_mhz", "throughput.barrier"}},
                                            {"shared", {"boost_mhz", "caches.shared_bytes_per_clk"}},
                                            {"lsu", {"boost_mhz", "caches.lsu_requests_per_clk", "model.load_tags_per_clk"}},
                                            {"port", {"boost_mhz"}},
                                            {"latency", {"boost_mhz", "latency.l2_hit", "latency.dram"}},
                                            {"l2 reads", {"boost_mhz", "caches.l2_bytes_per_clk"}},
                                            {"l2 writes", {"boost_mhz", "caches.l2_write_sectors_per_clk"}},
                                            {"atomics", {"model.atomic_turn_ns"}},
                                            {"dram", {"memory.peak_gbs", "memory.efficiency_mix"}},
                                            {"dispatch", {"boost_mhz", "launch.blocks_per_clk"}},
                                            {"launch", {"launch.fixed_ns"}}};
    return all;
}

double error_of_key(const arch::Gpu& gpu, const std::string& key) {
    const auto found = gpu.provenance.find(key);
    return error_of_mark(found == gpu.provenance.end() ? "?" : std::string_view(found->second.confidence));
}

double error_of_share(const arch::Gpu& gpu, std::string_view share) {
    double sum = 0;
    for (const Behind& behind : behind_shares())
        if (behind.share == share)
            for (const char* key : behind.keys) sum += std::pow(error_of_key(gpu, key), 2);
    return std::sqrt(sum);
}

double error_of_traffic(const CacheErrors& errors, std::string_view share) {
    if (share == "l2 reads") return errors.l2_reads;
    if (share == "l2 writes") return errors.l2_writes;
    return share == "dram" ? std::max(errors.dram_reads, errors.dram_writes) : 0;
}

} // namespace

double error_of_mark(std::string_view confidence) {
    if (confidence == "M") return 0.03;
    if (confidence == "V") return 0.05;
    if (confidence == "P" || confidence == "R") return 0.1;
    return 0.3;
}

double likely_error(const arch::Gpu& gpu, const Prediction& prediction, bool from_machine_code, const SamplingErrors& sampling) {
    double launch = 0;
    double powers = 0;
    for (const LimiterShare& share : prediction.shares) {
        if (share.name == "launch")
            launch = share.fraction;
        else
            powers += std::pow(share.fraction, gpu.model.overlap_exponent);
    }
    double sum = std::pow(from_machine_code ? gpu.model.error_machine : gpu.model.error_ptx, 2);
    for (const LimiterShare& share : prediction.shares) {
        const double weight = share.name == "launch" ? launch
                              : powers > 0           ? (1 - launch) * std::pow(share.fraction, gpu.model.overlap_exponent) / powers
                                                     : 0;
        sum += std::pow(weight * error_of_share(gpu, share.name), 2) + std::pow(weight * error_of_traffic(sampling.cache, share.name), 2);
    }
    return std::sqrt(sum + std::pow((1 - launch) * sampling.blocks, 2));
}

} // namespace apod::model

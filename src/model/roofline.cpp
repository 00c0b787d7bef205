#include "model/roofline.hpp"

#include "model/counters/access.hpp"
#include "model/facts.hpp"
#include "model/floor.hpp"
#include "model/metric_registry.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace apod::model {

namespace {

constexpr double wavefront_bytes = 128;

// Marks from the surest to the least sure.
constexpr std::string_view marks = "MVPR?";

// The numbers of the description that a ceiling follows from: their sources, and the weakest mark.
void state_sources(Ceiling& ceiling, const arch::Gpu& gpu, std::initializer_list<const char*> keys) {
    std::size_t weakest = 0;
    for (const char* key : keys) {
        const auto found = gpu.provenance.find(key);
        const std::string mark = found == gpu.provenance.end() ? "?" : found->second.confidence;
        weakest = std::max(weakest, std::min(marks.find(mark), marks.size() - 1));
        if (!ceiling.source.empty()) ceiling.source += "; ";
        ceiling.source += std::string(key) + ": " + (found == gpu.provenance.end() ? "not in the description" : found->second.source);
    }
    ceiling.confidence = marks.substr(weakest, 1);
}

class Roofs {
public:
    explicit Roofs(const arch::Gpu& gpu) : gpu_(gpu), sm_ghz_(gpu.sm_count * gpu.clock_ghz()) {}

    std::vector<Ceiling> all() {
        levels();
        const arch::Throughput& rate = gpu_.throughput;
        compute("fp32", {"throughput.fp32"});
        compute("fp64", {"throughput.fp64"});
        compute("fp16", {"throughput.fp16x2"});
        // One instruction adds three numbers or multiplies and adds; from 7.0 on products have a pipe of their own.
        const double both = gpu_.cc.major >= 7 ? rate.int_add + rate.int_mul : std::max(rate.int_add, rate.int_mul);
        compute("int32", 2 * both * sm_ghz_, {"throughput.int_add", "throughput.int_mul"});
        for (const char* type : {"tensor_half", "tensor_tf32", "tensor_int8"}) compute(type, {"throughput.tensor_half"});
        compute("tensor_double", {"throughput.tensor_double"});
        // Where the instructions that access a memory stand by their pattern alone: one word for all lanes, neighbouring words of 4 B, 32
        // sectors.
        wall("global, one word", 1);
        wall("global, neighbours", 0.25);
        wall("global, lanes apart", 1.0 / 32);
        wall("shared, no conflicts", 1);
        wall("shared, one bank", 1.0 / 32);
        add("issue", "issue", gpu_.limits.sub_partitions * sm_ghz_, "GIPS", {"sm_count", "limits.sub_partitions", "boost_mhz"});
        return std::move(all_);
    }

private:
    void levels() {
        const arch::Caches& caches = gpu_.caches;
        level("dram", gpu_.memory.peak_gbs, sector_bytes, {"memory.peak_gbs"});
        level("l2", caches.l2_bytes_per_clk * gpu_.clock_ghz(), sector_bytes, {"caches.l2_bytes_per_clk", "boost_mhz"});
        level("l1", caches.l1_bytes_per_clk * sm_ghz_, sector_bytes, {"sm_count", "caches.l1_bytes_per_clk", "boost_mhz"});
        level("shared", caches.shared_bytes_per_clk * sm_ghz_, wavefront_bytes, {"sm_count", "caches.shared_bytes_per_clk", "boost_mhz"});
    }

    void level(const char* name, double gbs, double transaction, std::initializer_list<const char*> keys) {
        add(name, "bandwidth", gbs, "GB/s", keys);
        add(name, "transactions", gbs / transaction, "GTXN/s", keys);
    }

    void compute(const char* name, std::initializer_list<const char*> keys) { compute(name, peak_operations_per_ns(gpu_, name), keys); }

    void compute(const char* name, double a_ns, std::initializer_list<const char*> keys) {
        const bool whole = std::string_view(name).find("int") != std::string_view::npos;
        add(name, "compute", a_ns, whole ? "GIOP/s" : "GFLOP/s", keys);
        if (all_.empty() || all_.back().name != name) return;
        Ceiling rest;
        state_sources(rest, gpu_, {"sm_count", "boost_mhz"});
        all_.back().source += "; " + rest.source;
        if (marks.find(rest.confidence) > marks.find(all_.back().confidence)) all_.back().confidence = rest.confidence;
    }

    void wall(const char* name, double intensity) {
        all_.push_back({name, "wall", intensity, "inst/txn", "follows from the size of sectors and banks", "V"});
    }

    void add(const char* name, const char* kind, double value, const char* unit, std::initializer_list<const char*> keys) {
        if (value <= 0) return;
        Ceiling ceiling{name, kind, value, unit, {}, {}};
        state_sources(ceiling, gpu_, keys);
        all_.push_back(std::move(ceiling));
    }

    const arch::Gpu& gpu_;
    double sm_ghz_;
    std::vector<Ceiling> all_;
};

// A sum of metrics, with the weakest of their sources; nothing where all are missing or zero.
struct Amount {
    double value = 0;
    Source source = Source::measured;
};

struct Term {
    std::string_view metric;
    double weight = 1;
};

std::optional<Amount> sum_of(const MetricMap& metrics, std::initializer_list<Term> terms) {
    Amount sum;
    for (const Term& term : terms) {
        const auto found = metrics.find(std::string(term.metric));
        if (found == metrics.end() || found->second.value == 0) continue;
        sum.value += term.weight * found->second.value;
        sum.source = weaker(sum.source, found->second.source);
    }
    return sum.value > 0 ? std::optional(sum) : std::nullopt;
}

// What moves at one level: bytes of the hierarchical roofline, transactions of the other.
struct Level {
    const char* name = "";
    double transaction = sector_bytes;
    Amount bytes;
};

Amount time_of(const LaunchRecord& launch) {
    const auto duration = launch.metrics.find(std::string(metric::duration));
    if (duration != launch.metrics.end() && duration->second.source == Source::measured) return {duration->second.value, Source::measured};
    if (launch.time_ns.source == Source::measured) return {launch.time_ns.value, Source::measured};
    const auto cold = launch.metrics.find(std::string(metric::cold_duration));
    if (cold != launch.metrics.end()) return {cold->second.value, cold->second.source};
    return {launch.time_ns.value, launch.time_ns.source};
}

std::vector<Level> levels_of(const LaunchRecord& launch, const arch::Gpu& gpu, Source time_source) {
    const MetricMap& metrics = launch.metrics;
    std::vector<Level> levels;
    const auto add = [&levels](const char* name, double transaction, std::optional<Amount> bytes) {
        if (bytes) levels.push_back({name, transaction, *bytes});
    };
    using namespace metric;
    const std::optional<Amount> dram = sum_of(metrics, {{dram_read_bytes}, {dram_write_bytes}});
    const double footprint = value_or_zero(metrics, footprint_read_bytes) + value_or_zero(metrics, footprint_write_bytes);
    const bool moved = time_source != Source::measured || !dram || dram->source == Source::measured || footprint > usable_l2_bytes(gpu);
    if (moved) add("dram", sector_bytes, dram);
    // A sector that passes from one partition of L2 to the other is counted in both, and delivered once: the counters of what came from SMs
    // say so, all of them by and large.
    const bool from_sms = metrics.contains(std::string(l2_sm_read_sectors));
    const double delivered = from_sms ? sector_bytes : sector_bytes / l2_passages(gpu);
    add("l2", sector_bytes,
        sum_of(metrics, {{from_sms ? l2_sm_read_sectors : l2_read_sectors, delivered},
                         {from_sms ? l2_sm_write_sectors : l2_write_sectors, delivered},
                         {global_atomic_sectors, sector_bytes},
                         {global_reduction_sectors, sector_bytes}}));
    add("l1", sector_bytes,
        sum_of(metrics, {{global_load_sectors, sector_bytes},
                         {global_store_sectors, sector_bytes},
                         {global_atomic_sectors, sector_bytes},
                         {global_reduction_sectors, sector_bytes},
                         {local_load_sectors, sector_bytes},
                         {local_store_sectors, sector_bytes}}));
    // Hardware's counter has wavefronts of threadIdx, too: they are none of shared memory where nothing asks for it.
    const bool unused = metrics.contains(std::string(shared_load_requests)) &&
                        !sum_of(metrics, {{shared_load_requests}, {shared_store_requests}, {shared_atomic_requests}});
    if (!unused) add("shared", wavefront_bytes, sum_of(metrics, {{shared_wavefronts, wavefront_bytes}}));
    return levels;
}

class Points {
public:
    Points(const arch::Gpu& gpu, const Amount& time) : ceilings_(ceilings(gpu)), time_(time) {}

    // `unit`: the ceiling of the work itself.
    void add(const char* work, const std::optional<Amount>& amount, const Ceiling* unit, const Level& level, bool in_transactions) {
        const Ceiling* memory = find(level.name, in_transactions ? "transactions" : "bandwidth");
        if (!amount || memory == nullptr || time_.value <= 0) return;
        RooflinePoint point;
        point.work = work;
        point.level = level.name;
        point.amount = amount->value;
        point.traffic = level.bytes.value / (in_transactions ? level.transaction : 1);
        point.intensity = point.amount / point.traffic;
        point.performance = point.amount / time_.value;
        point.roof = point.intensity * memory->value;
        point.ceiling = memory->name;
        if (unit != nullptr && unit->value < point.roof) {
            point.roof = unit->value;
            point.ceiling = unit->name;
        }
        point.fraction = point.performance / point.roof;
        point.source = weaker(weaker(amount->source, level.bytes.source), time_.source);
        points.push_back(std::move(point));
    }

    [[nodiscard]] const Ceiling* find(std::string_view name, std::string_view kind) const {
        for (const Ceiling& ceiling : ceilings_)
            if (ceiling.name == name && ceiling.kind == kind) return &ceiling;
        return nullptr;
    }

    std::vector<RooflinePoint> points;

private:
    std::vector<Ceiling> ceilings_;
    Amount time_;
};

struct Operations {
    const char* name = "";
    std::optional<Amount> amount;
};

std::vector<Operations> operations_in(const MetricMap& metrics) {
    using namespace metric;
    return {{"fp32", sum_of(metrics, {{fadds}, {fmuls}, {ffmas, 2}})},
            {"fp64", sum_of(metrics, {{dadds}, {dmuls}, {dfmas, 2}})},
            {"fp16", sum_of(metrics, {{hadds, 2}, {hmuls, 2}, {hfmas, 4}})},
            {"int32", sum_of(metrics, {{integer_operations}})},
            {"tensor_half", sum_of(metrics, {{tensor_half}})},
            {"tensor_tf32", sum_of(metrics, {{tensor_tf32}})},
            {"tensor_int8", sum_of(metrics, {{tensor_int8}})},
            {"tensor_double", sum_of(metrics, {{tensor_double}})}};
}

// Of the machine code where that is known, as hardware counts them.
std::optional<Amount> instructions_in(const MetricMap& metrics) {
    if (const auto machine = sum_of(metrics, {{metric::machine_instructions}})) return machine;
    return sum_of(metrics, {{metric::warp_instructions}});
}

} // namespace

std::vector<Ceiling> ceilings(const arch::Gpu& gpu) { return Roofs(gpu).all(); }

std::vector<RooflinePoint> roofline(const LaunchRecord& launch, const arch::Gpu& gpu) {
    const Amount time = time_of(launch);
    Points points(gpu, time);
    const std::vector<Level> levels = levels_of(launch, gpu, time.source);
    for (const Operations& work : operations_in(launch.metrics))
        for (const Level& level : levels) points.add(work.name, work.amount, points.find(work.name, "compute"), level, false);
    const Ceiling* issue = points.find("issue", "issue");
    const std::optional<Amount> instructions = instructions_in(launch.metrics);
    for (const Level& level : levels) points.add("instructions", instructions, issue, level, true);
    // The memory instructions alone, against their own transactions: how well they coalesce, and how free of bank conflicts they are.
    using namespace metric;
    for (const Level& level : levels) {
        if (std::strcmp(level.name, "l1") == 0)
            points.add("global",
                       sum_of(launch.metrics, {{global_load_requests},
                                               {global_store_requests},
                                               {global_atomic_requests},
                                               {global_reduction_requests},
                                               {local_load_requests},
                                               {local_store_requests}}),
                       issue, level, true);
        if (std::strcmp(level.name, "shared") == 0)
            points.add("shared", sum_of(launch.metrics, {{shared_load_requests}, {shared_store_requests}, {shared_atomic_requests}}), issue,
                       level, true);
    }
    return std::move(points.points);
}

} // namespace apod::model

#include "model/machine/sm_run.hpp"

#include "model/machine/warp_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>

namespace apod::model {

namespace {

using sass::Unit;

constexpr std::size_t barrier_count = 6;
constexpr std::size_t unit_count = 16;

struct Warp {
    std::uint32_t block = 0; // place among the resident ones
    std::uint32_t scheduler = 0;
    std::uint32_t at = 0; // instruction
    std::uint32_t in = 0; // block of code
    bool done = false;
    bool waits = false; // at a barrier of the block
    std::array<double, barrier_count> ready{};
    WarpPath path;
};

struct Place {
    std::uint32_t running = 0; // warps
    std::uint32_t waiting = 0;
    double last = 0; // when its last warp left
};

struct Event {
    double when = 0;
    std::uint64_t order = 0;
    std::uint32_t warp = 0;
    friend bool operator>(const Event& a, const Event& b) { return a.when != b.when ? a.when > b.when : a.order > b.order; }
};

class Sm {
public:
    Sm(const MachineCode& code, const std::vector<InstructionCost>& costs, const std::vector<double>& frequency, const SmShape& shape,
       std::uint32_t blocks) :
        code_(code),
        costs_(costs),
        path_(code.kernel.instructions, code.flow, frequency),
        shape_(shape),
        left_(blocks),
        line_ready_(code.kernel.instructions.size() / line_instructions + 1, -1.0),
        scheduler_free_(shape.sub_partitions, 0),
        unit_free_(std::size_t{shape.sub_partitions} * unit_count, 0) {}

    SmRun run() {
        fetch_free_ = shape_.code_start_clk;
        const std::uint32_t places = std::min(left_, shape_.resident_blocks);
        places_.resize(places);
        warps_.resize(std::size_t{places} * shape_.warps_per_block);
        for (std::uint32_t place = 0; place < places; ++place) start(place, 0);
        while (true) {
            while (!events_.empty()) {
                const Event event = events_.top();
                events_.pop();
                step(warps_[event.warp], event);
            }
            if (!release_stuck()) break;
        }
        result_.clk = std::max({clock_, lsu_free_, port_free_, l2_free_, l2_write_free_, dram_free_, atomic_free_});
        std::sort(result_.ends.begin(), result_.ends.end());
        return std::move(result_);
    }

private:
    static constexpr std::uint32_t line_instructions = 8;

    void start(std::uint32_t place, double when) {
        if (left_ == 0) return;
        --left_;
        when = std::max(when, next_dispatch_);
        next_dispatch_ = when + shape_.dispatch_clk;
        places_[place] = {shape_.warps_per_block, 0, 0};
        for (std::uint32_t w = 0; w < shape_.warps_per_block; ++w) {
            const std::uint32_t index = place * shape_.warps_per_block + w;
            Warp& warp = warps_[index];
            warp.block = place;
            warp.scheduler = index % shape_.sub_partitions;
            warp.at = 0;
            warp.in = 0;
            warp.done = warp.waits = false;
            warp.ready.fill(0);
            // Golden ratio: neighbours differ, and all values come equally often.
            const double share = static_cast<double>(++started_) * 0.6180339887498949;
            path_.begin(warp.path, share - std::floor(share));
            push(index, when + w * shape_.warp_start_clk);
        }
    }

    void push(std::uint32_t warp, double when) { events_.push({when, ++order_, warp}); }
    [[nodiscard]] std::uint32_t index_of(const Warp& warp) const { return static_cast<std::uint32_t>(&warp - warps_.data()); }

    // When the instruction could issue, were the warp alone.
    double allowed(const Warp& warp, double now) {
        const sass::Instruction& instruction = code_.kernel.instructions[warp.at];
        double when = now;
        for (std::size_t b = 0; b < barrier_count; ++b)
            if ((instruction.wait_mask >> b & 1) != 0) when = std::max(when, warp.ready[b]);
        const std::size_t line = warp.at / line_instructions;
        constexpr std::size_t ahead = 2;
        for (std::size_t l = line; l < std::min(line + ahead + 1, line_ready_.size()); ++l) {
            if (line_ready_[l] >= 0) continue;
            line_ready_[l] = std::max(now, fetch_free_) + shape_.code_line_clk;
            fetch_free_ = line_ready_[l];
        }
        return std::max(when, line_ready_[line]);
    }

    void step(Warp& warp, const Event& event) {
        const sass::Instruction& instruction = code_.kernel.instructions[warp.at];
        const InstructionCost& cost = costs_[warp.at];
        double& scheduler = scheduler_free_[warp.scheduler];
        double& unit = unit_free_[warp.scheduler * unit_count + static_cast<std::size_t>(instruction.unit)];
        double when = std::max({allowed(warp, event.when), scheduler, unit});
        if (cost.lsu_clk > 0) when = std::max(when, lsu_free_ - shape_.lsu_queue_clk);
        const double outstanding_clk = shape_.outstanding_clk;
        if (cost.port_clk > 0) when = std::max(when, port_free_ - outstanding_clk);
        if (cost.l2_write_clk > 0) when = std::max(when, l2_write_free_ - outstanding_clk);
        if (cost.l2_clk > 0) when = std::max(when, l2_free_ - outstanding_clk);
        if (cost.atomic_clk > 0) when = std::max(when, atomic_free_ - outstanding_clk);
        if (cost.dram_clk > 0) when = std::max(when, dram_free_ - outstanding_clk);
        if (when > event.when) return push(event.warp, when);
        scheduler = when + 1;
        unit = when + cost.issue_clk;
        result_.instructions += 1;
        const double served = serve(cost, when);
        if (instruction.write_barrier < barrier_count)
            raise(warp.ready[instruction.write_barrier], served + cost.latency + farther_clk(cost, code_.op[warp.at]));
        if (instruction.read_barrier < barrier_count) raise(warp.ready[instruction.read_barrier], when + shape_.operands_read_clk);
        const double next = when + std::max({1.0, static_cast<double>(instruction.stall), cost.blocking_clk});
        clock_ = std::max(clock_, next);
        if (!advance(warp)) return leave(warp, next);
        if (instruction.waits_for_block) return arrive(warp, next);
        push(event.warp, next);
    }

    // Loads under way together end with the last of them, so that each must come from somewhere, not from the mean of all places:
    // executions of one load of the PTX come from near and far in turn, as often as is counted. Its copies in an unrolled loop follow each
    // other; loads beside it, which walk as it does, find the same.
    double farther_clk(const InstructionCost& cost, std::uint32_t op) {
        if (cost.l2_share <= 0 || op == no_op) return 0;
        if (executed_.size() <= op) executed_.resize(op + 1, 0);
        const double turn = executed_[op]++ * 0.6180339887498949 + cost.phase;
        const double at = turn - std::floor(turn);
        return (at < cost.l2_share ? cost.l2_more_clk : 0) + (at < cost.dram_share ? cost.dram_more_clk : 0);
    }

    static void raise(double& value, double to) { value = std::max(value, to); }

    // What the instruction asks of the SM's and the chip's units; returns when the last of them begins to answer.
    double serve(const InstructionCost& cost, double when) {
        double served = when;
        const auto queue = [&served](double& free, double clk) {
            if (clk <= 0) return;
            served = std::max(served, free);
            free = served + clk;
        };
        queue(lsu_free_, cost.lsu_clk);
        queue(port_free_, cost.port_clk);
        queue(l2_free_, cost.l2_clk);
        queue(l2_write_free_, cost.l2_write_clk);
        queue(atomic_free_, cost.atomic_clk);
        queue(dram_free_, cost.dram_clk);
        return served;
    }

    // Moves the warp to its next instruction; false when it has ended.
    bool advance(Warp& warp) {
        const sass::Block& block = code_.flow.blocks[warp.in];
        if (warp.at + 1 < block.last) {
            ++warp.at;
            return true;
        }
        const std::uint32_t to = path_.next(warp.in, warp.path);
        if (to == sass::nowhere) return false;
        warp.in = to;
        warp.at = code_.flow.blocks[to].first;
        return true;
    }

    void leave(Warp& warp, double when) {
        warp.done = true;
        Place& place = places_[warp.block];
        --place.running;
        place.last = std::max(place.last, when);
        if (place.running == 0) {
            result_.ends.push_back(place.last);
            start(warp.block, place.last + shape_.turnaround_clk);
        } else if (place.waiting == place.running) {
            release(warp.block, when);
        }
    }

    void arrive(Warp& warp, double when) {
        warp.waits = true;
        Place& place = places_[warp.block];
        if (++place.waiting == place.running) release(warp.block, when);
    }

    void release(std::uint32_t place, double when) {
        places_[place].waiting = 0;
        for (std::uint32_t w = 0; w < shape_.warps_per_block; ++w) {
            Warp& warp = warps_[std::size_t{place} * shape_.warps_per_block + w];
            if (!warp.waits) continue;
            warp.waits = false;
            push(index_of(warp), when + shape_.barrier_clk);
        }
    }

    // Warps that went different ways can wait for each other for ever; the average that they stand for does not.
    bool release_stuck() {
        bool any = false;
        for (std::uint32_t place = 0; place < places_.size(); ++place) {
            if (places_[place].waiting == 0) continue;
            release(place, clock_);
            any = true;
        }
        return any;
    }

    const MachineCode& code_;
    const std::vector<InstructionCost>& costs_;
    PathFinder path_;
    const SmShape& shape_;
    std::uint32_t left_;
    std::vector<double> line_ready_;
    std::vector<double> scheduler_free_;
    std::vector<double> unit_free_;
    std::vector<std::uint32_t> executed_; // loads, by op
    std::vector<Place> places_;
    std::vector<Warp> warps_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::uint64_t order_ = 0;
    std::uint64_t started_ = 0;
    double next_dispatch_ = 0;
    double fetch_free_ = 0;
    double lsu_free_ = 0;
    double port_free_ = 0;
    double l2_free_ = 0;
    double l2_write_free_ = 0;
    double dram_free_ = 0;
    double atomic_free_ = 0;
    double clock_ = 0;
    SmRun result_;
};

} // namespace

SmRun run_sm(const MachineCode& code, const std::vector<InstructionCost>& costs, const std::vector<double>& frequency, const SmShape& shape,
             std::uint32_t blocks) {
    if (blocks == 0 || code.flow.blocks.empty()) return {};
    return Sm(code, costs, frequency, shape, blocks).run();
}

} // namespace apod::model

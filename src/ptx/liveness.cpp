#include "ptx/control_flow.hpp"

#include <algorithm>

namespace apod::ptx {

namespace {

struct Mention {
    std::uint32_t reg = 0;
    std::uint32_t block = 0;
    bool operator<(const Mention& other) const { return reg != other.reg ? reg < other.reg : block < other.block; }
};

// A register at a time: from the blocks that read it before writing it, backwards to those that write it. The cost is that of the
// answer, whatever the number of registers and blocks.
class Analysis {
public:
    Analysis(const Function& function, const ControlFlow& flow) : function_(function), flow_(flow) {}

    Liveness compute() {
        live_.live_in.resize(flow_.blocks.size());
        live_.live_out.resize(flow_.blocks.size());
        summarise();
        spread();
        measure_pressure();
        return std::move(live_);
    }

private:
    // What each block reads from its predecessors, and what it certainly writes.
    void summarise() {
        std::vector<std::uint32_t> written_in(function_.registers.size(), none);
        std::vector<std::uint32_t> exposed_in(function_.registers.size(), none);
        for (std::uint32_t b = 0; b < flow_.blocks.size(); ++b) {
            for (std::uint32_t i = flow_.blocks[b].first; i < flow_.blocks[b].last; ++i) {
                const Effects here = effects(function_.instructions[i]);
                for (const std::uint32_t r : here.reads) {
                    if (written_in[r] == b || exposed_in[r] == b) continue;
                    exposed_in[r] = b;
                    exposed_.push_back({r, b});
                }
                if (here.may_keep_old) continue;
                for (const std::uint32_t r : here.writes) {
                    if (written_in[r] == b) continue;
                    written_in[r] = b;
                    written_.push_back({r, b});
                }
            }
        }
        std::sort(exposed_.begin(), exposed_.end());
        std::sort(written_.begin(), written_.end());
    }

    void spread() {
        const std::size_t blocks = flow_.blocks.size();
        std::vector<std::uint32_t> writes(blocks, none); // by block: the last register for which it is set
        std::vector<std::uint32_t> in(blocks, none);
        std::vector<std::uint32_t> out(blocks, none);
        std::vector<std::uint32_t> work;
        auto written = written_.begin();
        for (auto exposed = exposed_.begin(); exposed != exposed_.end();) {
            const std::uint32_t reg = exposed->reg;
            while (written != written_.end() && written->reg < reg) ++written;
            for (; written != written_.end() && written->reg == reg; ++written) writes[written->block] = reg;
            const auto enter = [&](std::uint32_t block) {
                if (in[block] == reg) return;
                in[block] = reg;
                live_.live_in[block].push_back(reg);
                work.push_back(block);
            };
            for (; exposed != exposed_.end() && exposed->reg == reg; ++exposed) enter(exposed->block);
            while (!work.empty()) {
                const std::uint32_t block = work.back();
                work.pop_back();
                for (const std::uint32_t p : flow_.blocks[block].predecessors) {
                    if (out[p] != reg) live_.live_out[p].push_back(reg);
                    out[p] = reg;
                    if (writes[p] != reg) enter(p);
                }
            }
        }
    }

    std::uint32_t weight(std::uint32_t reg) const {
        const Type type = function_.registers[reg].type;
        return type == Type::pred ? 0 : (type_bits(type) + 31) / 32;
    }

    // Backwards through each block. A register that is written but never read still needs its place at that moment.
    void measure_pressure() {
        std::vector<bool> live(function_.registers.size(), false);
        std::uint32_t now = 0;
        const auto set = [&](std::uint32_t reg, bool value) {
            if (live[reg] == value) return;
            live[reg] = value;
            now = value ? now + weight(reg) : now - weight(reg);
        };
        for (std::uint32_t b = 0; b < flow_.blocks.size(); ++b) {
            std::vector<std::uint32_t> touched = live_.live_out[b];
            for (const std::uint32_t r : touched) set(r, true);
            for (std::uint32_t i = flow_.blocks[b].last; i-- > flow_.blocks[b].first;) {
                const Effects here = effects(function_.instructions[i]);
                for (const std::uint32_t r : here.writes) set(r, true);
                live_.max_pressure_32 = std::max(live_.max_pressure_32, now);
                if (!here.may_keep_old)
                    for (const std::uint32_t r : here.writes) set(r, false);
                for (const std::uint32_t r : here.reads) set(r, true);
                live_.max_pressure_32 = std::max(live_.max_pressure_32, now);
                touched.insert(touched.end(), here.writes.begin(), here.writes.end());
                touched.insert(touched.end(), here.reads.begin(), here.reads.end());
            }
            for (const std::uint32_t r : touched) set(r, false);
        }
    }

    const Function& function_;
    const ControlFlow& flow_;
    std::vector<Mention> exposed_;
    std::vector<Mention> written_;
    Liveness live_;
};

} // namespace

Liveness liveness(const Function& function, const ControlFlow& flow) { return Analysis{function, flow}.compute(); }

} // namespace apod::ptx

// What the checks keep for one block of threads, and what they do at each of its ops. Memory: bounds, alignment, initialisation, races.
// Registers: where pointers come from, what is not initialised. Barriers: who is missing.
#pragma once

#include "emu/check/clocks.hpp"
#include "emu/check/launch_check.hpp"
#include "emu/check/remedy.hpp"
#include "emu/check/shadow.hpp"
#include "emu/check/touches.hpp"
#include "emu/frames.hpp"
#include "emu/warp_context.hpp"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace apod::emu {

class Warp;

// The addresses of one op's lanes in one space.
struct CheckedAccess {
    std::array<std::uint64_t, lanes> address{};
    std::uint32_t mask = 0;
    std::uint32_t bytes = 0;
    MemorySpace space = MemorySpace::global;
    AccessKind kind = AccessKind::load;
};

class BlockCheck {
public:
    BlockCheck(LaunchCheck& launch, std::uint32_t warps, std::uint32_t threads, std::uint32_t shared_bytes, std::uint32_t local_bytes);

    void start(std::uint64_t block);
    void start_warp(WarpContext& warp);

    // The handler of every op while checks are on: the checks, then what the op does for the lanes that may, then the shadows.
    void execute(WarpContext& warp, const Op& op, std::uint32_t mask);

    // The warp loop tells what it does itself.
    void decide(WarpContext& warp, const Op& op, std::uint32_t mask); // a branch, an exit: by its guard
    void read_index(WarpContext& warp, const Op& op, std::uint32_t mask);
    void sync(WarpContext& warp, const Op& op, std::uint32_t mask);      // before a warp-wide op
    void sync_warp(WarpContext& warp, const Op& op, std::uint32_t mask); // __syncwarp
    void arrive(WarpContext& warp, const Op& op, std::uint32_t mask, std::uint32_t number, std::uint32_t expected);
    void release(std::uint32_t number, const std::vector<Warp>& warps);
    void pass(const WarpContext& warp, std::uint32_t mask, std::uint32_t number);
    void finish(); // the block is done

    void enter(const WarpContext& warp, const Frame& caller, const CallSite& site, const Frame& callee, const FunctionCode& function,
               std::uint32_t index, std::uint32_t mask);
    void leave(const WarpContext& warp, const Frame& callee, const FunctionCode& function, const Frame& caller, const CallSite& site,
               std::uint32_t mask);
    void before_builtin(WarpContext& warp, const Frame& frame, const Op& op, const CallSite& site, std::uint32_t& mask);
    void after_builtin(const WarpContext& warp, const Frame& frame, const CallSite& site, std::uint32_t mask);
    void fault(const Diagnostic& diagnostic, const Fault& fault);

private:
    struct AsyncGroup { // of cp.async
        std::uint32_t thread = 0;
        std::uint32_t done = 0; // the thread's tick when it had waited; 0: under way
    };
    struct AsyncThread {
        std::uint32_t open = 0; // group that has not been committed, from 1; 0: none
        std::vector<std::uint32_t> committed;
    };
    struct BarrierState {
        BarrierClock clock;
        Clock done;
        std::uint32_t expected = 0;
        std::uint32_t arrived = 0;
        CheckSite first;
    };

    // block_check.cpp
    [[nodiscard]] FrameShadow& shadow(const WarpContext& warp) { return warps_[warp.index].frame(warp.region[region_registers]); }
    [[nodiscard]] std::uint32_t guarded(WarpContext& warp, const Op& op, std::uint32_t mask);
    [[nodiscard]] CheckSite site(const WarpContext& warp, std::uint32_t op, std::uint32_t lane) const {
        return {op, block_, warp.index * lanes + lane};
    }
    void check_predicate(WarpContext& warp, const Op& op, std::uint32_t slot, std::uint32_t mask, const char* use);

    // flow.cpp
    struct Undefined {
        std::uint32_t lanes = 0;
        std::array<Origin, emu::lanes> origin{};
    };
    void flow(WarpContext& warp, const OpPlan& plan, std::uint32_t mask);
    [[nodiscard]] bool quiet(const FrameShadow& shadow, const OpPlan& plan) const;
    [[nodiscard]] Undefined undefined_of(const WarpContext& warp, FrameShadow& shadow, const OpPlan& plan, std::uint32_t mask) const;
    [[nodiscard]] std::uint32_t undefined_lanes(const FrameShadow& shadow, const PlanValue& value) const;
    [[nodiscard]] Origin origin_of(const FrameShadow& shadow, const PlanValue& value, unsigned lane) const;
    void set_undefined(FrameShadow& shadow, const PlanValue& value, std::uint32_t mask, const Undefined& undefined);
    void set_defined(FrameShadow& shadow, const OpPlan& plan, std::uint32_t mask);
    [[nodiscard]] Pointer pointer_of(const WarpContext& warp, const FrameShadow& shadow, const PlanValue& value, unsigned lane);
    void set_pointer(FrameShadow& shadow, const PlanValue& value, unsigned lane, Pointer pointer);
    [[nodiscard]] Pointer result_pointer(const WarpContext& warp, FrameShadow& shadow, const OpPlan& plan, unsigned lane);
    void flow_pointers(const WarpContext& warp, FrameShadow& shadow, const OpPlan& plan, std::uint32_t mask);
    void flow_shuffle(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask);
    void look_up(const WarpContext& warp, FrameShadow& shadow, const OpPlan& plan, std::uint32_t mask);

    // access.cpp
    void addresses(const WarpContext& warp, OperandRef ref, std::int64_t offset, bool narrow, CheckedAccess& access) const;
    [[nodiscard]] std::uint32_t allowed(WarpContext& warp, const Op& op, const PlanValue& base, const CheckedAccess& access);
    [[nodiscard]] bool allowed_lane(WarpContext& warp, const Op& op, const CheckedAccess& access, unsigned lane, Pointer pointer);
    void report_bounds(const WarpContext& warp, const Op& op, const CheckedAccess& access, unsigned lane, ObjectId meant);
    void report_misaligned(const WarpContext& warp, const Op& op, const CheckedAccess& access, unsigned lane);
    void use_undefined(const WarpContext& warp, const Op& op, const PlanValue& value, std::uint32_t mask, const char* use, bool computed);
    void report_undefined(const WarpContext& warp, std::uint32_t user, Origin origin, unsigned lane, const std::string& use);
    [[nodiscard]] CheckObject object_at(ObjectId id, std::uint64_t address) const;
    [[nodiscard]] std::optional<CheckObject> object_around(const CheckedAccess& access, unsigned lane) const;

    // memory.cpp
    template<class F> void by_space(const WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask, AccessKind kind, F f);
    [[nodiscard]] std::uint32_t distributed(const WarpContext& warp, const CheckedAccess& access, std::uint32_t mask) const;
    void load(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask);
    void store(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask);
    void atomic(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask);
    void frame_access(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask);
    void loaded(WarpContext& warp, const Op& op, const OpPlan& plan, const CheckedAccess& access);
    void loaded_element(WarpContext& warp, const Op& op, const OpPlan& plan, const CheckedAccess& access, std::uint32_t element,
                        Undefined& whole);
    void stored(WarpContext& warp, const Op& op, const OpPlan& plan, const CheckedAccess& access);
    [[nodiscard]] std::uint32_t same_value(const WarpContext& warp, const Op& op, const OpPlan& plan, const CheckedAccess& access) const;
    [[nodiscard]] std::uint32_t written(const WarpContext& warp, MemorySpace space, unsigned lane, std::uint64_t address,
                                        std::uint32_t bytes);
    void set_written(const WarpContext& warp, MemorySpace space, unsigned lane, std::uint64_t address, std::uint64_t bytes, bool written);
    // By these lanes, each of which counts.
    void report_unwritten(const WarpContext& warp, const Op& op, const CheckedAccess& access, std::uint32_t lanes_that_read);

    // collective.cpp
    void copy_async(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask);
    void bulk_copy(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask);
    void tile(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask);
    void rows(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask);
    void mbarrier(WarpContext& warp, const Op& op, const OpPlan& plan, std::uint32_t mask);
    void async_commit(const WarpContext& warp, std::uint32_t mask);
    void async_wait(const WarpContext& warp, std::uint32_t mask, std::int32_t allowed);
    [[nodiscard]] std::uint32_t async_group(std::uint32_t thread);

    // sync.cpp
    void report_left_out(const BarrierState& state, const WarpContext& warp, std::uint32_t exited);

    // race.cpp
    enum class TouchKind : std::uint8_t { read, write, same_value };
    void touch(const WarpContext& warp, const Op& op, const CheckedAccess& access, std::uint32_t same, std::uint8_t flags);
    void touch_lane(const WarpContext& warp, const Op& op, const CheckedAccess& access, unsigned lane, TouchKind kind, std::uint8_t flags,
                    std::uint32_t tick);
    void touch_word(const WarpContext& warp, TouchedWord& word, const Touch& touch, TouchKind kind, const CheckedAccess& access,
                    unsigned lane);
    [[nodiscard]] static bool in_cluster(const WarpContext& warp, std::uint32_t block);
    [[nodiscard]] bool ordered(const Touch& before, const Touch& now) const;
    void conflict(const Touch& before, bool before_writes, const Touch& now, TouchKind kind, const CheckedAccess& access, unsigned lane);
    // A read and a write that changed nothing, in no order.
    void hazard(const Touch& before, bool before_writes, const Touch& now, const CheckedAccess& access, unsigned lane);
    [[nodiscard]] Race race_of(const Touch& before, bool before_writes, const Touch& now, bool now_writes, MemorySpace space) const;
    void add_lines(Race& race) const;
    [[nodiscard]] CheckReport race_report(const Race& race, RaceKind kind, const Touch& before, const Touch& now,
                                          const CheckedAccess& access, unsigned lane) const;
    void check_same_store(const WarpContext& warp, const Op& op, const OpPlan& plan, const CheckedAccess& access, std::uint32_t& same);
    void synchronise(const WarpContext& warp, const OpPlan& plan, const CheckedAccess& access, bool reads, bool writes);

    LaunchCheck& launch_;
    std::uint64_t block_ = 0;
    std::uint32_t threads_ = 0;
    std::uint32_t shared_bytes_ = 0;
    std::uint32_t local_bytes_ = 0;
    std::vector<WarpShadow> warps_;
    WrittenBytes shared_written_;
    WrittenBytes local_written_; // threads one after the other
    BlockClocks clocks_;
    TouchedWords shared_touched_;
    std::unordered_map<std::uint64_t, SyncPlace> shared_places_;
    std::array<BarrierState, 16> barriers_;
    std::vector<AsyncGroup> async_groups_;
    std::vector<AsyncThread> async_threads_;
    std::vector<std::uint8_t> rounds_;                      // by op and warp: how often it was executed
    std::vector<std::uint32_t> last_write_;                 // by thread: the op that last wrote to memory that others see, from 1
    std::vector<std::array<std::uint32_t, 2>> group_lanes_; // by load group: lanes that read something unwritten in all of it, lanes seen
};

// Op::full, Op::masked and Op::body while checks are on.
void checked_op(WarpContext& warp, const Op& op, std::uint32_t mask);

} // namespace apod::emu

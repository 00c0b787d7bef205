// One machine instruction (SASS) as far as its time depends on it: which unit runs it, what it does to memory and to the flow of control,
// and what the compiler wrote beside it for the scheduler.
//
// Since compute capability 7.0 an instruction is 16 bytes: the operation in bits 0 to 8 (9 to 11: where its operands are), the guarding
// predicate in 12 to 15, and in the upper half the clocks until the next instruction of the warp may issue (bits 41 to 44), the barrier
// that is released when the result is there (46 to 48), the one for when the operands have been read (49 to 51; 7: none) and the barriers
// that must be free before it issues (52 to 57). NVIDIA does not document this; it is what nvdisasm prints of the same bits.
#pragma once

#include <cstdint>

namespace apod::sass {

enum class Unit : std::uint8_t {
    none,      // issue slot only
    alu,       // integers, logic, comparisons
    fma,       // single-precision arithmetic, either half of the pipe
    fma_heavy, // integer multiplication, moves made of it: one half of the pipe
    fp64,      //
    special,   // MUFU, conversions, bit counts: the quarter-rate unit
    uniform,   // one result a warp
    memory,    // global, shared, local memory, textures: the load/store unit
    shuffle,   // lanes exchange through the load/store unit
    constant,  // indexed constants
    registers, // special registers (threadIdx and the like)
    barrier,   //
    branch,    //
    tensor     //
};

enum class Access : std::uint8_t { none, load, store, atomic };
enum class Space : std::uint8_t { none, global, shared, local, constant };
enum class Flow : std::uint8_t { next, branch, call, leave, indirect }; // leave: exit or return

inline constexpr std::uint32_t nowhere = 0xffffffff;
inline constexpr std::uint8_t no_barrier = 7;

struct Instruction {
    Unit unit = Unit::alu;
    Access access = Access::none;
    Space space = Space::none;
    Flow flow = Flow::next;
    bool guarded = false;         // runs for the lanes whose predicate holds; issued all the same
    bool only_divergent = false;  // a branch for warps whose lanes have parted (BRA.DIV)
    bool waits_for_block = false; // a barrier of the block
    std::uint8_t stall = 1;
    std::uint8_t write_barrier = no_barrier;
    std::uint8_t read_barrier = no_barrier;
    std::uint8_t wait_mask = 0;
    std::uint32_t target = nowhere; // branches and calls: index of the instruction that they lead to
    std::uint32_t ptx_line = 0;     // of the text that was assembled; 0: not known
};

// `low` and `high` are the instruction's halves, `index` its place in the kernel, `capability` 90 for sm_90: branches are written
// differently.
[[nodiscard]] Instruction decode(std::uint64_t low, std::uint64_t high, std::uint32_t index, int capability);

// Whether the bits are filling behind the code: NOP, and the branch to itself.
[[nodiscard]] bool is_filling(std::uint64_t low, const Instruction& instruction, std::uint32_t index);

} // namespace apod::sass

// The lowered form of a kernel: what the warp loop and the lane handlers read. Private to src/emu.
//
// Operands are byte offsets into one of four regions, named by the low two bits:
//   registers  the lanes of the function that runs; registers are allocated to slots by liveness, so a slot serves several in turn
//   pool       the launch's constants, the same for all warps: immediates, kernel parameters, %ntid, ... (broadcast to 32 lanes)
//   block      the block's constants: %ctaid (broadcast)
//   warp       what is fixed for a warp: %tid, %laneid, ...
// A slot holds 32 lanes of 4 bytes (types up to 32 bits; bits above the type are unspecified), 8 or 16 bytes. Predicates are lane masks.
#pragma once

#include "emu/event.hpp"
#include "emu/program.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace apod::emu {

struct Op;
struct WarpContext;

// Executes one op for the lanes of `mask`. A "full" handler may write every lane: it is called when all living lanes of the warp execute.
using Handler = void (*)(WarpContext& warp, const Op& op, std::uint32_t mask);

using OperandRef = std::uint32_t;
inline constexpr OperandRef region_mask = 3;
inline constexpr OperandRef region_registers = 0;
inline constexpr OperandRef region_pool = 1;
inline constexpr OperandRef region_block = 2;
inline constexpr OperandRef region_warp = 3;
inline constexpr unsigned regions = 4;
inline constexpr std::uint32_t slot32_bytes = 4 * lanes;
inline constexpr std::uint32_t slot64_bytes = 8 * lanes;
inline constexpr std::uint32_t slot128_bytes = 16 * lanes;

// Predicate operands: slot << 1 | negated.
using PredicateRef = std::uint32_t;
inline constexpr PredicateRef no_predicate = 0xffffffffu;

// Predicate slots of every warp that no register gets: all ones; what takes unwanted results; the condition code's carry flag.
inline constexpr std::uint32_t true_predicate = 0;
inline constexpr std::uint32_t sink_predicate = 1;
inline constexpr std::uint32_t carry_predicate = 2;
inline constexpr std::uint32_t fixed_predicates = 3;

struct alignas(64) Op {
    Handler full = nullptr;   // entry when the warp is converged
    Handler masked = nullptr; // entry when it is not
    Handler body = nullptr;   // guarded ops: what the guard's trampoline calls
    OperandRef dst = 0;       // or a predicate slot
    OperandRef a = 0;
    OperandRef b = 0;
    OperandRef c = 0;
    PredicateRef guard = no_predicate;
    std::uint32_t index = 0; // into Program::ops
    std::int64_t imm = 0;    // address offset; constants of an op
    std::uint32_t extra = 0; // into Code::extra: more operands of vector forms
    std::uint16_t count = 1; // elements of a vector form
    std::uint16_t flags = 0; // meaning private to the handler's family, see OpFlag
};

enum OpFlag : std::uint16_t {
    flag_address32 = 1,     // the address operand is a 32-bit slot
    flag_wide_register = 2, // memory: the register is a 64-bit slot though the element is narrower
    flag_no_result = 4,     // atomics: destination unused (RED)
    flag_second_result = 8, // setp p|q, shfl d|p: Op::c or extra names the second destination
    flag_quiet = 16         // memory: no request of the device (.param space of functions), so no event
};

enum class Terminator : std::uint8_t {
    fall_through, // straight code that runs into a label
    branch,       // bra: op.guard decides; targets in `taken` and `next`
    indexed,      // brx.idx: op.a holds the index; targets in Code::extra
    exit,         // ret of the entry, exit
    call,         // call: Op::imm is the index into Code::calls
    ret,          // ret of a function
    barrier,      // bar, barrier: waits for the block
    cluster_wait, // barrier.cluster.wait: waits for the cluster
    warp_sync,    // shfl, vote, match, redux, bar.warp.sync: needs the lanes of a member mask
    trap
};

// Op::imm of a barrier. The reductions count the lanes for which predicate Op::c holds; Op::dst takes the result.
enum BarrierKind : std::int64_t { barrier_sync, barrier_arrive, barrier_popc, barrier_and, barrier_or };

struct CodeBlock {
    std::uint32_t first = 0; // ops [first, last) run straight; the terminator, if it is an op, is ops[last]
    std::uint32_t last = 0;
    std::uint32_t op_count = 0;   // with the terminator
    bool is_warp_barrier = false; // ends in bar.warp.sync
    bool may_wait = false;        // holds an atomic, volatile or acquiring access: a loop over it may wait for another block
    Terminator terminator = Terminator::fall_through;
    std::uint32_t taken = ptx::none;      // block index
    std::uint32_t next = ptx::none;       // block index of the fall-through
    std::uint32_t reconverge = ptx::none; // immediate post-dominator
};

// Something that is placed in the pool at launch.
enum class PoolKind : std::uint8_t {
    parameter,
    ntid_x,
    ntid_y,
    ntid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    nwarpid,
    dynamic_shared,
    total_shared,
    nsmid,
    envreg1, // the high and the low half of the address of a cooperative launch's workspace
    envreg2,
    cluster_nctaid_x,
    cluster_nctaid_y,
    cluster_nctaid_z,
    cluster_nctarank,
    nclusterid_x,
    nclusterid_y,
    nclusterid_z,
    is_explicit_cluster // a predicate in PTX: 1 or 0 here
};

struct PoolEntry {
    PoolKind kind = PoolKind::parameter;
    std::uint32_t offset = 0; // of the slot in the pool
    std::uint32_t slot_bytes = slot32_bytes;
    std::uint32_t parameter_offset = 0;
    std::uint32_t parameter_bytes = 0; // 1, 2, 4, 8
    bool sign_extend = false;
};

enum class SpecialKind : std::uint8_t {
    tid_x,
    tid_y,
    tid_z,
    laneid,
    warpid,
    lanemask_eq,
    lanemask_lt,
    lanemask_le,
    lanemask_gt,
    lanemask_ge, // per warp, fixed for a launch
    ctaid_x,
    ctaid_y,
    ctaid_z,
    smid,
    cluster_ctaid_x,
    cluster_ctaid_y,
    cluster_ctaid_z,
    cluster_ctarank,
    clusterid_x,
    clusterid_y,
    clusterid_z // per block
};

struct SpecialSlot {
    SpecialKind kind = SpecialKind::tid_x;
    OperandRef ref = 0;
};

// Where an argument or a result of a call lies: in the frame's local memory, or in a slot.
struct ValuePlace {
    bool in_slot = false;
    std::uint32_t bytes = 0;
    std::uint32_t offset = 0; // in the frame
    OperandRef slot = 0;      // of 4 or 8 bytes a lane
};

// Every function but the kernel keeps the address of its frame in the first wide slot of its registers.
inline constexpr OperandRef frame_base_ref = 0;

// A function of the program; the kernel is the first.
struct FunctionCode {
    const ptx::Function* function = nullptr;
    std::uint32_t entry = 0;          // code block
    std::uint32_t register_bytes = 0; // of one warp
    std::uint32_t predicates = 0;     // slots of one warp
    std::uint32_t frame_bytes = 0;    // local memory of one thread: variables, and what is in .param space
    std::uint32_t frame_align = 16;
    std::vector<ValuePlace> parameters;
    std::vector<ValuePlace> returns;
    std::vector<std::uint32_t> slots; // by register of the function: byte offset in the warp's registers, or predicate slot
};

// What the device's runtime library does, without a body in PTX.
enum class Builtin : std::uint8_t { none, print, assert_fail, allocate, release };

struct CallSite {
    std::uint32_t function = ptx::none; // into Code::functions; none: a built-in one, or indirect
    Builtin builtin = Builtin::none;
    OperandRef target = 0; // indirect: the slot with the handles
    std::vector<ValuePlace> arguments;
    std::vector<ValuePlace> results;
};

// The address of a function: what initialisers and mov hold and indirect calls take. `index` into ptx::Module::functions.
inline constexpr std::uint64_t function_window = 0x0300000000000000ull;
[[nodiscard]] constexpr std::uint64_t function_handle(std::size_t index) {
    return function_window | (static_cast<std::uint64_t>(index) + 1) << 4;
}

struct Code {
    std::vector<Op> ops;           // parallel to Program::ops
    std::vector<CodeBlock> blocks; // those of Program::flow, then those of the functions that the kernel may call
    std::vector<FunctionCode> functions;
    std::vector<CallSite> calls;
    bool uses_stack = false;                // calls functions or takes memory with alloca
    std::vector<std::uint32_t> function_at; // by index into ptx::Module::functions: into `functions`, or none
    std::vector<std::uint32_t> extra;
    std::vector<std::byte> pool; // template; PoolEntry slots are filled at launch
    std::vector<PoolEntry> pool_entries;
    std::vector<SpecialSlot> specials;
    std::uint32_t register_bytes = 0; // of one warp in the kernel itself
    std::uint32_t block_bytes = 0;    // of the block region
    std::uint32_t warp_bytes = 0;     // of the warp region
    std::uint32_t predicates = 0;     // slots of one warp in the kernel itself
    std::string isa;                  // which lane handlers were chosen
};

} // namespace apod::emu

#include "sass/instruction.hpp"

#include <algorithm>
#include <array>

namespace apod::sass {

namespace {

constexpr std::uint64_t bits(std::uint64_t word, unsigned from, unsigned count) { return word >> from & ((std::uint64_t{1} << count) - 1); }

// What an operation is, by bits 0 to 8. Those that are not here run in the arithmetic unit.
struct Operation {
    std::uint16_t code = 0;
    Unit unit = Unit::alu;
    Access access = Access::none;
    Space space = Space::none;
    Flow flow = Flow::next;
};

constexpr std::uint16_t code_nop = 0x118;
constexpr std::uint16_t code_barrier = 0x11d;

constexpr auto operations = std::to_array<Operation>({
    {0x020, Unit::fma},                                     // FMUL
    {0x021, Unit::fma},                                     // FADD
    {0x023, Unit::fma},                                     // FFMA
    {0x024, Unit::fma_heavy},                               // IMAD
    {0x025, Unit::fma_heavy},                               // IMAD.WIDE
    {0x026, Unit::fma_heavy},                               // IDP
    {0x027, Unit::fma_heavy},                               // IMAD.HI
    {0x028, Unit::fp64},                                    // DMUL
    {0x029, Unit::fp64},                                    // DADD
    {0x02a, Unit::fp64},                                    // DSETP
    {0x02b, Unit::fp64},                                    // DFMA
    {0x030, Unit::fma},                                     // HADD2
    {0x031, Unit::fma},                                     // HFMA2
    {0x032, Unit::fma},                                     // HMUL2
    {0x035, Unit::fma},                                     // HFMA2.MMA
    {0x037, Unit::tensor},                                  // IMMA
    {0x03c, Unit::tensor},                                  // HMMA
    {0x03f, Unit::tensor},                                  // DMMA
    {0x03b, Unit::memory, Access::load, Space::shared},     // LDSM
    {0x044, Unit::memory, Access::store, Space::shared},    // STSM
    {0x08c, Unit::uniform},                                 // UISETP
    {0x090, Unit::uniform},                                 // UIADD3
    {0x091, Unit::uniform},                                 // ULEA
    {0x092, Unit::uniform},                                 // ULOP3
    {0x082, Unit::uniform},                                 // UMOV
    {0x087, Unit::uniform},                                 // USEL
    {0x099, Unit::uniform},                                 // USHF
    {0x0a4, Unit::uniform},                                 // UIMAD
    {0x0b9, Unit::uniform},                                 // ULDC
    {0x0bd, Unit::uniform},                                 // UFLO
    {0x0bf, Unit::uniform},                                 // UPOPC
    {0x0c3, Unit::registers},                               // S2UR
    {0x0ca, Unit::alu},                                     // R2UR
    {0x100, Unit::special},                                 // FLO
    {0x101, Unit::special},                                 // BREV
    {0x102, Unit::special},                                 // FCHK
    {0x104, Unit::special},                                 // F2F, 64 bits
    {0x105, Unit::special},                                 // F2I
    {0x106, Unit::special},                                 // I2F
    {0x107, Unit::special},                                 // FRND
    {0x108, Unit::special},                                 // MUFU
    {0x109, Unit::special},                                 // POPC
    {0x110, Unit::special},                                 // F2F
    {0x111, Unit::special},                                 // F2I
    {0x112, Unit::special},                                 // I2F
    {0x113, Unit::special},                                 // FRND
    {0x118, Unit::none},                                    // NOP
    {0x119, Unit::registers},                               // S2R
    {0x11a, Unit::none},                                    // DEPBAR
    {0x11d, Unit::barrier},                                 // BAR
    {0x180, Unit::memory, Access::load, Space::global},     // LD
    {0x181, Unit::memory, Access::load, Space::global},     // LDG
    {0x182, Unit::constant, Access::load, Space::constant}, // LDC
    {0x183, Unit::memory, Access::load, Space::local},      // LDL
    {0x184, Unit::memory, Access::load, Space::shared},     // LDS
    {0x185, Unit::memory, Access::store, Space::global},    // ST
    {0x186, Unit::memory, Access::store, Space::global},    // STG
    {0x187, Unit::memory, Access::store, Space::local},     // STL
    {0x188, Unit::memory, Access::store, Space::shared},    // STS
    {0x189, Unit::shuffle},                                 // SHFL
    {0x18a, Unit::memory, Access::atomic, Space::global},   // ATOM
    {0x18b, Unit::memory, Access::atomic, Space::global},   // ATOM.CAS
    {0x161, Unit::memory, Access::load, Space::global},     // TEX
    {0x167, Unit::memory, Access::load, Space::global},     // TLD
    {0x18c, Unit::memory, Access::atomic, Space::shared},   // ATOMS
    {0x18d, Unit::memory, Access::atomic, Space::shared},   // ATOMS.CAS
    {0x18e, Unit::memory, Access::atomic, Space::global},   // RED
    {0x1a3, Unit::memory, Access::atomic, Space::global},   // ATOMG, floats
    {0x1a6, Unit::memory, Access::atomic, Space::global},   // REDG, floats
    {0x1a8, Unit::memory, Access::atomic, Space::global},   // ATOMG
    {0x1a9, Unit::memory, Access::atomic, Space::global},   // ATOMG.CAS
    {0x1a1, Unit::registers},                               // MATCH
    {0x1ae, Unit::memory, Access::load, Space::global},     // LDGSTS
    {0x1c4, Unit::special},                                 // REDUX
    {0x141, Unit::branch},                                  // BSYNC
    {0x142, Unit::branch},                                  // BREAK
    {0x143, Unit::branch, Access::none, Space::none, Flow::call},
    {0x144, Unit::branch, Access::none, Space::none, Flow::call},
    {0x145, Unit::branch}, // BSSY
    {0x146, Unit::branch}, // YIELD
    {0x147, Unit::branch, Access::none, Space::none, Flow::branch},
    {0x148, Unit::branch}, // WARPSYNC
    {0x149, Unit::branch, Access::none, Space::none, Flow::indirect},
    {0x14a, Unit::branch, Access::none, Space::none, Flow::indirect},
    {0x14c, Unit::branch, Access::none, Space::none, Flow::indirect},
    {0x14d, Unit::branch, Access::none, Space::none, Flow::leave},
    {0x150, Unit::branch, Access::none, Space::none, Flow::leave},
});

constexpr unsigned operation_bits = 9;

constexpr std::array<Operation, 1u << operation_bits> table = [] {
    std::array<Operation, 1u << operation_bits> all{};
    for (Operation& operation : all) operation = {0, Unit::alu, Access::none, Space::none, Flow::next};
    for (const Operation& operation : operations) all[operation.code] = operation;
    return all;
}();

// Words of 4 bytes from the end of the instruction, signed. Hopper and later keep the lowest 8 bits elsewhere.
std::int64_t branch_words(std::uint64_t low, std::uint64_t high, int capability) {
    const std::uint64_t field = bits(low, 34, 30) | bits(high, 0, 18) << 30;
    const std::int64_t above = static_cast<std::int64_t>(field << 16) >> 16;
    return capability >= 90 ? above * 256 + static_cast<std::int64_t>(bits(low, 16, 8)) : above;
}

} // namespace

Instruction decode(std::uint64_t low, std::uint64_t high, std::uint32_t index, int capability) {
    const Operation& operation = table[bits(low, 0, operation_bits)];
    Instruction result;
    result.unit = operation.unit;
    result.access = operation.access;
    result.space = operation.space;
    result.flow = operation.flow;
    constexpr std::uint64_t always = 7;
    result.guarded = bits(low, 12, 4) != always;
    result.waits_for_block = bits(low, 0, operation_bits) == code_barrier;
    result.stall = static_cast<std::uint8_t>(bits(high, 41, 4));
    result.write_barrier = static_cast<std::uint8_t>(bits(high, 46, 3));
    result.read_barrier = static_cast<std::uint8_t>(bits(high, 49, 3));
    result.wait_mask = static_cast<std::uint8_t>(bits(high, 52, 6));
    result.only_divergent = operation.flow == Flow::branch && bits(low, 32, 2) == 2;
    if (operation.flow == Flow::branch || operation.flow == Flow::call) {
        constexpr std::int64_t words = 4; // of an instruction
        const std::int64_t target = index + 1 + branch_words(low, high, capability) / words;
        if (target >= 0 && target < nowhere) result.target = static_cast<std::uint32_t>(target);
    }
    return result;
}

bool is_filling(std::uint64_t low, const Instruction& instruction, std::uint32_t index) {
    return bits(low, 0, operation_bits) == code_nop || (instruction.flow == Flow::branch && instruction.target == index);
}

} // namespace apod::sass

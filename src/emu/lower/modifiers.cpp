// Modifiers that a lowering may leave unread. What is not on a list changes the meaning in a way that the emulator does not know, and the
// instruction is refused.
#include "emu/lower/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::emu {

std::string_view unknown_modifier(const ptx::Instruction& instruction, std::initializer_list<std::string_view> known) {
    for (const std::string_view modifier : instruction.modifiers)
        if (std::find(known.begin(), known.end(), modifier) == known.end()) return modifier;
    return {};
}

std::string_view unknown_memory_modifier(const ptx::Instruction& instruction, std::initializer_list<std::string_view> operations) {
    // Cache operators, eviction priorities and prefetch sizes are hints. Orders and scopes are kept by what executes them: a block's warps
    // take turns, and updates across blocks are sequentially consistent.
    constexpr std::string_view known[] = {"weak",
                                          "volatile",
                                          "relaxed",
                                          "acquire",
                                          "release",
                                          "acq_rel",
                                          "mmio",
                                          "cta",
                                          "cluster",
                                          "gpu",
                                          "sys",
                                          "global",
                                          "local",
                                          "shared",
                                          "const",
                                          "param",
                                          "shared::cta",
                                          "param::entry",
                                          "param::func",
                                          "ca",
                                          "cg",
                                          "cs",
                                          "lu",
                                          "cv",
                                          "wb",
                                          "wt",
                                          "nc",
                                          "v2",
                                          "v4",
                                          "v8",
                                          "L2::64B",
                                          "L2::128B",
                                          "L2::256B",
                                          "shared::cluster",
                                          "L2::cache_hint"};
    for (const std::string_view modifier : instruction.modifiers) {
        if (modifier.starts_with("L1::") || modifier.starts_with("L2::evict_")) continue;
        if (ptx::type_from_name(modifier)) continue;
        if (std::find(std::begin(known), std::end(known), modifier) != std::end(known)) continue;
        if (std::find(operations.begin(), operations.end(), modifier) != operations.end()) continue;
        return modifier;
    }
    const auto types = std::count_if(instruction.modifiers.begin(), instruction.modifiers.end(),
                                     [](std::string_view modifier) { return ptx::type_from_name(modifier).has_value(); });
    return types == 1 ? std::string_view{} : std::string_view("its type");
}

std::string_view memory_space(const ptx::Instruction& instruction) {
    for (const std::string_view modifier : instruction.modifiers) {
        if (modifier == "global" || modifier == "local" || modifier == "const" || modifier == "shared" || modifier == "param")
            return modifier;
        if (modifier == "shared::cta") return "shared";
        if (modifier == "param::entry" || modifier == "param::func") return "param";
        if (modifier == "shared::cluster") return "cluster";
    }
    return "generic";
}

std::uint32_t vector_length(const ptx::Instruction& instruction) {
    return instruction.has("v2") ? 2 : instruction.has("v4") ? 4 : instruction.has("v8") ? 8 : 1;
}

Result<std::size_t> operands_without_policy(Lowering& lowering, const ptx::Instruction& instruction) {
    const std::size_t count = instruction.operands.size();
    if (!instruction.has("L2::cache_hint")) return count;
    if (count == 0) return malformed(lowering, instruction, "the cache policy is missing");
    if (auto policy = source(lowering, instruction, instruction.operands.back(), ptx::Type::b64); !policy) return policy.error();
    return count - 1;
}

Diagnostic cannot_run_modifier(const Lowering& lowering, const ptx::Instruction& instruction, std::string_view modifier) {
    return cannot_run(lowering, instruction, fmt::format("what '{}' means here is not known to the emulator", modifier));
}

} // namespace apod::emu

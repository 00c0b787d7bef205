// Any texts as the units of one module: they are separated by the byte 0x1e.
#include "ptx/link.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apod::ptx;
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    std::vector<LinkUnit> units;
    while (units.size() < 16) {
        const std::size_t end = rest.find('\x1e');
        units.push_back({std::string(rest.substr(0, end)), "unit " + std::to_string(units.size() + 1)});
        if (end == std::string_view::npos) break;
        rest.remove_prefix(end + 1);
    }
    const auto module = link(std::move(units));
    if (!module) return 0;
    for (const Function& function : (*module)->functions)
        for (const Instruction& instruction : function.instructions)
            for (const Operand& operand : instruction.operands)
                if (operand.symbol == SymbolKind::function && operand.index >= (*module)->functions.size()) __builtin_trap();
    return 0;
}

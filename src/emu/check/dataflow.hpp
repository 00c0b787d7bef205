// What the code says of two accesses that race: whether the one's value goes into the other's, whether they mean the same place. Looked at
// where a report is made, to say what would mend it.
#pragma once

#include "emu/program.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace apod::emu {

class Dataflow {
public:
    explicit Dataflow(const Program& program) : program_(program) {}

    // How a store's value comes from what a load read.
    struct Change {
        bool feeds = false;
        std::string_view opcode; // of the last instruction: "add"; empty: a copy
        bool is_float = false;
        bool adds = false; // the loaded value is a summand: x + y, x * y + z
    };

    // Ops of one function; false across functions.
    [[nodiscard]] Change change(std::uint32_t load, std::uint32_t store);
    [[nodiscard]] bool feeds(std::uint32_t load, std::uint32_t store) { return change(load, store).feeds; }
    // The same expression gives both addresses.
    [[nodiscard]] bool same_address(std::uint32_t one, std::uint32_t other);
    // A load of the address that is stored to, whose value goes into the store: x = f(x). ptx::none: there is none.
    [[nodiscard]] std::uint32_t load_of_update(std::uint32_t store);
    // Whether it is such a load of some store.
    [[nodiscard]] bool begins_update(std::uint32_t load);

private:
    using Writers = std::vector<std::vector<std::uint32_t>>; // by register: instructions that write it

    [[nodiscard]] const ptx::Instruction& instruction(std::uint32_t op) const {
        return program_.ops[op].function->instructions[program_.ops[op].instruction];
    }
    [[nodiscard]] const Writers& writers(const ptx::Function& function);
    [[nodiscard]] bool reaches(const ptx::Function& function, std::vector<std::uint32_t> registers, std::uint32_t load);
    [[nodiscard]] bool same(const ptx::Function& function, const ptx::Operand& one, const ptx::Operand& other, int depth);

    const Program& program_;
    std::unordered_map<const ptx::Function*, Writers> writers_;
};

} // namespace apod::emu

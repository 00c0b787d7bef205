// The table of instruction forms that the lane handlers execute. A form is an opcode with the modifiers that decide its meaning, in the
// spelling that canonical_form() gives ("add.s32", "fma.rn.f32", "setp.lt.f64"). What is not in the table (and is no control, memory or
// other special op that the lowering knows) cannot run, and is refused by name when the kernel is loaded.
#pragma once

#include "base/result.hpp"
#include "emu/code.hpp"
#include "emu/program.hpp"
#include "ptx/types.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace apod::emu {

struct Form {
    const char* name = nullptr;
    Handler full = nullptr;
    Handler masked = nullptr;
    ptx::Type dst = ptx::Type::none; // types decide slots and how immediates are read
    ptx::Type a = ptx::Type::none;
    ptx::Type b = ptx::Type::none;
    ptx::Type c = ptx::Type::none;
    OpClass op_class = OpClass::other;
    std::int64_t imm = 0; // what Op::imm starts as: forms may share a handler and differ here
};

class FormTable {
public:
    void add(const Form& form);
    [[nodiscard]] const Form* find(std::string_view name) const;
    [[nodiscard]] const std::unordered_map<std::string, Form>& all() const { return forms_; }

private:
    std::unordered_map<std::string, Form> forms_;
};

// The table of the best instruction set that this processor and build have; APOD_LANES (baseline, v3, v4) in the environment chooses. Empty
// where there is none: check_lanes() says so.
[[nodiscard]] const FormTable& form_table();
// unavailable where the table is empty.
[[nodiscard]] Result<void> check_lanes();
[[nodiscard]] std::string_view lanes_isa();

} // namespace apod::emu

#include "emu/lower/lowering.hpp"
#include "emu/warp_context.hpp"

namespace apod::emu {

void guarded_full(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const std::uint32_t lanes_on = mask & (warp.predicates[op.guard >> 1] ^ (0u - (op.guard & 1u)));
    if (lanes_on != 0) op.body(warp, op, lanes_on);
}

void use_form(LoweredOp& lowered, const Form& form) {
    lowered.op.full = form.full;
    lowered.op.masked = form.masked;
    lowered.op.body = form.masked;
    lowered.op.imm = form.imm;
    lowered.info.op_class = form.op_class;
}

} // namespace apod::emu

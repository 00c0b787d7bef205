// What ptxas makes one instruction of: estimates from PTX alone how many warp instructions the machine code will have.
//
// LOP3 takes two logic operations of three inputs in all, IADD3 two additions, LEA a shift and an addition, IMAD a product and an addition
// (also the wide product of an index and the addition of its array's address). NOT is an operand modifier. An operation is merged into the
// one that uses its result when that is the only use and both are in one basic block.
#pragma once

#include "emu/program.hpp"

#include <vector>

namespace apod::model {

// By op of the kernel itself: whether its work is done by the instruction of a later op.
[[nodiscard]] std::vector<bool> merged_ops(const emu::Program& program);

} // namespace apod::model

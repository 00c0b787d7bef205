// What a ladder's parts must agree on: names are unique and known, the golden result exists and covers what is compared.
#pragma once

#include "ladder/ladder.hpp"

namespace apod::ladder {

Result<void> check_ladder(const Ladder& ladder);

} // namespace apod::ladder

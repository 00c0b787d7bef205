// What the two rules of uncoalesced requests and that of misaligned ones agree on.
#pragma once

#include "explain/rules/rule.hpp"

#include <string_view>

namespace apod::explain {

// Names of a kind of requests to global memory.
struct RequestKind {
    std::string_view requests;
    std::string_view sectors;
    std::string_view ideal;
    std::string_view bytes;
    std::string_view wavefronts;
};

inline constexpr RequestKind loads = {model::metric::global_load_requests, model::metric::global_load_sectors,
                                      model::metric::ideal_load_sectors, model::metric::global_load_bytes,
                                      model::metric::global_load_wavefronts};
inline constexpr RequestKind stores = {model::metric::global_store_requests, model::metric::global_store_sectors,
                                       model::metric::ideal_store_sectors, model::metric::global_store_bytes,
                                       model::metric::global_store_wavefronts};

// The launch asks for a quarter more sectors than its bytes need, and there are neighbours to coalesce with.
[[nodiscard]] bool asks_for_too_many(const Context& context, const RequestKind& kind);

// The line that asks for most sectors beyond what its bytes need.
[[nodiscard]] const LineRecord* worst_line_of(const Context& context, const RequestKind& kind);

// Of the worst line, or the launch where lines are not known: no request has more than one sector too many. Neighbours touch neighbours,
// but the first begins within a sector.
[[nodiscard]] bool only_misaligned(const Context& context, const RequestKind& kind);

// Share of all wavefronts of the load/store unit that belong to the kind.
[[nodiscard]] double share_of_wavefronts(const Context& context, const RequestKind& kind);

} // namespace apod::explain

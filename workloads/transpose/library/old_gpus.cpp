#include "workloads/transpose/library/ptx.hpp"

namespace apod::transposing {

namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

} // namespace

std::string for_old_gpus(std::string_view ptx) {
    std::string text(ptx);
    replace_all(text, "\n.version 7.4\n.target sm_75\n", "\n.version 6.0\n.target sm_52\n");
    replace_all(text, ".L2::128B", "");
    return text;
}

} // namespace apod::transposing

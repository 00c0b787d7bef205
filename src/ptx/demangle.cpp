#include "ptx/module.hpp"

#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace apod::ptx {

namespace {

// nvcc puts what has internal linkage into a namespace _INTERNAL_<hash>_<file>; like an anonymous one it tells the reader nothing.
void drop_internal_namespaces(std::string& name) {
    std::size_t at = 0;
    while ((at = name.find("_INTERNAL_", at)) != std::string::npos) {
        std::size_t end = at;
        while (end < name.size() && (std::isalnum(static_cast<unsigned char>(name[end])) || name[end] == '_')) ++end;
        if (name.compare(end, 2, "::") == 0) {
            name.erase(at, end + 2 - at);
        } else {
            at = end;
        }
    }
}

} // namespace

std::string demangle(std::string_view name) {
    constexpr std::size_t longest = 1 << 16; // the demangler's stack grows with the name
    std::string text{name};
    if (!name.starts_with("_Z") || name.size() > longest) return text;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> plain{abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status), &std::free};
    if (status != 0 || !plain) return text;
    text = plain.get();
    drop_internal_namespaces(text);
    return text;
}

} // namespace apod::ptx

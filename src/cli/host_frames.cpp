#include "cli/host_frames.hpp"

#include "base/process.hpp"
#include "ptx/module.hpp"
#include "runtime/inspect/elf.hpp"
#include "runtime/inspect/mapped_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

namespace apod::cli {
namespace {

struct Address {
    std::string object;
    std::uint64_t offset = 0;

    friend auto operator<=>(const Address&, const Address&) = default;
};

struct Function {
    std::string name;
    std::string file;
    std::uint32_t line = 0;
};

using Functions = std::map<Address, Function>;

Address parse(const std::string& frame) {
    const std::size_t plus = frame.rfind("+0x");
    if (plus == std::string::npos) return {frame, 0};
    std::uint64_t offset = 0;
    (void)std::from_chars(frame.data() + plus + 3, frame.data() + frame.size(), offset, 16);
    return {frame.substr(0, plus), offset};
}

// Names from the symbol table; true where there is line information too.
bool name_by_symbols(const std::string& object, const std::set<std::uint64_t>& offsets, Functions& functions) {
    const Result<runtime::MappedFile> file = runtime::MappedFile::open(object);
    if (!file) return false;
    const Result<runtime::Elf> elf = runtime::Elf::read(file->bytes(), object);
    if (!elf) return false;
    const Result<std::vector<runtime::ElfSymbol>> symbols = elf->symbols();
    if (!symbols) return false;
    for (const runtime::ElfSymbol& symbol : *symbols) {
        if (!symbol.function) continue;
        for (auto at = offsets.lower_bound(symbol.address); at != offsets.end() && *at - symbol.address < symbol.bytes; ++at)
            functions[{object, *at}].name = ptx::demangle(std::string(symbol.name));
    }
    return elf->section(".debug_line") != nullptr;
}

// Three lines for each address: itself, the function, "file:line". Of inlined functions the innermost.
void name_by_lines(const std::string& object, const std::set<std::uint64_t>& offsets, Functions& functions) {
    std::vector<std::string> arguments = {"addr2line", "-a", "-f", "-C", "-e", object};
    for (const std::uint64_t offset : offsets) arguments.push_back(fmt::format("{:#x}", offset));
    const Result<ProcessResult> ran = run_process(arguments);
    if (!ran || ran->exit_status != 0) return; // not installed: the symbols have to do
    std::istringstream lines(ran->output);
    std::string address;
    std::string name;
    std::string place;
    while (std::getline(lines, address) && std::getline(lines, name) && std::getline(lines, place)) {
        std::uint64_t offset = 0;
        if (address.size() < 3 || std::from_chars(address.data() + 2, address.data() + address.size(), offset, 16).ec != std::errc())
            return;
        Function& function = functions[{object, offset}];
        if (name != "??") function.name = name;
        const std::size_t colon = place.find(':', place.rfind('/') == std::string::npos ? 0 : place.rfind('/'));
        if (colon == std::string::npos || place.starts_with("??")) continue;
        function.line = 0;
        (void)std::from_chars(place.data() + colon + 1, place.data() + place.size(), function.line);
        if (function.line != 0) function.file = place.substr(0, colon);
    }
}

Functions resolve(const std::vector<CheckReport>& reports) {
    std::map<std::string, std::set<std::uint64_t>> wanted;
    const auto want = [&](const std::vector<std::string>& frames) {
        for (const std::string& frame : frames) {
            const Address address = parse(frame);
            wanted[address.object].insert(address.offset);
        }
    };
    for (const CheckReport& report : reports) {
        want(report.host);
        if (report.object) want(report.object->given_at);
    }
    Functions functions;
    for (const auto& [object, offsets] : wanted)
        if (name_by_symbols(object, offsets, functions)) name_by_lines(object, offsets, functions);
    return functions;
}

std::string_view bare(std::string_view name) { return name.substr(0, name.find('(')); }

// nvcc's code around a launch, and the templates of CUDA's headers.
bool between(const std::string& name, const std::string& kernel) {
    const std::string_view function = bare(name);
    const bool of_headers = function.find("cuda") != std::string_view::npos && function.find('<') != std::string_view::npos &&
                            (function.starts_with("cuda") || function.find(" cuda") != std::string_view::npos);
    return name.starts_with("__device_stub_") || name.starts_with("__cuda") || of_headers || (!kernel.empty() && function == bare(kernel));
}

std::string text_of(const Address& address, const Function& function) {
    const std::string object = address.object.substr(address.object.rfind('/') + 1);
    if (function.name.empty()) return fmt::format("{}+{:#x}", object, address.offset);
    return function.line != 0 ? fmt::format("{} at {}:{}", function.name, function.file, function.line)
                              : fmt::format("{} ({})", function.name, object);
}

bool starts_the_program(const std::string& name) { return name.starts_with("__libc_start") || name == "_start"; }

// Named, without what lies around a launch and what starts the program. `innermost`: the first place that is known.
std::vector<std::string> named(const std::vector<std::string>& frames, const Functions& functions, const std::string& kernel,
                               CheckPlace& innermost) {
    std::vector<std::string> named;
    for (const std::string& frame : frames) {
        const Address address = parse(frame);
        const auto found = functions.find(address);
        const Function function = found != functions.end() ? found->second : Function{};
        if (starts_the_program(function.name) || address.object.find("/libc.so") != std::string::npos) break;
        if (named.empty() && between(function.name, kernel)) continue;
        if (named.empty() && function.line != 0) innermost = {function.file, function.line, {}};
        named.push_back(text_of(address, function));
        if (function.name == "main") break;
    }
    return named;
}

} // namespace

void resolve_host_frames(std::vector<CheckReport>& reports) {
    const Functions functions = resolve(reports);
    for (CheckReport& report : reports) {
        CheckPlace innermost;
        report.host = named(report.host, functions, report.kernel, innermost);
        if (report.access.place.file.empty() && !report.host.empty()) report.access.place = innermost;
        if (report.object) report.object->given_at = named(report.object->given_at, functions, "", innermost);
    }
}

} // namespace apod::cli

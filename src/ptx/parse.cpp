#include "ptx/parse_unit.hpp"
#include "ptx/parser.hpp"

namespace apod::ptx {

Result<std::shared_ptr<Module>> parse_unit(std::string text, std::string file, std::uint32_t lines_before) {
    constexpr std::size_t largest = 0xfffffff0u; // places are 32-bit numbers
    auto module = std::make_shared<Module>();
    module->file = std::move(file);
    module->text = std::move(text);
    module->lines_before = lines_before;
    if (module->text.size() > largest - lines_before) return bad_input({module->file, 0, 0}, "PTX text of more than 4 GiB");
    // Fatbins store the text with its terminating zeros.
    while (!module->text.empty() && module->text.back() == '\0') module->text.pop_back();
    Parser parser{*module};
    if (!parser.parse_module()) return parser.take_error();
    return module;
}

Result<std::shared_ptr<const Module>> parse(std::string text, std::string file) {
    Result<std::shared_ptr<Module>> module = parse_unit(std::move(text), std::move(file), 0);
    if (!module) return module.error();
    return std::shared_ptr<const Module>{*std::move(module)};
}

} // namespace apod::ptx

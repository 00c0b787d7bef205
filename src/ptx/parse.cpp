#include "ptx/parser.hpp"

namespace apod::ptx {

Result<std::shared_ptr<const Module>> parse(std::string text, std::string file) {
    constexpr std::size_t largest = 0xfffffff0u; // places are 32-bit numbers
    auto module = std::make_shared<Module>();
    module->file = std::move(file);
    module->text = std::move(text);
    if (module->text.size() > largest) return bad_input({module->file, 0, 0}, "PTX text of more than 4 GiB");
    // Fatbins store the text with its terminating zeros.
    while (!module->text.empty() && module->text.back() == '\0') module->text.pop_back();
    Parser parser{*module};
    if (!parser.parse_module()) return parser.take_error();
    return std::shared_ptr<const Module>{std::move(module)};
}

} // namespace apod::ptx

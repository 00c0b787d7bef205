// Any bytes as text to be shown: they become printable once and for all, and tables and lines keep to the width that they are given.
#include "base/text_table.hpp"
#include "base/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apod;
    if (size == 0) return 0;
    const std::size_t width = data[0];
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::string shown = printable(text);
    if (printable(shown) != shown) std::abort();
    for (const std::string& line : wrap(shown, width))
        if (width > 1 && display_width(line) > width) std::abort();
    (void)wrap(text, width, LongWords::keep);
    TextTable table({{"name", Align::left, ""}, {"figure", Align::right, shown}, {"what", Align::left, ""}});
    table.add_row(
        {std::string(text.substr(0, text.size() / 2)), {std::string(text.substr(text.size() / 2)), Tint::bad}, std::string(text)});
    const std::string rendered = table.render({width, false});
    for (std::size_t begin = 0, end = 0; (end = rendered.find('\n', begin)) != std::string::npos; begin = end + 1)
        if (const std::string line = rendered.substr(begin, end - begin); printable(line) != line) std::abort();
    (void)table.render({width, true});
    return 0;
}

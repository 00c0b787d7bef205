#include "ladder/npy.hpp"

#include "base/npy_header.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace apod::ladder {

namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

struct TypeName {
    std::string_view npy;
    ElementType type;
};

// '|' and '=' mean "no byte order" and "the machine's"; both are taken for one-byte types, '=' never occurs in files.
constexpr TypeName type_names[] = {
    {"<f2", ElementType::f16}, {"<f4", ElementType::f32}, {"<f8", ElementType::f64}, {"|i1", ElementType::s8}, {"<i1", ElementType::s8},
    {"<i2", ElementType::s16}, {"<i4", ElementType::s32}, {"<i8", ElementType::s64}, {"|u1", ElementType::u8}, {"<u1", ElementType::u8},
    {"<u2", ElementType::u16}, {"<u4", ElementType::u32}, {"<u8", ElementType::u64}, {"|b1", ElementType::u8}};

Diagnostic error(const std::string& file, std::string message, std::string hint = {}) {
    return bad_input({file, 0, 0}, std::move(message), std::move(hint));
}

// Where the header's text lies, from the magic, the version and the length before it.
Result<std::string_view> find_header(std::string_view contents, const std::string& file) {
    if (contents.size() < 10 || contents.substr(0, 6) != magic) {
        return error(file, "this is not an .npy file: it does not begin with \\x93NUMPY", "write it with numpy.save");
    }
    const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(contents[at])); };
    const std::size_t major = byte(6);
    if (major < 1 || major > 3) return error(file, fmt::format("version {}.{} of the .npy format is not known", major, byte(7)));
    if (major > 1 && contents.size() < 12) return error(file, "the file is truncated within its header");
    const std::size_t start = major == 1 ? 10 : 12;
    const std::size_t length = major == 1 ? byte(8) + (byte(9) << 8) : byte(8) + (byte(9) << 8) + (byte(10) << 16) + (byte(11) << 24);
    if (length > contents.size() - start) {
        return error(file, fmt::format("the file is truncated: its header needs {} bytes and {} follow", length, contents.size() - start));
    }
    return contents.substr(start, length);
}

Result<ElementType> find_type(const std::string& descr, const std::string& file) {
    for (const TypeName& name : type_names) {
        if (name.npy == descr) return name.type;
    }
    if (!descr.empty() && descr[0] == '>') {
        return error(file, fmt::format("the elements ('{}') are big-endian", descr), "save array.astype(array.dtype.newbyteorder('<'))");
    }
    return error(file, fmt::format("elements of type '{}' are not supported", descr),
                 "save one of float16, float32, float64, int8 to int64, uint8 to uint64 or bool");
}

Result<std::uint64_t> count_elements(const std::vector<std::uint64_t>& shape, std::size_t element, const std::string& file) {
    std::uint64_t bytes = element;
    for (const std::uint64_t extent : shape) {
        if (__builtin_mul_overflow(bytes, extent, &bytes)) return error(file, "the shape's size does not fit 64 bits");
    }
    return bytes / element;
}

// Column-major to row-major: walks the destination in order and keeps the source's offset beside it.
std::vector<std::byte> turned(const std::vector<std::byte>& from, const std::vector<std::uint64_t>& shape, std::size_t element) {
    std::vector<std::byte> to(from.size());
    std::vector<std::uint64_t> stride(shape.size(), 1);
    for (std::size_t i = 1; i < shape.size(); ++i) stride[i] = stride[i - 1] * shape[i - 1];
    std::vector<std::uint64_t> index(shape.size(), 0);
    std::uint64_t source = 0;
    for (std::size_t at = 0; at < to.size(); at += element) {
        std::memcpy(to.data() + at, from.data() + source * element, element);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            source += stride[axis];
            if (++index[axis] < shape[axis]) break;
            source -= stride[axis] * shape[axis];
            index[axis] = 0;
        }
    }
    return to;
}

std::string_view descr_of(ElementType type) {
    for (const TypeName& name : type_names) {
        if (name.type == type) return name.npy;
    }
    return {};
}

} // namespace

Result<Array> parse_npy(std::string_view contents, const std::string& file) {
    Result<std::string_view> text = find_header(contents, file);
    if (!text) return text.error();
    Result<NpyHeader> header = parse_npy_header(*text, file);
    if (!header) return header.error();
    Result<ElementType> type = find_type(header->descr, file);
    if (!type) return type.error();
    const std::size_t element = element_bytes(*type);
    Result<std::uint64_t> count = count_elements(header->shape, element, file);
    if (!count) return count.error();

    const std::string_view data = contents.substr(static_cast<std::size_t>(text->data() + text->size() - contents.data()));
    if (data.size() != *count * element) {
        return error(file, fmt::format("the file is {}: its shape needs {} bytes of data and {} follow the header",
                                       data.size() < *count * element ? "truncated" : "too long", *count * element, data.size()));
    }
    Array array{*type, header->shape, std::vector<std::byte>(data.size())};
    if (!data.empty()) std::memcpy(array.bytes.data(), data.data(), data.size());
    if (header->fortran_order && array.shape.size() > 1) array.bytes = turned(array.bytes, array.shape, element);
    return array;
}

Result<std::string> to_npy(const Array& array) {
    const std::string_view descr = descr_of(array.type);
    if (descr.empty()) return usage_error(fmt::format("NumPy has no type for {}", element_type_name(array.type)), "convert it to f32");
    std::string shape;
    for (const std::uint64_t extent : array.shape) shape += fmt::format("{}, ", extent);
    if (array.shape.size() > 1) shape.resize(shape.size() - 2);
    if (array.shape.size() == 1) shape.resize(shape.size() - 1);
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, shape);
    // The data starts at a multiple of 64 bytes, and the header ends with a newline.
    const bool is_long = header.size() > 65000;
    const std::size_t start = is_long ? 12 : 10;
    header.append(63 - (start + header.size()) % 64, ' ');
    header += '\n';
    std::string contents(magic);
    contents += is_long ? '\2' : '\1';
    contents += '\0';
    for (std::size_t i = 0; i < start - 8; ++i) contents += static_cast<char>(header.size() >> (8 * i) & 0xff);
    contents += header;
    contents.append(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
    return contents;
}

} // namespace apod::ladder

#include "workloads/spmv/npz_member.hpp"

#include "apod/spmv.hpp"
#include "base/npy_header.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

namespace apod::spmv {

namespace {

Diagnostic error(const std::string& file, const std::string& name, std::string_view why) {
    return bad_input({file, 0, 0}, fmt::format("the array '{}' {}", name, why), "save the matrix again with scipy.sparse.save_npz");
}

// The bytes of an element: the number after the type's letter, which counts characters of 4 bytes for 'U'.
std::uint64_t element_bytes(const std::string& descr) {
    std::uint64_t width = 0;
    if (descr.size() < 3) return 0;
    const char* const end = descr.data() + descr.size();
    if (std::from_chars(descr.data() + 2, end, width).ptr != end || width > 64) return 0;
    return descr[1] == 'U' ? 4 * width : width;
}

template<class Value> Value load(const std::string& data, std::uint64_t index) {
    Value value;
    std::memcpy(&value, data.data() + index * sizeof(Value), sizeof(Value));
    return value;
}

template<class Value> double load_real(const std::string& data, std::uint64_t index) {
    return static_cast<double>(load<Value>(data, index));
}
double load_half(const std::string& data, std::uint64_t index) { return to_float(load<Half>(data, index)); }

using Load = double (*)(const std::string&, std::uint64_t);
struct Type {
    std::string_view descr; // without the byte order
    Load load;
};
constexpr Type types[] = {{"f2", load_half},
                          {"f4", load_real<float>},
                          {"f8", load_real<double>},
                          {"i1", load_real<std::int8_t>},
                          {"i2", load_real<std::int16_t>},
                          {"i4", load_real<std::int32_t>},
                          {"i8", load_real<std::int64_t>},
                          {"u1", load_real<std::uint8_t>},
                          {"u2", load_real<std::uint16_t>},
                          {"u4", load_real<std::uint32_t>},
                          {"u8", load_real<std::uint64_t>},
                          {"b1", load_real<std::uint8_t>},
                          {"c8", load_real<float>},
                          {"c16", load_real<double>}};

} // namespace

std::uint64_t NpzMember::elements() const {
    std::uint64_t count = 1;
    for (const std::uint64_t extent : shape) count *= extent;
    return count;
}

Result<NpzMember> parse_member(const std::string& contents, const std::string& name, const std::string& file) {
    if (contents.size() < 12 || contents.compare(0, 6, "\x93NUMPY") != 0) return error(file, name, "is no .npy file");
    const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(contents[at])); };
    const std::size_t start = byte(6) == 1 ? 10 : 12;
    const std::size_t length = byte(8) + (byte(9) << 8) + (byte(6) == 1 ? 0 : (byte(10) << 16) + (byte(11) << 24));
    if (byte(6) < 1 || byte(6) > 3 || length > contents.size() - start) return error(file, name, "is truncated, or of an unknown version");
    const auto header = parse_npy_header(std::string_view(contents).substr(start, length), file);
    if (!header) return header.error();
    NpzMember member{name, header->descr, header->shape, {}, header->fortran_order};
    if (!member.descr.empty() && member.descr[0] == '>') return error(file, name, "is big-endian");
    std::uint64_t bytes = element_bytes(member.descr);
    if (bytes == 0) return error(file, name, "has elements of an unknown type");
    for (const std::uint64_t extent : member.shape) {
        if (__builtin_mul_overflow(bytes, extent, &bytes)) return error(file, name, "is larger than any memory");
    }
    if (bytes != contents.size() - start - length) return error(file, name, "is truncated, or longer than its shape");
    member.data = contents.substr(start + length);
    return member;
}

Result<std::vector<std::int64_t>> integers(const NpzMember& member, const std::string& file) {
    const std::string type = member.descr.substr(1);
    if (type != "i4" && type != "i8") return error(file, member.name, fmt::format("is of type '{}', and indices are i4 or i8", type));
    std::vector<std::int64_t> values(member.elements());
    for (std::uint64_t i = 0; i < values.size(); ++i) {
        values[i] = type == "i4" ? load<std::int32_t>(member.data, i) : load<std::int64_t>(member.data, i);
    }
    return values;
}

Result<std::vector<double>> reals(const NpzMember& member, const std::string& file, std::vector<double>& imaginary) {
    const std::string type = member.descr.substr(1);
    for (const Type& known : types) {
        if (known.descr != type) continue;
        const bool complex = type[0] == 'c';
        std::vector<double> values(member.elements());
        if (complex) imaginary.resize(values.size());
        for (std::uint64_t i = 0; i < values.size(); ++i) {
            values[i] = known.load(member.data, complex ? 2 * i : i);
            if (complex) imaginary[i] = known.load(member.data, 2 * i + 1);
        }
        return values;
    }
    return error(file, member.name, fmt::format("is of type '{}', which is not supported", type));
}

Result<std::string> text(const NpzMember& member, const std::string& file) {
    const bool unicode = member.descr[1] == 'U';
    if (member.elements() != 1 || (!unicode && member.descr[1] != 'S')) return error(file, member.name, "is no text");
    std::string result;
    for (std::size_t i = 0; i < member.data.size(); i += unicode ? 4 : 1) {
        if (member.data[i] > 0x20 && member.data[i] < 0x7f) result += member.data[i];
    }
    return result;
}

} // namespace apod::spmv

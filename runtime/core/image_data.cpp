#include "runtime/core/image_data.hpp"

#include "runtime/core/fatbin.hpp"
#include "runtime/core/readable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace apod::runtime {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view wrapper_start = "\xb1\x43\x62\x46"sv; // u32 0x466243b1
constexpr std::string_view fatbin_start = "\x50\xed\x55\xba"sv;  // u32 0xba55ed50
constexpr std::string_view elf_start = "\x7f"
                                       "ELF"sv;
constexpr std::string_view bitcode_start = "BC\xc0\xde"sv;
constexpr std::string_view link_start = "\x01"
                                        "apodlnk"sv;
constexpr std::size_t wrapper_bytes = 24;
constexpr std::size_t fatbin_header_bytes = 16;
constexpr std::size_t elf_header_bytes = 64;

// Byte by byte, so that a shorter text is not read beyond its end: no start holds a zero before its last byte.
bool starts_with(const std::byte* image, std::string_view start) {
    for (std::size_t i = 0; i < start.size(); ++i)
        if (static_cast<char>(image[i]) != start[i]) return false;
    return true;
}

bool starts_with(std::span<const std::byte> image, std::string_view start) {
    return image.size() >= start.size() && starts_with(image.data(), start);
}

std::uint64_t read_u64(std::span<const std::byte> bytes, std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

// PTX begins with white space, a comment or a directive.
bool looks_like_text(std::byte first) {
    const char c = static_cast<char>(first);
    return c == '.' || c == '/' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

Error refuse(Diagnostic& why, Error error, std::string what, std::string hint = {}) {
    why = bad_input({}, std::move(what), std::move(hint));
    return error;
}

Error read_entries(std::span<const std::byte> fatbin, const arch::Gpu& gpu, const std::string& name, std::vector<PtxUnit>& units,
                   Diagnostic& why) {
    const auto failed = [&](const Diagnostic& diagnostic, Error error) {
        why = diagnostic;
        return error;
    };
    const Result<std::vector<FatbinEntry>> entries = read_fatbin(fatbin);
    if (!entries) return failed(entries.error(), Error::invalid_kernel_image);
    const auto architecture = static_cast<std::uint32_t>(gpu.cc.number());
    const FatbinEntry* entry = best_ptx(*entries, architecture);
    if (entry == nullptr) return failed(no_ptx(*entries, architecture, name), Error::no_kernel_image_for_device);
    Result<std::string> text = ptx_text(*entry);
    if (!text) return failed(text.error(), Error::invalid_kernel_image);
    units.push_back({name, *std::move(text)});
    return Error::success;
}

Error read_linked(std::span<const std::byte> image, std::vector<PtxUnit>& units, Diagnostic& why) {
    std::size_t at = link_start.size() + sizeof(std::uint64_t);
    while (at < image.size()) {
        std::string parts[2];
        for (std::string& part : parts) {
            if (image.size() - at < sizeof(std::uint64_t)) return refuse(why, Error::invalid_kernel_image, "a linked image is cut off");
            const std::uint64_t bytes = read_u64(image, at);
            at += sizeof bytes;
            if (bytes > image.size() - at) return refuse(why, Error::invalid_kernel_image, "a linked image is cut off");
            part.assign(reinterpret_cast<const char*>(image.data() + at), bytes);
            at += bytes;
        }
        units.push_back({std::move(parts[0]), std::move(parts[1])});
    }
    return units.empty() ? refuse(why, Error::invalid_kernel_image, "a linked image is empty") : Error::success;
}

} // namespace

std::size_t image_bytes(const std::byte* image) {
    if (starts_with(image, wrapper_start)) return wrapper_bytes;
    if (starts_with(image, elf_start)) return elf_header_bytes;
    if (starts_with(image, bitcode_start)) return bitcode_start.size();
    if (starts_with(image, link_start)) return read_u64({image, link_start.size() + sizeof(std::uint64_t)}, link_start.size());
    if (starts_with(image, fatbin_start)) {
        const Result<std::uint64_t> bytes = fatbin_bytes(image);
        return bytes ? *bytes : 0;
    }
    return looks_like_text(*image) ? std::strlen(reinterpret_cast<const char*>(image)) : 0;
}

Error read_image(std::span<const std::byte> image, const arch::Gpu& gpu, const std::string& name, std::vector<PtxUnit>& units,
                 Diagnostic& why) {
    if (starts_with(image, wrapper_start) && image.size() >= wrapper_bytes) {
        const auto* data = reinterpret_cast<const std::byte*>(read_u64(image, 8));
        const bool there = readable_bytes(data, fatbin_header_bytes) == fatbin_header_bytes && starts_with(data, fatbin_start);
        return read_entries({data, there ? readable_bytes(data, image_bytes(data)) : 0}, gpu, name, units, why);
    }
    if (starts_with(image, fatbin_start)) return read_entries(image, gpu, name, units, why);
    if (starts_with(image, link_start)) return read_linked(image, units, why);
    const std::string virtual_target = fmt::format("compute_{}", gpu.cc.number());
    if (starts_with(image, elf_start))
        return refuse(why, Error::no_kernel_image_for_device, name + " is machine code (a cubin); only PTX can be emulated",
                      "load the PTX: nvcc -ptx; with NVRTC --gpu-architecture=" + virtual_target + " (not sm_...) and nvrtcGetPTX");
    if (starts_with(image, bitcode_start))
        return refuse(why, Error::no_kernel_image_for_device, name + " is code for link-time optimisation; only PTX can be emulated",
                      "compile without -dlto, for " + virtual_target);
    if (image.empty() || !looks_like_text(image.front()))
        return refuse(why, Error::invalid_kernel_image, name + " is neither PTX text nor a fatbin",
                      "PTX begins with its .version directive");
    const auto end = std::find(image.begin(), image.end(), std::byte{0});
    units.push_back({name, std::string(reinterpret_cast<const char*>(image.data()), static_cast<std::size_t>(end - image.begin()))});
    return Error::success;
}

std::vector<std::byte> link_image(const std::vector<PtxUnit>& units) {
    std::string image(link_start);
    const auto append = [&](std::uint64_t number) { image.append(reinterpret_cast<const char*>(&number), sizeof number); };
    append(0); // the size, below
    for (const PtxUnit& unit : units) {
        for (const std::string* part : {&unit.name, &unit.text}) {
            append(part->size());
            image += *part;
        }
    }
    const std::uint64_t bytes = image.size();
    std::memcpy(image.data() + link_start.size(), &bytes, sizeof bytes);
    const auto* data = reinterpret_cast<const std::byte*>(image.data());
    return {data, data + image.size()};
}

} // namespace apod::runtime

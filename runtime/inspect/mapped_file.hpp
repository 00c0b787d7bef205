// A file's bytes, mapped to be read: programs may be large, and little of them is looked at.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace apod::runtime {

class MappedFile {
public:
    // bad_input with what the system said.
    static Result<MappedFile> open(const std::string& path);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&&) = delete;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }

private:
    MappedFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}
    const std::byte* data_;
    std::size_t size_;
};

} // namespace apod::runtime

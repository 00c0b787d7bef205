// The handles of textures and surfaces that programs made. Kernels look them up while they run, on several threads.
#pragma once

#include "emu/texture/descriptor.hpp"

#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <unordered_map>

namespace apod::emu {

using TextureHandle = std::uint64_t;

class TextureTable {
public:
    // A new handle; no handle is given twice, and none is a small number or an address.
    TextureHandle add(const Texture& texture);
    // False: no such handle.
    bool remove(TextureHandle handle);
    // nullptr where there is none. The texture stays until it is removed.
    [[nodiscard]] const Texture* find(TextureHandle handle) const;

private:
    mutable std::shared_mutex mutex_;
    std::uint64_t made_ = 0;
    std::unordered_map<TextureHandle, std::unique_ptr<const Texture>> textures_;
};

} // namespace apod::emu

#include "emu/texture/table.hpp"

#include <mutex>

namespace apod::emu {

namespace {

constexpr TextureHandle handle_tag = 0x0400000000000000ull; // apart from every window of addresses

} // namespace

TextureHandle TextureTable::add(const Texture& texture) {
    const std::unique_lock lock(mutex_);
    const TextureHandle handle = handle_tag | ++made_;
    textures_.emplace(handle, std::make_unique<const Texture>(texture));
    return handle;
}

bool TextureTable::remove(TextureHandle handle) {
    const std::unique_lock lock(mutex_);
    return textures_.erase(handle) != 0;
}

const Texture* TextureTable::find(TextureHandle handle) const {
    const std::shared_lock lock(mutex_);
    const auto found = textures_.find(handle);
    return found != textures_.end() ? found->second.get() : nullptr;
}

} // namespace apod::emu

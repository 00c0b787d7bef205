// Placing a module's variables in device memory.
#include "emu/check/allocations.hpp"
#include "emu/code.hpp"
#include "emu/program.hpp"

#include <fmt/format.h>

#include <cstring>

namespace apod::emu {

namespace {

bool lives_in_memory(const ptx::Variable& variable) {
    return (variable.space == ptx::Space::global || variable.space == ptx::Space::const_) && variable.type != ptx::Type::texref &&
           variable.type != ptx::Type::samplerref && variable.type != ptx::Type::surfref;
}

Result<void> relocate(const ptx::Module& module, const ptx::Variable& variable, DeviceAddress base, const ptx::Relocation& relocation,
                      const std::unordered_map<std::string_view, DeviceAddress>& addresses) {
    auto target = addresses.find(relocation.symbol);
    if (target == addresses.end()) {
        return bad_input(module.position(variable.position),
                         fmt::format("the initialiser of '{}' needs the address of '{}', which this module does not place in memory",
                                     variable.name, relocation.symbol),
                         "define the variable in this module, or link the module that defines it");
    }
    const std::uint64_t value = (target->second + static_cast<std::uint64_t>(relocation.addend)) >> (8 * relocation.mask_shift);
    std::memcpy(reinterpret_cast<void*>(base + relocation.offset), &value, std::min<std::uint32_t>(relocation.bytes, 8));
    return {};
}

} // namespace

Result<std::shared_ptr<const Image>> Image::load(std::shared_ptr<const ptx::Module> module, DeviceMemory& memory) {
    std::shared_ptr<Image> image(new Image);
    image->module_ = std::move(module);
    image->memory_ = &memory;
    const ptx::Module& source = *image->module_;
    for (const ptx::Variable& variable : source.variables) {
        if (!lives_in_memory(variable)) continue;
        if (variable.linkage == ptx::Linkage::external)
            return bad_input(source.position(variable.position),
                             fmt::format("'{}' is declared .extern and no module defines it", variable.name),
                             "link the module that defines it (nvcc -rdc=false compiles it into one module)");
        const std::uint64_t bytes = variable.size_bytes();
        if (bytes == 0) continue;
        auto base = memory.allocate(bytes, std::string(variable.name), variable.alignment_bytes());
        if (!base) return base.error();
        image->addresses_.emplace(variable.name, *base);
        std::memset(reinterpret_cast<void*>(*base), 0, bytes);
        const std::uint64_t given = std::min<std::uint64_t>(bytes, variable.initial.size());
        if (given != 0) std::memcpy(reinterpret_cast<void*>(*base), variable.initial.data(), given);
        if (memory.checks() != nullptr) memory.checks()->wrote(*base, bytes);
    }
    auto addresses = image->addresses_; // those of functions are handles, which calls through pointers resolve
    for (std::size_t f = 0; f < source.functions.size(); ++f) addresses.emplace(source.functions[f].name, function_handle(f));
    for (const ptx::Variable& variable : source.variables) {
        const DeviceAddress base = image->address_of(variable.name);
        if (base == 0) continue;
        for (const ptx::Relocation& relocation : variable.relocations)
            if (auto done = relocate(source, variable, base, relocation, addresses); !done) return done.error();
    }
    return std::shared_ptr<const Image>(image);
}

Image::~Image() {
    for (const auto& [name, address] : addresses_) (void)memory_->free(address);
}

DeviceAddress Image::address_of(std::string_view variable) const {
    auto found = addresses_.find(variable);
    return found != addresses_.end() ? found->second : 0;
}

} // namespace apod::emu

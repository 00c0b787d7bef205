// Questions about the 32 addresses of a request that have no closed form. Where the processor has AVX-512 they are answered with it, chosen
// at run time; elsewhere plainly. access.cpp asks them; access_reference.cpp holds the obvious answers that tests
// compare with. Inactive lanes never count; `active` is never 0.
#pragma once

#include <cstdint>

namespace apod::model {

struct AddressSpan {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
};

// Lowest and highest active address.
[[nodiscard]] AddressSpan address_span(const std::uint64_t* address, std::uint32_t active);

// Bit i: some active lane lies in [base + i * unit, base + (i + 1) * unit), unit = 1 << shift. All of them must lie within 64 units.
[[nodiscard]] std::uint64_t occupied_units(const std::uint64_t* address, std::uint32_t active, std::uint64_t base, std::uint32_t shift);

// Most distinct words (of 1 << word_shift bytes) in any one of `banks` banks (a power of two).
[[nodiscard]] std::uint32_t busiest_bank(const std::uint64_t* address, std::uint32_t active, std::uint32_t word_shift, std::uint32_t banks);

struct Multiplicity {
    std::uint32_t distinct = 0;
    std::uint32_t most = 0; // lanes on the most wanted address
};
[[nodiscard]] Multiplicity multiplicity(const std::uint64_t* address, std::uint32_t active);

} // namespace apod::model

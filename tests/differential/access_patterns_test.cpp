// The rules of shared-memory wavefronts and bank conflicts against an H200's counters: a launch of bench/device/access_patterns.cu a row.
#include "model/counters/access.hpp"
#include "recording.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace apod::differential {
namespace {

TEST(AccessPatterns, SharedWavefrontsAndConflictsAreThoseOfAnH200) {
    const std::vector<Row> rows = read_recording("h200/shared_access_patterns.csv");
    ASSERT_EQ(rows.size(), 384u);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::array<std::uint64_t, emu::lanes> address{};
        std::stringstream offsets(rows[i].at("offsets"));
        for (std::uint64_t& a : address) offsets >> a;
        emu::MemoryEvent event;
        event.space = emu::MemorySpace::shared;
        event.kind = rows[i].at("operation") == "ld" ? emu::AccessKind::load : emu::AccessKind::store;
        event.bytes = static_cast<std::uint32_t>(number(rows[i], "bytes"));
        event.active = static_cast<std::uint32_t>(number(rows[i], "mask"));
        event.address = address.data();
        const model::SharedShape shape = model::shared_shape(event);
        EXPECT_EQ(shape.wavefronts, number(rows[i], "wavefronts")) << "row " << i << ": " << rows[i].at("offsets");
        EXPECT_EQ(shape.wavefronts - shape.ideal, number(rows[i], "conflicts")) << "row " << i << ": " << rows[i].at("offsets");
    }
}

} // namespace
} // namespace apod::differential

#include "transfer/host_version.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace apod::transfer {
namespace {

// The reference: one element after another, one multiplication after another.
std::vector<float> plain(const std::vector<float>& x, float factor, unsigned multiplications) {
    std::vector<float> y = x;
    for (float& value : y)
        for (unsigned i = 0; i < multiplications; ++i) {
            volatile float product = value * factor; // rounded to float after each
            value = product;
        }
    return y;
}

} // namespace

TEST(HostVersion, HasTheBitsOfOneMultiplicationAfterAnother) {
    for (const std::size_t count : {0U, 1U, 63U, 64U, 65U, 1000U, 4097U}) {
        std::vector<float> x(count);
        for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<float>(i % 1000 + 1) / 3;
        for (const unsigned multiplications : {1U, 7U, 64U}) {
            const std::vector<float> expected = plain(x, 1.0001F, multiplications);
            std::vector<float> one(count), all(count);
            scale_on_one_core(one, x, 1.0001F, multiplications);
            EXPECT_EQ(one, expected) << count;
            for (const unsigned threads : {1U, 2U, 3U, 16U}) {
                HostPool pool(threads);
                EXPECT_EQ(pool.threads(), threads);
                scale_on_all_cores(all, x, 1.0001F, multiplications, pool);
                EXPECT_EQ(all, expected) << count << " elements, " << threads << " threads";
                scale_on_all_cores(all, x, 1.0002F, multiplications, pool); // the pool works again
                EXPECT_EQ(all, plain(x, 1.0002F, multiplications));
            }
        }
    }
}

TEST(HostVersion, ThisProcessHasACoreOnANode) {
    EXPECT_GE(usable_cores(), 1U);
    EXPECT_FALSE(usable_nodes().empty());
}

} // namespace apod::transfer

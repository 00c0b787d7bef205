#include "ladder/host_buffer.hpp"

#include "base/file.hpp"
#include "ladder/npy.hpp"
#include "ladder/reference.hpp"

#include <gtest/gtest.h>

namespace apod::ladder {
namespace {

Expression number(Value value) { return Expression::constant(value, {"l.toml", 3, 1}); }

Buffer buffer_of(ElementType type, Fill fill, Value first = std::int64_t{0}, Value second = std::int64_t{1}) {
    Buffer buffer;
    buffer.name = "a";
    buffer.type = type;
    buffer.initial.fill = fill;
    buffer.initial.first = number(first);
    buffer.initial.second = number(second);
    return buffer;
}

HostBuffer filled(const Buffer& buffer, std::vector<std::uint64_t> shape) {
    HostBuffer host{"a", buffer.type, Role::in, std::move(shape), {}};
    const auto done = initialise(buffer, {}, {}, {}, host);
    EXPECT_TRUE(done.ok());
    return host;
}

std::string element(const HostBuffer& host, std::size_t index) {
    return element_as_text(host.type, host.bytes.data() + index * element_bytes(host.type));
}

TEST(HostBuffer, iota_counts_and_wraps_as_the_type_does) {
    EXPECT_EQ(element(filled(buffer_of(ElementType::u8, Fill::iota), {300}), 299), "43");
    EXPECT_EQ(element(filled(buffer_of(ElementType::f32, Fill::iota, 0.5, 0.25), {10}), 4), "1.5");
    EXPECT_EQ(element(filled(buffer_of(ElementType::s32, Fill::iota, std::int64_t{5}, std::int64_t{-2}), {2, 2}), 3), "-1");
}

TEST(HostBuffer, random_contents_depend_on_the_seed_only) {
    Buffer buffer = buffer_of(ElementType::f64, Fill::uniform, 2.0, 3.0);
    const auto first = filled(buffer, {1000});
    EXPECT_EQ(first.bytes, filled(buffer, {1000}).bytes);
    buffer.initial.seed = 2;
    EXPECT_NE(first.bytes, filled(buffer, {1000}).bytes);
    // Known numbers: the data of a ladder must not change with the compiler.
    EXPECT_EQ(element(first, 0), "2.566561575172281");
    double sum = 0;
    for (std::size_t i = 0; i < 1000; ++i) {
        const double value = element_as_real(ElementType::f64, first.bytes.data() + 8 * i);
        EXPECT_GE(value, 2.0);
        EXPECT_LT(value, 3.0);
        sum += value;
    }
    EXPECT_NEAR(sum / 1000, 2.5, 0.03);
}

TEST(HostBuffer, uniform_integers_reach_both_ends) {
    const auto host = filled(buffer_of(ElementType::s32, Fill::uniform, std::int64_t{-1}, std::int64_t{1}), {1000});
    int counts[3] = {};
    for (std::size_t i = 0; i < 1000; ++i) ++counts[static_cast<int>(element_as_real(ElementType::s32, host.bytes.data() + 4 * i)) + 1];
    for (const int count : counts) EXPECT_NEAR(count, 333, 60);
}

TEST(HostBuffer, normal_numbers_have_their_mean_and_deviation) {
    const auto host = filled(buffer_of(ElementType::f64, Fill::normal, 10.0, 2.0), {10001});
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < 10001; ++i) {
        const double value = element_as_real(ElementType::f64, host.bytes.data() + 8 * i);
        sum += value;
        squares += (value - 10) * (value - 10);
    }
    EXPECT_NEAR(sum / 10001, 10, 0.1);
    EXPECT_NEAR(squares / 10001, 4, 0.2);
}

TEST(HostBuffer, files_must_have_the_type_and_the_shape) {
    const TempDirectory directory = std::move(TempDirectory::make().value());
    const Array array{ElementType::f32, {2, 3}, std::vector<std::byte>(24, std::byte{1})};
    ASSERT_TRUE(write_file(directory.path() / "a.npy", to_npy(array).value()).ok());
    Buffer buffer = buffer_of(ElementType::f32, Fill::file);
    buffer.initial.path = "a.npy";
    HostBuffer host{"a", ElementType::f32, Role::in, {2, 3}, {}};
    ASSERT_TRUE(initialise(buffer, {}, {}, {"l.toml", directory.path(), {}}, host).ok());
    EXPECT_EQ(host.bytes, array.bytes);
    host.shape = {3, 2};
    const auto wrong = initialise(buffer, {}, {}, {"l.toml", directory.path(), {}}, host);
    ASSERT_FALSE(wrong.ok());
    EXPECT_NE(wrong.error().message.find("holds f32 2 x 3, and the buffer 'a' is f32 3 x 2"), std::string::npos);
}

TEST(HostBuffer, shapes_beyond_any_memory_are_refused) {
    Buffer buffer = buffer_of(ElementType::f64, Fill::zeros);
    buffer.shape = {number(std::int64_t{1} << 40), number(std::int64_t{1} << 40)};
    EXPECT_FALSE(evaluate_shape(buffer, {}).ok());
    buffer.shape = {number(std::int64_t{0})};
    EXPECT_FALSE(evaluate_shape(buffer, {}).ok());
}

TEST(Reference, transpose_turns_every_width_of_element) {
    for (const ElementType type : {ElementType::u8, ElementType::f16, ElementType::f32, ElementType::f64}) {
        std::vector<HostBuffer> buffers = {filled(buffer_of(type, Fill::iota), {3, 40}), {"out", type, Role::out, {40, 3}, {}}};
        ASSERT_TRUE(transpose_reference(buffers, {}).ok());
        EXPECT_EQ(element(buffers[1], 7 * 3 + 2), element(buffers[0], 2 * 40 + 7));
    }
}

TEST(Reference, transpose_refuses_what_does_not_suit_it) {
    std::vector<HostBuffer> buffers = {{"in", ElementType::f32, Role::in, {3, 4}, {}}, {"out", ElementType::f32, Role::out, {3, 4}, {}}};
    EXPECT_FALSE(transpose_reference(buffers, {}).ok());
    buffers.pop_back();
    EXPECT_FALSE(transpose_reference(buffers, {}).ok());
}

} // namespace
} // namespace apod::ladder

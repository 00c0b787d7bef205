// The transpose on a device, here the emulated one, against the obvious loop: whatever is not of the output must be as it was.
#include "apod/transpose.hpp"
#include "runtime/cuda/types.hpp"
#include "workloads/transpose/library/testing.hpp"

#include <gtest/gtest.h>

extern "C" {
int cuInit(unsigned);
int cuDeviceGetCount(int*);
int cuDevicePrimaryCtxRetain(void**, int);
int cuCtxGetCurrent(void**);
int cuCtxSetCurrent(void*);
int cuCtxSynchronize();
int cuMemAlloc_v2(std::uint64_t*, std::size_t);
int cuMemFree_v2(std::uint64_t);
int cuMemcpyHtoD_v2(std::uint64_t, const void*, std::size_t);
int cuMemcpyDtoH_v2(void*, std::uint64_t, std::size_t);
int cuStreamCreate(void**, unsigned);
int cuStreamDestroy_v2(void*);
int cuStreamSynchronize(void*);
int cuMemAddressReserve(std::uint64_t*, std::size_t, std::size_t, std::uint64_t, unsigned long long);
int cuMemCreate(unsigned long long*, std::size_t, const apod::runtime::cuda::AllocationProperties*, unsigned long long);
int cuMemMap(std::uint64_t, std::size_t, std::size_t, unsigned long long, unsigned long long);
int cuMemSetAccess(std::uint64_t, std::size_t, const apod::runtime::cuda::MemoryAccess*, std::size_t);
}

namespace apod::transposing {

namespace {

void* device_pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

class OnDevice {
public:
    explicit OnDevice(const std::vector<std::byte>& from) : bytes_(from.size()) {
        EXPECT_EQ(cuMemAlloc_v2(&address_, std::max<std::size_t>(bytes_, 1)), 0);
        if (bytes_ == 0) return;
        EXPECT_EQ(cuMemcpyHtoD_v2(address_, from.data(), bytes_), 0);
    }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;
    ~OnDevice() { cuMemFree_v2(address_); }
    [[nodiscard]] void* at(std::size_t byte) const { return device_pointer(address_ + byte); }
    [[nodiscard]] std::vector<std::byte> read() const {
        std::vector<std::byte> to(bytes_);
        EXPECT_EQ(bytes_ == 0 ? 0 : cuMemcpyDtoH_v2(to.data(), address_, bytes_), 0);
        return to;
    }

private:
    std::size_t bytes_;
    std::uint64_t address_ = 0;
};

class TransposeOnGpu : public testing::Test {
protected:
    void SetUp() override {
        void* context = nullptr;
        ASSERT_EQ(cuInit(0), 0);
        ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), 0);
        ASSERT_EQ(cuCtxSetCurrent(context), 0);
    }

    static void expect_right(const Transpose& what, std::size_t in_first = 0, std::size_t out_first = 0, void* stream = nullptr) {
        const Matrices host(what, in_first, out_first);
        const OnDevice in(host.in);
        const OnDevice out(host.out);
        const TransposeStatus status = transpose(out.at(out_first), in.at(in_first), what, stream);
        ASSERT_TRUE(status.ok()) << status.message() << "\n" << describe(what);
        ASSERT_EQ(cuStreamSynchronize(stream), 0) << describe(what);
        ASSERT_TRUE(out.read() == host.expected()) << describe(what);
        ASSERT_TRUE(in.read() == host.in) << describe(what);
    }

    static void expect_right_in_place(const Transpose& what, std::size_t first = 0) {
        Matrices host(what, first, first);
        host.out = host.in;
        const OnDevice matrix(host.in);
        const TransposeStatus status = transpose(matrix.at(first), matrix.at(first), what);
        ASSERT_TRUE(status.ok()) << status.message() << "\n" << describe(what);
        ASSERT_TRUE(matrix.read() == host.expected()) << describe(what);
    }
};

} // namespace

TEST_F(TransposeOnGpu, EverySizeAndShape) {
    for (const int bytes : element_sizes) {
        for (const auto& [rows, columns] : shapes) expect_right({.rows = rows, .columns = columns, .element_bytes = bytes});
    }
}

TEST_F(TransposeOnGpu, Pitches) {
    for (const int bytes : element_sizes) {
        for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{33, 70}, {130, 67}, {5, 200}, {259, 130}}) {
            for (const std::int64_t gap : {std::int64_t{1}, std::int64_t{2}, 16 - columns % 16}) {
                expect_right({.rows = rows, .columns = columns, .element_bytes = bytes, .in_pitch = columns + gap});
                expect_right({.rows = rows, .columns = columns, .element_bytes = bytes, .out_pitch = rows + gap});
            }
            const std::int64_t in_pitch = (columns + 15) / 16 * 16;
            const std::int64_t out_pitch = (rows + 15) / 16 * 16; // rows at multiples of 16 bytes, sizes not
            expect_right({.rows = rows, .columns = columns, .element_bytes = bytes, .in_pitch = in_pitch, .out_pitch = out_pitch});
        }
    }
}

// Whose tiles are larger: two of them each way at least.
TEST_F(TransposeOnGpu, LargeMatrices) {
    for (const int bytes : element_sizes) {
        const std::int64_t columns = 300;
        for (const std::int64_t odd : {0, 1}) {
            const std::int64_t rows = 9'100'000 / columns / bytes / 16 * 16 + odd; // more bytes than those of small ones
            expect_right({.rows = rows, .columns = columns + 4 * odd - odd, .element_bytes = bytes, .in_pitch = columns + 4});
        }
    }
}

// Rows that begin anywhere, of matrices that are not small: strips of 1 and 2 bytes, narrow ones too, and lines.
TEST_F(TransposeOnGpu, LargeMatricesWhoseRowsBeginAnywhere) {
    for (const int bytes : {1, 2, 4}) {
        const std::int64_t many = 9'100'000 / bytes;
        const auto first = static_cast<std::size_t>(3 * bytes);
        expect_right({.rows = many / 607, .columns = 607, .element_bytes = bytes}, first, 0);
        expect_right({.rows = 499, .columns = many / 499, .element_bytes = bytes}, 0, first);
        const std::int64_t rows = many / 3 / 1021;
        expect_right({.rows = rows, .columns = 1021, .element_bytes = bytes, .in_pitch = 1024, .out_pitch = rows + 3, .batches = 3});
        expect_right({.rows = rows, .columns = 1021, .element_bytes = bytes, .in_pitch = 1023, .out_pitch = rows + 5, .batches = 3}, 0,
                     first);
        expect_right({.rows = many / 33, .columns = 33, .element_bytes = bytes, .in_pitch = 35}, first, first);
    }
}

TEST_F(TransposeOnGpu, FewColumnsOrRows) {
    for (const int bytes : element_sizes) {
        for (const std::int64_t few : {2, 3, 4, 7, 16}) {
            const std::int64_t many = 2 * 16384 / few / bytes + 77; // three blocks
            const auto first = static_cast<std::size_t>(3 * bytes);
            expect_right({.rows = many, .columns = few, .element_bytes = bytes}, first, 0);
            expect_right({.rows = many, .columns = few, .element_bytes = bytes, .out_pitch = many + 5, .batches = 2}, 0, first);
            expect_right({.rows = few, .columns = many, .element_bytes = bytes}, 0, first);
            expect_right({.rows = few, .columns = many, .element_bytes = bytes, .in_pitch = many + 3, .batches = 2}, first, 0);
        }
        for (const std::int64_t columns : {17, 31, 32, 33, 60, 61})
            expect_right({.rows = 1111, .columns = columns, .element_bytes = bytes});
        expect_right({.rows = 300, .columns = 1, .element_bytes = bytes, .in_pitch = 1, .out_pitch = 300, .batches = 2});
        expect_right({.rows = 256, .columns = 16, .element_bytes = bytes});
        expect_right({.rows = 16, .columns = 257, .element_bytes = bytes});
    }
}

TEST_F(TransposeOnGpu, MatricesThatBeginAnywhere) {
    for (const int bytes : element_sizes) {
        for (const int in_first : {0, 1, 3, 7}) {
            for (const int out_first : {0, 1, 2, 13}) {
                const Transpose what{.rows = 144, .columns = 160, .element_bytes = bytes};
                expect_right(what, static_cast<std::size_t>(in_first * bytes), static_cast<std::size_t>(out_first * bytes));
            }
        }
    }
}

TEST_F(TransposeOnGpu, Batches) {
    for (const int bytes : element_sizes) {
        expect_right({.rows = 20, .columns = 35, .element_bytes = bytes, .batches = 5});
        expect_right({.rows = 64, .columns = 32, .element_bytes = bytes, .batches = 3, .in_stride = 64 * 32 + 7});
        expect_right({.rows = 64, .columns = 32, .element_bytes = bytes, .batches = 3, .out_stride = 64 * 32 + 16});
        expect_right({.rows = 1, .columns = 9, .element_bytes = bytes, .batches = 4, .in_stride = 11});
        expect_right({.rows = 9, .columns = 1, .element_bytes = bytes, .in_pitch = 2, .batches = 4});
        // The same row for all, and outputs from the last to the first.
        const auto back = static_cast<std::size_t>(3 * 40 * bytes);
        expect_right({.rows = 5, .columns = 8, .element_bytes = bytes, .batches = 4, .in_stride = 40, .out_stride = -40}, 0, back);
        expect_right({.rows = 1, .columns = 8, .element_bytes = bytes, .batches = 4, .in_stride = 2, .out_stride = -40}, 0, back);
    }
}

TEST_F(TransposeOnGpu, MoreMatricesThanAGridHasLayers) { expect_right({.rows = 4, .columns = 4, .element_bytes = 4, .batches = 65538}); }

TEST_F(TransposeOnGpu, InPlace) {
    for (const int bytes : element_sizes) {
        for (const std::int64_t n : {1, 16, 31, 65, 128, 193}) {
            expect_right_in_place({.rows = n, .columns = n, .element_bytes = bytes});
            const std::int64_t pitch = n / 16 * 16 + 32;
            expect_right_in_place({.rows = n, .columns = n, .element_bytes = bytes, .in_pitch = pitch, .out_pitch = pitch, .batches = 2});
        }
        expect_right_in_place({.rows = 70, .columns = 70, .element_bytes = bytes, .batches = 2, .in_stride = 5000, .out_stride = 5000},
                              static_cast<std::size_t>(3 * bytes));
    }
}

// Whole tiles, and last ones of almost none, some and almost all rows.
TEST_F(TransposeOnGpu, InPlaceOfLargeMatricesWhoseRowsBeginAnywhere) {
    for (const int bytes : {1, 2}) {
        const auto first = static_cast<std::size_t>(5 * bytes);
        expect_right_in_place({.rows = 3001, .columns = 3001, .element_bytes = bytes}, first);
        expect_right_in_place({.rows = 3025, .columns = 3025, .element_bytes = bytes, .in_pitch = 3027, .out_pitch = 3027});
        expect_right_in_place({.rows = 3023, .columns = 3023, .element_bytes = bytes, .in_pitch = 3024, .out_pitch = 3024}, first);
    }
}

TEST_F(TransposeOnGpu, SideBySideInOneMatrix) {
    const Transpose what{.rows = 48, .columns = 48, .in_pitch = 96, .out_pitch = 96};
    const Matrices host(what, 0, 0);
    const OnDevice both(std::vector<std::byte>(48 * 96 * 4));
    ASSERT_EQ(cuMemcpyHtoD_v2(reinterpret_cast<std::uint64_t>(both.at(0)), host.in.data(), host.in.size()), 0);
    ASSERT_TRUE(transpose(both.at(48 * 4), both.at(0), what).ok());
    const std::vector<std::byte> after = both.read();
    const std::vector<std::byte> right = host.expected();
    for (std::size_t row = 0; row < 48; ++row) {
        EXPECT_EQ(std::memcmp(after.data() + row * 384, host.in.data() + row * 384, 192), 0);
        EXPECT_EQ(std::memcmp(after.data() + row * 384 + 192, right.data() + row * 384, 192), 0);
    }
}

TEST_F(TransposeOnGpu, NothingIsDoneForNothing) {
    EXPECT_TRUE(transpose(nullptr, nullptr, {.rows = 0, .columns = 7}).ok());
    EXPECT_TRUE(transpose(nullptr, nullptr, {.rows = 7, .columns = 7, .batches = 0}).ok());
}

TEST_F(TransposeOnGpu, MistakesAreSaidInWords) {
    const OnDevice memory(std::vector<std::byte>(4096));
    EXPECT_EQ(transpose(memory.at(2), memory.at(2048), {.rows = 4, .columns = 4}).message(),
              "transpose: out is not at a multiple of 4 bytes, the size of its elements; GPUs need that (smaller element_bytes may do)");
    EXPECT_EQ(transpose(memory.at(0), memory.at(2056), {.rows = 4, .columns = 4, .element_bytes = 16}).message().substr(0, 49),
              "transpose: in is not at a multiple of 16 bytes, t");
    EXPECT_EQ(transpose(memory.at(0), memory.at(0), {.rows = 4, .columns = 5}).message().substr(0, 31), "transpose: in place (out == in)");
}

TEST_F(TransposeOnGpu, OnStreams) {
    void* stream = nullptr;
    ASSERT_EQ(cuStreamCreate(&stream, 1), 0);
    expect_right({.rows = 100, .columns = 37, .element_bytes = 8}, 0, 0, stream);
    expect_right({.rows = 1, .columns = 37, .element_bytes = 8}, 0, 0, stream);
    EXPECT_EQ(cuStreamDestroy_v2(stream), 0);
}

TEST_F(TransposeOnGpu, WithoutAContextTheMemorysIsTaken) {
    const Transpose what{.rows = 31, .columns = 20, .element_bytes = 2};
    const Matrices host(what, 0, 0);
    const OnDevice in(host.in);
    const OnDevice out(host.out);
    void* mine = nullptr;
    ASSERT_EQ(cuCtxGetCurrent(&mine), 0);
    ASSERT_EQ(cuCtxSetCurrent(nullptr), 0);
    const TransposeStatus status = transpose(out.at(0), in.at(0), what);
    void* after = mine;
    ASSERT_EQ(cuCtxGetCurrent(&after), 0);
    ASSERT_EQ(cuCtxSetCurrent(mine), 0);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(after, nullptr);
    EXPECT_TRUE(out.read() == host.expected());
}

TEST_F(TransposeOnGpu, TheStreamsDeviceIsTheOneThatWorks) {
    int devices = 0;
    ASSERT_EQ(cuDeviceGetCount(&devices), 0);
    if (devices < 2) GTEST_SKIP() << "one device here";
    void* first = nullptr;
    void* second = nullptr;
    ASSERT_EQ(cuDevicePrimaryCtxRetain(&first, 0), 0);
    ASSERT_EQ(cuDevicePrimaryCtxRetain(&second, 1), 0);
    ASSERT_EQ(cuCtxSetCurrent(second), 0);
    void* stream = nullptr;
    ASSERT_EQ(cuStreamCreate(&stream, 0), 0);
    const Transpose what{.rows = 31, .columns = 20, .element_bytes = 4};
    const Matrices host(what, 0, 0);
    const OnDevice in(host.in);
    const OnDevice out(host.out);
    ASSERT_EQ(cuCtxSetCurrent(first), 0);
    const TransposeStatus status = transpose(out.at(0), in.at(0), what, stream);
    EXPECT_TRUE(status.ok()) << status.message();
    ASSERT_EQ(cuStreamSynchronize(stream), 0);
    ASSERT_EQ(cuCtxSetCurrent(second), 0);
    EXPECT_TRUE(out.read() == host.expected());
    expect_right(what); // and the second device's default stream
}

// Rows and matrices that lie gigabytes apart, of which only pieces have memory.
class FarApart {
public:
    FarApart(std::size_t pieces, std::size_t distance) : distance_(distance) {
        runtime::cuda::AllocationProperties wanted{};
        wanted.type = 1;
        wanted.place = {1, 0};
        const runtime::cuda::MemoryAccess access{{1, 0}, 3};
        EXPECT_EQ(cuMemAddressReserve(&first_, pieces * distance, 0, 0, 0), 0);
        for (std::size_t i = 0; i < pieces; ++i) {
            unsigned long long handle = 0;
            EXPECT_EQ(cuMemCreate(&handle, unit, &wanted, 0), 0);
            EXPECT_EQ(cuMemMap(piece(i), unit, 0, handle, 0), 0);
            EXPECT_EQ(cuMemSetAccess(piece(i), unit, &access, 1), 0);
        }
    }
    [[nodiscard]] std::uint64_t piece(std::size_t i) const { return first_ + i * distance_; }

private:
    static constexpr std::size_t unit = 2 << 20;
    std::size_t distance_;
    std::uint64_t first_ = 0;
};

TEST_F(TransposeOnGpu, OffsetsAre64Bit) {
    for (const int bytes : {1, 4, 16}) {
        for (const std::int64_t odd : {0, 1}) { // cells and lines
            const std::size_t element = static_cast<std::size_t>(bytes);
            const std::int64_t pitch = (std::int64_t{5} << 30) + odd;
            const std::int64_t stride = 3 * pitch;
            const std::int64_t rows = 3;
            const std::int64_t columns = 40;
            const FarApart memory(6, static_cast<std::size_t>(pitch) * element / (2 << 20) * (2 << 20));
            // Piece i begins at a multiple of a page at or before i * pitch.
            const auto at = [&](std::int64_t batch, std::int64_t row) {
                return memory.piece(0) + static_cast<std::uint64_t>(batch * stride + row * pitch) * element;
            };
            const Matrices host({.rows = rows * 2, .columns = columns, .element_bytes = bytes}, 0, 0);
            const OnDevice packed(host.out);
            for (std::int64_t row = 0; row < 2 * rows; ++row) {
                const std::byte* from = host.in.data() + static_cast<std::size_t>(row * columns) * element;
                ASSERT_EQ(cuMemcpyHtoD_v2(at(row / rows, row % rows), from, static_cast<std::size_t>(columns) * element), 0);
            }
            // Two batches of three far rows become forty rows of twice three, and the other way round into far rows again.
            const Transpose gather{.rows = rows,
                                   .columns = columns,
                                   .element_bytes = bytes,
                                   .in_pitch = pitch,
                                   .out_pitch = 2 * rows,
                                   .batches = 2,
                                   .in_stride = stride,
                                   .out_stride = rows};
            ASSERT_EQ(transpose(packed.at(0), device_pointer(at(0, 0)), gather).message(), "");
            ASSERT_TRUE(packed.read() == host.expected()) << describe(gather);
            const Transpose scatter{.rows = columns,
                                    .columns = rows,
                                    .element_bytes = bytes,
                                    .in_pitch = 2 * rows,
                                    .out_pitch = pitch,
                                    .batches = 2,
                                    .in_stride = rows,
                                    .out_stride = stride};
            const OnDevice again(host.expected());
            const std::vector<std::byte> zeros(static_cast<std::size_t>(columns) * element);
            for (std::int64_t row = 0; row < 2 * rows; ++row)
                ASSERT_EQ(cuMemcpyHtoD_v2(at(row / rows, row % rows), zeros.data(), zeros.size()), 0);
            ASSERT_EQ(transpose(device_pointer(at(0, 0)), again.at(0), scatter).message(), "");
            for (std::int64_t row = 0; row < 2 * rows; ++row) {
                std::vector<std::byte> got(zeros.size());
                ASSERT_EQ(cuMemcpyDtoH_v2(got.data(), at(row / rows, row % rows), got.size()), 0);
                ASSERT_EQ(std::memcmp(got.data(), host.in.data() + static_cast<std::size_t>(row * columns) * element, got.size()), 0);
            }
        }
    }
}

} // namespace apod::transposing

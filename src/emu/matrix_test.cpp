#include "emu/matrix_shape.hpp"
#include "emu/testing/run_kernel.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace apod::emu {
namespace {

using namespace testing;
using Words = std::vector<std::uint32_t>;

// The layouts as the PTX manual tabulates them, for some lanes of some shapes.
TEST(MatrixShape, FragmentsLieWhereTheManualSays) {
    const Fragment a{MatrixPart::a, MatrixType::f16, {16, 8, 16}, 4};
    EXPECT_EQ(a.needed(), 4u);
    const auto at = [&](std::uint32_t lane, std::uint32_t i) { return element_place(a, lane, i / 2, i % 2); };
    // a2: row groupID + 8, column 2 * threadID; a5: row groupID, column 2 * threadID + 1 + 8.
    EXPECT_EQ(at(5, 2).row, 9u);
    EXPECT_EQ(at(5, 2).column, 2u);
    EXPECT_EQ(at(5, 5).row, 1u);
    EXPECT_EQ(at(5, 5).column, 11u);
    const Fragment b{MatrixPart::b, MatrixType::s8, {16, 8, 32}, 2};
    EXPECT_EQ(element_place(b, 6, 1, 3).row, 2u * 4 + 3 + 16); // b7
    EXPECT_EQ(element_place(b, 6, 1, 3).column, 1u);
    const Fragment c{MatrixPart::c, MatrixType::f32, {16, 8, 16}, 4};
    EXPECT_EQ(element_place(c, 31, 3, 0).row, 15u);
    EXPECT_EQ(element_place(c, 31, 3, 0).column, 7u);
}

TEST(MatrixShape, EveryElementOfEveryShapeHasExactlyOnePlace) {
    const MatrixShape shapes[] = {{16, 8, 8}, {16, 8, 16}, {8, 8, 4}, {16, 16, 16}, {32, 8, 16}, {8, 32, 16}, {16, 8, 32}};
    for (const MatrixShape& shape : shapes)
        for (const MatrixPart part : {MatrixPart::a, MatrixPart::b, MatrixPart::c})
            for (const MatrixType type : {MatrixType::f16, MatrixType::f32, MatrixType::u8, MatrixType::f64}) {
                const Fragment fragment{part, type, shape, 0};
                if (part != MatrixPart::c && shape.k % (4 * fragment.per_register()) != 0) continue;
                if (part == MatrixPart::c && type == MatrixType::u8) continue;
                std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
                for (std::uint32_t lane = 0; lane < 32; ++lane)
                    for (std::uint32_t reg = 0; reg < fragment.needed(); ++reg)
                        for (std::uint32_t sub = 0; sub < fragment.per_register(); ++sub) {
                            const ElementPlace place = element_place(fragment, lane, reg, sub);
                            EXPECT_LT(place.row, fragment.rows());
                            EXPECT_LT(place.column, fragment.columns());
                            seen.insert({place.row, place.column});
                        }
                EXPECT_EQ(seen.size(), fragment.rows() * fragment.columns())
                    << shape.m << " " << shape.n << " " << shape.k << " part " << int(part);
            }
}

// D = A * B + C with A(i,k) = i + k, B(k,j) = k - j (mod small), integers that f16, bf16 and tf32 hold exactly.
TEST(Matrix, ATf32ProductThroughWmmaIsRight) {
    Words b(16 * 8 + 8 * 16);
    const auto a_of = [](int i, int k) { return static_cast<float>(i - 2 * k); };
    const auto b_of = [](int k, int j) { return static_cast<float>(k + 3 * j); };
    for (int i = 0; i < 16; ++i)
        for (int k = 0; k < 8; ++k) b[i * 8 + k] = std::bit_cast<std::uint32_t>(a_of(i, k));
    for (int k = 0; k < 8; ++k)
        for (int j = 0; j < 16; ++j) b[128 + k * 16 + j] = std::bit_cast<std::uint32_t>(b_of(k, j));
    const Outcome got = run_body(
        "add.s64 %rd3, %rd2, 512;\nwmma.load.a.sync.aligned.row.m16n16k8.global.tf32 {%r10, %r11, %r12, %r13}, [%rd2], 8;\n"
        "wmma.load.b.sync.aligned.row.m16n16k8.global.tf32 {%r20, %r21, %r22, %r23}, [%rd3], 16;\nmov.f32 %f1, 0f3F800000;\n"
        "wmma.mma.sync.aligned.row.row.m16n16k8.f32.tf32.tf32.f32 {%f10, %f11, %f12, %f13, %f14, %f15, %f16, %f17}, {%r10, %r11, %r12, "
        "%r13}, {%r20, %r21, %r22, %r23}, {%f1, %f1, %f1, %f1, %f1, %f1, %f1, %f1};\n"
        "wmma.store.d.sync.aligned.row.m16n16k8.global.f32 [%rd1], {%f10, %f11, %f12, %f13, %f14, %f15, %f16, %f17}, 16;\n",
        Words(256), b, 0);
    ASSERT_EQ(got.error, "");
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j) {
            float want = 1;
            for (int k = 0; k < 8; ++k) want += a_of(i, k) * b_of(k, j);
            EXPECT_EQ(std::bit_cast<float>(got.a[i * 16 + j]), want) << i << "," << j;
        }
}

TEST(Matrix, AnInt8ProductThroughMmaIsRight) {
    // One register each is built from lane numbers; D is stored by its documented layout.
    const Outcome got = run_body("mul.lo.u32 %r10, %r2, 16843009;\nadd.u32 %r11, %r10, 65793;\nmov.u32 %r12, 0;\n"
                                 "mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%r20, %r21}, {%r10}, {%r11}, {%r12, %r12};\n"
                                 "mul.wide.u32 %rd10, %r2, 8;\nadd.s64 %rd11, %rd1, %rd10;\nst.global.v2.u32 [%rd11], {%r20, %r21};\n",
                                 Words(64), {}, 0);
    ASSERT_EQ(got.error, "");
    std::uint32_t a[8][16];
    std::uint32_t b[16][8];
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        for (std::uint32_t i = 0; i < 4; ++i) {
            a[lane / 4][lane % 4 * 4 + i] = (lane * 16843009u) >> (8 * i) & 0xff;
            b[lane % 4 * 4 + i][lane / 4] = (lane * 16843009u + 65793u) >> (8 * i) & 0xff;
        }
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        for (std::uint32_t i = 0; i < 2; ++i) {
            std::uint32_t want = 0;
            for (std::uint32_t k = 0; k < 16; ++k) want += a[lane / 4][k] * b[k][lane % 4 * 2 + i];
            EXPECT_EQ(got.a[lane * 2 + i], want) << lane;
        }
}

TEST(Matrix, LdmatrixGivesEachLaneItsPairAndTransposes) {
    const std::string text =
        ".shared .align 16 .b8 s[128];\nmov.u32 %r20, s;\nmul.lo.u32 %r21, %r2, 4;\nadd.s32 %r22, %r20, %r21;\nshl.b32 %r23, %r2, 17;\n"
        "shl.b32 %r24, %r2, 1;\nor.b32 %r23, %r23, %r24;\nor.b32 %r23, %r23, 65536;\nst.shared.u32 [%r22], %r23;\nbar.sync 0;\n"
        "and.b32 %r25, %r2, 7;\nshl.b32 %r25, %r25, 4;\nadd.s32 %r26, %r20, %r25;\n";
    const Outcome plain = run_body(text + "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r10}, [%r26];\n" + store_r10, Words(32), {}, 0);
    const Outcome turned =
        run_body(text + "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r10}, [%r26];\n" + store_r10, Words(32), {}, 0);
    const Outcome moved = run_body(
        text + "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r11}, [%r26];\nmovmatrix.sync.aligned.m8n8.trans.b16 %r10, %r11;\n" + store_r10,
        Words(32), {}, 0);
    ASSERT_EQ(plain.error + turned.error + moved.error, "");
    // Element (r, c) of the matrix is 8 r + c.
    for (std::uint32_t l = 0; l < 32; ++l) {
        EXPECT_EQ(plain.a[l], (l / 4 * 8 + 2 * (l % 4)) | (l / 4 * 8 + 2 * (l % 4) + 1) << 16);
        EXPECT_EQ(turned.a[l], (2 * (l % 4) * 8 + l / 4) | ((2 * (l % 4) + 1) * 8 + l / 4) << 16);
    }
    EXPECT_EQ(turned.a, moved.a);
}

} // namespace
} // namespace apod::emu

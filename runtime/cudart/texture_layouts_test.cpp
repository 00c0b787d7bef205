// The layouts of texture_types.hpp against the toolkit's headers.
#include "runtime/cudart/texture_types.hpp"

#include <driver_types.h>
#include <texture_types.h>

#include <gtest/gtest.h>

namespace apod::runtime::cudart {
namespace {

TEST(TextureLayouts, DescriptorsLieAsInCudasHeaders) {
    static_assert(sizeof(ChannelDescriptor) == sizeof(cudaChannelFormatDesc));
    static_assert(offsetof(ChannelDescriptor, kind) == offsetof(cudaChannelFormatDesc, f));
    static_assert(sizeof(ResourceDescriptor) <= sizeof(cudaResourceDesc));
    static_assert(offsetof(ResourceDescriptor, array) == offsetof(cudaResourceDesc, res.array.array));
    static_assert(offsetof(ResourceDescriptor, array) == offsetof(cudaResourceDesc, res.mipmap.mipmap));
    static_assert(offsetof(ResourceDescriptor, linear.format) == offsetof(cudaResourceDesc, res.linear.desc));
    static_assert(offsetof(ResourceDescriptor, linear.bytes) == offsetof(cudaResourceDesc, res.linear.sizeInBytes));
    static_assert(offsetof(ResourceDescriptor, pitched.width) == offsetof(cudaResourceDesc, res.pitch2D.width));
    static_assert(offsetof(ResourceDescriptor, pitched.pitch) == offsetof(cudaResourceDesc, res.pitch2D.pitchInBytes));
    static_assert(sizeof(TextureDescriptor) == sizeof(cudaTextureDesc));
    static_assert(offsetof(TextureDescriptor, border) == offsetof(cudaTextureDesc, borderColor));
    static_assert(offsetof(TextureDescriptor, normalised_coordinates) == offsetof(cudaTextureDesc, normalizedCoords));
    static_assert(offsetof(TextureDescriptor, level_bias) == offsetof(cudaTextureDesc, mipmapLevelBias));
    static_assert(offsetof(TextureDescriptor, seamless) == offsetof(cudaTextureDesc, seamlessCubemap));
    static_assert(offsetof(ViewDescriptor, depth) == offsetof(cudaResourceViewDesc, depth));
    static_assert(offsetof(ViewDescriptor, last_layer) == offsetof(cudaResourceViewDesc, lastLayer));
    static_assert(array_layered == cudaArrayLayered && array_surface == cudaArraySurfaceLoadStore);
    static_assert(array_cubemap == cudaArrayCubemap && array_gather == cudaArrayTextureGather);
    EXPECT_EQ(cudaResViewFormatUnsignedChar1, 1);
    EXPECT_EQ(cudaResViewFormatFloat4, 24);
    EXPECT_EQ(cudaChannelFormatKindUnsignedNormalized8X1, 5);
    EXPECT_EQ(cudaChannelFormatKindSignedNormalized16X4, 16);
}

TEST(TextureLayouts, EveryChannelFormatIsReadAndWrittenBack) {
    int known = 0;
    for (const int bits : {8, 16, 32})
        for (const int channels : {1, 2, 3, 4})
            for (int kind = 0; kind < 17; ++kind) {
                const ChannelDescriptor descriptor{bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0, kind};
                const auto format = array_format(descriptor);
                if (!format) continue;
                ++known;
                const ChannelDescriptor back = channel_descriptor(*format);
                EXPECT_EQ(back.x, descriptor.x);
                EXPECT_EQ(back.y, descriptor.y);
                EXPECT_EQ(back.w, descriptor.w);
                EXPECT_EQ(back.kind, kind);
            }
    EXPECT_EQ(known, 8 * 3 + 12);
}

} // namespace
} // namespace apod::runtime::cudart

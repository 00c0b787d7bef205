// What an H200 answers to texture and surface fetches, recorded once (tests/replay/h200/textures.csv) and asked of the emulated GPU ever
// since. `texture_answers` compares; `texture_answers record` prints the lines of the record instead. A line: what was fetched, then each
// place's result as the bits of its floats or integers, or, where no filter weighs, a hash of them all. `texture_answers words` prints the
// bits always.
#include "check.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

constexpr int places = 96;
constexpr int width = 7, height = 5, depth = 3;

struct Place {
    float x, y, z, level;
};

enum class Fetch { one, two, three, one_layered, two_layered, cube, cube_layered, mipmap, gather, linear };

__device__ void keep(std::uint32_t* out, float v) { out[0] = __float_as_uint(v); }
__device__ void keep(std::uint32_t* out, float4 v) {
    out[0] = __float_as_uint(v.x), out[1] = __float_as_uint(v.y), out[2] = __float_as_uint(v.z), out[3] = __float_as_uint(v.w);
}
__device__ void keep(std::uint32_t* out, int v) { out[0] = v; }
__device__ void keep(std::uint32_t* out, int4 v) { out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w; }

template<class T> __global__ void fetch(cudaTextureObject_t t, Fetch how, const Place* at, std::uint32_t* out) {
    const int i = threadIdx.x;
    const Place p = at[i];
    std::uint32_t* const mine = out + 4 * i;
    switch (how) {
    case Fetch::one: keep(mine, tex1D<T>(t, p.x)); break;
    case Fetch::two: keep(mine, tex2D<T>(t, p.x, p.y)); break;
    case Fetch::three: keep(mine, tex3D<T>(t, p.x, p.y, p.z)); break;
    case Fetch::one_layered: keep(mine, tex1DLayered<T>(t, p.x, i % depth)); break;
    case Fetch::two_layered: keep(mine, tex2DLayered<T>(t, p.x, p.y, i % depth)); break;
    case Fetch::cube: keep(mine, texCubemap<T>(t, p.x, p.y, p.z)); break;
    case Fetch::cube_layered: keep(mine, texCubemapLayered<T>(t, p.x, p.y, p.z, i & 1)); break;
    case Fetch::mipmap: keep(mine, tex2DLod<T>(t, p.x, p.y, p.level)); break;
    case Fetch::linear: keep(mine, tex1Dfetch<T>(t, static_cast<int>(p.x))); break;
    case Fetch::gather: break;
    }
}
template<class T4> __global__ void gather(cudaTextureObject_t t, int component, const Place* at, std::uint32_t* out) {
    const Place p = at[threadIdx.x];
    std::uint32_t* const mine = out + 4 * threadIdx.x;
    switch (component) {
    case 0: keep(mine, tex2Dgather<T4>(t, p.x, p.y, 0)); break;
    case 1: keep(mine, tex2Dgather<T4>(t, p.x, p.y, 1)); break;
    case 2: keep(mine, tex2Dgather<T4>(t, p.x, p.y, 2)); break;
    default: keep(mine, tex2Dgather<T4>(t, p.x, p.y, 3)); break;
    }
}

// FNV-1a.
std::string hash_of(const std::string& text) {
    std::uint64_t state = 0xcbf29ce484222325ull;
    for (const char c : text) state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    char hash[20];
    std::snprintf(hash, sizeof(hash), "%016llx", static_cast<unsigned long long>(state));
    return hash;
}

struct Answers {
    bool recording = false;
    bool words_wanted = false;
    std::map<std::string, std::string> record;
    std::vector<std::string> wrong;
    int compared = 0;

    void add(const std::string& name, std::string words) {
        if (!words_wanted && name.find("linear") == std::string::npos) words = hash_of(words);
        if (recording) {
            std::printf("%s,%s\n", name.c_str(), words.c_str());
            return;
        }
        const auto found = record.find(name);
        if (found == record.end()) {
            wrong.push_back(name + ": not in the record");
        } else if (found->second != words) {
            int differ = 0;
            for (std::size_t i = 0; i + 8 <= words.size(); i += 9)
                differ += words.compare(i, 8, found->second, std::min(i, found->second.size()), 8) != 0;
            wrong.push_back(name + ": " + std::to_string(differ) + " words differ");
        }
        ++compared;
    }
};

std::uint32_t next(std::uint32_t& state) { return state = state * 1664525u + 1013904223u; }

// Places in and around the texture, on the borders between texels and between the steps of a filter's weights.
std::vector<Place> places_for(bool normalised, bool cube, std::uint32_t seed) {
    std::vector<Place> at(places);
    std::uint32_t state = seed;
    const auto one = [&](int size, int i) {
        const float steps = static_cast<float>(next(state) >> 8) / (1 << 24);
        const float x = i % 4 == 0 ? std::floor(steps * 3 * size) * 0.5f - 0.5f * size : steps * 3 * size - size;
        const float fine = i % 4 == 1 ? std::floor(x * 512) / 512 : x;
        return normalised ? fine / static_cast<float>(size) : fine;
    };
    for (int i = 0; i < places; ++i) {
        at[i] = {one(width, i), one(height, i), one(depth, i), static_cast<float>(next(state) >> 22) / 256 - 0.5f};
        if (!cube) continue;
        at[i].x = at[i].x * 2 - 1, at[i].y = at[i].y * 2 - 1, at[i].z = at[i].z * 2 - 1;
        if (at[i].x == 0 && at[i].y == 0 && at[i].z == 0) at[i].x = 1;
    }
    return at;
}

struct Device {
    Place* at;
    std::uint32_t* out;
    Device() {
        CHECK(cudaMalloc(&at, places * sizeof(Place)));
        CHECK(cudaMalloc(&out, places * 16));
    }
};

std::string words_of(const Device& device, int channels) {
    CHECK(cudaGetLastError());
    std::vector<std::uint32_t> got(4 * places);
    CHECK(cudaMemcpy(got.data(), device.out, got.size() * 4, cudaMemcpyDeviceToHost));
    std::string text;
    char word[12];
    for (int i = 0; i < places; ++i)
        for (int c = 0; c < channels; ++c) {
            std::snprintf(word, sizeof(word), text.empty() ? "%08x" : " %08x", got[4 * i + c]);
            text += word;
        }
    return text;
}

struct Format {
    const char* name;
    cudaChannelFormatDesc channels;
    int bytes; // of a channel
    bool is_float;
};

// Small whole numbers, so that a filter's sums are exact: only its weights decide.
void fill(std::vector<unsigned char>& bytes, const Format& format, std::uint32_t seed) {
    std::uint32_t state = seed;
    for (std::size_t i = 0; i + format.bytes <= bytes.size(); i += format.bytes) {
        const std::uint32_t whole = next(state) >> 20;
        const float value = static_cast<float>(static_cast<int>(whole) - 2048);
        if (format.is_float && format.bytes == 4) {
            std::memcpy(&bytes[i], &value, 4);
        } else if (format.is_float) {
            const std::uint16_t half = static_cast<std::uint16_t>(0x3c00 + (whole & 0x83ff)); // 1 to 2 in steps of 1/1024
            std::memcpy(&bytes[i], &half, 2);
        } else {
            const std::uint32_t bits = next(state) >> 3 ^ next(state);
            std::memcpy(&bytes[i], &bits, format.bytes);
        }
    }
}

struct Shape {
    const char* name;
    Fetch fetch;
    cudaExtent extent;
    unsigned flags;
};
constexpr int side = 5;
const Shape shapes[] = {{"1d", Fetch::one, {width, 0, 0}, 0},
                        {"2d", Fetch::two, {width, height, 0}, cudaArrayTextureGather},
                        {"3d", Fetch::three, {width, height, depth}, 0},
                        {"1d layered", Fetch::one_layered, {width, 0, depth}, cudaArrayLayered},
                        {"2d layered", Fetch::two_layered, {width, height, depth}, cudaArrayLayered},
                        {"cube", Fetch::cube, {side, side, 6}, cudaArrayCubemap},
                        {"cube layered", Fetch::cube_layered, {side, side, 12}, cudaArrayCubemap | cudaArrayLayered}};
const char* const mode_names[] = {"wrap", "clamp", "mirror", "border"};

int channels_of(const Format& format) { return format.channels.y != 0 ? 4 : 1; }

cudaArray_t array_of(const Shape& shape, const Format& format) {
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format.channels, shape.extent, shape.flags));
    const std::size_t w = shape.extent.width, h = std::max<std::size_t>(shape.extent.height, 1),
                      d = std::max<std::size_t>(shape.extent.depth, 1);
    const std::size_t texel = static_cast<std::size_t>(format.bytes) * channels_of(format);
    std::vector<unsigned char> bytes(w * h * d * texel);
    fill(bytes, format, static_cast<std::uint32_t>(w * 31 + h * 7 + d));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(bytes.data(), w * texel, w, h);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(w, h, d);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

void run_fetch(const Device& device, cudaTextureObject_t texture, Fetch how, bool integers, int channels) {
    CHECK(cudaMemset(device.out, 0, places * 16));
    if (integers && channels == 4) fetch<int4><<<1, places>>>(texture, how, device.at, device.out);
    if (integers && channels == 1) fetch<int><<<1, places>>>(texture, how, device.at, device.out);
    if (!integers && channels == 4) fetch<float4><<<1, places>>>(texture, how, device.at, device.out);
    if (!integers && channels == 1) fetch<float><<<1, places>>>(texture, how, device.at, device.out);
}

void gather_all(Answers& answers, const Device& device, cudaTextureObject_t texture, const std::string& name, bool integers, int channels) {
    for (int component = 0; component < channels; ++component) {
        if (integers)
            gather<int4><<<1, places>>>(texture, component, device.at, device.out);
        else
            gather<float4><<<1, places>>>(texture, component, device.at, device.out);
        answers.add(name + " gather " + std::to_string(component), words_of(device, 4));
    }
}

void every_mode(Answers& answers, const Device& device, const Shape& shape, const Format& format, bool normalised_float) {
    const cudaArray_t array = array_of(shape, format);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    const bool integers = !format.is_float && !normalised_float;
    const bool cube = shape.fetch == Fetch::cube || shape.fetch == Fetch::cube_layered;
    for (int setting = 0; setting < 16; ++setting) {
        const int mode = setting & 3;
        const bool linear = (setting & 4) != 0, normalised = (setting & 8) != 0;
        // Weights of a filter times fractions of 255 are rounded in a way that nobody says: the nearest texel decides there.
        if ((linear && !(format.is_float && format.bytes == 4)) || (cube && (mode != 1 || !normalised))) continue;
        if (!normalised && (mode == 0 || mode == 2)) continue; // they act as clamp
        cudaTextureDesc how = {};
        for (auto& dimension : how.addressMode) dimension = static_cast<cudaTextureAddressMode>(mode);
        how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
        how.readMode = normalised_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
        how.normalizedCoords = normalised;
        cudaTextureObject_t texture;
        CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
        const std::vector<Place> at = places_for(normalised, cube, 17 + static_cast<std::uint32_t>(setting));
        CHECK(cudaMemcpy(device.at, at.data(), places * sizeof(Place), cudaMemcpyHostToDevice));
        const std::string name = std::string(shape.name) + " " + format.name + (normalised_float ? " as float " : " ") + mode_names[mode] +
                                 (linear ? " linear" : " nearest") + (normalised ? " normalised" : "");
        run_fetch(device, texture, shape.fetch, integers, channels_of(format));
        answers.add(name, words_of(device, channels_of(format)));
        if (shape.fetch == Fetch::two && !linear) gather_all(answers, device, texture, name, integers, channels_of(format));
        CHECK(cudaDestroyTextureObject(texture));
    }
    CHECK(cudaFreeArray(array));
}

void mipmaps(Answers& answers, const Device& device) {
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mipmap;
    CHECK(cudaMallocMipmappedArray(&mipmap, &channels, make_cudaExtent(16, 16, 0), 4));
    for (unsigned level = 0; level < 4; ++level) {
        cudaArray_t array;
        CHECK(cudaGetMipmappedArrayLevel(&array, mipmap, level));
        const std::size_t size = 16u >> level;
        std::vector<unsigned char> bytes(size * size * 4);
        fill(bytes, {"", channels, 4, true}, level + 1);
        CHECK(cudaMemcpy2DToArray(array, 0, 0, bytes.data(), size * 4, size * 4, size, cudaMemcpyHostToDevice));
    }
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    for (int setting = 0; setting < 8; ++setting) {
        cudaTextureDesc how = {};
        how.addressMode[0] = how.addressMode[1] = (setting & 1) != 0 ? cudaAddressModeWrap : cudaAddressModeClamp;
        how.filterMode = (setting & 2) != 0 ? cudaFilterModeLinear : cudaFilterModePoint;
        how.mipmapFilterMode = (setting & 4) != 0 ? cudaFilterModeLinear : cudaFilterModePoint;
        how.maxMipmapLevelClamp = 2.5f;
        how.minMipmapLevelClamp = 0.25f;
        how.normalizedCoords = 1;
        cudaTextureObject_t texture;
        CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
        const std::vector<Place> at = places_for(true, false, 90 + static_cast<std::uint32_t>(setting));
        CHECK(cudaMemcpy(device.at, at.data(), places * sizeof(Place), cudaMemcpyHostToDevice));
        run_fetch(device, texture, Fetch::mipmap, false, 1);
        answers.add(std::string("mipmap float ") + ((setting & 1) != 0 ? "wrap" : "clamp") + ((setting & 2) != 0 ? " linear" : " nearest") +
                        ((setting & 4) != 0 ? " linear levels" : " nearest level"),
                    words_of(device, 1));
        CHECK(cudaDestroyTextureObject(texture));
    }
    CHECK(cudaFreeMipmappedArray(mipmap));
}

void linear_memory(Answers& answers, const Device& device, const Format& format, bool normalised_float) {
    const std::size_t texel = static_cast<std::size_t>(format.bytes) * channels_of(format);
    std::vector<unsigned char> bytes(64 * texel);
    fill(bytes, format, 5);
    void* memory;
    CHECK(cudaMalloc(&memory, bytes.size()));
    CHECK(cudaMemcpy(memory, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {memory, format.channels, bytes.size()};
    cudaTextureDesc how = {};
    how.readMode = normalised_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    std::vector<Place> at(places);
    for (int i = 0; i < places; ++i) at[i].x = static_cast<float>(i - 16); // some before, some behind
    CHECK(cudaMemcpy(device.at, at.data(), places * sizeof(Place), cudaMemcpyHostToDevice));
    run_fetch(device, texture, Fetch::linear, !format.is_float && !normalised_float, channels_of(format));
    answers.add(std::string("from memory ") + format.name + (normalised_float ? " as float" : ""), words_of(device, channels_of(format)));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(memory));
}

int main(int argc, char** argv) {
    Answers answers;
    answers.words_wanted = argc > 1 && std::strcmp(argv[1], "words") == 0;
    answers.recording = argc > 1;
    if (!answers.recording) {
        std::ifstream file(TEXTURE_RECORD);
        for (std::string line; std::getline(file, line);) {
            const std::size_t comma = line.find(',');
            if (line[0] != '#' && comma != std::string::npos) answers.record[line.substr(0, comma)] = line.substr(comma + 1);
        }
        EXPECT(!answers.record.empty());
    }
    const Device device;
    const Format formats[] = {
        {"float", cudaCreateChannelDesc<float>(), 4, true},      {"float4", cudaCreateChannelDesc<float4>(), 4, true},
        {"half", cudaCreateChannelDescHalf(), 2, true},          {"uchar", cudaCreateChannelDesc<unsigned char>(), 1, false},
        {"char4", cudaCreateChannelDesc<char4>(), 1, false},     {"short", cudaCreateChannelDesc<short>(), 2, false},
        {"ushort4", cudaCreateChannelDesc<ushort4>(), 2, false}, {"int", cudaCreateChannelDesc<int>(), 4, false},
        {"uint4", cudaCreateChannelDesc<uint4>(), 4, false}};
    for (const Format& format : formats)
        for (const bool normalised_float : {false, true}) {
            if (normalised_float && (format.is_float || format.bytes == 4)) continue;
            for (const Shape& shape : shapes) every_mode(answers, device, shape, format, normalised_float);
            linear_memory(answers, device, format, normalised_float);
        }
    mipmaps(answers, device);
    if (answers.recording) return 0;
    for (const std::string& line : answers.wrong) std::printf("%s\n", line.c_str());
    EXPECT(answers.wrong.empty());
    EXPECT(answers.compared == static_cast<int>(answers.record.size()));
    std::printf("texture_answers: %d kinds of fetch answer as an H200 does\n", answers.compared);
}

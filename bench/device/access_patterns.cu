// One request a launch, one warp: for a profiler to count sectors, wavefronts and bank conflicts of known address patterns. Prints what
// each launch did, so that the counters can be held against the rules in src/model/counters.
//
//   nvcc -O3 -std=c++17 -arch=native bench/device/access_patterns.cu -o access_patterns
//   ncu --clock-control none --csv --page raw --metrics ... ./access_patterns > patterns.csv
//
// Columns: launch, space, operation, bytes a lane, active lane mask, 32 byte offsets separated by spaces.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int shared_bytes = 32 * 1024;

template<class Word> __device__ void touch(char* base, int offset, bool active, int operation, Word* sink) {
    Word* p = reinterpret_cast<Word*>(base + offset);
    if (!active) return;
    if (operation == 0) {
        *sink = *const_cast<volatile Word*>(p);
    } else {
        *const_cast<volatile Word*>(p) = Word{};
    }
}
template<> __device__ void touch<float4>(char* base, int offset, bool active, int operation, float4* sink) {
    if (!active) return;
    const std::uint32_t at = static_cast<std::uint32_t>(__cvta_generic_to_shared(base + offset));
    float4 v{};
    if (operation == 0) {
        asm volatile("ld.shared.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(at));
        *sink = v;
    } else {
        asm volatile("st.shared.v4.f32 [%4], {%0,%1,%2,%3};" ::"f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w), "r"(at));
    }
}

template<class Word> __global__ void shared_request(const int* offsets, std::uint32_t mask, int operation, Word* sink) {
    extern __shared__ __align__(16) char storage[];
    touch<Word>(storage, offsets[threadIdx.x], (mask >> threadIdx.x & 1) != 0, operation, sink + threadIdx.x);
}

std::uint64_t state = 20261101;
std::uint32_t random_below(std::uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state >> 33) % n);
}

struct Pattern {
    int words[32];
    std::uint32_t mask;
};

std::vector<Pattern> patterns(int bytes) {
    std::vector<Pattern> list;
    const int words = shared_bytes / bytes;
    const auto add = [&](auto&& word, std::uint32_t mask = 0xffffffffu) {
        Pattern p{};
        p.mask = mask;
        for (int lane = 0; lane < 32; ++lane) p.words[lane] = word(lane) % words;
        list.push_back(p);
    };
    for (const int stride : {0, 1, 2, 3, 4, 5, 8, 16, 17, 32, 33, 64}) add([=](int lane) { return lane * stride; });
    add([](int lane) { return lane / 2; });
    add([](int lane) { return lane / 4; });
    add([](int lane) { return lane / 8; });
    add([](int lane) { return lane / 16; });
    add([](int lane) { return lane % 2; });
    add([](int lane) { return lane % 8; });
    add([](int lane) { return lane % 16; });
    add([](int lane) { return lane % 2 * 32; });
    add([](int lane) { return lane % 4 * 32; });
    add([](int lane) { return lane ^ 1; });
    add([](int lane) { return 31 - lane; });
    add([](int lane) { return lane % 16 * 16 + lane / 16; });
    add([](int lane) { return lane % 8 * 8 + lane / 8; });
    add([](int lane) { return lane; }, 0x0000ffffu);
    add([](int lane) { return lane; }, 0x55555555u);
    add([](int lane) { return lane * 32; }, 0x55555555u);
    add([](int lane) { return lane * 32; }, 0x000000ffu);
    add([](int lane) { return lane * 2; }, 0x00ff00ffu);
    for (int i = 0; i < 12; ++i) {
        const std::uint32_t range = i < 4 ? 64 : i < 8 ? 256 : static_cast<std::uint32_t>(words);
        add([&](int) { return static_cast<int>(random_below(range)); });
    }
    for (int i = 0; i < 6; ++i) {
        const std::uint32_t mask = random_below(0x7fffffff) * 2u + 1u;
        add([&](int) { return static_cast<int>(random_below(256)); }, mask);
    }
    return list;
}

template<class Word> void launch_all(int* device_offsets, void* sink, int& index) {
    for (const int operation : {0, 1}) {
        for (const Pattern& pattern : patterns(sizeof(Word))) {
            int offsets[32];
            for (int lane = 0; lane < 32; ++lane) offsets[lane] = pattern.words[lane] * static_cast<int>(sizeof(Word));
            cudaMemcpy(device_offsets, offsets, sizeof offsets, cudaMemcpyHostToDevice);
            shared_request<Word><<<1, 32, shared_bytes>>>(device_offsets, pattern.mask, operation, static_cast<Word*>(sink));
            std::printf("%d,shared,%s,%d,%u,", index++, operation == 0 ? "ld" : "st", static_cast<int>(sizeof(Word)), pattern.mask);
            for (int lane = 0; lane < 32; ++lane) std::printf("%s%d", lane == 0 ? "" : " ", offsets[lane]);
            std::printf("\n");
        }
    }
}

} // namespace

int main() {
    int* offsets = nullptr;
    void* sink = nullptr;
    if (cudaMalloc(&offsets, 32 * sizeof(int)) != cudaSuccess || cudaMalloc(&sink, 32 * 16) != cudaSuccess) {
        std::fprintf(stderr, "no device\n");
        return 4;
    }
    std::printf("launch,space,operation,bytes,mask,offsets\n");
    int index = 0;
    launch_all<std::uint8_t>(offsets, sink, index);
    launch_all<std::uint32_t>(offsets, sink, index);
    launch_all<std::uint64_t>(offsets, sink, index);
    launch_all<float4>(offsets, sink, index);
    const cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    return status == cudaSuccess ? 0 : 1;
}

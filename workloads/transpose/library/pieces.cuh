// What the kernels of the library share: accesses of 1 to 16 bytes, which tile a block has, and how it came to be moved.
//
// Names: an element is what the matrix is made of (1, 2, 4, 8 or 16 bytes), a word what one access moves (4 to 16 bytes). Pitches and
// strides count elements. All offsets are 64-bit.
#pragma once

namespace apod::transposing {

template<int bytes> struct PieceOf;
template<> struct PieceOf<1> { using type = unsigned char; };
template<> struct PieceOf<2> { using type = unsigned short; };
template<> struct PieceOf<4> { using type = unsigned; };
template<> struct PieceOf<8> { using type = uint2; };
template<> struct PieceOf<16> { using type = uint4; };
template<int bytes> using Piece = typename PieceOf<bytes>::type;

// A word as registers.
template<int bytes> struct Word { unsigned part[bytes / 4]; };

// How memory is asked: as it comes, as what is not needed again, or for whole lines of L2 although only a part is wanted now: the next
// tile wants the rest, and memory gives a line at once faster than in two halves.
// Past L1: where so many lines are on their way that L1, which shares its memory with shared memory, has no room for them.
enum Hint { keep = 0, stream_stores = 1, stream_loads = 2, stream_both = 3, whole_lines = 4, past_l1 = 8 };

// For compute capability 7.5 and later; ptx.cpp takes the hint out of the PTX for others.
__device__ inline unsigned load_of_line(const unsigned* from) {
    unsigned value;
    asm volatile("ld.global.L2::128B.u32 %0, [%1];" : "=r"(value) : "l"(from));
    return value;
}
__device__ inline uint2 load_of_line(const uint2* from) {
    uint2 value;
    asm volatile("ld.global.L2::128B.v2.u32 {%0, %1}, [%2];" : "=r"(value.x), "=r"(value.y) : "l"(from));
    return value;
}
__device__ inline uint4 load_of_line(const uint4* from) {
    uint4 value;
    asm volatile("ld.global.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "l"(from));
    return value;
}

__device__ inline unsigned load_of_line_past_l1(const unsigned* from) {
    unsigned value;
    asm volatile("ld.global.cg.L2::128B.u32 %0, [%1];" : "=r"(value) : "l"(from));
    return value;
}
__device__ inline uint2 load_of_line_past_l1(const uint2* from) {
    uint2 value;
    asm volatile("ld.global.cg.L2::128B.v2.u32 {%0, %1}, [%2];" : "=r"(value.x), "=r"(value.y) : "l"(from));
    return value;
}
__device__ inline uint4 load_of_line_past_l1(const uint4* from) {
    uint4 value;
    asm volatile("ld.global.cg.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "l"(from));
    return value;
}

// By name in both cases: an assignment of 16 bytes may be taken apart by the compiler.
template<int hint, class T> __device__ inline T load(const T* from) {
    if constexpr ((hint & past_l1) != 0 && (hint & whole_lines) != 0) return load_of_line_past_l1(from);
    if constexpr ((hint & past_l1) != 0) return __ldcg(from);
    if constexpr ((hint & whole_lines) != 0) return load_of_line(from);
    return (hint & stream_loads) != 0 ? __ldcs(from) : __ldca(from);
}

template<int hint, class T> __device__ inline void store(T* to, T value) {
    if ((hint & stream_stores) != 0) {
        __stcs(to, value);
    } else {
        __stwb(to, value);
    }
}

// To shared memory in one piece, which the compiler would sometimes take apart too.
__device__ inline void store_shared(unsigned* to, unsigned value) { *to = value; }
__device__ inline void store_shared(uint2* to, uint2 value) {
    asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "r"(value.x), "r"(value.y)
                 : "memory");
}
__device__ inline void store_shared(uint4* to, uint4 value) {
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "r"(value.x),
                 "r"(value.y), "r"(value.z), "r"(value.w)
                 : "memory");
}

__device__ inline Word<4> to_word(unsigned value) { return {{value}}; }
__device__ inline Word<8> to_word(uint2 value) { return {{value.x, value.y}}; }
__device__ inline Word<16> to_word(uint4 value) { return {{value.x, value.y, value.z, value.w}}; }
__device__ inline unsigned to_piece(const Word<4>& word) { return word.part[0]; }
__device__ inline uint2 to_piece(const Word<8>& word) { return make_uint2(word.part[0], word.part[1]); }
__device__ inline uint4 to_piece(const Word<16>& word) { return make_uint4(word.part[0], word.part[1], word.part[2], word.part[3]); }

// Turns a square of as many words as a word has elements (4 of a byte, 2 of two): word i gets element i of each.
template<int unit> __device__ inline void turn_parts(const unsigned (&in)[unit], unsigned (&out)[unit]) {
    if constexpr (unit == 4) {
        const unsigned ab_low = __byte_perm(in[0], in[1], 0x5140); // a0 b0 a1 b1
        const unsigned cd_low = __byte_perm(in[2], in[3], 0x5140);
        const unsigned ab_high = __byte_perm(in[0], in[1], 0x7362); // a2 b2 a3 b3
        const unsigned cd_high = __byte_perm(in[2], in[3], 0x7362);
        out[0] = __byte_perm(ab_low, cd_low, 0x5410);
        out[1] = __byte_perm(ab_low, cd_low, 0x7632);
        out[2] = __byte_perm(ab_high, cd_high, 0x5410);
        out[3] = __byte_perm(ab_high, cd_high, 0x7632);
    } else if constexpr (unit == 2) {
        out[0] = __byte_perm(in[0], in[1], 0x5410);
        out[1] = __byte_perm(in[0], in[1], 0x7632);
    } else {
        out[0] = in[0];
    }
}

// Puts element `index` into a word that has none there yet; the index is known when it is compiled.
template<int bytes, int word> __device__ inline void set_element(Word<word>& to, int index, Piece<bytes> value) {
    if constexpr (bytes < 4) {
        to.part[index * bytes / 4] |= static_cast<unsigned>(value) << (index * bytes % 4 * 8);
    } else {
        const Word<bytes> parts = to_word(value);
        for (int i = 0; i < bytes / 4; ++i) to.part[index * bytes / 4 + i] = parts.part[i];
    }
}

// Takes the first element out, so that the others move up.
template<int bytes, int word> __device__ inline Piece<bytes> pop_element(Word<word>& from) {
    if constexpr (bytes < 4) {
        const auto value = static_cast<Piece<bytes>>(from.part[0]);
        for (int i = 0; i + 1 < word / 4; ++i) from.part[i] = __funnelshift_r(from.part[i], from.part[i + 1], 8 * bytes);
        from.part[word / 4 - 1] >>= 8 * bytes;
        return value;
    } else {
        Word<bytes> value;
        for (int i = 0; i < bytes / 4; ++i) value.part[i] = from.part[i];
        for (int i = 0; i + bytes / 4 < word / 4; ++i) from.part[i] = from.part[i + bytes / 4];
        return to_piece(value);
    }
}

// A word of which only the elements from `first` on and below `end` are there, or are to be written. Loads do not wait for each other.
template<int bytes, int word> __device__ inline Word<word> load_elements(const Piece<bytes>* from, long long first, long long end) {
    Piece<bytes> each[word / bytes];
#pragma unroll
    for (int i = 0; i < word / bytes; ++i) each[i] = i >= first && i < end ? from[i] : Piece<bytes>{};
    Word<word> value{};
#pragma unroll
    for (int i = 0; i < word / bytes; ++i) set_element<bytes>(value, i, each[i]);
    return value;
}
template<int bytes, int word> __device__ inline void store_elements(Piece<bytes>* to, Word<word> value, long long first, long long end) {
#pragma unroll 1
    for (int i = 0; i < word / bytes; ++i) {
        const Piece<bytes> element = pop_element<bytes>(value);
        if (i >= first && i < end) to[i] = element;
    }
}

// A block's shared memory; beyond 48 KB it must be asked for at the launch.
constexpr int most_static_shared = 48 * 1024;
template<class T, int count> __device__ inline T* shared_words() {
    if constexpr (count * static_cast<int>(sizeof(T)) > most_static_shared) {
        extern __shared__ uint4 storage[];
        return reinterpret_cast<T*>(storage);
    } else {
        __shared__ T storage[count];
        return storage;
    }
}

// Which tile of the matrix a block has. Blocks come in bands of 2^shift rows of tiles; within a band they go down a column of tiles first.
// shift 0 is along the rows, a large one down the columns: which of both runs through memory in order is a choice for the memory's sake.
struct Tile {
    long long x; // the first column
    long long y; // the first row
};
template<int width, int height> __device__ inline Tile tile_of_block(int shift) {
    const long long column = blockIdx.x >> shift;
    const long long row = (static_cast<long long>(blockIdx.y) << shift) + (blockIdx.x & ((1U << shift) - 1));
    return {column * width, row * height};
}

// In place: which tile above the diagonal, or on it, a block has; it moves the one across too. Blocks lie in a rectangle of `tiles` x
// (tiles / 2 + 1): line k has the tiles of line k from the diagonal on, followed by those of line tiles - k.
struct Pair {
    long long row;
    long long column;
    bool is_there;
};
__device__ inline Pair pair_of_block(int tiles) {
    const int line = static_cast<int>(blockIdx.y);
    const int place = static_cast<int>(blockIdx.x);
    if (place < tiles - line) return {line, line + place, true};
    return {tiles - line, place, line != 0 && 2 * line != tiles};
}

} // namespace apod::transposing

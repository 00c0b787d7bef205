// Kernels whose device functions stay functions.
#include <cassert>
#include <cstdint>
#include <cstdio>

using Word = unsigned;

struct Pair {
    Word first;
    Word second;
};

struct Large {
    double weight;
    Word values[5];
    unsigned char tag;
};

__device__ __noinline__ Word fibonacci(Word n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ __noinline__ bool is_odd(Word n);
__device__ __noinline__ bool is_even(Word n) {
    if (n == 0) return true;
    return is_odd(n - 1);
}
__device__ __noinline__ bool is_odd(Word n) {
    if (n == 0) return false;
    return is_even(n - 1);
}

__device__ __noinline__ Word collatz_steps(Word n) {
    Word steps = 0;
    while (n != 1) {
        if (steps > 50) return 1000 + n % 7;
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        ++steps;
    }
    return steps;
}

__device__ __noinline__ Pair swapped(Pair pair, Word add) { return {pair.second + add, pair.first}; }

__device__ __noinline__ Large scaled(Large large, Word factor) {
    for (Word& value : large.values) value *= factor;
    large.weight *= factor;
    large.tag += 1;
    return large;
}

__device__ __noinline__ void fill(Word* values, Word count, Word start) {
    for (Word i = 0; i < count; ++i) values[i] = start + i * i;
}

__device__ __noinline__ Word sum_of_filled(Word start) {
    Word values[12];
    fill(values, 12, start);
    Word sum = 0;
    for (Word i = start % 4; i < 12; ++i) sum += values[i];
    return sum;
}

struct Shape {
    __device__ virtual Word area() const = 0;
    __device__ virtual Word corners() const { return 0; }
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    Word side;
    __device__ explicit Square(Word s) : side(s) {}
    __device__ Word area() const override { return side * side; }
    __device__ Word corners() const override { return 4; }
};
struct Rectangle : Shape {
    Word width, height;
    __device__ Rectangle(Word w, Word h) : width(w), height(h) {}
    __device__ Word area() const override { return width * height; }
};

using Operation = Word (*)(Word, Word);
__device__ Word op_add(Word a, Word b) { return a + b; }
__device__ Word op_mul(Word a, Word b) { return a * b; }
__device__ Word op_recurse(Word a, Word b) { return fibonacci(a % 10) + b; }
__device__ Operation operations[4] = {op_add, op_mul, op_recurse, nullptr};

extern "C" __global__ void fibonacci_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = fibonacci(in[i]);
}

extern "C" __global__ void parity_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = is_even(in[i]) ? 1 : 2;
}

extern "C" __global__ void collatz_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    Word sum = 0;
    for (Word k = 0; k < n; ++k) {
        if ((i + k) % 3 == 0) sum += collatz_steps(in[i] + k);
        sum = __shfl_xor_sync(0xffffffffu, sum, 1);
    }
    out[i] = sum;
}

extern "C" __global__ void struct_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    const Pair pair = swapped(swapped({in[i], i}, 10), n);
    Large large;
    large.weight = i + 0.5;
    for (Word k = 0; k < 5; ++k) large.values[k] = in[i] + k;
    large.tag = static_cast<unsigned char>(i);
    large = scaled(large, n);
    if (i % 2 == 0) large = scaled(large, 2);
    out[4 * i] = pair.first;
    out[4 * i + 1] = pair.second;
    out[4 * i + 2] = large.values[i % 5] + large.tag;
    out[4 * i + 3] = static_cast<Word>(large.weight * 2);
}

extern "C" __global__ void local_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    Word mine[4];
    fill(mine, 4, in[i]);
    Word sum = sum_of_filled(in[i]);
    if (i % 3 == 1) sum += sum_of_filled(n);
    out[i] = sum + mine[i % 4];
}

extern "C" __global__ void virtual_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    Square square(in[i]);
    Rectangle rectangle(in[i], n);
    Shape* shape = i % 2 == 0 ? static_cast<Shape*>(&square) : &rectangle;
    out[i] = shape->area() * 100 + shape->corners();
}

extern "C" __global__ void table_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = operations[in[i]](i, n);
}

extern "C" __global__ void print_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 16 != 3) return;
    out[i] = printf("block %d thread %2u: %s %c %5.2f %-6d| %+d %#x %o %p %e %g %lld %hd %% %*d\n", static_cast<int>(blockIdx.x),
                    threadIdx.x, in[0] == 0 ? "zero" : "other", 'A' + static_cast<int>(threadIdx.x), in[i] / 4.0, -static_cast<int>(n), 5,
                    255, 8, static_cast<void*>(nullptr), 12345.678, 0.0001, -5000000000ll, static_cast<short>(-3), 6, 42);
}

extern "C" __global__ void assert_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(in[i] < n);
    out[i] = in[i];
}

struct Node {
    Node* next;
    Word value;
};

extern "C" __global__ void list_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    Node* head = nullptr;
    for (Word k = 0; k < in[i] % n; ++k) {
        Node* node = static_cast<Node*>(malloc(sizeof(Node)));
        if (node == nullptr) break;
        node->next = head;
        node->value = k + i;
        head = node;
    }
    Word sum = 0;
    while (head != nullptr) {
        Node* next = head->next;
        sum += head->value;
        free(head);
        head = next;
    }
    out[i] = sum;
}

__device__ __noinline__ Word leave_or_double(Word value) {
    if (value % 5 == 0) asm volatile("exit;");
    return 2 * value;
}

extern "C" __global__ void exit_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    Word value = in[i];
    for (Word k = 0; k < n; ++k) value = leave_or_double(value) + 1;
    __syncthreads();
    out[i] = value;
}

__device__ __noinline__ Word deep(Word n) {
    volatile Word local[32];
    local[n % 32] = n;
    return n == 0 ? 0 : deep(n - 1) + local[n % 32];
}

extern "C" __global__ void deep_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = deep(n + in[i]);
}

__device__ __noinline__ Word add_one(Word value) { return value + 1; }

extern "C" __global__ void simple_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    Word value = in[i];
    if (i < n) value = add_one(value);
    out[i] = value;
}

// How much each lane takes from the stack differs.
extern "C" __global__ void alloca_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    Word* values = static_cast<Word*>(alloca((in[i] + n) * sizeof(Word)));
    for (Word k = 0; k < in[i] + n; ++k) values[k] = k * i;
    Word sum = fibonacci(5);
    for (Word k = in[i] + n; k-- > 0;) sum += values[k];
    out[i] = sum;
}

extern "C" __global__ void count_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    const int count = __syncthreads_count(in[i] < n);
    const int all = __syncthreads_and(in[i] < n);
    const int any = __syncthreads_or(in[i] < n);
    out[i] = count + (all != 0 ? 10000 : 0) + (any != 0 ? 20000 : 0);
}

// An element of a structure passed by value, at an index that only the run knows.
__device__ __noinline__ Word element(Large large, Word index) { return large.values[index % 5]; }

extern "C" __global__ void element_kernel(Word* out, const Word* in, Word n) {
    const Word i = blockIdx.x * blockDim.x + threadIdx.x;
    Large large{};
    for (Word k = 0; k < 5; ++k) large.values[k] = in[i] * k + n;
    out[i] = element(large, i);
}

extern "C" __global__ void double_free_kernel(Word* out, const Word* in, Word n) {
    void* block = malloc(in[threadIdx.x] + n);
    free(block);
    if (threadIdx.x == 3) free(block);
    out[threadIdx.x] = 1;
}

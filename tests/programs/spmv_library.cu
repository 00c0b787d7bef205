// The library of workloads/spmv on a device: every precision, both sizes of indices, every way, and matrices at the edges. Numbers are
// small integers, so that every sum is exact whatever its order.
#include "check.hpp"

#include "workloads/spmv/device.cuh"
#include "workloads/spmv/recipe.hpp"

#include <cmath>
#include <vector>

using namespace apod::spmv;

template<class To> To number(int value) { return static_cast<To>(value); }
template<> __half number<__half>(int value) { return __float2half(static_cast<float>(value)); }
double real(double value) { return value; }
double real(__half value) { return __half2float(value); }

template<class T> struct OnDevice {
    explicit OnDevice(const std::vector<T>& from) : count(from.size()) {
        CHECK(cudaMalloc(&data, count * sizeof(T) + 32));
        if (count != 0) CHECK(cudaMemcpy(data, from.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~OnDevice() { cudaFree(data); }
    std::vector<T> read() const {
        std::vector<T> to(count);
        if (count != 0) CHECK(cudaMemcpy(to.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
        return to;
    }
    std::size_t count;
    T* data = nullptr;
};

// `length_of` and `column_of_entry` say where the entries are.
template<class Value, class Vector, class Index, class Length, class Column>
void try_matrix(long long row_number, long long column_number, const Length& length_of, const Column& column_of_entry, bool tune,
                bool repeats = false) {
    std::vector<Index> offsets(1, 0);
    std::vector<Index> columns;
    std::vector<Value> values;
    std::vector<Vector> x;
    std::vector<Vector> y;
    for (long long i = 0; i < column_number; ++i) x.push_back(number<Vector>(static_cast<int>(i % 3) - 1));
    std::vector<double> sums;
    for (long long row = 0; row < row_number; ++row) {
        double sum = 0;
        for (long long k = 0; k < length_of(row); ++k) {
            const long long column = column_of_entry(row, k);
            const int value = static_cast<int>((row + 3 * k) % 2) * 2 - 1;
            columns.push_back(static_cast<Index>(column));
            values.push_back(number<Value>(value));
            sum += value * (static_cast<int>(column % 3) - 1);
        }
        offsets.push_back(static_cast<Index>(columns.size()));
        sums.push_back(sum);
        y.push_back(number<Vector>(static_cast<int>(row % 7) - 3));
    }
    const OnDevice<Index> device_offsets(offsets);
    const OnDevice<Index> device_columns(columns);
    const OnDevice<Value> device_values(values);
    const OnDevice<Vector> device_x(x);
    for (const Codes codes : {Codes::repeats, Codes::windows, Codes::none}) {
        Plan<Value, Vector, Index> plan;
        CHECK(plan.make({row_number, column_number, static_cast<long long>(values.size()), device_offsets.data, device_columns.data,
                         device_values.data},
                        nullptr, codes));
        EXPECT(plan.codes() <= codes);
        if (repeats) EXPECT((plan.codes() == Codes::repeats) == (codes == Codes::repeats));
        if (tune) CHECK(plan.tune(device_x.data, nullptr, 1));
        for (const Method method :
             {Method::automatic, Method::tiles, Method::staged, Method::narrow, Method::resident, Method::threads, Method::panels}) {
            const OnDevice<Vector> device_y(y);
            CHECK(plan.multiply(Sum<Vector>(1), device_x.data, Sum<Vector>(-1), device_y.data, nullptr, method));
            const std::vector<Vector> result = device_y.read();
            for (std::size_t row = 0; row < y.size(); ++row) EXPECT(real(result[row]) == sums[row] - real(y[row]));
            CHECK(cudaMemset(device_y.data, 0xff, y.size() * sizeof(Vector))); // NaN, which beta = 0 does not read
            CHECK(plan.multiply(Sum<Vector>(2), device_x.data, Sum<Vector>(0), device_y.data, nullptr, method));
            const std::vector<Vector> alone = device_y.read();
            for (std::size_t row = 0; row < y.size(); ++row) EXPECT(real(alone[row]) == 2 * sums[row]);
        }
    }
}

template<class Value, class Vector, class Index> void try_all(const Recipe& recipe, bool tune, bool repeats = false) {
    try_matrix<Value, Vector, Index>(
        recipe.rows, recipe.columns, [&](long long row) { return row_length(recipe, row); },
        [&](long long row, long long k) { return column_of(recipe, row, k); }, tune, repeats);
}

// Rows that repeat, but for one that does not fit its tile, one that is cut into parts, and a stretch of empty ones.
template<class Value, class Vector, class Index> void try_mixed_rows() {
    const auto length = [](long long row) -> long long {
        if (row == 100) return 17000;
        if (row == 2500) return 4000;
        return row >= 2600 && row < 2900 ? 0 : 8;
    };
    try_matrix<Value, Vector, Index>(
        9000, 20000, length, [&](long long row, long long k) { return length(row) == 8 ? row + 3 * k : k + row / 10; }, false, true);
}

// `all`: also the matrices whose columns do not fit 16 bits, which take the longest, and tuning.
template<class Value, class Vector, class Index> void try_matrices(bool all) {
    try_all<Value, Vector, Index>({Kind::diagonal, 700, 600}, false);
    try_all<Value, Vector, Index>({Kind::stencil7, 343, 343, 1, 1, 7}, all);
    try_all<Value, Vector, Index>({Kind::block, 384, 384, 4, 4}, all, true);     // counted from the first column
    try_all<Value, Vector, Index>({Kind::banded, 700, 700, 1, 20}, false, true); // counted from the row
    try_all<Value, Vector, Index>({Kind::power_law, 600, 600, 2, 500, 1, 2}, false);
    try_all<Value, Vector, Index>({Kind::mostly_empty, 5000, 90, 50, 3}, false);
    try_all<Value, Vector, Index>({Kind::uniform, 1, 1500, 1500}, false);
    if (!all) return;
    try_all<Value, Vector, Index>({Kind::uniform, 150, 200000, 30}, false);  // too many windows
    try_all<Value, Vector, Index>({Kind::banded, 900, 140000, 1, 4}, false); // windows
}

// Large enough for the analysis to look at a sample first: it finds what pays, and leaves out the rest. All numbers are 1.
void try_sampled(const Recipe& recipe, Codes codes) {
    std::vector<int> offsets(1, 0);
    std::vector<int> columns;
    for (long long row = 0; row < recipe.rows; ++row) {
        for (long long k = 0; k < row_length(recipe, row); ++k) columns.push_back(static_cast<int>(column_of(recipe, row, k)));
        offsets.push_back(static_cast<int>(columns.size()));
    }
    const auto entries = static_cast<long long>(columns.size());
    const OnDevice<int> device_offsets(offsets);
    const OnDevice<int> device_columns(columns);
    const OnDevice<float> values(std::vector<float>(columns.size(), 1.0f));
    const OnDevice<float> x(std::vector<float>(static_cast<std::size_t>(recipe.columns), 1.0f));
    const OnDevice<float> y(std::vector<float>(static_cast<std::size_t>(recipe.rows), 5.0f));
    Plan<float, float, int> plan;
    CHECK(plan.make({recipe.rows, recipe.columns, entries, device_offsets.data, device_columns.data, values.data}));
    EXPECT(plan.codes() == codes);
    CHECK(plan.multiply(1, x.data, 0, y.data));
    const std::vector<float> result = y.read();
    for (long long row = 0; row < recipe.rows; ++row) EXPECT(result[row] == static_cast<float>(row_length(recipe, row)));
}

// Huge rows are worked on by panels of x where their columns ascend, and without where they do not.
void try_panels(bool ascend) {
    constexpr int row_number = 3;
    constexpr int length = 3000;
    constexpr int column_number = 60000;
    std::vector<int> columns;
    std::vector<float> values;
    for (int row = 0; row < row_number; ++row) {
        for (int k = 0; k < length; ++k) {
            columns.push_back((ascend ? k : length - 1 - k) * 20 + row);
            values.push_back(static_cast<float>(row + 1));
        }
    }
    const OnDevice<int> offsets({0, length, 2 * length, 3 * length});
    const OnDevice<int> device_columns(columns);
    const OnDevice<float> device_values(values);
    const OnDevice<float> x(std::vector<float>(column_number, 1.0f));
    const OnDevice<float> y(std::vector<float>(row_number, 5.0f));
    Plan<float, float, int> plan;
    CHECK(plan.make({row_number, column_number, row_number * length, offsets.data, device_columns.data, device_values.data}));
    EXPECT(plan.panels() == (ascend ? 2 : 0));
    CHECK(plan.multiply(1, x.data, 2, y.data, nullptr, Method::panels));
    const std::vector<float> result = y.read();
    for (int row = 0; row < row_number; ++row) EXPECT(result[row] == static_cast<float>((row + 1) * length + 10));
}

// A matrix without rows, and one whose rows are all empty.
void try_nothing() {
    Plan<float, float, int> plan;
    CHECK(plan.make({}));
    CHECK(plan.multiply(1, nullptr, 0, nullptr));
    const OnDevice<int> offsets(std::vector<int>(40, 0));
    const OnDevice<float> y(std::vector<float>(39, 5.0f));
    const OnDevice<float> x(std::vector<float>(3, 1.0f));
    CHECK(plan.make({39, 3, 0, offsets.data, nullptr, nullptr}));
    for (const Method method : {Method::automatic, Method::tiles, Method::staged, Method::narrow, Method::threads}) {
        CHECK(cudaMemset(y.data, 0xff, 39 * sizeof(float)));
        CHECK(plan.multiply(1, x.data, 0, y.data, nullptr, method));
        for (const float value : y.read()) EXPECT(value == 0);
    }
}

// What somebody else's launch left behind is theirs: the plan gives its own errors alone, and leaves that one to be asked for.
void try_behind_a_failed_launch() {
    find_tiles<int><<<1, 4096>>>(nullptr, 0, 0, nullptr);
    EXPECT(cudaPeekAtLastError() != cudaSuccess);
    const OnDevice<int> offsets(std::vector<int>{0, 1, 2});
    const OnDevice<int> columns(std::vector<int>{0, 1});
    const OnDevice<float> values(std::vector<float>{1, 1});
    const OnDevice<float> x(std::vector<float>{3, 4});
    const OnDevice<float> y(std::vector<float>{0, 0});
    Plan<float, float, int> plan;
    CHECK(plan.make({2, 2, 2, offsets.data, columns.data, values.data}));
    CHECK(plan.multiply(1.0F, x.data, 0.0F, y.data));
    EXPECT(cudaGetLastError() != cudaSuccess);
    EXPECT(y.read()[1] == 4);
}

int main() {
    try_nothing();
    try_behind_a_failed_launch();
    try_matrices<float, float, int>(true);
    try_matrices<double, double, int>(false);
    try_matrices<__half, __half, int>(false);
    try_matrices<float, double, int>(false);
    try_matrices<float, float, long long>(false);
    try_matrices<double, double, long long>(true);
    try_mixed_rows<float, float, int>();
    try_mixed_rows<double, double, long long>();
    try_sampled({Kind::diagonal, 600000, 600000}, Codes::repeats);
    try_sampled({Kind::block, 99000, 99000, 4, 3}, Codes::repeats);
    try_sampled({Kind::uniform, 80000, 200000, 14}, Codes::none);
    try_sampled({Kind::uniform, 80000, 60000, 14}, Codes::plain);
    try_panels(true);
    try_panels(false);
    // Huge rows, in parts and in panels.
    try_all<float, float, int>({Kind::uniform, 2, 45000, 45000}, false);
    try_all<double, double, long long>({Kind::dense_row, 40, 30000, 2}, false);
    std::printf("spmv_library: PASS\n");
    return 0;
}

// Times every way of workloads/spmv against cuSPARSE on generated matrices, each result checked against sums in double.
//   nvcc -std=c++20 -O3 -arch=sm_90 --expt-relaxed-constexpr -I. bench/device/spmv_matrices.cu -o spmv_matrices -ldl
//   spmv_matrices [OUTPUT.csv [SHRINK [MATRIX...]]]     SHRINK: rows are divided by it (for a trial on an emulated GPU)
// cuSPARSE (libcusparse.so.12) is loaded where it is found. Times are of graphs of several multiplications, alpha = 1 and beta = 0, caches
// as the multiplication before left them; the smallest of the medians of five, in microseconds.
#include "spmv_sets.cuh"
#include "spmv_timing.cuh"
#include "workloads/spmv/device.cuh"
#include "workloads/spmv/merge.cuh"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace spmv_bench {

using apod::spmv::Codes;
using apod::spmv::Method;
using Plan = apod::spmv::Plan<float, float, int>;

struct Result {
    std::string name;
    double us = 0;
    unsigned long long wrong = 0;
};

class Bench {
public:
    Bench(const Problem& problem, FILE* csv) : problem_(problem), csv_(csv) {}

    void run(bool compare) {
        std::printf("%-18s %9d rows %10lld entries, longest row %lld, floor %.1f us\n", problem_.name.c_str(), problem_.rows(),
                    problem_.entries(), problem_.longest(), floor_us());
        row_kernels();
        merge();
        tiles();
        if (compare) cusparse();
        summary();
    }

private:
    // Everything once: entries of 8 bytes, offsets, x and y.
    [[nodiscard]] double floor_us() const { return (8.0 * problem_.entries() + 8.0 * problem_.rows() + 4.0 * problem_.columns()) / 4.27e6; }

    void add(const std::string& name, const std::function<void(float, float, float*)>& multiply) {
        Result result{name, 0, problem_.count_wrong(multiply)};
        result.us = time_us([&] { multiply(1, 0, problem_.y()); });
        std::printf("  %-24s %10.2f us  %5.1f %% of the floor%s\n", name.c_str(), result.us, 100 * floor_us() / result.us,
                    result.wrong == 0 ? "" : "  WRONG");
        if (csv_ != nullptr) {
            std::fprintf(csv_, "%s,%d,%lld,%lld,%s,%.3f,%llu\n", problem_.name.c_str(), problem_.rows(), problem_.entries(),
                         problem_.longest(), name.c_str(), result.us, result.wrong);
        }
        std::fflush(stdout);
        results_.push_back(result);
    }

    void note(const std::string& name, double us) {
        std::printf("  %-24s %10.2f us\n", name.c_str(), us);
        if (csv_ != nullptr) {
            std::fprintf(csv_, "%s,%d,%lld,%lld,%s,%.3f,0\n", problem_.name.c_str(), problem_.rows(), problem_.entries(),
                         problem_.longest(), name.c_str(), us);
        }
    }

    template<class Kernel> void by_rows(const std::string& name, Kernel kernel, long long lanes) {
        add(name, [this, kernel, lanes](float alpha, float beta, float* y) {
            const auto blocks = static_cast<unsigned>((problem_.rows() * lanes + 255) / 256);
            kernel<<<blocks, 256, 0, stream()>>>(problem_.offsets(), problem_.column_indices(), problem_.values(), problem_.x(), y, alpha,
                                                 beta, static_cast<long long>(problem_.rows()));
        });
    }

    void row_kernels() {
        using namespace apod::spmv;
        if (problem_.longest() < 20000) by_rows("thread_per_row", thread_per_row<float, float, int>, 1);
        if (problem_.longest() < 20000) by_rows("thread_per_row_readonly", group_per_row<float, float, int, 1>, 1);
        by_rows("warp_per_row_shared", warp_per_row_shared<float, float, int>, 32);
        by_rows("warp_per_row_readonly", read_only_warp_per_row<float, float, int>, 32);
        by_rows("warp_per_row", group_per_row<float, float, int, 32>, 32);
        const long long mean = problem_.entries() / problem_.rows();
        if (mean <= 3)
            by_rows("group_per_row", group_per_row<float, float, int, 2>, 2);
        else if (mean <= 6)
            by_rows("group_per_row", group_per_row<float, float, int, 4>, 4);
        else if (mean <= 12)
            by_rows("group_per_row", group_per_row<float, float, int, 8>, 8);
        else if (mean <= 24)
            by_rows("group_per_row", group_per_row<float, float, int, 16>, 16);
        if (mean <= 12)
            by_rows("aligned", aligned_group_per_row<float, float, int, 2>, 2);
        else if (mean <= 48)
            by_rows("aligned", aligned_group_per_row<float, float, int, 4>, 4);
        else
            by_rows("aligned", aligned_group_per_row<float, float, int, 16>, 16);
    }

    void merge() {
        using namespace apod::spmv;
        const long long rows = problem_.rows();
        const long long entries = problem_.entries();
        const long long tiles = (rows + entries + merge_tile - 1) / merge_tile;
        DeviceMemory starts;
        DeviceMemory carry_rows;
        DeviceMemory carry_sums;
        check(starts.allocate((tiles + 1) * sizeof(int)));
        check(carry_rows.allocate(tiles * sizeof(int)));
        check(carry_sums.allocate(tiles * sizeof(float)));
        find_merge_tiles<int>
            <<<static_cast<unsigned>(tiles / 256 + 1), 256, 0, stream()>>>(problem_.offsets(), rows, entries, tiles, starts.as<int>());
        add("merge_path", [&](float alpha, float beta, float* y) {
            merge_path<float, float, int><<<static_cast<unsigned>(tiles), merge_threads, 0, stream()>>>(
                starts.as<int>(), problem_.offsets(), problem_.column_indices(), problem_.values(), problem_.x(), y, alpha, beta, rows,
                entries, carry_rows.as<int>(), carry_sums.as<float>());
            add_carries<float, int><<<static_cast<unsigned>(tiles / 256 + 1), 256, 0, stream()>>>(
                carry_rows.as<int>(), carry_sums.as<float>(), tiles, rows, y, alpha);
        });
    }

    void with_plan(const std::string& name, const Plan& plan, Method method) {
        add(name, [&](float alpha, float beta, float* y) { check(plan.multiply(alpha, problem_.x(), beta, y, stream(), method)); });
    }

    void tiles() {
        const apod::spmv::DeviceCsr<float, int> matrix{problem_.rows(),    problem_.columns(),        problem_.entries(),
                                                       problem_.offsets(), problem_.column_indices(), problem_.values()};
        Plan plain;
        check(plain.make(matrix, stream(), Codes::none));
        with_plan("tiles", plain, Method::tiles);
        with_plan("staged", plain, Method::staged);
        with_plan("narrow", plain, Method::narrow);
        if (plain.fits_resident()) with_plan("resident", plain, Method::resident);
        Plan plan;
        check(plan.make(matrix, stream()));
        const double again = host_us([&] { check(plan.make(matrix, stream())); });
        static const char* const kinds[] = {"none", "plain", "windows", "repeats"};
        note(std::string("analysis_") + kinds[static_cast<int>(plan.codes())], again);
        if (plan.codes() != Codes::none) with_plan("tiles_coded", plan, Method::tiles);
        if (plan.codes() != Codes::none) with_plan("staged_coded", plan, Method::staged);
        if (plan.codes() != Codes::none) with_plan("narrow_coded", plan, Method::narrow);
        if (plan.codes() != Codes::none && plan.fits_resident() && problem_.entries() > 32LL * problem_.rows())
            with_plan("resident_coded", plan, Method::resident);
        if (plan.panels() != 0) with_plan("panels", plan, Method::panels);
        with_plan("best", plan, Method::automatic);
        note("tune", host_us([&] { check(plan.tune(problem_.x(), stream())); }));
        static const char* const methods[] = {"automatic", "tiles", "staged", "narrow", "resident", "threads", "panels"};
        std::printf("  tuned to %s%s\n", methods[static_cast<int>(plan.method())], plan.uses_codes() ? ", coded" : "");
        with_plan("tuned", plan, Method::automatic);
        with_plan("best_without_codes", plain, Method::automatic);
    }

    void cusparse() {
        const Cusparse* library = find_cusparse();
        if (library == nullptr) return;
        for (const auto& [name, algorithm] :
             {std::pair{"cusparse_default", CUSPARSE_SPMV_ALG_DEFAULT}, std::pair{"cusparse_alg1", CUSPARSE_SPMV_CSR_ALG1},
              std::pair{"cusparse_alg2", CUSPARSE_SPMV_CSR_ALG2}}) {
            CusparseSpmv spmv(*library, problem_, algorithm);
            note(std::string(name) + "_preprocess", spmv.preprocess_us());
            add(name, [&](float alpha, float beta, float* y) { spmv.multiply(alpha, beta, y); });
        }
    }

    void summary() {
        double best = 0;
        double plain = 0;
        double tuned = 0;
        double other = 0;
        for (const Result& result : results_) {
            if (result.name == "best") best = result.us;
            if (result.name == "tuned") tuned = result.us;
            if (result.name == "best_without_codes") plain = result.us;
            if (result.name.rfind("cusparse", 0) == 0 && (other == 0 || result.us < other)) other = result.us;
        }
        if (other != 0) {
            std::printf("  => %.2f us, %.2f times the better cuSPARSE (%.2f us); tuned %.2f us, %.2f times; without codes %.2f times\n",
                        best, other / best, other, tuned, other / tuned, other / plain);
        }
    }

    const Problem& problem_;
    FILE* csv_;
    std::vector<Result> results_;
};

} // namespace spmv_bench

int main(int argc, char** argv) {
    using namespace spmv_bench;
    FILE* const csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
    if (csv != nullptr) std::fprintf(csv, "matrix,rows,entries,longest_row,way,us,wrong\n");
    const long long shrink = argc > 2 ? std::atoll(argv[2]) : 1;
    std::set<std::string> wanted(argv + (argc > 3 ? 3 : argc), argv + argc);
    if (shrink == 1) std::printf("reading 1 GiB: %.0f GB/s\n", read_rate());
    for (const auto& [name, recipe] : matrices(shrink)) {
        if (!wanted.empty() && !wanted.contains(name)) continue;
        const Problem problem(name, recipe);
        Bench(problem, csv).run(shrink == 1);
        if (csv != nullptr) std::fflush(csv);
    }
    if (csv != nullptr) std::fclose(csv);
    return 0;
}

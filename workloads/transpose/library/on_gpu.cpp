#include "apod/transpose.hpp"
#include "workloads/transpose/library/choose.hpp"
#include "workloads/transpose/library/driver.hpp"
#include "workloads/transpose/library/problem.hpp"

#include <algorithm>

namespace apod {

namespace {

using namespace transposing;

constexpr std::int64_t most_blocks_z = 65535;
constexpr int most_dynamic_shared = 8; // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES

std::uint64_t moved(std::uint64_t address, std::int64_t elements, const Transpose& what) {
    return address + static_cast<std::uint64_t>(elements * what.element_bytes);
}

// One row or one column: its elements are as many neighbours in both matrices. A matrix of a batch is a row of this copy.
TransposeStatus copy(const Driver& driver, std::uint64_t out, std::uint64_t in, const Transpose& what, void* stream) {
    if (out == in) return {};
    const auto bytes = static_cast<std::size_t>(what.element_bytes);
    const auto one = [&](std::uint64_t to, std::uint64_t from, std::int64_t height) {
        CopyIn2D copy;
        copy.source_type = copy.target_type = memory_of_either;
        copy.source = from;
        copy.target = to;
        copy.width = static_cast<std::size_t>(what.rows * what.columns) * bytes;
        copy.height = static_cast<std::size_t>(height);
        copy.source_pitch = height == 1 ? copy.width : static_cast<std::size_t>(what.in_stride) * bytes;
        copy.target_pitch = height == 1 ? copy.width : static_cast<std::size_t>(what.out_stride) * bytes;
        const int error = driver.calls().copy_2d(&copy, stream);
        return error == 0 ? TransposeStatus() : driver.failed("the copy was refused", error);
    };
    const std::int64_t length = what.rows * what.columns;
    if (what.batches == 1 || (what.in_stride >= length && what.out_stride >= length)) return one(out, in, what.batches);
    for (std::int64_t i = 0; i < what.batches; ++i) { // strides that no pitch can be, such as the same input for all
        const TransposeStatus status = one(moved(out, i * what.out_stride, what), moved(in, i * what.in_stride, what), 1);
        if (!status) return status;
    }
    return {};
}

class Launch {
public:
    Launch(const Driver& driver, const Transpose& what, const Choice& choice, void* stream) :
        driver_(driver), what_(what), choice_(choice), stream_(stream) {}

    TransposeStatus prepare() {
        if (TransposeStatus status = driver_.kernel(what_.element_bytes, choice_.kernel, &kernel_); !status) return status;
        if (choice_.shared_bytes == 0) return {};
        void* function = nullptr; // of the current context: the one to which what it allows belongs
        int error = driver_.calls().function_of_kernel(&function, kernel_);
        if (error == 0)
            error = driver_.calls().set_function_attribute(function, most_dynamic_shared, static_cast<int>(choice_.shared_bytes));
        return error == 0 ? TransposeStatus() : driver_.failed("the device has too little shared memory", error);
    }

    // `batches` of them, from these addresses on.
    TransposeStatus run(std::uint64_t out, std::uint64_t in, unsigned batches) const {
        std::int64_t rows = what_.rows;
        std::int64_t columns = what_.columns;
        std::int64_t in_pitch = what_.in_pitch;
        std::int64_t out_pitch = what_.out_pitch;
        std::int64_t in_stride = what_.in_stride;
        std::int64_t out_stride = what_.out_stride;
        int shift = choice_.shift;
        int tiles = choice_.tiles;
        void* two[] = {&out, &in, &rows, &columns, &in_pitch, &out_pitch, &in_stride, &out_stride, &shift};
        void* one[] = {&out, &rows, &in_pitch, &in_stride, &tiles};
        const int error = driver_.calls().launch(kernel_, choice_.grid_x, choice_.grid_y, batches, choice_.threads, 1, 1,
                                                 choice_.shared_bytes, stream_, choice_.form == Form::in_place ? one : two, nullptr);
        return error == 0 ? TransposeStatus() : driver_.failed("the launch was refused", error);
    }

private:
    const Driver& driver_;
    const Transpose& what_;
    const Choice& choice_;
    void* stream_;
    void* kernel_ = nullptr;
};

TransposeStatus check_alignment(const Transpose& what, std::uint64_t out, std::uint64_t in) {
    const auto bytes = static_cast<std::uint64_t>(what.element_bytes);
    if (out % bytes == 0 && in % bytes == 0) return {};
    return TransposeStatus(std::string("transpose: ") + (out % bytes != 0 ? "out" : "in") + " is not at a multiple of " +
                           std::to_string(bytes) + " bytes, the size of its elements; GPUs need that (smaller element_bytes may do)");
}

} // namespace

TransposeStatus transpose(void* out, const void* in, const Transpose& what, void* stream) {
    Transpose all = what;
    if (TransposeStatus status = complete(all, out, in); !status || is_empty(all)) return status;
    const auto to = reinterpret_cast<std::uint64_t>(out);
    const auto from = reinterpret_cast<std::uint64_t>(in);
    if (TransposeStatus status = check_alignment(all, to, from); !status) return status;
    Choice choice;
    if (!choose(all, to, from, choice)) {
        return TransposeStatus("transpose: " + std::to_string(all.rows) + " x " + std::to_string(all.columns) +
                               " has more tiles than a grid of a GPU can have");
    }
    const Driver& driver = Driver::get();
    if (!driver.status()) return driver.status();
    const ContextFor context(driver, to);
    if (!context.status()) return context.status();
    if (choice.form == Form::copy) return copy(driver, to, from, all, stream);
    Launch launch(driver, all, choice, stream);
    if (TransposeStatus status = launch.prepare(); !status) return status;
    for (std::int64_t done = 0; done < all.batches; done += most_blocks_z) {
        const TransposeStatus status = launch.run(moved(to, done * all.out_stride, all), moved(from, done * all.in_stride, all),
                                                  static_cast<unsigned>(std::min(most_blocks_z, all.batches - done)));
        if (!status) return status;
    }
    return {};
}

} // namespace apod

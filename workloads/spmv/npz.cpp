#include "workloads/spmv/npz.hpp"

#include "workloads/spmv/npz_member.hpp"
#include "workloads/spmv/zip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace apod::spmv {

namespace {

using Integers = std::vector<std::int64_t>;

class NpzReader {
public:
    NpzReader(std::map<std::string, std::string> members, const std::string& file) : members_(std::move(members)), file_(file) {}

    Result<MatrixFile> read() {
        const auto format_member = member("format");
        if (!format_member) return format_member.error();
        const auto format = text(*format_member, file_);
        if (!format) return format.error();
        const auto shape = integer_array("shape");
        if (!shape) return shape.error();
        if (shape->size() != 2 || (*shape)[0] < 0 || (*shape)[1] < 0) return error("its shape is not two numbers");
        coo_.rows = (*shape)[0];
        coo_.columns = (*shape)[1];
        const auto data = member("data");
        if (!data) return data.error();
        if (data->fortran_order && data->shape.size() > 1) return error("its data are in Fortran order, which save_npz does not write");
        auto values = reals(*data, file_, imaginary_);
        if (!values) return values.error();
        values_ = *std::move(values);
        Result<void> done = read_format(*format, data->shape);
        if (!done) return done.error();
        return std::move(result_);
    }

private:
    [[nodiscard]] Diagnostic error(std::string message) const { return bad_input({file_, 0, 0}, std::move(message)); }

    Result<NpzMember> member(const std::string& name) {
        const auto found = members_.find(name + ".npy");
        if (found == members_.end()) {
            return error(fmt::format("the archive has no array '{}'; a sparse matrix of scipy.sparse.save_npz has", name));
        }
        return parse_member(found->second, name, file_);
    }

    Result<Integers> integer_array(const std::string& name) {
        const auto array = member(name);
        if (!array) return array.error();
        return integers(*array, file_);
    }

    Result<void> read_format(const std::string& format, const std::vector<std::uint64_t>& shape) {
        Result<void> done;
        if (format == "coo") {
            done = read_coordinates();
        } else if (format == "csr" || format == "csc") {
            if (shape.size() != 1) return error("its data have more than one axis");
            done = read_compressed(format == "csc");
        } else if (format == "bsr") {
            if (shape.size() != 3 || shape[1] == 0 || shape[2] == 0) return error("the data of a bsr matrix have three axes");
            done = read_blocks(static_cast<std::int64_t>(shape[1]), static_cast<std::int64_t>(shape[2]));
        } else if (format == "dia") {
            if (shape.size() != 2) return error("the data of a dia matrix have two axes");
            done = read_diagonals(static_cast<std::int64_t>(shape[0]), static_cast<std::int64_t>(shape[1]));
        } else {
            return error(fmt::format("the format '{}' is not known: csr, csc, coo, bsr and dia are", format.substr(0, 20)));
        }
        result_.matrix.rows = coo_.rows;
        result_.matrix.columns = coo_.columns;
        return done;
    }

    Result<void> read_coordinates() {
        const auto rows = integer_array("row");
        if (!rows) return rows.error();
        const auto columns = integer_array("col");
        if (!columns) return columns.error();
        if (rows->size() != values_.size() || columns->size() != values_.size()) return error("row, col and data differ in length");
        for (std::size_t i = 0; i < values_.size(); ++i) {
            if (Result<void> added = add((*rows)[i], (*columns)[i], i); !added) return added;
        }
        return {};
    }

    // Offsets of `lines` rows or columns into `entries` entries.
    Result<void> check_offsets(const Integers& offsets, std::int64_t lines, std::size_t entries) const {
        if (offsets.empty() || static_cast<std::int64_t>(offsets.size() - 1) != lines) {
            return error(fmt::format("indptr has {} elements, and should have {}", offsets.size(), lines + 1));
        }
        for (std::size_t i = 1; i < offsets.size(); ++i) {
            if (offsets[i] < offsets[i - 1]) return error(fmt::format("indptr descends at its element {}", i));
        }
        if (offsets.front() == 0 && offsets.back() >= 0 && static_cast<std::size_t>(offsets.back()) == entries) return {};
        return error(fmt::format("indptr goes from {} to {}, and there are {} indices", offsets.front(), offsets.back(), entries));
    }

    Result<void> read_compressed(bool by_column) {
        const auto indices = integer_array("indices");
        if (!indices) return indices.error();
        const auto offsets = integer_array("indptr");
        if (!offsets) return offsets.error();
        if (indices->size() != values_.size()) return error("indices and data differ in length");
        if (Result<void> good = check_offsets(*offsets, by_column ? coo_.columns : coo_.rows, indices->size()); !good) return good;
        for (std::size_t line = 0; line + 1 < offsets->size(); ++line) {
            const auto outer = static_cast<std::int64_t>(line);
            for (auto i = static_cast<std::size_t>((*offsets)[line]); i < static_cast<std::size_t>((*offsets)[line + 1]); ++i) {
                const std::int64_t inner = (*indices)[i];
                if (Result<void> added = by_column ? add(inner, outer, i) : add(outer, inner, i); !added) return added;
            }
        }
        return {};
    }

    Result<void> read_blocks(std::int64_t height, std::int64_t width) {
        const auto indices = integer_array("indices");
        if (!indices) return indices.error();
        const auto offsets = integer_array("indptr");
        if (!offsets) return offsets.error();
        if (coo_.rows % height != 0 || coo_.columns % width != 0) return error("the matrix is no whole number of blocks");
        if (indices->size() != values_.size() / static_cast<std::size_t>(height * width)) return error("indices and data differ in length");
        if (Result<void> good = check_offsets(*offsets, coo_.rows / height, indices->size()); !good) return good;
        std::size_t value = 0;
        for (std::size_t line = 0; line + 1 < offsets->size(); ++line) {
            for (auto block = static_cast<std::size_t>((*offsets)[line]); block < static_cast<std::size_t>((*offsets)[line + 1]); ++block) {
                const std::int64_t column = (*indices)[block];
                if (column < 0 || column >= coo_.columns / width) return error(fmt::format("block {} lies outside the matrix", block));
                for (std::int64_t i = 0; i < height * width; ++i) {
                    const std::int64_t row = static_cast<std::int64_t>(line) * height + i / width;
                    if (Result<void> added = add(row, column * width + i % width, value++); !added) return added;
                }
            }
        }
        return {};
    }

    // Element j of diagonal d lies in column j and row j - offset.
    Result<void> read_diagonals(std::int64_t count, std::int64_t length) {
        const auto offsets = integer_array("offsets");
        if (!offsets) return offsets.error();
        if (static_cast<std::int64_t>(offsets->size()) != count) return error("offsets and data differ in length");
        for (std::int64_t d = 0; d < count; ++d) {
            const std::int64_t offset = (*offsets)[static_cast<std::size_t>(d)];
            if (offset <= -coo_.rows - 1 || offset >= coo_.columns + 1)
                continue; // wholly outside: SciPy keeps such, and they count nothing
            for (std::int64_t j = std::max<std::int64_t>(0, offset); j < std::min(length, coo_.columns); ++j) {
                if (j - offset >= coo_.rows) break;
                if (Result<void> added = add(j - offset, j, static_cast<std::size_t>(d * length + j)); !added) return added;
            }
        }
        return {};
    }

    Result<void> add(std::int64_t row, std::int64_t column, std::size_t value) {
        if (row < 0 || row >= coo_.rows || column < 0 || column >= coo_.columns) {
            return error(
                fmt::format("entry {} is at row {}, column {}, outside a matrix of {} x {}", value, row, column, coo_.rows, coo_.columns));
        }
        result_.matrix.row_indices.push_back(row);
        result_.matrix.column_indices.push_back(column);
        result_.matrix.values.push_back(values_[value]);
        if (!imaginary_.empty()) result_.imaginary.push_back(imaginary_[value]);
        return {};
    }

    std::map<std::string, std::string> members_;
    std::string file_;
    Coo<double, std::int64_t> coo_; // its sizes
    std::vector<double> values_;
    std::vector<double> imaginary_;
    MatrixFile result_;
};

} // namespace

Result<MatrixFile> parse_npz(std::string_view contents, const std::string& file) {
    auto members = read_zip(contents, file);
    if (!members) return members.error();
    return NpzReader(*std::move(members), file).read();
}

} // namespace apod::spmv

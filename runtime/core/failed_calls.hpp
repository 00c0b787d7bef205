// The calls of the API that gave the program an error: each place and error once, with how often, in the run's record.
#pragma once

#include "runtime/core/error.hpp"
#include "runtime/core/record_file.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace apod::runtime {

// Whether the error only answers what the call asks, so that a program that calls it counts on it: that work has not finished yet, that a
// pointer is not CUDA's, that a module has no such function.
[[nodiscard]] bool is_answer(std::string_view call, Error error);

// Says why the call under way gives the error, for the record; gives it back.
Error because(Error error, std::string why);

class FailedCalls {
public:
    explicit FailedCalls(RecordFile& record) : record_(record) {}

    // The call under way, on the calling thread, gives the error, which the API calls `name` and explains with `text`.
    void add(Error error, std::string_view name, std::string_view text);

private:
    RecordFile& record_;
    std::mutex mutex_;
    std::map<std::string, std::pair<std::size_t, std::uint64_t>> seen_; // by call, error, reason and place: position and count
};

} // namespace apod::runtime

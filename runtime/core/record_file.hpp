// The record of a run: JSON lines, one written whole for everything that has finished, so that a crash or a kill loses nothing.
//
//   {"schema":1,"program":"./app","device":"emu:h200","devices":1}
//   {"begun":"kernel, grid 4 1 1, block 256 1 1"}   a launch begins; how it ended comes next, unless the process ended first
//   {"launch":{...}}                  the LaunchRecord, as docs/schema/apod-1.schema.json describes it
//   {"again":3}                       a launch that was in everything equal to launch 3 (counters too)
//   {"uncounted":3}                   a launch that only ran, of the same kernel and shape as launch 3 (apod run --counted)
//   {"index":4,"ran":{...}}           a launch that only ran, and none of its shape was counted (--counted 0): a LaunchRecord without
//   metrics
//   {"copy":"host to device","bytes":4096,"time_ns":8300,"pinned":false}
//   {"check":{...}}                   a mistake that checks found: the CheckReport, as the schema's "check_report" describes it
//   {"check_again":2,"count":96}      mistake 2 of this file (from 0) has now been made so often
//   {"failed_call":{...}}             a call of the API that gave an error: a CheckReport too
//   {"failed_again":2,"count":96}     failed call 2 of this file has now been made so often
//   {"fault":{...}}                   what stopped a kernel: the Diagnostic
#pragma once

#include "apod/check.hpp"
#include "apod/record.hpp"
#include "arch/gpu.hpp"
#include "base/diagnostic.hpp"
#include "runtime/core/copy_time.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace apod::runtime {

// Made in the directory of the records by who will read them, removed by a process that could not write all of its own: to remove a file
// needs no space on the disk.
inline constexpr const char* whole_records = "whole";

class RecordFile {
public:
    // Appends to the file, or to <pid>.jsonl where the path is a directory; an empty path records nothing. A file that cannot be opened or
    // written is reported once on standard error, and nothing more is recorded; what is there ends with a whole line.
    void open(const std::string& path, const std::string& program, const std::string& device, int devices);

    void begin(const std::string& kernel, const Dim3& grid, const Dim3& block);
    std::uint32_t launch(LaunchRecord record);   // sets its index; gives that of the line which has its figures
    std::uint32_t only_ran(LaunchRecord record); // likewise of the first of launches of which none is counted
    void uncounted(std::uint32_t like);          // a launch that only ran; `like`: what launch() or only_ran() gave for an earlier one
    void copy(Direction direction, std::uint64_t bytes, double time_ns, bool pinned);
    void fill(std::uint64_t bytes, double time_ns);
    void fault(const Diagnostic& diagnostic);
    void check(const CheckReport& report);
    void check_again(std::size_t index, std::uint64_t count);
    void failed_call(const CheckReport& report);
    void failed_again(std::size_t index, std::uint64_t count);
    [[nodiscard]] bool is_open() const { return file_ >= 0; }

private:
    void write(const std::string& line);
    void give_up(int error, std::size_t written_of_line);

    int file_ = -1;
    std::string directory_; // of the records, where the path is one
    std::uint32_t launches_ = 0;
    std::unordered_map<std::string, std::vector<LaunchRecord>> seen_; // by kernel: launches that differ, with their index
};

} // namespace apod::runtime

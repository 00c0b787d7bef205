// What becomes of the program when apod itself is killed and can do nothing about it any more (SIGKILL).
#pragma once

#include <filesystem>

#include <sys/types.h>

namespace apod::cli {

// While it lives, a process beside ours waits for our end. Where that comes without our word it ends every process of the program, those
// that the program has started too, and removes the record. They are known by the folder of the record in their environment
// (APOD_RUN_RECORD): PR_SET_PDEATHSIG would reach the program alone, and would end what outlives its parent on purpose.
class OrphanWatch {
public:
    explicit OrphanWatch(const std::filesystem::path& record);
    ~OrphanWatch(); // all is well
    OrphanWatch(const OrphanWatch&) = delete;
    OrphanWatch& operator=(const OrphanWatch&) = delete;

private:
    int word_ = -1; // its end of the pipe closes with our process
    pid_t watcher_ = -1;
};

} // namespace apod::cli

// One line on standard error that says what is being run; only where that is a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace apod::cli {

class Progress {
public:
    explicit Progress(bool quiet);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(const std::string& what, std::size_t index, std::size_t count); // index from 0
    void show(const std::string& what);                                       // of an unknown number
    void clear();

private:
    bool on_;
    bool shown_ = false;
};

} // namespace apod::cli

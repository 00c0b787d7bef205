// A library that is loaded while the program runs, so that apod needs none of NVIDIA's to be built or started.
#pragma once

#include "base/result.hpp"

#include <memory>
#include <string>

namespace apod::device::cuda {

class SharedLibrary {
public:
    // `name` as the loader looks it up (libcuda.so.1), or a path. Not there: unavailable, with the loader's words.
    static Result<std::shared_ptr<SharedLibrary>> open(const std::string& name);
    explicit SharedLibrary(void* handle) : handle_(handle) {}
    SharedLibrary(const SharedLibrary&) = delete;
    SharedLibrary& operator=(const SharedLibrary&) = delete;
    // Never unloaded: drivers have threads of their own and hooks for the process's end.
    ~SharedLibrary() = default;

    [[nodiscard]] void* find(const char* symbol) const; // null: not there
    // Puts the function's address into `function`; false (and null there) when it is not there.
    template<class Function> bool bind(const char* symbol, Function*& function) const {
        function = reinterpret_cast<Function*>(find(symbol));
        return function != nullptr;
    }

private:
    void* handle_;
};

} // namespace apod::device::cuda

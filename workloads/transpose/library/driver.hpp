// The little of CUDA's driver API that a transpose needs, loaded at run time: facts of its binary interface, from NVIDIA's documentation.
#pragma once

#include "apod/transpose.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace apod::transposing {

struct CopyIn2D { // CUDA_MEMCPY2D
    std::size_t source_x = 0;
    std::size_t source_y = 0;
    int source_type = 0;
    const void* source_host = nullptr;
    std::uint64_t source = 0;
    void* source_array = nullptr;
    std::size_t source_pitch = 0;
    std::size_t target_x = 0;
    std::size_t target_y = 0;
    int target_type = 0;
    void* target_host = nullptr;
    std::uint64_t target = 0;
    void* target_array = nullptr;
    std::size_t target_pitch = 0;
    std::size_t width = 0;
    std::size_t height = 0;
};
constexpr int memory_of_either = 4; // CU_MEMORYTYPE_UNIFIED

struct DriverCalls {
    int (*init)(unsigned);
    int (*version)(int*);
    int (*error_name)(int, const char**);
    int (*error_text)(int, const char**);
    int (*current_context)(void**);
    int (*set_context)(void*);
    int (*device_get)(int*, int);
    int (*device_count)(int*);
    int (*device_attribute)(int*, int, int);
    int (*retain_primary)(void**, int);
    int (*pointer_attribute)(void*, int, std::uint64_t);
    int (*load_library)(void**, const void*, int*, void**, unsigned, int*, void**, unsigned);
    int (*kernel_of_library)(void**, void*, const char*);
    int (*function_of_kernel)(void**, void*);
    int (*set_function_attribute)(void*, int, int);
    int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
    int (*copy_2d)(const CopyIn2D*, void*);
};

class Driver {
public:
    // Loaded once; where that failed, every call says why.
    static const Driver& get();

    [[nodiscard]] const TransposeStatus& status() const { return status_; }
    [[nodiscard]] const DriverCalls& calls() const { return calls_; }

    // The kernels for elements of that size, loaded at the first call. A library in CUDA's sense: good for all contexts.
    TransposeStatus kernel(int element_bytes, const char* name, void** kernel) const;

    [[nodiscard]] TransposeStatus failed(const char* what, int error) const;

private:
    Driver();
    void bind(void* library);
    [[nodiscard]] bool has_old_gpu() const; // whose compute capability is below 7.5

    TransposeStatus status_;
    DriverCalls calls_{};
    mutable std::mutex lock_;
    mutable std::array<void*, 17> libraries_{}; // by the element's bytes
};

// Makes a context current where there is none, for as long as this lives.
class ContextFor {
public:
    ContextFor(const Driver& driver, std::uint64_t address);
    ContextFor(const ContextFor&) = delete;
    ContextFor& operator=(const ContextFor&) = delete;
    ~ContextFor();
    [[nodiscard]] const TransposeStatus& status() const { return status_; }

private:
    void use(int ordinal);

    const Driver& driver_;
    TransposeStatus status_;
    bool set_ = false;
};

} // namespace apod::transposing

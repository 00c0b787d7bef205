// What goes wrong with run-time compilation: a source with an error has a log, and an architecture that there is not is refused.
#include "nvrtc.hpp"

static void broken_source() {
    nvrtcProgram program;
    CHECK(nvrtcCreateProgram(&program, "__global__ void k(int* p) { *p = nonsense; }\n", "broken.cu", 0, nullptr, nullptr));
    const std::string architecture = architecture_flag();
    const char* options[] = {architecture.c_str()};
    EXPECT(nvrtcCompileProgram(program, 1, options) == NVRTC_ERROR_COMPILATION);
    const std::string log = log_of(program);
    EXPECT(log.find("broken.cu(1)") != std::string::npos && log.find("nonsense") != std::string::npos);
    CHECK(nvrtcDestroyProgram(&program));
}

static void unknown_architecture() {
    nvrtcProgram program;
    CHECK(nvrtcCreateProgram(&program, "__global__ void k(int* p) { *p = 1; }\n", "k.cu", 0, nullptr, nullptr));
    const char* options[] = {"--gpu-architecture=compute_12345"};
    EXPECT(nvrtcCompileProgram(program, 1, options) == NVRTC_ERROR_INVALID_OPTION);
    CHECK(nvrtcDestroyProgram(&program));
}

int main() {
    begin();
    broken_source();
    unknown_architecture();
    std::printf("nvrtc_errors: logs say what is wrong\n");
}

// Repeated runs of a whole program, or two programs against each other.
//
//   g++ -std=c++20 -Iinclude examples/measure/time_program.cpp -Lbuild/dev -lapod_measure -o time_program
//   LD_LIBRARY_PATH=build/dev ./time_program /bin/true
#include <apod/measure.hpp>

#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    const std::vector<std::string> program(argv + 1, argv + argc);
    if (program.empty()) {
        std::fputs("usage: time_program PROGRAM [ARGUMENT ...]\n", stderr);
        return 2;
    }
    try {
        std::puts(apod::to_text(apod::measure_program(program)).c_str());
    } catch (const apod::MeasureError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}

// Prints how good the predictions are, as Markdown (docs/results/model_accuracy.md):
//
//   build/dev/tests/differential/model_accuracy
#include "accuracy.hpp"

#include <cstdio>

int main() {
    const auto sets = apod::differential::judged_sets();
    if (!sets) {
        std::fprintf(stderr, "%s\n", apod::to_text(sets.error()).c_str());
        return 1;
    }
    std::fputs(apod::differential::accuracy_text(*sets).c_str(), stdout);
    return 0;
}

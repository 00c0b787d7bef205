#include "emu/forms.hpp"

#include <cstdlib>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace apod::emu {

#ifdef APOD_HAVE_LANES_BASELINE
namespace lanes_baseline {
void add_all_forms(FormTable& table);
}
#endif
#ifdef APOD_HAVE_LANES_V3
namespace lanes_v3 {
void add_all_forms(FormTable& table);
}
#endif
#ifdef APOD_HAVE_LANES_V4
namespace lanes_v4 {
void add_all_forms(FormTable& table);
}
#endif

void FormTable::add(const Form& form) { forms_.insert_or_assign(form.name, form); }

const Form* FormTable::find(std::string_view name) const {
    auto found = forms_.find(std::string(name));
    return found != forms_.end() ? &found->second : nullptr;
}

namespace {

struct Choice {
    std::string_view isa = "none";
    FormTable table;
};

#if defined(__x86_64__)
// clang 14 does not know this feature by name.
bool processor_has_f16c() {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

[[maybe_unused]] bool processor_has_v3() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") && processor_has_f16c();
#else
    return false;
#endif
}

[[maybe_unused]] bool processor_has_v4() {
#if defined(__x86_64__)
    return processor_has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

Choice choose() {
    const char* wish = std::getenv("APOD_LANES");
    const std::string_view wanted = wish != nullptr ? wish : "";
    Choice choice;
#ifdef APOD_HAVE_LANES_V4
    if ((wanted.empty() || wanted == "v4") && processor_has_v4()) {
        choice.isa = "v4";
        lanes_v4::add_all_forms(choice.table);
        return choice;
    }
#endif
#ifdef APOD_HAVE_LANES_V3
    if (wanted != "baseline" && processor_has_v3()) {
        choice.isa = "v3";
        lanes_v3::add_all_forms(choice.table);
        return choice;
    }
#endif
#ifdef APOD_HAVE_LANES_BASELINE
    choice.isa = "baseline";
    lanes_baseline::add_all_forms(choice.table);
#endif
    return choice;
}

const Choice& chosen() {
    static const Choice choice = choose();
    return choice;
}

} // namespace

const FormTable& form_table() { return chosen().table; }
std::string_view lanes_isa() { return chosen().isa; }

} // namespace apod::emu

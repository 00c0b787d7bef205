#include "emu/forms.hpp"

#include <fmt/format.h>

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

// The lane handlers of this build, the best first.
struct Lanes {
    std::string_view isa;
    bool (*run_here)();
    void (*add_all_forms)(FormTable&);
};
const Lanes built[] = {
#ifdef APOD_HAVE_LANES_V4
    {"v4", processor_has_v4, lanes_v4::add_all_forms},
#endif
#ifdef APOD_HAVE_LANES_V3
    {"v3", processor_has_v3, lanes_v3::add_all_forms},
#endif
#ifdef APOD_HAVE_LANES_BASELINE
    {"baseline", [] { return true; }, lanes_baseline::add_all_forms},
#endif
};

std::string_view wish() {
    const char* text = std::getenv("APOD_LANES");
    return text != nullptr ? text : "";
}

Choice choose() {
    Choice choice;
    const std::string_view wanted = wish();
    for (const Lanes& each : built) {
        if (!wanted.empty() && each.isa != wanted) continue;
        if (!each.run_here()) continue;
        choice.isa = each.isa;
        each.add_all_forms(choice.table);
        break;
    }
    return choice;
}

const Choice& chosen() {
    static const Choice choice = choose();
    return choice;
}

} // namespace

const FormTable& form_table() { return chosen().table; }
std::string_view lanes_isa() { return chosen().isa; }

Result<void> check_lanes() {
    if (!form_table().all().empty()) return {};
    std::string all;
    std::string here;
    for (const Lanes& each : built) {
        all += (all.empty() ? "" : ", ") + std::string(each.isa);
        if (each.run_here()) here += (here.empty() ? "" : ", ") + std::string(each.isa);
    }
    constexpr const char* more = "-DAPOD_LANES_ISAS=all builds the emulator for every processor";
    if (here.empty())
        return unavailable(fmt::format("the emulator was built for the instruction set {}, which this processor has not got", all),
                           std::string("build it here; ") + more);
    return unavailable(fmt::format("APOD_LANES asks for the instruction set '{}'; here the emulator has {}", wish(), here),
                       std::string("unset APOD_LANES; ") + more);
}

} // namespace apod::emu

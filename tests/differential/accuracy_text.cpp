// The tables of docs/results/model_accuracy.md.
#include "accuracy.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace apod::differential {

namespace {

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string error_rows(const std::string& name, const std::vector<Judged>& launches) {
    std::string text;
    for (const Quality quality : {Quality::time, Quality::instructions, Quality::l2_sectors, Quality::dram_bytes}) {
        const Errors errors = errors_of(launches, quality);
        if (errors.count == 0) continue;
        text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name, quality_name(quality), errors.count, percent(errors.mean),
                            percent(errors.median), percent(errors.ninth_decile), percent(errors.worst));
    }
    return text;
}

std::vector<Judged> uninformed(const Set& set) {
    std::vector<Judged> launches;
    for (const Judged& launch : set.launches)
        if (!launch.informed) launches.push_back(launch);
    return launches;
}

std::string errors_section(const std::vector<Set>& sets) {
    std::string text =
        "## Errors\n\n| launches of at least 5 us | of | count | mean | median | P90 | worst |\n|---|---|---|---|---|---|---|\n";
    for (const Set& set : sets) {
        text += error_rows(set.name, set.launches);
        const std::vector<Judged> rest = uninformed(set);
        if (rest.size() < set.launches.size()) text += error_rows(set.name + ", without those that informed the model", rest);
    }
    return text;
}

std::string confusion_table(const Set& set) {
    const Confusion confusion = confusion_of(set.launches);
    std::string text = fmt::format("**{}**: {} of {} launches agree ({} with what the record calls the limiter).\n\n| counters say | ",
                                   set.name, percent(agreement(confusion)), set.launches.size(), percent(limiter_agreement(set.launches)));
    for (std::size_t i = 0; i < bound_count; ++i) text += fmt::format("{} | ", bound_name(static_cast<Bound>(i)));
    text += "\n|---|---|---|---|---|---|---|\n";
    for (std::size_t i = 0; i + 1 < bound_count; ++i) { // counters never say atomics
        text += fmt::format("| {} |", bound_name(static_cast<Bound>(i)));
        for (const std::size_t count : confusion[i]) text += count == 0 ? std::string(" |") : fmt::format(" {} |", count);
        text += "\n";
    }
    return text;
}

std::string disagreements(const Set& set) {
    std::string text = "\n| launch | counters say | model says |\n|---|---|---|\n";
    bool any = false;
    for (const Judged& launch : set.launches) {
        if (agree(launch.measured.bound, launch.predicted.bound)) continue;
        any = true;
        text += fmt::format("| {} {} | {} | {} |\n", launch.program, launch.launch, bound_name(launch.measured.bound),
                            bound_name(launch.predicted.bound));
    }
    return any ? text : std::string();
}

std::string rank_section(const std::vector<Set>& sets) {
    std::string text = "## Order\n\n| ladder | launches | Spearman | Kendall |\n|---|---|---|---|\n";
    for (const Set& set : sets) {
        text += fmt::format("| all {} | {} | {:.3f} | {:.3f} |\n", set.name, set.launches.size(), spearman(set.launches),
                            kendall(set.launches));
        double sum = 0;
        const std::vector<Ladder> ladders = ladders_of(set.launches);
        for (const Ladder& ladder : ladders) {
            const double rank = spearman(ladder.launches);
            sum += rank / static_cast<double>(ladders.size());
            text += fmt::format("| {} | {} | {:.3f} | {:.3f} |\n", ladder.name, ladder.launches.size(), rank, kendall(ladder.launches));
        }
        if (!ladders.empty()) text += fmt::format("| mean over the {} ladders of {} | | {:.3f} | |\n", ladders.size(), set.name, sum);
    }
    return text;
}

std::string times_section(const Set& set) {
    std::string text = fmt::format("### {}\n\n| error | predicted (us) | measured (us) | launch |\n|---|---|---|---|\n", set.name);
    for (const Judged& launch : set.launches)
        text += fmt::format("| {} | {:.2f} | {:.2f} | {} {}{} |\n",
                            percent(std::fabs(launch.predicted.time_ns / launch.measured.time_ns - 1)), launch.predicted.time_ns / 1000,
                            launch.measured.time_ns / 1000, launch.program, launch.launch, launch.informed ? " (informed the model)" : "");
    return text;
}

} // namespace

std::string accuracy_text(const std::vector<Set>& sets) {
    std::string text = errors_section(sets) + "\n" + rank_section(sets) + "\n## What limits\n\n";
    for (const Set& set : sets) text += confusion_table(set) + disagreements(set) + "\n";
    text += "## Every launch\n\n";
    for (const Set& set : sets) text += times_section(set) + "\n";
    return text;
}

} // namespace apod::differential

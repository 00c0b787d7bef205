// The scalar video instructions: every type, saturation, second operation and merge, each with some selectors; then every pair of
// selectors.
#include "tests/emu/catalogues.hpp"

#include "tests/emu/reference/scalar_video.hpp"

#include <initializer_list>

namespace apod::emu::testing {

namespace {

using reference::Part;
using reference::Second;
using reference::Video;
using reference::VideoForm;
using reference::VideoMode;

constexpr unsigned part_count = 7;
Part part_of(unsigned n) { return static_cast<Part>(n % part_count); }
std::uint32_t word(std::uint64_t v) { return static_cast<std::uint32_t>(v); }

FormCase case_of(const VideoForm& form) {
    FormCase one;
    one.name = reference::name_of(form);
    if (form.d != Part::whole) one.name += form.d == Part::b1 ? ".b1" : form.d == Part::b3 ? ".b3" : form.d == Part::h0 ? ".h0" : ".h1";
    one.inputs.assign(reference::reads_c(form) ? 3 : 2, Kind::i32);
    one.reference = [form](Values v) {
        return reference::result_of(form, word(v[0]), word(v[1]), reference::reads_c(form) ? word(v[2]) : 0);
    };
    one.code = reference::text_of(form, "{d}", "{a}", "{b}", "{c}");
    return one;
}

// Everything but selectors and what follows the operation.
std::vector<VideoForm> arithmetic() {
    std::vector<VideoForm> list;
    for (const Video operation : {Video::add, Video::sub, Video::absdiff, Video::min, Video::max})
        for (unsigned signs = 0; signs < 8; ++signs)
            for (const bool saturate : {false, true}) {
                VideoForm form;
                form.operation = operation;
                form.signed_d = (signs & 1) != 0;
                form.signed_a = (signs & 2) != 0;
                form.signed_b = (signs & 4) != 0;
                form.saturate = saturate;
                list.push_back(form);
            }
    return list;
}

std::vector<VideoForm> shifts() {
    std::vector<VideoForm> list;
    for (const Video operation : {Video::shl, Video::shr})
        for (unsigned signs = 0; signs < 4; ++signs)
            for (const bool saturate : {false, true})
                for (const VideoMode mode : {VideoMode::clamp, VideoMode::wrap}) {
                    VideoForm form;
                    form.operation = operation;
                    form.mode = mode;
                    form.signed_d = (signs & 1) != 0;
                    form.signed_a = (signs & 2) != 0;
                    form.saturate = saturate;
                    list.push_back(form);
                }
    return list;
}

std::vector<VideoForm> comparisons() {
    std::vector<VideoForm> list;
    for (const VideoMode comparison : {VideoMode::eq, VideoMode::ne, VideoMode::lt, VideoMode::le, VideoMode::gt, VideoMode::ge})
        for (unsigned signs = 0; signs < 4; ++signs) {
            VideoForm form;
            form.operation = Video::set;
            form.mode = comparison;
            form.signed_a = (signs & 1) != 0;
            form.signed_b = (signs & 2) != 0;
            list.push_back(form);
        }
    return list;
}

enum class Extra { nothing, minus_a, minus_b, minus_both, minus_c, plus_one };

std::vector<VideoForm> multiplications() {
    std::vector<VideoForm> list;
    for (unsigned signs = 0; signs < 4; ++signs)
        for (const Extra extra : {Extra::nothing, Extra::minus_a, Extra::minus_b, Extra::minus_both, Extra::minus_c, Extra::plus_one})
            for (const int shift : {0, 7, 15})
                for (const bool saturate : {false, true}) {
                    VideoForm form;
                    form.operation = Video::mad;
                    form.signed_a = (signs & 1) != 0;
                    form.signed_b = (signs & 2) != 0;
                    form.saturate = saturate;
                    form.shift = shift;
                    form.minus_a = extra == Extra::minus_a || extra == Extra::minus_both;
                    form.minus_b = extra == Extra::minus_b || extra == Extra::minus_both;
                    form.minus_c = extra == Extra::minus_c;
                    form.plus_one = extra == Extra::plus_one;
                    list.push_back(form);
                }
    return list;
}

// How an instruction can end: alone, with a second operation, merged into a part of c.
constexpr unsigned ending_count = 10;
VideoForm with_ending(VideoForm form, unsigned n) {
    if (form.operation == Video::mad) return form;
    if (n < 4)
        form.second = static_cast<Second>(n);
    else
        form.d = part_of(n - 3);
    return form;
}

// Selectors change from form to form, so that all kinds meet: a's every time, b's every few times.
void add_cases(Catalogue& list, const std::vector<VideoForm>& forms, unsigned period, std::initializer_list<unsigned> endings) {
    for (unsigned turn = 0; turn < forms.size(); ++turn) {
        VideoForm form = forms[turn];
        form.a = part_of(turn);
        form.b = part_of(turn / period);
        for (const unsigned ending : endings) list.push_back(case_of(with_ending(form, ending)));
    }
}

// All pairs of selectors in one kernel, ten endings in turns; the result is a sum in which each has a factor of its own.
FormCase selectors_case(const VideoForm& form, unsigned turn) {
    constexpr std::uint32_t factor = 0x9e3779b1;
    std::vector<VideoForm> forms;
    for (unsigned pair = 0; pair < part_count * part_count; ++pair) {
        VideoForm one = with_ending(form, (pair + turn) % ending_count);
        one.a = part_of(pair / part_count);
        one.b = part_of(pair);
        forms.push_back(one);
    }
    FormCase all;
    all.name = reference::name_of(form) + " with all selectors";
    all.inputs.assign(3, Kind::i32);
    all.rows = 1024;
    all.before = "mov.u32 %w12, 0;\n";
    for (const VideoForm& one : forms)
        all.before += reference::text_of(one, "%w13", "{a}", "{b}", "{c}") + "\nmad.lo.u32 %w12, %w12, 0x9e3779b1, %w13;\n";
    all.code = "mov.u32 {d}, %w12;";
    all.reference = [forms](Values v) {
        std::uint32_t sum = 0;
        for (const VideoForm& one : forms) sum = sum * factor + reference::result_of(one, word(v[0]), word(v[1]), word(v[2]));
        return std::uint64_t{sum};
    };
    return all;
}

} // namespace

Catalogue scalar_video_cases() {
    Catalogue list;
    const auto endings = {0u, 1u, 2u, 3u, 5u, 8u, 9u, 7u}; // alone, the second operations, .b1, .h0, .h1, .b3
    add_cases(list, arithmetic(), 2, endings);
    add_cases(list, shifts(), 3, endings);
    add_cases(list, comparisons(), 4, endings);
    add_cases(list, multiplications(), 5, {0u});
    return list;
}

Catalogue scalar_video_selector_cases() {
    Catalogue list;
    unsigned turn = 0;
    for (const auto& forms : {arithmetic(), shifts(), comparisons(), multiplications()})
        for (const VideoForm& form : forms) list.push_back(selectors_case(form, turn++));
    return list;
}

} // namespace apod::emu::testing

#include "tests/emu/reference/scalar_video.hpp"

#include <array>

namespace apod::reference {

namespace {

using Word = std::uint32_t;
constexpr Word ones = 0xffffffffu;

// A 64-bit number in two registers.
struct Words {
    Word low = 0;
    Word high = 0;
};

bool is_negative(Word w) { return w >> 31 != 0; }
Word sign_of(Word w) { return is_negative(w) ? ones : 0; } // SHF.R.S32.HI R, RZ, 0x1f, w
Words extended(Word w, bool is_signed) { return {w, is_signed ? sign_of(w) : 0}; }

// PRMT: four selectors, the lowest byte's last; 8 and more repeat the sign of byte 0 to 7.
Word prmt(Word x, unsigned selectors, Word y) {
    Word result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned selector = selectors >> (4 * i) & 15;
        const unsigned from = selector & 7;
        const Word byte = (from < 4 ? x >> (8 * from) : y >> (8 * (from - 4))) & 0xff;
        result |= (selector < 8 ? byte : byte >= 0x80 ? 0xffu : 0u) << (8 * i);
    }
    return result;
}

Word extract(Word w, Part part, bool is_signed) {
    constexpr std::array<unsigned, 7> as_unsigned{0x3210, 0x7770, 0x7771, 0x7772, 0x7773, 0x7710, 0x7732};
    constexpr std::array<unsigned, 7> low_part{0x3210, 0x7650, 0x7651, 0x7652, 0x7653, 0x7610, 0x5432};
    const auto n = static_cast<unsigned>(part);
    if (!is_signed) return prmt(w, as_unsigned.at(n), 0);
    const Word low = prmt(w, low_part.at(n), 0);
    return part == Part::whole ? low : prmt(low, part >= Part::h0 ? 0x9910 : 0x8880, 0);
}

Word merge(Word t, Part part, Word c) {
    constexpr std::array<unsigned, 7> selectors{0x3210, 0x7650, 0x7604, 0x7054, 0x0654, 0x7610, 0x3254};
    return prmt(t, selectors.at(static_cast<unsigned>(part)), c);
}

// IADD3 with a carry out, IADD3.X
Words sum(Words x, Words y, Word carry = 0) {
    Words t{x.low + y.low, x.high + y.high};
    if (t.low < x.low) ++t.high;
    t.low += carry;
    if (t.low < carry) ++t.high;
    return t;
}
Words inverted(Words x) { return {~x.low, ~x.high}; }
Words difference(Words x, Words y) { return sum(x, inverted(y), 1); }

// ISETP.LT.U32 of the lower words, ISETP.LT.EX of the upper ones
bool less(Words x, Words y, bool is_signed) {
    const Word flip = is_signed ? 0x80000000u : 0;
    return (x.high ^ flip) != (y.high ^ flip) ? (x.high ^ flip) < (y.high ^ flip) : x.low < y.low;
}

Word shift_count(const VideoForm& form, Word b) { return form.mode == VideoMode::wrap ? b & 0x1f : b < 0x20 ? b : 0x20; }

// SHF.L.U64.HI and SHF.L.U32; SHF.R.S64 and SHF.R.S32.HI; by 0 to 32
Words left(Words x, Word n) {
    for (Word i = 0; i < n; ++i) x = {x.low << 1, x.high << 1 | x.low >> 31};
    return x;
}
Words right(Words x, Word n, bool is_signed) {
    for (Word i = 0; i < n; ++i) x = {x.low >> 1 | x.high << 31, x.high >> 1 | (is_signed ? x.high & 0x80000000u : 0)};
    return x;
}

bool holds(VideoMode comparison, Words a, Words b) {
    const bool smaller = less(a, b, true);
    const bool larger = less(b, a, true);
    switch (comparison) {
    case VideoMode::eq: return !smaller && !larger;
    case VideoMode::ne: return smaller || larger;
    case VideoMode::lt: return smaller;
    case VideoMode::le: return !larger;
    case VideoMode::gt: return larger;
    default: return !smaller;
    }
}

Words operate(const VideoForm& form, Words a, Words b) {
    const Words d = difference(a, b);
    switch (form.operation) {
    case Video::add: return sum(a, b);
    case Video::sub: return d;
    case Video::absdiff: return is_negative(d.high) ? difference({}, d) : d;
    case Video::min: return less(a, b, true) ? a : b;
    case Video::max: return less(b, a, true) ? a : b;
    case Video::shl: return left(a, shift_count(form, b.low));
    case Video::shr: return right(a, shift_count(form, b.low), true);
    case Video::set: return {holds(form.mode, a, b) ? 1u : 0u, 0};
    case Video::mad: break;
    }
    return {};
}

// A number of 64 bits into 32 signed ones: the upper word must be the lower one's sign.
Word signed_word(Words t) {
    if ((sign_of(t.low) ^ t.high) == 0) return t.low;
    return is_negative(t.high) ? 0x80000000u : 0x7fffffffu;
}
// Into 32 unsigned ones: SEL, SEL, LOP3 0xe0
Word unsigned_word(Words t) {
    const Word keep = is_negative(t.high) ? 0 : ones;
    const Word fill = t.high != 0 ? ones : 0;
    return keep & (fill | t.low);
}

// vabsdiff, vmin and vmax into an unsigned word: ptxas makes the maximum with zero of both words.
bool is_maximum_with_zero(const VideoForm& form) {
    if (form.operation != Video::absdiff && form.operation != Video::min && form.operation != Video::max) return false;
    return form.d == Part::whole && !form.signed_d;
}

Word saturate(const VideoForm& form, Words t) {
    if (form.operation == Video::shl || form.operation == Video::shr) {
        t.high &= 3;
        if ((t.high >> 1) == 1) t.high |= 0xfffffffcu;
        return form.signed_d ? signed_word(t) : unsigned_word(t);
    }
    if (form.d == Part::whole) return form.signed_d ? signed_word(t) : is_negative(t.high) ? 0 : t.low;
    const Word limit = (form.d >= Part::h0 ? 0xffffu : 0xffu) >> (form.signed_d ? 1 : 0);
    const Word low = (t.high != 0 ? ones : 0) | t.low;
    return low > limit ? limit : low;
}

Word combine(const VideoForm& form, Words t, Word c) {
    if (form.second == Second::none) return t.low;
    if (form.second == Second::add) return t.low + c;
    const bool is_signed = form.operation == Video::set ? form.signed_a : form.signed_d;
    const Words other = extended(c, is_signed);
    if (form.second == Second::min) return less(t, other, is_signed) ? t.low : c;
    return less(other, t, is_signed) ? t.low : c;
}

// IMAD.WIDE
Words product(Word a, Word b) {
    const auto wide = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int32_t>(b));
    return {static_cast<Word>(wide), static_cast<Word>(wide >> 32)};
}

Word multiply_add(const VideoForm& form, Word a, Word b, Word c) {
    const bool minus = form.minus_a != form.minus_b;
    const bool is_signed = form.signed_a || form.signed_b || minus || form.minus_c;
    Words t = product(a, b);
    if (minus) t = inverted(t);
    t = sum(t, extended(form.minus_c ? ~c : c, true), minus || form.minus_c || form.plus_one ? 1 : 0);
    t = right(t, static_cast<Word>(form.shift), is_signed);
    if (!form.saturate) return t.low;
    return is_signed ? signed_word(t) : unsigned_word(t);
}

const char* type_of(bool is_signed) { return is_signed ? ".s32" : ".u32"; }

std::string operand(const std::string& name, Part part, bool minus = false) {
    constexpr std::array<const char*, 7> selectors{"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
    return (minus ? "-" : "") + name + selectors.at(static_cast<unsigned>(part));
}

} // namespace

bool reads_c(const VideoForm& form) { return form.operation == Video::mad || form.d != Part::whole || form.second != Second::none; }

std::string name_of(const VideoForm& form) {
    constexpr std::array<const char*, 9> operations{"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vset", "vmad"};
    constexpr std::array<const char*, 9> modes{"", ".clamp", ".wrap", ".eq", ".ne", ".lt", ".le", ".gt", ".ge"};
    constexpr std::array<const char*, 4> seconds{"", ".add", ".min", ".max"};
    std::string name = operations.at(static_cast<unsigned>(form.operation));
    const bool mad = form.operation == Video::mad;
    if (form.operation != Video::set) name += type_of(mad ? form.signed_a || form.signed_b : form.signed_d);
    name += type_of(form.signed_a);
    name += type_of(form.signed_b);
    if (form.plus_one) name += ".po";
    if (form.saturate) name += ".sat";
    if (form.shift != 0) name += ".shr" + std::to_string(form.shift);
    name += modes.at(static_cast<unsigned>(form.mode));
    return name + seconds.at(static_cast<unsigned>(form.second));
}

std::string text_of(const VideoForm& form, const std::string& d, const std::string& a, const std::string& b, const std::string& c) {
    std::string text =
        name_of(form) + " " + operand(d, form.d) + ", " + operand(a, form.a, form.minus_a) + ", " + operand(b, form.b, form.minus_b);
    if (reads_c(form)) text += ", " + operand(c, Part::whole, form.minus_c);
    return text + ";";
}

std::uint32_t result_of(const VideoForm& form, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const Word of_a = extract(a, form.a, form.signed_a);
    const Word of_b = extract(b, form.b, form.signed_b);
    if (form.operation == Video::mad) return multiply_add(form, of_a, of_b, c);
    Words t = operate(form, extended(of_a, form.signed_a), extended(of_b, form.signed_b));
    if (form.saturate && is_maximum_with_zero(form))
        t = is_negative(t.high) ? Words{} : t;
    else if (form.saturate)
        t = extended(saturate(form, t), true);
    else if (form.operation == Video::add || form.operation == Video::sub)
        t = extended(t.low, true); // its upper word is never made
    return form.d == Part::whole ? combine(form, t, c) : merge(t.low, form.d, c);
}

} // namespace apod::reference

// A fuzzer for compilers without libFuzzer: GCC's -fsanitize-coverage=trace-pc calls us at every edge, and an input that takes a new one
// joins the corpus in memory. It understands the few options of libFuzzer that tools/fuzz.sh gives.
// usage: <target> [-max_total_time=SECONDS] [-artifact_prefix=PATH] FILE_OR_FOLDER...      (new inputs go into the first folder)
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;
using Clock = std::chrono::steady_clock;

constexpr std::size_t edge_count = 1 << 17;
constexpr std::size_t longest_input = 1 << 16;
constexpr unsigned slowest_s = 20;
std::uint8_t seen_now[edge_count];
std::uint8_t seen_before[edge_count];
thread_local std::uintptr_t last_place = 0;

const Bytes* current = nullptr;
char crash_file[4096] = "crash-input";

// Only what is safe in a signal handler.
void keep_current() {
    if (current == nullptr) return;
    const int file = ::open(crash_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0 || ::write(file, current->data(), current->size()) < 0) return;
    ::close(file);
    constexpr std::string_view note = "fuzz: the input is kept in ";
    (void)!::write(STDERR_FILENO, note.data(), note.size());
    (void)!::write(STDERR_FILENO, crash_file, std::strlen(crash_file));
    (void)!::write(STDERR_FILENO, "\n", 1);
}

void on_signal(int signal) {
    keep_current();
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    [[nodiscard]] std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

    [[nodiscard]] Bytes mutate(const std::vector<Bytes>& corpus) {
        Bytes bytes = corpus[below(corpus.size())];
        for (std::size_t steps = std::size_t{1} << below(4); steps > 0; --steps) {
            const Bytes& other = corpus[below(corpus.size())];
            switch (below(8)) {
            case 0: flip(bytes); break;
            case 1: put_number(bytes); break;
            case 2: remove(bytes); break;
            case 3: repeat(bytes); break;
            case 4: splice(bytes, other); break;
            case 5: replace_digits(bytes); break;
            case 6: insert(bytes, Bytes(1 + below(8), static_cast<std::uint8_t>(below(256)))); break;
            default: bytes.resize(below(bytes.size() + 1) < bytes.size() / 8 ? below(bytes.size() + 1) : bytes.size()); break;
            }
        }
        if (bytes.size() > longest_input) bytes.resize(longest_input);
        return bytes;
    }

private:
    void flip(Bytes& bytes) {
        if (bytes.empty()) return;
        std::uint8_t& byte = bytes[below(bytes.size())];
        byte = below(2) != 0 ? static_cast<std::uint8_t>(byte ^ (1u << below(8))) : static_cast<std::uint8_t>(below(256));
    }
    // Numbers at the borders of their types, in place of 1 to 8 bytes.
    void put_number(Bytes& bytes) {
        constexpr std::array<std::uint64_t, 10> borders = {
            0, 1, ~0ull, 0x7f, 0x80, 0x7fff, 0x7fffffff, 0x80000000, 0x7fffffffffffffff, 1ull << 63};
        const std::uint64_t value = borders[below(borders.size())] + below(3) - 1;
        const std::size_t width = std::size_t{1} << below(4);
        if (bytes.size() >= width) std::memcpy(bytes.data() + below(bytes.size() - width + 1), &value, width);
    }
    void remove(Bytes& bytes) {
        const std::size_t from = below(bytes.size());
        const std::size_t count = below(std::min<std::size_t>(bytes.size() - from, 64) + 1);
        bytes.erase(at(bytes, from), at(bytes, from + count));
    }
    void insert(Bytes& bytes, const Bytes& what) { bytes.insert(at(bytes, below(bytes.size() + 1)), what.begin(), what.end()); }
    void repeat(Bytes& bytes) {
        const std::size_t from = below(bytes.size());
        Bytes part(at(bytes, from), at(bytes, from + below(std::min<std::size_t>(bytes.size() - from, 64) + 1)));
        for (std::size_t times = 1 + below(below(20) == 0 ? 200 : 3); times > 0; --times) insert(bytes, part);
    }
    void splice(Bytes& bytes, const Bytes& other) {
        const std::size_t from = below(other.size());
        const std::size_t count = below(std::min<std::size_t>(other.size() - from, 256) + 1);
        insert(bytes, Bytes(other.begin() + static_cast<std::ptrdiff_t>(from), other.begin() + static_cast<std::ptrdiff_t>(from + count)));
    }
    // A number in a text, in place of another.
    void replace_digits(Bytes& bytes) {
        constexpr std::array<std::string_view, 14> numbers = {
            "0",           "-1",   "1e999", "-1e-999", "nan",        "2147483648", "4294967296",
            "-2147483649", "1e18", "1e308", "0x7fff",  "1000000000", "null",       "18446744073709551616"};
        const auto is_digit = [](std::uint8_t byte) { return byte >= '0' && byte <= '9'; };
        const auto begin = std::find_if(at(bytes, below(bytes.size())), bytes.end(), is_digit);
        const auto end = std::find_if_not(begin, bytes.end(), is_digit);
        if (begin == end) return;
        const std::string_view number = numbers[below(numbers.size())];
        const auto place = bytes.erase(begin, end);
        bytes.insert(place, number.begin(), number.end());
    }
    static Bytes::iterator at(Bytes& bytes, std::size_t index) { return bytes.begin() + static_cast<std::ptrdiff_t>(index); }

    std::mt19937_64 random_;
};

// True: the input went where none had been.
bool runs_into_something_new(const Bytes& input) {
    std::memset(seen_now, 0, sizeof seen_now);
    last_place = 0;
    current = &input;
    ::alarm(slowest_s);
    const Bytes exact(input); // no room behind the last byte
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
    ::alarm(0);
    bool any = false;
    for (std::size_t i = 0; i < edge_count; i += sizeof(std::uint64_t)) {
        std::uint64_t now = 0;
        std::memcpy(&now, seen_now + i, sizeof now);
        if (now == 0) continue; // nearly everywhere
        for (std::size_t each = i; each < i + sizeof now; ++each) {
            any = any || (seen_now[each] & ~seen_before[each]) != 0;
            seen_before[each] |= seen_now[each];
        }
    }
    return any;
}

void read_folder(const fs::path& path, std::vector<Bytes>& corpus) {
    const auto read = [&](const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    };
    if (!fs::is_directory(path)) return read(path);
    for (const auto& entry : fs::recursive_directory_iterator(path))
        if (entry.is_regular_file()) read(entry.path());
}

void keep(const fs::path& folder, const Bytes& input) {
    const std::size_t name = std::hash<std::string_view>()({reinterpret_cast<const char*>(input.data()), input.size()});
    std::ofstream(folder / std::to_string(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
}

} // namespace

// Called by the code under test at every edge.
extern "C" void __sanitizer_cov_trace_pc() {
    const auto place = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    std::uint8_t& seen = seen_now[((place >> 1) ^ last_place * 31) % edge_count];
    seen = static_cast<std::uint8_t>(seen == 0 ? 1 : seen | (seen << 1)); // bits: once, twice, ..., eight times and more
    last_place = place >> 2;
}

int main(int argc, char** argv) {
    double seconds = 30;
    std::string prefix;
    std::vector<Bytes> corpus;
    fs::path folder;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.starts_with("-max_total_time="))
            seconds = std::atof(argv[i] + 16);
        else if (argument.starts_with("-artifact_prefix="))
            prefix = argument.substr(17);
        else if (!argument.starts_with("-")) {
            read_folder(argument, corpus);
            if (folder.empty() && fs::is_directory(argument)) folder = argument;
        }
    }
    const std::uint64_t seed = std::random_device()();
    const std::string name = prefix + "crash-" + fs::path(argv[0]).filename().string() + "-" + std::to_string(seed);
    std::snprintf(crash_file, sizeof crash_file, "%s", name.c_str());
    if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(keep_current);
    for (const int signal : {SIGABRT, SIGILL, SIGTRAP, SIGALRM}) ::signal(signal, on_signal);
    if (corpus.empty()) corpus.emplace_back();
    const std::size_t given = corpus.size();
    for (const Bytes& input : corpus) (void)runs_into_something_new(input);
    Mutator mutator(seed);
    std::uint64_t runs = 0;
    for (const auto end = Clock::now() + std::chrono::duration<double>(seconds); Clock::now() < end; ++runs) {
        Bytes input = mutator.mutate(corpus);
        if (!runs_into_something_new(input)) continue;
        if (!folder.empty()) keep(folder, input);
        corpus.push_back(std::move(input));
    }
    const auto edges = edge_count - static_cast<std::size_t>(std::count(std::begin(seen_before), std::end(seen_before), 0));
    std::fprintf(stderr, "%s: seed %llu, %llu runs, %zu inputs and %zu more, %zu edges\n", argv[0], static_cast<unsigned long long>(seed),
                 static_cast<unsigned long long>(runs), given, corpus.size() - given, edges);
    return 0;
}

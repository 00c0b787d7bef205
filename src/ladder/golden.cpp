#include "ladder/golden.hpp"

#include "ladder/reference.hpp"

#include <fmt/format.h>

namespace apod::ladder {

Result<std::vector<HostBuffer>> golden_from_reference(const Ladder& ladder, const Environment& parameters,
                                                      const std::vector<HostBuffer>& host) {
    const Reference reference = find_reference(ladder.golden.name);
    if (reference == nullptr) return internal_error("a ladder with an unknown reference passed its checks");
    std::vector<HostBuffer> golden = host;
    if (Result<void> computed = reference(golden, parameters); !computed) {
        Diagnostic error = computed.error();
        if (error.where.file.empty()) error.where = ladder.golden.where;
        return error;
    }
    for (HostBuffer& buffer : golden) {
        const bool compared = buffer.role == Role::out || buffer.role == Role::inout;
        if (!compared) buffer.bytes = {};
        if (compared && buffer.bytes.size() != buffer.size_bytes()) {
            return bad_input(ladder.golden.where,
                             fmt::format("the reference '{}' does not compute the buffer '{}'", ladder.golden.name, buffer.name),
                             "give the buffer role = \"work\", or take the golden result from a rung");
        }
    }
    return golden;
}

Result<std::vector<HostBuffer>> golden_from_files(const Ladder& ladder, const std::vector<HostBuffer>& host) {
    std::vector<HostBuffer> golden;
    for (const HostBuffer& buffer : host) {
        HostBuffer& result = golden.emplace_back(HostBuffer{buffer.name, buffer.type, buffer.role, buffer.shape, {}, {}});
        const auto path = ladder.golden.files.find(buffer.name);
        if (path == ladder.golden.files.end()) continue;
        Buffer from_file;
        from_file.name = buffer.name;
        from_file.initial.fill = Fill::file;
        from_file.initial.path = path->second;
        from_file.initial.where = ladder.golden.where;
        if (Result<void> read = initialise(from_file, {}, {}, ladder.origin, result); !read) return read.error();
    }
    return golden;
}

} // namespace apod::ladder

#include "recording.hpp"

#include <cstdlib>
#include <fstream>

namespace apod::differential {

namespace {

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else if (c != '\r')
            fields.back() += c;
    }
    return fields;
}

} // namespace

std::vector<Row> read_recording(const std::string& path) {
    std::ifstream file(std::string(APOD_SOURCE_DIR) + "/tests/replay/" + path);
    std::string line;
    if (!std::getline(file, line)) return {};
    const std::vector<std::string> names = split(line);
    std::vector<Row> rows;
    while (std::getline(file, line)) {
        const std::vector<std::string> fields = split(line);
        Row row;
        for (std::size_t i = 0; i < names.size() && i < fields.size(); ++i) row[names[i]] = fields[i];
        rows.push_back(std::move(row));
    }
    return rows;
}

double number(const Row& row, const std::string& column) {
    const auto found = row.find(column);
    return found == row.end() ? 0 : std::strtod(found->second.c_str(), nullptr);
}

} // namespace apod::differential

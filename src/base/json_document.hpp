// A JSON document that apod wrote and reads again: recordings of climbs, devices and transfers.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apod {

// "schema" of what --json writes (docs/schema/apod-<number>.schema.json).
inline constexpr int json_schema = 1;

// Bad input with `hint`: another version's document, or an object that has a key twice: which of the two holds nobody can know. What is no
// JSON, or has no schema, is the library's exception, as for all else that the reader misses in the document.
template<class Json> Result<Json> parse_document(std::string_view text, const std::string& file, const std::string& hint) {
    std::vector<std::set<std::string>> keys; // of the objects that are open
    std::string twice;
    Json json = Json::parse(text, [&](int, typename Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key && !keys.back().insert(parsed.template get<std::string>()).second)
            twice = parsed.template get<std::string>();
        return true;
    });
    if (!twice.empty()) return bad_input({file, 0, 0}, "the key '" + twice + "' is there twice in one object", hint);
    const Json& schema = json.at("schema");
    if (!schema.is_number_integer() || schema.template get<std::int64_t>() != json_schema)
        return bad_input({file, 0, 0},
                         "it was written by another version of apod: its schema is " + schema.dump().substr(0, 20) +
                             ", and this one reads " + std::to_string(json_schema),
                         hint);
    return json;
}

} // namespace apod

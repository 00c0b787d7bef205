// Names of forms put together from parts: Name("max", ".ftz", ".f32"). The table copies names, so a local buffer serves.
#pragma once

namespace apod::emu::APOD_LANES {

struct Name {
    char text[64];
    template<class... Parts> explicit Name(const Parts&... parts) {
        unsigned at = 0;
        (append(parts, at), ...);
        text[at] = 0;
    }
    operator const char*() const { return text; }

private:
    void append(const char* part, unsigned& at) {
        for (; *part != 0 && at + 1 < sizeof(text); ++part) text[at++] = *part;
    }
};

} // namespace apod::emu::APOD_LANES

// Linking PTX at run time. What cuLinkComplete gives in place of a cubin holds the PTX of all units, and loading it links them again.
#include "runtime/core/load.hpp"
#include "runtime/cuda/call.hpp"

#include <memory>
#include <set>
#include <string>

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

enum Input : int { cubin = 0, ptx = 1, fatbin = 2, object = 3, library = 4, intermediate = 5 };

struct Link {
    explicit Link(JitLog log_of_link) : log(std::move(log_of_link)) {}
    JitLog log;
    std::vector<PtxUnit> units;
    std::vector<std::byte> image;
};

std::set<Link*>& links() {
    static auto& all = *new std::set<Link*>;
    return all;
}

template<class Body> Error link_call(Link* link, const Body& body) {
    return call([&](Runtime& runtime, Context&) { return links().contains(link) ? body(runtime) : invalid_handle; });
}

Error refuse(Link& link, int type) {
    const char* what = type == object         ? "an object file"
                       : type == library      ? "a library of object files"
                       : type == intermediate ? "intermediate code"
                                              : "an input of an unknown type";
    link.log.error(apod::bad_input({}, std::string("the emulated linker does not take ") + what, "give it PTX or a fatbin with PTX"));
    return type >= object && type <= intermediate ? Error::not_supported : Error::invalid_value;
}

// A unit that does not parse is refused when it is added.
Error add(Runtime& runtime, Link& link, std::span<const std::byte> data, const std::string& name) {
    std::vector<PtxUnit> units;
    apod::Diagnostic why;
    if (const Error error = read_image(data, runtime.gpu(), name, units, why); error != Error::success) {
        link.log.error(why);
        return error;
    }
    for (PtxUnit& unit : units) {
        if (const auto parsed = apod::ptx::parse(unit.text, unit.name); !parsed) {
            link.log.error(parsed.error());
            return Error::invalid_ptx;
        }
        link.units.push_back(std::move(unit));
    }
    return Error::success;
}

// Links, and prepares every kernel, so that what is not defined shows now.
Error check(Runtime& runtime, Link& link) {
    Module* module = nullptr;
    if (const Error error = load(runtime, link.units, module, link.log); error != Error::success) return error;
    std::shared_ptr<const apod::emu::Image> image;
    Error error = image_of(runtime, module, image);
    for (const apod::ptx::Function& function : image->module().functions) {
        if (!function.is_entry || error != Error::success) continue;
        const auto lowered = apod::emu::lower(image, function.name);
        if (lowered) continue;
        link.log.error(lowered.error());
        error = Error::invalid_ptx;
    }
    runtime.remove_module(module);
    return error;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuLinkCreate_v2(unsigned count, const int* options, void** values, Link** link) {
    if (link == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime&, Context&) {
        *link = new Link(JitLog(count, options, values));
        links().insert(*link);
        return Error::success;
    });
}

Error cuLinkAddData_v2(Link* link, int type, const void* data, std::size_t bytes, const char* name, unsigned, const int*, void**) {
    return link_call(link, [&](Runtime& runtime) {
        if (data == nullptr) return Error::invalid_value;
        if (type < cubin || type > fatbin) return refuse(*link, type);
        const std::string unit = name != nullptr && *name != '\0' ? name : "input " + std::to_string(link->units.size() + 1);
        return add(runtime, *link, {static_cast<const std::byte*>(data), bytes}, unit);
    });
}

Error cuLinkAddFile_v2(Link* link, int type, const char* path, unsigned, const int*, void**) {
    return link_call(link, [&](Runtime& runtime) {
        if (path == nullptr) return Error::invalid_value;
        if (type < cubin || type > fatbin) return refuse(*link, type);
        std::vector<PtxUnit> units;
        const Error error = units_of_file(runtime, path, units, link->log);
        for (PtxUnit& unit : units) link->units.push_back(std::move(unit));
        return error;
    });
}

Error cuLinkComplete(Link* link, void** image, std::size_t* bytes) {
    return link_call(link, [&](Runtime& runtime) {
        if (image == nullptr || link->units.empty()) return Error::invalid_value;
        if (const Error error = check(runtime, *link); error != Error::success) return error;
        link->log.info("linked " + std::to_string(link->units.size()) + " units of PTX");
        link->image = link_image(link->units);
        *image = link->image.data();
        if (bytes != nullptr) *bytes = link->image.size();
        return Error::success;
    });
}

Error cuLinkDestroy(Link* link) {
    return global_call([&](Runtime&) {
        if (links().erase(link) == 0) return invalid_handle;
        delete link;
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop

// A kernel made ready to run: ops with resolved operands, basic blocks, and the tables that the model and messages need.
#pragma once

#include "base/result.hpp"
#include "emu/memory.hpp"
#include "ptx/control_flow.hpp"
#include "ptx/module.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace apod::emu {

// A loaded module: its module-scope variables placed in device memory and initialised.
class Image {
public:
    // Unresolved externs and initialisers that do not fit are bad_input errors with the PTX place.
    static Result<std::shared_ptr<const Image>> load(std::shared_ptr<const ptx::Module> module, DeviceMemory& memory);
    ~Image(); // frees the variables

    [[nodiscard]] const ptx::Module& module() const { return *module_; }
    [[nodiscard]] const std::shared_ptr<const ptx::Module>& module_ptr() const { return module_; }
    // Device address of a module-scope variable of const or global space; 0 when there is none of that name.
    [[nodiscard]] DeviceAddress address_of(std::string_view variable) const;

private:
    Image() = default;
    std::shared_ptr<const ptx::Module> module_;
    DeviceMemory* memory_ = nullptr;
    std::unordered_map<std::string_view, DeviceAddress> addresses_;
};

// What kind of unit an op keeps busy; the model maps these to pipes.
enum class OpClass : std::uint8_t {
    move,
    int_add,
    int_mul,
    logic,
    compare,
    select,
    popc,
    convert,
    convert64,
    fp16,
    fp32,
    fp32_div,
    fp32_sqrt,
    fp64,
    fp64_div,
    fp64_sqrt,
    special,
    int_div,
    shuffle,
    vote,
    load_param,
    load_global,
    store_global,
    load_shared,
    store_shared,
    load_local,
    store_local,
    load_constant,
    load_generic,
    store_generic,
    atomic_global,
    atomic_shared,
    atomic_generic,
    async_copy,
    barrier,
    branch,
    exit,
    call,
    texture,
    matrix,
    fence,
    other
};

// Static facts of one op, one for each PTX instruction that can execute.
struct OpInfo {
    const ptx::Function* function = nullptr; // the kernel, or a function that it may call
    std::uint32_t instruction = 0;           // index into its instructions
    std::uint32_t block = 0;                 // index into Program::flow.blocks; those of called functions count on from there
    OpClass op_class = OpClass::other;
    std::uint32_t bytes = 0;            // memory ops: per lane
    std::uint32_t location = ptx::none; // index into Module::locations
};

struct Parameter {
    std::string_view name;
    ptx::Type type = ptx::Type::none;
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
    bool pointer = false;
};

struct Code; // the lowered form, private to src/emu

struct Program {
    std::shared_ptr<const Image> image;
    const ptx::Function* function = nullptr;
    ptx::ControlFlow flow;
    ptx::Liveness live;
    std::vector<OpInfo> ops;
    std::vector<Parameter> parameters;
    std::uint32_t parameter_bytes = 0;
    std::uint32_t static_shared_bytes = 0;
    std::uint32_t local_bytes = 0;        // per thread, of the kernel itself
    std::uint32_t registers_estimate = 0; // per thread, as ptxas might allocate: from liveness
    bool uses_dynamic_shared = false;
    std::shared_ptr<const Code> code;

    [[nodiscard]] std::string_view name() const { return function->name; }
    // The innermost source line of an op; nullptr without -lineinfo.
    [[nodiscard]] const ptx::SourceLocation* source(std::uint32_t op) const;
};

// Prepares a kernel. Errors: no such kernel (lists those there are), an instruction that cannot run (named, with PTX file:line:column).
Result<std::shared_ptr<const Program>> lower(std::shared_ptr<const Image> image, std::string_view kernel);

} // namespace apod::emu

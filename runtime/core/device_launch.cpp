#include "runtime/core/device_launch.hpp"

#include "emu/code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace apod::runtime {
namespace {

constexpr std::uint32_t most_pending = 4096;
constexpr std::uint64_t copy_call = 1; // no function's handle
constexpr std::uint64_t fill_call = 2;
constexpr std::size_t parameter_bytes = 4096; // the most that a kernel launched by a kernel takes

// As the PTX below writes it.
struct Entry {
    std::uint64_t kernel; // the handle of its function
    std::uint32_t grid[3];
    std::uint32_t block[3];
    std::uint32_t dynamic_shared_bytes;
    std::uint32_t launched; // 0: only its parameters were asked for
    std::uint64_t from_block;
    std::uint64_t stream;
    std::uint64_t unused;
    std::byte parameters[parameter_bytes];
};
static_assert(sizeof(Entry) == 64 + parameter_bytes && offsetof(Entry, from_block) == 40);

// Takes an entry, fills in all but the parameters, gives their address; null where there is no room.
constexpr const char* parameter_buffer = R"(
.visible .func (.param .b64 result) __cudaCDP2GetParameterBufferV2
    (.param .b64 kernel, .param .align 4 .b8 grid[12], .param .align 4 .b8 block[12], .param .b32 shared)
{{
    .reg .pred %p<2>;
    .reg .b32 %r<16>;
    .reg .b64 %rd<12>;
    atom.global.add.u32 %r1, [__apod_launch_count], 1;
    setp.ge.u32 %p1, %r1, {most};
    @%p1 bra FULL;
    mov.u64 %rd1, __apod_launches;
    mul.wide.u32 %rd2, %r1, {bytes};
    add.s64 %rd3, %rd1, %rd2;
    ld.param.b64 %rd4, [kernel];
    st.global.b64 [%rd3], %rd4;
    ld.param.b32 %r2, [grid];
    ld.param.b32 %r3, [grid+4];
    ld.param.b32 %r4, [grid+8];
    ld.param.b32 %r5, [block];
    ld.param.b32 %r6, [block+4];
    ld.param.b32 %r7, [block+8];
    ld.param.b32 %r8, [shared];
    st.global.b32 [%rd3+8], %r2;
    st.global.b32 [%rd3+12], %r3;
    st.global.b32 [%rd3+16], %r4;
    st.global.b32 [%rd3+20], %r5;
    st.global.b32 [%rd3+24], %r6;
    st.global.b32 [%rd3+28], %r7;
    st.global.b32 [%rd3+32], %r8;
    st.global.b32 [%rd3+36], 0;
    mov.u32 %r9, %ctaid.x;
    mov.u32 %r10, %ctaid.y;
    mov.u32 %r11, %ctaid.z;
    mov.u32 %r12, %nctaid.x;
    mov.u32 %r13, %nctaid.y;
    cvt.u64.u32 %rd5, %r11;
    cvt.u64.u32 %rd6, %r13;
    cvt.u64.u32 %rd7, %r10;
    mad.lo.u64 %rd8, %rd5, %rd6, %rd7;
    cvt.u64.u32 %rd9, %r12;
    cvt.u64.u32 %rd10, %r9;
    mad.lo.u64 %rd11, %rd8, %rd9, %rd10;
    st.global.b64 [%rd3+40], %rd11;
    add.s64 %rd3, %rd3, 64;
    st.param.b64 [result], %rd3;
    ret;
FULL:
    mov.u64 %rd3, 0;
    st.param.b64 [result], %rd3;
    ret;
}}
)";

// Every launch is made: streams and events order them, and the order of the list keeps every such order.
constexpr const char* launch = R"(
.visible .func (.param .b32 result) {name} (.param .b64 buffer, .param .b64 stream)
{{
    .reg .b32 %r<2>;
    .reg .b64 %rd<3>;
    ld.param.b64 %rd1, [buffer];
    ld.param.b64 %rd2, [stream];
    st.b64 [%rd1+-16], %rd2;
    st.b32 [%rd1+-28], 1;
    mov.u32 %r1, 0;
    st.param.b32 [result], %r1;
    ret;
}}
)";

// cudaMemcpyAsync and cudaMemsetAsync of a kernel: entries in the same list, in their order, with the call in place of the kernel.
constexpr const char* copy_or_fill = R"(
.visible .func (.param .b32 result) {name}
    (.param .b64 to, .param .{type} what, .param .b64 bytes{kind}, .param .b64 stream)
{{
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<8>;
    .param .b64 call;
    .param .align 4 .b8 grid[12];
    .param .align 4 .b8 block[12];
    .param .b32 shared;
    .param .b64 entry;
    .param .b64 launched;
    .param .b64 order;
    .param .b32 status;
    mov.u64 %rd1, {call};
    mov.u32 %r1, 1;
    st.param.b64 [call], %rd1;
    st.param.b32 [grid], %r1;
    st.param.b32 [grid+4], %r1;
    st.param.b32 [grid+8], %r1;
    st.param.b32 [block], %r1;
    st.param.b32 [block+4], %r1;
    st.param.b32 [block+8], %r1;
    st.param.b32 [shared], %r1;
    call.uni (entry), __cudaCDP2GetParameterBufferV2, (call, grid, block, shared);
    ld.param.b64 %rd2, [entry];
    setp.eq.s64 %p1, %rd2, 0;
    @%p1 bra FULL;
    ld.param.b64 %rd3, [to];
    ld.param.{type} %{register}, [what];
    ld.param.b64 %rd5, [bytes];
    ld.param.b64 %rd6, [stream];
    st.b64 [%rd2], %rd3;
    st.{type} [%rd2+8], %{register};
    st.b64 [%rd2+16], %rd5;
    st.param.b64 [launched], %rd2;
    st.param.b64 [order], %rd6;
    call.uni (status), __cudaCDP2LaunchDeviceV2, (launched, order);
FULL:
    mov.u32 %r1, 0;
    st.param.b32 [result], %r1;
    ret;
}}
)";

// The handle is the address of the condition's value.
constexpr const char* set_condition = R"(
.visible .func cudaGraphSetConditional (.param .b64 handle, .param .b32 value)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    ld.param.b64 %rd1, [handle];
    ld.param.b32 %r1, [value];
    st.b32 [%rd1], %r1;
    ret;
}
)";

// Makes a stream or an event: any handle will do.
constexpr const char* make_handle = R"(
.visible .func (.param .b32 result) {name} (.param .b64 handle, .param .b32 flags)
{{
    .reg .b32 %r<2>;
    .reg .b64 %rd<3>;
    ld.param.b64 %rd1, [handle];
    mov.u64 %rd2, 64;
    st.b64 [%rd1], %rd2;
    mov.u32 %r1, 0;
    st.param.b32 [result], %r1;
    ret;
}}
)";

// What has nothing to do gives cudaSuccess.
constexpr const char* succeed = R"(
.visible .func (.param .b32 result) {name} ({parameters})
{{
    .reg .b32 %r<2>;
    mov.u32 %r1, 0;
    st.param.b32 [result], %r1;
    ret;
}}
)";

// cudaMalloc and cudaFree in kernels: memory of the device's heap, as their manual has it.
constexpr const char* heap = R"(
.extern .func (.param .b64 result) malloc (.param .b64 bytes);
.extern .func free (.param .b64 address);
.visible .func (.param .b32 result) __cudaCDP2Malloc (.param .b64 pointer, .param .b64 bytes)
{
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<4>;
    .param .b64 asked;
    .param .b64 given;
    ld.param.b64 %rd1, [bytes];
    st.param.b64 [asked], %rd1;
    call.uni (given), malloc, (asked);
    ld.param.b64 %rd2, [given];
    ld.param.b64 %rd3, [pointer];
    st.b64 [%rd3], %rd2;
    setp.eq.s64 %p1, %rd2, 0;
    selp.b32 %r1, 2, 0, %p1;
    st.param.b32 [result], %r1;
    ret;
}
.visible .func (.param .b32 result) __cudaCDP2Free (.param .b64 pointer)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    .param .b64 freed;
    ld.param.b64 %rd1, [pointer];
    st.param.b64 [freed], %rd1;
    call.uni free, (freed);
    mov.u32 %r1, 0;
    st.param.b32 [result], %r1;
    ret;
}
)";

// Of the errors that these functions give there are two: none, and memory that is not there.
constexpr const char* error_words = R"(
.visible .func (.param .b64 result) {name} (.param .b32 error)
{{
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<4>;
    ld.param.b32 %r1, [error];
    mov.u64 %rd1, {none};
    mov.u64 %rd2, {memory};
    setp.eq.s32 %p1, %r1, 0;
    selp.b64 %rd3, %rd1, %rd2, %p1;
    st.param.b64 [result], %rd3;
    ret;
}}
)";

// `.global .b8 name[] = {{bytes}}`, ended by a zero.
std::string ptx_text(const char* name, const char* words) {
    std::string bytes;
    for (const char* c = words; *c != '\0'; ++c) bytes += fmt::format("{}, ", static_cast<int>(*c));
    return fmt::format(".visible .global .align 1 .b8 {}[{}] = {{{}0}};\n", name, std::strlen(words) + 1, bytes);
}

} // namespace

bool calls_device_runtime(std::string_view ptx) {
    return ptx.find("__cudaCDP2") != std::string_view::npos || ptx.find("cudaGraphSetConditional") != std::string_view::npos;
}

std::string device_launch_ptx() {
    std::string text = ".version 7.0\n.target sm_50\n.address_size 64\n.visible .global .align 4 .u32 __apod_launch_count;\n";
    text += fmt::format(".visible .global .align 16 .b8 __apod_launches[{}];\n", most_pending * sizeof(Entry));
    text += fmt::format(fmt::runtime(parameter_buffer), fmt::arg("most", most_pending), fmt::arg("bytes", sizeof(Entry)));
    text += heap;
    text += set_condition;
    for (const char* name : {"__cudaCDP2LaunchDeviceV2", "__cudaCDP2LaunchDeviceV2_ptsz"})
        text += fmt::format(fmt::runtime(launch), fmt::arg("name", name));
    for (const char* name : {"__cudaCDP2MemcpyAsync", "__cudaCDP2MemcpyAsync_ptsz"})
        text += fmt::format(fmt::runtime(copy_or_fill), fmt::arg("name", name), fmt::arg("type", "b64"),
                            fmt::arg("kind", ", .param .b32 kind"), fmt::arg("call", copy_call), fmt::arg("register", "rd4"));
    for (const char* name : {"__cudaCDP2MemsetAsync", "__cudaCDP2MemsetAsync_ptsz"})
        text += fmt::format(fmt::runtime(copy_or_fill), fmt::arg("name", name), fmt::arg("type", "b32"), fmt::arg("kind", ""),
                            fmt::arg("call", fill_call), fmt::arg("register", "r1"));
    for (const char* name : {"__cudaCDP2StreamCreateWithFlags", "__cudaCDP2EventCreateWithFlags"})
        text += fmt::format(fmt::runtime(make_handle), fmt::arg("name", name));
    text += ptx_text("__apod_no_error_name", "cudaSuccess") + ptx_text("__apod_no_memory_name", "cudaErrorMemoryAllocation");
    text += ptx_text("__apod_no_error", "no error") + ptx_text("__apod_no_memory", "out of memory");
    text += fmt::format(fmt::runtime(error_words), fmt::arg("name", "__cudaCDP2GetErrorName"), fmt::arg("none", "__apod_no_error_name"),
                        fmt::arg("memory", "__apod_no_memory_name"));
    text += fmt::format(fmt::runtime(error_words), fmt::arg("name", "__cudaCDP2GetErrorString"), fmt::arg("none", "__apod_no_error"),
                        fmt::arg("memory", "__apod_no_memory"));
    const auto add = [&text](const char* name, const char* parameters) {
        text += fmt::format(fmt::runtime(succeed), fmt::arg("name", name), fmt::arg("parameters", parameters));
    };
    constexpr const char* handle = ".param .b64 handle";
    constexpr const char* handles = ".param .b64 one, .param .b64 two";
    constexpr const char* handles_and_flags = ".param .b64 one, .param .b64 two, .param .b32 flags";
    for (const char* name : {"__cudaCDP2GetLastError", "__cudaCDP2PeekAtLastError"}) add(name, "");
    for (const char* name : {"__cudaCDP2StreamDestroy", "__cudaCDP2EventDestroy"}) add(name, handle);
    for (const char* name : {"__cudaCDP2EventRecord", "__cudaCDP2EventRecord_ptsz"}) add(name, handles);
    for (const char* name : {"__cudaCDP2StreamWaitEvent", "__cudaCDP2StreamWaitEvent_ptsz"}) add(name, handles_and_flags);
    return text;
}

std::vector<DeviceLaunch> take_device_launches(const emu::Image& image, std::uint64_t& dropped) {
    std::vector<DeviceLaunch> launches;
    dropped = 0;
    auto* count = reinterpret_cast<std::uint32_t*>(image.address_of("__apod_launch_count"));
    const auto* entries = reinterpret_cast<const Entry*>(image.address_of("__apod_launches"));
    if (count == nullptr || entries == nullptr || *count == 0) return launches;
    const std::uint32_t made = std::min(*count, most_pending);
    dropped = *count - made;
    *count = 0;
    std::vector<const Entry*> order;
    for (std::uint32_t i = 0; i < made; ++i)
        if (entries[i].launched != 0) order.push_back(&entries[i]);
    constexpr std::uint64_t tail = 3; // cudaStreamTailLaunch
    std::stable_sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) {
        return std::pair(a->stream == tail, a->from_block) < std::pair(b->stream == tail, b->from_block);
    });
    const auto& functions = image.module().functions;
    for (const Entry* entry : order) {
        DeviceLaunch next;
        if (entry->kernel == copy_call) next.call = DeviceCall::copy;
        if (entry->kernel == fill_call) next.call = DeviceCall::fill;
        for (std::size_t f = 0; f < functions.size() && next.kernel.empty(); ++f)
            if (emu::function_handle(f) == entry->kernel) next.kernel = functions[f].name;
        next.grid = {entry->grid[0], entry->grid[1], entry->grid[2]};
        next.block = {entry->block[0], entry->block[1], entry->block[2]};
        next.dynamic_shared_bytes = entry->dynamic_shared_bytes;
        next.parameters.assign(entry->parameters, entry->parameters + parameter_bytes);
        launches.push_back(std::move(next));
    }
    return launches;
}

} // namespace apod::runtime

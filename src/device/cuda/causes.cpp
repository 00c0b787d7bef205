#include "device/cuda/causes.hpp"

#include <algorithm>
#include <iterator>

namespace apod::device::cuda {

namespace {

struct Entry {
    int status;
    Cause cause;
};

constexpr const char* emulate_hint = "apod check names the line, the thread and the buffer on the emulated GPU";

// CUDA driver API, "Data types used by CUDA driver", CUresult.
constexpr Entry entries[] = {
    {1, {ErrorKind::bad_input, "an argument is outside what the device or the driver allows", ""}},
    {2,
     {ErrorKind::unavailable, "the GPU has not enough free memory",
      "choose smaller parameters, or end what else uses the GPU (nvidia-smi lists it)"}},
    {34,
     {ErrorKind::unavailable, "this is the toolkit's stub of libcuda, not a driver", "take the stubs directory out of LD_LIBRARY_PATH"}},
    {36, {ErrorKind::unavailable, "the driver is too old for this call", "install a newer driver"}},
    {46,
     {ErrorKind::unavailable, "the GPU is in use by another process, exclusively",
      "wait for it, or ask for the compute mode Default (nvidia-smi -q shows it)"}},
    {100,
     {ErrorKind::unavailable, "the driver sees no GPU", "check nvidia-smi and CUDA_VISIBLE_DEVICES; a container must be given the GPU"}},
    {101, {ErrorKind::unavailable, "there is no GPU of that number", "apod devices lists those that are there"}},
    {200, {ErrorKind::bad_input, "this is no device code that the driver can read", "give it PTX text or a cubin"}},
    {201, {ErrorKind::internal, "the context is not valid", ""}},
    {209, {ErrorKind::bad_input, "the code is for another GPU architecture", "compile PTX, or a cubin for this GPU's compute capability"}},
    {214, {ErrorKind::unavailable, "the GPU's memory has an error that ECC cannot correct", "reset the GPU or take another one"}},
    {218, {ErrorKind::bad_input, "the driver's compiler rejects the PTX", ""}},
    {220, {ErrorKind::unavailable, "an NVLink has an error that cannot be corrected", "reset the GPU or take another one"}},
    {221,
     {ErrorKind::unavailable, "the driver's PTX compiler is not installed", "install libnvidia-ptxjitcompiler of the driver's version"}},
    {222,
     {ErrorKind::bad_input, "the PTX is of a version that this driver does not know",
      "install a newer driver, or compile with an older toolkit"}},
    {223, {ErrorKind::unavailable, "compiling PTX is switched off", "unset CUDA_DISABLE_PTX_JIT"}},
    {500, {ErrorKind::bad_input, "there is nothing of that name", ""}},
    {700, {ErrorKind::check_failed, "the kernel touched an address that is not its own", emulate_hint}},
    {701,
     {ErrorKind::bad_input, "the block needs more registers, threads or shared memory than an SM has",
      "make the block smaller, or limit registers with __launch_bounds__"}},
    {702,
     {ErrorKind::check_failed, "the kernel ran longer than the display's watchdog allows",
      "make the problem smaller, or take a GPU without a display"}},
    {710, {ErrorKind::check_failed, "an assert in the kernel failed", emulate_hint}},
    {714, {ErrorKind::check_failed, "the kernel's call stack overflowed or is damaged", emulate_hint}},
    {715, {ErrorKind::check_failed, "the kernel came upon an instruction that the GPU does not have, or trapped", emulate_hint}},
    {716, {ErrorKind::check_failed, "the kernel used an address that is not a multiple of the access's size", emulate_hint}},
    {717, {ErrorKind::check_failed, "the kernel used an address in the wrong memory space", emulate_hint}},
    {718, {ErrorKind::check_failed, "the kernel jumped to where no code is", emulate_hint}},
    {719, {ErrorKind::check_failed, "the kernel faulted while it ran", emulate_hint}},
    {720,
     {ErrorKind::bad_input, "a cooperative launch needs all its blocks on the GPU at once, and they do not fit", "launch fewer blocks"}},
    {800, {ErrorKind::unavailable, "the operation is not permitted to this user", ""}},
    {801, {ErrorKind::unavailable, "this GPU or driver does not support the operation", ""}},
    {802,
     {ErrorKind::unavailable, "the system is not ready: its fabric manager or another service is still starting",
      "start nvidia-fabricmanager, then try again"}},
    {803,
     {ErrorKind::unavailable, "libcuda and the kernel's driver are of different versions", "reload the driver or restart the machine"}},
    {804,
     {ErrorKind::unavailable, "libcuda's compatibility package does not support this GPU",
      "take the compat directory out of LD_LIBRARY_PATH"}},
    {900, {ErrorKind::bad_input, "the call cannot be captured into a graph", ""}},
    {901, {ErrorKind::bad_input, "something that cannot be captured ended the capture of a graph", ""}},
    {912,
     {ErrorKind::bad_input, "the cluster does not fit the device or the grid",
      "clusters hold up to 8 blocks, and the grid must be a multiple of them"}},
    {999, {ErrorKind::unavailable, "the driver gives no cause", "the kernel's log (dmesg, lines with Xid) may have it"}},
};

} // namespace

Cause cause_of(int status) {
    const auto* found = std::find_if(std::begin(entries), std::end(entries), [&](const Entry& entry) { return entry.status == status; });
    return found == std::end(entries) ? Cause{} : found->cause;
}

} // namespace apod::device::cuda

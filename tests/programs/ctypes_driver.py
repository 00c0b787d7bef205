"""Loads libcuda.so.1 as Python's GPU libraries do, and launches a kernel from PTX text."""
import ctypes

PTX = b"""
.version 7.8
.target sm_50
.address_size 64
.visible .entry triple(.param .u64 data, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra done;
    cvta.to.global.u64 %rd2, %rd1;
    mul.wide.u32 %rd3, %r5, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.u32 %r6, [%rd4];
    mul.lo.u32 %r7, %r6, 3;
    st.global.u32 [%rd4], %r7;
done:
    ret;
}
"""

driver = ctypes.CDLL("libcuda.so.1")


def check(result):
    if result != 0:
        name = ctypes.c_char_p()
        driver.cuGetErrorName(result, ctypes.byref(name))
        raise SystemExit(f"the driver says {name.value}")


check(driver.cuInit(0))
device, context, module, kernel = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
check(driver.cuDeviceGet(ctypes.byref(device), 0))
check(driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
check(driver.cuCtxSetCurrent(context))
check(driver.cuModuleLoadData(ctypes.byref(module), PTX))
check(driver.cuModuleGetFunction(ctypes.byref(kernel), module, b"triple"))

N = 1000
numbers = (ctypes.c_uint32 * N)(*range(N))
data, count = ctypes.c_uint64(), ctypes.c_uint32(N)
check(driver.cuMemAlloc_v2(ctypes.byref(data), ctypes.c_size_t(ctypes.sizeof(numbers))))
check(driver.cuMemcpyHtoD_v2(data, numbers, ctypes.c_size_t(ctypes.sizeof(numbers))))
arguments = (ctypes.c_void_p * 2)(ctypes.addressof(data), ctypes.addressof(count))
check(driver.cuLaunchKernel(kernel, 8, 1, 1, 128, 1, 1, 0, None, arguments, None))
check(driver.cuCtxSynchronize())
check(driver.cuMemcpyDtoH_v2(numbers, data, ctypes.c_size_t(ctypes.sizeof(numbers))))
check(driver.cuMemFree_v2(data))
if list(numbers) != [3 * i for i in range(N)]:
    raise SystemExit("the numbers are wrong")
print("ctypes_driver: a kernel ran from Python")

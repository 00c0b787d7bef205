"""Builds public programs with nothing but the CUDA toolkit's compiler.

A program's own Makefile or CMakeLists.txt decides what is compiled and how. In place of nvcc it finds a script that changes two things: the
device code is PTX for sm_90, and the CUDA runtime is the shared one.
"""
import os
import pathlib
import re
import subprocess

# nvcc's flags that choose a device or a runtime; ours take their place.
WRAPPER = r'''#!/usr/bin/env python3
import os, re, sys
NVCC = "{nvcc}"
arguments, kept, machine_code = sys.argv[1:], [], False
takes_value = {{"-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code", "--gpu-code", "-cudart", "--cudart"}}
skip = False
for argument in arguments:
    if skip:
        skip = False
    elif argument in takes_value:
        skip = True
    elif re.match(r"(-arch|--gpu-architecture|-gencode|--generate-code|-code|--gpu-code|-cudart|--cudart)=", argument):
        pass
    else:
        machine_code = machine_code or argument in ("-cubin", "--cubin")
        kept.append(argument)
if "--version" in kept or "-V" in kept:
    target = []
elif "-ptx" in kept or "--ptx" in kept:
    target = ["-arch=compute_90"]
elif machine_code:
    target = ["-arch=sm_90"]
else:
    target = ["-gencode", "arch=compute_90,code=compute_90", "-cudart", "shared"]
os.execv(NVCC, [NVCC] + kept + target)
'''

CLOSED = {
    "cublas": "cuBLAS", "cublasLt": "cuBLAS", "cufft": "cuFFT", "curand": "cuRAND", "cusparse": "cuSPARSE", "cusolver": "cuSOLVER",
    "cusolverMg": "cuSOLVER", "cudnn": "cuDNN", "nccl": "NCCL", "nvidia-ml": "NVML", "nvjpeg": "nvJPEG", "cupti": "CUPTI",
    "nvJitLink": "nvJitLink", "cudla": "cuDLA", "cufile": "cuFile", "nvidia-ml": "NVML", "nvml": "NVML",
}
ABSENT = {"mpi": "MPI", "gsl": "GSL", "GL": "OpenGL", "glut": "OpenGL", "GLEW": "OpenGL", "EGL": "EGL", "vulkan": "Vulkan", "X11": "X11",
          "freeimage": "FreeImage", "nvscibuf": "NvSci", "nvscisync": "NvSci"}


class Toolchain:
    def __init__(self, toolkit, work, limit_s):
        self.toolkit = pathlib.Path(toolkit)
        self.limit_s = limit_s
        folder = pathlib.Path(work) / "bin"
        folder.mkdir(parents=True, exist_ok=True)
        self.nvcc = folder / "nvcc"
        self.nvcc.write_text(WRAPPER.format(nvcc=self.toolkit / "bin" / "nvcc"))
        self.nvcc.chmod(0o755)
        libraries = f"{self.toolkit}/lib64:{self.toolkit}/lib64/stubs"
        self.environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", CUDA_HOME=str(self.toolkit), CUDA_PATH=str(self.toolkit),
                                LIBRARY_PATH=libraries, CPATH=f"{self.toolkit}/include")

    def call(self, command, folder, limit_s=None):
        """Exit code (None: over the limit) and what was printed."""
        process = subprocess.Popen(command, cwd=folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            output, _ = process.communicate(timeout=limit_s or self.limit_s)
            return process.returncode, output.decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            output, _ = process.communicate()
            return None, output.decode(errors="replace")

    def make(self, folder, *arguments):
        variables = [f"{name}=sm_90" for name in ("ARCH", "CUDA_ARCH", "SM")]
        return self.call(["make", f"CC={self.nvcc}", f"NVCC={self.nvcc}", *variables, *arguments], folder)

    def cmake(self, folder, build):
        configure = ["cmake", "-S", str(folder), "-B", str(build), f"-DCMAKE_CUDA_COMPILER={self.nvcc}", "-DCMAKE_CUDA_RUNTIME_LIBRARY=Shared",
                     f"-DCUDAToolkit_ROOT={self.toolkit}", "-DCMAKE_BUILD_TYPE=Release"]
        code, output = self.call(configure, folder)
        if code != 0:
            return code, output
        built, more = self.call(["cmake", "--build", str(build)], folder)
        return built, output + more


def libraries_named(text):
    """Closed libraries, and others that a machine need not have, which a build file links."""
    names = set(re.findall(r"-l(\w[\w-]*)", text)) | set(re.findall(r"CUDA::(\w+)", text))
    names |= {re.sub(r"(_nocallback)?_static$", "", name) for name in names}
    closed = sorted({CLOSED[name] for name in names if name in CLOSED} | ({"NPP"} if re.search(r"-lnpp|CUDA::npp", text) else set()))
    absent = {ABSENT[name] for name in names if name in ABSENT}
    if re.search(r"\bmpi(cc|cxx|CC|c\+\+|run|exec)\b|MPI_HOME|find_package\(MPI", text):
        absent.add("MPI")
    return closed, sorted(absent)


ERROR_LINE = re.compile(r"(fatal error: .*|error: .*|error : .*|undefined reference to .*|cannot find -l\S+|ptxas fatal.*|nvlink error.*|"
                        r"No rule to make target .*|No such file or directory.*|CMake Error.*)")


def why_not_built(code, output):
    if code is None:
        return "the compiler's time limit"
    for line in output.splitlines():
        found = ERROR_LINE.search(line)
        if found:
            return found.group(1)[:160]
    lines = [line for line in output.splitlines() if line.strip()]
    return lines[-1][:160] if lines else f"exit code {code}"

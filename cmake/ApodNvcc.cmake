# nvcc is optional: with it, ladders compile from their .cu, and a test holds the PTX that ships against it. -DAPOD_NVCC=OFF (or empty) hides
# it, as if it were not installed; -DAPOD_NVCC=/path/to/nvcc picks one. Tests get the same answer in their environment as APOD_NVCC, which the
# command reads too: set but empty hides nvcc, set to a path picks it, unset searches PATH and /usr/local/cuda/bin.
find_program(APOD_NVCC nvcc PATHS $ENV{CUDA_HOME}/bin /usr/local/cuda/bin DOC "CUDA's compiler; OFF or empty: do without")
if(APOD_NVCC)
  set(APOD_NVCC_EXECUTABLE ${APOD_NVCC})
else()
  set(APOD_NVCC_EXECUTABLE "")
endif()

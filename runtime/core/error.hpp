// The error codes that CUDA's runtime and driver share, by the numbers that programs see.
#pragma once

namespace apod::runtime {

// Those that this runtime gives; names and texts are known for all of CUDA's.
enum class Error : int {
    success = 0,
    invalid_value = 1,
    memory_allocation = 2,
    initialization_error = 3,
    invalid_configuration = 9,
    invalid_pitch_value = 12,
    invalid_symbol = 13,
    invalid_channel_descriptor = 20,
    invalid_memcpy_direction = 21,
    missing_configuration = 52,
    invalid_device_function = 98,
    no_device = 100,
    invalid_device = 101,
    invalid_kernel_image = 200,
    invalid_context = 201,
    no_kernel_image_for_device = 209,
    unsupported_limit = 215,
    peer_access_unsupported = 217,
    invalid_ptx = 218,
    unsupported_ptx_version = 222,
    file_not_found = 301,
    operating_system = 304,
    invalid_resource_handle = 400,
    illegal_state = 401,
    symbol_not_found = 500,
    not_ready = 600,
    illegal_address = 700,
    launch_out_of_resources = 701,
    launch_timeout = 702,
    peer_access_already_enabled = 704,
    peer_access_not_enabled = 705,
    assert = 710,
    host_memory_already_registered = 712,
    host_memory_not_registered = 713,
    illegal_instruction = 715,
    misaligned_address = 716,
    launch_failure = 719,
    cooperative_launch_too_large = 720,
    not_permitted = 800,
    not_supported = 801,
    stream_capture_unsupported = 900,
    stream_capture_invalidated = 901,
    stream_capture_merge = 902,
    stream_capture_unmatched = 903,
    stream_capture_unjoined = 904,
    stream_capture_isolation = 905,
    stream_capture_implicit = 906,
    captured_event = 907,
    stream_capture_wrong_thread = 908,
    graph_exec_update_failure = 910,
    invalid_cluster_size = 912,
    unknown = 999
};

// "cudaErrorInvalidValue" and "invalid argument"; both are "unrecognized error code" for a number that CUDA does not have.
[[nodiscard]] const char* error_name(Error error);
[[nodiscard]] const char* error_text(Error error);

} // namespace apod::runtime

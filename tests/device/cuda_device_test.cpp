// Devices, modules, launches and errors of src/device/cuda, over our own libcuda.
#include "arch/memory_bound.hpp"
#include "emulated_driver.hpp"

namespace apod::device::testing {

TEST(CudaDevices, TheDriversDeviceIsDescribedAndRecognised) {
    const Result<std::vector<DeviceFacts>> all = cuda_devices(emulated_libraries());
    ASSERT_TRUE(all.ok()) << to_text(all.error());
    ASSERT_EQ(all->size(), 1u);
    const DeviceFacts& facts = all->front();
    EXPECT_EQ(facts.id, "cuda:0");
    EXPECT_TRUE(facts.emulated);
    EXPECT_EQ(facts.name, "NVIDIA H200");
    EXPECT_EQ(facts.known_as, "h200");
    EXPECT_EQ(facts.cc.number(), 90);
    EXPECT_EQ(facts.sm_count, 132u);
    EXPECT_EQ(facts.bus_bits, 6016u);
    EXPECT_NEAR(facts.peak_gbs(), 4814, 1);
    EXPECT_EQ(facts.max_threads_per_sm, 2048u);
    EXPECT_GE(facts.cuda_version, 12000);
}

TEST(CudaDevices, NoDriverIsUnavailableAndSaysWhatToDo) {
    const Result<std::vector<DeviceFacts>> all = cuda_devices({"libcuda-that-is-not-there.so.1", ""});
    ASSERT_FALSE(all.ok());
    EXPECT_EQ(all.error().kind, ErrorKind::unavailable);
    EXPECT_NE(all.error().message.find("libcuda-that-is-not-there.so.1"), std::string::npos);
    EXPECT_NE(all.error().hint.find("driver"), std::string::npos);
}

TEST(CudaDevices, ALibraryThatIsNoDriverIsUnavailable) {
    const Result<std::vector<DeviceFacts>> all = cuda_devices({"libm.so.6", ""});
    ASSERT_FALSE(all.ok());
    EXPECT_EQ(all.error().kind, ErrorKind::unavailable);
    EXPECT_NE(all.error().message.find("cuInit"), std::string::npos) << all.error().message;
}

TEST(CudaDevices, ANumberBeyondTheLastIsUnavailableAndNamesTheRange) {
    const Result<std::unique_ptr<Device>> device = open_cuda(7, emulated_libraries());
    ASSERT_FALSE(device.ok());
    EXPECT_EQ(device.error().kind, ErrorKind::unavailable);
    EXPECT_NE(device.error().message.find("cuda:7"), std::string::npos);
    EXPECT_NE(device.error().hint.find("cuda:0"), std::string::npos);
}

TEST(CudaDevice, AKernelsResultAndRecordComeBack) {
    const std::unique_ptr<Device> device = open_emulated();
    ASSERT_NE(device, nullptr);
    EXPECT_EQ(device->id(), "cuda:0");
    EXPECT_FALSE(device->is_emulated());
    EXPECT_EQ(device->gpu().id, "h200");
    const std::shared_ptr<Kernel> kernel = load_scale(*device);
    ASSERT_NE(kernel, nullptr);
    EXPECT_EQ(kernel->info().display, "scale(float*, float, unsigned int)");
    ASSERT_EQ(kernel->info().parameters.size(), 3u);
    EXPECT_EQ(kernel->info().parameters[1].type, "f32");
    EXPECT_EQ(kernel->info().parameters[2].offset, 12u);
    EXPECT_GT(kernel->info().registers_per_thread, 0u);

    constexpr std::uint32_t n = 1000;
    std::vector<float> host(n, 3.0f);
    const Result<Address> out = device->allocate(n * 4, "out");
    ASSERT_TRUE(out.ok());
    ASSERT_TRUE(device->write(*out, std::as_bytes(std::span(host))).ok());
    Launch launch = scale_launch(*out, n);
    launch.useful_bytes = 8 * n;
    const Result<LaunchRecord> record = device->launch(*kernel, launch);
    ASSERT_TRUE(record.ok()) << to_text(record.error());
    ASSERT_TRUE(device->read(std::as_writable_bytes(std::span(host)), *out).ok());
    EXPECT_EQ(host[0], 6.0f);
    EXPECT_EQ(host[999], 1005.0f);
    EXPECT_EQ(record->mangled, "_Z5scalePffj");
    EXPECT_GT(record->time_ns.value, 0);
    EXPECT_EQ(record->time_ns.source, Source::predicted) << "the emulator measures nothing";
    const double l2_gbs = arch::l2_read_gbs(device->gpu()) + arch::l2_write_gbs(device->gpu()); // 8 kB stay in L2
    EXPECT_NEAR(record->floor_ns.value, 8.0 * n / l2_gbs, 1e-6);
    EXPECT_GT(record->occupancy.blocks_per_sm, 0u);
    EXPECT_TRUE(device->free(*out).ok());
}

TEST(CudaDevice, FillsAndCopiesReachEveryByte) {
    const std::unique_ptr<Device> device = open_emulated();
    ASSERT_NE(device, nullptr);
    const Result<Address> memory = device->allocate(257, "bytes");
    ASSERT_TRUE(memory.ok());
    ASSERT_TRUE(device->fill(*memory, std::byte{0x5a}, 257).ok());
    std::vector<std::byte> host(257);
    ASSERT_TRUE(device->read(host, *memory).ok());
    EXPECT_EQ(host, std::vector<std::byte>(257, std::byte{0x5a}));
}

TEST(CudaDevice, WhatDoesNotFitNamesTheBufferAndTheFreeMemory) {
    const std::unique_ptr<Device> device = open_emulated();
    ASSERT_NE(device, nullptr);
    const Result<Address> memory = device->allocate(std::uint64_t{1} << 50, "huge");
    ASSERT_FALSE(memory.ok());
    EXPECT_EQ(memory.error().kind, ErrorKind::unavailable);
    const std::string text = to_text(memory.error());
    EXPECT_NE(text.find("'huge'"), std::string::npos) << text;
    EXPECT_NE(text.find("CUDA_ERROR_OUT_OF_MEMORY"), std::string::npos) << text;
    EXPECT_NE(text.find("are free"), std::string::npos) << text;
}

TEST(CudaDevice, ALaunchBeyondALimitIsBadInputThatNamesTheLimit) {
    const std::unique_ptr<Device> device = open_emulated();
    ASSERT_NE(device, nullptr);
    const std::shared_ptr<Kernel> kernel = load_scale(*device);
    ASSERT_NE(kernel, nullptr);
    Launch launch = scale_launch(0, 128);
    launch.block = {2048, 1, 1};
    Result<LaunchRecord> record = device->launch(*kernel, launch);
    ASSERT_FALSE(record.ok());
    EXPECT_EQ(record.error().kind, ErrorKind::bad_input);
    EXPECT_NE(record.error().message.find("block.x is 2048"), std::string::npos) << record.error().message;
    launch = scale_launch(0, 128);
    launch.dynamic_shared_bytes = 300'000;
    record = device->launch(*kernel, launch);
    ASSERT_FALSE(record.ok());
    EXPECT_NE(record.error().message.find("shared memory"), std::string::npos);
    launch = scale_launch(0, 128);
    launch.parameters.pop_back();
    record = device->launch(*kernel, launch);
    ASSERT_FALSE(record.ok());
    EXPECT_NE(record.error().message.find("16 bytes of parameters, 15"), std::string::npos) << record.error().message;
}

TEST(CudaDevice, MoreThan48KibOfSharedMemoryIsAskedFor) {
    const std::unique_ptr<Device> device = open_emulated();
    ASSERT_NE(device, nullptr);
    const std::shared_ptr<Kernel> kernel = load_scale(*device);
    const Result<Address> out = device->allocate(512, "out");
    ASSERT_TRUE(out.ok());
    Launch launch = scale_launch(*out, 128);
    launch.dynamic_shared_bytes = 100'000;
    const Result<LaunchRecord> record = device->launch(*kernel, launch);
    ASSERT_TRUE(record.ok()) << to_text(record.error());
    EXPECT_EQ(record->occupancy.limiter, "shared");
}

TEST(CudaDevice, AFaultIsCheckFailedAndNamesTheKernel) {
    const std::unique_ptr<Device> device = open_emulated();
    ASSERT_NE(device, nullptr);
    const std::shared_ptr<Kernel> kernel = load_scale(*device);
    ASSERT_NE(kernel, nullptr);
    const Result<LaunchRecord> record = device->launch(*kernel, scale_launch(0x10, 128));
    ASSERT_FALSE(record.ok());
    EXPECT_EQ(record.error().kind, ErrorKind::check_failed);
    const std::string text = to_text(record.error());
    EXPECT_NE(text.find("kernel scale("), std::string::npos) << text;
    EXPECT_NE(text.find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos) << text;
}

TEST(CudaDevice, PtxThatDoesNotParseHasItsPlace) {
    const std::unique_ptr<Device> device = open_emulated();
    ASSERT_NE(device, nullptr);
    const Result<std::shared_ptr<Code>> code = device->load(".version 8.0\n.target sm_80\n.address_size 64\nnonsense", "bad.ptx");
    ASSERT_FALSE(code.ok());
    EXPECT_EQ(code.error().where.file, "bad.ptx");
    EXPECT_EQ(code.error().where.line, 4u);
}

TEST(CudaDevice, WhatTheDriversCompilerSaysIsInTheNotes) {
    const std::unique_ptr<Device> device = open_emulated();
    ASSERT_NE(device, nullptr);
    const std::string text = ".version 8.7\n.target sm_120\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n";
    const Result<std::shared_ptr<Code>> code = device->load(text, "odd.ptx");
    ASSERT_FALSE(code.ok());
    EXPECT_EQ(code.error().where.file, "odd.ptx");
    ASSERT_FALSE(code.error().notes.empty()) << to_text(code.error());
    EXPECT_NE(to_text(code.error()).find("sm_120"), std::string::npos) << to_text(code.error());
}

TEST(CudaDevice, AKernelThatIsNotThereListsThoseThatAre) {
    const std::unique_ptr<Device> device = open_emulated();
    ASSERT_NE(device, nullptr);
    const Result<std::shared_ptr<Code>> code = device->load(scale_ptx, "scale.ptx");
    ASSERT_TRUE(code.ok());
    EXPECT_EQ((*code)->kernel_names(), std::vector<std::string>{"scale(float*, float, unsigned int)"});
    const Result<std::shared_ptr<Kernel>> kernel = (*code)->kernel("scal");
    ASSERT_FALSE(kernel.ok());
    EXPECT_NE(to_text(kernel.error()).find("scale"), std::string::npos);
}

} // namespace apod::device::testing

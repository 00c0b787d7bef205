#include "device/cuda/causes.hpp"

#include <gtest/gtest.h>

#include <string>

namespace apod::device::cuda {

TEST(Causes, AKernelsFaultIsAFailedCheckAndNamesTheEmulator) {
    for (const int fault : {700, 710, 714, 715, 716, 717, 718, 719}) {
        EXPECT_EQ(cause_of(fault).kind, ErrorKind::check_failed) << fault;
        EXPECT_NE(std::string(cause_of(fault).hint).find("apod check"), std::string::npos) << fault;
        EXPECT_NE(std::string(cause_of(fault).words), "") << fault;
    }
}

TEST(Causes, WhatTheUserCanGiveDifferentlyIsBadInputAndWhatTheMachineLacksUnavailable) {
    for (const int status : {1, 209, 218, 222, 701, 720, 912}) EXPECT_EQ(cause_of(status).kind, ErrorKind::bad_input) << status;
    for (const int status : {2, 46, 100, 101, 221, 802, 803, 999}) EXPECT_EQ(cause_of(status).kind, ErrorKind::unavailable) << status;
}

TEST(Causes, ACodeThatIsNotListedLeavesTheWordsToTheDriver) {
    EXPECT_EQ(std::string(cause_of(123456).words), "");
    EXPECT_EQ(cause_of(123456).kind, ErrorKind::unavailable);
}

} // namespace apod::device::cuda

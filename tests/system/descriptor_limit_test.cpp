#include "system/descriptor_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "core/input_error.h"

namespace tracebed {
namespace {

TEST(DescriptorLimit, IsRaisedOrRefusedByItsName) {
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit low = {64, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  raise_descriptor_limit(65, "a test");
  rlimit raised = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &raised), 0);
  EXPECT_EQ(raised.rlim_cur, before.rlim_max);
  EXPECT_THAT([&] { raise_descriptor_limit(std::uint64_t{before.rlim_max} + 1, "a test"); },
              testing::ThrowsMessage<EnvironmentError>(testing::AllOf(
                  testing::HasSubstr("RLIMIT_NOFILE"), testing::HasSubstr("for a test"))));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace
}  // namespace tracebed

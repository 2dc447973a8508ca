#include "system/large_pages.h"

#include <gtest/gtest.h>

namespace tracebed {
namespace {

TEST(LargePages, AreAskedForWhereTheKernelGivesThemToWhoAsks) {
  EXPECT_EQ(large_pages("always [madvise] never", nullptr), LargePages::ask);
}

TEST(LargePages, NeedNoAskingWhereAllGetThemAndNoneWhereNobodyDoes) {
  EXPECT_EQ(large_pages("[always] madvise never", nullptr), LargePages::leave);
  EXPECT_EQ(large_pages("always madvise [never]", nullptr), LargePages::leave);
  EXPECT_EQ(large_pages("", nullptr), LargePages::leave);
}

TEST(LargePages, AreAskedForOnce) {
  EXPECT_EQ(large_pages("always [madvise] never", "glibc.malloc.hugetlb=1"), LargePages::was_asked);
}

TEST(LargePages, LeaveSomebodysOwnSettingsAlone) {
  EXPECT_EQ(large_pages("always [madvise] never", "glibc.malloc.check=3"), LargePages::leave);
  EXPECT_EQ(large_pages("always [madvise] never", ""), LargePages::leave);
}

}  // namespace
}  // namespace tracebed

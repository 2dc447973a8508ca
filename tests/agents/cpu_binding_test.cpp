#include "agents/launcher/cpu_binding.h"

#include <gtest/gtest.h>
#include <vector>

namespace tracebed::launcher {
namespace {

cpu_set_t set_of(const std::vector<std::size_t>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const std::size_t cpu : cpus) CPU_SET(cpu, &set);
  return set;
}

bool is_bound_to(std::int64_t milli_vcores, std::size_t first, const std::vector<std::size_t>& of,
                 const std::vector<std::size_t>& expected) {
  const auto bound = bound_cpus(milli_vcores, first, set_of(of));
  const cpu_set_t wanted = set_of(expected);
  return bound && CPU_EQUAL(&*bound, &wanted);
}

TEST(BoundCpus, AreAsManyAsTheVcoresRoundedUp) {
  const std::vector<std::size_t> four{0, 1, 2, 3};
  EXPECT_TRUE(is_bound_to(1, 0, four, {0}));
  EXPECT_TRUE(is_bound_to(1'000, 0, four, {0}));
  EXPECT_TRUE(is_bound_to(1'001, 0, four, {0, 1}));
  EXPECT_TRUE(is_bound_to(3'000, 0, four, {0, 1, 2}));
}

TEST(BoundCpus, BeginWhereTheyAreToldAndGoRound) {
  const std::vector<std::size_t> usable{2, 3, 7};
  EXPECT_TRUE(is_bound_to(500, 1, usable, {3}));
  EXPECT_TRUE(is_bound_to(500, 5, usable, {7}));
  EXPECT_TRUE(is_bound_to(1'500, 2, usable, {7, 2}));
}

TEST(BoundCpus, AreNoneWhereAllAreNeeded) {
  EXPECT_FALSE(bound_cpus(3'001, 0, set_of({0, 1, 2, 3})));
  EXPECT_FALSE(bound_cpus(9'000, 0, set_of({0, 1})));
  EXPECT_FALSE(bound_cpus(1, 0, set_of({5})));
}

}  // namespace
}  // namespace tracebed::launcher

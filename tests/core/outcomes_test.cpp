#include "core/outcomes.h"

#include <gtest/gtest.h>
#include <set>
#include <string_view>

namespace tracebed {
namespace {

template <class Enumeration>
void expect_distinct_names_up_to(Enumeration last) {
  std::set<std::string_view> names;
  for (int value = 0; value <= static_cast<int>(last); ++value) {
    names.insert(name(static_cast<Enumeration>(value)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(last) + 1);
}

// Files and reports tell outcomes apart by these names alone.
TEST(OutcomeNames, AreDistinctWithinTheirEnumeration) {
  expect_distinct_names_up_to(static_cast<ContainerEnd>(container_end_count - 1));
  expect_distinct_names_up_to(JobOutcome::killed);
  expect_distinct_names_up_to(RunOutcome::log_ended);
  expect_distinct_names_up_to(Locality::off_switch);
  expect_distinct_names_up_to(RefusalReason::invalid_wake_up);
  expect_distinct_names_up_to(Placeable::never_anywhere);
}

TEST(OutcomeNames, AreTheConstantsOwn) {
  EXPECT_EQ(name(ContainerEnd::out_of_memory), "out_of_memory");
  EXPECT_EQ(name(JobOutcome::rejected), "rejected");
  EXPECT_EQ(name(RunOutcome::unsuccessful), "unsuccessful");
  EXPECT_EQ(name(Locality::rack), "rack");
  EXPECT_EQ(name(RefusalReason::does_not_fit), "does_not_fit");
  EXPECT_EQ(name(Placeable::never_on_this_node), "never_on_this_node");
}

TEST(OutcomeNamesDeathTest, AValueOutsideTheEnumerationIsAFailedInvariant) {
  EXPECT_EXIT(name(static_cast<JobOutcome>(99)), testing::ExitedWithCode(70), "invariant failed");
}

}  // namespace
}  // namespace tracebed

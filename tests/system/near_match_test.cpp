#include "system/near_match.h"

#include <array>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

constexpr std::array<std::string_view, 4> names{"fifo", "fcfs", "spread", "binpack"};

TEST(NearMatch, FindsTheNameThatWasMeant) {
  EXPECT_EQ(nearest_name("fiof", names), "fifo");     // two neighbours swapped: one edit
  EXPECT_EQ(nearest_name("spred", names), "spread");  // one left out
  EXPECT_EQ(nearest_name("binpakc", names), "binpack");
}

TEST(NearMatch, NamesNothingThatIsFarOff) {
  EXPECT_EQ(nearest_name("capacity", names), "");
  EXPECT_EQ(nearest_name("", names), "");
}

TEST(NearMatch, HintsAtOneNameOrListsThemAll) {
  EXPECT_EQ(name_hint("spred", names), "; did you mean spread?");
  EXPECT_EQ(name_hint("capacity", names), "; known are fifo, fcfs, spread, binpack");
}

}  // namespace
}  // namespace tracebed

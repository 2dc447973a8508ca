// Which capacities with a unit for each resource are refused, and how.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedulers/yarn/vector_lines.h"

namespace tracebed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal_of(const VectorLines& lines, bool has_any_form = true) {
  const auto loaded =
      read_vectors(lines, ResourceDimensions(std::vector<std::string>{"gpu"}), has_any_form);
  return loaded ? "" : loaded.error().message;
}

struct BadVector {
  VectorLines lines;
  const char* begin;
  const char* part;
};

TEST(BadCapacityVectors, AreRefusedWithLinePropertyRuleAndValue) {
  const auto a = [](const char* capacity, const VectorLines& more = {}) {
    VectorLines lines = {
        {"root.queues", "a,b"}, {"root.a.capacity", capacity}, {"root.b.capacity", "1w"}};
    lines.insert(lines.end(), more.begin(), more.end());
    return lines;
  };
  const BadVector table[] = {
      {a("[memory=50x,vcores=1]"), "cs.xml:2: ", "behind memory= a whole amount, also with a unit"},
      {a("[memory=50%,vcores=1G]"), "cs.xml:2: ", "behind vcores= a whole amount or a number"},
      {a("[memory=-1,vcores=1]"), "cs.xml:2: ", "behind memory= a whole amount"},
      {a("[memory=-1%,vcores=1]"), "cs.xml:2: ", "a number of 0 or more with % or w"},
      {a("[memory=1,vcores=-2w]"), "cs.xml:2: ", "got \"[memory=1,vcores=-2w]\""},
      {a("[memory=1,vcores=0.5]"), "cs.xml:2: ", "a whole amount"},
      {a("[memory=1,vcores=]"), "cs.xml:2: ", "behind vcores="},
      {a("[memory=1,vcores=%]"), "cs.xml:2: ", "behind vcores="},
      {a("[memory=1,vcores]"), "cs.xml:2: ", "a list of RESOURCE=AMOUNT"},
      {a("[memory=1,fpga=2]"),
       "cs.xml:2: ", "amounts of vcores, memory, gpu; machines have no resource fpga"},
      {a("[memory=1,vcores=2,vcores=3w]"), "cs.xml:2: ", "each resource once, and vcores twice"},
      {a("[memory=1,memory-mb=2]"), "cs.xml:2: ", "memory twice"},
      {a("[vcores=2]"), "cs.xml:2: ", "memory above 0 in the list"},
      {a("[memory=0%,vcores=2]"), "cs.xml:2: ", "memory above 0 in the list"},
      {a("[]"), "cs.xml:2: ", "memory above 0 in the list"},
      {a("50%"), "cs.xml:2: ", "a percentage from 0 to 100"},
      {a("101"), "cs.xml:2: ", "a percentage from 0 to 100"},
      {a("10001w"), "cs.xml:2: ", "a weight from 0 to 10000"},
      {a("1w", {{"root.a.maximum-capacity", "2w"}}), "cs.xml:4: ", "no weight"},
      {a("1w", {{"root.a.maximum-capacity", "[memory=9,vcores=10w]"}}), "cs.xml:4: ", "no weight"},
      {a("1w", {{"root.a.accessible-node-labels.x.capacity", "[memory=1q]"}}),
       "cs.xml:4: ", "behind memory="},
      {a("1w", {{"root.capacity", "[memory=50%]"}}), "cs.xml:4: ", "100 for the root"},
      {a("[memory=9]", {{"root.a.maximum-capacity", "[memory=8]"}}),
       "cs.xml:2: ", "at most those of the queue's maximum-capacity"},
      {a("1w", {{"root.a.maximum-capacity", "[memory=8]"},
                {"root.a.queues", "x"},
                {"root.a.x.capacity", "1w"},
                {"root.a.x.maximum-capacity", "[memory=9]"}}),
       "cs.xml:7: ", "at most those of root.a"},
  };
  for (const BadVector& bad : table) {
    EXPECT_THAT(refusal_of(bad.lines),
                AllOf(StartsWith(bad.begin), HasSubstr("expected "), HasSubstr(bad.part)));
  }
}

TEST(BadCapacityVectors, AreRefusedInLegacyQueueModeWithTheProperty) {
  constexpr bool legacy = false;
  const std::string switch_off = "yarn.scheduler.capacity.legacy-queue-mode.enabled";
  EXPECT_THAT(
      refusal_of({{"root.queues", "a"}, {"root.a.capacity", "[memory=50%,vcores=4w]"}}, legacy),
      AllOf(StartsWith("cs.xml:2: "), HasSubstr(switch_off + " = false")));
  EXPECT_THAT(
      refusal_of({{"root.queues", "a,b"}, {"root.a.capacity", "1w"}, {"root.b.capacity", "50"}},
                 legacy),
      AllOf(StartsWith("cs.xml:3: "), HasSubstr(switch_off + " is false")));
  EXPECT_EQ(
      refusal_of({{"root.queues", "a,b"}, {"root.a.capacity", "1w"}, {"root.b.capacity", "50"}}),
      "");
}

}  // namespace
}  // namespace tracebed

// Files that Hadoop takes although they look wrong, as people have them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedulers/yarn/capacity/capacity_configuration.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using LenientLines = std::vector<std::pair<std::string, std::string>>;

// Two leaves, and more properties from line 4 on, without their prefix.
HadoopProperties lenient_file(const LenientLines& more) {
  LenientLines lines = {
      {"root.queues", "a,b"}, {"root.a.capacity", "40"}, {"root.b.capacity", "60"}};
  lines.insert(lines.end(), more.begin(), more.end());
  HadoopProperties properties;
  int line = 0;
  for (const auto& [name, value] : lines) {
    properties.set("yarn.scheduler.capacity." + name, value, "cs.xml:" + std::to_string(++line));
  }
  return properties;
}

// What CapacitySchedulerConfiguration takes or passes over, with what is said of it.
TEST(LenientCapacityFiles, AreTakenAsTheirReleaseTakesThem) {
  struct Lenient {
    LenientLines more;
    const char* remark;  // empty: none
    bool only_hadoop_2 = false;
  };
  const std::string label = "root.a.accessible-node-labels.gpu.";
  const Lenient table[] = {
      {{{"maximum-am-resource-percent", "90"}}, ""},
      {{{"root.a.maximum-am-resource-percent", "1.5"}}, ""},
      {{{label + "capacity", "100"}, {label + "maximum-am-resource-percent", "2"}}, ""},
      {{{"root.a.state", "running"}, {"root.b.state", "Stopped"}}, ""},
      {{{"root.c.capacity", "10"}},
       "cs.xml:4: yarn.scheduler.capacity.root.c.capacity: is ignored"},
      {{{"root.c.queues", "x"}}, "cs.xml:4: yarn.scheduler.capacity.root.c.queues: is ignored"},
      {{{"root.a.x.capacity", "5"}}, "root.a.x.capacity: is ignored: its queue is not there"},
      {{{label + "capacity", "-1"}, {label + "maximum-capacity", "-1"}}, "states nothing for the"},
      {{{"root.a.maximum-capacity", "200"}}, "root.a.maximum-capacity: counts as 100"},
      {{{"root.ordering-policy", "fifo"}}, "orders a parent's queues by their use", true},
      {{{"root.ordering-policy", "fair"}}, "orders a parent's queues by their use", true},
  };
  for (const Lenient& row : table) {
    const HadoopProperties properties = lenient_file(row.more);
    const std::string& what = row.more.front().first;
    for (const YarnGeneration each : {YarnGeneration::hadoop_2, YarnGeneration::hadoop_3}) {
      const auto loaded = read_capacity_configuration(properties, ResourceDimensions(), each);
      if (row.only_hadoop_2 && each == YarnGeneration::hadoop_3) {
        ASSERT_FALSE(loaded.has_value()) << what;
        EXPECT_THAT(loaded.error().message, HasSubstr("unless semantics = \"hadoop-2.0\""));
        continue;
      }
      ASSERT_TRUE(loaded.has_value()) << what << ": " << loaded.error().message;
      const std::vector<std::string> said = loaded->review.sentences();
      if (*row.remark == '\0') {
        EXPECT_THAT(said, IsEmpty()) << what;
      } else {
        EXPECT_THAT(said, ElementsAre(HasSubstr(row.remark))) << what;
      }
    }
  }
  const auto loaded = read_capacity_configuration(
      lenient_file({{"root.b.state", "stopped"}, {"maximum-am-resource-percent", "90"}}),
      ResourceDimensions());
  ASSERT_TRUE(loaded.has_value());
  const CapacityQueue* b = loaded->configuration.find("b");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->state, CapacityQueueState::stopped);
  EXPECT_EQ(b->partitions.at("").application_master_share, 90);
}

}  // namespace
}  // namespace tracebed

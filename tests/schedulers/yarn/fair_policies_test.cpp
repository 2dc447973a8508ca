// Which policies queues of the Fair Scheduler may have below which.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/xml_file.h"
#include "schedulers/yarn/fair/fair_allocations.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

// SchedulingPolicy.isChildPolicyAllowed, QueueManager.createNewQueues; for Hadoop 2 isApplicableTo.
// Every pair of policies of a queue and one below it, where that is a leaf and where it has queues.
// Proves: 5.2.policy-below-fair, 5.2.policy-by-depth
TEST(FairPolicies, OfEveryPairAreAllowedAsInTheRelease) {
  struct Pair {
    const char* parent;
    const char* child;
    const char* hadoop_3;  // part of why it is refused; empty: it is not
    const char* hadoop_3_with_queues;
    // How many policies are passed over, of queues that have others below.
    std::size_t hadoop_2 = 0;
    std::size_t hadoop_2_with_queues = 0;
  };
  const Pair table[] = {
      {"fair", "fair", "", ""},
      {"fair", "drf", "no drf below a queue with fair", "no drf below a queue with fair"},
      {"fair", "fifo", "", "fifo on leaves only, not on root.p.c", 0, 1},
      {"drf", "fair", "", ""},
      {"drf", "drf", "", ""},
      {"drf", "fifo", "", "fifo on leaves only, not on root.p.c", 0, 1},
      {"fifo", "fair", "fifo on leaves only, not on root.p", "not on root.p", 1, 1},
      {"fifo", "drf", "fifo on leaves only, not on root.p", "not on root.p", 1, 1},
      {"fifo", "fifo", "fifo on leaves only, not on root.p", "not on root.p", 1, 2},
  };
  const auto policy = [](const std::string& name) {
    return "<schedulingPolicy>" + name + "</schedulingPolicy>";
  };
  for (const Pair& pair : table) {
    for (const bool has_queues : {false, true}) {
      SCOPED_TRACE(std::string(pair.child) + (has_queues ? " with queues below " : " below ") +
                   pair.parent);
      // The root has drf, below which all may stand; the lowest queue has what its parent has.
      const std::string lowest =
          has_queues ? "<queue name='l'>" + policy(pair.child) + "</queue>" : "";
      const XmlElement file = parse_xml(
          "<allocations><defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
          "<queue name='p'>" +
              policy(pair.parent) + "<queue name='c'>" + policy(pair.child) + lowest +
              "</queue></queue></allocations>",
          "fair.xml");
      const auto today = read_fair_allocations(file, ResourceDimensions());
      const std::string refusal = has_queues ? pair.hadoop_3_with_queues : pair.hadoop_3;
      EXPECT_EQ(today.has_value(), refusal.empty());
      EXPECT_THAT(today ? "" : today.error().message, HasSubstr(refusal));
      const auto old =
          read_fair_allocations(file, ResourceDimensions(), {.policy_rule = PolicyRule::by_depth});
      ASSERT_TRUE(old.has_value()) << old.error().message;
      EXPECT_EQ(old->review.remarks.size(), has_queues ? pair.hadoop_2_with_queues : pair.hadoop_2);
      const auto shown = [](SharePolicy each) {
        return each == SharePolicy::fair ? "fair" : each == SharePolicy::drf ? "drf" : "fifo";
      };
      const bool is_fifo_parent = std::string(pair.parent) == "fifo";
      EXPECT_STREQ(shown(old->find("root.p")->policy), is_fifo_parent ? "fair" : pair.parent);
      const bool is_fifo_child = has_queues && std::string(pair.child) == "fifo";
      EXPECT_STREQ(shown(old->find("root.p.c")->policy), is_fifo_child ? "fair" : pair.child);
    }
  }
}

}  // namespace
}  // namespace tracebed

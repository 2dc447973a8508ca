// What a file of queues may hold at most.
#include "schedulers/yarn/configuration/configuration_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedulers/yarn/capacity/capacity_configuration.h"
#include "schedulers/yarn/fair/fair_allocations.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

class ConfigurationBounds : public testing::Test {
 protected:
  void add(const std::string& name, const std::string& value) {
    properties_.set("yarn.scheduler.capacity." + name, value, "cs.xml");
  }
  std::string error() const {
    const auto loaded = read_capacity_configuration(properties_, ResourceDimensions());
    return loaded ? "" : loaded.error().message;
  }

  HadoopProperties properties_;
};

TEST_F(ConfigurationBounds, TooManyQueuesAreRefusedWithTheBeginningOfTheirNames) {
  std::string names = "q";
  for (std::size_t i = 0; i < queues_max; ++i) names += ",q" + std::to_string(i);
  add("root.queues", names);
  EXPECT_THAT(error(), HasSubstr("expected at most 20000 queues in all, got \"q,q0,q1,"));
  EXPECT_LT(error().size(), 400u) << "a long value is cut";
}

TEST_F(ConfigurationBounds, SoAreTooManyLevels) {
  std::string path = "root";
  for (std::size_t i = 0; i <= queue_levels_max; ++i) {
    add(path + ".queues", "q");
    path += ".q";
    add(path + ".capacity", "100");
  }
  EXPECT_THAT(error(), HasSubstr("expected queues in at most 100 levels"));
}

TEST_F(ConfigurationBounds, AndWeightsOfUsersThatQueuesInherit) {
  add("root.queues", "q");
  add("root.q.capacity", "100");
  std::string leaves = "a";
  for (int i = 0; i < 2'000; ++i) {
    add("root.user-settings.u" + std::to_string(i) + ".weight", "1");
    leaves += ",l" + std::to_string(i);
  }
  add("root.q.queues", leaves);
  EXPECT_THAT(error(), HasSubstr("expected at most 1000000 weights of users"));
}

TEST(AllocationBounds, TooManyQueuesAreRefused) {
  XmlElement root;
  root.name = "allocations";
  for (std::size_t i = 0; i <= queues_max; ++i) {
    XmlElement& queue = root.children.emplace_back();
    queue.name = "queue";
    queue.attributes.emplace_back("name", "q" + std::to_string(i));
  }
  const auto allocations = read_fair_allocations(root, ResourceDimensions());
  ASSERT_FALSE(allocations.has_value());
  EXPECT_THAT(allocations.error().message, HasSubstr("expected at most 20000 queues in all"));
}

}  // namespace
}  // namespace tracebed

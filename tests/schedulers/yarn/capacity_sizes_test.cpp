// The largest containers of the Capacity scheduler's queues.
#include "coordinator/config/xml_file.h"
#include "schedulers/yarn/capacity_world.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

// Of a scheduler whose own maximum is 4096 MiB.
// Proves: 3.3.maximum-allocation-refuses
TEST(CapacitySizes, AreRefusedAboveTheMaximumOfTheirQueue) {
  CapacityWorld world({{"root.queues", "a,b"},
                       {"root.a.capacity", "50"},
                       {"root.a.maximum-allocation-mb", "2048"},
                       {"root.b.capacity", "50"}},
                      {{"maximum_allocation_mib", "4096"}});
  world.add_nodes(1, 8);
  const ApplicationId in_a = world.submit("a", "ann");
  const ApplicationId in_b = world.submit("b", "ann");
  EXPECT_EQ(*world.scheduler().container_size(in_a, {1'000, 1'025}), Resources(1'000, 2'048));
  const auto refused = world.scheduler().container_size(in_a, {1'000, 2'049});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("the queue's maximum allocation of 2048 MiB"));
  EXPECT_EQ(*world.scheduler().container_size(in_b, {1'000, 2'049}), Resources(1'000, 3'072));
  const auto above = world.scheduler().container_size(in_b, {1'000, 4'097});
  ASSERT_FALSE(above);
  EXPECT_THAT(above.error().message, HasSubstr("the maximum allocation of 4096 MiB"));
}

// Proves: 3.3.maximum-allocation-bound
TEST(CapacitySizes, OfAQueueAreAtMostTheSchedulers) {
  const Names names;
  SchedulerParameters parameters;
  parameters.names = &names;
  const auto fault = [&](const std::string& key, const std::string& value) {
    parameters.settings = {{"maximum_allocation_mib", "4096"},
                           {"maximum_allocation_milli_vcores", "4000"}};
    parameters.documents["config"] = parse_xml(
        "<configuration>"
        "<property><name>yarn.scheduler.capacity.root.queues</name><value>a</value></property>"
        "<property><name>yarn.scheduler.capacity.root.a.capacity</name><value>100</value>"
        "</property>\n<property><name>yarn.scheduler.capacity.root.a." +
            key + "</name><value>" + value + "</value></property></configuration>",
        "cs.xml");
    const auto read = read_capacity_settings(parameters);
    return read ? "" : read.error().message;
  };
  EXPECT_EQ(fault("maximum-allocation-mb", "4096"), "");
  EXPECT_EQ(fault("maximum-allocation-mb", "4097"),
            "cs.xml:2: yarn.scheduler.capacity.root.a.maximum-allocation-mb: expected at most the "
            "scheduler's maximum allocation of 4096, got 4097");
  EXPECT_EQ(fault("maximum-allocation", "memory-mb=1024,vcores=5"),
            "cs.xml:2: yarn.scheduler.capacity.root.a.maximum-allocation: expected at most the "
            "scheduler's maximum allocation of 4, got 5");
}

}  // namespace
}  // namespace tracebed

// Leaves below a queue with auto-create-child-queue.enabled
// (TestCapacitySchedulerAutoQueueCreation, with smaller figures).
#include "schedulers/yarn/capacity_world.h"

namespace tracebed {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string v1 = ".auto-create-child-queue.";

// root.c with 20 of 100 GiB, and leaves of half of it for each user.
Lines managing(const Lines& more = {}) {
  return with({{"root.queues", "a,c"},
               {"root.a.capacity", "80"},
               {"root.c.capacity", "20"},
               {"root.c" + v1 + "enabled", "true"},
               {"root.c.leaf-queue-template.capacity", "50"},
               {"root.c.leaf-queue-template.user-limit-factor", "10"},
               {"maximum-am-resource-percent", "1"},
               {"queue-mappings", "u:%user:root.c.%user"}},
              more);
}

class ManagedLeaves : public testing::Test {
 protected:
  explicit ManagedLeaves(const Lines& more = {}) : world_(managing(more)) {
    world_.add_nodes(1, 100);
  }
  // By the mapping; why it was rejected, or nothing.
  std::string submit(const std::string& user, const std::string& queue = "default") {
    last_ = world_.submit(queue, user);
    return world_.harness().rejection(last_);
  }
  std::int64_t guaranteed(const std::string& path) const {
    return world_.use(path).figures.guaranteed.memory_mib() / 1'024;
  }
  std::string refresh(const Lines& more, const Lines& whole = {}) {
    const Status status = world_.refresh(managing(more), {}, whole);
    return status ? "" : status.error().message;
  }
  void pass(Duration duration) {
    world_.harness().advance(duration);
    world_.verify();
  }

  // Capacities are computed anew every 1.5 seconds.
  const Lines policies_ = {{"yarn.resourcemanager.scheduler.monitor.enable", "true"},
                           {"yarn.resourcemanager.scheduler.monitor.policies",
                            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity."
                            "QueueManagementDynamicEditPolicy"}};
  CapacityWorld world_;
  ApplicationId last_;
};

// testAutoCreateLeafQueueCreation
TEST_F(ManagedLeaves, HaveTheTemplatesCapacityWhileThereIsRoom) {
  EXPECT_EQ(guaranteed("root.c"), 20);
  EXPECT_EQ(submit("ann"), "");
  EXPECT_EQ(world_.scheduler().leaf_of(last_), "root.c.ann");
  EXPECT_EQ(submit("bob"), "");
  EXPECT_EQ(submit("eve"), "");
  EXPECT_EQ(guaranteed("root.c.ann"), 10);
  EXPECT_EQ(guaranteed("root.c.bob"), 10);
  EXPECT_EQ(guaranteed("root.c.eve"), 0);
  world_.ask(last_, 1, 5);
  EXPECT_EQ(world_.fill_all(), 5u) << "without a guarantee it has what others leave";
  EXPECT_EQ(world_.figure("root.c", "Max Child Queues"), "1000");
}

// testQueueMappingValidationFailsWithInvalidParentQueueInMapping and others.
TEST_F(ManagedLeaves, AreForApplicationsThatMappingsPutThere) {
  EXPECT_THAT(submit("ann", "root.c.x"), HasSubstr("queue root.c.x is auto-created: only queue "
                                                   "mappings put applications there"));
  EXPECT_EQ(submit("bob"), "");
  EXPECT_THAT(submit("bob", "root.c.bob"), HasSubstr("queue root.c.bob is auto-created"));
  EXPECT_THAT(submit("ann", "root.c.y.z"), HasSubstr("only leaves are created below root.c"));
  EXPECT_THAT(submit("ann", "root.c"), HasSubstr("queue root.c has queues below it"));
}

TEST_F(ManagedLeaves, AreNoMoreThanTheirParentMayHave) {
  EXPECT_EQ(refresh({{"root.c" + v1 + "max-queues", "1"}}), "");
  EXPECT_EQ(submit("ann"), "");
  EXPECT_THAT(submit("bob"), HasSubstr("queue root.c has 1 queues below it, of at most 1"));
}

// testAutoCreationFailsWhenParentCapacityExceeded
TEST_F(ManagedLeaves, MayFailWhereThereIsNoRoom) {
  EXPECT_EQ(refresh({{"root.c" + v1 + "fail-on-exceeding-parent-capacity", "true"}}), "");
  EXPECT_EQ(submit("ann"), "");
  EXPECT_EQ(submit("bob"), "");
  EXPECT_THAT(submit("eve"), HasSubstr("the capacities of the queues below root.c have reached its "
                                       "own"));
}

TEST_F(ManagedLeaves, AreMadeOfTheTemplate) {
  EXPECT_EQ(refresh({{"root.c.leaf-queue-template.maximum-capacity", "75"},
                     {"root.c.leaf-queue-template.ordering-policy", "fair"},
                     {"root.c.leaf-queue-template.maximum-applications", "1"}}),
            "");
  EXPECT_EQ(submit("ann"), "");
  EXPECT_EQ(world_.use("root.c.ann").figures.maximum, gib(75));
  EXPECT_THAT(submit("ann"), HasSubstr("of at most 1"));
}

TEST_F(ManagedLeaves, HaveAmountsWhereTheirParentHasThem) {
  CapacityWorld world({{"root.queues", "a,c"},
                       {"root.a.capacity", "[memory=80Gi,vcores=80]"},
                       {"root.c.capacity", "[memory=20Gi,vcores=20]"},
                       {"root.c" + v1 + "enabled", "true"},
                       {"root.c.leaf-queue-template.capacity", "[memory=15Gi,vcores=15]"},
                       {"queue-mappings", "u:%user:root.c.%user"}});
  world.add_nodes(1, 100);
  world.submit("default", "ann");
  world.submit("default", "bob");
  EXPECT_EQ(world.use("root.c.ann").figures.guaranteed, gib(15));
  EXPECT_EQ(world.use("root.c.bob").figures.guaranteed, gib(0));
}

// testAutoCreatedQueueActivationDeactivation
TEST_F(ManagedLeaves, LoseTheirCapacityToOthersWhenTheyAreUnused) {
  EXPECT_EQ(refresh({}, policies_), "");
  EXPECT_EQ(submit("ann"), "");
  const ApplicationId of_ann = last_;
  EXPECT_EQ(submit("bob"), "");
  EXPECT_EQ(submit("eve"), "");
  EXPECT_EQ(submit("zoe"), "");
  pass(seconds(10));
  EXPECT_EQ(guaranteed("root.c.eve"), 0);
  EXPECT_EQ(world_.harness().wake_at(), never) << "there is nothing to change";
  world_.finish(of_ann);
  pass(milliseconds(499));  // looks are at multiples of the interval, so at 10.5 s
  EXPECT_EQ(guaranteed("root.c.ann"), 10);
  pass(milliseconds(1));
  EXPECT_EQ(guaranteed("root.c.ann"), 0);
  EXPECT_EQ(guaranteed("root.c.bob"), 10);
  EXPECT_EQ(guaranteed("root.c.eve"), 10) << "its application came before zoe's";
  EXPECT_EQ(guaranteed("root.c.zoe"), 0);
  EXPECT_EQ(world_.harness().wake_at(), never);
}

TEST_F(ManagedLeaves, KeepWhatTheyHaveWithoutThePolicy) {
  EXPECT_EQ(submit("ann"), "");
  world_.finish(last_);
  EXPECT_EQ(submit("bob"), "");
  EXPECT_EQ(submit("eve"), "");
  pass(seconds(100));
  EXPECT_EQ(guaranteed("root.c.ann"), 10);
  EXPECT_EQ(guaranteed("root.c.eve"), 0);
  EXPECT_EQ(world_.harness().wake_at(), never);
}

// testReinitializeQueuesWithAutoCreatedLeafQueues
TEST_F(ManagedLeaves, GetCapacitiesAnewAtARefresh) {
  EXPECT_EQ(submit("ann"), "");
  world_.finish(last_);
  EXPECT_EQ(submit("bob"), "");
  EXPECT_EQ(submit("eve"), "");
  EXPECT_EQ(refresh({{"root.c.leaf-queue-template.capacity", "30"}}), "");
  EXPECT_EQ(guaranteed("root.c.ann"), 0) << "it has no application";
  EXPECT_EQ(guaranteed("root.c.bob"), 6);
  EXPECT_EQ(guaranteed("root.c.eve"), 6);
  EXPECT_EQ(refresh({{"root.a.capacity", "60"}, {"root.c.capacity", "40"}}), "");
  EXPECT_EQ(guaranteed("root.c.bob"), 20);
  world_.verify();
}

// testConvertFailsFromParentQueueToManagedParentQueue,
// testConvertLeafQueueToParentQueueWithAutoCreate
TEST_F(ManagedLeaves, HaveAParentThatStaysOne) {
  EXPECT_THAT(refresh({{"root.c" + v1 + "enabled", "false"}, {"queue-mappings", ""}}),
              HasSubstr("queue root.c cannot lose auto-create-child-queue.enabled"));
  EXPECT_THAT(
      refresh({{"root.a" + v1 + "enabled", "true"}}),
      HasSubstr("queue root.a cannot be given queues of its own: expected it to be stopped"));
  CapacityWorld parent({{"root.queues", "p"},
                        {"root.p.capacity", "100"},
                        {"root.p.queues", "x"},
                        {"root.p.x.capacity", "100"}});
  const Status status = parent.refresh({{"root.queues", "p"},
                                        {"root.p.capacity", "100"},
                                        {"root.p" + v1 + "enabled", "true"},
                                        {"root.p.x.state", "STOPPED"}});
  EXPECT_THAT(status.error().message,
              HasSubstr("queue root.p cannot be given auto-create-child-queue.enabled"));
}

TEST_F(ManagedLeaves, MayNotFailWhereTheyHaveMoreAlready) {
  EXPECT_EQ(submit("ann"), "");
  EXPECT_THAT(refresh({{"root.c" + v1 + "fail-on-exceeding-parent-capacity", "true"}}),
              HasSubstr("add up to more than its own"))
      << "50 % of it against its 20 %, as in YARN";
}

// ---- files ----

std::string managed_fault(const Lines& more) {
  std::vector<std::pair<std::string, std::string>> properties;
  for (const auto& [name, value] : managing(more)) {
    properties.emplace_back("yarn.scheduler.capacity." + name, value);
  }
  static const Names names;
  SchedulerParameters parameters;
  parameters.names = &names;
  parameters.documents["config"] = test::hadoop_configuration(properties);
  const auto read = read_capacity_settings(parameters);
  return read ? "none" : read.error().message;
}

TEST(FilesWithManagedQueues, AreRefusedForWhatTheyStateWrongly) {
  EXPECT_EQ(managed_fault({}), "none");
  EXPECT_THAT(managed_fault({{"root.c.auto-queue-creation-v2.enabled", "true"}}),
              HasSubstr("auto-create-child-queue.enabled: expected false beside "
                        "auto-queue-creation-v2.enabled, got \"true\""));
  EXPECT_THAT(managed_fault({{"root.c.queues", "x"}, {"root.c.x.capacity", "100"}}),
              HasSubstr("root.c.queues: expected none beside auto-create-child-queue.enabled"));
  EXPECT_THAT(managed_fault({{"root" + v1 + "enabled", "true"}}), HasSubstr("false for the root"));
  EXPECT_THAT(managed_fault({{"root.c.leaf-queue-template.capacity", "5w"}}),
              HasSubstr("root.c.leaf-queue-template.capacity: expected a percentage"));
  EXPECT_THAT(managed_fault({{"root.c.leaf-queue-template.capacity", "[memory=1024]"}}),
              HasSubstr("expected a percentage of the queue above"));
  EXPECT_THAT(managed_fault({{"root.c.leaf-queue-template.state", "asleep"}}),
              HasSubstr("root.c.leaf-queue-template.state: expected RUNNING"));
  EXPECT_THAT(managed_fault({{"root.c" + v1 + "management-policy", "com.example.Policy"}}),
              HasSubstr("management-policy: expected"));
  EXPECT_THAT(managed_fault({{"root.c" + v1 + "max-queues", "-1"}}), HasSubstr("max-queues"));
  EXPECT_THAT(managed_fault({{"root.c.leaf-queue-template.reservable", "true"}}),
              AllOf(HasSubstr("root.c.leaf-queue-template.reservable: expected false"),
                    HasSubstr("ignore_unsupported")));
}

}  // namespace
}  // namespace tracebed

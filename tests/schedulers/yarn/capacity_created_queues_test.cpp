// Queues that the Capacity scheduler creates because applications go to them
// (TestCapacitySchedulerNewQueueAutoCreation, whose tree and figures these are).
#include "schedulers/yarn/capacity_world.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

const std::string v2 = ".auto-queue-creation-v2.";

// root.a (with a1) and root.b of weight 1 each; queues are created below the root and root.a.
Lines creating(const Lines& more = {}) {
  Lines lines = {{"root.queues", "a,b"},
                 {"root.a.queues", "a1"},
                 {"root.a.capacity", "1w"},
                 {"root.b.capacity", "1w"},
                 {"root.a.a1.capacity", "1w"},
                 {"root" + v2 + "enabled", "true"},
                 {"root.a" + v2 + "enabled", "true"}};
  // What is stated twice counts as it stands last.
  return with(lines, more);
}

class CreatedQueues : public testing::Test {
 protected:
  explicit CreatedQueues(const Lines& more = {}) : world_(creating(more)) {
    world_.add_nodes(1, 1'200);
  }
  // Submits to the queue; why it was rejected, or nothing.
  std::string submit(const std::string& queue, const std::string& user = "ann") {
    last_ = world_.submit(queue, user);
    return world_.harness().rejection(last_);
  }
  bool has(const std::string& path) const {
    for (const CapacityQueue& queue : world_.state().configuration().queues) {
      if (queue.path == path) return true;
    }
    return false;
  }
  std::int64_t guaranteed(const std::string& path) const {
    return world_.use(path).figures.guaranteed.memory_mib() / 1'024;
  }
  const CapacityQueue& queue(const std::string& path) const {
    return world_.state().configuration().queues[world_.index_of(path)];
  }
  std::string refresh(const Lines& more) {
    const Status status = world_.refresh(creating(more));
    return status ? "" : status.error().message;
  }

  CapacityWorld world_;
  ApplicationId last_;
};

// testAutoCreateQueueWithSiblingsUnderRoot, createBasicQueueStructureAndValidate.
TEST_F(CreatedQueues, ShareWithTheirSiblingsByTheirWeights) {
  EXPECT_EQ(submit("root.c-auto"), "");
  EXPECT_EQ(guaranteed("root.c-auto"), 400);
  EXPECT_EQ(submit("root.d-auto"), "");
  EXPECT_EQ(guaranteed("root.d-auto"), 300);
  EXPECT_EQ(guaranteed("root.c-auto"), 300);
  EXPECT_EQ(submit("root.a.a2-auto"), "");
  EXPECT_EQ(guaranteed("root.a.a2-auto"), 150);
  EXPECT_EQ(submit("root.e-auto.e1-auto"), "");
  EXPECT_EQ(guaranteed("root.e-auto"), 240);
  EXPECT_EQ(guaranteed("root.e-auto.e1-auto"), 240);
  EXPECT_FLOAT_EQ(queue("root.c-auto").user_limit_factor, -1);
  EXPECT_FLOAT_EQ(queue("root.c-auto").partitions.at("").application_master_share, 1);
  EXPECT_TRUE(queue("root.c-auto").is_created);
  world_.verify();
}

// Capacities of any form: weights share what amounts and percentages leave.
struct CreatedQueuesBesideAnyForm : CreatedQueues {
  static inline const Lines lines = {{"legacy-queue-mode.enabled", "false"},
                                     {"root.a.capacity", "50"},
                                     {"root.b.capacity", "[memory=300Gi,vcores=10%]"},
                                     {"root.a.a1.capacity", "100"}};
  CreatedQueuesBesideAnyForm() : CreatedQueues(lines) {}
};

TEST_F(CreatedQueuesBesideAnyForm, ShareWhatOthersLeave) {
  EXPECT_EQ(submit("root.c-auto"), "");
  EXPECT_EQ(guaranteed("root.a"), 450) << "half of what amounts leave";
  EXPECT_EQ(guaranteed("root.b"), 300);
  EXPECT_EQ(guaranteed("root.c-auto"), 450);
  EXPECT_EQ(submit("root.d-auto"), "");
  EXPECT_EQ(guaranteed("root.c-auto"), 225);
  EXPECT_EQ(guaranteed("root.d-auto"), 225);
  EXPECT_EQ(refresh(lines), "");
  EXPECT_EQ(guaranteed("root.d-auto"), 225);
  world_.verify();
}

TEST_F(CreatedQueues, ServeTheirApplications) {
  EXPECT_EQ(submit("root.c-auto"), "");
  world_.ask(last_, 10, 3);
  EXPECT_EQ(world_.fill_all(), 3u);
  EXPECT_EQ(world_.used("root.c-auto"), 30);
  EXPECT_EQ(world_.scheduler().leaf_of(last_), "root.c-auto");
  // One that is there already takes others, by its last part, too.
  EXPECT_EQ(submit("c-auto", "bob"), "");
  EXPECT_EQ(world_.scheduler().leaf_of(last_), "root.c-auto");
  EXPECT_EQ(world_.figure("root.c-auto", "Auto Created"), "until it is unused");
}

TEST_F(CreatedQueues, NeedAParentThatCreatesThem) {
  EXPECT_THAT(submit("root.b.x"), HasSubstr("there is no queue \"root.b.x\", and it cannot be "
                                            "created: queue root.b is a leaf"));
  EXPECT_THAT(submit("root.a.a1.x"), HasSubstr("queue root.a.a1 is a leaf"));
  EXPECT_THAT(submit("nowhere"), HasSubstr("only a path can be, such as root.nowhere"));
  EXPECT_THAT(submit("nowhere.x"), HasSubstr("none of the queues above it is there"));
  EXPECT_THAT(submit("root.c..x"), HasSubstr("a part of its path is empty"));
  EXPECT_THAT(submit("root.a"), HasSubstr("queue root.a has queues below it"));
  EXPECT_EQ(refresh({{"root.a" + v2 + "enabled", "false"}}), "");
  EXPECT_THAT(submit("root.a.x"), HasSubstr("queues are not created below root.a"));
  EXPECT_EQ(world_.state().tree().size(), 4u);
}

// testAutoCreateQueueWithAmbiguousNonFullPathParentName, and by the parent's last part.
TEST_F(CreatedQueues, AreNamedByTheirPathFromAQueueThatIsKnown) {
  EXPECT_EQ(submit("a.x"), "");
  EXPECT_EQ(world_.scheduler().leaf_of(last_), "root.a.x");
  EXPECT_EQ(submit("root.a.a"), "");
  EXPECT_THAT(submit("a.y"), HasSubstr("several queues are called a"));
}

// testAutoCreateMaximumQueueDepth, testAutoQueueCreationDepthLimitFromStaticParent.
TEST_F(CreatedQueues, AreInSoManyLevelsBelowThoseOfTheFile) {
  EXPECT_THAT(submit("root.a.a3.a4.a5"), HasSubstr("it would be in the level 3 below root.a, of at "
                                                   "most 2 (maximum-queue-depth)"));
  EXPECT_EQ(submit("root.a.a3.a4"), "");
  EXPECT_THAT(submit("root.a.a3.x.y"), HasSubstr("in the level 3 below root.a"));
  EXPECT_EQ(refresh({{"root.a" + v2 + "maximum-queue-depth", "3"}}), "");
  EXPECT_EQ(submit("root.a.a3.x.y"), "");
  EXPECT_EQ(refresh({{"auto-queue-creation-v2.maximum-queue-depth", "4"}}), "");
  EXPECT_EQ(submit("root.a.a6.a7.a8.a9"), "");
  // What a created queue states has no effect.
  EXPECT_EQ(refresh({{"root.a.z" + v2 + "maximum-queue-depth", "9"}}), "");
  EXPECT_THAT(submit("root.a.z.1.2"), HasSubstr("in the level 3 below root.a"));
}

// testAutoCreateQueueMaxQueuesLimit
TEST_F(CreatedQueues, AreNoMoreThanTheirParentMayHave) {
  EXPECT_EQ(refresh({{"root.a" + v2 + "max-queues", "3"}, {"root.e" + v2 + "max-queues", "1"}}),
            "");
  EXPECT_EQ(submit("root.a.x"), "");
  EXPECT_EQ(submit("root.a.y"), "");
  EXPECT_THAT(submit("root.a.z"), HasSubstr("queue root.a has 3 queues below it, of at most 3"));
  EXPECT_EQ(submit("root.e.x"), "");
  EXPECT_THAT(submit("root.e.y"), HasSubstr("of at most 1 (max-queues)"));
}

// testAutoCreateQueueWhenSiblingsNotInWeightMode
TEST_F(CreatedQueues, NeedSiblingsWithWeights) {
  EXPECT_EQ(refresh({{"root.a.a1.capacity", "100"}}), "");
  EXPECT_THAT(submit("root.a.x"), HasSubstr("the queues below root.a have no weights"));
}

// testAutoCreatedQueueTemplateConfig, testAutoCreatedQueueConfigChange
TEST_F(CreatedQueues, HaveWhatTemplatesAndTheirOwnPropertiesState) {
  const std::string weights = "root.a.*" + v2 + "template.capacity";
  EXPECT_EQ(refresh({{weights, "6w"}}), "");
  EXPECT_EQ(submit("root.a.p.x"), "");
  EXPECT_FLOAT_EQ(queue("root.a.p.x").partitions.at("").capacity.value, 6);
  EXPECT_FLOAT_EQ(queue("root.a.p").partitions.at("").capacity.value, 1);
  const Lines limits = {{weights, "6w"},
                        {"root.a.*" + v2 + "template.user-limit-factor", "10"},
                        {"root.a.*" + v2 + "template.maximum-am-resource-percent", "0.8"}};
  EXPECT_EQ(refresh(limits), "");
  EXPECT_FLOAT_EQ(queue("root.a.p.x").user_limit_factor, 10);
  EXPECT_FLOAT_EQ(queue("root.a.p.x").partitions.at("").application_master_share, 0.8F);
  EXPECT_EQ(refresh(with(limits, {{"root.a.p.x.capacity", "4w"}, {"root.a.p.x.state", "STOPPED"}})),
            "");
  EXPECT_FLOAT_EQ(queue("root.a.p.x").partitions.at("").capacity.value, 4);
  EXPECT_THAT(submit("root.a.p.x"), HasSubstr("is stopped"));
  EXPECT_EQ(refresh({}), "");
  EXPECT_EQ(submit("root.a.p.x"), "");
}

TEST_F(CreatedQueues, MayHaveCapacitiesOfLabels) {
  EXPECT_EQ(refresh({{"root.accessible-node-labels.gpu.capacity", "100"},
                     {"root.a.accessible-node-labels", "gpu"},
                     {"root.a.accessible-node-labels.gpu.capacity", "1w"},
                     {"root.a.a1.accessible-node-labels.gpu.capacity", "1w"},
                     {"root.a" + v2 + "template.accessible-node-labels.gpu.capacity", "3w"}}),
            "");
  world_.add_nodes(1, 100, 0, {"gpu"});
  EXPECT_EQ(submit("root.a.x"), "");
  EXPECT_EQ(world_.use("root.a.x", "gpu").figures.guaranteed, gib(75));
  EXPECT_EQ(world_.use("root.a.x").figures.guaranteed, gib(300));
}

TEST_F(CreatedQueues, AreNotMadeOfWhatIsWrong) {
  EXPECT_EQ(refresh({{"root.a.x.capacity", "50"}, {"root.a.y.state", "asleep"}}), "");
  EXPECT_THAT(submit("root.a.x"), HasSubstr("yarn.scheduler.capacity.root.a.x.capacity: expected a "
                                            "weight"));
  EXPECT_THAT(submit("root.a.y"), HasSubstr("root.a.y.state: expected RUNNING"));
  EXPECT_FALSE(has("root.a.x"));
  EXPECT_EQ(submit("root.a.z"), "");
}

TEST_F(CreatedQueues, AreForThoseWhoMaySubmitToThem) {
  EXPECT_EQ(refresh({{"root.acl_submit_applications", " "},
                     {"root.acl_administer_queue", " "},
                     {"root.a" + v2 + "leaf-template.acl_submit_applications", "ann"},
                     {"root.a" + v2 + "parent-template.acl_submit_applications", "bob"}}),
            "");
  EXPECT_THAT(submit("root.a.x", "eve"), HasSubstr("user eve may not submit to queue root.a.x"));
  EXPECT_FALSE(has("root.a.x")) << "nobody made it";
  EXPECT_EQ(submit("root.a.x", "ann"), "");
  EXPECT_THAT(submit("root.a.p.x", "ann"), HasSubstr("user ann may not submit"));
  EXPECT_EQ(submit("root.a.p.x", "bob"), "");
}

TEST_F(CreatedQueues, AreNotCreatedForAnApplicationTooMany) {
  EXPECT_EQ(refresh({{"maximum-applications", "1"}, {"root.b.maximum-applications", "1"}}), "");
  EXPECT_EQ(submit("root.b"), "");
  EXPECT_THAT(submit("root.c"), HasSubstr("the cluster has 1 applications already"));
  EXPECT_FALSE(has("root.c"));
}

TEST_F(CreatedQueues, MayBelowAnEmptyParentToo) {
  CapacityWorld world(
      {{"root.queues", "a"}, {"root.a.capacity", "100"}, {"root.a" + v2 + "enabled", "true"}});
  world.add_nodes(1, 100);
  EXPECT_THAT(world.harness().rejection(world.submit("root.a", "ann")),
              HasSubstr("queue root.a is a parent; applications go to leaves"));
  EXPECT_EQ(world.harness().rejection(world.submit("root.a.x", "ann")), "");
  EXPECT_EQ(world.use("root.a.x").figures.guaranteed, gib(100));
  CapacityWorld root({{"root" + v2 + "enabled", "true"}});
  root.add_nodes(1, 100);
  EXPECT_EQ(root.harness().rejection(root.submit("root.x", "ann")), "");
  EXPECT_EQ(root.use("root.x").figures.guaranteed, gib(100));
}

// ---- mappings ----

TEST_F(CreatedQueues, AreWhereMappingsPutApplications) {
  EXPECT_EQ(refresh({{"queue-mappings", "u:%user:root.a.%primary_group.%user"}}), "");
  EXPECT_EQ(submit("default", "ann"), "");
  EXPECT_EQ(world_.scheduler().leaf_of(last_), "root.a.ann.ann");
  EXPECT_EQ(refresh({{"queue-mappings", "u:%user:root.a.new.%user"}}), "");
  EXPECT_EQ(submit("default", "bob"), "");
  EXPECT_EQ(world_.scheduler().leaf_of(last_), "root.a.new.bob");
}

// TestCSMappingPlacementRule.testGroupMatching and others: `create`.
TEST_F(CreatedQueues, AreNotWhereARuleDoesNotCreateThem) {
  const auto rules = [](const std::string& create) {
    return Lines{{"mapping-rule-format", "json"},
                 {"mapping-rule-json", R"({"rules": [{"type": "user", "matches": "*", "policy": )"
                                       R"("user", "parentQueue": "root.a", "create": )" +
                                           create + R"(, "fallbackResult": "reject"}]})"}};
  };
  EXPECT_EQ(refresh(rules("false")), "");
  EXPECT_THAT(submit("default"), HasSubstr("there is no queue root.a.ann, and the rule does not "
                                           "create it"));
  EXPECT_EQ(refresh(rules("true")), "");
  EXPECT_EQ(submit("default"), "");
  EXPECT_EQ(world_.scheduler().leaf_of(last_), "root.a.ann");
  EXPECT_EQ(refresh(rules("false")), "");
  EXPECT_EQ(submit("default"), "") << "it is there now";
}

TEST_F(CreatedQueues, OfMappingsAreAtMostTwoLevelsBelowTheirCreator) {
  EXPECT_EQ(refresh({{"root.a" + v2 + "maximum-queue-depth", "4"},
                     {"queue-mappings", "u:%user:root.a.%user.%user.%user"}}),
            "");
  // The default queue is not there, and not created.
  EXPECT_THAT(submit("default"), HasSubstr("there is no queue root.a.ann.ann.ann"));
}

TEST_F(CreatedQueues, OfMappingsAreCheckedWithTheFile) {
  EXPECT_THAT(refresh({{"queue-mappings", "u:ann:root.b.x"}}), HasSubstr("expected a leaf queue"));
  EXPECT_THAT(refresh({{"queue-mappings", "u:%user:root.b.%user"}}),
              HasSubstr("queue root.b is a leaf"));
  EXPECT_EQ(refresh({{"queue-mappings", "u:ann:root.a.x,u:bob:root.a.y.z,u:%user:root.p.%user"}}),
            "");
  EXPECT_EQ(submit("default", "bob"), "");
  EXPECT_EQ(world_.scheduler().leaf_of(last_), "root.a.y.z");
}

// ---- refreshes ----

// testAutoCreateQueueRefresh, testConvertDynamicToStaticQueue
TEST_F(CreatedQueues, StayAtARefreshAndMayBecomeTheFiles) {
  for (const char* path : {"root.c", "root.d", "root.a.a2", "root.e.e1"}) {
    EXPECT_EQ(submit(path), "");
  }
  EXPECT_EQ(refresh({{"root.a.capacity", "6w"}}), "");
  EXPECT_EQ(guaranteed("root.a"), 720);
  EXPECT_EQ(world_.state().tree()[0].applications, 4u);
  const Lines with_c = {
      {"root.a.capacity", "6w"}, {"root.queues", "a,b,c"}, {"root.c.capacity", "6w"}};
  EXPECT_EQ(refresh(with_c), "");
  EXPECT_EQ(guaranteed("root.c"), 480);
  EXPECT_FALSE(queue("root.c").is_created);
  EXPECT_EQ(submit("root.e.e2"), "");
  EXPECT_EQ(refresh(with(with_c, {{"root.queues", "a,b,c,e"},
                                  {"root.e.capacity", "6w"},
                                  {"root.e.queues", "e1"},
                                  {"root.e.e1.capacity", "6w"}})),
            "");
  // 6/20 × 6/7 of 1200.
  EXPECT_EQ(guaranteed("root.e.e1"), 308);
  EXPECT_TRUE(queue("root.e.e2").is_created);
  world_.verify();
}

// testConvertDynamicParentToStaticParent
TEST_F(CreatedQueues, StayBelowAParentThatTheFileNamesNow) {
  EXPECT_EQ(submit("root.d.d1"), "");
  EXPECT_EQ(
      refresh({{"root.queues", "a,b,d"}, {"root.a.capacity", "6w"}, {"root.d.capacity", "1w"}}),
      "");
  EXPECT_EQ(guaranteed("root.d"), 150);
  EXPECT_EQ(guaranteed("root.d.d1"), 150);
  EXPECT_FALSE(queue("root.d").is_created);
  EXPECT_TRUE(queue("root.d.d1").is_created);
}

// testRemoveDanglingAutoCreatedQueuesOnReinit
TEST_F(CreatedQueues, GoWithTheirParentUnlessTheyAreUsed) {
  EXPECT_EQ(submit("root.a.x"), "");
  const Lines without_a = {
      {"root.queues", "b"}, {"root.a.state", "STOPPED"}, {"root.a.a1.state", "STOPPED"}};
  EXPECT_THAT(refresh(without_a), HasSubstr("it has 1 application"));
  world_.finish(last_);
  EXPECT_EQ(refresh(without_a), "");
  EXPECT_FALSE(has("root.a.x"));
}

TEST_F(CreatedQueues, KeepARefreshFromSiblingsWithoutWeights) {
  EXPECT_EQ(submit("root.a.x"), "");
  EXPECT_THAT(refresh({{"root.a.a1.capacity", "100"}}),
              HasSubstr("queue root.a.x was created and has a weight: expected weights of all "
                        "queues below root.a"));
}

// ---- removal ----

class RemovedQueues : public CreatedQueues {
 protected:
  RemovedQueues() : CreatedQueues({{"auto-queue-creation-v2.queue-expiration-time", "10"}}) {}

  // With the policy switched on, looking every ten seconds.
  Lines removing(const Lines& more = {}) {
    return with({{"auto-queue-creation-v2.queue-expiration-time", "10"}}, more);
  }
  std::string switch_on(const Lines& more = {}) {
    const Status status = world_.refresh(creating(removing(more)), {}, policies_);
    return status ? "" : status.error().message;
  }
  void pass(std::int64_t s) {
    world_.harness().advance(seconds(s));
    world_.harness().decide();
    world_.verify();
  }

  const Lines policies_ = {{"yarn.resourcemanager.scheduler.monitor.enable", "true"},
                           {"yarn.resourcemanager.scheduler.monitor.policies",
                            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity."
                            "AutoCreatedQueueDeletionPolicy"}};
};

// testCapacitySchedulerAutoQueueDeletion
TEST_F(RemovedQueues, AreThoseThatTwoLooksInARowFindUnused) {
  EXPECT_EQ(switch_on(), "");
  EXPECT_EQ(submit("root.a.p.x"), "");
  pass(35);
  EXPECT_TRUE(has("root.a.p.x")) << "its application runs";
  world_.finish(last_);
  pass(10);  // at 40 it is found unused
  EXPECT_TRUE(has("root.a.p.x"));
  EXPECT_EQ(guaranteed("root.a.a1"), 300);
  pass(10);  // at 50 for the second time
  EXPECT_FALSE(has("root.a.p.x"));
  EXPECT_TRUE(has("root.a.p"));
  pass(10);  // at 60 its parent is found without queues
  EXPECT_TRUE(has("root.a.p"));
  pass(10);
  EXPECT_FALSE(has("root.a.p"));
  EXPECT_EQ(guaranteed("root.a.a1"), 600);
  EXPECT_EQ(world_.harness().wake_at(), never);
  // It may come back.
  EXPECT_EQ(submit("root.a.p.x"), "");
}

TEST_F(RemovedQueues, AreNotThoseThatAreUsedAtALookInBetween) {
  EXPECT_EQ(switch_on(), "");
  EXPECT_EQ(submit("root.a.x"), "");
  world_.finish(last_);
  pass(15);  // found unused at 10
  EXPECT_EQ(submit("root.a.x"), "");
  pass(10);  // used at 20
  world_.finish(last_);
  pass(10);  // found unused at 30
  EXPECT_TRUE(has("root.a.x"));
  EXPECT_EQ(submit("root.a.x"), "");
  world_.finish(last_);
  pass(10);  // and at 40: what was between does not count
  EXPECT_FALSE(has("root.a.x"));
}

TEST_F(RemovedQueues, LeaveOthersAsTheyAre) {
  EXPECT_EQ(switch_on(), "");
  EXPECT_EQ(submit("root.a.x"), "");
  const ApplicationId unused = last_;
  EXPECT_EQ(submit("root.a.y", "bob"), "");
  world_.ask(last_, 100, 20);
  EXPECT_EQ(world_.fill_all(), 12u);
  world_.finish(unused);
  pass(30);
  EXPECT_FALSE(has("root.a.x"));
  EXPECT_EQ(world_.used("root.a.y"), 1'200);
  EXPECT_EQ(world_.scheduler().leaf_of(last_), "root.a.y");
  world_.end_one(last_);
  EXPECT_EQ(world_.fill_all(), 1u);
}

// testCapacitySchedulerAutoQueueDeletionDisabled
TEST_F(RemovedQueues, AreNoneThatMayStay) {
  EXPECT_EQ(switch_on({{"root.a" + v2 + "template" + v2.substr(0, v2.size() - 1) +
                            ".queue-auto-removal.enable",
                        "false"}}),
            "");
  EXPECT_EQ(submit("root.a.x"), "");
  world_.finish(last_);
  pass(60);
  EXPECT_TRUE(has("root.a.x"));
  EXPECT_EQ(world_.harness().wake_at(), never);
  EXPECT_EQ(switch_on(), "");
  world_.fill_all();
  pass(30);
  EXPECT_FALSE(has("root.a.x"));
}

TEST_F(RemovedQueues, AreNoneWithoutThePolicy) {
  EXPECT_EQ(submit("root.a.x"), "");
  world_.finish(last_);
  pass(1'000);
  EXPECT_TRUE(has("root.a.x"));
  EXPECT_EQ(world_.harness().wake_at(), never);
}

}  // namespace
}  // namespace tracebed

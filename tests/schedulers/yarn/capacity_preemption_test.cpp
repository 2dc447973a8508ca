// Stories of the Capacity scheduler's preemption. Two queues of half the cluster each, of 10 nodes
// with 10 GiB, unless a test says otherwise; a starved one is looked at every three seconds.
#include "core/random.h"
#include "schedulers/yarn/capacity_starving.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// 50 GiB are too much; of them a tenth of the cluster may be wanted back in a round, and of these
// 10 GiB a fifth is: the two newest containers.
TEST(CapacityPreemption, AsksForTheNewestContainersAndKillsThemAtTheDeadline) {
  Starving story(preempting());
  EXPECT_EQ(story.pass(milliseconds(2'999)), "");
  EXPECT_EQ(story.pass(milliseconds(1)), "ask 98, ask 99");
  const PreemptionTerms& terms = story.harness().preemptions().at(ContainerId(98u));
  EXPECT_EQ(terms.kind, PreemptionKind::negotiable);
  EXPECT_EQ(terms.purpose, PreemptionPurpose::balance);
  EXPECT_EQ(terms.deadline, trace_time(18'000'000));
  EXPECT_TRUE(terms.is_repeated);
  EXPECT_TRUE(terms.may_be_substituted);
  EXPECT_EQ(story.pass(milliseconds(14'999)), "") << "nothing has changed, so nothing is new";
  EXPECT_EQ(story.pass(milliseconds(1)), "kill 98 (overdue), kill 99 (overdue)");
  EXPECT_EQ(story.pass(seconds(3)), "ask 96, ask 97");
}

TEST(CapacityPreemption, WhatIsGivenBackIsNotKilledAndMoreIsAskedFor) {
  Starving story(preempting());
  story.pass(seconds(3));
  story.harness().end(ContainerId(98u));
  story.harness().end(ContainerId(99u));
  story.world.fill_all();
  EXPECT_EQ(story.world.used(story.poor), 2);
  EXPECT_EQ(story.pass(seconds(3)), "ask 96, ask 97");
}

// The queue that was short goes away before the deadline.
TEST(CapacityPreemption, WhatIsNoLongerNeededIsWithdrawn) {
  Starving story(preempting());
  story.pass(seconds(3));
  story.world.finish(story.poor);
  EXPECT_EQ(story.pass(seconds(60)), "withdraw 98, withdraw 99");
  EXPECT_EQ(story.harness().wake_at(), never);
}

// The need goes between the last round and the deadline, at which it is looked at once more.
TEST(CapacityPreemption, AtTheDeadlineItIsLookedAtOnceMore) {
  Starving story(preempting({{"preemption.max_wait_before_kill", "10000"}}));
  EXPECT_EQ(story.pass(milliseconds(12'500)), "ask 98, ask 99");
  story.world.finish(story.poor);
  EXPECT_EQ(story.pass(milliseconds(500)), "withdraw 98, withdraw 99");
  EXPECT_EQ(story.pass(seconds(60)), "");
}

// What was settled by other containers may be asked for again, until a new deadline.
TEST(CapacityPreemption, ASettledContainerIsANewRequestWhenItIsChosenAgain) {
  Starving story(preempting());
  story.pass(seconds(3));
  const std::vector<SchedulerEvent> settled{PreemptionSettled{ContainerId(99u), story.rich}};
  Decisions decisions;
  story.world.scheduler().decide({story.harness().now(), settled, story.harness().cluster()},
                                 decisions);
  ASSERT_EQ(decisions.list().size(), 1u);
  ASSERT_TRUE(std::holds_alternative<WakeAt>(decisions.list()[0]));
  const TraceTime next = std::get<WakeAt>(decisions.list()[0]).at;
  EXPECT_EQ(next, trace_time(6'000'000));
  decisions.clear();
  const std::vector<SchedulerEvent> tick{Tick{}};
  story.world.scheduler().decide({next, tick, story.harness().cluster()}, decisions);
  ASSERT_EQ(decisions.list().size(), 1u);
  const auto* again = std::get_if<Preempt>(&decisions.list()[0]);
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(again->container, ContainerId(99u));
  EXPECT_EQ(decisions.terms(*again).deadline, trace_time(21'000'000));
}

// Proves: 4.mark-then-kill, 7.capacity-negotiable, 7.amount
TEST(CapacityPreemption, AsHadoopItTellsOnceAndKillsWhatIsStillChosenAfterTheWait) {
  Starving story(preempting({{"preemption.delivery", "hadoop"}}));
  EXPECT_EQ(story.pass(seconds(3)), "ask 98, ask 99");
  const PreemptionTerms& terms = story.harness().preemptions().at(ContainerId(98u));
  EXPECT_EQ(terms.kind, PreemptionKind::negotiable);
  EXPECT_FALSE(terms.is_repeated);
  EXPECT_FALSE(terms.may_be_substituted);
  EXPECT_EQ(terms.deadline, never) << "the scheduler kills by itself";
  EXPECT_EQ(terms.unit, gib(1)) << "told in minimum allocations";
  EXPECT_EQ(story.pass(milliseconds(14'999)), "");
  EXPECT_EQ(story.pass(milliseconds(1)), "kill 98, kill 99");
}

// The need goes for a while: within 30 s of the mark a second choice kills at once, and later it is
// a new mark.
// Proves: 4.marks-forgotten
TEST(CapacityPreemption, AsHadoopItRemembersMarksForTwiceTheWait) {
  for (const bool is_late : {false, true}) {
    Starving story(preempting({{"preemption.delivery", "hadoop"}}));
    EXPECT_EQ(story.pass(seconds(3)), "ask 98, ask 99");
    story.harness().set_pending(story.wish, 0);
    EXPECT_EQ(story.pass(seconds(20)), "") << "not even at the end of the wait";
    if (is_late) {
      EXPECT_EQ(story.pass(seconds(20)), "withdraw 98, withdraw 99") << "forgotten";
    }
    story.harness().set_pending(story.wish, 50);
    EXPECT_EQ(story.pass(seconds(3)), is_late ? "ask 98, ask 99" : "kill 98, kill 99");
  }
}

TEST(CapacityPreemption, WithoutAWordItKillsAtTheMomentOfChoice) {
  Starving story(preempting({{"preemption.delivery", "kill"}}));
  EXPECT_EQ(story.pass(seconds(3)), "kill 98, kill 99");
  EXPECT_EQ(story.pass(seconds(3)), "kill 96, kill 97");
}

// Killed containers that have not ended yet count as given.
TEST(CapacityPreemption, WhatIsBeingKilledIsNotChosenAgain) {
  Starving story(preempting({{"preemption.delivery", "kill"},
                             {"preemption.natural_termination_factor", "1"},
                             {"preemption.total_preemption_per_round", "1"}}),
                 halves, 3);
  story.harness().let_kills_linger();
  EXPECT_EQ(story.pass(seconds(3)), "kill 97, kill 98, kill 99");
  story.harness().set_pending(story.wish, 4);
  EXPECT_EQ(story.pass(seconds(3)), "kill 96");
}

// Proves: 4.keys
TEST(CapacityPreemption, NothingHappensWhereItIsNotTurnedOn) {
  Starving story({});
  EXPECT_EQ(story.harness().wake_at(), never);
  EXPECT_EQ(story.pass(seconds(60)), "");
  EXPECT_THAT(story.world.scheduler().view(story.harness().cluster()).preemptions, IsEmpty());
}

TEST(CapacityPreemption, ObservingShowsWhatWouldBeChosenAndAsksNobody) {
  Starving story(preempting({{"preemption.observe_only", "true"}}));
  EXPECT_EQ(story.harness().wake_at(), never);
  EXPECT_EQ(story.pass(seconds(60)), "");
  const auto views = story.world.scheduler().view(story.harness().cluster()).preemptions;
  ASSERT_THAT(views, SizeIs(2));
  EXPECT_EQ(views[0].container, ContainerId(98u));
  EXPECT_FALSE(views[0].is_asked_for);
}

TEST(CapacityPreemption, TheViewTellsWhatIsOwedUntilWhen) {
  Starving story(preempting());
  story.pass(seconds(3));
  const auto views = story.world.scheduler().view(story.harness().cluster()).preemptions;
  ASSERT_THAT(views, SizeIs(2));
  EXPECT_TRUE(views[1].is_asked_for);
  EXPECT_EQ(views[1].deadline, trace_time(18'000'000));
  EXPECT_THAT(views[1].reason, HasSubstr("guarantee"));
}

TEST(CapacityPreemption, ThereAreNoRoundsWhileNobodyWantsAnything) {
  Starving story(preempting(), halves, 0);
  EXPECT_EQ(story.pass(seconds(3)), "") << "planned while the first queue still wanted something";
  EXPECT_EQ(story.harness().wake_at(), never);
  const std::uint64_t calls = story.harness().calls();
  EXPECT_EQ(story.pass(seconds(600)), "");
  EXPECT_EQ(story.harness().calls(), calls);
}

// One round for the wish; the state stands still after it, and so does the scheduler.
TEST(CapacityPreemption, ThereAreNoRoundsWhileNothingChanges) {
  Starving story(preempting());
  story.pass(seconds(17));
  EXPECT_EQ(story.harness().wake_at(), never);
}

// Proves: 4.disabled
TEST(CapacityPreemption, AQueueThatDisablesItGivesNothing) {
  Starving story(preempting(), with(halves, {{"root.a.disable_preemption", "true"}}));
  EXPECT_EQ(story.pass(seconds(60)), "");
}

TEST(CapacityPreemption, ARefreshThatTurnsItOffWithdrawsWhatIsOwed) {
  Starving story(preempting());
  story.pass(seconds(3));
  ASSERT_TRUE(story.world.refresh(halves, {}).has_value());
  story.world.beat(0);
  EXPECT_EQ(story.harness().taken_back(), "withdraw 98, withdraw 99");
  EXPECT_EQ(story.pass(seconds(60)), "");
}

// Everything may be taken at once here, and of equal importance the later application pays first,
// its less important containers before others, and of these the newest.
// Proves: 4.victims
TEST(CapacityPreemption, TheLastApplicationsLeastImportantNewestContainersGoFirst) {
  CapacityWorld world(halves, preempting({{"preemption.delivery", "kill"},
                                          {"preemption.natural_termination_factor", "1"},
                                          {"preemption.total_preemption_per_round", "1"}}));
  world.add_nodes(1, 10);
  const ApplicationId first = world.submit("a", "ann");
  world.ask(first, 1, 4);  // containers 0 to 3
  world.fill_all();
  const ApplicationId last = world.submit("a", "ann");
  world.harness().ask(last, {.demand = gib(1), .pending = 3, .priority = 20});  // 4 to 6
  world.fill_all();
  world.harness().ask(last, {.demand = gib(1), .pending = 3, .priority = 10});  // 7 to 9
  world.fill_all();
  const ApplicationId poor = world.submit("b", "bob");
  world.ask(poor, 1, 5);
  world.harness().advance(seconds(3));
  EXPECT_EQ(world.harness().taken_back(), "kill 4, kill 5, kill 6, kill 8, kill 9");
}

// Queue a has 5 GiB and uses 7, for masters alone. Of those as much is spared as its part of the
// cluster comes to, whatever the label: 5 GiB at first, and the newest two go; of 14 GiB it is all
// of the 7.
// Proves: 4.victims
TEST(CapacityPreemption, MastersGoLastAndNotAllOfThem) {
  for (const bool has_labelled_node : {false, true}) {
    CapacityWorld world(halves, preempting({{"preemption.delivery", "kill"},
                                            {"preemption.natural_termination_factor", "1"},
                                            {"preemption.max_ignored_over_capacity", "0"},
                                            {"preemption.total_preemption_per_round", "1"}}));
    world.add_nodes(1, 10);
    if (has_labelled_node) world.add_nodes(1, 4, 0, {"gpu"});
    for (int i = 0; i < 7; ++i) {  // containers 0 to 6
      const ApplicationId application = world.submit("a", "ann", 0, gib(1));
      world.harness().ask(application, {.demand = gib(1), .pending = 1, .is_master = true});
      world.fill(NodeId(0u));
    }
    world.ask(world.submit("b", "bob"), 1, 10);
    world.fill(NodeId(0u));
    world.harness().advance(seconds(3));
    EXPECT_EQ(world.harness().taken_back(), has_labelled_node ? "" : "kill 5, kill 6");
  }
}

// Of two nodes of 8 GiB, a quarter of which is a's, a has 5 containers of 1 GiB on each, and b a
// reservation for 6 GiB on node 0. Besides the 3 GiB that are free there, room is made by the
// newest containers of that node.
void reserve_beside(CapacityWorld& world) {
  world.add_nodes(2, 8);
  world.ask(world.submit("a", "ann"), 1, 16);  // containers 0 to 7 on node 0, 8 to 15 on node 1
  world.fill_all();
  world.ask(world.submit("b", "bob"), 6, 1);
  for (const std::uint32_t ended : {0U, 1U, 2U, 8U, 9U, 10U}) {
    world.harness().end(ContainerId(ended));
  }
  EXPECT_EQ(world.beat(0), "");
  EXPECT_EQ(world.reserved("root.b"), 6);
}
const Lines quarter = with(halves, {{"root.a.capacity", "25"}, {"root.b.capacity", "75"}});

// Proves: 4.reserved
TEST(CapacityPreemption, MakesRoomOnTheNodeThatIsReserved) {
  CapacityWorld world(quarter,
                      preempting({{"preemption.select_based_on_reserved_containers", "true"},
                                  {"preemption.natural_termination_factor", "0"},
                                  {"preemption.total_preemption_per_round", "1"}}));
  reserve_beside(world);
  world.harness().advance(seconds(3));
  EXPECT_EQ(world.harness().taken_back(), "ask 5, ask 6, ask 7");
}

// Three containers would be above the 2.4 GiB that may be taken, and two would not do.
// Proves: 4.reserved
TEST(CapacityPreemption, MakesNoRoomThatIsTooSmall) {
  CapacityWorld world(quarter,
                      preempting({{"preemption.select_based_on_reserved_containers", "true"},
                                  {"preemption.natural_termination_factor", "0"},
                                  {"preemption.total_preemption_per_round", "0.15"}}));
  reserve_beside(world);
  world.harness().advance(seconds(3));
  EXPECT_EQ(world.harness().taken_back(), "");
}

// Within one queue, of 20 GiB: the more important application of the same user gets half of the
// other's 20.
// Proves: 4.within-queue
TEST(CapacityPreemption, TheLessImportantOfAQueueGiveWay) {
  const SettingValues settings =
      preempting({{"preemption.intra-queue-preemption.enabled", "true"},
                  {"preemption.intra-queue-preemption.preemption-order-policy", "priority_first"},
                  {"preemption.total_preemption_per_round", "1"},
                  {"maximum_application_priority", "10"}});
  for (const bool is_disabled : {false, true}) {
    const Lines lines = one_queue(
        {{"root.a.intra-queue-preemption.disable_preemption", is_disabled ? "true" : "false"}});
    CapacityWorld world(lines, settings);
    world.add_nodes(2, 10);
    const ApplicationId minor = world.submit("a", "ann", 1);
    world.ask(minor, 1, 20);
    world.fill_all();
    world.ask(world.submit("a", "ann", 5), 1, 3);
    world.harness().advance(seconds(3));
    EXPECT_EQ(world.harness().taken_back(), is_disabled ? "" : "ask 17, ask 18, ask 19");
  }
}

// Limits are half of what is used and a minimum allocation more, 10.5 GiB, up to 11. The first user
// has 20 and gives 8, not 9, since he must stay above.

// Proves: 4.within-queue
TEST(CapacityPreemption, AUserStaysAboveHisLimit) {
  const SettingValues settings =
      preempting({{"preemption.intra-queue-preemption.enabled", "true"},
                  {"preemption.intra-queue-preemption.max-allowable-limit", "1"},
                  {"preemption.total_preemption_per_round", "1"}});
  CapacityWorld world(one_queue({{"root.a.minimum-user-limit-percent", "50"}}), settings);
  world.add_nodes(2, 10);
  world.ask(world.submit("a", "ann"), 1, 20);
  world.fill_all();
  world.ask(world.submit("a", "bob"), 1, 20);
  world.harness().advance(seconds(3));
  EXPECT_THAT(world.harness().preemptions(), SizeIs(8));
}

// A node is drained with containers on it and comes back with them; what ends meanwhile is taken
// off its own partition.
TEST(CapacityPreemption, ADrainedNodesContainersStayInItsPartition) {
  const Lines lines = with(halves, {{"root.accessible-node-labels.gpu.capacity", "100"},
                                    {"root.a.accessible-node-labels", "gpu"},
                                    {"root.a.accessible-node-labels.gpu.capacity", "100"}});
  CapacityWorld world(lines);
  world.add_nodes(1, 10);
  world.add_nodes(2, 10, 0, {"gpu"});
  const ApplicationId ann = world.submit("a", "ann");
  world.harness().ask(ann, {.demand = gib(1), .pending = 4, .label = world.label("gpu")});
  world.fill_all();
  EXPECT_EQ(world.used("root.a", "gpu"), 4);
  world.harness().drain(NodeId(1u));
  world.harness().decide();
  world.end_one(ann);
  EXPECT_EQ(world.used("root.a", "gpu"), 3);
  world.harness().undrain(NodeId(1u));
  world.harness().decide();
  world.end_one(ann);
  EXPECT_EQ(world.used("root.a", "gpu"), 2);
  world.verify();
}

// Whatever the queues use and want: a round takes at most what it may, and nothing of a queue that
// has no more than its guarantee (containers are of one size, which divides all guarantees).
TEST(CapacityPreemption, ARoundTakesNoMoreThanItMayAndNothingBelowAGuarantee) {
  Random random(7);
  const auto draw = [&](std::uint64_t below) {
    return static_cast<std::uint32_t>(random.below(below));
  };
  std::size_t taken_in_all = 0;
  for (int run = 0; run < 60; ++run) {
    const Lines lines = {{"root.queues", "a,b,c"},           {"root.a.capacity", "20"},
                         {"root.b.capacity", "30"},          {"root.c.capacity", "50"},
                         {"root.a.user-limit-factor", "10"}, {"root.b.user-limit-factor", "10"},
                         {"root.c.user-limit-factor", "10"}, {"maximum-am-resource-percent", "1"}};
    const std::array per_round = {"0.05", "0.1", "1"};
    const std::size_t rate = draw(3);
    CapacityWorld world(
        lines, preempting({{"preemption.delivery", "kill"},
                           {"preemption.total_preemption_per_round", per_round[rate]},
                           {"preemption.natural_termination_factor", draw(2) ? "1" : "0.2"},
                           {"preemption.intra-queue-preemption.enabled", "true"}}));
    world.add_nodes(10, 10);
    for (const char* queue : {"a", "b", "c"}) {
      for (std::uint32_t i = draw(3); i-- > 0;) {
        world.ask(world.submit(queue, i % 2 == 0 ? "ann" : "bob"), 1, draw(80));
      }
      if (draw(2) == 0) world.fill_all();
    }
    world.fill_all();
    const std::array before = {world.used("root.a"), world.used("root.b"), world.used("root.c")};
    world.harness().advance(seconds(3));
    world.verify();
    std::int64_t taken = 0;
    const std::array paths = {"root.a", "root.b", "root.c"};
    const std::array<std::int64_t, 3> guaranteed = {20, 30, 50};
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const std::int64_t lost = before[i] - world.used(paths[i]);
      taken += lost;
      const bool is_within = before[i] <= guaranteed[i];
      // Within a queue its own applications get what others give.
      if (!is_within) {
        EXPECT_GE(before[i] - lost, guaranteed[i]) << paths[i];
      }
    }
    EXPECT_LE(taken, rate == 0 ? 5 : rate == 1 ? 10 : 100);
    taken_in_all += static_cast<std::size_t>(taken);
  }
  EXPECT_GT(taken_in_all, 100u) << "the runs take something back";
}

}  // namespace
}  // namespace tracebed

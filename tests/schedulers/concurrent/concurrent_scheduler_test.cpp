// Concurrent schedulers, on stories worked by hand: a decision about a job takes 100 ms, and
// 5 ms for each of its units.
#include "schedulers/concurrent/concurrent_scheduler.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>

#include "core/random.h"
#include "schedulers/policy_harness.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

std::unique_ptr<Scheduler> made(std::string_view name, const SettingValues& settings) {
  SchedulerParameters parameters;
  parameters.settings = settings;
  auto scheduler = test::schedulers().make(name, parameters);
  EXPECT_TRUE(scheduler.has_value()) << scheduler.error().message;
  return std::move(scheduler).value();
}

struct OwnedConcurrent {
  std::unique_ptr<Scheduler> owned;
};

class ConcurrentHarness : private OwnedConcurrent, public PolicyHarness {
 public:
  explicit ConcurrentHarness(std::string_view name, const SettingValues& settings = {})
      : OwnedConcurrent{made(name, settings)}, PolicyHarness(*owned) {}

  std::uint64_t count(std::string_view name) const {
    for (const SchedulerCount& each : owned->counts()) {
      if (each.name == name) return each.count;
    }
    ADD_FAILURE() << "no count " << name;
    return 0;
  }
  std::vector<WaitingReason> why_waiting(AskId ask) {
    return owned->why_waiting(cluster(), cluster().asks[ask].application, ask);
  }
  // What is placed until then, in order.
  std::string placed_until(std::int64_t ms) {
    advance(trace_time(ms * 1000) - now());
    return to_text(decide());
  }
};

constexpr Resources half{1000, 1024};
constexpr Resources node{2000, 2048};

AskFigures units(std::uint32_t pending, const Resources& demand = half) {
  AskFigures figures;
  figures.demand = demand;
  figures.pending = pending;
  return figures;
}

// Only a report that the node is well again is a reason to decide once more.
TEST(Monolithic, DecidesAgainWhenANodeIsNoLongerUnderPressure) {
  ConcurrentHarness harness("monolithic",
                            {{"policy", "weighted_priorities"},
                             {"policy_settings", "predicates=not_under_pressure;ties="}});
  const NodeId only = harness.add_node(node);
  harness.heartbeat(only, Resources(0, 2'000));
  const AskId ask = harness.submit_and_ask(units(1));
  (void)harness.decide();
  EXPECT_EQ(harness.placed_until(200), "");
  EXPECT_EQ(harness.why_waiting(ask).at(0).text, "of 1 nodes, 1 fail not_under_pressure");
  harness.heartbeat(only, Resources(0, 2'048));
  EXPECT_EQ(harness.placed_until(400), "");
  EXPECT_EQ(harness.count("transactions"), 1u);
  harness.heartbeat(only, Resources(0, 100));
  EXPECT_EQ(harness.placed_until(504), "");
  EXPECT_EQ(harness.placed_until(506), "a0:n0");
  EXPECT_EQ(harness.count("transactions"), 2u);
}

TEST(Monolithic, DecidesAboutOneJobAfterTheOther) {
  ConcurrentHarness harness("monolithic");
  harness.add_node(node * 10);
  harness.submit_and_ask(units(2));
  const AskId second = harness.submit_and_ask(units(1));
  (void)harness.decide();
  EXPECT_EQ(harness.why_waiting(second).at(0).text,
            "scheduler 1 of 1 decides about another job first");
  EXPECT_EQ(harness.placed_until(109), "");
  EXPECT_EQ(harness.placed_until(110), "a0:n0 a0:n0");
  EXPECT_EQ(harness.why_waiting(second).at(0).text, "scheduler 1 of 1 decides about it next");
  // The next begins a microsecond later, and takes 105 ms.
  EXPECT_EQ(harness.placed_until(215), "");
  EXPECT_EQ(harness.placed_until(216), "a1:n0");
  EXPECT_EQ(harness.count("thinking_ms"), 215u);
  EXPECT_EQ(harness.count("transactions"), 2u);
  EXPECT_EQ(harness.count("transactions_in_conflict"), 0u);
}

TEST(SharedState, SchedulersDecideAtTheSameTime) {
  ConcurrentHarness harness("shared_state", {{"schedulers", "2"}});
  harness.add_node(node * 10);
  harness.submit_and_ask(units(2));
  harness.submit_and_ask(units(1));
  EXPECT_EQ(harness.placed_until(105), "a1:n0");
  EXPECT_EQ(harness.placed_until(110), "a0:n0 a0:n0");
}

// Both see room for one. Who is later finds none, decides again in vain, and then waits for room.
TEST(SharedState, WhatTheOtherTookMeanwhileIsInConflict) {
  ConcurrentHarness harness("shared_state", {{"schedulers", "2"}});
  harness.add_node(half);
  harness.submit_and_ask(units(1));
  const AskId second = harness.submit_and_ask(units(1));
  harness.advance(milliseconds(105));
  const auto first = harness.decide();
  EXPECT_EQ(to_text(first), "a0:n0");
  EXPECT_EQ(harness.count("units_in_conflict_no_room"), 1u);
  EXPECT_EQ(harness.count("transactions_in_conflict"), 1u);
  EXPECT_EQ(harness.count("thinking_in_conflict_ms"), 105u);
  EXPECT_EQ(harness.placed_until(150), "");
  EXPECT_EQ(harness.why_waiting(second).at(0).text,
            "scheduler 2 of 2 decides about it until 0.210001 s");
  EXPECT_EQ(harness.placed_until(1'000), "");
  EXPECT_EQ(harness.count("transactions_without_room"), 1u);
  EXPECT_EQ(harness.count("transactions"), 3u) << "nothing became free since";
  harness.end(first.at(0).container);
  (void)harness.decide();
  EXPECT_EQ(harness.placed_until(1'105), "a1:n0");
}

// Of the second job's two units the one on the first node is in conflict, as the first job fills
// it.
TEST(SharedState, LocalReschedulingDecidesAgainOnlyAboutWhatIsInConflict) {
  for (const bool is_local : {true, false}) {
    ConcurrentHarness harness("shared_state",
                              {{"schedulers", "2"}, {"rescheduling", is_local ? "local" : "full"}});
    for (int i = 0; i < 2; ++i) harness.add_node(half);
    const NodeId spare = harness.add_node(half);
    harness.drain(spare);
    harness.submit_and_ask(units(1));
    harness.submit_and_ask(units(2));
    EXPECT_EQ(harness.placed_until(105), "a0:n0");
    harness.undrain(spare);
    (void)harness.decide();
    EXPECT_EQ(harness.placed_until(110), is_local ? "a1:n1" : "");
    EXPECT_EQ(harness.count("units_in_conflict_no_room"), 1u);
    EXPECT_EQ(harness.count("units_not_committed"), is_local ? 0u : 1u);
    // One unit takes 105 ms more, two 110.
    EXPECT_EQ(harness.placed_until(216), is_local ? "a1:n2" : "");
    EXPECT_EQ(harness.placed_until(221), is_local ? "" : "a1:n1 a1:n2");
    EXPECT_EQ(harness.count("units_committed"), 3u);
  }
}

// The node has room for both.
TEST(SharedState, BySequenceNumbersAnyChangeIsAConflict) {
  for (const bool is_by_number : {false, true}) {
    ConcurrentHarness harness(
        "shared_state",
        {{"schedulers", "2"}, {"conflict", is_by_number ? "sequence_numbers" : "resource_fit"}});
    harness.add_node(node * 10);
    harness.submit_and_ask(units(1));
    harness.submit_and_ask(units(1));
    EXPECT_EQ(harness.placed_until(105), is_by_number ? "a0:n0" : "a0:n0 a1:n0");
    EXPECT_EQ(harness.count("units_in_conflict_node_changed"), is_by_number ? 1u : 0u);
    EXPECT_EQ(harness.placed_until(211), is_by_number ? "a1:n0" : "");
  }
}

TEST(SharedState, ANodeThatLeavesMeanwhileIsAConflict) {
  ConcurrentHarness harness("shared_state");
  const NodeId leaving = harness.add_node(half);
  harness.submit_and_ask(units(1));
  (void)harness.decide();
  harness.add_node(half);
  harness.remove_node(leaving);
  EXPECT_EQ(harness.placed_until(105), "");
  EXPECT_EQ(harness.count("units_in_conflict_node_gone"), 1u);
  EXPECT_EQ(harness.placed_until(211), "a0:n1");
}

TEST(SharedState, WhatIsNotRequestedAnyMoreIsNoConflict) {
  ConcurrentHarness harness("shared_state");
  harness.add_node(node * 10);
  const AskId ask = harness.submit_and_ask(units(3));
  (void)harness.decide();
  harness.set_pending(ask, 1);
  EXPECT_EQ(harness.placed_until(200), "a0:n0");
  EXPECT_EQ(harness.count("units_withdrawn"), 2u);
  EXPECT_EQ(harness.count("transactions_in_conflict"), 0u);

  const AskId closed = harness.submit_and_ask(units(3));
  (void)harness.decide();
  harness.close(closed);
  EXPECT_EQ(harness.placed_until(1'000), "");
  EXPECT_EQ(harness.count("units_withdrawn"), 5u);
}

// What is asked for while a decision is taken is in the next one.
TEST(SharedState, HasASnapshotOfWhatIsRequestedToo) {
  ConcurrentHarness harness("shared_state");
  harness.add_node(node * 10);
  const AskId ask = harness.submit_and_ask(units(1));
  (void)harness.decide();
  harness.set_pending(ask, 3);
  EXPECT_EQ(harness.placed_until(105), "a0:n0");
  EXPECT_EQ(harness.placed_until(216), "a0:n0 a0:n0");
}

TEST(SharedState, TheUnitsOfAGangAreInConflictTogether) {
  ConcurrentHarness harness("shared_state", {{"schedulers", "2"}});
  for (int i = 0; i < 2; ++i) harness.add_node(half);
  AskFigures gang = units(2);
  gang.kind = StageKind::gang;
  harness.submit_and_ask(units(1));
  harness.submit_and_ask(gang);
  harness.advance(milliseconds(110));
  const auto first = harness.decide();
  EXPECT_EQ(to_text(first), "a0:n0");
  EXPECT_EQ(harness.count("units_in_conflict_no_room"), 2u);
  harness.advance(milliseconds(500));
  harness.end(first.at(0).container);
  (void)harness.decide();
  EXPECT_EQ(harness.placed_until(720), "a1:n0 a1:n1");
}

TEST(SharedState, DecisionsOfTheEngineThatAreRefusedAreTakenAgain) {
  ConcurrentHarness harness("shared_state");
  harness.add_node(node * 10);
  harness.submit_and_ask(units(1));
  harness.refuse_next(1);
  EXPECT_EQ(harness.placed_until(105), "");
  EXPECT_EQ(harness.placed_until(211), "a0:n0");
}

// The second framework sees nothing before the first has answered; there is no conflict.
TEST(TwoLevel, WhatIsOfferedToOneIsSeenByNobodyElse) {
  ConcurrentHarness harness("two_level", {{"frameworks", "2"}});
  for (int i = 0; i < 2; ++i) harness.add_node(half);
  harness.submit_and_ask(units(1));
  harness.submit_and_ask(units(2));
  EXPECT_EQ(harness.placed_until(105), "a0:n0");
  EXPECT_EQ(harness.placed_until(215), "");
  EXPECT_EQ(harness.placed_until(216), "a1:n1");
  EXPECT_EQ(harness.count("units_in_conflict_node_gone"), 0u);
}

// The third job is the first framework's; it has more than the second, whose turn comes first.
TEST(TwoLevel, WhoHasLessIsOfferedFirst) {
  ConcurrentHarness harness("two_level", {{"frameworks", "2"}});
  harness.add_node(node * 10);
  harness.submit_and_ask(units(4));
  (void)harness.decide();
  EXPECT_EQ(harness.placed_until(120), "a0:n0 a0:n0 a0:n0 a0:n0");
  const ApplicationId second = harness.submit();
  const ApplicationId third = harness.submit();
  (void)harness.decide();
  harness.ask(third, units(1));
  harness.ask(second, units(1));
  EXPECT_EQ(harness.placed_until(226), "a2:n0");
  EXPECT_EQ(harness.placed_until(332), "a1:n0");
}

// A framework decides about all of its jobs on one offer, and the time adds up.
TEST(TwoLevel, AnOfferIsForAllJobsOfAFramework) {
  ConcurrentHarness harness("two_level", {{"frameworks", "1"}});
  harness.add_node(node * 10);
  const ApplicationId first = harness.submit();
  const ApplicationId second = harness.submit();
  (void)harness.decide();
  harness.ask(first, units(1));
  harness.ask(second, units(2));
  EXPECT_EQ(harness.placed_until(214), "");
  EXPECT_EQ(harness.placed_until(215), "a0:n0 a1:n0 a1:n0");
}

// Jobs that fit nowhere do not offer the cluster to each other for ever.
TEST(TwoLevel, EndsWithJobsThatFitNowhere) {
  ConcurrentHarness harness("two_level", {{"frameworks", "3"}});
  harness.add_node(half);
  const AskId small = harness.submit_and_ask(units(1));
  for (int i = 0; i < 4; ++i) harness.submit_and_ask(units(1, node));
  harness.advance(seconds(10));
  const auto placed = harness.decide();
  ASSERT_EQ(placed.size(), 1u);
  EXPECT_EQ(placed.at(0).ask, small);
  const std::uint64_t before = harness.count("transactions");
  harness.advance(seconds(1'000));
  (void)harness.decide();
  EXPECT_EQ(harness.count("transactions"), before);
  harness.end(placed.at(0).container);
  (void)harness.decide();
  harness.advance(seconds(1'000));
  (void)harness.decide();
  EXPECT_GT(harness.count("transactions"), before) << "something became free";
}

using Counts = std::map<std::string, std::uint64_t, std::less<>>;

// Forty jobs on ten machines, by eight schedulers, over twenty seeds.
Counts contention(std::string_view rescheduling, std::string_view policy) {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    ConcurrentHarness harness("shared_state", {{"schedulers", "8"},
                                               {"rescheduling", std::string(rescheduling)},
                                               {"policy", std::string(policy)}});
    for (int i = 0; i < 10; ++i) harness.add_node(half * 8);
    Random random = Random::stream(seed, "contention");
    for (int job = 0; job < 40; ++job) {
      harness.submit_and_ask(units(static_cast<std::uint32_t>(1 + random.below(10))));
    }
    harness.advance(seconds(60));
    (void)harness.decide();
    harness.verify();
    for (const char* name :
         {"units_committed", "units_in_conflict_no_room", "units_not_committed", "thinking_ms"}) {
      counts[name] += harness.count(name);
    }
  }
  return counts;
}

// Where more is wanted than there is room for. With less contention full rescheduling may conflict
// as little, since what it does not commit is in nobody's way; it decides more in vain then, too.
TEST(SharedState, LocalReschedulingConflictsLessThanFull) {
  for (const char* policy : {"random", "spread", "binpack"}) {
    SCOPED_TRACE(policy);
    Counts local = contention("local", policy);
    Counts full = contention("full", policy);
    EXPECT_EQ(local["units_committed"], 20u * 80) << "the machines are full in the end";
    EXPECT_EQ(full["units_committed"], 20u * 80);
    EXPECT_GT(local["units_in_conflict_no_room"], 0u);
    EXPECT_EQ(local["units_not_committed"], 0u) << "nothing else is decided again";
    EXPECT_LT(local["units_in_conflict_no_room"], full["units_in_conflict_no_room"]);
    EXPECT_LT(local["thinking_ms"], full["thinking_ms"]);
  }
}

std::string refusal(std::string_view scheduler, const SettingValues& settings) {
  SchedulerParameters parameters;
  parameters.settings = settings;
  const auto refused = test::schedulers().make(scheduler, parameters);
  return refused.has_value() ? "accepted" : refused.error().message;
}

TEST(ConcurrentSettings, HaveEachPlacementAsAPolicy) {
  for (const char* policy :
       {"binpack", "dbd", "dot_product", "l2_norm", "random", "spread", "weighted_priorities"}) {
    for (const char* scheduler : {"monolithic", "shared_state", "two_level"}) {
      SCOPED_TRACE(std::string(scheduler) + " of " + policy);
      ConcurrentHarness harness(scheduler, {{"policy", policy}});
      harness.add_node(half);
      harness.submit_and_ask(units(1));
      EXPECT_EQ(harness.placed_until(104), "");
      EXPECT_EQ(harness.placed_until(105), "a0:n0");
    }
  }
}

TEST(ConcurrentSettings, NameWhatIsWrong) {
  EXPECT_EQ(refusal("shared_state", {{"schedulers", "0"}}),
            "scheduler shared_state, setting schedulers: expected a whole number from 1 to 1000, "
            "got \"0\"");
  EXPECT_EQ(refusal("two_level", {{"policy", "fair"}}),
            "scheduler two_level, setting policy: expected binpack, dbd, dot_product, l2_norm, "
            "random, spread or weighted_priorities, got \"fair\"");
  EXPECT_EQ(refusal("monolithic", {{"policy_settings", "share"}}),
            "scheduler monolithic, setting policy_settings: expected NAME=VALUE, separated by "
            "\";\", got \"share\"");
  EXPECT_EQ(refusal("monolithic", {{"policy_settings", "share=sum;share = sum"}}),
            "scheduler monolithic, setting policy_settings: share is given twice");
  EXPECT_EQ(refusal("monolithic", {{"policy_settings", "share=most"}}).substr(0, 70),
            "scheduler monolithic, setting policy_settings: scheduler spread, setti");
  EXPECT_EQ(refusal("shared_state",
                    {{"policy", "dbd"}, {"policy_settings", " order = sorted ; cover=always; "}}),
            "accepted");
}

}  // namespace
}  // namespace tracebed

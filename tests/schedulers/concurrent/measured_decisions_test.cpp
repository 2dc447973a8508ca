// Concurrent schedulers that decide elsewhere, in as much time as that takes. Here a test says when
// something is decided, and when that arrives.
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/random.h"
#include "schedulers/concurrent/concurrent_scheduler.h"
#include "schedulers/concurrent/measured_play.h"
#include "schedulers/policy_harness.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

// Keeps what began until it is to be decided.
class HeldDecisions final : public DecisionThreads {
 public:
  void begin(std::size_t scheduler, std::uint64_t decision, std::function<void()> decide) override {
    EXPECT_FALSE(held_.contains(scheduler)) << "a scheduler decides one thing at a time";
    held_[scheduler] = {decision, std::move(decide)};
  }
  bool has_begun(std::size_t scheduler) const { return held_.contains(scheduler); }
  DecisionMade decide(std::size_t scheduler) {
    auto held = held_.extract(scheduler);
    held.mapped().decide();
    return {static_cast<std::uint32_t>(scheduler), held.mapped().decision};
  }
  std::vector<std::size_t> begun() const {
    std::vector<std::size_t> schedulers;
    for (const auto& [scheduler, held] : held_) schedulers.push_back(scheduler);
    return schedulers;
  }

 private:
  struct Held {
    std::uint64_t decision = 0;
    std::function<void()> decide;
  };
  std::map<std::size_t, Held> held_;
};

constexpr Resources one_unit{1000, 1024};

class MeasuredHarness {
 public:
  explicit MeasuredHarness(std::string_view name, SettingValues settings = {}) {
    SchedulerParameters parameters;
    parameters.settings = std::move(settings);
    parameters.settings["decision_time"] = "measured";
    owned_ = std::move(test::schedulers().make(name, parameters)).value();
    owned_->use_threads(held);
    harness.emplace(*owned_);
  }
  AskId ask(std::uint32_t pending) {
    AskFigures figures;
    figures.demand = one_unit;
    figures.pending = pending;
    return harness->submit_and_ask(figures);
  }
  // What is placed when the scheduler's decision arrives.
  std::string decide(std::size_t scheduler) {
    harness->decision_made(held.decide(scheduler));
    return to_text(harness->decide());
  }
  std::uint64_t count(std::string_view name) const {
    for (const SchedulerCount& each : owned_->counts()) {
      if (each.name == name) return each.count;
    }
    ADD_FAILURE() << "no count " << name;
    return 0;
  }
  std::string why_waiting(AskId ask) {
    const ClusterModel& cluster = harness->cluster();
    return owned_->why_waiting(cluster, cluster.asks[ask].application, ask).at(0).text;
  }

  HeldDecisions held;
  std::optional<PolicyHarness> harness;

 private:
  std::unique_ptr<Scheduler> owned_;
};

TEST(MeasuredDecisions, AreCommittedInTheOrderInWhichTheyArrive) {
  MeasuredHarness play("shared_state", {{"schedulers", "2"}});
  play.harness->add_node(one_unit);
  const AskId first = play.ask(1);
  play.ask(1);
  play.harness->advance(milliseconds(7));
  EXPECT_EQ(play.why_waiting(first), "scheduler 1 of 2 decides about it since 0.0 s");
  EXPECT_EQ(play.decide(1), "a1:n0");
  play.harness->advance(milliseconds(2));
  EXPECT_EQ(play.decide(0), "") << "there is no room any more";
  EXPECT_EQ(play.count("transactions_in_conflict"), 1u);
  EXPECT_EQ(play.count("units_in_conflict_no_room"), 1u);
  EXPECT_EQ(play.count("thinking_ms"), 7u + 9u);
  EXPECT_EQ(play.count("thinking_in_conflict_ms"), 9u);
}

TEST(MeasuredDecisions, OneHasItsTurnWhenTheOneBeforeIsInTheModel) {
  MeasuredHarness play("monolithic");
  play.harness->add_node(one_unit * 4);
  play.ask(2);
  const AskId second = play.ask(1);
  (void)play.harness->decide();
  EXPECT_EQ(play.why_waiting(second), "scheduler 1 of 1 decides about another job first");
  EXPECT_EQ(play.decide(0), "a0:n0 a0:n0");
  EXPECT_FALSE(play.held.has_begun(0));
  play.harness->advance(microseconds(1));
  EXPECT_EQ(play.decide(0), "a1:n0");
}

TEST(MeasuredDecisions, AreMadeOnTheClusterAsItWasWhenTheyBegan) {
  MeasuredHarness play("shared_state", {{"schedulers", "1"}});
  const NodeId node = play.harness->add_node(one_unit * 4);
  play.ask(2);
  (void)play.harness->decide();
  play.harness->remove_node(node);
  (void)play.harness->decide();
  EXPECT_EQ(play.decide(0), "");
  EXPECT_EQ(play.count("units_in_conflict_node_gone"), 2u);
}

TEST(MeasuredDecisions, AboutUnitsThatAreNotRequestedAnyMoreAreNoConflict) {
  MeasuredHarness play("shared_state", {{"schedulers", "1"}});
  play.harness->add_node(one_unit * 4);
  const AskId ask = play.ask(3);
  (void)play.harness->decide();
  play.harness->set_pending(ask, 1);
  (void)play.harness->decide();
  EXPECT_EQ(play.decide(0), "a0:n0");
  EXPECT_EQ(play.count("units_withdrawn"), 2u);
  EXPECT_EQ(play.count("transactions_in_conflict"), 0u);
}

// The first job takes all that is offered: the others were not decided about, and are next.
TEST(MeasuredDecisions, AboutAnOfferEndWithTheJobThatTakesTheLastOfIt) {
  MeasuredHarness play("two_level", {{"frameworks", "1"}});
  play.ask(1);
  play.ask(1);
  play.ask(1);
  play.harness->add_node(one_unit);
  const auto place_next = [&] {
    (void)play.harness->decide();
    play.harness->advance(microseconds(1));
    play.harness->decision_made(play.held.decide(0));
    return play.harness->decide();
  };
  for (const char* expected : {"a0:n0", "a1:n0", "a2:n0"}) {
    const std::vector<Placement> placed = place_next();
    ASSERT_EQ(to_text(placed), expected);
    play.harness->end(placed.front().container);
  }
}

TEST(MeasuredDecisions, ThatNobodyWaitsForAreIgnored) {
  MeasuredHarness play("monolithic");
  play.harness->add_node(one_unit);
  play.ask(1);
  (void)play.harness->decide();
  for (const DecisionMade stray : {DecisionMade{7, 1}, DecisionMade{0, 99}}) {
    play.harness->decision_made(stray);
    EXPECT_EQ(to_text(play.harness->decide()), "");
  }
  EXPECT_EQ(play.decide(0), "a0:n0");
  play.harness->decision_made({0, 1});
  EXPECT_EQ(to_text(play.harness->decide()), "") << "it has arrived before";
}

TEST(MeasuredDecisions, AreIgnoredWhereTimesAreModelled) {
  SchedulerParameters parameters;
  const auto scheduler = std::move(test::schedulers().make("monolithic", parameters)).value();
  PolicyHarness harness(*scheduler);
  harness.add_node(one_unit);
  harness.submit_and_ask({.demand = one_unit});
  harness.decision_made({0, 1});
  EXPECT_EQ(to_text(harness.decide()), "");
  harness.advance(milliseconds(105));
  EXPECT_EQ(to_text(harness.decide()), "a0:n0");
}

// What a run has to decide again from its log: the arrivals are all that is not in the seed, and a
// decision that is made late reads nothing that changed meanwhile.
TEST(MeasuredDecisions, AreTheSameWheneverTheyAreMadeBeforeTheyArrive) {
  using Arrivals = std::map<std::size_t, std::vector<DecisionMade>>;
  std::uint64_t committed = 0;
  std::uint64_t in_conflict = 0;
  for (const std::string& scheduler : test::concurrent_schedulers()) {
    for (const std::string& policy : test::concurrent_policies()) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        SCOPED_TRACE(scheduler + " of " + policy + ", seed " + std::to_string(seed));
        Random random = Random::stream(seed, "arrivals");
        HeldDecisions late;
        Arrivals log;
        const auto outcome = test::play({scheduler, policy, seed}, late, [&](std::size_t step) {
          for (const std::size_t each : late.begun()) {
            if (random.chance(0.3)) log[step].push_back(late.decide(each));
          }
          return log[step];
        });
        ImmediateDecisions at_once;
        const auto again = test::play({scheduler, policy, seed}, at_once,
                                      [&](std::size_t step) { return log[step]; });
        ASSERT_EQ(outcome.placements, again.placements);
        committed += outcome.committed;
        in_conflict += outcome.in_conflict;
      }
    }
  }
  EXPECT_GT(committed, 1'000u);
  EXPECT_GT(in_conflict, 100u);
}

}  // namespace
}  // namespace tracebed

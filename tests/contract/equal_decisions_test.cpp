// Spread, Binpack and Random are also configurations of weighted priorities: on every story these
// decide the same, call by call.
#include <gtest/gtest.h>
#include <string>

#include "contract/random_story.h"
#include "core/check.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

struct EqualConfiguration {
  std::string_view scheduler;
  SettingValues settings;  // its own
  SettingValues weighted;  // of weighted_priorities
};

std::unique_ptr<Scheduler> made(std::string_view scheduler, const SettingValues& settings,
                                std::uint64_t seed) {
  SchedulerParameters parameters = test::parameters_for(scheduler);
  parameters.seed = seed;
  for (const auto& [name, value] : settings) parameters.settings[name] = value;
  auto scheduler_of = test::schedulers().make(scheduler, parameters);
  TRACEBED_CHECK(scheduler_of.has_value(), "the configurations of this test can be made");
  return std::move(scheduler_of).value();
}

// "3:n4 5:n4x2": allocations as ask, node and units.
std::string text_of(const Decisions& decisions) {
  std::string text;
  const auto add = [&](AskId ask, const GangPiece& piece) {
    text += std::to_string(ask.value()) + ":n" + std::to_string(piece.node.value()) + "x" +
            std::to_string(piece.units) + " ";
  };
  for (const Decision& decision : decisions.list()) {
    if (const auto* one = std::get_if<Allocate>(&decision)) add(one->ask, {one->node, 1});
    if (const auto* gang = std::get_if<AllocateGang>(&decision)) {
      for (const GangPiece& piece : decisions.pieces(*gang)) add(gang->ask, piece);
    }
  }
  return text;
}

// Lets both decide, call by call, and takes the decisions of the first.
class SideBySide final : public Scheduler {
 public:
  SideBySide(std::unique_ptr<Scheduler> first, std::unique_ptr<Scheduler> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  void decide(const SchedulerInput& input, Decisions& decisions) override {
    first_->decide(input, decisions);
    Decisions others;
    second_->decide(input, others);
    if (differs_) return;
    const std::string expected = text_of(decisions);
    differs_ = text_of(others) != expected;
    EXPECT_EQ(text_of(others), expected) << "at " << to_seconds(input.now);
  }
  LimitedDimensions limited_dimensions() const override { return first_->limited_dimensions(); }
  HeartbeatInterest heartbeat_interest() const override {
    EXPECT_EQ(first_->heartbeat_interest().any, second_->heartbeat_interest().any);
    return first_->heartbeat_interest();
  }
  bool reads_input_blocks() const override { return second_->reads_input_blocks(); }

 private:
  std::unique_ptr<Scheduler> first_;
  std::unique_ptr<Scheduler> second_;
  bool differs_ = false;
};

TEST(WeightedPriorities, DecideAsSpreadBinpackAndRandomDo) {
  const std::vector<EqualConfiguration> configurations{
      {"spread", {}, {{"priorities", "least_allocated=1"}, {"ties", "fewest_containers"}}},
      {"spread",
       {{"share", "dominant"}},
       {{"priorities", "least_used=7"}, {"ties", "fewest_containers"}, {"share", "dominant"}}},
      {"spread",
       {{"locality", "prefer"}},
       {{"priorities", "locality_level=1"}, {"ties", "least_allocated,fewest_containers"}}},
      {"binpack", {}, {{"priorities", "most_allocated=1"}, {"ties", "most_containers"}}},
      {"binpack",
       {{"locality", "prefer"}},
       {{"priorities", "locality_level=1"}, {"ties", "most_allocated,most_containers"}}},
      {"random", {}, {{"priorities", ""}, {"ties", "random"}}},
  };
  for (const EqualConfiguration& equal : configurations) {
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
      SCOPED_TRACE(std::string(equal.scheduler) + ", seed " + std::to_string(seed));
      play(random_story(seed),
           std::make_unique<SideBySide>(made(equal.scheduler, equal.settings, seed),
                                        made("weighted_priorities", equal.weighted, seed)));
      ASSERT_FALSE(HasFailure());
    }
  }
}

}  // namespace
}  // namespace tracebed

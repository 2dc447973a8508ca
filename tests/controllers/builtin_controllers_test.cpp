// What holds for every controller that is registered.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controllers/controller_entry.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

class BuiltinController : public ::testing::TestWithParam<std::string> {
 protected:
  const ControllerEntry& entry() const { return *find_controller(GetParam()); }
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const ControllerEntry& entry : builtin_controllers()) all.emplace_back(entry.name);
  return all;
}

TEST(BuiltinControllers, AreInTheOrderOfTheirNames) {
  const std::vector<std::string> all = names();
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  EXPECT_EQ(find_controller("nobody"), nullptr);
}

TEST_P(BuiltinController, IsMadeWithItsDefaults) {
  EXPECT_TRUE(entry().summary.ends_with('.'));
  EXPECT_FALSE(entry().source.empty());
  for (const std::int64_t share : {std::int64_t{-1}, std::int64_t{0}, whole_share}) {
    EXPECT_TRUE(entry().make({}, share)) << share;
  }
}

TEST_P(BuiltinController, RefusesEverySettingsNonsenseAndNamesIt) {
  for (const SettingDescription& setting : entry().settings) {
    SCOPED_TRACE(setting.name);
    const auto made = entry().make({{std::string(setting.name), "nonsense"}}, 500'000);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().setting, setting.name);
    EXPECT_THAT(made.error().message, HasSubstr("nonsense"));
  }
  const auto unknown = entry().make({{"no_such_setting", "1"}}, 500'000);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("no_such_setting"));
}

TEST_P(BuiltinController, RefusesBoundsThatAreTheWrongWayRound) {
  const auto made = entry().make({{"a_min", "0.6"}, {"a_max", "0.5"}}, 500'000);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().setting, "a_min");
}

// Whatever a cluster shows: shares within the bounds, and a next step that is later.
TEST_P(BuiltinController, WantsSharesWithinItsBoundsAndIsNeverDueAtOnce) {
  std::uint64_t drawn = 7;
  const auto draw = [&](std::uint64_t below) {
    drawn = drawn * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    return static_cast<std::int64_t>((drawn >> 33) % below);
  };
  auto made = entry().make({{"a_min", "0.2"}, {"a_max", "0.7"}}, 500'000);
  ASSERT_TRUE(made);
  Controller& controller = **made;
  for (int i = 0; i < 10'000; ++i) {
    ControllerInput input;
    input.now = trace_time(i * 1'000'000);
    input.pending = static_cast<std::uint32_t>(draw(4));
    input.running = static_cast<std::uint32_t>(draw(40));
    input.memory_total_mib = draw(10) == 0 ? 0 : 102'400;
    input.memory_used_mib = input.memory_total_mib * draw(101) / 100;
    input.queue_used_mib = input.memory_used_mib * draw(101) / 100;
    input.masters_mib = input.queue_used_mib / 3;
    const ControllerStep step = controller.step(input);
    ASSERT_GT(step.next, Duration::zero());
    if (!step.value) continue;
    ASSERT_GE(*step.value, 200'000);
    ASSERT_LE(*step.value, 700'000);
    if (draw(3) == 0) controller.refused(draw(1'000'001));
  }
}

INSTANTIATE_TEST_SUITE_P(All, BuiltinController, ::testing::ValuesIn(names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace tracebed

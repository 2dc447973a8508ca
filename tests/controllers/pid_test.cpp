#include "controllers/pid.h"

#include <gtest/gtest.h>
#include <memory>

#include "controllers/cluster_states.h"

namespace tracebed {
namespace {

using testing::state;

std::unique_ptr<Controller> made_pid(const SettingValues& settings, std::int64_t share = 500'000) {
  auto controller = pid_entry().make(settings, share);
  EXPECT_TRUE(controller) << controller.error().message;
  return std::move(*controller);
}

// Target 0.9. Use 0.5: e = 0.4, Δ = 0.02 × 0.4 × 15 = 0.12. Use 0.7: e = 0.2,
// Δ = 0.5 × (0.2 − 0.4) + 0.02 × 0.2 × 15 = −0.1 + 0.06. Use 1: e = −0.1,
// Δ = 0.5 × (−0.1 − 0.2) − 0.03 = −0.18.
TEST(Pid, ChangesTheShareByTheErrorAndItsChange) {
  const auto controller = made_pid({});
  EXPECT_EQ(controller->step(state(3, 1, 50)).value, 620'000);
  EXPECT_EQ(controller->step(state(3, 1, 70)).value, 580'000);
  EXPECT_EQ(controller->step(state(3, 1, 100)).value, 400'000);
}

// With kd alone and T = 10 s: e = 0.4, then 0.2, then 0.1.
// Δ = 2 × (0.2 − 2 × 0.4 + 0.4) / 10 = −0.04; Δ = 2 × (0.1 − 2 × 0.2 + 0.4) / 10 = 0.02.
TEST(Pid, DerivesByTheLastTwoErrors) {
  const auto controller = made_pid({{"kp", "0"}, {"ki", "0"}, {"kd", "2"}, {"period_ms", "10000"}});
  EXPECT_EQ(controller->step(state(3, 1, 50)).value, std::nullopt);
  EXPECT_EQ(controller->step(state(3, 1, 70)).value, 460'000);
  EXPECT_EQ(controller->step(state(3, 1, 80)).value, 480'000);
}

TEST(Pid, DoesNothingWhileNothingIsPendingAndBeginsAnewAfterwards) {
  const auto controller = made_pid({});
  EXPECT_EQ(controller->step(state(3, 1, 50)).value, 620'000);
  const ControllerStep idle = controller->step(state(0, 1, 90));
  EXPECT_EQ(idle.value, std::nullopt);
  EXPECT_EQ(idle.next, seconds(15));
  EXPECT_EQ(controller->step(state(3, 1, 80)).value, 650'000) << "0.02 × 0.1 × 15, no more";
}

// However long the target was missed, one step of the other sign leaves the bound.
TEST(Pid, IntegratesNothingAtItsBounds) {
  const auto controller = made_pid({{"kp", "0"}});
  for (int i = 0; i < 50; ++i) controller->step(state(3, 1, 10));
  EXPECT_EQ(controller->step(state(3, 1, 100)).value, 920'000);
}

TEST(Pid, GoesOnFromTheShareThatIsInForceAfterARefusal) {
  const auto controller = made_pid({});
  controller->step(state(3, 1, 50));
  controller->refused(300'000);
  EXPECT_EQ(controller->step(state(3, 1, 50)).value, 420'000);
}

}  // namespace
}  // namespace tracebed

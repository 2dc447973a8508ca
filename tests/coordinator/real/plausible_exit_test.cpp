#include "coordinator/real/plausible_exit.h"

#include <gmock/gmock.h>

#include "coordinator/real/real_fleet_harness.h"

namespace tracebed::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

const wire::WallTime began{std::chrono::hours(500'000)};

wire::ContainerExit honest() {
  wire::ContainerExit exit;
  exit.container = ContainerId(1u);
  exit.started = began;
  exit.ended = began + 4s;
  exit.cpu_time = 3s;
  exit.memory_peak_bytes = 1;
  return exit;
}

const ExpectedUse three_seconds_on_one_vcore{3s, 1'000, true};

TEST(PlausibleExit, WhatCannotBeIsNamed) {
  struct Case {
    const char* reason;  // empty: it can be
    std::function<void(wire::ContainerExit&, ExpectedUse&)> change;
  };
  const std::vector<Case> cases = {
      {"", [](auto&, auto&) {}},
      {"before it began", [](auto& exit, auto&) { exit.ended = began - 1ms; }},
      {"", [](auto& exit, auto&) { exit.ended = began + 3s; }},
      {"without any memory", [](auto& exit, auto&) { exit.memory_peak_bytes = 0; }},
      {"its work takes 3.000 s", [](auto& exit, auto&) { exit.cpu_time = 0s; }},
      {"its work takes 3.000 s", [](auto& exit, auto&) { exit.cpu_time = 1'499ms; }},
      // Work of less is over before the kernel's clock has moved.
      {"",
       [](auto& exit, auto& expected) {
         exit.cpu_time = 0s;
         expected.cpu_time = 99ms;
       }},
      // What did not succeed may have done anything.
      {"",
       [](auto& exit, auto&) {
         exit.end = ContainerEnd::killed;
         exit.cpu_time = 0s;
         exit.memory_peak_bytes = 0;
       }},
      {"8.000 s of CPU time within 4.000 s on 1 vcores",
       [](auto& exit, auto&) { exit.cpu_time = 8s; }},
      {"", [](auto& exit, auto&) { exit.cpu_time = 6s; }},
      {"",
       [](auto& exit, auto& expected) {
         exit.cpu_time = 8s;
         expected.milli_vcores = 2'000;
       }},
      {"",
       [](auto& exit, auto& expected) {
         exit.cpu_time = 8s;
         expected.is_limited = false;
       }},
      // A short one gets what a period gives.
      {"",
       [](auto& exit, auto& expected) {
         exit.ended = began + 5ms;
         exit.cpu_time = 200ms;
         expected.cpu_time = 0s;
       }},
  };
  for (const Case& c : cases) {
    wire::ContainerExit exit = honest();
    ExpectedUse expected = three_seconds_on_one_vcore;
    c.change(exit, expected);
    const auto why = why_implausible(exit, expected);
    EXPECT_THAT(why.value_or(""), HasSubstr(c.reason));
    EXPECT_EQ(why.has_value(), *c.reason != '\0') << *why;
  }
}

// Of every launch that the fleet orders it knows what to expect.
TEST_F(RealFleetTest, AnExitThatCannotBeIsCountedAndSaidOnce) {
  start(1);
  execute({launch_on(0, 8), launch_on(0, 9), launch_on(0, 10)});
  std::vector<wire::ContainerExit> exits = {exit_of(8, 1), exit_of(9, 2), exit_of(10, 3)};
  for (wire::ContainerExit& exit : exits) exit.started -= 2s;
  exits[0].cpu_time = 500ms;  // half a minute of trace time
  exits[1].cpu_time = 0s;
  exits[2].memory_peak_bytes = 0;
  agents_[0].send(heartbeat(exits));
  wait();
  EXPECT_EQ(arrived<ContainerEnded>().size(), 3u);
  EXPECT_EQ(fleet_->counters().exits_implausible, 2u);
  EXPECT_EQ(fleet_->counters().task_cpu_work, 1'500'000u);
  EXPECT_EQ(fleet_->counters().task_cpu, 501'000u);
  EXPECT_THAT(warnings_,
              Contains(HasSubstr("reported an implausible exit of container 9: it succeeded "
                                 "with 0.000 s of CPU time"))
                  .Times(1));
}

}  // namespace
}  // namespace tracebed::test

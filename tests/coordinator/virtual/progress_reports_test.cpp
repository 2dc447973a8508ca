// How far tasks are that report it, on modelled machines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/virtual/virtual_fleet.h"
#include "support/at_seconds.h"

namespace tracebed {
namespace {

using testing::ElementsAre;

struct ReportAt {
  TraceTime at;
  AttemptProgress progress;
  bool operator==(const ReportAt&) const = default;
};

LaunchContainer reporting_task(std::uint32_t container, std::uint32_t node, Duration duration) {
  LaunchContainer launch;
  launch.container = ContainerId(container);
  launch.node = NodeId(node);
  launch.limits = Resources(1'000, 1'024);
  launch.work.duration = launch.work.cpu_time = duration;
  launch.work.progress_interval = seconds(3);
  return launch;
}

// Until all tasks have ended.
std::vector<ReportAt> reports_of(VirtualFleet& fleet, const std::vector<Command>& commands) {
  Round round;
  fleet.wait_until(never, round);  // the machines join
  fleet.execute(commands, {});
  std::vector<ReportAt> reports;
  for (;;) {
    round.clear();
    fleet.wait_until(never, round);
    if (round.now == never) return reports;
    for (const Arrival& arrival : round.arrivals) {
      const auto* const report = std::get_if<AttemptProgress>(&arrival);
      if (report != nullptr) reports.push_back({round.now, *report});
    }
    fleet.execute({}, {});
  }
}

VirtualFleet fleet_of(std::vector<Machine> machines, std::vector<MachineChange> changes = {}) {
  return VirtualFleet(VirtualOptions{.is_ideal = true}, std::move(machines), std::move(changes));
}

ReportAt report(std::int64_t second, std::uint32_t container, std::uint32_t millionths) {
  return {at_seconds(second), {ContainerId(container), millionths}};
}

TEST(ProgressReports, ComeTogetherEveryIntervalWhileTasksRun) {
  VirtualFleet fleet = fleet_of({{"a", "/r", Resources(2'000, 2'048), {}}});
  EXPECT_THAT(
      reports_of(fleet, {reporting_task(1, 0, seconds(10)), reporting_task(2, 0, seconds(5))}),
      ElementsAre(report(3, 1, 300'000), report(3, 2, 600'000), report(6, 1, 600'000),
                  report(9, 1, 900'000)));
}

TEST(ProgressReports, AreOfTheTimeThatTheTaskTakesOnItsMachine) {
  std::vector<Machine> machines{{"slow", "/r", Resources(2'000, 2'048), {}}};
  machines[0].speed = 500;
  VirtualFleet fleet = fleet_of(machines);
  EXPECT_THAT(reports_of(fleet, {reporting_task(1, 0, seconds(5))}),
              ElementsAre(report(3, 1, 300'000), report(6, 1, 600'000), report(9, 1, 900'000)));
}

TEST(ProgressReports, AreNoneOfTasksThatAreHeldOrNotAsked) {
  VirtualFleet fleet = fleet_of({{"a", "/r", Resources(2'000, 2'048), {}}});
  LaunchContainer held = reporting_task(1, 0, seconds(10));
  held.is_held = true;
  LaunchContainer silent = reporting_task(2, 0, seconds(10));
  silent.work.progress_interval = Duration::zero();
  EXPECT_THAT(reports_of(fleet, {held, silent}), ElementsAre());
}

TEST(ProgressReports, EndWithTheirMachine) {
  VirtualFleet fleet =
      fleet_of({{"a", "/r", Resources(2'000, 2'048), {}}}, {{at_seconds(4), NodeId(0u), false}});
  EXPECT_THAT(reports_of(fleet, {reporting_task(1, 0, seconds(10))}),
              ElementsAre(report(3, 1, 300'000)));
}

}  // namespace
}  // namespace tracebed

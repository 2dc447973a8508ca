// Schedulers that wait for a while for a near node, on ideal machines, where heartbeats follow
// changes: the wait is over when it is over, and not with the next change.
#include <gtest/gtest.h>
#include <string>

#include "applications/masters.h"
#include "contract/suite_schedulers.h"
#include "coordinator/engine/doubles.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "core/names.h"
#include "support/at_seconds.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

struct DelayedScheduler {
  std::string name;
  SettingValues settings;
  bool is_full_node_last = false;
};

class DelaysOnIdealMachines : public testing::TestWithParam<DelayedScheduler> {};

// A machine's only vcore is taken for 100 s. A map whose input is there waits 4 s for it and then
// 5 s for another one in its rack; the only other one is in another rack.
TEST_P(DelaysOnIdealMachines, EndWhenTheirTimeIsOver) {
  std::vector<Machine> machines{doubles::plain_machine(1, "home"),
                                doubles::plain_machine(1, "far")};
  machines[1].rack = "/other-rack";
  if (GetParam().is_full_node_last) std::swap(machines[0], machines[1]);
  Job first = doubles::plain_job(0, at_seconds(0), 1, seconds(100));
  first.stages[0].places = {{"home"}, {1}, {0}};
  Job second = doubles::plain_job(1, at_seconds(1), 1, seconds(10));
  second.stages[0].places = {{"home"}, {1}, {0}};
  Names names;
  for (Job* job : {&first, &second}) {
    job->user = names.users.intern("alice");
    job->queue = names.queues.intern("default");
  }
  SchedulerParameters parameters = test::parameters_for(GetParam().name);
  parameters.names = &names;
  parameters.settings = GetParam().settings;
  auto made = test::schedulers().make(GetParam().name, parameters);
  ASSERT_TRUE(made) << made.error().message;
  EngineSetup setup;
  setup.scheduler = std::move(made).value();
  setup.make_master = MasterBuilder(MasterOptions(), 1);
  setup.paranoid = true;
  doubles::Records records;
  Engine engine(std::move(setup), records);
  VirtualOptions options;
  options.is_ideal = true;
  VirtualFleet fleet(options, machines, {});
  doubles::JobList list({first, second});
  EXPECT_EQ(
      replay(engine, fleet, &list, nullptr, [](const ReplayProgress&) { return true; }).outcome,
      RunOutcome::complete);
  ASSERT_EQ(records.attempts.size(), 2u);
  const AttemptRecord& short_one = records.attempts[0];
  EXPECT_EQ(short_one.job, JobId(1u));
  EXPECT_EQ(short_one.node, NodeId(GetParam().is_full_node_last ? 0u : 1u));
  EXPECT_EQ(short_one.account.started, at_seconds(10));
}

const SettingValues four_and_five{{"locality_delay_of_node_ms", "4000"},
                                  {"locality_delay_of_rack_ms", "5000"}};
std::vector<DelayedScheduler> delayed_schedulers() {
  std::vector<DelayedScheduler> all;
  for (const char* name : {"slot_fair", "mfs", "drf", "hdrf", "slot_fifo", "slot_dynamic_priority",
                           "slot_soft_deadline", "slot_hard_deadline"}) {
    for (const bool is_full_node_last : {false, true}) {
      all.push_back({name, four_and_five, is_full_node_last});
    }
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Of, DelaysOnIdealMachines, testing::ValuesIn(delayed_schedulers()),
                         [](const auto& info) {
                           return info.param.name +
                                  (info.param.is_full_node_last ? "_full_node_last" : "");
                         });

}  // namespace
}  // namespace tracebed

// Masters in containers, whole: engine, modelled machines and the masters' own end of the
// conversation, in virtual time.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "applications/hosting/calling_master.h"
#include "coordinator/engine/doubles.h"
#include "coordinator/engine/replay.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "support/at_seconds.h"

namespace tracebed::master_story {

using doubles::FirstFit;
using doubles::JobList;
using doubles::plain_job;
using doubles::plain_machine;
using doubles::PlainMaster;
using doubles::Records;
inline VirtualOptions ideal() {
  return VirtualOptions{.is_ideal = true};
}

inline MasterContainerOptions small_masters() {
  MasterContainerOptions options;
  options.demand = Resources(1000, 1024);
  return options;
}

inline std::unique_ptr<HostedMaster> plain_host(const LaunchMaster& command) {
  Job job = *command.job;
  return std::make_unique<CallingMaster>(std::make_unique<PlainMaster>(job), command.application,
                                         command.attempt, seconds(1));
}

struct Story {
  VirtualOptions machine_model = ideal();
  MasterContainerOptions masters = small_masters();
  std::vector<Machine> machines{plain_machine(4)};
  std::vector<MachineChange> changes;
  MasterHost host = plain_host;
  std::vector<AdministratorRequest> commands;
};

struct Outcome {
  Records records;
  ReplayResult result;
  EngineCounters counters;
  std::uint64_t garbage = 0;  // that masters said
  std::string digest;

  std::vector<AttemptRecord> masters() const {
    std::vector<AttemptRecord> list;
    for (const AttemptRecord& attempt : records.attempts) {
      if (attempt.is_master) list.push_back(attempt);
    }
    return list;
  }
  // Of tasks, not of masters.
  std::int64_t attempts_lost() const {
    return std::count_if(
        records.attempts.begin(), records.attempts.end(), [](const AttemptRecord& attempt) {
          return attempt.launched && !attempt.is_master && attempt.end != ContainerEnd::succeeded;
        });
  }
};

inline Outcome play(Story story, std::vector<Job> jobs) {
  Outcome outcome;
  EngineSetup setup;
  setup.scheduler = std::make_unique<FirstFit>();
  setup.master_containers = story.masters;
  setup.paranoid = true;
  Engine engine(std::move(setup), outcome.records);
  VirtualFleet fleet(story.machine_model, std::move(story.machines), std::move(story.changes));
  fleet.host_masters(std::move(story.host));
  JobList list(std::move(jobs));
  outcome.result = replay(engine, fleet, &list, nullptr, [](const ReplayProgress&) { return true; },
                          {.commands = story.commands});
  outcome.counters = engine.counters();
  outcome.garbage = fleet.garbage();
  outcome.digest = engine.digest().to_string();
  return outcome;
}

}  // namespace tracebed::master_story

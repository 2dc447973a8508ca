// The world that a replay runs in: its machines as a fleet, and where its rounds are logged and
// shown.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/engine/replay.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "coordinator/worlds/run_host.h"
#include "core/fleet.h"
#include "core/names.h"
#include "core/read_bytes.h"
#include "core/records.h"
#include "core/round_log.h"
#include "core/storage_view.h"
#include "report/file_checksum.h"
#include "report/run_description.h"

namespace tracebed {

class Namenode;

// Observes the rounds of its fleet, to show them to whoever looks at the world meanwhile.
class RunWorld : public RoundObserver {
 public:
  virtual Fleet& fleet() = 0;
  // For schedulers that decide in threads; null for modelled machines, whose time nobody measures.
  // Their last decision has ended when end_service() returns.
  virtual DecisionThreads* decision_threads() = 0;
  // Null if rounds are not logged.
  virtual RoundLog* log() = 0;
  // Of the log in the run's folder, after close() or give_up(); nothing if there is none.
  virtual std::optional<FileChecksum> log_checksum() const = 0;
  // Receives every record, in addition to the run's folder. May be null.
  virtual RecordSink* records() = 0;
  // "modelled", "cgroup-v2", …
  virtual std::string isolation() const = 0;
  // The events of its machines and messages, for the run record.
  virtual std::vector<std::pair<std::string, std::uint64_t>> counters() const = 0;
  // How busy its real machines were during the replay, after close() or give_up(); those that do
  // not report it are left out.
  virtual std::vector<MachineLoad> machine_loads() const = 0;
  // The namenode of the engine of a run with storage, before the first round; it outlives the
  // fleet's use. Ignored by real machines, which ask it over the network.
  virtual void look_at(const StorageView& namenode) = 0;
  // The same, to serve HDFS clients from now on until end_service(), which is called before the
  // engine ends, with or without storage. Ignored by modelled machines, which have no clients.
  virtual void serve(const Namenode& namenode) = 0;
  virtual void end_service() = 0;
  // What the datanodes have sent to tasks by their own counts, after close() or give_up(); nothing
  // if there are none, or not all have stated it.
  virtual std::optional<ReadBytes> served_bytes() const = 0;
  // Now, at trace time `now` and between rounds, the machine fails with all that runs on it;
  // `comes_back` if bring_back() is to follow.
  virtual void crash(NodeId node, TraceTime now, bool comes_back) = 0;
  virtual void bring_back(NodeId node, TraceTime now) = 0;
  // After the last round: ends what the world started and completes the log in the run's folder.
  virtual void close() = 0;
  // Instead, if the replay threw: completes the log in the folder as far as possible; the
  // destructor ends what was started.
  virtual void give_up() = 0;
};

// The conditions of the experiment's world, name → value, for the run record.
std::vector<std::pair<std::string, std::string>> world_settings(
    const ResolvedExperiment& experiment);

// The parameters of a world for one replay. All of them outlive the world.
struct WorldPlan {
  const ResolvedExperiment& experiment;
  const RunHost& host;
  const std::vector<Machine>& machines;
  const std::vector<MachineChange>& changes;
  const Names& names;
  std::string run;               // the replay's id: a plain word of at most 100 characters
  std::filesystem::path folder;  // the replay's; exists
  std::uint64_t seed = 1;
  LimitedDimensions limits;  // of what is placed on machines
  std::function<void(const std::string& message)> warn;
  std::function<bool()> should_continue;  // as RunObserver's, called while the world starts
  std::function<void(const std::string& message)> note = {};  // as RunObserver::noted; may be empty
};

// Throws EnvironmentError, naming it, for a right, port or program that the world lacks. When it
// returns, every machine is present.
std::unique_ptr<RunWorld> make_world(const WorldPlan& plan);
std::unique_ptr<RunWorld> make_virtual_world(const WorldPlan& plan);
std::unique_ptr<RunWorld> make_local_world(const WorldPlan& plan);
std::unique_ptr<RunWorld> make_cluster_world(const WorldPlan& plan);

}  // namespace tracebed

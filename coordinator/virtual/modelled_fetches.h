// What tasks on modelled machines fetch from tasks of earlier stages (core/shuffle.h): from the
// start of its process on, a task fetches whatever is ready (core/fetch_schedule.h). A request
// takes a seek, then its bytes pass the host's disk and the links between. What is not whole when
// its host fails is fetched again, once it is ready elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "coordinator/virtual/modelled_reads.h"
#include "core/fetch_schedule.h"
#include "core/fleet.h"
#include "core/ids.h"
#include "core/machines.h"
#include "core/read_bytes.h"
#include "core/task_work.h"
#include "core/time.h"

namespace tracebed {

class ModelledFetches {
 public:
  // Nodes are positions in `machines`. The datanodes, which have the machines' disks and links,
  // outlive this.
  ModelledFetches(const std::vector<Machine>& machines, std::uint64_t seed,
                  ModelledReads::Datanodes& datanodes);

  // ---- commands ----
  void ready(const MapOutputReady& output, TraceTime now);
  void remove(JobId job);

  // ---- tasks ----
  // It is launched, with work that fetches (core/task_work.h).
  void plan(ContainerId container, NodeId node, const TaskWork& work);
  // Its process runs.
  void start(ContainerId container, TraceTime now);
  // False once it has all, or fetches nothing.
  bool is_fetching(ContainerId container) const { return fetches_.contains(container); }
  // The part of it that it has, from 0 to 1; 1 of a task that fetches nothing.
  double part_fetched(ContainerId container, TraceTime now) const;
  // The task ends. What it has fetched.
  ReadBytes end(ContainerId container, TraceTime now);
  // Likewise for one that was not started: where fetches take no time, it has the first `bytes`.
  ReadBytes end_untimed(ContainerId container, std::int64_t bytes);

  // ---- transfers ----
  bool has(std::uint64_t transfer) const { return requests_.contains(transfer); }
  // One has come to its end.
  void sent(std::uint64_t transfer, TraceTime now);
  // The machine is down, and what its tasks kept there is lost.
  void leave(NodeId node, TraceTime now);

  // Tasks that have all of it since the last call.
  std::vector<ContainerId> take_whole() { return std::exchange(now_whole_, {}); }

 private:
  // Of all that tasks of one stage fetch.
  struct Exchange {
    std::vector<NodeId> outputs;     // by source; invalid: not ready, or lost
    std::set<ContainerId> fetching;  // tasks that were started and have not all of it
  };
  using ExchangeId = std::pair<JobId, std::int64_t>;  // and the stage
  struct Fetch {
    NodeId node;
    ExchangeId exchange;
    FetchSchedule schedule;
    double weight = 1;
    bool has_started = false;
    ReadBytes read;
    std::map<NodeId, std::uint64_t> transfers;  // of requests, by host
  };

  void add_ready(const Exchange& exchange, Fetch& fetch);
  void request(ContainerId container, Fetch& fetch, TraceTime now);
  // The request to the host has ended after `bytes` bytes.
  void take(Fetch& fetch, NodeId host, std::int64_t bytes);
  void cancel(Fetch& fetch, NodeId host, TraceTime now);
  void count(Fetch& fetch, NodeId host, std::int64_t bytes) const;
  void finish_if_whole(ContainerId container);
  // Its stage's task no longer waits for what becomes ready.
  void leave_exchange(ContainerId container, const Fetch& fetch);

  std::uint64_t seed_;
  ModelledReads::Datanodes& datanodes_;
  std::vector<std::uint32_t> rack_of_;  // by node
  std::map<ExchangeId, Exchange> exchanges_;
  std::map<ContainerId, Fetch> fetches_;    // not whole
  std::map<ContainerId, ReadBytes> whole_;  // of tasks that have not ended
  std::map<std::uint64_t, std::pair<ContainerId, NodeId>> requests_;  // by transfer
  std::vector<ContainerId> now_whole_;
};

}  // namespace tracebed

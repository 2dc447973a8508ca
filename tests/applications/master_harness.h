// Drives a job master by hand: keeps what it asked for, launched and wanted killed, and stops on an
// action that the engine would not take.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/application_master.h"

namespace tracebed {

class MasterHarness {
 public:
  explicit MasterHarness(ApplicationMaster& master) : master_(master) {}

  // Sets the time for what follows.
  void at(Duration since_start) { now_ = TraceTime(since_start); }
  TraceTime now() const { return now_; }

  void start();
  // Gives one unit of the slot's ask a container on a node.
  ContainerId grant(AskSlot slot, NodeId node = NodeId(0u), RackId rack = RackId(0u));
  // Gives a gang ask all its units, so many on each node from the first one on.
  std::vector<ContainerId> grant_gang(AskSlot slot, const std::vector<std::uint32_t>& units);
  void end(ContainerId container, ContainerEnd how = ContainerEnd::succeeded);
  // So much of the container's task is done, in hundredths.
  void report(ContainerId container, std::uint32_t percent);
  // The master holds it with nothing launched in it, and it is taken back.
  void take_back(ContainerId container);
  // Of a gang ask, so many units in one container, told alone.
  ContainerId grant_piece(AskSlot slot, std::uint32_t units);
  // All containers of the gang end well at one time.
  void end_gang(const std::vector<ContainerId>& containers);
  // It is marked for preemption, strictly, and what runs there is to go on elsewhere: at
  // `destination`, if that is valid.
  void order_move(ContainerId container, NodeId destination = NodeId());
  void preempt(const PreemptionMessage& message);
  // The node's containers end as node_lost, then the master hears that it left.
  void lose(NodeId node);
  // The heartbeat that the master asked for by now, if any.
  void heartbeat(const Resources& headroom);

  // Current state of what the master said.
  std::uint32_t pending(AskSlot slot) const;
  const SetAsk& ask(AskSlot slot) const { return asks_.at(slot); }
  bool has_asked(AskSlot slot) const { return asks_.contains(slot); }
  const LaunchTask& launched(ContainerId container) const { return running_.at(container).task; }
  bool is_running(ContainerId container) const { return running_.contains(container); }
  // Granted, and neither launched in nor released.
  bool is_idle(ContainerId container) const { return granted_.contains(container); }
  bool is_held(ContainerId container) const { return running_.at(container).is_held; }
  const std::set<ContainerId>& to_kill() const { return to_kill_; }
  const std::set<ContainerId>& released() const { return released_; }
  std::optional<TraceTime> heartbeat_at() const { return heartbeat_at_; }
  const std::optional<FinishApplication>& finish() const { return finish_; }
  std::size_t running() const { return running_.size(); }

 private:
  struct Running {
    LaunchTask task;
    NodeId node;
    bool is_held = false;
    std::uint32_t units = 1;
  };
  ContainerId grant(const Grant& grant);
  void perform();
  void run(const LaunchTask& task, std::uint32_t units = 1);

  ApplicationMaster& master_;
  TraceTime now_{};
  MasterActions actions_;
  std::map<AskSlot, SetAsk> asks_;
  struct Granted {
    NodeId node;
    std::uint32_t units = 1;
  };
  std::map<ContainerId, Granted> granted_;  // not launched yet
  std::map<ContainerId, Running> running_;
  std::set<ContainerId> to_kill_;
  std::set<ContainerId> released_;
  std::optional<TraceTime> heartbeat_at_;
  std::optional<FinishApplication> finish_;
  std::uint32_t next_container_ = 0;
  bool is_in_heartbeat_ = false;
};

// "n3:2 n7:1": places and their counts.
template <class PlaceId>
std::string to_text(const std::vector<PlaceCount<PlaceId>>& counts) {
  std::string text;
  for (const PlaceCount<PlaceId>& entry : counts) {
    if (entry.count == 0) continue;
    if (!text.empty()) text += ' ';
    text += std::to_string(entry.place.value()) + ":" + std::to_string(entry.count);
  }
  return text;
}

}  // namespace tracebed

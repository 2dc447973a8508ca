// What a scheduler reports about itself, for people and programs. Reading it changes nothing; it is
// read between the scheduler's calls, never within one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/figure.h"
#include "core/ids.h"
#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

// experiments/scenarios/README.md lists the figures of each scheduler.
struct ExplainedQueue {
  std::string path;
  bool is_leaf = false;
  std::vector<Figure> figures;
};

// A queue in its current state.
struct QueueView {
  ExplainedQueue queue;
  // Its part of the cluster: what it is entitled to, and what it uses as its scheduler counts that;
  // YARN's Capacity includes what is reserved for it.
  Resources entitled;
  Resources used;
  // Of a leaf, in the order in which they would be offered a node now. Those that wait to be
  // started (YARN: pending) follow, in the order in which they would be started.
  std::vector<ApplicationId> active;
  std::vector<ApplicationId> waiting;
};

struct ApplicationView {
  ApplicationId application;
  std::string queue;
  bool is_active = false;
  Resources headroom;
  std::vector<Figure> figures;
};

// A node reserved for an application whose next container does not fit there yet.
struct ReservationView {
  NodeId node;
  ApplicationId application;
  AskId ask;
  Resources resources;
};

// A container that is marked for preemption, or that would be chosen next.
struct PreemptionView {
  ContainerId container;
  ApplicationId application;
  bool is_asked_for = false;  // false: it would be chosen if containers were chosen now
  TraceTime deadline = never;
  std::string reason;
};

// What a scheduler made of a node when it placed a unit of an ask.
struct NodeScore {
  NodeId node;
  // Why the node was out of the question, as the name of the rule; empty: it was a candidate.
  std::string excluded_by;
  // Of a candidate: what it was ranked by.
  std::vector<Figure> scores;
};

// The placement of a unit of an ask, with what it was compared with.
struct PlacementChoice {
  TraceTime at{};
  ApplicationId application;
  JobId job;
  AskId ask;
  NodeId chosen;                 // invalid: there was no candidate
  std::vector<NodeScore> nodes;  // those that are alive, by id
};

// For Scheduler::keep_choices().
inline constexpr std::size_t all_choices = std::numeric_limits<std::size_t>::max();

struct SchedulerView {
  // Parents before their children; siblings in the order in which they would be offered a node now.
  std::vector<QueueView> queues;
  std::vector<ApplicationView> applications;  // by id
  std::vector<ReservationView> reservations;  // by node
  std::vector<PreemptionView> preemptions;    // by container
  // In the order in which they were made, if they are kept: Scheduler::keep_choices.
  std::vector<PlacementChoice> choices;
};

enum class WaitingFor : std::uint8_t {
  acceptance,       // the scheduler has not answered yet
  its_turn,         // others come first
  queue_room,       // its queue, or an ancestor, is at its limit
  user_limit,       // its user is at its limit
  master_limit,     // too many application masters run (YARN's AM limit)
  running_limit,    // too many applications of its queue or user run
  locality,         // its delay for nodes that it does not prefer is not over
  reservation,      // room is reserved for it, or for others
  label,            // no node of its label has room
  deadline,         // its share is what its deadline takes, and it has that
  budget,           // its user's budget does not pay what the user bids
  room,             // no node has room for it now
  larger_machines,  // no node could ever hold it
};
std::string_view name(WaitingFor reason);

// One link of the chain that answers "why is it waiting"; the first that holds comes first.
struct WaitingReason {
  WaitingFor reason = WaitingFor::its_turn;
  std::string text;  // a sentence with the figures: "queue root.a uses 8192 of at most 8192 MiB"
};

}  // namespace tracebed

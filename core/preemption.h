// Preemption as a conversation (YARN-45): a scheduler or an administrator marks containers for
// preemption, the application's master is notified, and containers still marked at the deadline are
// killed. The engine keeps the requests, decides what fulfils one and when to use force
// (coordinator/engine/preemption_ledger.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

// Where a fraction of a task's work is meant, it is in millionths.
inline constexpr std::uint32_t whole_work = 1'000'000;

// The part of the whole work that is done when `done` of what was left after `before` is; rounded
// down.
constexpr std::uint32_t progress_after(std::uint32_t before, std::uint32_t done) {
  const std::uint64_t left = whole_work - before;
  return before + static_cast<std::uint32_t>(left * done / whole_work);
}

enum class PreemptionKind : std::uint8_t {
  negotiable,  // an amount, from any containers; these are suggested
  strict,      // these containers
};

// Why a container is marked for preemption.
enum class PreemptionPurpose : std::uint8_t {
  balance,   // between queues, users or applications
  relocate,  // its task should run in a better place
  move,      // the administrator moves it elsewhere
  drain,     // its node is taken out of service
};

// The terms on which a container is marked for preemption.
struct PreemptionTerms {
  PreemptionKind kind = PreemptionKind::negotiable;
  PreemptionPurpose purpose = PreemptionPurpose::balance;
  // When it is killed if it is still marked for preemption; `never`: the request alone kills
  // nothing.
  TraceTime deadline = never;
  // Reported with every answer as long as it is marked for preemption; otherwise once.
  bool is_repeated = true;
  // True: what ends in its stead fulfils the request (negotiable ones only), and the requester is
  // notified (PreemptionSettled).
  bool may_be_substituted = true;
  // Negotiable amounts are reported in containers of this size, rounded up (YARN: the minimum
  // allocation); zero: in the sizes of the containers themselves.
  Resources unit;
  // Where the task should run next; invalid: anywhere.
  NodeId destination;
  std::string reason;  // for people
};

// ---- what a master is notified of ----

struct PreemptionContainer {
  ContainerId container;
  // Our extensions of YARN's message: until when, and whether its task is to run on another node
  // next, or on that one.
  TraceTime deadline = never;
  bool leaves_node = false;
  NodeId destination;  // invalid: any

  bool operator==(const PreemptionContainer&) const = default;
};

// A number of containers of one size; YARN's ResourceRequest.
struct PreemptionResourceRequest {
  std::int32_t priority = 0;  // of the asks that the suggested ones were given to
  NodeId node;                // where they must be; invalid: anywhere (YARN: "*")
  Resources capability;       // of one
  std::uint32_t count = 0;
  bool relax_locality = true;  // false: only there

  bool operator==(const PreemptionResourceRequest&) const = default;
};

struct StrictContract {
  std::vector<PreemptionContainer> containers;  // by id

  bool operator==(const StrictContract&) const = default;
};

struct NegotiableContract {
  std::vector<PreemptionResourceRequest> requests;
  std::vector<PreemptionContainer> containers;  // suggested, by id

  bool operator==(const NegotiableContract&) const = default;
};

// Either part may be absent, and a part that is present may be empty. Each message replaces the
// previous one: containers that it no longer names are no longer marked.
struct PreemptionMessage {
  std::optional<StrictContract> strict;
  std::optional<NegotiableContract> negotiable;

  bool is_empty() const { return !strict && !negotiable; }
  bool operator==(const PreemptionMessage&) const = default;
};

// One message names at most this many containers and requests; further marked containers are
// reported later.
inline constexpr std::size_t preemption_containers_max = 16'384;

// ---- how it ends ----

enum class PreemptionEnd : std::uint8_t {
  given_up,      // its master ended it in time, or it ended by itself
  checkpointed,  // the same, and its progress was kept
  substituted,   // its master gave as much of something else
  forced,        // killed at the deadline, or by the scheduler
  cancelled,     // the request was withdrawn
  lost,          // its node was lost, or its application ended
};

std::string_view name(PreemptionKind kind);
std::string_view name(PreemptionPurpose purpose);
std::string_view name(PreemptionEnd end);

}  // namespace tracebed

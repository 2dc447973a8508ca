// How an application's master that runs in a container of its own communicates with the engine, as
// YARN's masters do with the ResourceManager (ApplicationMasterProtocol): the master calls, and the
// engine answers. It registers, then calls once per heartbeat interval, then unregisters. A call
// carries the master's actions; its answer what happened since the previous call. So what is
// allocated between two calls is picked up by the second.
//
// A master has one call under way at a time. Calls of an attempt are numbered from 1, which is the
// registration; a repeated call gets the same answer again and has no other effect.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "core/application_master.h"
#include "core/ids.h"
#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

// How applications' masters are run in containers. Durations are trace time.
struct MasterContainerOptions {
  // Of one container (yarn.app.mapreduce.am.resource.mb 1536, …cpu-vcores 1).
  Resources demand{1000, 1536};
  // Attempts that may fail by themselves before the job fails
  // (yarn.resourcemanager.am.max-attempts). What the system ended does not count
  // (RMAppAttemptImpl.shouldCountTowardsMaxAttemptRetry).
  std::uint32_t attempts_max = 2;
  // Between one call of a master and its next
  // (yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms).
  Duration heartbeat_interval = seconds(1);
  // Timeout: a master that did not call for this long has failed
  // (yarn.am.liveness-monitor.expiry-interval-ms).
  Duration expiry = std::chrono::minutes(10);
  // Timeout: a container in which nothing was launched for this long is released
  // (yarn.resourcemanager.rm.container-allocation.expiry-interval-ms).
  Duration allocation_expiry = std::chrono::minutes(10);
};

enum class MasterCallKind : std::uint8_t { registration, allocation, unregistration };

// A master's call. `actions` are performed in order; HeartbeatAt and LaunchMasterProcess are not
// allowed, and FinishApplication only as the last action of an unregistration.
struct MasterCall {
  ApplicationId application;
  std::uint32_t attempt = 1;  // of the master, from 1
  std::uint64_t sequence = 1;
  MasterCallKind kind = MasterCallKind::allocation;
  MasterActions actions;

  bool operator==(const MasterCall&) const = default;
};

// A node left; its containers of this application were reported ended before.
struct NodeGone {
  NodeId node;

  bool operator==(const NodeGone&) const = default;
};
// Of an AttemptEnd: a container that was granted before and that the master did not release. It may
// have ended before the master launched anything in it; such a launch then does nothing.
using MasterNews = std::variant<Grant, AttemptEnd, NodeGone, AttemptProgress>;

struct MasterAnswer {
  ApplicationId application;
  std::uint32_t attempt = 1;
  std::uint64_t sequence = 0;  // of the call
  TraceTime now{};
  // The application or this attempt at its master has ended: the master's process must end, too.
  bool is_dismissal = false;
  bool has_more = false;  // news that did not fit; the master calls again at once
  Resources headroom;     // as passed to ApplicationMaster::heartbeat
  PreemptionMessage
      preemption;  // as passed to ApplicationMaster::preempted; all that is marked for preemption
  std::vector<MasterNews> news;

  bool operator==(const MasterAnswer&) const = default;
};

// Limits that both sides respect.
inline constexpr std::size_t call_actions_max = 4'096;
inline constexpr std::size_t answer_news_max = 65'536;
// Asks of a master for single tasks that were moved, beside those by stage or kind of task.
inline constexpr std::size_t moved_asks_max = 1'024;

// A master's end of the conversation, without a clock or a socket: its host carries its calls to
// the engine and the answers back. All times are taken from answers.
class HostedMaster {
 public:
  virtual ~HostedMaster() = default;
  // When the next call is due; `never` while one is under way or the master has ended.
  virtual TraceTime next_call() const = 0;
  // Fills in the call that is due.
  virtual void make_call(MasterCall& call) = 0;
  // Answers to other calls than the one under way are ignored.
  virtual void take_answer(const MasterAnswer& answer) = 0;
  // True if it has unregistered or was dismissed: its process ends.
  virtual bool has_ended() const = 0;

  // Faults that an experiment asks for (applications/hosting/master_faults.h).
  // Its process ends at once and with a failure, without having unregistered.
  virtual bool has_failed() const { return false; }
  // True if bytes that are not a message are sent before the call that is due. Called before
  // make_call.
  virtual bool spoils_next_call() const { return false; }
};

}  // namespace tracebed

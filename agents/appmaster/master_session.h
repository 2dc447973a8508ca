// A master process's side of the conversation with the coordinator, as a state machine: messages go
// in with the time, messages come out. No sockets and no clock, so it is tested in simulated time.
//
// It sends MasterHello until it receives its job, hosts the master that the job requests
// (applications/hosting), and transmits its calls. A call that is not answered is sent again with
// the same number, so that it counts once. When nothing was received from the coordinator for the
// timeout that it stated, the coordinator is gone for good, and the process ends.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/exit_codes.h"
#include "core/master_calls.h"
#include "core/result.h"
#include "protocol/wire_messages.h"

namespace tracebed::appmaster {

using SteadyTime = std::chrono::steady_clock::time_point;

struct Identity {
  std::string run;
  std::uint64_t epoch = 0;
  std::uint64_t session = 0;
  ApplicationId application;
  std::uint32_t attempt = 1;
};

struct End {
  ExitCode code = ExitCode::success;
  std::string reason;
};

struct SessionCounters {
  std::uint64_t misplaced = 0;  // messages of another run, session or epoch, or not for a master
  std::uint64_t repeats = 0;
  std::uint64_t calls_sent_again = 0;
};

class MasterSession {
 public:
  // Makes the master that the job requests; fails with a sentence if its settings are wrong.
  using Host = Result<std::unique_ptr<HostedMaster>> (*)(const Identity&, wire::MasterJob&&);

  MasterSession(Identity identity, Host host, SteadyTime now);

  void take(wire::Message message, SteadyTime now);
  // Does what is due.
  void tick(SteadyTime now);
  SteadyTime next_tick() const;

  std::vector<wire::Message> take_messages() { return std::exchange(messages_, {}); }
  // Whether bytes that are no message must precede each of these messages; to be called first.
  bool spoils_messages() { return std::exchange(spoils_messages_, false); }
  const std::optional<End>& end() const { return end_; }
  const SessionCounters& counters() const { return counters_; }

 private:
  void handle(wire::MasterJob&& job, SteadyTime now);
  void handle(const MasterAnswer& answer, SteadyTime now);
  void send_hello(SteadyTime now);
  void plan_call(SteadyTime now);
  void send_call(SteadyTime now);
  void send(wire::Body body);

  Identity identity_;
  Host host_;
  std::unique_ptr<HostedMaster> master_;  // once the job is known
  double time_scale_ = 1;
  std::chrono::nanoseconds timeout_;
  SteadyTime last_heard_;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
  TraceTime answered_at_{};  // trace time of the last answer
  SteadyTime next_;          // of a hello, a call, or the same call again
  MasterCall call_;          // the one under way
  bool is_under_way_ = false;
  std::vector<wire::Message> messages_;
  bool spoils_messages_ = false;
  std::optional<End> end_;
  SessionCounters counters_;
};

}  // namespace tracebed::appmaster

// An agent's side of the conversation with its coordinator, as a state machine: messages and
// launcher events go in with the time, messages and orders to the launcher come out. No sockets and
// no clock, so it is tested in simulated time.
//
// It sends Hello with a new session whenever the two sides may disagree: at the start, when a
// message of the coordinator is missing, when nothing was received from it for `silence_max`, and
// when a launcher has connected again. Without a coordinator for `orphan_grace` after that, it ends
// all containers, keeps their exits, and continues to send Hello.
//
// A session for one run ends with it. A long-running one serves one run after another: `run()` is
// that of its containers, which its launcher keeps for an agent that is restarted.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "agents/launcher/client.h"
#include "agents/launcher/messages.h"
#include "protocol/wire_messages.h"

namespace tracebed::agent {

using SteadyTime = std::chrono::steady_clock::time_point;

struct Now {
  SteadyTime steady;
  wire::WallTime wall;
};

// What the agent is, for Hello.
struct Identity {
  std::string run;  // wire::no_run if the agent is long-running
  std::string name;
  std::string rack;
  std::vector<std::string> labels;
  Resources capacity;
  std::string address;
  std::string coordinator;  // its endpoint, for masters
  std::string software = "unknown";
  std::string host = "unknown";
  std::uint32_t speed = 1'000;  // Machine::speed
  bool keeps_outputs = false;   // it starts a shuffle server in runs with a shuffle

  bool is_long_running() const { return run == wire::no_run; }
};

// Orders to the launcher, to be carried out in the order given.
struct LaunchOrder {
  std::vector<launcher::LaunchRecord> records;
};
struct LaunchMasterOrder {
  launcher::MasterLaunchRecord record;
};
struct ReleaseOrder {
  std::vector<std::uint32_t> containers;
};
struct KillOrder {
  std::vector<std::uint32_t> containers;
};
struct CheckpointOrder {
  std::vector<std::uint32_t> containers;
};
struct AcknowledgeOrder {
  std::uint64_t exits_up_to = 0;
};
struct QueryUsageOrder {};
struct SettingsOrder {
  launcher::SettingsRecord record;
};
using Order = std::variant<LaunchOrder, LaunchMasterOrder, ReleaseOrder, KillOrder, CheckpointOrder,
                           AcknowledgeOrder, QueryUsageOrder, SettingsOrder>;

// The agent is to end.
struct End {
  enum class Kind : std::uint8_t { left, refused, run_over };
  Kind kind = Kind::left;
  std::string reason;
};

struct SessionCounters {
  std::uint64_t misplaced = 0;  // messages of another run, session or epoch, or not for an agent
  std::uint64_t repeats = 0;
  std::uint64_t gaps = 0;     // after which Hello was sent again
  std::uint64_t started = 0;  // containers
  std::uint64_t ended = 0;    // likewise
};

// The state of the session, for monitoring.
struct SessionFigures {
  SessionCounters counters;
  bool is_welcome = false;
  bool has_run = false;
  std::size_t running = 0;       // containers
  std::size_t exits = 0;         // not acknowledged
  std::int64_t cpu_time_us = 0;  // of all containers, as the launcher reported last; likewise:
  std::int64_t memory_bytes = 0;
};

class AgentSession {
 public:
  // Between one Hello and the next of an agent that is refused.
  static constexpr std::chrono::seconds refused_pause{8};

  explicit AgentSession(Identity identity);

  // Of the launcher, which is asked for its containers' use with every heartbeat: how long it may
  // take to answer, if it has ever answered. It is then of no use, whatever its connection says.
  static constexpr std::chrono::seconds launcher_silence_max{10};
  bool is_launcher_silent(Now now) const {
    return isolation_ && asked_since_ && now.steady >= *asked_since_ + launcher_silence_max;
  }
  // It is there, and has reported its state.
  bool has_launcher() const { return isolation_.has_value(); }
  // The launcher is gone, or of no use. A long-running agent reports it; another sends nothing
  // until another launcher has reported its state.
  void lose_launcher(Now now);
  void take(const launcher::LauncherClient::News& news, Now now);
  void take(const wire::Message& message, Now now);
  // As reported in the next heartbeats (wire::Heartbeat).
  void set_io_pressure(std::int32_t thousandths) { io_pressure_ = thousandths; }
  // The same of the machine's processors; `own_us` is the agent's, without its containers'.
  void set_processors(const wire::ProcessorSums& sums) { processors_ = sums; }
  // Likewise, where its shuffle server listens; 0: there is none.
  void set_shuffle_port(std::uint16_t port);
  // The agent did not run for `stood_still`, which is not in `now`'s steady time. The coordinator
  // may have given it up meanwhile, so Hello is sent at once.
  void resume(SteadyTime::duration stood_still, Now now);
  // Does what is due.
  void tick(Now now);
  SteadyTime next_tick() const;
  // Notifies the coordinator that the agent leaves of its own accord.
  void leave(const std::string& reason);
  // Reports that all containers which the coordinator ended are gone, so that it may end, too.
  void send_goodbye(const std::string& reason);
  // Sends the coordinator what was logged, if it has accepted this agent; see is_welcome().
  void send_log(std::vector<wire::LogLine> lines, std::uint64_t lost);
  // Ends without a message, so that a successor continues where this agent stopped.
  void stop(const std::string& reason) { end_ = End{End::Kind::left, reason}; }

  std::vector<wire::Message> take_messages() { return std::exchange(messages_, {}); }
  std::vector<Order> take_orders() { return std::exchange(orders_, {}); }
  // What the run's shuffle servers know jobs' tasks by; empty: there is no run, or it has none.
  const std::string& shuffle_key() const;
  // Of the shuffle server, if there is such a run.
  SetDatanodeRates shuffle_rates() const {
    return last_welcome_ ? last_welcome_->shuffle_rates : SetDatanodeRates();
  }
  // Of containers that are launched from now on.
  CpuEnforcement cpu_enforcement() const {
    return last_welcome_ ? last_welcome_->cpu_enforcement : CpuEnforcement::quota;
  }
  // Jobs that have ended since the last call, whose outputs are to be removed.
  std::vector<JobId> take_ended_jobs() { return std::exchange(ended_jobs_, {}); }
  const std::optional<End>& end() const { return end_; }
  const SessionCounters& counters() const { return counters_; }
  SessionFigures figures() const;
  bool is_welcome() const { return welcome_.has_value(); }
  // The run that it serves; a long-running one's is wire::no_run while there is none.
  const std::string& run() const { return run_; }
  // Why the coordinator refuses this long-running agent; empty if it accepted it or did not answer.
  const std::string& refusal() const { return refusal_; }

 private:
  // Until a long-running agent that has just been started reports that it has no launcher.
  static constexpr std::chrono::seconds first_launcher_timeout{2};

  void send_hello(Now now);
  void handle(const wire::Welcome& welcome, Now now);
  void handle(const wire::LaunchBatch& batch);
  void handle(const wire::LaunchMaster& launch);
  void handle(const wire::ContinueBatch& batch);
  void handle(const wire::KillBatch& batch);
  void handle(const wire::CheckpointBatch& batch);
  void handle(const wire::HeartbeatAck& acknowledgement, Now now);
  void handle(const wire::Shutdown& shutdown, Now now);
  void handle(const wire::Refuse& refuse, Now now);
  bool may_speak() const;
  bool is_for_us(const wire::Message& message) const;
  void dispatch(const wire::Body& body, Now now);
  void take_state(const launcher::StateRecord& state, Now now);
  void clear_run(Now now);
  void leave_run_when_clear(Now now);
  void order_settings();
  void ask_for_usage(Now now);
  void take_start(const launcher::StartedRecord& record);
  void take_exit(const launcher::ExitedRecord& record);
  void take_usage(const launcher::UsageRecord& record, Now now);
  void take_progress(const launcher::ProgressRecord& record);
  void send_heartbeat(Now now);
  void end_orphans();
  std::vector<wire::ContainerExit> exits_to_tell() const;
  void send(wire::Body body);

  Identity identity_;
  std::string run_;
  bool is_clearing_ = false;  // of a long-running agent: the run is over, its containers are ended
  std::string refusal_;
  std::vector<wire::Message> messages_;
  std::vector<Order> orders_;
  std::optional<End> end_;
  SessionCounters counters_;

  // Of the launcher.
  std::optional<launcher::Isolation> isolation_;  // once it has reported its state
  std::optional<SteadyTime> asked_since_;         // by the first question without an answer since
  std::optional<SteadyTime> lacks_since_;         // it was waited for at first, or lost
  std::set<ContainerId> running_;                 // or about to
  std::deque<wire::ContainerExit> exits_;         // not acknowledged, ascending by sequence
  std::vector<wire::ContainerStart> started_;     // since the last heartbeat
  std::vector<AttemptProgress> progress_;         // likewise
  std::optional<launcher::UsageRecord> usage_;
  std::int64_t used_milli_vcores_ = 0;
  std::int32_t io_pressure_ = -1;
  std::uint16_t shuffle_port_ = 0;
  std::vector<JobId> ended_jobs_;
  std::optional<wire::ProcessorSums> processors_;
  std::int64_t containers_cpu_us_ = 0;  // of all launchers that this agent has had

  // Of the session.
  std::uint64_t session_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
  std::uint64_t epoch_ = 0;
  std::optional<wire::Welcome> welcome_;
  std::optional<wire::ClockEcho> echo_;
  SteadyTime next_hello_{};
  std::chrono::seconds hello_pause_{};
  SteadyTime next_heartbeat_{};
  bool heartbeat_is_out_of_band_ = false;     // due at once
  std::optional<SteadyTime> usage_deadline_;  // a heartbeat waits for the launcher's answer
  // Of the coordinator, over sessions.
  SteadyTime last_heard_{};
  std::optional<wire::Welcome> last_welcome_;  // its timeouts apply until the next
  bool orphans_ended_ = false;
};

// How a container ended, in the project's terms.
wire::ContainerExit to_exit(const launcher::ExitedRecord& record);
// A launch for the launcher. Resources that the task does not request are limited by the node's
// capacity. `shuffle_key` is that of the run; empty if it has no shuffle.
launcher::LaunchRecord to_launch(const wire::Launch& launch, const Resources& capacity,
                                 const std::string& shuffle_key, CpuEnforcement enforcement);
// Likewise; `run` is the run it belongs to, `epoch` the coordinator's.
launcher::MasterLaunchRecord to_launch(const wire::LaunchMaster& launch, const Identity& identity,
                                       const std::string& run, std::uint64_t epoch);

}  // namespace tracebed::agent

#include "coordinator/api/run_coordinator.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fmt/core.h>
#include <fstream>
#include <memory>
#include <optional>
#include <spdlog/spdlog.h>
#include <stdexcept>

#include "coordinator/api/audit_log.h"
#include "coordinator/api/control_server.h"
#include "coordinator/api/control_service.h"
#include "coordinator/api/coordinator_file.h"
#include "coordinator/api/coordinator_pages.h"
#include "coordinator/api/daemon_flags.h"
#include "coordinator/api/ended_run_keys.h"
#include "coordinator/api/program_end.h"
#include "coordinator/api/run_obstacles.h"
#include "coordinator/api/run_queue.h"
#include "coordinator/api/submission_reader.h"
#include "coordinator/api/thrift_log.h"
#include "coordinator/config/configuration_update_text.h"
#include "coordinator/namenode_server/namenode_servers.h"
#include "coordinator/real/agent_roster.h"
#include "coordinator/real/datanode_order_queue.h"
#include "coordinator/real/log_book.h"
#include "coordinator/real/redis_monitor.h"
#include "coordinator/real/roster_intervals.h"
#include "coordinator/real/storage_gate.h"
#include "coordinator/runner/experiment_report.h"
#include "coordinator/runner/experiment_run.h"
#include "core/input_error.h"
#include "daemon/daemon_log.h"
#include "daemon/http_server.h"
#include "daemon/metrics_text.h"
#include "system/descriptor_limit.h"
#include "system/interruption.h"
#include "system/service_notice.h"
#include "system/token.h"

namespace tracebed {
namespace {

// Several of the largest files that a submission may hold.
constexpr std::chrono::seconds submission_cpu_time_max{10};

const FinishedReplay* first_of(const FinishedExperiment& finished, RunOutcome outcome) {
  for (const FinishedReplay& replay : finished.replays) {
    if (replay.outcome == outcome) return &replay;
  }
  return nullptr;
}

// "fcfs: deadlock of masters alone: …; 3 of 8 replays stalled"
std::string reason_of(const FinishedExperiment& finished, const FinishedReplay& first) {
  const auto same =
      std::count_if(finished.replays.begin(), finished.replays.end(),
                    [&](const FinishedReplay& replay) { return replay.outcome == first.outcome; });
  std::string text = fmt::format("{}: {}", first.label, first.reason);
  for (const std::string& link : first.stall_chain) text += "; " + link;
  if (first.outcome == RunOutcome::stalled) {
    text += fmt::format("; {} of {} replays stalled", same, finished.replays.size());
  }
  return text;
}

// The runs, then what compares them, all in the folder that the queue made.
RunOutcome execute(const RunHost& host, const Experiment& experiment, RunObserver& observer) {
  const FinishedExperiment finished = run_experiment(experiment, host, observer);
  const std::vector<std::filesystem::path> folders = run_folders(finished);
  if (!folders.empty()) {
    report_runs(
        {folders, FileCheck::sizes, compare_options(experiment.compare), experiment.output});
  }
  if (finished.failure) std::rethrow_exception(finished.failure);
  if (const FinishedReplay* const stalled = first_of(finished, RunOutcome::stalled)) {
    throw RunStalled(reason_of(finished, *stalled));
  }
  if (const FinishedReplay* const none = first_of(finished, RunOutcome::unsuccessful)) {
    throw NoneSucceeded(reason_of(finished, *none));
  }
  return finished.is_cancelled ? RunOutcome::cancelled : RunOutcome::complete;
}

std::optional<std::filesystem::path> trace_folder(const CoordinatorFile& file) {
  if (file.traces.empty()) return std::nullopt;
  if (!std::filesystem::is_directory(file.traces)) {
    throw EnvironmentError("traces: no such folder: " + file.traces.string());
  }
  return std::filesystem::canonical(file.traces);
}

SubmissionRules rules_of(const CoordinatorFile& file, const SchedulerRegistry& schedulers) {
  return {trace_folder(file), file.allow_local_runs, [&](const Experiment& experiment) {
            check_submission(schedulers, experiment, submission_cpu_time_max);
          }};
}

std::optional<RouterKeys> keys_of(const CoordinatorFile& file) {
  if (file.key_file.empty()) return std::nullopt;
  return RouterKeys{read_key_file(file.key_file), read_known_keys(file.agent_keys)};
}

RedisLogin login_of(const CoordinatorFile& file) {
  if (file.redis_user.empty()) return {};
  std::ifstream stream(file.redis_password_file);
  std::string password;
  if (!std::getline(stream, password) || password.empty()) {
    throw EnvironmentError("redis.password_file: cannot read a password from " +
                           file.redis_password_file.string());
  }
  return {file.redis_user, password};
}

std::string status_text(const AgentRoster* roster) {
  if (roster == nullptr) return "does not listen for agents";
  const AgentRoster::State state = roster->state();
  const auto count = std::count_if(state.members.begin(), state.members.end(),
                                   [](const RosterMember& member) { return member.is_alive; });
  return fmt::format("{} agents registered{}", count,
                     state.is_lent ? ", a run is in progress" : "");
}

// What this daemon has logged goes into the book beside what agents have.
void book_own_lines(DaemonLog& log, LogBook& book) {
  wire::LogLines lines{{}, log.take_lost()};
  for (LoggedLine& line : log.take(LogBook::daemon_lines_max)) {
    lines.lines.push_back(
        {line.at, static_cast<wire::Severity>(line.severity), std::move(line.text)});
  }
  book.add("coordinator", lines);
}

// A connection of each agent that may connect and of the masters that it may run, of clients and
// monitors, and what a run opens.
void make_room_for_connections(const std::optional<RouterKeys>& keys) {
  constexpr std::uint64_t masters_per_agent = 2;
  constexpr std::uint64_t others = 512;
  const std::uint64_t agents = keys ? keys->agents.size() : 0;
  raise_descriptor_limit(agents * (1 + masters_per_agent) + others,
                         fmt::format("the connections of {} agents", agents));
}

std::vector<NamedToken> tokens_of(const CoordinatorFile& file) {
  if (file.token_file.empty()) return {};
  return read_named_tokens(file.token_file);
}

HttpServerOptions http_options(const CoordinatorFile& file, const std::vector<NamedToken>& tokens) {
  HttpServerOptions options;
  options.address = file.metrics_address;
  options.port = *file.metrics_port;
  options.tokens = tokens;
  options.body_bytes_max = configuration_update_bytes_max;
  return options;
}

// Where it has keys. What cannot be read leaves the agents as they are. Returns what came of it.
std::string reload_keys(const CoordinatorFile& file, AgentRoster& roster) {
  try {
    std::optional<RouterKeys> keys = keys_of(file);
    make_room_for_connections(keys);
    spdlog::info("reloaded {}: {} agents may connect", file.agent_keys.string(),
                 keys->agents.size());
    roster.know(std::move(keys->agents));
    return "done";
  } catch (const std::runtime_error& error) {
    spdlog::error("the list of agents that may connect is unchanged: {}", error.what());
    return error.what();
  }
}

// Likewise of who may give orders.
std::string reload_tokens(const CoordinatorFile& file, ControlServer& control, HttpServer* http,
                          StorageServer* storage) {
  try {
    const std::vector<NamedToken> tokens = tokens_of(file);
    spdlog::info("reloaded {}: {} tokens", file.token_file.string(), tokens.size());
    control.take_tokens(tokens);
    if (http != nullptr) http->take_tokens(tokens);
    if (storage != nullptr) storage->take_tokens(tokens);
    return "done";
  } catch (const std::runtime_error& error) {
    spdlog::error("the tokens are unchanged: {}", error.what());
    return error.what();
  }
}

void reload(const CoordinatorFile& file, AgentRoster* roster, ControlServer& control,
            HttpServer* http, StorageServer* storage, AuditLog& audit) {
  const auto write = [&](const std::filesystem::path& read, const std::string& outcome) {
    audit.write(
        {.peer = "signal", .action = "reload", .detail = read.string(), .outcome = outcome});
  };
  if (roster != nullptr && !file.key_file.empty()) {
    write(file.agent_keys, reload_keys(file, *roster));
  }
  if (!file.token_file.empty()) write(file.token_file, reload_tokens(file, control, http, storage));
}

// Where HDFS clients reach the run in progress.
struct ServedStorage {
  explicit ServedStorage(const CoordinatorFile& file) : servers(gate, orders, options_of(file)) {}

  static NamenodeServersOptions options_of(const CoordinatorFile& file) {
    NamenodeServersOptions options;
    options.rpc.address = options.web.address = file.storage_address;
    options.rpc.port = *file.rpc_port;
    options.web.port = file.http_port;
    options.administration.address = file.thrift_address;
    options.administration.port = file.thrift_port;
    options.administration.tokens = TokenList(tokens_of(file));
    return options;
  }

  StorageGate gate;
  DatanodeOrderQueue orders;
  NamenodeServers servers;
};

void log_error(const std::string& message) {
  spdlog::error("{}", message);
}
void log_news(const std::string& message) {
  spdlog::info("{}", message);
}

RunQueue::Surroundings surroundings_of(const RunHost& host, const std::filesystem::path& state,
                                       RedisMonitor* redis) {
  RunQueue::Surroundings surroundings;
  surroundings.obstacle = [=](const Experiment& experiment) {
    return run_obstacle(experiment, state, redis);
  };
  if (redis != nullptr) {
    surroundings.folders_deleted = [address = host.redis, login = host.redis_login,
                                    owner = host.redis_owner.id, state] {
      return remove_keys_of_deleted_runs(address, login, owner, state);
    };
  }
  return surroundings;
}

// Null where no agents register.
std::unique_ptr<AgentRoster> open_roster(const CoordinatorFile& file, LogBook& book) {
  if (file.listen.empty()) return nullptr;
  std::optional<RouterKeys> keys = keys_of(file);
  make_room_for_connections(keys);
  auto roster = std::make_unique<AgentRoster>(
      file.listen, std::move(keys),
      [](const std::string& message) { spdlog::warn("{}", message); });
  std::filesystem::create_directories(file.state);
  roster->keep_drained_in(file.state / "drained");
  roster->log_to(
      [&book](const std::string& agent, const wire::LogLines& lines) { book.add(agent, lines); });
  spdlog::info("agents register at {}; those of an earlier coordinator return within {} s",
               roster->endpoint(),
               std::chrono::duration_cast<std::chrono::seconds>(roster_silence_max).count());
  return roster;
}

ExitCode serve(const CoordinatorFile& file, const SchedulerRegistry& schedulers, DaemonLog& log,
               ThriftLog& thrift) {
  ServiceNotice notice;
  const SubmissionReader reader(rules_of(file, schedulers), schedulers);
  const bool can_reload = !file.key_file.empty() || !file.token_file.empty();
  Interruption interruption(can_reload ? Interruption::Hangup::asks_to_reload
                                       : Interruption::Hangup::interrupts);
  LogBook book;
  const std::unique_ptr<AgentRoster> roster = open_roster(file, book);
  RunHost host = this_host(schedulers, "submitted");
  host.roster = roster.get();
  host.redis = file.redis;
  host.redis_login = login_of(file);
  std::optional<ServedStorage> storage;
  if (file.rpc_port) {
    storage.emplace(file);
    host.storage = {&storage->gate, &storage->orders,
                    fmt::format("{}:{}", file.storage_address, *file.rpc_port)};
    spdlog::info("HDFS clients of runs with storage: {}", host.storage->namenode);
  }
  const std::filesystem::path state = std::filesystem::absolute(file.state);
  std::optional<RedisMonitor> redis;
  if (!file.redis.empty()) {
    host.redis_owner = {state_owner(state), state};
    redis.emplace(file.redis, host.redis_login, log_error, log_news);
  }
  RedisMonitor* const monitor = redis ? &*redis : nullptr;
  RunQueue queue(
      state, [&](const std::string& submission) { return reader.read_kept(submission); },
      [&](const Experiment& experiment, RunObserver& observer) {
        return execute(host, experiment, observer);
      },
      {.completed = file.max_completed_runs}, surroundings_of(host, state, monitor));
  AuditLog audit(state);
  ControlService service(queue, reader, roster.get(), &book, monitor);
  const std::vector<NamedToken> tokens = tokens_of(file);
  ControlServer server(service, {file.address, file.port, tokens}, &audit);
  std::optional<HttpServer> http;
  if (file.metrics_port) {
    const CoordinatorState shown{state,  queue,   roster.get(),
                                 server, monitor, {!tokens.empty(), &audit}};
    http.emplace(http_options(file, tokens), coordinator_pages(shown));
    spdlog::info("metrics at http://{}:{}{}", file.metrics_address, http->port(), metrics_path);
  }
  // The one line on standard output, for whoever started this and waits for it.
  fmt::print("listening on {}:{}\n", file.address, server.port());
  std::fflush(stdout);
  notice.ready();
  constexpr std::chrono::milliseconds turn_max{1'000};
  while (!interruption.wait_for(std::min(turn_max, notice.turn_max()))) {
    // Both need locks that a stuck thread would hold.
    static_cast<void>(queue.list(1));
    const auto now = std::chrono::steady_clock::now();
    thrift.tell_left_out(now);
    audit.tell_left_out(now);
    book_own_lines(log, book);
    notice.status(status_text(roster.get()));
    notice.turn();
    if (interruption.take_reload())
      reload(file, roster.get(), server, http ? &*http : nullptr,
             storage ? &storage->servers.administration() : nullptr, audit);
  }
  thrift.tell_left_out(LineLimit::Moment::max());
  audit.tell_left_out(LineLimit::Moment::max());
  notice.stopping();
  spdlog::info("shutting down: the running experiment is cancelled");
  return ExitCode::success;
}

ExitCode run(int argc, char** argv, const SchedulerRegistry& schedulers, DaemonLog& log,
             ThriftLog& thrift) {
  std::string config;
  CoordinatorFile file;
  CLI::App program;
  add_daemon_flags(program, config, file);
  try {
    program.parse(argc, argv);
    if (!config.empty()) {
      const std::string given = config;
      file = read_coordinator_file(given);
      program.parse(argc, argv);
    }
    if (file.state.empty()) throw CLI::RequiredError("--state or --config");
  } catch (const CLI::Success& wanted) {
    program.exit(wanted);
    return ExitCode::success;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "tracebed-coordinator: {}\n", error.what());
    return ExitCode::usage;
  }
  return serve(file, schedulers, log, thrift);
}

}  // namespace

int run_coordinator(int argc, char** argv, const SchedulerRegistry& schedulers) {
  DaemonLog log("coordinator");
  ThriftLog thrift;
  return end_program("tracebed-coordinator",
                     [&] { return run(argc, argv, schedulers, log, thrift); });
}

}  // namespace tracebed

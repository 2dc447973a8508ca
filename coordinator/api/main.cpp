// tracebed-coordinator: takes experiments over the control service and runs them one after another.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fmt/core.h>
#include <fstream>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "coordinator/api/control_server.h"
#include "coordinator/api/control_service.h"
#include "coordinator/api/coordinator_file.h"
#include "coordinator/api/program_end.h"
#include "coordinator/api/run_queue.h"
#include "coordinator/api/thrift_log.h"
#include "coordinator/real/agent_roster.h"
#include "coordinator/runner/experiment_report.h"
#include "coordinator/runner/experiment_run.h"
#include "coordinator/runner/interruption.h"
#include "core/input_error.h"
#include "system/service_notice.h"

namespace tracebed {
namespace {

// The runs, then what compares them, all in the folder that the queue made.
RunQueue::Verdict execute(const RunHost& host, const Experiment& experiment,
                          RunObserver& observer) {
  const FinishedExperiment finished = run_experiment(experiment, host, observer);
  std::vector<std::filesystem::path> folders;
  for (const FinishedReplay& replay : finished.replays) folders.push_back(replay.folder);
  if (!folders.empty()) report_runs({folders, "", experiment.output});
  if (finished.failure) std::rethrow_exception(finished.failure);
  return finished.is_cancelled ? RunQueue::Verdict::cancelled : RunQueue::Verdict::finished;
}

std::optional<std::filesystem::path> trace_folder(const CoordinatorFile& file) {
  if (file.traces.empty()) return std::nullopt;
  if (!std::filesystem::is_directory(file.traces)) {
    throw EnvironmentError("traces: there is no folder " + file.traces.string());
  }
  return std::filesystem::canonical(file.traces);
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
    throw EnvironmentError("redis.password_file: no password can be read in " +
                           file.redis_password_file.string());
  }
  return {file.redis_user, password};
}

std::string standing(const AgentRoster* roster) {
  if (roster == nullptr) return "listens for no agents";
  const AgentRoster::State state = roster->state();
  const auto count = std::count_if(state.members.begin(), state.members.end(),
                                   [](const RosterMember& member) { return member.is_there; });
  return fmt::format("{} agents registered{}", count, state.is_lent ? ", a run goes on" : "");
}

ExitCode serve(const CoordinatorFile& file) {
  ServiceNotice notice;
  const std::optional<std::filesystem::path> traces = trace_folder(file);
  const Interruption interruption;
  std::optional<AgentRoster> roster;
  if (!file.listen.empty()) {
    roster.emplace(file.listen, keys_of(file),
                   [](const std::string& message) { spdlog::warn("{}", message); });
    spdlog::info("agents register at {}", roster->endpoint());
  }
  AgentRoster* const agents = roster ? &*roster : nullptr;
  RunHost host = this_host("submitted");
  host.roster = agents;
  host.redis = file.redis;
  host.redis_login = login_of(file);
  RunQueue queue(std::filesystem::absolute(file.state),
                 [&](const Experiment& experiment, RunObserver& observer) {
                   return execute(host, experiment, observer);
                 });
  ControlService service(queue, traces, check_choices, agents);
  const ControlServer server(service, file.port);
  // The one line on standard output, for whoever started this and waits for it.
  fmt::print("listening on 127.0.0.1:{}\n", server.port());
  std::fflush(stdout);
  notice.ready();
  constexpr std::chrono::milliseconds turn_max{2'000};
  while (!interruption.wait_for(std::min(turn_max, notice.turn_max()))) {
    // Both need locks that a stuck thread would hold.
    static_cast<void>(queue.list(1));
    notice.status(standing(agents));
    notice.turn();
  }
  notice.stopping();
  spdlog::info("ending: the running experiment is cancelled");
  return ExitCode::success;
}

void add_flags(CLI::App& program, std::string& config, CoordinatorFile& file) {
  program.set_version_flag("--version", "tracebed-coordinator " TRACEBED_VERSION);
  program.add_option("--config", config, "File that says what these flags say, and more");
  program.add_option("--state", file.state, "Folder that keeps the runs; made if it is not there");
  program.add_option("--traces", file.traces,
                     "Folder whose traces experiments may name, as ${TRACEBED_TRACES}/…; without "
                     "it no experiment is taken");
  program.add_option("--port", file.port, "On 127.0.0.1; 0 takes a free one")
      ->check(CLI::Range(0, 65'535))
      ->capture_default_str();
  program.add_option("--listen", file.listen,
                     "Where agents of a cluster register: ipc://PATH or tcp://127.0.0.1:PORT; "
                     "other addresses need keys, and so --config");
}

ExitCode run(int argc, char** argv) {
  std::string config;
  CoordinatorFile file;
  file.port = control_port_default;
  CLI::App program("Runs submitted experiments, one after another.", "tracebed-coordinator");
  add_flags(program, config, file);
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
  return serve(file);
}

}  // namespace
}  // namespace tracebed

int main(int argc, char** argv) {
  spdlog::set_default_logger(spdlog::stderr_logger_mt("coordinator"));
  spdlog::set_pattern("%H:%M:%S.%e %l: %v");
  tracebed::log_thrift();
  return tracebed::end_program("tracebed-coordinator", [&] { return tracebed::run(argc, argv); });
}

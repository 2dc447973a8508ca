// tracebed-coordinator: takes experiments over the control service and runs them one after another.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/core.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "coordinator/api/control_server.h"
#include "coordinator/api/control_service.h"
#include "coordinator/api/program_end.h"
#include "coordinator/api/run_queue.h"
#include "coordinator/api/thrift_log.h"
#include "coordinator/runner/experiment_report.h"
#include "coordinator/runner/experiment_run.h"
#include "coordinator/runner/interruption.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

struct Flags {
  std::string state;
  std::string traces;
  std::uint16_t port = control_port_default;
};

// The runs, then what compares them, all in the folder that the queue made.
RunQueue::Verdict execute(const Experiment& experiment, RunObserver& observer) {
  const FinishedExperiment finished = run_experiment(experiment, this_host("submitted"), observer);
  std::vector<std::filesystem::path> folders;
  for (const FinishedReplay& replay : finished.replays) folders.push_back(replay.folder);
  if (!folders.empty()) report_runs({folders, "", experiment.output});
  if (finished.failure) std::rethrow_exception(finished.failure);
  return finished.is_cancelled ? RunQueue::Verdict::cancelled : RunQueue::Verdict::finished;
}

ExitCode serve(const Flags& flags) {
  std::optional<std::filesystem::path> traces;
  if (!flags.traces.empty()) {
    if (!std::filesystem::is_directory(flags.traces)) {
      throw EnvironmentError("--traces: there is no folder " + flags.traces);
    }
    traces = std::filesystem::canonical(flags.traces);
  }
  const Interruption interruption;
  RunQueue queue(std::filesystem::absolute(flags.state), execute);
  ControlService service(queue, traces, check_choices);
  const ControlServer server(service, flags.port);
  // The one line on standard output, for whoever started this and waits for it.
  fmt::print("listening on 127.0.0.1:{}\n", server.port());
  std::fflush(stdout);
  interruption.wait();
  spdlog::info("ending: the running experiment is cancelled");
  return ExitCode::success;
}

ExitCode run(int argc, char** argv) {
  Flags flags;
  CLI::App program("Runs submitted experiments, one after another.", "tracebed-coordinator");
  program.set_version_flag("--version", "tracebed-coordinator " TRACEBED_VERSION);
  program.add_option("--state", flags.state, "Folder that keeps the runs; made if it is not there")
      ->required();
  program.add_option("--traces", flags.traces,
                     "Folder whose traces experiments may name, as ${TRACEBED_TRACES}/…; without "
                     "it no experiment is taken");
  program.add_option("--port", flags.port, "On 127.0.0.1; 0 takes a free one")
      ->check(CLI::Range(0, 65'535))
      ->capture_default_str();
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& wanted) {
    program.exit(wanted);
    return ExitCode::success;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "tracebed-coordinator: {}\n", error.what());
    return ExitCode::usage;
  }
  return serve(flags);
}

}  // namespace
}  // namespace tracebed

int main(int argc, char** argv) {
  spdlog::set_default_logger(spdlog::stderr_logger_mt("coordinator"));
  spdlog::set_pattern("%H:%M:%S.%e %l: %v");
  tracebed::log_thrift();
  return tracebed::end_program("tracebed-coordinator", [&] { return tracebed::run(argc, argv); });
}

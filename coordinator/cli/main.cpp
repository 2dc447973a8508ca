// `tracebed`: what people type. Every exception ends here, as a message and an exit code.
#include <cstdio>
#include <exception>
#include <system_error>

#include "coordinator/api/control_client.h"
#include "coordinator/api/thrift_log.h"
#include "coordinator/cli/commands.h"
#include "coordinator/runner/run_observer.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

ExitCode fail(ExitCode code, const char* message) {
  std::fprintf(stderr, "tracebed: %s\n", message);
  return code;
}

ExitCode run(int argc, char** argv) {
  CLI::App program("Replays job traces under the cluster scheduler of your choice.", "tracebed");
  program.set_version_flag("--version", "tracebed " TRACEBED_VERSION " (" TRACEBED_BUILD_TYPE ")");
  program.require_subcommand(1);
  program.failure_message(CLI::FailureMessage::help);
  ExitCode result = ExitCode::success;
  add_run_command(program, result);
  add_compare_command(program, result);
  add_replay_log_command(program, result);
  add_schedulers_command(program, result);
  add_trace_command(program, result);
  add_submit_command(program, result);
  add_status_command(program, result);
  add_list_command(program, result);
  add_cancel_command(program, result);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help, --version
    program.exit(wanted);
    return ExitCode::success;
  } catch (const CLI::ParseError& error) {
    return fail(ExitCode::usage, (std::string(error.what()) + "; see tracebed --help").c_str());
  }
  return result;
}

}  // namespace
}  // namespace tracebed

int main(int argc, char** argv) {
  using namespace tracebed;
  silence_thrift();  // its messages say again what exceptions say
  ExitCode code = ExitCode::success;
  try {
    code = run(argc, argv);
  } catch (const InputError& error) {
    code = fail(ExitCode::input, error.what());
  } catch (const ControlRefusal& error) {
    code = fail(ExitCode::input, error.what());
  } catch (const EnvironmentError& error) {
    code = fail(ExitCode::environment, error.what());
  } catch (const std::system_error& error) {
    code = fail(ExitCode::environment, error.what());
  } catch (const std::bad_alloc&) {
    code = fail(ExitCode::environment, "there is not enough memory");
  } catch (const RunInterrupted& error) {
    code = fail(ExitCode::interrupted, error.what());
  } catch (const std::exception& error) {
    code = fail(ExitCode::failed_invariant, error.what());
  }
  // What was printed may be all the user wanted: a full disk behind stdout is a failure.
  if (std::fflush(stdout) != 0 && code == ExitCode::success) {
    code = fail(ExitCode::environment, "standard output cannot be written");
  }
  return to_int(code);
}

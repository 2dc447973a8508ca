// tracebed-appmaster: see agents/appmaster/appmaster.h. Started by tracebed-launcher only.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <malloc.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "agents/appmaster/appmaster.h"
#include "core/input_error.h"
#include "system/secret_number.h"

namespace tracebed::appmaster {
namespace {

int run_program(int count, char** words) {
  AppmasterOptions options;
  Identity& identity = options.identity;
  std::uint32_t application = 0;
  CLI::App app(
      "Serve as the master of one application of a Tracebed run. Started by tracebed-launcher, "
      "with the coordinator's endpoint, the session number and its keys on standard input.",
      "tracebed-appmaster");
  app.add_option("--run", identity.run, "Name of the run")->required();
  app.add_option("--epoch", identity.epoch, "Epoch of the coordinator")->required();
  app.add_option("--application", application, "Number of the application")->required();
  app.add_option("--attempt", identity.attempt, "Number of this attempt")
      ->required()
      ->check(CLI::PositiveNumber);
  app.add_option("--address", options.source_address, "Source address of its connections");
  try {
    app.parse(count, words);
  } catch (const CLI::Success& wanted) {
    return app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "tracebed-appmaster: %s; see tracebed-appmaster --help\n", error.what());
    return to_int(ExitCode::usage);
  }
  identity.application = ApplicationId(application);
  if (!identity.application.is_valid()) throw InputError("--application: not a valid number");
  Result<ProcessSecret> secret = read_secret(STDIN_FILENO);
  if (!secret) throw InputError("the secret on standard input: " + secret.error().message);
  identity.session = secret->number;
  options.coordinator = std::move(secret->coordinator);
  options.keys = std::move(secret->keys);
  spdlog::set_default_logger(spdlog::stderr_logger_st("appmaster"));
  spdlog::set_pattern("%H:%M:%S.%e appmaster of " + std::to_string(application) + " %l: %v");
  return to_int(Appmaster(std::move(options)).run());
}

}  // namespace
}  // namespace tracebed::appmaster

int main(int count, char** words) {
  using tracebed::ExitCode;
  // Started by file descriptor, it would be named after the number.
  prctl(PR_SET_NAME, "tracebed-appmas", 0, 0, 0);
  // It has keys in its memory, and other containers may be of the same user.
  prctl(PR_SET_DUMPABLE, 0);
  // One heap for ZeroMQ's threads too: where the address space is limited, more do not fit.
  mallopt(M_ARENA_MAX, 1);
  try {
    return tracebed::appmaster::run_program(count, words);
  } catch (const tracebed::InputError& error) {
    std::fprintf(stderr, "tracebed-appmaster: %s\n", error.what());
    return to_int(ExitCode::input);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tracebed-appmaster: %s\n", error.what());
    return to_int(ExitCode::environment);
  }
}

// tracebed-appmaster: see agents/appmaster/appmaster.h. Started by tracebed-launcher only.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <malloc.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "agents/appmaster/appmaster.h"
#include "agents/appmaster/flags.h"
#include "core/input_error.h"
#include "system/secret_number.h"

namespace tracebed::appmaster {
namespace {

int run_program(int count, char** words) {
  Flags flags;
  CLI::App app;
  add_flags(app, flags);
  try {
    app.parse(count, words);
  } catch (const CLI::Success& wanted) {
    return app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "tracebed-appmaster: %s; see tracebed-appmaster --help\n", error.what());
    return to_int(ExitCode::usage);
  }
  AppmasterOptions options;
  Identity& identity = options.identity;
  identity.run = flags.run;
  identity.epoch = flags.epoch;
  identity.attempt = flags.attempt;
  options.source_address = flags.address;
  identity.application = ApplicationId(flags.application);
  if (!identity.application.is_valid()) throw InputError("--application: not a valid number");
  Result<ProcessSecret> secret = read_secret(STDIN_FILENO);
  if (!secret) throw InputError("the secret on standard input: " + secret.error().message);
  identity.session = secret->number;
  options.coordinator = std::move(secret->coordinator);
  options.keys = std::move(secret->keys);
  spdlog::set_default_logger(spdlog::stderr_logger_st("appmaster"));
  spdlog::set_pattern("%H:%M:%S.%e appmaster of " + std::to_string(flags.application) + " %l: %v");
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

#include "coordinator/api/program_end.h"

#include <cstdio>
#include <new>
#include <string_view>
#include <system_error>

#include "coordinator/api/control_client.h"
#include "coordinator/monitoring/run_observer.h"
#include "core/input_error.h"
#include "system/file_size_limit.h"
#include "system/plain_message.h"
#include "system/plain_text.h"

namespace tracebed {
namespace {

template <class Error>
bool is_a(const std::exception& error) {
  return dynamic_cast<const Error*>(&error) != nullptr;
}

}  // namespace

ExitCode exit_code_of(const std::exception& error) {
  if (is_a<InputError>(error) || is_a<ControlRefusal>(error)) return ExitCode::input;
  if (is_a<EnvironmentError>(error) || is_a<std::system_error>(error) ||
      is_a<std::bad_alloc>(error)) {
    return ExitCode::environment;
  }
  if (is_a<NoneSucceeded>(error)) return ExitCode::none_succeeded;
  if (is_a<RunStalled>(error)) return ExitCode::stalled;
  if (is_a<RunInterrupted>(error)) return ExitCode::interrupted;
  return ExitCode::failed_invariant;
}

int end_program(const std::string& program, const std::function<ExitCode()>& body) {
  // Messages have names of files, traces and peers in them.
  const auto fail = [&](ExitCode code, std::string_view message) {
    std::fprintf(stderr, "%s: %s\n", program.c_str(), plain_paragraph(message).c_str());
    return code;
  };
  report_file_size_limit();
  ExitCode code = ExitCode::success;
  try {
    code = body();
  } catch (const std::bad_alloc& error) {
    code = fail(exit_code_of(error), "out of memory");
  } catch (const std::exception& error) {
    code = fail(exit_code_of(error), plain_message(error));
  }
  // What was printed may be all the user wanted: a full disk behind stdout is a failure.
  if (std::fflush(stdout) != 0 && code == ExitCode::success) {
    code = fail(ExitCode::environment, "standard output cannot be written");
  }
  return to_int(code);
}

}  // namespace tracebed

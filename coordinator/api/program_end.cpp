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
  } catch (const InputError& error) {
    code = fail(ExitCode::input, error.what());
  } catch (const ControlRefusal& error) {
    code = fail(ExitCode::input, error.what());
  } catch (const EnvironmentError& error) {
    code = fail(ExitCode::environment, error.what());
  } catch (const std::system_error& error) {
    code = fail(ExitCode::environment, plain_message(error));
  } catch (const std::bad_alloc&) {
    code = fail(ExitCode::environment, "out of memory");
  } catch (const RunInterrupted& error) {
    code = fail(ExitCode::interrupted, error.what());
  } catch (const std::exception& error) {  // nothing else is meant to be thrown
    code = fail(ExitCode::failed_invariant, plain_message(error));
  }
  // What was printed may be all the user wanted: a full disk behind stdout is a failure.
  if (std::fflush(stdout) != 0 && code == ExitCode::success) {
    code = fail(ExitCode::environment, "standard output cannot be written");
  }
  return to_int(code);
}

}  // namespace tracebed

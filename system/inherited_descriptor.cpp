#include "system/inherited_descriptor.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/prctl.h>

#include "core/input_error.h"

namespace tracebed {

FileDescriptor take_inherited(const char* flag, int number) {
  if (number < 0) return {};
  if (fcntl(number, F_SETFD, FD_CLOEXEC) != 0) {
    throw InputError(std::string(flag) + ": expected an open descriptor, got " +
                     std::to_string(number) + ": " + error_text(errno));
  }
  return FileDescriptor(number);
}

FileDescriptor take_lifeline(const char* flag, int number) {
  FileDescriptor lifeline = take_inherited(flag, number);
  if (!lifeline.is_open()) return lifeline;
  if (prctl(PR_SET_PDEATHSIG, SIGCONT) != 0) {
    throw EnvironmentError(std::string(flag) + ": prctl: " + error_text(errno));
  }
  // A process that ends need not be continued. LeakSanitizer stops it at its end with SIGSTOP,
  // which SIGCONT cancels: it would wait for ever for that stop.
  (void)std::atexit([] { (void)prctl(PR_SET_PDEATHSIG, 0); });
  return lifeline;
}

}  // namespace tracebed

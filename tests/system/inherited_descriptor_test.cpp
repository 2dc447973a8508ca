// Descriptors that a process has from its parent.
#include "system/inherited_descriptor.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "core/input_error.h"

namespace tracebed {
namespace {

int death_signal() {
  int signal = -1;
  prctl(PR_GET_PDEATHSIG, &signal);
  return signal;
}

// In a process of its own, which then exits with the signal that it would have got at its end.
[[noreturn]] void end_with_lifeline() {
  std::array<int, 2> ends{};
  const bool has_pipe = pipe(ends.data()) == 0;
  // It runs after what take_lifeline() leaves to be run.
  std::atexit([] { _exit(death_signal()); });
  const FileDescriptor lifeline = take_lifeline("--lifeline-fd", ends[0]);
  if (!has_pipe || death_signal() != SIGCONT) _exit(100);
  std::exit(1);
}

TEST(Lifeline, ContinuesAStoppedProcessButNoneThatEnds) {
  EXPECT_EXIT(end_with_lifeline(), ::testing::ExitedWithCode(0), "");
}

TEST(Lifeline, HasToBeOpen) {
  EXPECT_FALSE(take_lifeline("--lifeline-fd", -1).is_open());
  EXPECT_THROW(take_lifeline("--lifeline-fd", 999), InputError);
}

}  // namespace
}  // namespace tracebed

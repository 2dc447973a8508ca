// Runs the tests of this program under valgrind's callgrind where that is installed; where it is
// not, they skip themselves. So the program is started like any other.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "growth/counting.h"
#include "growth/operations.h"
#include "support/command.h"
#include "support/temporary_folder.h"

namespace tracebed::test {
namespace {

// Its exit code, or 1 if it was ended by a signal.
int run_under_callgrind(char** arguments) {
  const TemporaryFolder folder;
  const std::string dumps = folder.file("dumps");
  const std::string out = "--callgrind-out-file=" + dumps;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<const char*> words{"valgrind", "--quiet", "--tool=callgrind", out.c_str(),
                                 program.c_str()};
  for (char** argument = arguments + 1; *argument != nullptr; ++argument) {
    words.push_back(*argument);
  }
  words.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setenv(dumps_variable, dumps.c_str(), 1);
    ::execvp(words[0], const_cast<char* const*>(words.data()));
    std::perror(words[0]);
    ::_exit(1);
  }
  int status = 0;
  const bool is_over = child > 0 && ::waitpid(child, &status, 0) == child;
  return is_over && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace
}  // namespace tracebed::test

int main(int argc, char** argv) {
  const std::vector<char*> given(argv, argv + argc + 1);
  testing::InitGoogleTest(&argc, argv);  // takes what it knows
  const bool is_started = std::getenv(tracebed::test::dumps_variable) != nullptr;
  if (!is_started && !GTEST_FLAG_GET(list_tests) && tracebed::test::has_program("valgrind")) {
    std::vector<char*> arguments = given;
    return tracebed::test::run_under_callgrind(arguments.data());
  }
  return RUN_ALL_TESTS();
}

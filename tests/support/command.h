// Programs of other people's, run through a shell.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/wait.h>

namespace tracebed::test {

struct CommandResult {
  int status = -1;     // the shell's
  std::string output;  // standard output and standard error
};

inline CommandResult run_command(const std::string& command) {
  CommandResult result;
  FILE* const pipe = ::popen(("{ " + command + "\n} 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> piece;
  for (std::size_t got = 1; got > 0;) {
    got = std::fread(piece.data(), 1, piece.size(), pipe);
    result.output.append(piece.data(), got);
  }
  const int status = ::pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

inline bool has_program(const std::string& name) {
  return run_command("command -v " + name).status == 0;
}

}  // namespace tracebed::test

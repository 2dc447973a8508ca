// A process that this one started, waited for by its owner; and pipes to it. Each lives in a
// session of its own, so that Ctrl-C reaches only the program that the user typed.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "system/file_descriptor.h"

namespace tracebed {

// While `writer` is open, a reader of `reader` waits; when the process that holds it dies, for
// whatever reason, the reader receives the end of the file.
struct Lifeline {
  FileDescriptor reader;
  FileDescriptor writer;

  static Lifeline make();
  // Whether any process still holds the reading end; for an owner who has closed its own.
  bool has_reader() const;
};

// Under which number daemons inherit the reading end of theirs.
inline constexpr int lifeline_number = 3;
// One whose lifeline was cut ends everything within five seconds.
inline constexpr std::chrono::seconds lifeline_end_timeout{8};

// How a process ended: by its exit code, or by a signal.
struct ProcessEnd {
  int exit_code = 0;
  int signal = 0;

  std::string describe() const;
};

class ChildProcess {
 public:
  struct Start {
    std::string program;  // a path, or a name to look for in PATH
    std::vector<std::string> arguments;
    std::string output;  // file to which its standard output and error are appended
    int input = -1;      // its standard input; none: /dev/null
    // Passed to the child under this number, if both are given.
    int inherited = -1;
    int inherited_as = -1;
  };

  // Throws EnvironmentError if the program cannot be started.
  explicit ChildProcess(const Start& start);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) = delete;
  // Kills the process if it still runs.
  ~ChildProcess();

  pid_t id() const { return id_; }
  // How it ended, if it has ended.
  std::optional<ProcessEnd> poll();
  // Waits for its end, for at most `timeout`.
  std::optional<ProcessEnd> wait(std::chrono::nanoseconds timeout);
  // Ignored if it has ended.
  void signal(int number);

 private:
  pid_t id_ = -1;
  FileDescriptor handle_;  // a pidfd, which poll(2) reports as readable when the process has ended
  std::optional<ProcessEnd> end_;
};

}  // namespace tracebed

// Starts the project's programs as a user does, and gathers what they print.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

#include "support/temporary_folder.h"

namespace tracebed {

struct ProgramEnd {
  int exit_code = -1;  // 128 + signal if it was killed by one
  std::string out;
  std::string error;
};

std::filesystem::path program_path(const std::string& name);

// One that runs. Its output goes to files in a folder of its own. It dies with the thread that
// started it: a test that is ended by its time limit leaves no daemon behind.
class RunningProgram {
 public:
  RunningProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& environment = {});
  // Kills it if it still runs.
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  pid_t id() const { return id_; }
  void signal(int number) const;  // nothing if it was waited for
  std::string out() const;
  std::string error() const;
  // Waits until `condition` holds. A test failure if the program ends before, or after `timeout`.
  void wait_until(const std::function<bool()>& condition);
  // For one that may end by itself: whether `condition` held, at its end at the latest.
  bool wait_until_or_end(const std::function<bool()>& condition);
  ProgramEnd wait();

 private:
  bool has_ended();

  TemporaryFolder folder_;
  pid_t id_ = -1;
  int status_ = 0;
  bool is_reaped_ = false;
};

// One of the project's programs under what the shell's ulimit takes, such as "-f 16" (blocks of 512
// bytes) or "-n 1024"; without a limit if that is empty.
std::unique_ptr<RunningProgram> limited_program(const std::string& limit, const std::string& name,
                                                const std::vector<std::string>& arguments);

// `tracebed` with these arguments, to its end.
ProgramEnd tracebed_program(const std::vector<std::string>& arguments,
                            const std::vector<std::string>& environment = {});

// A small experiment, of four SWF jobs, written into `folder`; returns its file. `more` is
// appended.
std::filesystem::path write_small_experiment(const TemporaryFolder& folder,
                                             const std::string& more = {});

}  // namespace tracebed

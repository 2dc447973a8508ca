// The launcher that a local agent starts for itself, as its child.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "system/file_descriptor.h"

namespace tracebed::agent {

struct LauncherProgram {
  std::string path;
  std::vector<std::string> arguments;  // without the two descriptors
  // With which it removes what is left of the cgroups of one that was killed.
  std::vector<std::string> sweep_arguments;
  int lifeline = -1;  // handed on, if there is one
};

class LauncherChild {
 public:
  // How long a launcher whose connection is closed has to end its containers and itself.
  static constexpr std::chrono::milliseconds end_timeout{4'500};

  // Throws EnvironmentError if it cannot be started.
  explicit LauncherChild(const LauncherProgram& program);
  // Waits for at most end_timeout; it ends by itself when its connection is closed, which must be
  // before. As wait() does.
  ~LauncherChild();
  LauncherChild(LauncherChild&& other) noexcept;
  LauncherChild& operator=(LauncherChild&&) = delete;

  // This end of the connection; once.
  FileDescriptor take_connection() { return std::move(connection_); }
  // Ends it now; its containers' processes end with it.
  void kill() const;
  // Waits for its end, for at most `timeout`; then kills it. Its exit code, unless a signal ended
  // it, whoever's: then what it left is removed, since nobody may come after it.
  std::optional<int> wait(std::chrono::milliseconds timeout);

 private:
  void sweep() const;

  pid_t process_ = -1;
  FileDescriptor connection_;
  std::string path_;
  std::vector<std::string> sweep_arguments_;
};

}  // namespace tracebed::agent

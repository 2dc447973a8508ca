// The shuffle server of a machine as the child of its daemon, which restarts it when it ends by
// itself: outputs that were committed are served again, at the port that was chosen for it, or at
// the one that it had if that is still free.
//
// It has no thread: its owner polls number() for reading, and calls advance() when it is readable
// and at due().
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

#include "agents/shuffle_link/shuffle_messages.h"
#include "system/file_descriptor.h"

namespace tracebed {

class ShuffleServerChild {
 public:
  using Clock = std::chrono::steady_clock;

  struct Restarts {
    // In a row, before it is given up. One that has served for `well_after` begins a new row.
    int max = 5;
    std::chrono::milliseconds well_after = std::chrono::minutes(1);
    // Before the second restart of a row; twice as long before each further one.
    std::chrono::milliseconds delay = std::chrono::milliseconds(100);
  };
  // How long a server whose connection is closed has to end itself.
  static constexpr std::chrono::milliseconds end_timeout{3'000};

  // Starts it. `program` is the path of tracebed-shuffle. Throws EnvironmentError if that cannot be
  // started at all.
  ShuffleServerChild(std::string program, ShuffleBegin begin, Restarts restarts);
  ShuffleServerChild(std::string program, ShuffleBegin begin)
      : ShuffleServerChild(std::move(program), std::move(begin), Restarts{}) {}
  // Waits for its end, for at most end_timeout; then kills it.
  ~ShuffleServerChild();
  ShuffleServerChild(const ShuffleServerChild&) = delete;
  ShuffleServerChild& operator=(const ShuffleServerChild&) = delete;

  // -1: there is none at this moment.
  int number() const { return connection_.number(); }
  // When advance() is to be called again even if nothing is readable; max(): never.
  Clock::time_point due() const;
  // Takes what the server says, and restarts it if that is due.
  void advance();

  // Where it serves; none until it does, and while it is restarted.
  std::optional<std::uint16_t> port() const { return port_; }
  // Of all servers so far, as last heard; connections are those of the current one.
  ShuffleFigures figures() const;
  // Why it was given up; none while it is not.
  const std::optional<std::string>& failure() const { return failure_; }
  int restarts() const { return restarts_in_all_; }
  // -1: there is none at this moment.
  pid_t process() const { return process_; }

  // Now, and of its successors.
  void set_rates(const ShuffleRates& rates);
  void remove_job(std::uint32_t job);

 private:
  // While it does not take orders as fast as there are new ones.
  static constexpr std::chrono::milliseconds flush_period{20};

  void start();
  void send(const ShuffleOrder& order);
  void flush();
  void take(const ShuffleNews& news);
  void on_end();
  // Its exit status, once it has ended.
  int reap();

  const std::string program_;
  ShuffleBegin begin_;
  const std::uint16_t chosen_port_;  // 0: a free one
  const Restarts policy_;
  pid_t process_ = -1;
  FileDescriptor connection_;
  std::vector<std::byte> packet_;
  std::deque<std::vector<std::byte>> unsent_;
  std::optional<std::uint16_t> port_;
  Clock::time_point ready_since_{};
  Clock::time_point restart_at_ = Clock::time_point::max();
  int restarts_in_a_row_ = 0;
  int restarts_in_all_ = 0;
  std::string last_words_;
  std::optional<std::string> failure_;
  ShuffleFigures ended_;  // of servers that have ended
  ShuffleFigures current_;
  std::set<std::uint32_t> removed_;
};

}  // namespace tracebed

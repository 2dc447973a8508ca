// The latest lines that the cluster's daemons have logged, for `tracebed cluster logs`. Any thread
// may use it. All texts but the coordinator's own come from elsewhere and are not trusted.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "protocol/wire_messages.h"

namespace tracebed {

struct BookedLine {
  std::uint64_t number = 0;  // ascending in order of arrival, from 1
  std::string daemon;
  wire::LogLine line;
};

class LogBook {
 public:
  // At most this many lines are kept, and of one daemon at most a thousand: fewer, down to twenty,
  // if there are many daemons, so that none displaces another's.
  static constexpr std::size_t lines_max = 50'000;
  static constexpr std::size_t daemon_lines_max = 1'000;
  static constexpr std::size_t daemon_lines_min = 20;

  void add(const std::string& daemon, const wire::LogLines& log);
  // The last `limit` lines of one daemon, or of all if the name is empty, after the line of that
  // number; ascending by number.
  std::vector<BookedLine> read(const std::string& daemon, std::uint64_t after,
                               std::size_t limit) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::deque<BookedLine>, std::less<>> lines_;  // by daemon
  std::uint64_t last_ = 0;
};

}  // namespace tracebed

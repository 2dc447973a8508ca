// Bounds what others can make a daemon write: of lines of one kind the first few in a minute are
// written, the rest is counted and summed up in one line. Without a clock or a lock of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tracebed {

class LineLimit {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  static constexpr std::chrono::seconds window{60};
  static constexpr std::uint64_t lines_max = 10;  // of a kind in a window
  // Of different kinds; any further ones are of the kind `others`.
  static constexpr std::size_t kinds_max = 256;
  static constexpr const char* others = "others";

  // Whether such a line is to be written; if not, it is counted.
  bool admits(const std::string& kind, Moment now);

  struct LeftOut {
    std::string kind;
    std::uint64_t lines = 0;
  };
  // What was left out in windows that are over, each once.
  std::vector<LeftOut> take_left_out(Moment now);

 private:
  struct Window {
    Moment begin;
    std::uint64_t lines = 0;
  };
  std::map<std::string, Window> windows_;
};

}  // namespace tracebed

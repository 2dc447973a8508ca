// What happens to a row that cannot be used: the load stops with a message that names the place,
// or, with skip_bad, it is counted by reason and the load continues. A file that is damaged as such
// is not a bad row, and always refused.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracebed {

enum class BadRow : std::uint8_t {
  columns,         // too few or too many of them
  number,          // a column does not hold the kind of number it must
  negative,        // below zero where the format has no such value
  out_of_range,    // too large to be represented
  order,           // submitted before the row above it
  text,            // not UTF-8, or a name that is empty
  too_many_tasks,  // the rules make more tasks of it than a stage may have
  line_too_long,
  cycle,      // tasks that need each other
  too_large,  // a document above the largest allowed
  not_json,   // not a JSON document
  cut_off,    // a document that does not end
};
inline constexpr std::size_t bad_row_reasons = 12;
std::string_view name(BadRow reason);

class BadRows {
 public:
  // At most this many messages are kept, those of the first bad rows.
  static constexpr std::size_t messages_max = 1000;

  struct Reason {
    std::uint64_t rows = 0;
    std::uint64_t first_line = 0;
    std::string first_message;
  };

  // `trace` is the path for messages.
  BadRows(std::string trace, bool skip) : trace_(std::move(trace)), skip_(skip) {}

  // Counts the row, or throws InputError if bad rows are not skipped. `expected` and `got` are
  // parts of one sentence: "TRACE:LINE: PLACE: expected EXPECTED, got GOT".
  void add(BadRow reason, std::uint64_t line, std::string_view place, std::string_view expected,
           std::string_view got);

  // Refuses the file because of a defect of its own, such as compressed data that are damaged or
  // end early: nothing that was read of it is reliable then, so it is refused whether bad rows are
  // skipped or not.
  [[noreturn]] void refuse(std::uint64_t line, std::string_view place, std::string_view expected,
                           std::string_view got) const;

  // The next rows are from this file of the trace.
  void set_trace(std::string trace) { trace_ = std::move(trace); }

  const Reason& reason(BadRow reason) const { return reasons_[static_cast<std::size_t>(reason)]; }
  std::uint64_t total() const;
  // In the order in which they were found, each with its place.
  const std::vector<std::string>& messages() const { return messages_; }
  bool skip() const { return skip_; }

 private:
  std::string message(std::uint64_t line, std::string_view place, std::string_view expected,
                      std::string_view got) const;

  std::string trace_;
  bool skip_;
  std::array<Reason, bad_row_reasons> reasons_;
  std::vector<std::string> messages_;
};

// Text from outside for a message: quoted, control and non-ASCII bytes as \xNN, at most 60 bytes.
std::string shown(std::string_view text);

}  // namespace tracebed

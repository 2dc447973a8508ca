// Why jobs were rejected or failed, and how many for each reason.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/run_description.h"

namespace tracebed {

class ReasonCounter {
 public:
  // `reason` is JobRecord::diagnostics. Reasons that differ only in numbers count as one, with the
  // text of the first, which says so.
  void add(std::string_view reason);
  // By count, descending, then in the order of their first jobs. At most `reasons_max` have names;
  // the last of more is "other reasons".
  std::vector<NamedCount> reasons() const;

  static constexpr std::size_t reasons_max = 50;

 private:
  struct Reason {
    std::string words;
    std::uint64_t jobs = 0;
    std::size_t position = 0;  // among the reasons, by first job
    bool has_others = false;   // with other numbers
  };
  std::map<std::string, Reason, std::less<>> reasons_;  // by the text without its numbers
  std::uint64_t others_ = 0;
};

// "3 of 4 jobs were rejected: 2 × asks for …; 1 × …"; empty if none was. The most frequent five
// reasons.
std::string rejection_text(const std::vector<NamedCount>& reasons, std::uint64_t jobs);
// The same of jobs that failed: "3 of 4 jobs failed: …".
std::string failure_text(const std::vector<NamedCount>& reasons, std::uint64_t jobs);
// Both, and how many jobs were killed, of a run in which none of the jobs succeeded.
std::string none_succeeded_text(const RunEnd& end, std::uint64_t killed, std::uint64_t jobs);

}  // namespace tracebed

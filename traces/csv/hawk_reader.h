// Jobs as Sparrow, Hawk and Eagle's simulators read them (.tr): a line for each, of numbers
// separated by blanks: submit time in s, number of tasks, mean duration of a task in s, and the
// duration of every task in s. A job is a bag of independent tasks.
#pragma once

#include <vector>

#include "traces/parts/collected_reader.h"
#include "traces/parts/text_lines.h"

namespace tracebed {

class HawkReader final : public CollectedReader {
 public:
  HawkReader(LineReader lines, const TraceOptions& options, Names& names);

  std::string_view compression() const override { return lines_.source().compression(); }
  std::uint64_t text_bytes() const override { return lines_.source().text_bytes(); }

 private:
  void collect() override;
  bool make(std::string_view record, Job& job) override;
  void name_tallies(TraceTally& tally) override;

  // Splits and checks a line into durations_ and submit_; false if it is a bad row.
  bool scan(std::string_view line);
  // The number at `at`, in millionths from `low` up; false, and reported, if it is none.
  bool scan_number(const char*& at, const char* end, std::int64_t low, std::int64_t& millionths);

  TextLines lines_;
  std::int64_t submit_ = 0;
  std::vector<std::int64_t> durations_;  // µs
};

}  // namespace tracebed

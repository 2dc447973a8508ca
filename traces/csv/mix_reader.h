// Mixes of MapReduce jobs by kind and size, as papers state their workloads: a table with a header
// and these columns, separated by commas:
//
//   job, submit_seconds, kind, input_bytes, maps, reduces, vcores, memory_mib, user, queue,
//   input_path
//
// and, if the header names it, deadline_seconds: by when the job is to have ended, on the clock of
// submit_seconds and after it.
//
// Kinds are those of the cost table (traces/parts/job_kinds.h). What of maps, vcores, memory_mib,
// user, queue, input_path and deadline_seconds is empty is derived or left out. Map input, shuffled
// bytes and output add up to those of the job exactly.
//
// A job of several iterations is a DAG, with maps and reduces for each. All its maps read one file;
// those of later iterations fetch what the reduces before them made, too. The last ones write it.
#pragma once

#include <string_view>

#include "traces/csv/table_reader.h"
#include "traces/parts/byte_split.h"
#include "traces/parts/job_kinds.h"

namespace tracebed {

class MixReader final : public TableReader {
 public:
  MixReader(LineReader lines, const TraceOptions& options, Names& names);

 private:
  struct Row {
    std::string_view name;
    std::int64_t submit = 0;    // microseconds
    std::int64_t deadline = 0;  // microseconds after that; 0: none
    const JobCosts* costs = nullptr;
    std::int64_t input_bytes = 0;
    std::int64_t maps = 0;  // 0: by blocks
    std::int64_t reduces = 0;
    Resources demand;
  };

  // Tasks: what they take in, and how their costs follow from that; what they fetch beside that;
  // and what they write.
  struct Side {
    std::int64_t Work::*field = nullptr;
    decltype(&set_map_costs) set_costs = nullptr;
    ByteSplit taken;
    ByteSplit fetched;
    ByteSplit written;
  };
  enum class Turn : std::uint8_t { only, first, middle, last };  // of an iteration

  void collect() override;
  void name_tallies(TraceTally& tally) override;
  bool scan(Row& row);
  bool scan_demand(Resources& demand);
  bool scan_deadline(Row& row);
  bool scan_texts();
  bool fill(const Row& row, Job& job);
  bool fill_maps(const Row& row, Turn turn, Stage& stage);
  bool fill_reduces(const Row& row, Turn turn, Stage& stage);
  bool add_side(const Row& row, const Side& side, Stage& stage);

  std::uint64_t jobs_ = 0;  // that were filled
};

}  // namespace tracebed

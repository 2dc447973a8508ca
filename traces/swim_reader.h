// SWIM rows as MapReduce jobs: a map stage, and a reduce stage where bytes are shuffled. Bytes are
// kept exactly: over its tasks they add up to the row's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/names.h"
#include "traces/parts/ignored_fields.h"
#include "traces/parts/rules.h"
#include "traces/parts/spare_stages.h"
#include "traces/row_reader.h"
#include "traces/swim_rows.h"
#include "traces/weighted_choice.h"

namespace tracebed {

class SwimReader final : public RowReader {
 public:
  // `names` outlives the reader. All users and queues of the rules are interned at once, so that
  // user k has the k-th id.
  SwimReader(LineReader lines, const TraceRules& rules, bool skip_bad, Names& names);

  bool next(Job& job) override;
  void tally_into(TraceTally& tally) override;
  LoadReport report() const override;
  std::vector<TraceCount> ignored() const override { return ignored_.counts(); }

 private:
  const TraceRows& rows() const override { return rows_; }

  std::int64_t reduces() const;

  bool fill(Job& job);
  bool fill_maps(Stage& stage);
  bool fill_reduces(Stage& stage);
  bool check_tasks(std::int64_t tasks);
  // What all maps, or all reduces, have in common.
  struct Side {
    Resources demand;
    Duration startup;
    double vcores = 0;
    std::int64_t memory_mib = 0;  // touched
  };
  Side side_of(const Resources& demand, Duration startup) const;
  // Sets the stage's runs: tasks − 1 of `each` and one of `last`, or one run if they are equal.
  // False if the row is bad.
  bool set_runs(Stage& stage, std::int64_t tasks, Work each, Work last, const Side& side);
  // Sets duration, CPU time and memory from the bytes; false if the row is bad.
  bool set_costs(Work& work, const Side& side);
  std::size_t user_of(std::uint64_t row) const;
  void tally_row();

  SwimRows rows_;
  CommonRules common_;
  MapReduceRules rules_;
  Side maps_;
  Side reduces_;
  std::vector<UserId> users_;
  std::vector<QueueId> queues_;
  WeightedChoice user_shares_;
  std::optional<std::int64_t> origin_;
  TraceTally* tally_ = nullptr;
  IgnoredFields ignored_;
  std::vector<TraceTally::Handle> handles_;
  std::int64_t last_submit_ = 0;
  SpareStages spare_;

  std::uint64_t row_count_ = 0;
  std::uint64_t job_count_ = 0;
  std::uint64_t left_out_ = 0;
  std::uint64_t gap_differs_ = 0;
};

}  // namespace tracebed

// Merges sorted runs (org.apache.hadoop.mapred.Merger) in bounded memory: each run that is open has
// a buffer. With a combiner, values of equal keys are added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/result.h"
#include "kernels/combiner.h"
#include "kernels/run_format.h"
#include "kernels/spills.h"

namespace tracebed::kernels {

// How many runs can be merged at a time within the budget (mapreduce.task.io.sort.factor).
std::size_t runs_at_a_time(std::size_t budget_bytes);

class Merge {
 public:
  using Sources = std::vector<std::unique_ptr<ByteSource>>;

  // At most runs_at_a_time() sources (checked).
  Merge(Sources sources, std::size_t budget_bytes, const Combiner* combiner);

  // To the first pair, or to the next one; fails with the errors of a run (RunReader).
  Status advance();
  bool has_pair() const { return has_pair_; }
  // Valid until advance().
  Bytes key() const { return combiner_ == nullptr ? top().key() : Bytes(key_); }
  Bytes value() const { return combiner_ == nullptr ? top().value() : Bytes(value_); }

 private:
  struct Head {
    std::uint64_t prefix;
    std::uint32_t reader;
  };

  const RunReader& top() const { return readers_[heap_.front().reader]; }
  bool is_before(const Head& left, const Head& right) const;
  void sift_down(std::size_t index);
  Status open();
  Status advance_top();
  Status combine();

  const Combiner* combiner_;
  std::vector<RunReader> readers_;
  std::vector<Head> heap_;  // of readers that have a pair, the least one first
  bool is_open_ = false;
  bool has_pair_ = false;
  Buffer key_;  // with a combiner: of the pair
  Buffer value_;
};

// A merge of any number of runs: in several passes if there are more than can be merged at a time.
// The others are spilled.
Result<Merge> merge_runs(Merge::Sources sources, std::size_t budget_bytes, const Combiner* combiner,
                         Spills& spills);

// All pairs of the merge as one run.
Status write_run(Merge& merge, RunWriter& writer);

}  // namespace tracebed::kernels

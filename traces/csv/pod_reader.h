// Pods of Alibaba's cluster-trace-gpu-v2023 ("openb"): a row for each, with its demand of vcores,
// memory and GPUs, its quality of service and when it was created, scheduled and deleted. A pod is
// a job of one task.
//
// A GPU that is shared counts as the share of it: which of a machine's GPUs a pod gets is not
// modelled. The variants of the list without times (multigpuXX) hold no workload and are refused.
#pragma once

#include <cstdint>

#include "traces/csv/table_reader.h"

namespace tracebed {

class PodReader final : public TableReader {
 public:
  PodReader(LineReader lines, const TraceOptions& options, Names& names);

 private:
  void collect() override;
  bool make(std::string_view record, Job& job) override;
  void name_tallies(TraceTally& tally) override;

  // A row. In a record the name and the models follow it.
  struct Pod {
    std::int64_t milli_vcores = 0;
    std::int64_t memory_mib = 0;
    std::int64_t gpus = 0;
    std::int64_t gpu_milli = 0;  // of each
    std::int64_t created = 0;    // µs
    std::int64_t duration = 0;   // µs; of the run, or negative if it was never scheduled
    std::int64_t life = 0;       // µs, from creation to deletion
    std::uint32_t name_bytes = 0;
    std::uint8_t quality = 0;  // position in the names of qualities
    std::uint8_t phase = 0;    // likewise
  };
  // The columns of the row at hand; false if it is a bad row.
  bool has_one_meaning(const Pod& pod);
  bool scan(Pod& pod);
  bool scan_texts(Pod& pod);
  bool scan_times(Pod& pod);
  void tally_pod(const Pod& pod);

  std::size_t gpu_dimension_;
  bool has_gpu_dimension_;
};

}  // namespace tracebed

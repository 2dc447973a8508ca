// Microsoft's Philly jobs as one table (philly.csv of ElasticFlow and Blox): submit time as local
// date and time without a zone, duration in s, GPUs, GPU seconds, virtual cluster. A job is a gang
// with a task for every GPU; its virtual cluster is its queue. The two passes of the clock through
// the hour repeated on 2017-11-05 cannot be distinguished.
#pragma once

#include "traces/csv/table_reader.h"
#include "traces/parts/recent_names.h"

namespace tracebed {

class PhillyReader final : public TableReader {
 public:
  PhillyReader(LineReader lines, const TraceOptions& options, Names& names);

 private:
  void collect() override;
  bool make(std::string_view record, Job& job) override;
  void name_tallies(TraceTally& tally) override;

  struct Record {
    std::int64_t line = 0;
    std::int64_t duration = 0;  // µs
    std::int64_t gpus = 0;
    std::uint32_t queue = 0;
  };
  bool scan(std::int64_t& submit, Record& record);

  std::size_t gpu_dimension_;  // the number of dimensions if there is none
  bool has_gpu_dimension_;
  RecentNames<QueueId> queues_;
};

// "2017-10-09 07:01:55" as seconds since 1970 on the same clock; false if it is no such time.
bool read_date_time(std::string_view text, std::int64_t& seconds);

}  // namespace tracebed

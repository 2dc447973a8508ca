// Workflow executions in WfCommons' WfFormat 1.5: one document, a job whose every task is a stage
// of its own. What tasks need is in workflow.specification, how long they took in
// workflow.execution. Input and output bytes are the sums of the files named. There is no submit
// time: a workflow is submitted at 0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/json/json_reader.h"
#include "traces/parts/stage_order.h"
#include "traces/parts/text_map.h"

namespace tracebed {

class WfcommonsReader final : public JsonReader {
 public:
  WfcommonsReader(JsonDocuments documents, const TraceOptions& options, Names& names);

 private:
  struct Task {
    double seconds = -1;  // negative: not known
    double cores = 0;     // 0: unknown
    double cpu_percent = -1;
    std::int64_t memory_bytes = 0;
    std::int64_t input_bytes = 0;
    std::int64_t output_bytes = 0;
  };
  struct Workflow {
    std::vector<Task> tasks;
    StageNeeds needs;
    std::vector<std::uint32_t> order;
    std::uint64_t edges = 0;
    double makespan = 0;
  };

  void collect_document(const JsonFields& fields) override;
  void make_job(const std::string& name, Workflow& workflow);
  void name_tallies(TraceTally& tally) override;

  bool read(const JsonFields& fields, Workflow& workflow);
  bool read_files(const JsonFields& fields);
  bool read_specification(const JsonFields& fields, Workflow& workflow);
  bool read_needs(const JsonFields& fields, Workflow& workflow);
  bool read_execution(const JsonFields& fields, Workflow& workflow);
  bool sum_files(const JsonFields& task, std::string_view key, std::int64_t& sum) const;
  static bool read_task(const JsonFields& fields, Task& task);
  Work work_of(const Task& task, const Resources& demand) const;
  Resources demand_of(const Task& task) const;

  // Of the current document, whose texts are the tables' keys:
  TextMap<std::uint32_t> positions_;
  TextMap<std::int64_t> sizes_;
  std::vector<std::optional<simdjson::dom::array>> parents_;  // by task
};

}  // namespace tracebed

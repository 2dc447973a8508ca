// Workflow executions in WfCommons' WfFormat: one document, a job whose every task is a stage of
// its own. In 1.5 what tasks need is in workflow.specification, and how long they took in
// workflow.execution. From 1.0 to 1.4 both stand in workflow.tasks (before 1.3 workflow.jobs),
// where tasks name each other by their names; up to 1.3 keys have no units, and memory and sizes of
// files are in KB (rule wfcommons.size_unit). Input and output bytes are the sums of the files
// named. Which task needs which is said by parents, by children, or by both, which agree then.
// There is no submit time: a workflow is submitted at 0.
#pragma once

#include <functional>
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
  // Tasks with their files and how long they took, up to schema 1.4.
  bool read_old_tasks(const JsonFields& fields, std::string_view key, Workflow& workflow);
  bool read_old_task(const JsonFields& fields, Task& task) const;
  // A task by the name that others give it; false, and reported, if another has it.
  bool add_task(const JsonFields& fields, std::string_view id_key, Workflow& workflow);
  bool read_needs(const JsonFields& fields, Workflow& workflow);
  using Lists = std::vector<std::optional<simdjson::dom::array>>;
  // Calls `visit` for every task named in one of the lists, with the position of the list's task
  // and that of the one named. False, and reported, if there is none of a name.
  bool each_named(const JsonFields& fields, std::string_view key, const Lists& lists,
                  const std::function<void(std::uint32_t, std::uint32_t)>& visit) const;
  // Whether both lists say the same; if not, it was reported with both names.
  bool agree(const JsonFields& fields, const StageNeeds& by_parents, const StageNeeds& by_children);
  bool read_execution(const JsonFields& fields, Workflow& workflow);
  bool sum_files(const JsonFields& task, std::string_view key, std::int64_t& sum) const;
  static bool read_task(const JsonFields& fields, Task& task);
  Work work_of(const Task& task, const Resources& demand) const;
  Resources demand_of(const Task& task) const;

  // Of the current document, whose texts are the tables' keys:
  TextMap<std::uint32_t> positions_;
  TextMap<std::int64_t> sizes_;
  std::vector<std::string_view> ids_;  // by task
  Lists parents_;                      // by task
  Lists children_;
};

}  // namespace tracebed

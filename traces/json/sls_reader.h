// Jobs as YARN's Scheduler Load Simulator reads them (SLS JSON): documents one after the other, a
// job in each, or the cluster (num.nodes, which is not a job). Facts are those of
// SLSRunner.startAMFromSLSTrace and its job masters:
// - a task's duration is container.duration.ms, duration.ms, or container.end.ms less
//   container.start.ms; the start delays nothing. One that is not positive makes the job bad;
// - where that duration is the time between the two, a reduce's counts from the end of the last map
//   if that was later than its start (rule sls.reduce_start): SLS replays the wait for maps twice;
// - maps are those of container.type map (the default), and ask for the node container.host;
//   reduces run after all maps;
// - am.type is written as yarn.sls.am.type too: mapreduce (the default), dag (all at once, except
//   for container.request.delay), stream (a service).
// - container.<resource> is what a task asks for of any resource type: of those that the run has as
//   a dimension of that name; yarn.io/gpu also as whole GPUs of a dimension gpu_milli;
// - job.label.expression is the node label to which all tasks of the job are confined.
// job.count makes this many jobs of one document. The resources of the master (am.<resource>) are
// the experiment's.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/json/json_reader.h"

namespace tracebed {

class SlsReader final : public JsonReader {
 public:
  SlsReader(JsonDocuments documents, const TraceOptions& options, Names& names);

 private:
  struct Task {
    bool is_reduce = false;
    std::int64_t count = 1;
    std::int64_t start = -1;    // ms; negative: not known
    std::int64_t end = -1;      // ms, likewise
    bool is_window = false;     // the duration is the time between the two
    std::int64_t duration = 0;  // ms
    std::int64_t delay = 0;     // ms
    Resources demand;
    std::string_view host;  // without its rack; empty: none. Of the document at hand
  };

  void collect_document(const JsonFields& fields) override;
  void name_tallies(TraceTally& tally) override;

  bool read_tasks(const JsonFields& fields, std::vector<Task>& tasks) const;
  bool read_task(const JsonFields& fields, Task& task) const;
  // What it asks for of resources beyond vcores and memory.
  bool read_resources(const JsonFields& fields, Task& task) const;
  static bool read_duration(const JsonFields& fields, Task& task);
  // Takes from reduces what they waited for maps.
  void shorten_reduces(std::vector<Task>& tasks);
  // When the tasks ran, or else the job.
  static std::optional<RecordedSpan> recorded_of(const std::vector<Task>& tasks,
                                                 std::int64_t job_start, std::int64_t job_end);
  // The kind of job; none, and reported, if the document names another.
  static std::optional<JobKind> kind_of(const JsonFields& fields);
  // Tasks alike in delay and demand are a stage; reduces need all stages of maps. False, and
  // reported, if these are too many.
  bool fill_stages(const JsonFields& fields, const std::vector<Task>& tasks, Job& job);
  // Puts those that are reduces, or those that are not, into stages of their own.
  void add_stages(const std::vector<Task>& tasks, bool reduces, Job& job);
  void add_task(const Task& task, std::size_t stage, Job& job);

  ResourceDimensions dimensions_;
  std::int64_t jobs_max_;    // of one document
  std::vector<Task> tasks_;  // of the document at hand
  // Positions in the lists of stages' hosts, by stage and host. Likewise.
  std::map<std::pair<std::size_t, std::string_view>, std::uint32_t> hosts_;
};

}  // namespace tracebed

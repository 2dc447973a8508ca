// Job traces as Hadoop's Rumen makes them from job histories (LoggedJob): JSON documents one after
// the other, a MapReduce job in each, with its tasks, their attempts, and where their input was.
//
// A task's work is that of its last attempt that succeeded, or else of its last that ran for some
// time. Setup and cleanup tasks are not replayed. Host names come with escaped dots, and with or
// without their rack; a machine's name is its host alone.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "traces/json/json_reader.h"
#include "traces/parts/text_arena.h"
#include "traces/parts/text_map.h"

namespace tracebed {

class RumenReader final : public JsonReader {
 public:
  RumenReader(JsonDocuments documents, const TraceOptions& options, Names& names);

 private:
  enum class Result : std::uint8_t { success, failed, killed };
  // Texts are those of the document at hand, or lie in texts_.
  struct Attempt {
    Result result = Result::killed;
    std::string_view host;     // without its rack
    std::string_view rack;     // empty: unknown
    std::int64_t start = -1;   // ms; 0 or -1 in the trace if unknown
    std::int64_t finish = -1;  // ms
    std::int64_t hdfs_read = -1, hdfs_written = -1, shuffled = -1;
    std::int64_t cpu_ms = -1, memory_bytes = -1;
    bool has_run() const { return start > 0 && finish > start; }
  };
  struct Place {
    std::string_view rack, host;
  };
  // Its attempts and places are adjacent in attempts_ and places_: from `begin` to below `end`.
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_empty() const { return begin == end; }
  };
  struct Task {
    std::int64_t input_bytes = -1;
    Range attempts;
    Range places;
  };

  void collect_document(const JsonFields& fields) override;
  void clear_document();
  std::span<const Attempt> attempts_of(const Task& task) const {
    return std::span(attempts_).subspan(task.attempts.begin,
                                        task.attempts.end - task.attempts.begin);
  }
  std::span<const Place> places_of(const Task& task) const {
    return std::span(places_).subspan(task.places.begin, task.places.end - task.places.begin);
  }
  // The attempt that determines the task's work; null if none does.
  const Attempt* telling(const Task& task) const;
  // Makes the draft's stages, and keeps it.
  void keep_job(std::int64_t submit);
  void name_tallies(TraceTally& tally) override;

  // All tasks of one of the document's lists; false if something in it is wrong.
  bool read_tasks(const JsonFields& job, std::string_view key, std::vector<Task>& tasks);
  bool read_task(const JsonFields& fields, Task& task);
  bool read_attempt(const JsonFields& fields, Attempt& attempt);
  bool read_layers(const JsonFields& fields, Place& place);
  static bool read_usage(const JsonFields& attempt_fields, Attempt& attempt);
  // As unescaped_host(), in texts_ where it differs.
  std::string_view unescaped(std::string_view text);
  static bool read_submit(const JsonFields& fields, std::int64_t& submit);
  void tally_tasks(const std::vector<Task>& tasks, std::size_t kind);
  void tally_locality(const Task& task);

  // Reads what concerns the whole job into the draft and demands_; false if it is invalid.
  bool read_head(const JsonFields& fields);
  bool read_demand(const JsonFields& fields, std::string_view memory_key,
                   std::string_view vcores_key, Resources& demand) const;
  // Adds tasks to the stage; `starts_at` is the earliest time from which work counts.
  void fill_stage(const std::vector<Task>& tasks, std::int64_t starts_at, Stage& stage);
  void add_places(const Task& task, Stage& stage);

  Resources map_demand_;  // of the document at hand
  Resources reduce_demand_;
  std::array<std::vector<Task>, 3> tasks_;  // maps, reduces and others
  std::vector<Attempt> attempts_;
  std::vector<Place> places_;
  RecordedTimes times_;
  TextArena texts_;
  TextMap<std::uint32_t> hosts_;  // positions in the stage's list
};

// "192\\.30\\.1\\.2" → "192.30.1.2"
std::string unescaped_host(std::string_view text);

}  // namespace tracebed

// Job traces as Hadoop's Rumen makes them from job histories (LoggedJob): JSON documents one after
// the other, a MapReduce job in each, with its tasks, their attempts, and where their input was.
//
// A task's work is that of its last attempt that succeeded, or else of its last that ran for some
// time. Setup and cleanup tasks are not replayed. Host names come with escaped dots, and with or
// without their rack; a machine's name is its host alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "traces/json/json_reader.h"

namespace tracebed {

class RumenReader final : public JsonReader {
 public:
  RumenReader(JsonDocuments documents, const TraceOptions& options, Names& names);

  std::vector<std::string_view> rule_prefixes() const override {
    return {"trace.", "task.", "rumen."};
  }

 private:
  enum class Result : std::uint8_t { success, failed, killed };
  struct Attempt {
    Result result = Result::killed;
    std::string host;          // without its rack
    std::string rack;          // empty: not told
    std::int64_t start = -1;   // ms; the trace says 0 or -1 where it knows none
    std::int64_t finish = -1;  // ms
    std::int64_t hdfs_read = -1, hdfs_written = -1, shuffled = -1;
    std::int64_t cpu_ms = -1, memory_bytes = -1;
    bool has_run() const { return start > 0 && finish > start; }
  };
  struct Place {
    std::string rack, host;
  };
  struct Task {
    std::int64_t input_bytes = -1;
    std::vector<Attempt> attempts;
    std::vector<Place> places;
    // The attempt that tells of its work; null if none does.
    const Attempt* telling() const;
  };

  void collect_document(const JsonFields& fields) override;
  // Makes the draft's stages, and keeps it.
  void keep_job(const std::vector<Task>& maps, const std::vector<Task>& reduces,
                std::int64_t submit);
  void name_tallies(TraceTally& tally) override;

  // All tasks of one of the document's lists; false if something in it is wrong.
  static bool read_tasks(const JsonFields& job, std::string_view key, std::vector<Task>& tasks);
  static bool read_task(const JsonFields& fields, Task& task);
  static bool read_attempt(const JsonFields& fields, Attempt& attempt);
  static bool read_submit(const JsonFields& fields, std::int64_t& submit);
  void tally_tasks(const std::vector<Task>& tasks, std::size_t kind);
  void tally_locality(const Task& task);

  // What the document says of the whole job, into the draft and demands_; false if it is wrong.
  bool read_head(const JsonFields& fields);
  bool read_demand(const JsonFields& fields, std::string_view key, Resources& demand) const;
  // Adds tasks to the stage; `starts_at` is the earliest time from which work counts.
  void fill_stage(const std::vector<Task>& tasks, std::int64_t starts_at, Stage& stage);
  static void add_places(const Task& task, std::map<std::string, std::uint32_t>& hosts,
                         Stage& stage);

  Resources map_demand_;  // of the document at hand
  Resources reduce_demand_;
};

// "192\\.30\\.1\\.2" → "192.30.1.2"
std::string unescaped_host(std::string_view text);

}  // namespace tracebed

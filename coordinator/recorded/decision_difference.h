// The first difference between the decisions of a run that is decided again and those in its
// folder: the rows of tasks.csv show which containers were allocated, those of jobs.csv how jobs
// ended.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/engine/engine.h"
#include "core/records.h"
#include "report/run_json.h"

namespace tracebed {

struct DecisionDifference {
  std::uint64_t round = 0;  // from 1
  TraceTime at{};
  std::string recorded;  // each a decision in words, or "nothing more in this round"
  std::string decided;
};

// The record sink of the engine that decides again.
class DifferenceFinder final : public RecordSink {
 public:
  // Takes memory in proportion to the rows. Throws InputError for malformed ones.
  DifferenceFinder(const std::filesystem::path& run, const RunRecord& record);

  void attempt_ended(const AttemptRecord& record) override;
  void job_ended(const JobRecord& record) override;
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}

  // To be called after every round, the number of which counts from 1, until there is a difference.
  std::optional<DecisionDifference> after_round(std::uint64_t round, TraceTime now,
                                                const Engine& engine);

 private:
  // A container and what was launched in it.
  struct Allocated {
    TraceTime at{};
    JobId job;
    NodeId node;
    std::uint32_t task = 0;
    std::uint32_t attempt = 0;
    std::uint16_t stage = 0;
    bool is_master = false;
    bool is_launched = false;
    bool is_known = false;  // there is such a container, or a row of it
  };
  struct JobEnd {
    JobId job;
    TraceTime at{};
    std::string outcome;
    bool is_decided = false;  // the same was
  };

  void read_tasks(const std::filesystem::path& run, const RunRecord& record);
  void read_jobs(const std::filesystem::path& run);
  std::optional<DecisionDifference> compare(const Allocated& decided, std::size_t container) const;
  std::string words(const Allocated& allocated, std::size_t container) const;
  static std::string words(const JobEnd& end);
  static bool is_same(const Allocated& recorded, const Allocated& decided);

  std::vector<std::string> node_names_;
  TaskRows task_rows_;
  bool is_complete_;                  // every container has its row
  std::vector<Allocated> allocated_;  // as recorded, by container
  std::vector<JobEnd> job_ends_;      // as recorded, by time and job
  std::map<JobId, std::size_t> row_of_job_;
  std::size_t next_container_ = 0;
  std::size_t next_job_end_ = 0;  // all before it are decided
  // Of the present round.
  std::map<ContainerId, Allocated> ended_;
  std::optional<DecisionDifference> of_jobs_;
  // Of the round before.
  TraceTime last_{};
  std::uint64_t last_round_ = 0;
};

}  // namespace tracebed

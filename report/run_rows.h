// The rows of a run's CSV files (report/run_folder.h), and its figures, from its records. What is
// written follows from the records alone, so that a reproduced run writes the same bytes.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "core/names.h"
#include "core/records.h"
#include "core/resources.h"
#include "core/task_rows.h"
#include "report/attempt_figures.h"
#include "report/byte_output.h"
#include "report/cluster_series.h"
#include "report/csv_writer.h"
#include "report/jct_parts.h"
#include "report/metrics.h"
#include "report/preemption_figures.h"
#include "report/queue_names.h"
#include "report/run_columns.h"
#include "report/run_description.h"

namespace tracebed {

struct RunFolderOptions {
  TaskRows task_rows = TaskRows::csv;
};

struct RunFigures {
  AttemptFigures attempts;
  std::array<double, Resources::dimensions_max> utilisation{};
  RunMetrics metrics;  // except starvation
};

// A job's row is written when the last of its launched attempts has ended: most have when it does.
// Throws InputError for a record of a node that is not in the description, as in the log of another
// run.
class RunRows final : public RecordSink {
 public:
  // All arguments outlive this; `names` may grow.
  RunRows(const RunDescription& description, const Names& names, RunFolderOptions options,
          OutputFolder& folder);

  void leaf_named(LeafId leaf, const std::string& path) override { queues_.add(leaf, path); }
  void attempt_ended(const AttemptRecord& record) override;
  void job_ended(const JobRecord& record) override;
  void preemption_ended(const PreemptionRecord& record) override;
  void sampled(const ClusterSample& sample) override;

  // What the attempts so far have read from the run's storage.
  const ReadBytes& input() const { return attempts_.input(); }

  // Writes out the rows so far.
  void flush();
  // Writes the rest and closes the files. Called once, after the last record. Of a run that was cut
  // short, `writes_unsettled` controls whether jobs with attempts still running get their rows.
  RunFigures finish(bool writes_unsettled = true);

 private:
  // A job that has ended.
  struct EndedJob {
    JobRecord record;
    EndedAttempts attempts;
  };

  const std::string& node_name(NodeId node) const;
  void settle(const AttemptRecord& record);
  void write_job(const JobRecord& record, const EndedAttempts& attempts);
  void write_samples(const ClusterSeries& series);

  const RunDescription& description_;
  const Names& names_;
  QueueNames queues_;
  OutputFolder& folder_;
  ResourceDimensions dimensions_;
  CsvWriter jobs_csv_;
  std::unique_ptr<CsvWriter> tasks_csv_;        // null if switched off
  std::unique_ptr<CsvWriter> preemptions_csv_;  // null before the first
  PreemptionCounter preemptions_;
  OpenAttempts open_attempts_;
  std::map<ApplicationId, EndedJob> unsettled_;  // with attempts still running
  AttemptCounter attempts_;
  DeviceCounter devices_;
  ClusterSeriesBuilder series_;
  std::deque<JobFigures> jobs_;  // grows without moving what it holds
  JctPartsMean parts_;
  TraceTime last_end_{};
};

}  // namespace tracebed

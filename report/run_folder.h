// A run's folder, as it is written while the run goes on and read afterwards:
//
//   run.json     everything needed to repeat the run, how it ended, its figures
//   jobs.csv     one row per job, in the order of their ends
//   tasks.csv    one row per attempt, in the order of their reports (may be switched off)
//   samples.csv  the cluster's state over time, in at most two thousand intervals
//   preemptions.csv  one row per container that was asked back; only where one was
//   preempted.csv    one row per application that was asked for any; only where one was
//   queues.csv   what leaf queues used and were entitled to; only where the scheduler has queues
//
// To write one:
//   RunFolderWriter writer(folder, description, names, {});
//   Engine engine(setup, writer);              // the writer is the engine's RecordSink
//   … run, to the end or to Ctrl-C …
//   const RunMetrics metrics = writer.finish(end);
//   write_html_report(folder / "report.html", …)  // report/html_report.h, if wanted
//
// To read one: RunFolder run = RunFolder::load(folder).
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/names.h"
#include "core/records.h"
#include "core/resources.h"
#include "report/attempt_figures.h"
#include "report/cluster_series.h"
#include "report/csv_writer.h"
#include "report/jct_parts.h"
#include "report/metrics.h"
#include "report/preemption_rows.h"
#include "report/queue_series.h"
#include "report/run_description.h"

namespace tracebed {

struct RunFolderOptions {
  bool write_task_rows = true;
};

class RunFolderWriter : public RecordSink {
 public:
  // Creates the folder if there is none; throws EnvironmentError if it cannot, or if it holds a run
  // already. `names` may grow while the run goes on and outlives the writer. run.json is written at
  // once, so that a run whose program is killed can be told from one that ended.
  RunFolderWriter(std::filesystem::path folder, RunDescription description, const Names& names,
                  RunFolderOptions options);

  void attempt_ended(const AttemptRecord& record) override;
  void job_ended(const JobRecord& record) override;
  void preemption_ended(const PreemptionRecord& record) override;
  void sampled(const ClusterSample& sample) override;

  // Writes out the rows so far: they are kept if this process is killed.
  void flush();

  // What the queues used over time; before finish().
  void write_queues(const QueueSeries& series) const;

  // Completes the folder; called once, also for a run that was cut short. Only jobs that ended are
  // in it: a cancelled run's engine ends the open ones as killed.
  RunMetrics finish(RunEnd end);

 private:
  void write_samples(const ClusterSeries& series) const;

  std::filesystem::path folder_;
  RunDescription description_;
  const Names& names_;
  RunFolderOptions options_;
  ResourceDimensions dimensions_;
  CsvWriter jobs_csv_;
  std::unique_ptr<CsvWriter> tasks_csv_;        // null if switched off
  std::unique_ptr<CsvWriter> preemptions_csv_;  // null before the first
  PreemptionCounter preemptions_;
  OpenAttempts open_attempts_;
  AttemptCounter attempts_;
  ClusterSeriesBuilder series_;
  std::deque<JobFigures> jobs_;  // grows without moving what it holds
  JctPartsMean parts_;
  TraceTime last_end_{};
};

struct RunFolder {
  std::filesystem::path folder;
  RunDescription description;
  bool has_task_rows = true;
  RunEnd end;
  AttemptFigures attempts;
  ClusterSeries series;
  QueueSeries queue_series;                     // empty where the scheduler has none
  std::vector<PreemptionSpan> preemptions;      // in the order of their ends
  std::vector<PreemptedApplication> preempted;  // by application
  std::vector<JobFigures> jobs;                 // by JobId
  std::vector<JctParts> parts;                  // of their completion times, in the same order
  NameTable<UserId> users;                      // of the jobs
  NameTable<QueueId> queues;

  ResourceDimensions dimensions() const { return ResourceDimensions(description.extra_dimensions); }
  RunMetrics metrics() const;

  // Throws InputError, naming the file and the line or key, if the folder holds no run, a malformed
  // one, or one whose program was killed before it could complete the folder.
  static RunFolder load(const std::filesystem::path& folder);
};

}  // namespace tracebed

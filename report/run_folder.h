// A run's folder, which is written during the run and read afterwards:
//
//   run.json     everything needed to repeat the run, how it ended, its figures, and the size and
//                SHA-256 of each file of the folder, run.json's own included
//   *.csv        jobs, tasks (or tasks.csv.zst, or none), samples, and others: report/run_columns.h
//   datapackage.json  what stands in each of their columns (report/data_dictionary.h)
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

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/names.h"
#include "core/records.h"
#include "core/resources.h"
#include "report/attempt_figures.h"
#include "report/cluster_series.h"
#include "report/control_rows.h"
#include "report/file_list.h"
#include "report/jct_parts.h"
#include "report/metrics.h"
#include "report/preemption_rows.h"
#include "report/queue_series.h"
#include "report/rejections.h"
#include "report/run_description.h"
#include "report/run_json.h"
#include "report/run_rows.h"

namespace tracebed {

class RunFolderWriter final : public RecordSink {
 public:
  // Creates the folder if there is none; throws EnvironmentError if it cannot, or if it holds a run
  // already. `names` may grow during the run and outlives the writer. run.json is written at once,
  // so that a run whose program is killed can be distinguished from one that ended.
  RunFolderWriter(std::filesystem::path folder, RunDescription description, const Names& names,
                  RunFolderOptions options);
  RunFolderWriter(const RunFolderWriter&) = delete;
  RunFolderWriter& operator=(const RunFolderWriter&) = delete;

  void leaf_named(LeafId leaf, const std::string& path) override { rows_.leaf_named(leaf, path); }
  void attempt_ended(const AttemptRecord& record) override { rows_.attempt_ended(record); }
  void job_ended(const JobRecord& record) override {
    if (record.outcome == JobOutcome::rejected) rejections_.add(record.diagnostics);
    if (record.outcome == JobOutcome::failed) failures_.add(record.diagnostics);
    rows_.job_ended(record);
  }
  void preemption_ended(const PreemptionRecord& record) override { rows_.preemption_ended(record); }
  void sampled(const ClusterSample& sample) override { rows_.sampled(sample); }

  // Writes out the rows so far: they are kept if this process is killed.
  void flush() { rows_.flush(); }

  // A change that the scheduler's controller wanted; called before finish().
  void add_control(const ControlRow& row);
  // What the queues used over time; called before finish().
  void write_queues(const QueueSeries& series);

  // Lists in run.json a file of the folder that was written elsewhere; after finish() run.json is
  // rewritten for it.
  void vouch(ListedFile file);

  // Completes the folder; called once, also for a run that was cut short. Only jobs that ended are
  // in it: a cancelled run's engine ends the open ones as killed.
  RunMetrics finish(RunEnd end);
  // Of run.json, when the folder is complete.
  const FileChecksum& record() const { return record_; }

  // What the attempts that ended so far have read from the run's storage.
  const ReadBytes& input() const { return rows_.input(); }
  // Of the jobs that ended so far.
  std::vector<NamedCount> rejections() const { return rejections_.reasons(); }
  std::vector<NamedCount> failures() const { return failures_.reasons(); }

 private:
  // Those that this run has made so far.
  class Files final : public OutputFolder {
   public:
    explicit Files(std::filesystem::path folder);
    std::unique_ptr<ByteOutput> create(const std::string& name) override;
    void vouch(ListedFile file);
    const std::vector<ListedFile>& list() const { return list_; }

   private:
    std::filesystem::path folder_;
    std::vector<ListedFile> list_;  // ascending by path
  };

  void write_data_package();
  void write_record();

  std::filesystem::path folder_;
  RunDescription description_;
  RunFolderOptions options_;
  Files files_;
  RunRows rows_;
  std::unique_ptr<CsvWriter> control_csv_;  // null before the first row
  ReasonCounter rejections_;
  ReasonCounter failures_;
  RunRecord written_;  // after finish(), as are the next
  RunMetrics metrics_;
  FileChecksum record_;
  bool is_finished_ = false;
};

// Whether the parts of each job's completion time are kept, or just their mean over jobs. They are
// almost half of what a loaded run takes, and only a comparison of worlds needs them.
enum class JobParts : std::uint8_t { kept, summed };

struct RunFolder {
  std::filesystem::path folder;
  RunDescription description;
  TaskRows task_rows = TaskRows::csv;
  RunEnd end;
  AttemptFigures attempts;
  ClusterSeries series;
  QueueSeries queue_series;                     // empty if the scheduler has none
  std::vector<PreemptionSpan> preemptions;      // in the order of their ends
  std::vector<PreemptedApplication> preempted;  // by application
  std::vector<JobFigures> jobs;                 // by JobId
  std::vector<JctParts> parts;  // of their completion times, in the same order; empty if summed
  JctPartsMean parts_mean;      // of the jobs that succeeded
  NameTable<UserId> users;      // of the jobs
  NameTable<QueueId> queues;

  ResourceDimensions dimensions() const { return ResourceDimensions(description.extra_dimensions); }
  RunMetrics metrics() const;

  // Throws InputError, naming the file and the line or key, if the folder holds no run, a malformed
  // one, one of another format version, or one whose program was killed before it completed the
  // folder; and for a file that is missing or differs from the list in run.json.
  static RunFolder load(const std::filesystem::path& folder, FileCheck check = FileCheck::contents,
                        JobParts parts = JobParts::kept);
};

// The world of a run, of its run.json alone. Throws as load() does for that file.
std::string world_of_run(const std::filesystem::path& folder);

}  // namespace tracebed

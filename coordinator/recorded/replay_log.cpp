#include "coordinator/recorded/replay_log.h"

#include "coordinator/engine/replay.h"
#include "coordinator/recorded/recorded_fleet.h"
#include "coordinator/recorded/recorded_run.h"
#include "report/queue_series.h"
#include "report/run_rows.h"

namespace tracebed {
namespace {

// Ends a replay: arrivals of the log need not fit decisions that differ, so nothing is decided
// after those.
struct DifferenceFound {};

RecordedRows::Extent extent_of(const RunRecord& record) {
  const bool is_whole = record.end && record.end->outcome != RunOutcome::failed;
  return is_whole ? RecordedRows::Extent::whole : RecordedRows::Extent::written;
}

// Those that follow from a log, among the files that the record lists.
void expect_listed_rows(const RunRecord& record, RecordedRows& rows) {
  for (const ListedFile& listed : record.files) {
    const bool is_decided = listed.file.ends_with(".csv") && listed.file != queues_csv_file &&
                            listed.file != control_csv_file;
    if (is_decided) rows.expect(listed.file);
  }
}

// The run's sinks, of which one needs the names that the log brings.
class BothSinks final : public RecordSink {
 public:
  explicit BothSinks(DifferenceFinder& finder) : finder_(finder) {}
  void add(RunRows& rows) { rows_ = &rows; }

  void leaf_named(LeafId leaf, const std::string& path) override { rows_->leaf_named(leaf, path); }
  void attempt_ended(const AttemptRecord& record) override {
    finder_.attempt_ended(record);
    rows_->attempt_ended(record);
  }
  void job_ended(const JobRecord& record) override {
    finder_.job_ended(record);
    rows_->job_ended(record);
  }
  void preemption_ended(const PreemptionRecord& record) override {
    rows_->preemption_ended(record);
  }
  void sampled(const ClusterSample& sample) override { rows_->sampled(sample); }

 private:
  DifferenceFinder& finder_;
  RunRows* rows_ = nullptr;
};

}  // namespace

LogReplay replay_log(const std::filesystem::path& run, const SchedulerRegistry& schedulers) {
  LogReplay result;
  const RunRecord record = read_run_json(run / run_json_file);
  check_files(run, record.files, FileCheck::contents);
  DifferenceFinder finder(run, record);
  BothSinks sinks(finder);
  RecordedRun recorded(run, schedulers, sinks);
  RecordedRows compared(run, extent_of(record));
  RunRows rows(record.description, recorded.names(), {.write_task_rows = record.has_task_rows},
               compared);
  sinks.add(rows);
  RecordedFleet fleet(recorded.log());
  const auto after_round = [&](const ReplayProgress& progress) {
    result.difference = finder.after_round(fleet.rounds_yielded(), progress.now, recorded.engine());
    if (result.difference) throw DifferenceFound();
    return true;
  };
  try {
    replay(recorded.engine(), fleet, nullptr, nullptr, after_round);
    result.loss = recorded.log().loss();
    // Where rows of a run that was cut short reach further than its log, the log cannot tell in
    // which order jobs settled after it.
    rows.finish(extent_of(record) == RecordedRows::Extent::whole);
    expect_listed_rows(record, compared);
  } catch (const DifferenceFound&) {
    rows.flush();  // what is later follows from it
  }

  result.row_differences = compared.differences();
  if (record.end) result.recorded_digest = record.end->digest;
  result.digest = recorded.engine().digest().to_string();
  result.rounds = fleet.rounds_yielded();
  result.jobs_ended = recorded.engine().counters().jobs_ended;
  return result;
}

}  // namespace tracebed

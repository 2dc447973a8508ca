#include "coordinator/recorded/replay_log.h"

#include "coordinator/engine/replay.h"
#include "coordinator/recorded/recorded_fleet.h"
#include "coordinator/recorded/recorded_run.h"
#include "report/queue_series.h"
#include "report/row_bytes.h"
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
    std::string file = listed.file;
    if (file.ends_with(compressed_suffix)) file.resize(file.size() - compressed_suffix.size());
    const bool is_decided =
        file.ends_with(".csv") && file != queues_csv_file && file != control_csv_file;
    if (is_decided) rows.expect(file);
  }
}

// Two outputs of the same bytes.
class BothOutputs final : public ByteOutput {
 public:
  BothOutputs(std::unique_ptr<ByteOutput> first, std::unique_ptr<ByteOutput> second)
      : first_(std::move(first)), second_(std::move(second)) {}
  void write(std::string_view bytes) override {
    first_->write(bytes);
    second_->write(bytes);
  }
  void close() override {
    first_->close();
    second_->close();
  }

 private:
  std::unique_ptr<ByteOutput> first_;
  std::unique_ptr<ByteOutput> second_;
};

// Files of rows are compared with those of the run; the rows of tasks are also written, if wanted.
class DecidedRows final : public OutputFolder {
 public:
  DecidedRows(RecordedRows& compared, bool has_task_rows, std::unique_ptr<ByteOutput> task_rows)
      : compared_(compared), has_task_rows_(has_task_rows), task_rows_(std::move(task_rows)) {}

  std::unique_ptr<ByteOutput> create(const std::string& name) override {
    if (name != tasks_csv_file || task_rows_ == nullptr) return compared_.create(name);
    if (!has_task_rows_) return std::move(task_rows_);
    return std::make_unique<BothOutputs>(compared_.create(name), std::move(task_rows_));
  }

 private:
  RecordedRows& compared_;
  bool has_task_rows_;
  std::unique_ptr<ByteOutput> task_rows_;
};

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

LogReplay replay_log(const std::filesystem::path& run, const SchedulerRegistry& schedulers,
                     std::unique_ptr<ByteOutput> task_rows) {
  LogReplay result;
  const RunRecord record = read_run_json(run / run_json_file);
  check_files(run, record.files, FileCheck::contents);
  DifferenceFinder finder(run, record);
  BothSinks sinks(finder);
  RecordedRun recorded(run, schedulers, sinks);
  RecordedRows compared(run, extent_of(record));
  const bool has_task_rows = record.task_rows != TaskRows::none;
  const bool makes_task_rows = has_task_rows || task_rows != nullptr;
  DecidedRows decided(compared, has_task_rows, std::move(task_rows));
  RunRows rows(record.description, recorded.names(),
               {.task_rows = makes_task_rows ? TaskRows::csv : TaskRows::none}, decided);
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
  result.has_end = record.end.has_value();
  result.has_task_rows = has_task_rows;
  if (record.end) result.recorded_digest = record.end->digest;
  result.digest = recorded.engine().digest().to_string();
  result.rounds = fleet.rounds_yielded();
  result.jobs_ended = recorded.engine().counters().jobs_ended;
  return result;
}

}  // namespace tracebed

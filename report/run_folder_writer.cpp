#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/check.h"
#include "core/input_error.h"
#include "report/preemption_rows.h"
#include "report/run_csv.h"
#include "report/run_folder.h"
#include "report/run_json.h"

namespace tracebed {
namespace {

std::filesystem::path prepared(std::filesystem::path folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw EnvironmentError(
        fmt::format("cannot create the run folder {}: {}", folder.string(), error.message()));
  }
  if (std::filesystem::exists(folder / "run.json")) {
    throw EnvironmentError(fmt::format("{} holds a run already", folder.string()));
  }
  return folder;
}

JobFigures figures_of(const JobRecord& record) {
  JobFigures job;
  job.job = record.job;
  job.user = record.user;
  job.queue = record.queue;
  job.outcome = record.outcome;
  job.submitted = record.submitted;
  job.lateness = record.submitted - record.due;
  if (record.first_allocated != never) job.wait = record.first_allocated - record.submitted;
  job.jct = record.finished - record.submitted;
  job.ideal = record.ideal;
  return job;
}

}  // namespace

RunFolderWriter::RunFolderWriter(std::filesystem::path folder, RunDescription description,
                                 const Names& names, RunFolderOptions options)
    : folder_(prepared(std::move(folder))),
      description_(std::move(description)),
      names_(names),
      options_(options),
      dimensions_(description_.extra_dimensions),
      jobs_csv_(folder_ / "jobs.csv", jobs_csv_header),
      series_(dimensions_.size()) {
  if (options_.write_task_rows) {
    tasks_csv_ = std::make_unique<CsvWriter>(folder_ / "tasks.csv", tasks_csv_header(dimensions_));
  }
  write_run_json(folder_ / "run.json", {description_, options_.write_task_rows, {}, {}, {}},
                 nullptr);
}

void RunFolderWriter::attempt_ended(const AttemptRecord& record) {
  attempts_.add(record);
  if (record.end != ContainerEnd::succeeded) preemptions_.add(record);
  // A master is no step on its job's way.
  if (!record.is_master) open_attempts_.attempt_ended(record);
  if (!tasks_csv_) return;
  CsvWriter& csv = *tasks_csv_;
  csv.integer(record.job.value());
  csv.integer(record.application.value());
  csv.integer(record.stage);
  csv.integer(record.task);
  csv.integer(record.attempt);
  csv.integer(record.units);
  csv.integer(record.is_master ? 1 : 0);
  csv.integer(record.container.value());
  csv.text(description_.machines[record.node.index()].name);
  csv.word(name(record.locality));
  csv.integer(record.launched ? 1 : 0);
  csv.word(name(record.end));
  write_time(csv, record.asked);
  write_time(csv, record.allocated);
  write_time(csv, record.reported);
  if (record.launched) {
    const ContainerAccount& account = record.account;
    write_time(csv, account.started);
    write_time(csv, work_begun(record));
    write_time(csv, account.ended);
    csv.integer(record.nominal.count());
    csv.integer(account.cpu_time.count());
    csv.integer(account.memory_peak_mib);
    csv.integer(account.bytes_read);
    csv.integer(account.bytes_written);
    csv.integer(account.exit_code);
    csv.integer(account.signal);
  } else {
    for (int column = 0; column < 10; ++column) csv.empty();
  }
  for (std::size_t d = 0; d < dimensions_.size(); ++d) csv.integer(record.resources[d]);
  csv.end_row();
}

void RunFolderWriter::job_ended(const JobRecord& record) {
  TRACEBED_CHECK(record.finished >= record.submitted, "a job ends after it was submitted");
  JctParts parts = open_attempts_.job_ended(record);
  jobs_.push_back(figures_of(record));
  if (record.outcome == JobOutcome::succeeded) parts_.add(parts);
  series_.job_ended(record.finished);
  last_end_ = std::max(last_end_, record.finished);

  CsvWriter& csv = jobs_csv_;
  csv.integer(record.job.value());
  csv.integer(record.application.value());
  csv.text(record.name);
  csv.text(names_.users.name(record.user));
  csv.text(names_.queues.name(record.queue));
  csv.word(name(record.kind));
  csv.integer(record.priority);
  csv.word(name(record.outcome));
  csv.integer(record.tasks);
  csv.integer(record.attempts);
  csv.integer(record.attempts_lost);
  write_time(csv, record.due);
  write_time(csv, record.submitted);
  write_time(csv, record.first_allocated);
  write_time(csv, record.finished);
  csv.integer(record.ideal.count());
  for (JctPart part : jobs_csv_parts) csv.integer(part_of(parts, part).count());
  csv.text(record.diagnostics);
  csv.end_row();
}

void RunFolderWriter::preemption_ended(const PreemptionRecord& record) {
  preemptions_.add(record);
  if (!preemptions_csv_) {
    preemptions_csv_ = std::make_unique<CsvWriter>(folder_ / preemptions_csv_file,
                                                   preemptions_csv_header(dimensions_));
  }
  write_preemption_row(*preemptions_csv_, record,
                       record.queue.is_valid() ? names_.queues.name(record.queue) : "",
                       description_.machines[record.node.index()].name, dimensions_);
}

void RunFolderWriter::sampled(const ClusterSample& sample) {
  series_.sampled(sample);
}

void RunFolderWriter::flush() {
  jobs_csv_.flush();
  if (tasks_csv_) tasks_csv_->flush();
  if (preemptions_csv_) preemptions_csv_->flush();
}

void RunFolderWriter::write_queues(const QueueSeries& series) const {
  if (series.samples.empty()) return;
  write_queues_csv(folder_ / queues_csv_file, series, dimensions_);
}

RunMetrics RunFolderWriter::finish(RunEnd end) {
  const ClusterSeries series = series_.finish(last_end_);
  AttemptFigures attempts = attempts_.figures();
  attempts.preemption = preemptions_.figures(names_);
  jobs_csv_.close();
  if (tasks_csv_) tasks_csv_->close();
  if (preemptions_csv_) {
    preemptions_csv_->close();
    write_preempted_csv(folder_ / preempted_csv_file, preemptions_.applications());
  }
  write_samples(series);
  // In the order in which they are read back, so that sums round alike.
  std::vector<JobFigures> jobs(jobs_.begin(), jobs_.end());
  jobs_.clear();
  std::sort(jobs.begin(), jobs.end(),
            [](const JobFigures& a, const JobFigures& b) { return a.job < b.job; });
  RunMetrics metrics = measure(jobs, parts_, series, attempts, dimensions_.size());
  metrics.starvation = end.starvation;
  write_run_json(
      folder_ / "run.json",
      {description_, options_.write_task_rows, std::move(end), attempts, series.utilisation},
      &metrics);
  return metrics;
}

void RunFolderWriter::write_samples(const ClusterSeries& series) const {
  CsvWriter csv(folder_ / "samples.csv", samples_csv_header(dimensions_));
  for (const ClusterInterval& interval : series.intervals) {
    write_time(csv, interval.start);
    write_time(csv, interval.end);
    csv.real(interval.containers);
    csv.integer(interval.containers_max);
    csv.real(interval.jobs_open);
    csv.integer(interval.jobs_open_max);
    csv.real(interval.jobs_waiting);
    csv.integer(interval.jobs_waiting_max);
    csv.integer(interval.jobs_ended);
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      csv.real(interval.allocated[d]);
      csv.real(interval.capacity[d]);
    }
    csv.end_row();
  }
  csv.close();
}

}  // namespace tracebed

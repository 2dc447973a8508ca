#include "report/run_rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/check.h"
#include "core/input_error.h"
#include "report/preemption_rows.h"
#include "report/run_csv.h"

namespace tracebed {
namespace {

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
  if (record.deadline != never) job.deadline = record.deadline - record.submitted;
  job.ideal = record.ideal;
  return job;
}

}  // namespace

RunRows::RunRows(const RunDescription& description, const Names& names, RunFolderOptions options,
                 OutputFolder& folder)
    : description_(description),
      names_(names),
      queues_(names),
      folder_(folder),
      dimensions_(description.extra_dimensions),
      jobs_csv_(folder.create(jobs_csv_file), csv_header(jobs_table(), dimensions_)),
      series_(dimensions_.size()) {
  if (options.task_rows == TaskRows::none) return;
  tasks_csv_ = std::make_unique<CsvWriter>(options.task_rows == TaskRows::zstd
                                               ? compressed(folder.create(compressed_tasks_file))
                                               : folder.create(tasks_csv_file),
                                           csv_header(tasks_table(), dimensions_));
}

const std::string& RunRows::node_name(NodeId node) const {
  if (node.index() < description_.machines.size()) return description_.machines[node.index()].name;
  throw InputError(fmt::format("expected one of {} nodes of the run record, got node {}",
                               description_.machines.size(), node.value()));
}

void RunRows::attempt_ended(const AttemptRecord& record) {
  attempts_.add(record);
  devices_.add(record);
  if (record.end != ContainerEnd::succeeded) preemptions_.add(record);
  // A master is no step on its job's way.
  if (!record.is_master) {
    open_attempts_.attempt_ended(record);
    if (!unsettled_.empty()) settle(record);
  }
  if (!tasks_csv_) return;
  CsvWriter& csv = *tasks_csv_;
  csv.integer(record.job.value());
  csv.integer(record.application.value());
  csv.text(names_.users.name(record.user));
  csv.text(queues_.name(record.queue, record.leaf));
  csv.integer(record.application_attempt);
  if (record.launched) {
    csv.integer(record.stage);
    csv.integer(record.task);
    csv.integer(record.attempt);
  } else {
    for (int column = 0; column < 3; ++column) csv.empty();
  }
  csv.integer(record.units);
  csv.integer(record.is_master ? 1 : 0);
  csv.integer(record.container.value());
  csv.text(node_name(record.node));
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
    for (const std::int64_t bytes : to_numbers(account)) csv.integer(bytes);
    csv.integer(account.exit_code);
    csv.integer(account.signal);
  } else {
    constexpr std::size_t columns = 10 + task_account_fields.size();
    for (std::size_t column = 0; column < columns; ++column) csv.empty();
  }
  csv.text(device_text(record.devices, dimensions_));
  for (std::size_t d = 0; d < dimensions_.size(); ++d) csv.integer(record.resources[d]);
  csv.end_row();
}

void RunRows::job_ended(const JobRecord& record) {
  TRACEBED_CHECK(record.finished >= record.submitted, "a job ends after it was submitted");
  const EndedAttempts attempts = open_attempts_.job_ended(record);
  jobs_.push_back(figures_of(record));
  if (record.outcome == JobOutcome::succeeded) parts_.add(attempts.parts);
  series_.job_ended(record.finished);
  last_end_ = std::max(last_end_, record.finished);
  if (attempts.ended >= record.attempts) {
    write_job(record, attempts);
  } else {
    unsettled_.emplace(record.application, EndedJob{record, attempts});
  }
}

void RunRows::settle(const AttemptRecord& record) {
  const auto found = unsettled_.find(record.application);
  if (!record.launched || found == unsettled_.end()) return;
  EndedAttempts& attempts = found->second.attempts;
  ++attempts.ended;
  if (record.end != ContainerEnd::succeeded) ++attempts.lost;
  if (attempts.ended < found->second.record.attempts) return;
  write_job(found->second.record, attempts);
  unsettled_.erase(found);
}

void RunRows::write_job(const JobRecord& record, const EndedAttempts& attempts) {
  CsvWriter& csv = jobs_csv_;
  csv.integer(record.job.value());
  csv.integer(record.application.value());
  csv.text(record.name);
  csv.text(names_.users.name(record.user));
  csv.text(queues_.name(record.queue, record.leaf));
  csv.text(names_.queues.name(record.queue));
  csv.word(name(record.kind));
  csv.integer(record.priority);
  csv.word(name(record.outcome));
  csv.integer(record.tasks);
  csv.integer(record.attempts);
  csv.integer(attempts.lost);
  write_time(csv, record.due);
  write_time(csv, record.submitted);
  write_time(csv, record.first_allocated);
  write_time(csv, record.finished);
  write_time(csv, record.deadline);
  if (record.deadline == never) {
    csv.empty();
  } else {
    csv.integer(has_met_deadline(figures_of(record)) ? 1 : 0);
  }
  csv.integer(record.ideal.count());
  for (JctPart part : jobs_csv_parts) csv.integer(part_of(attempts.parts, part).count());
  csv.text(record.diagnostics);
  csv.end_row();
}

void RunRows::preemption_ended(const PreemptionRecord& record) {
  preemptions_.add(record);
  if (!preemptions_csv_) {
    preemptions_csv_ = std::make_unique<CsvWriter>(folder_.create(preemptions_csv_file),
                                                   csv_header(preemptions_table(), dimensions_));
  }
  write_preemption_row(*preemptions_csv_, record, queues_.name(record.queue, record.leaf),
                       node_name(record.node), dimensions_);
}

void RunRows::sampled(const ClusterSample& sample) {
  series_.sampled(sample);
}

void RunRows::flush() {
  jobs_csv_.flush();
  if (tasks_csv_) tasks_csv_->flush();
  if (preemptions_csv_) preemptions_csv_->flush();
}

RunFigures RunRows::finish(bool writes_unsettled) {
  if (writes_unsettled) {
    for (const auto& [id, job] : unsettled_) write_job(job.record, job.attempts);
  }
  const ClusterSeries series = series_.finish(last_end_);
  RunFigures figures;
  figures.attempts = attempts_.figures();
  figures.attempts.preemption = preemptions_.figures(queues_);
  figures.attempts.devices = devices_.figures(dimensions_);
  figures.utilisation = series.utilisation;
  jobs_csv_.close();
  if (tasks_csv_) tasks_csv_->close();
  if (preemptions_csv_) {
    preemptions_csv_->close();
    write_preempted_csv(folder_.create(preempted_csv_file), preemptions_.applications());
  }
  write_samples(series);
  // In the order in which they are read back, so that sums round alike.
  std::vector<JobFigures> jobs(jobs_.begin(), jobs_.end());
  jobs_.clear();
  std::sort(jobs.begin(), jobs.end(),
            [](const JobFigures& a, const JobFigures& b) { return a.job < b.job; });
  figures.metrics = measure(jobs, parts_, series, figures.attempts, dimensions_.size());
  return figures;
}

void RunRows::write_samples(const ClusterSeries& series) {
  CsvWriter csv(folder_.create(samples_csv_file), csv_header(samples_table(), dimensions_));
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
    csv.real(interval.devices_free);
    csv.real(interval.devices_fragmented);
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      csv.real(interval.allocated[d]);
      csv.real(interval.capacity[d]);
    }
    csv.end_row();
  }
  csv.close();
}

}  // namespace tracebed

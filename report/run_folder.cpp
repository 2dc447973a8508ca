#include "report/run_folder.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include "core/input_error.h"
#include "report/csv_reader.h"
#include "report/run_csv.h"
#include "report/run_json.h"
#include "system/input_witness.h"

namespace tracebed {
namespace {

JobOutcome read_outcome(CsvReader& csv) {
  const std::string_view text = csv.text();
  for (JobOutcome outcome :
       {JobOutcome::succeeded, JobOutcome::failed, JobOutcome::rejected, JobOutcome::killed}) {
    if (text == name(outcome)) return outcome;
  }
  csv.refuse("succeeded, failed, rejected or killed");
}

struct JobRow {
  JobFigures figures;
  JctParts parts{};
};

// It follows from other columns.
void read_deadline_met(CsvReader& csv, const JobFigures& job) {
  if (csv.skip_empty()) {
    if (job.has_deadline()) csv.refuse_row("deadline_met must be 0 or 1 where there is a deadline");
    return;
  }
  const bool is_met = csv.count() == 1;
  if (!job.has_deadline() || is_met != has_met_deadline(job)) {
    csv.refuse("whether the job succeeded by deadline_us, or nothing where there is none");
  }
}

JobRow read_job(CsvReader& csv, RunFolder& run) {
  JobRow row;
  JobFigures& job = row.figures;
  job.job = JobId(csv.count());
  csv.count();  // application
  csv.text();   // name
  job.user = run.users.intern(csv.text());
  job.queue = run.queues.intern(csv.text());
  csv.text();     // trace_queue
  csv.text();     // kind
  csv.integer();  // priority
  job.outcome = read_outcome(csv);
  csv.count();  // tasks
  csv.count();  // attempts
  csv.count();  // attempts lost
  const TraceTime due = trace_time(csv.integer());
  job.submitted = trace_time(csv.integer());
  job.lateness = job.submitted - due;
  if (!csv.skip_empty()) {
    job.wait = trace_time(csv.integer()) - job.submitted;
    if (job.wait < Duration::zero()) csv.refuse("a time not before submitted_us");
  }
  job.jct = trace_time(csv.integer()) - job.submitted;
  if (job.jct < Duration::zero()) csv.refuse("a time not before submitted_us");
  if (!csv.skip_empty()) {
    job.deadline = trace_time(csv.integer()) - job.submitted;
    if (job.deadline <= Duration::zero()) csv.refuse("a time after submitted_us");
  }
  read_deadline_met(csv, job);
  job.ideal = Duration(csv.integer());
  if (job.ideal < Duration::zero()) csv.refuse("a duration of at least 0");
  Duration sum{};
  for (JctPart part : jobs_csv_parts) {
    part_of(row.parts, part) = Duration(csv.integer());
    sum += part_of(row.parts, part);
  }
  if (sum != job.jct) {
    csv.refuse_row(
        fmt::format("the columns from waiting_us to lost_us must add up to {}, the "
                    "job's completion time, but add up to {}",
                    job.jct.count(), sum.count()));
  }
  return row;
}

// Puts entry order[i] of each list to place i. `order` is a permutation, and is lost.
template <class... Lists>
void arrange(std::vector<std::uint32_t>& order, Lists&... lists) {
  for (std::uint32_t begin = 0; begin < order.size(); ++begin) {
    std::uint32_t at = begin;
    while (order[at] != begin) {
      const std::uint32_t from = std::exchange(order[at], at);
      (std::swap(lists[at], lists[from]), ...);
      at = from;
    }
    order[at] = at;
  }
}

// In the order of their ends, which the file has, to that of their ids, in place: of a million jobs
// there is no second copy.
void sort_jobs(RunFolder& run) {
  const auto id_at = [&](std::uint32_t at) { return run.jobs[at].job; };
  std::vector<std::uint32_t> order(run.jobs.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return id_at(a) < id_at(b); });
  const auto twice =
      std::adjacent_find(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return id_at(a) == id_at(b); });
  if (twice != order.end()) {
    throw InputError(fmt::format("{}: job {} has more than one row",
                                 (run.folder / jobs_csv_file).string(), id_at(*twice).value()));
  }
  if (run.parts.empty()) return arrange(order, run.jobs);
  arrange(order, run.jobs, run.parts);
}

void read_jobs(RunFolder& run, JobParts parts, InputWitness& witness) {
  CsvReader csv(run.folder / jobs_csv_file, csv_header(jobs_table(), {}), &witness);
  while (csv.next_row()) {
    const JobRow row = read_job(csv, run);
    run.jobs.push_back(row.figures);
    if (row.figures.outcome == JobOutcome::succeeded) run.parts_mean.add(row.parts);
    if (parts == JobParts::kept) run.parts.push_back(row.parts);
  }
  sort_jobs(run);
}

void read_samples(RunFolder& run, InputWitness& witness) {
  const ResourceDimensions dimensions = run.dimensions();
  CsvReader csv(run.folder / samples_csv_file, csv_header(samples_table(), dimensions), &witness);
  while (csv.next_row()) {
    ClusterInterval interval;
    interval.start = trace_time(csv.integer());
    if (!run.series.intervals.empty() && interval.start != run.series.intervals.back().end) {
      csv.refuse("the end of the interval before");
    }
    interval.end = trace_time(csv.integer());
    if (interval.end <= interval.start) csv.refuse("a time after start_us");
    interval.containers = csv.real();
    interval.containers_max = csv.count();
    interval.jobs_open = csv.real();
    interval.jobs_open_max = csv.count();
    interval.jobs_waiting = csv.real();
    interval.jobs_waiting_max = csv.count();
    interval.jobs_ended = csv.count();
    interval.devices_free = csv.real();
    interval.devices_fragmented = csv.real();
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      interval.allocated[d] = csv.real();
      interval.capacity[d] = csv.real();
    }
    run.series.intervals.push_back(interval);
  }
}

RunRecord read_record(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / run_json_file)) {
    throw InputError(
        fmt::format("{}: expected the folder of a run, with a run.json", folder.string()));
  }
  return read_run_json(folder / run_json_file);
}

}  // namespace

RunMetrics RunFolder::metrics() const {
  RunMetrics metrics = measure(jobs, parts_mean, series, attempts, dimensions().size());
  metrics.starvation = end.starvation;
  return metrics;
}

std::string world_of_run(const std::filesystem::path& folder) {
  return read_record(folder).description.world;
}

RunFolder RunFolder::load(const std::filesystem::path& folder, FileCheck check, JobParts parts) {
  RunRecord record = read_record(folder);
  if (!record.end) {
    throw InputError(
        fmt::format("{}: the run is still in progress, or its program was killed before the folder "
                    "was complete",
                    folder.string()));
  }
  // What is read below is what was checked.
  InputWitness witness;
  check_files(folder, record.files, check, &witness);
  const auto is_listed = [&](std::string_view file) {
    return std::any_of(record.files.begin(), record.files.end(),
                       [&](const ListedFile& listed) { return listed.file == file; });
  };
  for (const char* needed : {jobs_csv_file, samples_csv_file}) {
    if (is_listed(needed)) continue;
    throw InputError(fmt::format("{}: files: expected {} among them",
                                 (folder / run_json_file).string(), needed));
  }
  RunFolder run;
  run.folder = folder;
  run.description = std::move(record.description);
  run.task_rows = record.task_rows;
  run.end = std::move(*record.end);
  run.attempts = record.attempts;
  run.series.utilisation = record.utilisation;
  read_jobs(run, parts, witness);
  read_samples(run, witness);
  if (is_listed(queues_csv_file)) {
    run.queue_series = read_queues_csv(folder / queues_csv_file, run.dimensions(), &witness);
  }
  if (is_listed(preemptions_csv_file)) {
    run.preemptions =
        read_preemptions_csv(folder / preemptions_csv_file, run.dimensions(), &witness);
    run.preempted = read_preempted_csv(folder / preempted_csv_file, &witness);
  }
  return run;
}

}  // namespace tracebed

#include "coordinator/recorded/decision_difference.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/input_error.h"
#include "core/outcomes.h"
#include "report/csv_reader.h"
#include "report/run_columns.h"

namespace tracebed {
namespace {

constexpr const char* nothing = "nothing more in this round";

std::string seconds_text(TraceTime at) {
  return fmt::format("{:.6f} s", to_seconds(at));
}

}  // namespace

DifferenceFinder::DifferenceFinder(const std::filesystem::path& run, const RunRecord& record)
    : task_rows_(record.task_rows),
      is_complete_(record.end && record.end->outcome != RunOutcome::failed) {
  for (const Machine& machine : record.description.machines) node_names_.push_back(machine.name);
  // What a program that was killed has left may end within a row, or before the header.
  const auto read = [&](const auto& read_file) {
    try {
      read_file();
    } catch (const InputError&) {
      if (record.end) throw;
    }
  };
  if (task_rows_ != TaskRows::none) read([&] { read_tasks(run, record); });
  read([&] { read_jobs(run); });
  std::sort(job_ends_.begin(), job_ends_.end(), [](const JobEnd& a, const JobEnd& b) {
    return a.at != b.at ? a.at < b.at : a.job < b.job;
  });
  for (std::size_t i = 0; i < job_ends_.size(); ++i) row_of_job_.emplace(job_ends_[i].job, i);
}

void DifferenceFinder::read_tasks(const std::filesystem::path& run, const RunRecord& record) {
  std::map<std::string, NodeId, std::less<>> nodes;
  for (std::size_t i = 0; i < node_names_.size(); ++i) nodes.emplace(node_names_[i], NodeId(i));
  CsvReader csv(run / (task_rows_ == TaskRows::zstd ? compressed_tasks_file : tasks_csv_file),
                csv_header(tasks_table(), ResourceDimensions(record.description.extra_dimensions)));
  while (csv.next_row()) {
    Allocated row;
    row.is_known = true;
    row.job = JobId(csv.count());
    csv.count();  // application
    csv.text();   // user
    csv.text();   // queue
    csv.count();  // application attempt
    if (!csv.skip_empty()) row.stage = static_cast<std::uint16_t>(csv.count());
    if (!csv.skip_empty()) row.task = csv.count();
    row.attempt = csv.skip_empty() ? 1 : csv.count();
    csv.count();  // units
    row.is_master = csv.count() != 0;
    const std::uint32_t container = csv.count();
    const auto node = nodes.find(csv.text());
    if (node == nodes.end()) csv.refuse("the name of one of the run's machines");
    row.node = node->second;
    csv.text();  // locality
    row.is_launched = csv.count() != 0;
    csv.text();                            // end
    if (!csv.skip_empty()) csv.integer();  // asked
    row.at = trace_time(csv.integer());
    constexpr std::size_t containers_max = 1'000'000'000;
    if (container >= containers_max) csv.refuse_row("the number of the container is too large");
    if (container >= allocated_.size()) allocated_.resize(container + std::size_t{1});
    allocated_[container] = row;
  }
}

void DifferenceFinder::read_jobs(const std::filesystem::path& run) {
  CsvReader csv(run / jobs_csv_file, csv_header(jobs_table(), {}));
  while (csv.next_row()) {
    JobEnd end;
    end.job = JobId(csv.count());
    for (int column = 0; column < 7; ++column) csv.text();  // application to priority
    end.outcome = csv.text();
    for (int column = 0; column < 6; ++column) csv.text();  // tasks to first_allocated_us
    end.at = trace_time(csv.integer());
    job_ends_.push_back(std::move(end));
  }
}

void DifferenceFinder::attempt_ended(const AttemptRecord& record) {
  ended_[record.container] = {.at = record.allocated,
                              .job = record.job,
                              .node = record.node,
                              .task = record.task,
                              .attempt = record.attempt,
                              .stage = record.stage,
                              .is_master = record.is_master,
                              .is_launched = record.launched,
                              .is_known = true};
}

void DifferenceFinder::job_ended(const JobRecord& record) {
  const JobEnd decided{record.job, record.finished, std::string(name(record.outcome)), true};
  const auto row = row_of_job_.find(record.job);
  if (row != row_of_job_.end()) {
    JobEnd& recorded = job_ends_[row->second];
    if (recorded.at == decided.at && recorded.outcome == decided.outcome) {
      recorded.is_decided = true;
      return;
    }
  }
  const bool has_row = row != row_of_job_.end();
  if (of_jobs_ || (!has_row && !is_complete_)) return;
  of_jobs_.emplace();
  of_jobs_->recorded = has_row ? words(job_ends_[row->second]) : nothing;
  of_jobs_->decided = words(decided);
}

std::optional<DecisionDifference> DifferenceFinder::after_round(std::uint64_t round, TraceTime now,
                                                                const Engine& engine) {
  // What the rows have at the time of the round before, and was not decided by its last round.
  if (now > last_ && last_round_ > 0) {
    const bool is_allocated = next_container_ < allocated_.size() &&
                              allocated_[next_container_].is_known &&
                              allocated_[next_container_].at <= last_;
    if (is_allocated) {
      return DecisionDifference{last_round_, last_,
                                words(allocated_[next_container_], next_container_), nothing};
    }
    while (next_job_end_ < job_ends_.size() && job_ends_[next_job_end_].is_decided) ++next_job_end_;
    if (next_job_end_ < job_ends_.size() && job_ends_[next_job_end_].at <= last_) {
      return DecisionDifference{last_round_, last_, words(job_ends_[next_job_end_]), nothing};
    }
  }
  std::optional<DecisionDifference> difference;
  const ClusterModel& cluster = engine.cluster();
  const std::size_t end = cluster.containers.next_id().index();
  for (; next_container_ < end && !difference && task_rows_ != TaskRows::none; ++next_container_) {
    const ContainerId id(next_container_);
    Allocated decided;
    if (const auto gone = ended_.find(id); gone != ended_.end()) {
      decided = gone->second;
    } else if (const Container* container = cluster.containers.find(id)) {
      const ContainerState& state = engine.container_state(id);
      decided = {.at = container->allocated,
                 .job = state.job,
                 .node = container->node,
                 .task = state.task.index,
                 .attempt = state.attempt,
                 .stage = state.task.stage,
                 .is_master = container->is_master,
                 .is_launched = container->is_launched,
                 .is_known = true};
    }
    difference = compare(decided, next_container_);
  }
  if (!difference) difference = of_jobs_;
  if (difference) {
    difference->round = round;
    difference->at = now;
  }
  ended_.clear();
  last_ = now;
  last_round_ = round;
  return difference;
}

std::optional<DecisionDifference> DifferenceFinder::compare(const Allocated& decided,
                                                            std::size_t container) const {
  const bool has_row = container < allocated_.size() && allocated_[container].is_known;
  if (!has_row && !is_complete_) return std::nullopt;
  if (has_row && is_same(allocated_[container], decided)) return std::nullopt;
  DecisionDifference difference;
  difference.recorded = has_row ? words(allocated_[container], container) : nothing;
  difference.decided = words(decided, container);
  return difference;
}

// What is launched in it may be known to one of them alone, as it comes later.
bool DifferenceFinder::is_same(const Allocated& recorded, const Allocated& decided) {
  if (recorded.at != decided.at || recorded.job != decided.job || recorded.node != decided.node) {
    return false;
  }
  if (!recorded.is_launched || !decided.is_launched) return true;
  if (recorded.is_master || decided.is_master) return recorded.is_master == decided.is_master;
  return recorded.stage == decided.stage && recorded.task == decided.task &&
         recorded.attempt == decided.attempt;
}

std::string DifferenceFinder::words(const Allocated& allocated, std::size_t container) const {
  std::string text =
      fmt::format("container {} for job {} on {}, at {}", container, allocated.job.value(),
                  node_names_[allocated.node.index()], seconds_text(allocated.at));
  if (allocated.is_master) return text + ", for its master";
  if (!allocated.is_launched) return text;
  return text + fmt::format(", for stage {}, task {}, attempt {}", allocated.stage, allocated.task,
                            allocated.attempt);
}

std::string DifferenceFinder::words(const JobEnd& end) {
  return fmt::format("job {} ended as {}, at {}", end.job.value(), end.outcome,
                     seconds_text(end.at));
}

}  // namespace tracebed

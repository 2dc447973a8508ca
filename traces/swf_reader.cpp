#include "traces/swf_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <span>

#include "traces/parts/deadline_rule.h"
#include "traces/parts/format_fields.h"

namespace tracebed {
namespace {

constexpr std::int64_t one_second = 1'000'000;

SwfColumn column_of(UserColumn column) {
  return column == UserColumn::group ? SwfColumn::group : SwfColumn::user;
}
SwfColumn column_of(QueueColumn column) {
  switch (column) {
    case QueueColumn::partition:
      return SwfColumn::partition;
    case QueueColumn::group:
      return SwfColumn::group;
    case QueueColumn::user:
      return SwfColumn::user;
    case QueueColumn::queue:
    case QueueColumn::one:
      break;
  }
  return SwfColumn::queue;
}
std::string prefix_of(QueueColumn column) {
  switch (column) {
    case QueueColumn::partition:
      return "partition";
    case QueueColumn::group:
      return "group";
    case QueueColumn::user:
      return "user";
    case QueueColumn::queue:
    case QueueColumn::one:
      break;
  }
  return "queue";
}

std::string unit_of(MemoryUnit unit) {
  switch (unit) {
    case MemoryUnit::kb:
      break;
    case MemoryUnit::bytes:
      return "B/proc";
    case MemoryUnit::job_bytes:
      return "B/job";
  }
  return "KB/proc";
}

// Handles of the tallies, in the order in which tally_into() makes them.
enum Tally : std::size_t {
  gap,
  run,
  processors,
  wait,
  limit,
  memory,  // distributions
  completed,
  failed,
  cancelled,
  partial,
  other_status,
  over_limit,
  unknown_run,
  zero_run,
  unknown_processors,
  fractions,
  dependent,  // counts
  users,
  groups,
  queues,
  partitions,  // distinct
};

}  // namespace

SwfReader::SwfReader(LineReader lines, const TraceRules& rules, bool skip_bad, Names& names)
    : rows_(std::move(lines), skip_bad, rules.rigid.more_columns),
      common_(rules.common),
      rules_(rules.rigid),
      users_(names.users, rules.rigid.user == UserColumn::group ? "group" : "user", "unknown"),
      queues_(names.queues, prefix_of(rules.rigid.queue), "default") {
  if (common_.order == RowOrder::any) rows_.take_any_order();
}

bool SwfReader::next(Job& job) {
  for (;;) {
    const TraceRows::Kind kind = rows_.next();
    if (kind == TraceRows::Kind::end) return false;
    if (kind == TraceRows::Kind::header) continue;
    ++row_count_;
    if (tally_ != nullptr) tally_row();
    if (!takes_status() || !set_processors() || !set_times()) continue;
    set_demand();
    set_predecessors();
    fill(job);
    return true;
  }
}

std::int64_t SwfReader::processors_in(const SwfRow& row) const {
  const bool by_request = rules_.processors == ProcessorColumn::requested;
  const std::int64_t first = row.whole(by_request ? SwfColumn::requested : SwfColumn::allocated);
  if (first > 0) return first;
  return row.whole(by_request ? SwfColumn::allocated : SwfColumn::requested);
}

bool SwfReader::takes_status() {
  const SwfRow& row = rows_.row();
  const std::int64_t status = row.whole(SwfColumn::status);
  if (status == 5 && rules_.cancelled != CancelledJobs::keep) {
    const bool has_run = row.at(SwfColumn::run) > 0 || row.whole(SwfColumn::allocated) > 0;
    if (rules_.cancelled == CancelledJobs::ran && has_run) return true;
    ++cancelled_;
    return false;
  }
  if (status < 2 || status > 4 || rules_.partial == PartialJobs::keep) return true;
  ++partial_;
  return false;
}

bool SwfReader::set_processors() {
  processors_ = processors_in(rows_.row());
  if (processors_ <= 0) {
    if (rules_.no_processors == NoProcessors::drop) {
      ++no_processors_;
      return false;
    }
    processors_ = 1;
  }
  if (processors_ > common_.tasks_max) [[unlikely]] {
    return rows_.bad(BadRow::too_many_tasks, "processors",
                     fmt::format("at most {} (rule trace.tasks_max)", common_.tasks_max),
                     std::to_string(processors_));
  }
  return true;
}

bool SwfReader::set_times() {
  const SwfRow& row = rows_.row();
  const std::int64_t requested = row.at(SwfColumn::requested_time);
  run_ = row.at(SwfColumn::run);
  if (run_ == 0) {
    if (rules_.zero_run_time == ZeroRunTime::drop) {
      ++zero_run_time_;
      return false;
    }
    run_ = one_second;
  } else if (run_ < 0) {
    const bool from_request = rules_.unknown_run_time == UnknownRunTime::requested;
    if (rules_.unknown_run_time == UnknownRunTime::drop || (from_request && requested <= 0)) {
      ++unknown_run_time_;
      return false;
    }
    run_ = from_request ? requested : one_second;
  }
  if (requested > 0) {
    limit_ = requested;
    if (rules_.over_limit == OverLimit::cut) run_ = std::min(run_, limit_);
  } else {
    const double limit = std::round(static_cast<double>(run_) * rules_.limit_factor);
    limit_ = limit < static_cast<double>(trace_microseconds_max)
                 ? std::max(run_, static_cast<std::int64_t>(limit))
                 : trace_microseconds_max;
  }
  return true;
}

// By the rule's unit, rounded up.
std::optional<std::int64_t> SwfReader::known_memory_mib(SwfColumn column) const {
  const std::int64_t millionths = rows_.row().at(column);
  if (millionths <= 0) return std::nullopt;
  std::int64_t per_mib = 1024 * millionths_per_one;
  if (rules_.memory_unit != MemoryUnit::kb) per_mib *= 1024;
  if (rules_.memory_unit == MemoryUnit::job_bytes) {
    if (processors_ > decimal_max / 1024 / 1024) return 1;  // less than a MiB for each
    per_mib *= processors_;
  }
  return millionths / per_mib + (millionths % per_mib != 0 ? 1 : 0);
}

void SwfReader::set_demand() {
  const auto requested = known_memory_mib(SwfColumn::requested_memory);
  const auto used = known_memory_mib(SwfColumn::used_memory);
  const bool by_request = rules_.memory == MemoryColumn::requested;
  const std::int64_t memory =
      (by_request ? requested : used)
          .value_or((by_request ? used : requested).value_or(rules_.processor_memory_mib));
  demand_ = Resources(rules_.processor_millicores, memory);
  // The job ran within what it was given, so it touched no more than that.
  touched_mib_ = used ? std::min(*used, memory)
                      : static_cast<std::int64_t>(
                            std::floor(static_cast<double>(memory) * rules_.memory_share));
}

void SwfReader::fill(Job& job) {
  const SwfRow& row = rows_.row();
  const std::int64_t submit = row.at(SwfColumn::submit);
  if (!origin_) origin_ = common_.origin == Origin::first_job ? submit : 0;
  job.id = JobId(static_cast<std::size_t>(job_count_++));
  char digits[24];
  const auto written = std::to_chars(digits, digits + sizeof digits, row.whole(SwfColumn::job));
  job.name.assign(digits, written.ptr);
  job.submit = trace_time(submit - *origin_);
  job.user = users_(rules_.user == UserColumn::one ? 0 : row.whole(column_of(rules_.user)));
  job.queue = queues_(rules_.queue == QueueColumn::one ? -1 : row.whole(column_of(rules_.queue)));
  job.priority = 0;
  job.kind = JobKind::rigid;
  job.requested_time = microseconds(limit_);
  job.deadline = Duration{};

  job.stages.resize(1);
  Stage& stage = job.stages.front();
  stage.kind = StageKind::gang;
  stage.demand = demand_;
  stage.input_path.clear();
  stage.runs.resize(1);
  stage.runs.front().count = static_cast<std::uint32_t>(processors_);
  Work& work = stage.runs.front().work;
  work = Work();
  work.duration = microseconds(run_);
  const std::int64_t cpu = row.at(SwfColumn::cpu);
  const bool by_column = rules_.cpu_time == CpuTime::column && cpu >= 0;
  const double busy = static_cast<double>(run_) * static_cast<double>(rules_.processor_millicores);
  work.cpu_time = microseconds(by_column ? std::min(cpu, run_) : std::llround(busy / 1000));
  work.memory_mib = touched_mib_;
  obey_deadline_rule(common_, job);
}

std::optional<double> SwfReader::recorded_vcores() const {
  auto processors = rows_.header_number("MaxProcs");
  if (!processors) processors = rows_.header_number("MaxNodes");
  if (!processors) return std::nullopt;
  return static_cast<double>(*processors) * static_cast<double>(rules_.processor_millicores) / 1000;
}

// All processors of a job run at once, for as long as its run time says.
std::optional<RecordedSpan> SwfReader::recorded_span() const {
  const std::int64_t run_time = rows_.row().at(SwfColumn::run);
  if (run_time < 0) return std::nullopt;
  return RecordedSpan{microseconds(run_time), 0, 0};
}

void SwfReader::tally_into(TraceTally& tally) {
  tally_ = &tally;
  constexpr std::int64_t micro = 1'000'000;
  handles_ = {tally.distribution("inter-arrival", "s", micro),
              tally.distribution("run time", "s", micro),
              tally.distribution("processors", ""),
              tally.distribution("wait time", "s", micro),
              tally.distribution("requested time", "s", micro),
              tally.distribution("requested memory", unit_of(rules_.memory_unit))};
  for (const char* name :
       {"status 1, completed", "status 0, failed", "status 5, cancelled", "status 2 to 4, partial",
        "another status or none", "run time above requested time", "run time unknown", "run time 0",
        "processors unknown", "a fraction", "a preceding job"}) {
    handles_.push_back(tally.count(name));
  }
  for (const char* name : {"users", "groups", "queues", "partitions"}) {
    handles_.push_back(tally.distinct(name));
  }
}

void SwfReader::tally_row() {
  const SwfRow& row = rows_.row();
  TraceTally& tally = *tally_;
  const auto count_if = [&](bool condition, Tally which) {
    if (condition) tally.increment(handles_[which]);
  };
  const auto add_known = [&](SwfColumn column, Tally which, std::int64_t divisor) {
    if (row.is_known(column)) tally.add(handles_[which], row.at(column) / divisor);
  };
  tally_ignored();
  const std::int64_t submit = row.at(SwfColumn::submit);
  // Where rows come in any order, gaps are those between rows that stand in it.
  if (last_tallied_submit_ >= 0 && submit >= last_tallied_submit_) {
    tally.add(handles_[gap], submit - last_tallied_submit_);
  }
  last_tallied_submit_ = submit;
  add_known(SwfColumn::run, run, 1);
  // As the job's are chosen.
  if (const std::int64_t chosen = processors_in(row); chosen > 0) {
    tally.add(handles_[processors], chosen);
  }
  add_known(SwfColumn::wait, wait, 1);
  add_known(SwfColumn::requested_time, limit, 1);
  add_known(SwfColumn::requested_memory, memory, millionths_per_one);

  const std::int64_t status = row.whole(SwfColumn::status);
  const bool part = status >= 2 && status <= 4;
  count_if(status == 1, completed);
  count_if(status == 0, failed);
  count_if(status == 5, cancelled);
  count_if(part, partial);
  count_if(status > 5 || status < 0, other_status);
  const std::int64_t requested = row.at(SwfColumn::requested_time);
  count_if(requested > 0 && row.at(SwfColumn::run) > requested, over_limit);
  count_if(!row.is_known(SwfColumn::run), unknown_run);
  count_if(row.at(SwfColumn::run) == 0, zero_run);
  count_if(!row.is_known(SwfColumn::allocated) && !row.is_known(SwfColumn::requested),
           unknown_processors);
  count_if(row.has_fraction, fractions);
  count_if(row.at(SwfColumn::preceding_job) > 0, dependent);
  const auto see_known = [&](SwfColumn column, Tally which) {
    if (row.is_known(column)) {
      tally.see(handles_[which], static_cast<std::uint64_t>(row.whole(column)));
    }
  };
  see_known(SwfColumn::user, users);
  see_known(SwfColumn::group, groups);
  see_known(SwfColumn::queue, queues);
  see_known(SwfColumn::partition, partitions);
}

void SwfReader::tally_ignored() {
  const SwfRow& row = rows_.row();
  const std::span<const TraceField> fields = fields_of("swf");
  for (std::size_t i = 0; i < swf_columns; ++i) {
    const auto column = static_cast<SwfColumn>(i);
    const bool is_by_rule = column == SwfColumn::preceding_job || column == SwfColumn::think_time;
    const bool is_ignored =
        is_by_rule ? rules_.preceding == PrecedingRule::ignore : fields[i].use == FieldUse::ignored;
    if (is_ignored && row.at(column) > 0) ignored_.add(fields[i].name);
  }
}

void SwfReader::set_predecessors() {
  predecessors_.jobs.clear();
  predecessors_.think = Duration{};
  const SwfRow& row = rows_.row();
  if (rules_.preceding == PrecedingRule::ignore || row.at(SwfColumn::preceding_job) <= 0) return;
  predecessors_.jobs.push_back(row.whole(SwfColumn::preceding_job));
  predecessors_.jobs.insert(predecessors_.jobs.end(), row.more_preceding.begin(),
                            row.more_preceding.end());
  predecessors_.think = microseconds(std::max<std::int64_t>(row.at(SwfColumn::think_time), 0));
}

std::optional<std::int64_t> SwfReader::job_number() const {
  if (rules_.preceding == PrecedingRule::ignore) return std::nullopt;
  return rows_.row().whole(SwfColumn::job);
}

const NamedPredecessors* SwfReader::predecessors() const {
  return rules_.preceding == PrecedingRule::ignore ? nullptr : &predecessors_;
}

LoadReport SwfReader::report() const {
  LoadReport report{row_count_, job_count_, {}, {}};
  const auto add_if_any = [](std::vector<TraceCount>& list, std::string_view name,
                             std::uint64_t count) {
    if (count > 0) list.push_back({std::string(name), count});
  };
  add_if_any(report.left_out, "swf.no_processors", no_processors_);
  add_if_any(report.left_out, "swf.zero_run_time", zero_run_time_);
  add_if_any(report.left_out, "swf.unknown_run_time", unknown_run_time_);
  add_if_any(report.left_out, "swf.cancelled", cancelled_);
  add_if_any(report.left_out, "swf.partial", partial_);
  add_if_any(report.notes, header_note, rows_.header_rows());
  add_if_any(report.notes, "blank lines", rows_.blank_lines());
  const auto& headers = rows_.headers();
  add_if_any(
      report.notes, "header lines without a key",
      static_cast<std::uint64_t>(std::count_if(
          headers.begin(), headers.end(), [](const auto& line) { return line.first.empty(); })));
  return report;
}

}  // namespace tracebed

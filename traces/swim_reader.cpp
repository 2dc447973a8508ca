#include "traces/swim_reader.h"

#include <algorithm>
#include <fmt/format.h>

#include "traces/parts/byte_split.h"
#include "traces/parts/deadline_rule.h"
#include "traces/parts/rounding.h"

namespace tracebed {
namespace {

std::int64_t ceiling_divide(std::int64_t value, std::int64_t divisor) {
  return value / divisor + (value % divisor != 0 ? 1 : 0);
}

// Handles of the tallies, in the order in which tally_into() makes them.
enum Tally : std::size_t {
  gap,
  input,
  shuffle,
  output,  // distributions
  no_input,
  no_shuffle,
  no_output,
  no_bytes,  // counts
  paths,     // distinct
};

}  // namespace

SwimReader::SwimReader(LineReader lines, const TraceRules& rules, bool skip_bad, Names& names)
    : rows_(std::move(lines), skip_bad),
      common_(rules.common),
      rules_(rules.map_reduce),
      maps_(side_of(Resources(rules_.map_millicores, rules_.map_memory_mib), rules_.map_startup)),
      reduces_(side_of(Resources(rules_.reduce_millicores, rules_.reduce_memory_mib),
                       rules_.reduce_startup)),
      user_shares_(WeightedChoice::zipf(rules_.users, rules_.user_skew)) {
  for (std::int64_t k = 0; k < rules_.users; ++k) {
    users_.push_back(names.users.intern("user" + std::to_string(k)));
  }
  if (common_.order == RowOrder::any) rows_.take_any_order();
  for (std::string_view rest = rules_.queues;;) {
    const std::size_t comma = rest.find(',');
    queues_.push_back(names.queues.intern(rest.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
}

SwimReader::Side SwimReader::side_of(const Resources& demand, Duration startup) const {
  return {demand, startup, static_cast<double>(demand.milli_vcores()) / 1000,
          floored(static_cast<double>(demand.memory_mib()) * rules_.memory_share)};
}

bool SwimReader::next(Job& job) {
  while (rows_.next() != TraceRows::Kind::end) {
    ++row_count_;
    const SwimRow& row = rows_.row();
    if (row.gap != row.submit - last_submit_) ++gap_differs_;
    if (tally_ != nullptr) tally_row();
    last_submit_ = row.submit;
    if (row.input_bytes == 0 && rules_.no_input == NoInput::drop) {
      ++left_out_;
      continue;
    }
    if (fill(job)) return true;
  }
  return false;
}

bool SwimReader::fill(Job& job) {
  const SwimRow& row = rows_.row();
  spare_.resize(job.stages, row.shuffle_bytes > 0 ? 2 : 1);
  if (!fill_maps(job.stages[0])) return false;
  if (row.shuffle_bytes > 0 && !fill_reduces(job.stages[1])) return false;

  if (!origin_) origin_ = common_.origin == Origin::first_job ? row.submit : 0;
  const std::size_t user = user_of(row_count_ - 1);
  job.id = JobId(static_cast<std::size_t>(job_count_++));
  job.name.assign(row.name);
  job.submit = trace_time(row.submit - *origin_);
  job.user = users_[user];
  job.queue = queues_[user % queues_.size()];
  job.priority = 0;
  job.kind = JobKind::map_reduce;
  job.requested_time = Duration{};
  job.deadline = Duration{};
  obey_deadline_rule(common_, job);
  return true;
}

std::int64_t SwimReader::reduces() const {
  const std::int64_t each = rules_.reduce_megabytes * 1'000'000;
  return std::min(ceiling_divide(rows_.row().shuffle_bytes, each), rules_.reduces_max);
}

bool SwimReader::fill_maps(Stage& stage) {
  const SwimRow& row = rows_.row();
  stage.kind = StageKind::map;
  stage.demand = maps_.demand;
  stage.input_path.assign(row.input_path);
  const ByteSplit split = split_into_blocks(row.input_bytes, rules_.block_mib << 20);
  if (!check_tasks(split.tasks)) return false;
  // Without a shuffle there are no reduces, and the maps write the output.
  const ByteSplit written = split_evenly(row.shuffle_bytes > 0 ? 0 : row.output_bytes, split.tasks);
  Work each;
  each.input_bytes = split.each;
  each.output_bytes = written.each;
  Work last = each;
  last.input_bytes = split.last;
  last.output_bytes = written.last;
  return set_runs(stage, split.tasks, each, last, maps_);
}

bool SwimReader::fill_reduces(Stage& stage) {
  const SwimRow& row = rows_.row();
  stage.kind = StageKind::reduce;
  stage.demand = reduces_.demand;
  stage.input_path.clear();
  const std::int64_t tasks = reduces();
  if (!check_tasks(tasks)) return false;
  const ByteSplit fetched = split_evenly(row.shuffle_bytes, tasks);
  const ByteSplit written = split_evenly(row.output_bytes, tasks);
  Work each;
  each.shuffle_bytes = fetched.each;
  each.output_bytes = written.each;
  Work last = each;
  last.shuffle_bytes = fetched.last;
  last.output_bytes = written.last;
  return set_runs(stage, tasks, each, last, reduces_);
}

bool SwimReader::check_tasks(std::int64_t tasks) {
  if (tasks <= common_.tasks_max) return true;
  return rows_.bad(
      BadRow::too_many_tasks, "row",
      fmt::format("bytes for at most {} tasks (rule trace.tasks_max)", common_.tasks_max),
      fmt::format("bytes for {}", tasks));
}

bool SwimReader::set_runs(Stage& stage, std::int64_t tasks, Work each, Work last,
                          const Side& side) {
  const auto count = static_cast<std::uint32_t>(tasks);
  if (!set_costs(last, side)) return false;
  if (tasks > 1 && !set_costs(each, side)) return false;
  if (tasks == 1 || each == last) {
    stage.runs.resize(1);
    stage.runs[0] = {count, last};
    return true;
  }
  stage.runs.resize(2);
  stage.runs[0] = {count - 1, each};
  stage.runs[1] = {1, last};
  return true;
}

bool SwimReader::set_costs(Work& work, const Side& side) {
  // Bytes over 10^6 bytes a second are microseconds.
  const auto spent_on = [](std::int64_t bytes, double rate) {
    return static_cast<double>(bytes) / rate;
  };
  const double microseconds_spent = spent_on(work.input_bytes, rules_.map_rate) +
                                    spent_on(work.shuffle_bytes, rules_.shuffle_rate) +
                                    spent_on(work.output_bytes, rules_.write_rate);
  if (!(microseconds_spent < static_cast<double>(trace_microseconds_max))) {
    return rows_.bad(BadRow::out_of_range, "row", "bytes that a task processes in 10^12 s",
                     "more for each task than the rates of the rules allow");
  }
  work.duration =
      std::max(side.startup + microseconds(nearest_whole(microseconds_spent)), microseconds(1));
  work.cpu_time = microseconds(
      nearest_whole(static_cast<double>(work.duration.count()) * side.vcores * rules_.cpu_share));
  work.memory_mib = side.memory_mib;
  return true;
}

std::size_t SwimReader::user_of(std::uint64_t row) const {
  return user_shares_.at(unit_draw(static_cast<std::uint64_t>(rules_.user_seed), row));
}

void SwimReader::tally_into(TraceTally& tally) {
  tally_ = &tally;
  handles_ = {tally.distribution("inter-arrival", "s", 1'000'000),
              tally.distribution("map input", "B"), tally.distribution("shuffle", "B"),
              tally.distribution("output", "B")};
  for (const char* name : {"input 0", "shuffle 0", "output 0", "all three 0"}) {
    handles_.push_back(tally.count(name));
  }
  handles_.push_back(tally.distinct("input paths"));
}

void SwimReader::tally_row() {
  const SwimRow& row = rows_.row();
  TraceTally& tally = *tally_;
  // Where rows come in any order, gaps are those between rows that stand in it.
  if (row_count_ > 1 && row.submit >= last_submit_) {
    tally.add(handles_[gap], row.submit - last_submit_);
  }
  tally.add(handles_[input], row.input_bytes);
  tally.add(handles_[shuffle], row.shuffle_bytes);
  tally.add(handles_[output], row.output_bytes);
  if (row.input_bytes == 0) tally.increment(handles_[no_input]);
  if (row.shuffle_bytes == 0) tally.increment(handles_[no_shuffle]);
  if (row.output_bytes == 0) tally.increment(handles_[no_output]);
  if (row.input_bytes == 0 && row.shuffle_bytes == 0 && row.output_bytes == 0) {
    tally.increment(handles_[no_bytes]);
  }
  if (row.has_output_path) ignored_.add("output path");
  if (!row.input_path.empty()) tally.see(handles_[paths], hash_of(row.input_path));
}

LoadReport SwimReader::report() const {
  LoadReport report{row_count_, job_count_, {}, {}};
  if (left_out_ > 0) report.left_out.push_back({"swim.no_input", left_out_});
  if (rows_.header_rows() > 0) {
    report.notes.push_back({std::string(header_note), rows_.header_rows()});
  }
  if (rows_.blank_lines() > 0) report.notes.push_back({"blank lines", rows_.blank_lines()});
  if (gap_differs_ > 0) {
    report.notes.push_back({"rows whose gap is not that of the submit times", gap_differs_});
  }
  return report;
}

}  // namespace tracebed

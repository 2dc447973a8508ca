#include "traces/csv/mix_reader.h"

#include <array>
#include <fmt/format.h>

#include "core/kernel_work.h"
#include "system/utf8.h"
#include "traces/parts/byte_split.h"
#include "traces/parts/rounding.h"
#include "traces/parts/text_numbers.h"
#include "traces/parts/trace_rows.h"
#include "traces/parts/usage.h"

namespace tracebed {
namespace {

constexpr std::array<std::string_view, 12> columns = {
    "job",    "submit_seconds", "kind", "input_bytes", "maps",       "reduces",
    "vcores", "memory_mib",     "user", "queue",       "input_path", "deadline_seconds"};
enum Column : std::size_t {
  job_column,
  submit_seconds,
  kind_column,
  input_bytes,
  maps_column,
  reduces_column,
  vcores,
  memory_mib,
  user_column,
  queue_column,
  input_path,
  deadline_seconds
};
enum Tally : TraceTally::Handle { input = 1, maps_of_job, reduces_of_job };

constexpr std::int64_t bytes_max = std::int64_t{1} << 53;

}  // namespace

MixReader::MixReader(LineReader lines, const TraceOptions& options, Names& names)
    : TableReader("mix", std::move(lines), options, names, columns, 1) {}

void MixReader::name_tallies(TraceTally& tally) {
  tally.distribution("map input", "B");
  tally.distribution("maps", "");
  tally.distribution("reduces", "");
  for (const JobKindRow& kind : job_kinds()) tally.count("kind " + std::string(kind.name));
}

bool MixReader::scan_demand(Resources& demand) {
  demand = default_demand(rules().task);
  std::int64_t millionths = 0;
  std::int64_t mib = demand.memory_mib();
  if (row().has(memory_mib) && !row().whole(memory_mib, 1, 1 << 24, mib)) return false;
  std::int64_t milli_vcores = demand.milli_vcores();
  if (row().has(vcores)) {
    constexpr std::int64_t thousandth = millionths_per_one / 1000;
    if (!row().decimal(vcores, thousandth, 1000 * millionths_per_one, millionths)) return false;
    if (millionths % thousandth != 0) {
      return row().bad(BadRow::number, vcores, "vcores in steps of 0.001");
    }
    milli_vcores = millionths / thousandth;
  }
  demand = Resources(milli_vcores, mib);
  return true;
}

bool MixReader::scan_texts() {
  for (const Column column : {user_column, queue_column, input_path}) {
    if (!is_utf8(row().at(column))) return row().bad(BadRow::text, column, "a text in UTF-8");
  }
  return true;
}

bool MixReader::scan_deadline(Row& made) {
  if (!row().has(deadline_seconds)) return true;
  std::int64_t at = 0;
  if (!row().decimal(deadline_seconds, 0, trace_microseconds_max, at)) return false;
  made.deadline = at - made.submit;
  return made.deadline > 0 ||
         row().bad(BadRow::out_of_range, deadline_seconds,
                   fmt::format("a time after that at which job {} is submitted, {} s",
                               shown(made.name), row().at(submit_seconds)));
}

bool MixReader::scan(Row& made) {
  if (!row().text(job_column, made.name) ||
      !row().decimal(submit_seconds, 0, trace_microseconds_max, made.submit) ||
      !scan_deadline(made)) {
    return false;
  }
  made.costs = find_job_kind(rules(), row().at(kind_column));
  if (made.costs == nullptr) return row().bad(BadRow::text, kind_column, job_kind_names());
  const std::int64_t tasks_max = rules().common.tasks_max;
  if (!row().whole(input_bytes, 0, bytes_max, made.input_bytes) ||
      (row().has(maps_column) && !row().whole(maps_column, 1, tasks_max, made.maps)) ||
      !row().whole(reduces_column, 0, tasks_max, made.reduces)) {
    return false;
  }
  const std::int64_t kept = shuffled_by(*made.costs, made.input_bytes);
  if (kept > bytes_max || written_by(*made.costs, kept) > bytes_max) {
    return row().bad(BadRow::out_of_range, input_bytes,
                     "bytes of which at most 2^53 are kept and written");
  }
  return scan_demand(made.demand) && scan_texts();
}

bool MixReader::add_side(const Row& made, const Side& side, Stage& stage) {
  stage.demand = rules().mix.demand == MixDemand::stated ? made.demand : Resources();
  const auto add = [&](std::int64_t count, std::int64_t ByteSplit::*bytes) {
    if (count == 0) return true;
    Work work;
    work.shuffle_bytes = side.fetched.*bytes;
    work.*side.field = side.taken.*bytes;
    work.output_bytes = side.written.*bytes;
    work.memory_mib =
        floored(static_cast<double>(made.demand.memory_mib()) * rules().task.memory_share);
    if (!side.set_costs(work, *made.costs, rules().mix, made.demand)) {
      return row().bad(BadRow::out_of_range, input_bytes, "bytes that a task processes in 10^12 s");
    }
    add_tasks(stage, static_cast<std::uint32_t>(count), work);
    return true;
  };
  return add(side.taken.tasks - 1, &ByteSplit::each) && add(1, &ByteSplit::last);
}

bool MixReader::fill_maps(const Row& made, Turn turn, Stage& stage) {
  const bool is_first = turn == Turn::only || turn == Turn::first;
  const bool is_last = turn == Turn::only || turn == Turn::last;
  stage.kind = StageKind::map;
  stage.input_path.assign(row().at(input_path));
  if (stage.input_path.empty() && rules().mix.input == MixInput::kernels) {
    stage.input_path = kernel_path(row().at(kind_column), jobs_);
  }
  if (stage.input_path.empty() && turn != Turn::only) {
    stage.input_path = "/tracebed/mix/" + std::string(made.name);
  }
  const ByteSplit read = made.maps > 0
                             ? split_evenly(made.input_bytes, made.maps)
                             : split_into_blocks(made.input_bytes, rules().mix.block_mib << 20);
  if (read.tasks > rules().common.tasks_max) {
    return row().bad(
        BadRow::too_many_tasks, input_bytes,
        fmt::format("bytes for at most {} maps (rule trace.tasks_max)", rules().common.tasks_max));
  }
  const std::int64_t kept = shuffled_by(*made.costs, made.input_bytes);
  const std::int64_t state = made.reduces > 0 ? written_by(*made.costs, kept) : kept;
  return add_side(
      made,
      {&Work::input_bytes, set_map_costs, read, split_evenly(is_first ? 0 : state, read.tasks),
       split_evenly(is_last && made.reduces == 0 ? kept : 0, read.tasks)},
      stage);
}

bool MixReader::fill_reduces(const Row& made, Turn turn, Stage& stage) {
  const bool is_last = turn == Turn::only || turn == Turn::last;
  stage.kind = turn == Turn::only ? StageKind::reduce : StageKind::map;
  const std::int64_t fetched = shuffled_by(*made.costs, made.input_bytes);
  const std::int64_t written = is_last ? written_by(*made.costs, fetched) : 0;
  return add_side(made,
                  {&Work::shuffle_bytes,
                   set_reduce_costs,
                   split_evenly(fetched, made.reduces),
                   {},
                   split_evenly(written, made.reduces)},
                  stage);
}

bool MixReader::fill(const Row& made, Job& job) {
  const std::int64_t iterations = made.costs->iterations;
  const auto begin = [&]() -> Stage& {
    Stage& stage = begin_stage(job);
    if (iterations == 1 || stages_begun() == 1) return stage;
    stage.needs.push_back(static_cast<std::uint16_t>(stages_begun() - 2));
    return stage;
  };
  for (std::int64_t i = 1; i <= iterations; ++i) {
    const Turn turn = iterations == 1   ? Turn::only
                      : i == 1          ? Turn::first
                      : i == iterations ? Turn::last
                                        : Turn::middle;
    if (!fill_maps(made, turn, begin())) return false;
    if (made.reduces > 0 && !fill_reduces(made, turn, begin())) return false;
  }
  job.name.assign(made.name);
  job.kind = iterations == 1 ? JobKind::map_reduce : JobKind::dag;
  job.deadline = microseconds(made.deadline);
  const std::string_view user = row().at(user_column);
  const std::string_view queue = row().at(queue_column);
  job.user = draft_names().users.intern(user.empty() ? "user" : user);
  job.queue = draft_names().queues.intern(queue.empty() ? "default" : queue);
  ++jobs_;
  return true;
}

void MixReader::collect() {
  while (next_row()) {
    Row made;
    if (!scan(made) || !fill(made, begin_draft())) continue;
    see_row(made.submit);
    if (tally() != nullptr) {
      tally()->add(input, made.input_bytes);
      tally()->add(maps_of_job, task_count(draft().stages[0]));
      tally()->add(reduces_of_job, made.reduces);
      for (std::size_t i = 0; i < job_kinds().size(); ++i) {
        if (&(rules().*job_kinds()[i].costs) == made.costs) tally()->increment(i);
      }
    }
    keep_draft(made.submit);
  }
  note_blank_lines();
}

}  // namespace tracebed

#include "traces/json/sls_reader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "traces/parts/trace_rows.h"
#include "traces/parts/usage.h"

namespace tracebed {
namespace {

namespace dom = simdjson::dom;

constexpr std::int64_t milliseconds_max = trace_microseconds_max / 1000;

enum Tally : TraceTally::Handle { tasks_of_job = 1, task_time };
enum Count : TraceTally::Handle { maps, reduces };

}  // namespace

SlsReader::SlsReader(JsonDocuments documents, const TraceOptions& options, Names& names)
    : JsonReader("sls", std::move(documents), options, names),
      dimensions_(options.dimensions),
      jobs_max_(options.document_jobs_max) {}

void SlsReader::name_tallies(TraceTally& tally) {
  tally.distribution("tasks of a job", "");
  tally.distribution("task duration", "s", 1000);
  tally.count("maps");
  tally.count("reduces");
  tally.distinct("users");
  tally.distinct("queues");
}

std::optional<JobKind> SlsReader::kind_of(const JsonFields& fields) {
  std::string type = "mapreduce";
  if (!fields.optional_text("am.type", type) || !fields.optional_text("yarn.sls.am.type", type)) {
    return std::nullopt;
  }
  if (type == "mapreduce") return JobKind::map_reduce;
  if (type == "dag") return JobKind::dag;
  if (type == "stream") return JobKind::service;
  fields.bad(BadRow::text, "am.type", "mapreduce, dag or stream", shown(type));
  return std::nullopt;
}

bool SlsReader::read_duration(const JsonFields& fields, Task& task) {
  if (!fields.optional_whole("container.start.ms", 0, milliseconds_max, task.start) ||
      !fields.optional_whole("container.end.ms", 0, milliseconds_max, task.end)) {
    return false;
  }
  task.duration = std::max<std::int64_t>(task.end, 0) - std::max<std::int64_t>(task.start, 0);
  task.is_window = task.start >= 0 && task.end >= 0 && !fields.has("duration.ms") &&
                   !fields.has("container.duration.ms");
  if (!fields.optional_whole("duration.ms", -milliseconds_max, milliseconds_max, task.duration) ||
      !fields.optional_whole("container.duration.ms", -milliseconds_max, milliseconds_max,
                             task.duration)) {
    return false;
  }
  if (task.duration > 0) return true;
  return fields.bad(BadRow::out_of_range, "container.duration.ms", "a duration above 0",
                    std::to_string(task.duration));
}

bool SlsReader::read_task(const JsonFields& fields, Task& task) const {
  std::string_view type = "map";
  std::string_view host;
  std::int64_t vcores = rules().task.millicores / 1000;
  std::int64_t memory = rules().task.memory_mib;
  if (!fields.optional_text("container.type", type) ||
      !fields.optional_text("container.host", host) ||
      !fields.optional_whole("count", 1, rules().common.tasks_max, task.count) ||
      !fields.optional_whole("container.request.delay", 0, milliseconds_max, task.delay) ||
      !fields.optional_whole("container.vcores", 0, 1'000'000, vcores) ||
      !fields.optional_whole("container.memory-mb", 0, 1 << 30, memory) ||
      !read_duration(fields, task)) {
    return false;
  }
  if (type != "map" && type != "reduce" && type != "stream") {
    return fields.bad(BadRow::text, "container.type", "map or reduce", shown(type));
  }
  task.is_reduce = type == "reduce";
  const bool names_vcores = fields.has("container.vcores");
  task.demand = Resources(names_vcores ? vcores * 1000 : rules().task.millicores, memory);
  task.host = host.substr(host.rfind('/') + 1);
  return read_resources(fields, task);
}

// What is none of the run's dimensions is not asked for, and so is counted as ignored.
bool SlsReader::read_resources(const JsonFields& fields, Task& task) const {
  constexpr std::string_view prefix = "container.";
  constexpr std::int64_t amount_max = std::int64_t{1} << 50;
  return fields.each_key([&](std::string_view key) {
    if (!key.starts_with(prefix)) return true;
    const std::string_view resource = key.substr(prefix.size());
    std::size_t dimension = dimensions_.find(resource);
    std::int64_t per_unit = 1;
    if (dimension >= dimensions_.size() && resource == "yarn.io/gpu") {
      dimension = dimensions_.find("gpu_milli");
      per_unit = 1000;
    }
    // The first two are container.vcores and container.memory-mb, by other names.
    if (dimension >= dimensions_.size() || dimension <= Resources::memory_dimension) return true;
    std::int64_t amount = 0;
    if (!fields.optional_whole(key, 0, amount_max, amount)) return false;
    task.demand[dimension] = amount * per_unit;
    return true;
  });
}

bool SlsReader::read_tasks(const JsonFields& fields, std::vector<Task>& tasks) const {
  std::optional<dom::array> array;
  if (!fields.array("job.tasks", array)) return false;
  std::int64_t count = 0;
  if (array) {
    for (const dom::element element : *array) {
      dom::object object;
      if (element.get_object().get(object) != simdjson::SUCCESS) {
        return fields.bad(BadRow::text, "job.tasks", "an array of objects", shown_json(element));
      }
      if (!read_task(JsonFields(object, fields.place()), tasks.emplace_back())) return false;
      count += tasks.back().count;
    }
  }
  if (count > rules().common.tasks_max) {
    return fields.bad(BadRow::too_many_tasks, "job.tasks",
                      "at most " + std::to_string(rules().common.tasks_max) + " tasks",
                      std::to_string(count));
  }
  if (count > 0) return true;
  return fields.bad(BadRow::columns, "job.tasks", "a task", "none");
}

void SlsReader::shorten_reduces(std::vector<Task>& tasks) {
  std::int64_t last_map = -1;
  for (const Task& task : tasks) {
    if (!task.is_reduce) last_map = std::max(last_map, task.end);
  }
  for (Task& task : tasks) {
    if (!task.is_reduce || !task.is_window || task.start >= last_map) continue;
    task.duration = std::max<std::int64_t>(task.end - last_map, 1);
    note("reduces whose work is counted from the last map's end",
         static_cast<std::uint64_t>(task.count));
  }
}

std::optional<RecordedSpan> SlsReader::recorded_of(const std::vector<Task>& tasks,
                                                   std::int64_t job_start, std::int64_t job_end) {
  RecordedTimes times;
  bool is_whole = true;
  for (const bool reduces : {false, true}) {
    times.begin_stage();
    for (const Task& task : tasks) {
      if (task.is_reduce != reduces) continue;
      is_whole = is_whole && task.start >= 0 && task.end >= task.start;
      if (is_whole) times.add(task.start * 1000, task.end * 1000);
    }
  }
  if (is_whole) return times.span();
  if (job_end <= job_start) return std::nullopt;
  return RecordedSpan{milliseconds(job_end - job_start), 0, 0};
}

void SlsReader::collect_document(const JsonFields& fields) {
  if (fields.has("num.nodes") && !fields.has("job.start.ms")) {
    return note("documents about the cluster");
  }
  std::int64_t start = 0;
  std::int64_t end = -1;
  std::int64_t count = 1;
  std::string queue;
  std::string user = "default";
  std::vector<Task>& tasks = tasks_;
  tasks.clear();
  if (!fields.whole("job.start.ms", 0, milliseconds_max, start) ||
      !fields.optional_whole("job.end.ms", -milliseconds_max, milliseconds_max, end) ||
      !fields.text("job.queue.name", queue) || !fields.optional_text("job.user", user) ||
      !fields.optional_whole("job.count", 1, jobs_max_, count)) {
    return;
  }
  const std::optional<JobKind> kind = kind_of(fields);
  std::string label;
  if (!kind || !read_tasks(fields, tasks) || !fields.optional_text("job.label.expression", label)) {
    return;
  }
  Job& job = begin_draft();
  job.name = "job_0";
  if (!fields.optional_text("job.id", job.name)) return;
  job.user = draft_names().users.intern(user);
  job.queue = draft_names().queues.intern(queue);
  job.kind = *kind;
  set_recorded(recorded_of(tasks, start, end));
  if (*kind == JobKind::map_reduce && rules().sls.reduce_start == ReduceStart::last_map) {
    shorten_reduces(tasks);
  }
  if (!fill_stages(fields, tasks, job)) return;
  for (std::size_t i = 0; i < stages_begun() && !label.empty(); ++i) {
    job.stages[i].node_labels.push_back(label);
  }
  for (std::int64_t part = 0; part < count; ++part) {
    see_row(start * 1000);
    if (count > 1) job.name = "job_" + std::to_string(part);  // the given name is not used then
    keep_draft(start * 1000);
    if (tally() == nullptr) continue;
    std::int64_t tasks_in_all = 0;
    for (const Task& task : tasks) {
      tasks_in_all += task.count;
      tally()->add(task_time, task.duration);
      tally()->increment(task.is_reduce ? reduces : maps, static_cast<std::uint64_t>(task.count));
    }
    tally()->add(tasks_of_job, tasks_in_all);
    tally()->see(0, hash_of(user));
    tally()->see(1, hash_of(queue));
  }
}

void SlsReader::add_task(const Task& task, std::size_t stage_index, Job& job) {
  Stage& stage = job.stages[stage_index];
  const auto count = static_cast<std::uint32_t>(task.count);
  add_tasks(stage, count, work_of_run(milliseconds(task.duration), stage.demand, rules().task));
  auto& places = stage.places;
  std::uint32_t host = 0;
  if (!task.host.empty()) {
    const auto [known, is_new] = hosts_.try_emplace(
        {stage_index, task.host}, static_cast<std::uint32_t>(places.hosts.size()));
    if (is_new) places.hosts.emplace_back(task.host);
    host = known->second;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!task.host.empty()) places.entries.push_back(host);
    places.ends.push_back(static_cast<std::uint32_t>(places.entries.size()));
  }
}

void SlsReader::add_stages(const std::vector<Task>& tasks, bool reduces, Job& job) {
  // By delay and demand.
  std::map<std::array<std::int64_t, 1 + Resources::dimensions_max>, std::size_t> stage_of;
  for (const Task& task : tasks) {
    if (task.is_reduce != reduces) continue;
    const Duration delay = job.kind == JobKind::dag ? milliseconds(task.delay) : Duration{};
    std::array<std::int64_t, 1 + Resources::dimensions_max> key = {delay.count()};
    for (std::size_t i = 0; i < Resources::dimensions_max; ++i) key[1 + i] = task.demand[i];
    const auto [place, is_new] = stage_of.try_emplace(key, stages_begun());
    if (is_new) {
      Stage& stage = begin_stage(job);
      stage.demand = task.demand;
      stage.delay = delay;
      stage.kind = reduces && job.kind == JobKind::map_reduce ? StageKind::reduce : StageKind::map;
    }
    add_task(task, place->second, job);
  }
}

bool SlsReader::fill_stages(const JsonFields& fields, const std::vector<Task>& tasks, Job& job) {
  // Of stages of maps with stages of reduces, each of which is an edge.
  constexpr std::size_t edges_max = 1'000'000;
  hosts_.clear();
  add_stages(tasks, false, job);
  const std::size_t maps = stages_begun();
  add_stages(tasks, true, job);
  const std::size_t reduces = stages_begun() - maps;
  if (stages_begun() > stages_max ||
      (job.kind == JobKind::map_reduce && maps * reduces > edges_max)) {
    return fields.bad(BadRow::too_many_tasks, "job.tasks",
                      fmt::format("tasks of at most {} different demands and delays, those of maps "
                                  "times those of reduces at most {}",
                                  stages_max, edges_max),
                      fmt::format("{} of maps and {} of reduces", maps, reduces));
  }
  if (job.kind == JobKind::map_reduce && (maps > 1 || reduces > 1)) become_dag(job, maps);
  for (std::size_t i = 0; i < stages_begun(); ++i) {
    const bool is_reduce = job.stages[i].kind == StageKind::reduce;
    if (is_reduce || job.stages[i].places.hosts.empty()) job.stages[i].places.clear();
  }
  return true;
}

}  // namespace tracebed

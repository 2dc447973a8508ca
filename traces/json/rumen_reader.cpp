#include "traces/json/rumen_reader.h"

#include <algorithm>
#include <array>

#include "traces/json/json_lists.h"
#include "traces/parts/trace_rows.h"
#include "traces/parts/usage.h"

namespace tracebed {
namespace {

namespace dom = simdjson::dom;

constexpr std::int64_t milliseconds_max = trace_microseconds_max / 1000;
constexpr std::int64_t bytes_max = std::int64_t{1} << 60;
// As Hadoop's JobPriority, the least important first.
constexpr std::array<std::string_view, 5> priorities = {"VERY_LOW", "LOW", "NORMAL", "HIGH",
                                                        "VERY_HIGH"};
constexpr std::string_view other_tasks = "otherTasks";
constexpr std::array<std::string_view, 3> task_lists = {"mapTasks", "reduceTasks", other_tasks};

enum Tally : TraceTally::Handle { maps_of_job = 1, reduces_of_job, attempt_time };
enum Count : TraceTally::Handle {
  job_success,
  job_other,
  first_list,  // three
  attempt_success = first_list + task_lists.size(),
  attempt_failed,
  attempt_killed,
  no_attempts,
  no_status,
  no_places,
  with_places,
  finish_first,
  on_node,
  in_rack,
  elsewhere,
};

// Writes to `to`, which has room for the whole text, and returns one above the last byte.
char* unescape(std::string_view text, char* to) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    *to++ = text[i];
  }
  return to;
}

}  // namespace

std::string unescaped_host(std::string_view text) {
  std::string result(text.size(), '\0');
  result.resize(static_cast<std::size_t>(unescape(text, result.data()) - result.data()));
  return result;
}

std::string_view RumenReader::unescaped(std::string_view text) {
  if (text.find('\\') == std::string_view::npos) return text;
  char* const begin = texts_.room(text.size());
  return {begin, static_cast<std::size_t>(unescape(text, begin) - begin)};
}

RumenReader::RumenReader(JsonDocuments documents, const TraceOptions& options, Names& names)
    : JsonReader("rumen", std::move(documents), options, names) {}

void RumenReader::name_tallies(TraceTally& tally) {
  tally.distribution("maps of a job", "");
  tally.distribution("reduces of a job", "");
  tally.distribution("attempts", "s", 1000);
  for (const char* const what :
       {"outcome SUCCESS", "another outcome", "maps", "reduces", "other tasks", "attempts SUCCESS",
        "attempts FAILED", "attempts KILLED", "tasks without an attempt", "tasks without a status",
        "maps without places of input", "maps with places of input",
        "attempts that end before they start", "successful maps on a node with their input",
        "successful maps in a rack with their input", "successful maps elsewhere"}) {
    tally.count(what);
  }
  tally.distinct("users");
  tally.distinct("hosts of attempts");
}

bool RumenReader::read_attempt(const JsonFields& fields, Attempt& attempt) {
  std::string_view result;
  std::string_view host;
  if (!fields.text("result", result)) return false;
  if (result != "SUCCESS" && result != "FAILED" && result != "KILLED") {
    return fields.bad(BadRow::text, "result", "SUCCESS, FAILED or KILLED", shown(result));
  }
  attempt.result = result == "SUCCESS"  ? Result::success
                   : result == "FAILED" ? Result::failed
                                        : Result::killed;
  if (!fields.optional_text("hostName", host) ||
      !fields.optional_whole("startTime", -1, milliseconds_max, attempt.start) ||
      !fields.optional_whole("finishTime", -1, milliseconds_max, attempt.finish) ||
      !fields.optional_whole("hdfsBytesRead", -1, bytes_max, attempt.hdfs_read) ||
      !fields.optional_whole("hdfsBytesWritten", -1, bytes_max, attempt.hdfs_written) ||
      !fields.optional_whole("reduceShuffleBytes", -1, bytes_max, attempt.shuffled)) {
    return false;
  }
  host = unescaped(host);
  const std::size_t slash = host.rfind('/');
  if (slash != std::string_view::npos && slash > 0) attempt.rack = host.substr(1, slash - 1);
  attempt.host = slash == std::string_view::npos ? host : host.substr(slash + 1);
  return read_usage(fields, attempt);
}

bool RumenReader::read_usage(const JsonFields& attempt_fields, Attempt& attempt) {
  constexpr std::string_view key = "resourceUsageMetrics";
  dom::object metrics;
  if (!attempt_fields.has(key) ||
      attempt_fields.object().at_key(key).get_object().get(metrics) != simdjson::SUCCESS) {
    return true;
  }
  const JsonFields used(metrics, attempt_fields.place());
  return used.optional_whole("cumulativeCpuUsage", -1, milliseconds_max, attempt.cpu_ms) &&
         used.optional_whole("physicalMemoryUsage", -1, bytes_max, attempt.memory_bytes);
}

// {layers: [rack, host]}
bool RumenReader::read_layers(const JsonFields& fields, Place& place) {
  std::optional<dom::array> layers;
  if (!fields.array("layers", layers)) return false;
  if (!layers || layers->size() != 2) {
    return fields.bad(BadRow::columns, "layers", "a rack and a host",
                      layers ? "an array of another size" : "nothing");
  }
  std::string_view rack;
  std::string_view host;
  if (layers->at(0).get_string().get(rack) != simdjson::SUCCESS ||
      layers->at(1).get_string().get(host) != simdjson::SUCCESS || host.empty()) {
    return fields.bad(BadRow::text, "layers", "names of a rack and a host", "something else");
  }
  place.rack = unescaped(rack);
  place.host = unescaped(host);
  return true;
}

bool RumenReader::read_task(const JsonFields& fields, Task& task) {
  if (!fields.optional_whole("inputBytes", -1, bytes_max, task.input_bytes)) return false;
  task.attempts.begin = attempts_.size();
  if (!each_object(fields, "attempts", [&](const JsonFields& each) {
        return read_attempt(each, attempts_.emplace_back());
      })) {
    return false;
  }
  task.attempts.end = attempts_.size();
  task.places.begin = places_.size();
  if (!each_object(fields, "preferredLocations", [&](const JsonFields& each) {
        return read_layers(each, places_.emplace_back());
      })) {
    return false;
  }
  task.places.end = places_.size();
  return true;
}

bool RumenReader::read_tasks(const JsonFields& job, std::string_view key,
                             std::vector<Task>& tasks) {
  return each_object(
      job, key, [&](const JsonFields& fields) { return read_task(fields, tasks.emplace_back()); });
}

bool RumenReader::read_submit(const JsonFields& fields, std::int64_t& submit) {
  submit = -1;
  if (!fields.optional_whole("submitTime", -1, milliseconds_max, submit)) return false;
  if (submit < 0 && !fields.optional_whole("launchTime", -1, milliseconds_max, submit)) {
    return false;
  }
  if (submit >= 0) return true;
  return fields.bad(BadRow::negative, "submitTime", "a time, or one at which it was launched",
                    "none");
}

const RumenReader::Attempt* RumenReader::telling(const Task& task) const {
  const std::span<const Attempt> attempts = attempts_of(task);
  const auto last = [&](bool must_succeed) -> const Attempt* {
    for (auto attempt = attempts.rbegin(); attempt != attempts.rend(); ++attempt) {
      if (attempt->has_run() && (!must_succeed || attempt->result == Result::success)) {
        return &*attempt;
      }
    }
    return nullptr;
  };
  const Attempt* const succeeded = last(true);
  return succeeded != nullptr ? succeeded : last(false);
}

void RumenReader::tally_locality(const Task& task) {
  if (task.places.is_empty()) return tally()->increment(no_places);
  tally()->increment(with_places);
  const std::span<const Attempt> attempts = attempts_of(task);
  const auto succeeded =
      std::find_if(attempts.rbegin(), attempts.rend(),
                   [](const Attempt& attempt) { return attempt.result == Result::success; });
  if (succeeded == attempts.rend()) return;
  const auto any_place = [&](auto&& matches) {
    const std::span<const Place> places = places_of(task);
    return std::any_of(places.begin(), places.end(), matches);
  };
  if (any_place([&](const Place& place) { return place.host == succeeded->host; })) {
    tally()->increment(on_node);
  } else if (any_place([&](const Place& place) { return place.rack == succeeded->rack; })) {
    tally()->increment(in_rack);
  } else {
    tally()->increment(elsewhere);
  }
}

void RumenReader::tally_tasks(const std::vector<Task>& tasks, std::size_t kind) {
  TraceTally& to = *tally();
  to.increment(first_list + kind, tasks.size());
  for (const Task& task : tasks) {
    if (task.attempts.is_empty()) to.increment(no_attempts);
    if (kind == 0) tally_locality(task);
    if (task_lists[kind] == other_tasks) continue;  // set-up and clean-up, which are not replayed
    for (const Attempt& attempt : attempts_of(task)) {
      to.increment(attempt_success + static_cast<std::size_t>(attempt.result));
      if (!attempt.host.empty()) to.see(1, hash_of(attempt.host));
      if (attempt.start <= 0 || attempt.finish < 0) continue;
      // Those that end before they start are counted besides.
      to.add(attempt_time, std::max<std::int64_t>(attempt.finish - attempt.start, 0));
      if (attempt.finish < attempt.start) to.increment(finish_first);
    }
  }
}

void RumenReader::clear_document() {
  for (std::vector<Task>& tasks : tasks_) tasks.clear();
  attempts_.clear();
  places_.clear();
  texts_.clear();
}

void RumenReader::collect_document(const JsonFields& fields) {
  std::int64_t submit = 0;
  if (!read_head(fields) || !read_submit(fields, submit)) return;
  clear_document();
  for (std::size_t kind = 0; kind < tasks_.size(); ++kind) {
    if (!read_tasks(fields, task_lists[kind], tasks_[kind])) return;
  }
  see_row(submit * 1000);
  if (tally() != nullptr) {
    std::string outcome;
    fields.optional_text("outcome", outcome);
    tally()->increment(outcome == "SUCCESS" ? job_success : job_other);
    tally()->see(0, hash_of(draft_names().users.name(draft().user)));
    tally()->add(maps_of_job, static_cast<std::int64_t>(tasks_[0].size()));
    tally()->add(reduces_of_job, static_cast<std::int64_t>(tasks_[1].size()));
    for (std::size_t kind = 0; kind < tasks_.size(); ++kind) {
      tally_tasks(tasks_[kind], kind);
      each_object(fields, task_lists[kind], [&](const JsonFields& task) {
        if (task_lists[kind] != other_tasks && !task.has("taskStatus")) {
          tally()->increment(no_status);
        }
        return true;
      });
    }
  }
  keep_job(submit * 1000);
}

bool RumenReader::read_head(const JsonFields& fields) {
  Job& job = begin_draft();
  std::string user = "default";
  std::string queue = "default";
  std::string priority = "NORMAL";
  if (!fields.text("jobID", job.name) || !fields.optional_text("user", user) ||
      !fields.optional_text("queue", queue) || !fields.optional_text("priority", priority) ||
      !read_demand(fields, "jobMapMB", "mapreduce.map.cpu.vcores", map_demand_) ||
      !read_demand(fields, "jobReduceMB", "mapreduce.reduce.cpu.vcores", reduce_demand_)) {
    return false;
  }
  job.user = draft_names().users.intern(user);
  job.queue = draft_names().queues.intern(queue.empty() ? "default" : queue);
  const auto* const rank = std::find(priorities.begin(), priorities.end(), priority);
  const auto* const normal = priorities.begin() + 2;
  job.priority =
      static_cast<std::int32_t>((rank == priorities.end() ? normal : rank) - priorities.begin()) +
      1;
  return true;
}

bool RumenReader::read_demand(const JsonFields& fields, std::string_view memory_key,
                              std::string_view vcores_key, Resources& demand) const {
  demand = default_demand(rules().task);
  std::int64_t memory = -1;
  if (!fields.optional_whole(memory_key, -1, 1 << 26, memory)) return false;
  if (memory > 0) demand[Resources::memory_dimension] = memory;
  // The format has no field for vcores, but may carry the job's own configuration.
  dom::object properties;
  if (!fields.has("jobProperties") ||
      fields.object().at_key("jobProperties").get_object().get(properties) != simdjson::SUCCESS) {
    return true;
  }
  std::int64_t vcores = -1;
  const JsonFields configuration(properties, fields.place());
  if (!configuration.optional_whole(vcores_key, -1, 1 << 26, vcores)) return false;
  if (vcores > 0) demand[Resources::vcores_dimension] = vcores * 1000;
  return true;
}

void RumenReader::add_places(const Task& task, Stage& stage) {
  for (const Place& place : places_of(task)) {
    const auto [known, is_new] =
        hosts_.try_emplace(place.host, static_cast<std::uint32_t>(stage.places.hosts.size()));
    if (is_new) stage.places.hosts.emplace_back(place.host);
    stage.places.entries.push_back(*known);
  }
  stage.places.ends.push_back(static_cast<std::uint32_t>(stage.places.entries.size()));
}

void RumenReader::fill_stage(const std::vector<Task>& tasks, std::int64_t starts_at, Stage& stage) {
  const auto run_time = [&](const Attempt& attempt) {
    const std::int64_t from = std::max(attempt.start, starts_at);
    return milliseconds(std::max<std::int64_t>(attempt.finish - from, 1));
  };
  Duration sum{};
  std::int64_t known = 0;
  for (const Task& task : tasks) {
    const Attempt* const attempt = telling(task);
    if (attempt == nullptr) continue;
    sum += run_time(*attempt);
    ++known;
  }
  hosts_.clear();
  for (const Task& task : tasks) {
    const Attempt* const attempt = telling(task);
    if (attempt == nullptr && (known == 0 || rules().rumen.no_attempt == NoAttempt::drop)) {
      leave_out("rumen.no_attempt");
      continue;
    }
    if (attempt != nullptr) times_.add(attempt->start * 1000, attempt->finish * 1000);
    const Duration duration = attempt != nullptr ? run_time(*attempt) : sum / known;
    Work work = work_of_run(duration, stage.demand, rules().task);
    work.input_bytes = std::max<std::int64_t>(task.input_bytes, 0);
    if (attempt != nullptr) {
      const auto or_none = [](std::int64_t bytes) { return std::max<std::int64_t>(bytes, 0); };
      if (stage.kind == StageKind::map && task.input_bytes < 0) {
        work.input_bytes = or_none(attempt->hdfs_read);
      }
      if (stage.kind == StageKind::reduce) work.input_bytes = 0;
      work.shuffle_bytes = or_none(attempt->shuffled);
      work.output_bytes = or_none(attempt->hdfs_written);
      // Measured; but a container has no more than its demand, so no more is replayed.
      const Duration cpu_max = duration * stage.demand.milli_vcores() / 1000;
      if (attempt->cpu_ms > 0) work.cpu_time = std::min(milliseconds(attempt->cpu_ms), cpu_max);
      if (attempt->memory_bytes > 0) {
        work.memory_mib = std::min(attempt->memory_bytes >> 20, stage.demand.memory_mib());
      }
    }
    add_tasks(stage, 1, work);
    add_places(task, stage);
  }
  if (hosts_.empty()) stage.places.clear();
}

void RumenReader::keep_job(std::int64_t submit) {
  const auto& [maps, reduces, others] = tasks_;
  Job& job = draft();
  job.kind = JobKind::map_reduce;
  times_ = {};
  std::int64_t last_map = -1;
  for (const Task& task : maps) {
    const Attempt* const attempt = telling(task);
    if (attempt != nullptr) last_map = std::max(last_map, attempt->finish);
  }
  const bool after_maps = rules().rumen.reduce_start == ReduceStart::last_map;
  const auto fill = [&](const std::vector<Task>& tasks, StageKind kind, const Resources& demand,
                        std::int64_t starts_at) {
    if (tasks.empty()) return;
    Stage& stage = begin_stage(job);
    stage.kind = kind;
    stage.demand = demand;
    times_.begin_stage();
    fill_stage(tasks, starts_at, stage);
    if (stage.runs.empty()) take_back_stage();
  };
  fill(maps, StageKind::map, map_demand_, -1);
  fill(reduces, StageKind::reduce, reduce_demand_, after_maps ? last_map : -1);
  set_recorded(times_.span());
  if (stages_begun() > 0) return keep_draft(submit);
  note("jobs of which no task is left");
  keep_none(submit);
}

}  // namespace tracebed

#include "report/run_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <string_view>
#include <utility>

#include "core/input_error.h"
#include "report/json_fields.h"
#include "report/json_metrics.h"
#include "report/stall_json.h"
#include "system/file_window.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

// 1: without checksums and application_attempt (in tasks.csv), what repetitions vary
// and is_noise, with other meanings of attempts_lost (jobs.csv) and used (queues.csv).
// 5: without devices (tasks.csv, samples.csv) and the differences that a run touches.
constexpr std::uint32_t format_version = 7;

// Machines that follow each other with the same capacity, rack and labels.
struct MachineGroup {
  std::string rack;
  std::vector<std::int64_t> capacity;
  std::vector<std::string> labels;
  std::vector<std::string> names;
};

std::vector<MachineGroup> machine_groups(const std::vector<Machine>& machines,
                                         std::size_t dimensions) {
  std::vector<MachineGroup> groups;
  const Machine* last = nullptr;
  for (const Machine& machine : machines) {
    if (last == nullptr || last->rack != machine.rack || last->capacity != machine.capacity ||
        last->labels != machine.labels) {
      MachineGroup& group = groups.emplace_back();
      group.rack = machine.rack;
      group.labels = machine.labels;
      for (std::size_t d = 0; d < dimensions; ++d) group.capacity.push_back(machine.capacity[d]);
    }
    groups.back().names.push_back(machine.name);
    last = &machine;
  }
  return groups;
}

template <class Fields, class Groups>
void machine_fields(Fields& fields, Groups& groups) {
  fields.list("machines", groups, [](auto& f, auto& group) {
    f("rack", group.rack);
    f("capacity", group.capacity);
    f("labels", group.labels);
    f("names", group.names);
  });
}

void write_machines(JsonOutput& fields, const RunDescription& description) {
  const std::size_t dimensions = 2 + description.extra_dimensions.size();
  const std::vector<MachineGroup> groups = machine_groups(description.machines, dimensions);
  machine_fields(fields, groups);
  fields.list("machine_changes", description.changes, [](JsonOutput& f, const MachineChange& c) {
    f("at_us", to_microseconds(c.at));
    f("machine", c.node.value());
    f("up", c.up);
  });
}

void read_machines(JsonInput& fields, RunDescription& description) {
  const std::size_t dimensions = 2 + description.extra_dimensions.size();
  std::vector<MachineGroup> groups;
  machine_fields(fields, groups);
  for (const MachineGroup& group : groups) {
    if (group.capacity.size() != dimensions) {
      fields.refuse_value("machines", fmt::format("capacities in {} dimensions", dimensions));
    }
    Machine machine{"", group.rack, Resources(), group.labels};
    for (std::size_t d = 0; d < dimensions; ++d) machine.capacity[d] = group.capacity[d];
    for (const std::string& name : group.names) {
      machine.name = name;
      description.machines.push_back(machine);
    }
  }
  fields.list("machine_changes", description.changes, [](JsonInput& f, MachineChange& c) {
    std::int64_t at = 0;
    std::uint32_t machine = 0;
    f("at_us", at);
    f("machine", machine);
    f("up", c.up);
    c.at = trace_time(at);
    c.node = NodeId(machine);
  });
}

template <class Fields, class Description>
void description_fields(Fields& fields, Description& d) {
  fields.object("software", [&](auto& f) {
    f("version", d.software_version);
    f("build_type", d.build_type);
  });
  fields("started", d.started);
  fields.object("experiment", [&](auto& f) {
    f("name", d.experiment_name);
    f("file", d.experiment_file);
    f("text", d.experiment_text);
  });
  fields.object("scheduler", [&](auto& f) {
    f("label", d.scheduler_label);
    f("name", d.scheduler_name);
    f("settings", d.scheduler_settings);
    f("limited_dimensions", d.limited_dimensions);
    f("differences", d.differences);
  });
  fields("seed", d.seed);
  fields("repetition", d.repetition);
  fields("is_noise", d.is_noise);
  fields("varied", d.varied);
  fields("world", d.world);
  fields("world_settings", d.world_settings);
  fields("time_scale", d.time_scale);
  fields("isolation", d.isolation);
  fields.object("trace", [&](auto& f) {
    f("file", d.trace.file);
    f("bytes", d.trace.bytes);
    f("digest", d.trace.digest);
    f("format", d.trace_format);
    f("selection", d.trace_selection);
  });
  fields("rules", d.rules);
  fields("scale", d.scale);
  fields("scale_effects", d.scale_effects);
  fields("masters", d.masters);
  fields("storage", d.storage);
  fields("extra_dimensions", d.extra_dimensions);
}

// Those that a run's record states.
constexpr std::array recorded_outcomes{RunOutcome::complete, RunOutcome::cancelled,
                                       RunOutcome::stalled, RunOutcome::failed};

template <class Fields, class End>
void end_fields(Fields& f, End& end) {
  f("digest", end.digest);
  f("wall_seconds", end.wall_seconds);
  f("counters", end.counters);
  f("warnings", end.warnings);
}

template <class Fields, class Loads>
void load_fields(Fields& fields, Loads& loads) {
  fields.list("machine_loads", loads, [](auto& f, auto& machine) {
    f("machine", machine.machine);
    f("busy", machine.load.busy);
    f("others", machine.load.others);
    f("stolen", machine.load.stolen);
  });
}

// Which job, and in words why it waited.
template <class Fields, class Job>
void waiting_job_fields(Fields& fields, Job& job) {
  fields("user", job.user);
  fields("queue", job.queue);
  fields.list("reasons", job.reasons, [](auto& f, auto& reason) {
    f("reason", reason.first);
    f("text", reason.second);
  });
}

void write_waiting(JsonOutput& fields, const WaitingJobs& waiting) {
  fields("by_reason", waiting.by_reason);
  fields.list("longest", waiting.longest, [](JsonOutput& f, const WaitingJob& job) {
    f("job", job.job.value());
    f("since_us", to_microseconds(job.since));
    f("until_us", to_microseconds(job.until));
    waiting_job_fields(f, job);
  });
}

void read_waiting(JsonInput& fields, WaitingJobs& waiting) {
  fields("by_reason", waiting.by_reason);
  fields.list("longest", waiting.longest, [](JsonInput& f, WaitingJob& job) {
    std::uint32_t id = 0;
    std::int64_t since = 0;
    std::int64_t until = 0;
    f("job", id);
    f("since_us", since);
    f("until_us", until);
    job.job = JobId(id);
    job.since = trace_time(since);
    job.until = trace_time(until);
    waiting_job_fields(f, job);
  });
}

template <class Fields, class Choices>
void choice_fields(Fields& fields, Choices& choices) {
  fields.list("choices", choices, [](auto& f, auto& choice) {
    constexpr bool is_output = std::is_const_v<std::remove_reference_t<decltype(choice)>>;
    std::int64_t at = to_microseconds(choice.at);
    std::uint32_t job = choice.job.value();
    f("at_us", at);
    f("job", job);
    if constexpr (!is_output) {
      choice.at = trace_time(at);
      choice.job = JobId(job);
    }
    f("node", choice.chosen);
    f("candidates", choice.candidates);
    f("excluded", choice.excluded);
    f.list("best", choice.best, [](auto& g, auto& ranked) {
      g("node", ranked.node);
      g("scores", ranked.scores);
    });
  });
}

template <class Fields, class Page>
void queue_page_fields(Fields& fields, Page& page) {
  std::int64_t at = to_microseconds(page.at);
  fields("at_us", at);
  if constexpr (!std::is_const_v<Page>) page.at = trace_time(at);
  fields("used_share", page.used_share);
  fields("queues_in_all", page.queues_in_all);
  fields.list("queues", page.queues, [](auto& f, auto& queue) {
    f("path", queue.path);
    f("leaf", queue.is_leaf);
    f("used_share", queue.used_share);
    f("figures", queue.figures);
  });
}

template <class Fields, class Bytes>
void served_fields(Fields& fields, Bytes& served) {
  fields.object("served_bytes", [&](auto& f) {
    f("node_local", served.node_local);
    f("rack_local", served.rack_local);
    f("off_rack", served.off_rack);
  });
}

void write_end(JsonOutput& fields, const RunEnd& end, const ResourceDimensions& dimensions) {
  fields("ended", name(end.outcome));
  if (!end.reason.empty()) fields("reason", end.reason);
  if (end.stall) {
    fields.object("stall", [&](JsonOutput& f) { write_stall(f, *end.stall, dimensions); });
  }
  end_fields(fields, end);
  if (!end.rejections.empty()) fields("rejections", end.rejections);
  if (!end.failures.empty()) fields("failures", end.failures);
  if (end.decide_seconds) spread_fields(fields, "decide_seconds", *end.decide_seconds);
  if (!end.machine_loads.empty()) load_fields(fields, end.machine_loads);
  if (end.served_bytes) served_fields(fields, *end.served_bytes);
  fields.object("waiting", [&](JsonOutput& f) { write_waiting(f, end.waiting); });
  if (!end.choices.empty()) choice_fields(fields, end.choices);
  if (end.queue_page.queues.empty()) return;
  fields.object("queue_page", [&](JsonOutput& f) { queue_page_fields(f, end.queue_page); });
}

RunEnd read_end(JsonInput& fields, const ResourceDimensions& dimensions) {
  RunEnd end;
  std::string ended;
  fields("ended", ended);
  const auto* const found =
      std::find_if(recorded_outcomes.begin(), recorded_outcomes.end(),
                   [&](RunOutcome outcome) { return name(outcome) == ended; });
  if (found == recorded_outcomes.end()) {
    fields.refuse_value("ended", "\"complete\", \"cancelled\", \"stalled\" or \"failed\"");
  }
  end.outcome = *found;
  if (fields.has("reason")) fields("reason", end.reason);
  if (fields.has("stall")) {
    fields.object("stall", [&](JsonInput& f) { read_stall(f, end.stall.emplace(), dimensions); });
  }
  end_fields(fields, end);
  if (fields.has("rejections")) fields("rejections", end.rejections);
  if (fields.has("failures")) fields("failures", end.failures);
  if (fields.has("decide_seconds")) {
    spread_fields(fields, "decide_seconds", end.decide_seconds.emplace());
  }
  if (fields.has("machine_loads")) load_fields(fields, end.machine_loads);
  if (fields.has("served_bytes")) served_fields(fields, end.served_bytes.emplace());
  if (fields.has("waiting")) {
    fields.object("waiting", [&](JsonInput& f) { read_waiting(f, end.waiting); });
  }
  if (fields.has("choices")) choice_fields(fields, end.choices);
  if (fields.has("queue_page")) {
    fields.object("queue_page", [&](JsonInput& f) { queue_page_fields(f, end.queue_page); });
  }
  return end;
}

constexpr const char* task_rows_format_key = "task_rows_format";
constexpr std::string_view zstd_format = "zstd";

TaskRows read_task_rows(JsonInput& fields) {
  bool has_rows = false;
  fields("task_rows", has_rows);
  if (!has_rows) return TaskRows::none;
  if (!fields.has(task_rows_format_key)) return TaskRows::csv;
  std::string format;
  fields(task_rows_format_key, format);
  if (format != zstd_format) fields.refuse_value(task_rows_format_key, "\"zstd\"");
  return TaskRows::zstd;
}

// Looked at first: another version may differ in everything else.
void check_format(const Json& root, const std::filesystem::path& path) {
  JsonInput fields(root, path.string());
  std::string format;
  std::uint32_t version = 0;
  fields("format", format);
  if (format != "tracebed-run") fields.refuse_value("format", "\"tracebed-run\"");
  fields("version", version);
  check_format_version(path, version, format_version);
}

}  // namespace

FileChecksum write_run_json(const std::filesystem::path& path, const RunRecord& record,
                            const RunMetrics* metrics) {
  Json root;
  JsonOutput fields(root);
  fields("format", "tracebed-run");
  fields("version", format_version);
  description_fields(fields, record.description);
  write_machines(fields, record.description);
  fields("task_rows", record.task_rows != TaskRows::none);
  if (record.task_rows == TaskRows::zstd) fields(task_rows_format_key, zstd_format);
  fields("has_ended", record.end.has_value());
  if (record.end) {
    const ResourceDimensions dimensions(record.description.extra_dimensions);
    fields.object("end", [&](JsonOutput& f) { write_end(f, *record.end, dimensions); });
    fields.object("summary", [&](JsonOutput& f) { write_metrics(f, *metrics, dimensions); });
  }
  fields.list("files", record.files,
              [](JsonOutput& f, const ListedFile& file) { listed_file_fields(f, file); });
  const std::string text = with_own_checksum(std::move(root));
  replace_file(path, text);
  return checksum_of(text);
}

RunRecord read_run_json(const std::filesystem::path& path) {
  FileWindow file(path, nullptr);
  const std::span<const std::byte> bytes = file.bytes(0, static_cast<std::size_t>(file.size()));
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const Json root = parse_json_file(path, text);
  check_format(root, path);
  check_own_checksum(path, text);
  JsonInput fields(root, path.string());
  RunRecord record;
  description_fields(fields, record.description);
  if (record.description.extra_dimensions.size() > Resources::dimensions_max - 2) {
    fields.refuse_value("extra_dimensions", "at most six names");
  }
  read_machines(fields, record.description);
  record.task_rows = read_task_rows(fields);
  fields.list("files", record.files,
              [](JsonInput& f, ListedFile& listed) { listed_file_fields(f, listed); });
  bool has_ended = false;
  fields("has_ended", has_ended);
  if (!has_ended) return record;
  const ResourceDimensions dimensions(record.description.extra_dimensions);
  fields.object("end", [&](JsonInput& f) { record.end = read_end(f, dimensions); });
  fields.object("summary", [&](JsonInput& f) {
    if (f.has("starvation")) {
      f.object("starvation", [&](JsonInput& s) { starvation_fields(s, record.end->starvation); });
    }
    f.object("attempts", [&](JsonInput& a) { attempt_fields(a, record.attempts); });
    f.object("utilisation", [&](JsonInput& u) {
      for (std::size_t d = 0; d < dimensions.size(); ++d) {
        u(dimensions.name(d).c_str(), record.utilisation[d]);
      }
    });
  });
  return record;
}

}  // namespace tracebed

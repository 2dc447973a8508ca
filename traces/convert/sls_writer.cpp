#include "traces/convert/sls_writer.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace tracebed {
namespace {

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

const char* master_of(JobKind kind) {
  switch (kind) {
    case JobKind::map_reduce:
      return "mapreduce";
    case JobKind::service:
      return "stream";
    case JobKind::dag:
    case JobKind::rigid:
      break;
  }
  return "dag";
}

}  // namespace

SlsWriter::SlsWriter(const std::string& path, const Names& names) : TextJobWriter(path, names) {}

std::int64_t SlsWriter::whole_milliseconds(Duration duration, const char* field) {
  lost().add_if(duration % milliseconds(1) != Duration{}, field);
  return (duration + microseconds(500)) / milliseconds(1);
}

void SlsWriter::count_losses(const Job& job) {
  lost().add_if(job.priority != 0, "priorities of jobs");
  lost().add_if(job.requested_time != Duration{}, "limits of jobs' run times");
  lost().add_if(job.deadline != Duration{}, "deadlines of jobs");
  lost().add_if(job.kind == JobKind::rigid, "gangs, whose tasks now start one by one");
}

void SlsWriter::count_losses(const Stage& stage) {
  lost().add(
      "stages' amounts beyond vcores and memory",
      stage.demand == Resources(stage.demand.milli_vcores(), stage.demand.memory_mib()) ? 0 : 1);
  lost().add_if(stage.demand.milli_vcores() % 1000 != 0, "parts of vcores, rounded up");
  lost().add_if(!stage.input_path.empty(), "paths of stages' input");
  lost().add("stages that another needs", stage.needs.size());
  lost().add_if(!stage.node_labels.empty(), "labels that stages ask for");
  for (const TaskRun& run : stage.runs) {
    lost().add_if(run.work.duration < milliseconds(1), "run times under 1 ms, made 1 ms");
    lost().add("tasks' bytes read from HDFS", run.work.input_bytes > 0 ? run.count : 0);
    lost().add("tasks' bytes fetched from other tasks", run.work.shuffle_bytes > 0 ? run.count : 0);
    lost().add("tasks' bytes written", run.work.output_bytes > 0 ? run.count : 0);
    lost().add("tasks' CPU time and touched memory", run.count);
  }
}

void SlsWriter::add_task(const Stage& stage, const TaskRun& run, std::uint32_t count,
                         std::string_view more, bool& is_first) {
  const bool is_reduce = stage.kind == StageKind::reduce;
  fmt::format_to(
      std::back_inserter(text_),
      "{}\n  {{\"count\":{},\"container.duration.ms\":{},\"container.memory-mb\":{},"
      "\"container.vcores\":{},\"container.priority\":{},\"container.type\":\"{}\"{}}}",
      is_first ? "" : ",", count,
      std::max<std::int64_t>(
          1, whole_milliseconds(run.work.duration, "microseconds of run times, rounded")),
      stage.demand.memory_mib(), (stage.demand.milli_vcores() + 999) / 1000, is_reduce ? 10 : 20,
      is_reduce ? "reduce" : "map", more);
  is_first = false;
  constexpr std::size_t large = std::size_t{1} << 18;
  if (text_.size() < large) return;
  file().write(text_);
  text_.clear();
}

void SlsWriter::add_stage(const Job& job, const Stage& stage, bool& is_first) {
  std::string delay;
  if (job.kind == JobKind::dag && stage.delay > Duration{}) {
    delay = fmt::format(",\"container.request.delay\":{}",
                        whole_milliseconds(stage.delay, "microseconds of delays, rounded"));
  }
  std::uint32_t task = 0;
  for (const TaskRun& run : stage.runs) {
    if (stage.places.is_empty()) {
      add_task(stage, run, run.count, delay, is_first);
      continue;
    }
    for (std::uint32_t i = 0; i < run.count; ++i, ++task) {
      const auto hosts = stage.places.of(task);
      std::string more = delay;
      if (!hosts.empty()) {
        more += fmt::format(",\"container.host\":{}",
                            json_text("/default-rack/" + stage.places.hosts[hosts.front()]));
        lost().add("hosts of a task's input beyond the first", hosts.size() - 1);
      }
      add_task(stage, run, 1, more, is_first);
    }
  }
}

bool SlsWriter::add(const Job& job) {
  count_losses(job);
  text_.clear();
  fmt::format_to(
      std::back_inserter(text_),
      "{{\"am.type\":\"{}\",\"job.start.ms\":{},\"job.id\":{},\"job.user\":{},"
      "\"job.queue.name\":{},\"job.tasks\":[",
      master_of(job.kind),
      whole_milliseconds(job.submit.time_since_epoch(), "microseconds of submit times, rounded"),
      json_text(job.name), json_text(user_of(job)), json_text(queue_of(job)));
  bool is_first = true;
  for (const Stage& stage : job.stages) {
    count_losses(stage);
    add_stage(job, stage, is_first);
  }
  text_ += "]}\n";
  file().write(text_);
  return true;
}

}  // namespace tracebed

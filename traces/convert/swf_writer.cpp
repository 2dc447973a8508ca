#include "traces/convert/swf_writer.h"

#include <algorithm>
#include <fmt/format.h>

#include "traces/parts/text_numbers.h"
#include "traces/workload_totals.h"

namespace tracebed {
namespace {

// Names that are no numbers are numbered from here on, above those that are.
constexpr std::int64_t first_made_up = 1'000'000'000;

bool is_number(std::string_view text) {
  constexpr std::size_t digits_max = 9;
  const bool is_plain = text == "0" || (!text.empty() && text.front() != '0');
  return is_plain && text.size() <= digits_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The longest of its runs stands for a gang; its tasks begin and end together.
Work work_of_gang(const Stage& stage) {
  const auto longest = std::max_element(
      stage.runs.begin(), stage.runs.end(),
      [](const TaskRun& a, const TaskRun& b) { return a.work.duration < b.work.duration; });
  return longest->work;
}

}  // namespace

SwfWriter::SwfWriter(const std::string& path, std::string_view remark,
                     std::optional<std::int64_t> processors, const Names& names)
    : TextJobWriter(path, names) {
  file().write(fmt::format("; Version: 2.2\n; Note: {}\n", remark));
  if (processors) file().write(fmt::format("; MaxProcs: {}\n", *processors));
}

std::int64_t SwfWriter::number_of(const Job& job) {
  if (is_number(job.name)) return read_whole(job.name).value;
  lost().add("names of jobs, which are numbered");
  return first_made_up + static_cast<std::int64_t>(job.id.value());
}

std::int64_t SwfWriter::number_in(std::string_view name, std::string_view prefix,
                                  std::string_view unknown, std::uint32_t id, const char* field) {
  if (name == unknown) return -1;
  if (name.starts_with(prefix) && is_number(name.substr(prefix.size()))) {
    return read_whole(name.substr(prefix.size())).value;
  }
  lost().add(field);
  return first_made_up + static_cast<std::int64_t>(id);
}

void SwfWriter::count_losses(const Job& job, const Stage& stage, const Work& work) {
  const Resources& demand = stage.demand;
  lost().add_if(job.priority != 0, "priorities of jobs");
  lost().add_if(job.deadline != Duration{}, "deadlines of jobs");
  lost().add_if(job.kind == JobKind::service, "services, which now run once and end");
  lost().add_if(demand.milli_vcores() != 1000,
                "vcores of a processor (rule swf.processor_vcores sets one for all)");
  lost().add_if(!(demand == Resources(demand.milli_vcores(), demand.memory_mib())),
                "jobs' amounts beyond vcores and memory");
  lost().add_if(stage.runs.size() > 1, "differences between the tasks of a gang");
  lost().add_if(!stage.input_path.empty(), "paths of jobs' input");
  lost().add_if(!stage.places.is_empty(), "places of jobs' input");
  lost().add_if(stage.delay > Duration{}, "delays of jobs' stages");
  lost().add_if(!stage.node_labels.empty(), "labels that jobs ask for");
  lost().add_if(work.input_bytes > 0, "bytes read from HDFS");
  lost().add_if(work.shuffle_bytes > 0, "bytes fetched from other tasks");
  lost().add_if(work.output_bytes > 0, "bytes written");
  lost().add_if(work.cpu_time > work.duration, "CPU time above a processor's run time");
}

bool SwfWriter::add(const Job& job) {
  const std::uint64_t tasks = task_count(job);
  if (job.kind != JobKind::rigid && tasks != 1) {
    lost().add("jobs left out, since they are not rigid and have several tasks");
    return false;
  }
  const Stage& stage = job.stages.front();
  const Work work = work_of_gang(stage);
  count_losses(job, stage, work);
  constexpr std::int64_t kilobytes = 1024;  // of a MiB
  const auto seconds_text = [](Duration duration) { return decimal_text(duration.count()); };
  const std::int64_t user =
      number_in(user_of(job), "user", "unknown", job.user.value(), "names of users, numbered");
  const std::int64_t queue =
      number_in(queue_of(job), "queue", "default", job.queue.value(), "names of queues, numbered");
  const std::string limit =
      job.requested_time > Duration{} ? seconds_text(job.requested_time) : "-1";
  file().write(fmt::format("{} {} -1 {} {} {} {} {} {} {} 1 {} -1 -1 {} -1 -1 -1\n", number_of(job),
                           seconds_text(job.submit.time_since_epoch()), seconds_text(work.duration),
                           tasks, seconds_text(work.cpu_time), work.memory_mib * kilobytes, tasks,
                           limit, stage.demand.memory_mib() * kilobytes, user, queue));
  return true;
}

}  // namespace tracebed

#include "core/workload.h"

#include <algorithm>

#include "core/check.h"

namespace tracebed {
namespace {

Duration longest_task(const Stage& stage) {
  Duration longest{};
  for (const TaskRun& run : stage.runs) longest = std::max(longest, run.work.duration);
  return longest;
}

Duration longest_way(const std::vector<Stage>& stages) {
  std::vector<Duration> ends(stages.size());
  Duration last{};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    Duration ready{};
    for (const std::uint16_t needed : stages[i].needs) {
      TRACEBED_CHECK(needed < i, "a stage stands behind those it needs");
      ready = std::max(ready, ends[needed]);
    }
    ends[i] = ready + stages[i].delay + longest_task(stages[i]);
    last = std::max(last, ends[i]);
  }
  return last;
}

}  // namespace

std::span<const std::uint32_t> InputPlaces::of(std::uint32_t index) const {
  TRACEBED_CHECK(index < ends.size(), "places are asked only for a task that has some");
  const std::uint32_t begin = index == 0 ? 0 : ends[index - 1];
  return std::span(entries).subspan(begin, ends[index] - begin);
}

void InputPlaces::clear() {
  hosts.clear();
  ends.clear();
  entries.clear();
}

InputSplit split_of(const InputFile& file, std::uint32_t tasks, std::uint32_t index) {
  TRACEBED_CHECK(index < tasks, "a split is asked only for a task of the stage");
  const std::int64_t count = tasks;
  const std::int64_t block = file.block_size;
  const bool are_blocks =
      block > 0 && file.size / block + (file.size % block == 0 ? 0 : 1) == count;
  if (are_blocks) {
    const std::int64_t offset = index * block;
    return {offset, std::min(block, file.size - offset)};
  }
  const std::int64_t share = file.size / count;
  const std::int64_t rest = file.size % count;
  return {share * index + std::min<std::int64_t>(index, rest), share + (index < rest ? 1 : 0)};
}

void clear(Stage& stage) {
  stage.kind = StageKind::map;
  stage.demand = Resources();
  stage.runs.clear();
  stage.input_path.clear();
  stage.places.clear();
  stage.input = {};
  stage.needs.clear();
  stage.delay = Duration{};
  stage.node_labels.clear();
}

Duration ideal_duration(const Job& job) {
  if (job.kind == JobKind::dag || job.kind == JobKind::service) return longest_way(job.stages);
  Duration sum{};
  for (const Stage& stage : job.stages) sum += longest_task(stage);
  return sum;
}

Work at_speed(const Work& work, std::uint32_t speed) {
  TRACEBED_CHECK(speed > 0, "a machine has a speed");
  const auto scaled = [&](Duration time) {
    return Duration(time.count() * 1'000 / static_cast<std::int64_t>(speed));
  };
  Work scaled_work = work;
  scaled_work.cpu_time = scaled(work.cpu_time);
  const Duration busy = std::min(work.duration, work.cpu_time);
  scaled_work.duration = work.duration - busy + scaled(busy);
  return scaled_work;
}

std::uint32_t task_count(const Stage& stage) {
  std::uint32_t count = 0;
  for (const TaskRun& run : stage.runs) count += run.count;
  return count;
}

const Work& work_of(const Stage& stage, std::uint32_t index) {
  for (const TaskRun& run : stage.runs) {
    if (index < run.count) return run.work;
    index -= run.count;
  }
  invariant_failed("index < task_count(stage)", __FILE__, __LINE__,
                   "a stage has the task asked for");
}

}  // namespace tracebed

#include "coordinator/engine/map_outputs.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "core/input_paths.h"
#include "core/shuffle.h"
#include "core/shuffle_work.h"
#include "core/spills.h"

namespace tracebed {
namespace {

std::vector<std::uint16_t> sources_of(const Job& job, std::size_t stage) {
  if (job.kind == JobKind::dag) return job.stages[stage].needs;
  std::vector<std::uint16_t> maps;
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    if (job.stages[stage].kind == StageKind::reduce && job.stages[i].kind == StageKind::map) {
      maps.push_back(static_cast<std::uint16_t>(i));
    }
  }
  return maps;
}

}  // namespace

template <class Visitor>
void MapOutputs::visit_fetching(const std::vector<Exchange>& exchanges, TaskRef task,
                                Visitor&& visit) {
  for (const Exchange& exchange : exchanges) {
    const auto first = exchange.first_source.find(task.stage);
    if (first != exchange.first_source.end()) visit(exchange, first->second + task.index);
  }
}

void MapOutputs::job_opened(const Job& job) {
  if (!options_ || !has_files(job.kind)) return;
  std::vector<Exchange> exchanges;
  for (std::size_t i = 0; i < job.stages.size(); ++i) {
    Exchange exchange;
    exchange.stage = static_cast<std::uint16_t>(i);
    for (const std::uint16_t stage : sources_of(job, i)) {
      exchange.first_source.emplace(stage, exchange.sources);
      exchange.sources += task_count(job.stages[stage]);
    }
    std::uint32_t task = 0;
    for (const TaskRun& run : job.stages[i].runs) {
      exchange.runs.push_back({task, task + run.count, exchange.bytes, run.work.shuffle_bytes});
      task += run.count;
      exchange.bytes += run.work.shuffle_bytes * run.count;
    }
    if (exchange.sources > 0 && exchange.bytes > 0) exchanges.push_back(std::move(exchange));
  }
  if (exchanges.empty()) return;
  exchanges_.emplace(job.id, std::move(exchanges));
  if (job.kind == JobKind::map_reduce) spilling_.insert(job.id);
}

void MapOutputs::add_to(TaskWork& work, JobId job, TaskRef task) {
  work.shuffle_job = work.map_output_length = work.shuffle_stage = work.shuffle_sources = 0;
  work.shuffle_offset = work.shuffle_length = work.shuffle_copies = 0;
  if (!options_) work.spilled_length = 0;
  if (options_ && (keeps_input(work) || takes_kept_input(work) || work.spilled_length > 0)) {
    work.shuffle_job = job.value();
    keeping_.insert(job);
  }
  const auto found = exchanges_.find(job);
  if (found == exchanges_.end()) return;
  work.shuffle_job = job.value();
  visit_fetching(found->second, task, [&](const Exchange& exchange, std::uint32_t source) {
    work.map_output_length += shuffled_from(source, exchange.sources, exchange.bytes);
  });
  for (const Exchange& exchange : found->second) {
    if (exchange.stage != task.stage) continue;
    const auto run = std::find_if(exchange.runs.begin(), exchange.runs.end(),
                                  [&](const FetchRun& one) { return task.index < one.end; });
    TRACEBED_CHECK(run != exchange.runs.end(), "a stage has the task that is launched");
    work.shuffle_stage = exchange.stage;
    work.shuffle_sources = exchange.sources;
    work.shuffle_offset = run->offset + run->bytes * (task.index - run->first);
    work.shuffle_length = run->bytes;
    work.shuffle_copies = options_->parallel_copies;
  }
  if (options_->sort_bytes > 0 && spilling_.contains(job)) {
    // What a master has its tasks spill for want of heap comes on top.
    spill_besides(work, spilled_by_map(work.map_output_length, options_->sort_bytes) +
                            spilled_by_reduce(work.shuffle_length));
  }
}

void MapOutputs::ended(JobId job, TaskRef task, ContainerId container, NodeId node,
                       ContainerEnd end) {
  if (end != ContainerEnd::succeeded) return;
  const auto found = exchanges_.find(job);
  if (found == exchanges_.end()) return;
  std::int64_t offset = 0;
  visit_fetching(found->second, task, [&](const Exchange& exchange, std::uint32_t source) {
    const std::int64_t bytes = shuffled_from(source, exchange.sources, exchange.bytes);
    if (bytes == 0) return;
    context_.command<MapOutputReady>(job, exchange.stage, source, container, node, offset);
    offset += bytes;
  });
}

void MapOutputs::job_ended(JobId job) {
  spilling_.erase(job);
  if (exchanges_.erase(job) + keeping_.erase(job) > 0) context_.command<RemoveMapOutputs>(job);
}

}  // namespace tracebed

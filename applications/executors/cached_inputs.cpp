#include "applications/executors/cached_inputs.h"

#include <algorithm>

#include "core/input_paths.h"

namespace tracebed {
namespace {

bool are_of_one_input(const Stage& one, const Stage& other) {
  return one.kind == StageKind::map && other.kind == StageKind::map && !one.input_path.empty() &&
         one.input_path == other.input_path && task_count(one) == task_count(other) &&
         input_bytes_of(one) > 0 && input_bytes_of(one) == input_bytes_of(other);
}

}  // namespace

CachedInputs::CachedInputs(std::span<const Stage> stages, std::int64_t executor_bytes)
    : executor_bytes_(executor_bytes), input_of_(stages.size()) {
  for (std::size_t i = 0; i < stages.size() && executor_bytes_ > 0; ++i) {
    if (stages[i].input_path.empty()) continue;
    auto input = std::find_if(inputs_.begin(), inputs_.end(), [&](const Input& known) {
      return are_of_one_input(stages[known.first_stage], stages[i]);
    });
    if (input == inputs_.end()) {
      const bool is_read_again =
          std::any_of(stages.begin() + static_cast<std::ptrdiff_t>(i) + 1, stages.end(),
                      [&](const Stage& later) { return are_of_one_input(stages[i], later); });
      if (!is_read_again) continue;
      inputs_.push_back({i, StageWork(std::vector<TaskRun>(stages[i].runs)), {}});
      inputs_.back().holders.resize(task_count(stages[i]));
      input = inputs_.end() - 1;
    }
    input_of_[i] = static_cast<std::size_t>(input - inputs_.begin());
  }
}

std::span<const ExecutorPlace> CachedInputs::holders(TaskRef task) const {
  if (!is_shared(task.stage)) return {};
  return inputs_[*input_of_[task.stage]].holders[task.index];
}

std::int64_t CachedInputs::bytes_of(const Block& block) const {
  return inputs_[block.input].work.work(block.task).input_bytes;
}

void CachedInputs::was_dropped(ExecutorId executor, const Block& block) {
  std::erase_if(inputs_[block.input].holders[block.task],
                [&](const ExecutorPlace& place) { return place.executor == executor; });
}

void CachedInputs::was_read(TaskRef task, const ExecutorPlace& by) {
  if (!is_shared(task.stage)) return;
  const Block block{*input_of_[task.stage], task.index};
  if (bytes_of(block) > executor_bytes_) return;
  MemoryStore<Block>& store = stores_[by.executor];
  if (store.contains(block)) return;
  const auto dropped = store.put(block, bytes_of(block), executor_bytes_);
  if (!dropped) return;
  for (const Block& other : *dropped) was_dropped(by.executor, other);
  inputs_[block.input].holders[block.task].push_back(by);
}

std::optional<ExecutorPlace> CachedInputs::take(TaskRef task, const ExecutorPlace& by) {
  const std::span<const ExecutorPlace> all = holders(task);
  if (all.empty()) return std::nullopt;
  auto holder = std::find(all.begin(), all.end(), by);
  if (holder == all.end()) {
    holder = std::find_if(all.begin(), all.end(),
                          [&](const ExecutorPlace& one) { return one.node == by.node; });
  }
  if (holder == all.end()) holder = all.begin();
  stores_[holder->executor].use({*input_of_[task.stage], task.index});
  return *holder;
}

void CachedInputs::forget(ExecutorId executor) {
  const auto store = stores_.find(executor);
  if (store == stores_.end()) return;
  for (MemoryStore<Block>& kept = store->second; !kept.empty();) {
    const Block block = kept.first();
    was_dropped(executor, block);
    kept.erase(block);
  }
  stores_.erase(store);
}

}  // namespace tracebed

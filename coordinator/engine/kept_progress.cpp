#include "coordinator/engine/kept_progress.h"

#include <algorithm>

namespace tracebed {

void KeptProgress::container_ended(const ContainerState& container, bool is_gang, ContainerEnd end,
                                   std::uint32_t progress) {
  if (end == ContainerEnd::succeeded) {
    // If it has to run once more, since its output was lost, it does so from the beginning.
    tasks_.erase(container.task);
    return;
  }
  const bool is_kept = end == ContainerEnd::checkpointed;
  const std::uint32_t done = progress_after(container.progress, progress);
  if (is_gang) {
    gang_.is_over = true;
    gang_.is_void |= !is_kept;
    if (is_kept) gang_.least = std::min(gang_.least, done);
  } else if (is_kept && done > 0) {
    tasks_[container.task] = done;
  }
}

std::uint32_t KeptProgress::resume(TaskRef task, TaskWork& work) {
  if (gang_.is_over) gang_ = {.before = gang_.is_void ? gang_.before : gang_.least};
  std::uint32_t progress = gang_.before;
  if (const auto known = tasks_.find(task); known != tasks_.end()) progress = known->second;
  if (progress > 0) work = rest_of(work, progress);
  return progress;
}

}  // namespace tracebed

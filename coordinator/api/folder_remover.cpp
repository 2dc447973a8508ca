#include "coordinator/api/folder_remover.h"

#include <chrono>
#include <spdlog/spdlog.h>
#include <system_error>
#include <utility>

namespace tracebed {

FolderRemover::FolderRemover(std::function<bool()> afterwards)
    : afterwards_(std::move(afterwards)) {
  worker_ = std::thread([this] { work(); });
}

FolderRemover::~FolderRemover() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
  }
  changed_.notify_all();
  worker_.join();
}

void FolderRemover::remove(std::filesystem::path folder) {
  const std::lock_guard lock(mutex_);
  folders_.push_back(std::move(folder));
  changed_.notify_all();
}

void FolderRemover::work() {
  constexpr std::chrono::minutes until_again{1};
  bool is_done = !afterwards_;
  std::unique_lock lock(mutex_);
  for (;;) {
    if (is_closing_) return;
    if (!folders_.empty()) {
      const std::filesystem::path folder = std::move(folders_.front());
      folders_.pop_front();
      lock.unlock();
      remove_now(folder);
      is_done = !afterwards_;
      lock.lock();
      continue;
    }
    const auto has_work = [this] { return is_closing_ || !folders_.empty(); };
    if (!is_done) {
      lock.unlock();
      is_done = afterwards_();
      lock.lock();
      if (!is_done) changed_.wait_for(lock, until_again, has_work);
    } else {
      changed_.wait(lock, has_work);
    }
  }
}

void FolderRemover::remove_now(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  if (error) spdlog::error("{} cannot be deleted: {}", folder.string(), error.message());
}

}  // namespace tracebed

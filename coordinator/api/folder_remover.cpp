#include "coordinator/api/folder_remover.h"

#include <spdlog/spdlog.h>
#include <system_error>
#include <utility>

namespace tracebed {

FolderRemover::FolderRemover() {
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
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_closing_ || !folders_.empty(); });
    if (is_closing_) return;
    const std::filesystem::path folder = std::move(folders_.front());
    folders_.pop_front();
    lock.unlock();
    std::error_code error;
    std::filesystem::remove_all(folder, error);
    if (error) spdlog::error("{} cannot be deleted: {}", folder.string(), error.message());
    lock.lock();
  }
}

}  // namespace tracebed

// Deletes folders with their contents, one after the other, in a thread of its own, so that no
// request waits for that.
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

namespace tracebed {

class FolderRemover {
 public:
  // `afterwards` is called by that thread at first, and whenever all folders are deleted; while it
  // returns false, again each minute. It may be empty.
  explicit FolderRemover(std::function<bool()> afterwards = {});
  // Ends after the folder that it is deleting.
  ~FolderRemover();
  FolderRemover(const FolderRemover&) = delete;
  FolderRemover& operator=(const FolderRemover&) = delete;

  void remove(std::filesystem::path folder);

 private:
  void work();
  void remove_now(const std::filesystem::path& folder);

  const std::function<bool()> afterwards_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::filesystem::path> folders_;
  bool is_closing_ = false;
  std::thread worker_;  // last: it uses all of the above
};

}  // namespace tracebed

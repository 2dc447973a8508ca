// Deletes folders with all that they hold, one after the other, by a thread of its own: nobody who
// is answered meanwhile waits for that.
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>

namespace tracebed {

class FolderRemover {
 public:
  FolderRemover();
  // Ends after the folder that it is at.
  ~FolderRemover();
  FolderRemover(const FolderRemover&) = delete;
  FolderRemover& operator=(const FolderRemover&) = delete;

  void remove(std::filesystem::path folder);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::filesystem::path> folders_;
  bool is_closing_ = false;
  std::thread worker_;  // last: it uses all of the above
};

}  // namespace tracebed

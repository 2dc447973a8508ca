// What the threads of a datanode report, until the thread that has the connection sends it.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

#include "agents/datanode/namenode_link.h"
#include "system/event_descriptor.h"

namespace tracebed {

class QueuedLink final : public NamenodeLink {
 public:
  struct Stored {
    std::uint64_t order = 0;
    Status result;
  };
  using News = std::variant<ReplicaChange, Call, Stored>;

  void report(const ReplicaChange& change) override { add(change); }
  void call(const Call& call) override { add(call); }
  void stored(std::uint64_t order, const Status& result) override { add(Stored{order, result}); }

  // Readable when there is news.
  int descriptor() const { return has_news_.number(); }
  // In the order in which it came.
  std::vector<News> take() {
    const std::lock_guard lock(mutex_);
    has_news_.clear();
    return std::exchange(news_, {});
  }

 private:
  void add(News news) {
    const std::lock_guard lock(mutex_);
    news_.push_back(std::move(news));
    has_news_.ring();
  }

  std::mutex mutex_;  // guards what follows
  std::vector<News> news_;
  EventDescriptor has_news_;
};

}  // namespace tracebed

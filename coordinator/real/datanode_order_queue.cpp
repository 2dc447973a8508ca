#include "coordinator/real/datanode_order_queue.h"

#include <utility>

namespace tracebed {

void DatanodeOrderQueue::order(NodeId node, const DatanodeOrder& order, Done done) {
  std::string obstacle;
  {
    const std::lock_guard lock(mutex_);
    if (!is_open_) {
      obstacle = "no run with storage is in progress";
    } else if (unfinished_.size() >= orders_max) {
      obstacle = "too many orders wait for datanodes";
    } else {
      unfinished_.emplace(++last_number_, std::move(done));
      waiting_.push_back({last_number_, node, order});
      orders_wait_.ring();
      return;
    }
  }
  done(Error{std::move(obstacle)});
}

void DatanodeOrderQueue::open() {
  const std::lock_guard lock(mutex_);
  is_open_ = true;
}

void DatanodeOrderQueue::close(const std::string& reason) {
  std::map<std::uint64_t, Done> unfinished;
  {
    const std::lock_guard lock(mutex_);
    is_open_ = false;
    waiting_.clear();
    unfinished.swap(unfinished_);
    orders_wait_.clear();
  }
  for (auto& [number, done] : unfinished) done(Error{reason});
}

std::vector<DatanodeOrderQueue::Waiting> DatanodeOrderQueue::take() {
  const std::lock_guard lock(mutex_);
  orders_wait_.clear();
  return std::exchange(waiting_, {});
}

void DatanodeOrderQueue::finish(std::uint64_t number, const Status& status) {
  Done done;
  {
    const std::lock_guard lock(mutex_);
    const auto found = unfinished_.find(number);
    if (found == unfinished_.end()) return;
    done = std::move(found->second);
    unfinished_.erase(found);
  }
  done(status);
}

}  // namespace tracebed

// The name of a job's queue in a run's files: the full path of the leaf that the scheduler put it
// into, or the trace's queue if it put it into none.
#pragma once

#include <string>
#include <vector>

#include "core/check.h"
#include "core/ids.h"
#include "core/names.h"

namespace tracebed {

class QueueNames {
 public:
  // `names` outlives this, and may grow.
  explicit QueueNames(const Names& names) : names_(names) {}

  // The next leaf; ids ascend from 0.
  void add(LeafId leaf, const std::string& path) {
    TRACEBED_CHECK(leaf.index() == paths_.size(), "leaves are named in the order of their ids");
    paths_.push_back(path);
  }
  // Valid until the next leaf is added.
  const std::string& name(QueueId queue, LeafId leaf) const {
    return leaf.is_valid() ? paths_.at(leaf.index()) : names_.queues.name(queue);
  }

 private:
  const Names& names_;
  std::vector<std::string> paths_;  // by LeafId
};

}  // namespace tracebed

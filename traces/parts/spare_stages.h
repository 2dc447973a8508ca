// Stages that jobs of one reader do not need at the moment, with the memory of their lists, so that
// jobs of few and of many stages in turn do not allocate.
#pragma once

#include <utility>
#include <vector>

#include "core/workload.h"

namespace tracebed {

class SpareStages {
 public:
  // Resizes `stages` to `count`; the contents of added ones are unspecified.
  void resize(std::vector<Stage>& stages, std::size_t count) {
    while (stages.size() > count) {
      spare_.push_back(std::move(stages.back()));
      stages.pop_back();
    }
    while (stages.size() < count && !spare_.empty()) {
      stages.push_back(std::move(spare_.back()));
      spare_.pop_back();
    }
    if (stages.size() < count) stages.resize(count);
  }

 private:
  std::vector<Stage> spare_;
};

}  // namespace tracebed

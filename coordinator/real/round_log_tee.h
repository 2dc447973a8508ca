// Several logs as one: every round goes into each, in the order given.
#pragma once

#include <utility>
#include <vector>

#include "core/round_log.h"

namespace tracebed {

class RoundLogTee final : public RoundLog {
 public:
  // The logs outlive the tee.
  explicit RoundLogTee(std::vector<RoundLog*> logs) : logs_(std::move(logs)) {}

  void append(const Round& round) override {
    for (RoundLog* log : logs_) log->append(round);
  }
  void commit() override {
    for (RoundLog* log : logs_) log->commit();
  }

 private:
  std::vector<RoundLog*> logs_;
};

}  // namespace tracebed

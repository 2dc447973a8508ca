// The Thrift service over the queue of runs: checks what comes, translates what goes.
#pragma once

#include <filesystem>
#include <optional>

#include "Control.h"
#include "coordinator/api/run_queue.h"
#include "coordinator/real/agent_roster.h"

namespace tracebed {

class ControlService final : public control::ControlIf {
 public:
  // `traces` is the only folder whose traces a submitted experiment may name; none: no submissions
  // succeed. `check` throws InputError or EnvironmentError for an experiment that could not be run.
  using Check = std::function<void(const Experiment&)>;
  // `roster` is null if this coordinator listens for no agents.
  ControlService(RunQueue& queue, std::optional<std::filesystem::path> traces, Check check,
                 const AgentRoster* roster = nullptr);

  std::int64_t submit(const std::string& experiment, const std::string& name) override;
  void list_runs(std::vector<control::RunStatus>& runs, std::int32_t limit) override;
  void status(control::RunStatus& status, std::int64_t run) override;
  void refresh(std::int64_t run, const std::string& setting, const std::string& value) override;
  void cluster(control::ClusterStatus& status) override;
  void order(std::int64_t run, const control::Order& order) override;
  void cancel(std::int64_t run) override;

 private:
  void change(std::int64_t run, ChangeWish wish);
  Experiment parse(const std::string& text, const std::string& name) const;

  RunQueue& queue_;
  std::optional<std::filesystem::path> traces_;
  Check check_;
  const AgentRoster* roster_;
};

}  // namespace tracebed

// The Thrift service over the queue of runs: checks what comes, translates what goes.
#pragma once

#include <filesystem>
#include <optional>

#include "Control.h"
#include "coordinator/api/run_queue.h"

namespace tracebed {

class AgentRoster;
class LogBook;

class ControlService final : public control::ControlIf {
 public:
  // `traces` is the only folder whose traces a submitted experiment may name; none: no submissions
  // succeed. `check` throws InputError or EnvironmentError for an experiment that could not be run.
  using Check = std::function<void(const Experiment&)>;
  // `roster` is null if this coordinator listens for no agents, `book` if nobody keeps what is
  // logged.
  ControlService(RunQueue& queue, std::optional<std::filesystem::path> traces, Check check,
                 const AgentRoster* roster = nullptr, const LogBook* book = nullptr);

  void authenticate(const std::string& token) override;
  std::int64_t submit(const control::Submission& submission) override;
  void list_runs(std::vector<control::RunStatus>& runs, std::int32_t limit) override;
  void status(control::RunStatus& status, std::int64_t run) override;
  void list_files(std::vector<control::RunFile>& files, std::int64_t run,
                  const std::string& after) override;
  void read_file(std::string& bytes, std::int64_t run, const std::string& path,
                 std::int64_t offset) override;
  void refresh(std::int64_t run, const std::string& setting, const std::string& value) override;
  void cluster(control::ClusterStatus& status) override;
  void log_lines(std::vector<control::LogLine>& lines, const std::string& daemon,
                 std::int64_t after, std::int32_t limit) override;
  void order(std::int64_t run, const control::Order& order) override;
  void cancel(std::int64_t run) override;

 private:
  void change(std::int64_t run, ChangeWish wish);
  Experiment parse(const control::Submission& submission) const;
  // They throw UnknownRun, and the second RunHasNotEnded.
  RunEntry known(std::int64_t run) const;
  std::filesystem::path folder_of_ended(std::int64_t run) const;

  RunQueue& queue_;
  std::optional<std::filesystem::path> traces_;
  Check check_;
  const AgentRoster* roster_;
  const LogBook* book_;
};

}  // namespace tracebed

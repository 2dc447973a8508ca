// The Thrift service over the queue of runs: checks requests, converts answers. Any number of
// threads may call it at once.
#pragma once

#include <cstddef>
#include <filesystem>

#include "Control.h"
#include "coordinator/api/run_queue.h"
#include "coordinator/api/submission_reader.h"

namespace tracebed {

class AgentRoster;
class LogBook;
class RedisMonitor;

class ControlService final : public control::ControlIf {
 public:
  // A list ends with the entry that brings it to this size, so that no answer is longer than
  // control_frame_bytes_max.
  static constexpr std::size_t page_bytes_max = std::size_t{512} << 10;

  // All outlive it. `roster` is null if this coordinator listens for no agents, `book` if log lines
  // are not kept, `redis` if each run has a Redis of its own.
  ControlService(RunQueue& queue, const SubmissionReader& reader, AgentRoster* roster = nullptr,
                 const LogBook* book = nullptr, const RedisMonitor* redis = nullptr);

  void authenticate(const std::string& token) override;
  std::int64_t submit(const control::Submission& submission) override;
  void list_runs(std::vector<control::RunStatus>& runs, std::int32_t limit, std::int64_t before,
                 std::int64_t skip) override;
  void status(control::RunStatus& status, std::int64_t run) override;
  void list_files(std::vector<control::RunFile>& files, std::int64_t run,
                  const std::string& after) override;
  void read_file(std::string& bytes, std::int64_t run, const std::string& path,
                 std::int64_t offset) override;
  void refresh(std::int64_t run, const std::string& setting, const std::string& value,
               const std::string& file) override;
  void tune(std::int64_t run, const std::string& parameter, const std::string& value) override;
  void cluster(control::ClusterStatus& status, const std::string& after) override;
  void set_drained(const std::string& agent, bool is_drained, std::int64_t grace) override;
  void log_lines(std::vector<control::LogLine>& lines, const std::string& daemon,
                 std::int64_t after, std::int32_t limit) override;
  void execute(std::int64_t run, const control::AdministratorCommand& command) override;
  void cancel(std::int64_t run) override;
  void delete_run(std::int64_t run) override;

 private:
  void change(std::int64_t run, RequestedChange request);
  // They throw UnknownRun, and the second RunHasNotEnded.
  RunEntry known(std::int64_t run) const;
  std::filesystem::path folder_of_ended(std::int64_t run) const;

  RunQueue& queue_;
  const SubmissionReader& reader_;
  AgentRoster* roster_;
  const LogBook* book_;
  const RedisMonitor* redis_;
};

}  // namespace tracebed

// The control service of one connection: the shared service, with a record of each request and who
// made it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "Control.h"
#include "coordinator/api/audit_log.h"

namespace tracebed {

class AuditedControl final : public control::ControlIf {
 public:
  // Both outlive it; `log` may be null. `peer` is the connection's other end.
  AuditedControl(control::ControlIf& service, AuditLog* log, std::string peer)
      : service_(service), log_(log), peer_(std::move(peer)) {}

  // The name of the token that the connection has authenticated with.
  void known_as(std::string who) { who_ = std::move(who); }
  const std::string& peer() const { return peer_; }

  void authenticate(const std::string& token) override { service_.authenticate(token); }
  std::int64_t submit(const control::Submission& submission) override;
  void list_runs(std::vector<control::RunStatus>& runs, std::int32_t limit, std::int64_t before,
                 std::int64_t skip) override {
    service_.list_runs(runs, limit, before, skip);
  }
  void status(control::RunStatus& status, std::int64_t run) override {
    service_.status(status, run);
  }
  // The first page counts as fetching the run.
  void list_files(std::vector<control::RunFile>& files, std::int64_t run,
                  const std::string& after) override;
  void read_file(std::string& bytes, std::int64_t run, const std::string& path,
                 std::int64_t offset) override {
    service_.read_file(bytes, run, path, offset);
  }
  void refresh(std::int64_t run, const std::string& setting, const std::string& value,
               const std::string& file) override;
  void tune(std::int64_t run, const std::string& parameter, const std::string& value) override;
  void cluster(control::ClusterStatus& status, const std::string& after) override {
    service_.cluster(status, after);
  }
  void set_drained(const std::string& agent, bool is_drained, std::int64_t grace) override;
  void log_lines(std::vector<control::LogLine>& lines, const std::string& daemon,
                 std::int64_t after, std::int32_t limit) override {
    service_.log_lines(lines, daemon, after, limit);
  }
  void execute(std::int64_t run, const control::AdministratorCommand& command) override;
  void cancel(std::int64_t run) override;
  void delete_run(std::int64_t run) override;

 private:
  // Calls, and records the outcome; exceptions are rethrown.
  void audited(AuditRecord record, const std::function<void(AuditRecord&)>& call);

  control::ControlIf& service_;
  AuditLog* log_;
  std::string peer_;
  std::string who_;
};

}  // namespace tracebed

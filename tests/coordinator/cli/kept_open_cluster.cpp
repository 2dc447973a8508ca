#include "coordinator/cli/kept_open_cluster.h"

#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>

#include "core/exit_codes.h"
#include "support/eventually.h"
#include "support/files.h"

namespace tracebed {
namespace {

std::string found(const std::string& text, const std::string& pattern) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "";
}

std::string without_port(const std::string& address) {
  return address.substr(0, address.rfind(':'));
}

std::string trace_table(const KeptOpenOptions& options, const std::filesystem::path& folder) {
  if (options.jobs.empty()) return {};
  std::ofstream(folder / "jobs.tsv") << options.jobs;
  return "[trace]\nfile = \"jobs.tsv\"\n";
}

}  // namespace

KeptOpenCluster::KeptOpenCluster(const std::string& name, const KeptOpenOptions& options)
    : run_(name) {
  std::ofstream(run_.experiment())
      << fmt::format(R"(name = "{}"
world = "local"
schedulers = ["fifo"]
{}[cluster]
nodes = {}
racks = {}
vcores = 1
memory = "1 GiB"
[scale]
time = 10
cpu = 4
memory = 4
[storage]
block_size = "1 MiB"
{}
[storage.namenode]
{}
[masters]
{}
)",
                     run_.name(), trace_table(options, run_.folder()), options.nodes, options.racks,
                     options.storage, options.namenode, options.masters);
  program_.emplace(program_path("tracebed"),
                   std::vector<std::string>{"run", run_.experiment().string(), "--output",
                                            run_.runs().string()});
  program_->wait_until([&] { return program_->error().find("Thrift at ") != std::string::npos; });
  const std::string text = program_->error();
  namenode_ = found(text, "HADOOP_NAMENODE=([0-9.:]+)");
  web_ = found(text, "WebHDFS at (http://\\S+/webhdfs/v1)");
  thrift_ = found(text, "Thrift at ([0-9.:]+)");
  run_.processes(program_->id(), "");
}

KeptOpenCluster::~KeptOpenCluster() {
  if (!has_ended_) {
    const ProgramEnd end = interrupt();
    EXPECT_EQ(end.exit_code, to_int(ExitCode::interrupted)) << end.error;
  }
  eventually([&] { return run_.leftovers().empty(); });
  EXPECT_THAT(run_.leftovers(), ::testing::IsEmpty());
}

test::CommandResult KeptOpenCluster::sh(const std::string& command) const {
  return test::run_command(fmt::format(
      "cd '{}'; export HADOOP_NAMENODE={} HADOOP_USER_NAME=ann WEB={} STORAGE='{} storage'; {}",
      run_.folder().string(), namenode_, web_, program_path("tracebed").string(), command));
}

std::unique_ptr<RunningProgram> KeptOpenCluster::start(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), "storage");
  return std::make_unique<RunningProgram>(
      program_path("tracebed"), arguments,
      std::vector<std::string>{"HADOOP_NAMENODE=" + namenode_, "HADOOP_USER_NAME=ann"});
}

nlohmann::json KeptOpenCluster::json(const std::string& arguments) const {
  const test::CommandResult result = sh("$STORAGE " + arguments + " --json");
  EXPECT_EQ(result.status, 0) << result.output;
  return nlohmann::json::parse(result.output, nullptr, false);
}

test::CommandResult KeptOpenCluster::order(const std::string& arguments) const {
  return sh("$STORAGE " + arguments + " --thrift " + thrift_);
}

pid_t KeptOpenCluster::datanode(const std::string& address) {
  for (const pid_t id : run_.processes(program_->id(), "tracebed-datanode")) {
    const std::string words = contents(fmt::format("/proc/{}/cmdline", id));
    if (words.find('\0' + address + '\0') != std::string::npos) return id;
  }
  ADD_FAILURE() << "no datanode at " << address;
  return -1;
}

std::vector<std::string> KeptOpenCluster::holders(const std::string& path, int block) const {
  const nlohmann::json blocks = json("blocks " + path).at("blocks");
  const nlohmann::json& one =
      block < 0 ? blocks.back() : blocks.at(static_cast<std::size_t>(block));
  std::vector<std::string> addresses;
  for (const nlohmann::json& replica : one.at("replicas")) {
    addresses.push_back(without_port(replica.at("address")));
  }
  return addresses;
}

bool KeptOpenCluster::is_replicated() const {
  const nlohmann::json report = json("report");
  return report.at("under_replicated") == 0 && report.at("missing") == 0;
}

ProgramEnd KeptOpenCluster::interrupt() {
  run_.processes(program_->id(), "");
  program_->signal(SIGINT);
  has_ended_ = true;
  return program_->wait();
}

void KeptOpenCluster::kill() {
  run_.processes(program_->id(), "");
  program_->signal(SIGKILL);
  program_->wait();
  has_ended_ = true;
}

}  // namespace tracebed

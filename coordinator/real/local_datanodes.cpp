#include "coordinator/real/local_datanodes.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include "coordinator/real/local_cluster.h"
#include "core/check.h"
#include "core/input_error.h"
#include "system/secret_number.h"

namespace tracebed {
namespace {

std::string_view flag_of(ReplicaStoreKind store) {
  switch (store) {
    case ReplicaStoreKind::generated:
      return "generated";
    case ReplicaStoreKind::disk:
      return "disk";
  }
  TRACEBED_CHECK(false, "a store is of one of the known kinds");
}

}  // namespace

LocalDatanodes::LocalDatanodes(LocalDatanodeOptions options, std::vector<Machine> machines,
                               const LocalStorageFolder& folder)
    : options_(std::move(options)),
      machines_(std::move(machines)),
      folder_(folder),
      datanodes_(machines_.size()) {
  TRACEBED_CHECK(options_.links.size() == machines_.size(), "each machine's datanode has keys");
  try {
    const std::filesystem::path program = options_.programs / "tracebed-datanode";
    if (access(program.c_str(), X_OK) != 0) {
      throw EnvironmentError("the program " + program.string() + " is missing");
    }
    for (std::size_t i = 0; i < machines_.size(); ++i) start(i);
  } catch (...) {
    stop([](const std::string&) {});
    throw;
  }
}

LocalDatanodes::~LocalDatanodes() {
  stop([](const std::string&) {});
}

void LocalDatanodes::start(std::size_t index) {
  Entry& entry = datanodes_[index];
  entry.lifeline = Lifeline::make();
  const Result<FileDescriptor> secret =
      pipe_that_holds({secret_number(), options_.coordinator, options_.links[index]});
  if (!secret) {
    throw EnvironmentError("cannot pass a datanode its keys: " + secret.error().message);
  }
  ChildProcess::Start start;
  start.program = options_.programs / "tracebed-datanode";
  start.output = log_of(index);
  start.input = secret->number();
  start.inherited = entry.lifeline.reader.number();
  start.inherited_as = lifeline_number;
  start.arguments = {"--run",
                     options_.run,
                     "--name",
                     machines_[index].name,
                     "--address",
                     loopback_address(index),
                     "--folder",
                     folder_.replicas_of(index),
                     "--store",
                     std::string(flag_of(options_.store)),
                     "--capacity",
                     fmt::format("{}", options_.capacity),
                     "--socket-timeout-ms",
                     fmt::format("{}", options_.socket_timeout.count()),
                     "--isolation",
                     options_.isolation,
                     "--links",
                     folder_.links_file(),
                     "--lifeline-fd",
                     fmt::format("{}", lifeline_number)};
  entry.process.emplace(start);
  entry.lifeline.reader.reset();
  entry.is_end_reported = entry.has_crashed = entry.is_awaited = false;
}

void LocalDatanodes::crash(std::size_t index) {
  datanodes_[index].has_crashed = true;
  datanodes_[index].process->signal(SIGKILL);
}

void LocalDatanodes::bring_back(std::size_t index) {
  datanodes_[index].is_awaited = true;
}

void LocalDatanodes::look() {
  for (std::size_t i = 0; i < datanodes_.size(); ++i) {
    const auto end = datanodes_[i].process->poll();
    if (!end) continue;
    std::ifstream log(log_of(i));
    const std::string text{std::istreambuf_iterator<char>(log), {}};
    constexpr std::size_t words_max = 1'000;
    throw EnvironmentError(
        fmt::format("the datanode of {} {}: {}", machines_[i].name, end->describe(),
                    text.substr(text.size() - std::min(text.size(), words_max))));
  }
}

std::vector<LocalDatanodes::End> LocalDatanodes::find_ends() {
  std::vector<End> ends;
  for (std::size_t i = 0; i < datanodes_.size(); ++i) {
    Entry& entry = datanodes_[i];
    if (!entry.is_end_reported) {
      const auto end = entry.process->poll();
      if (!end) continue;
      entry.is_end_reported = true;
      ends.push_back({NodeId(i),
                      fmt::format("{} (its log: {})", end->describe(), log_of(i).string()),
                      entry.has_crashed, end->exit_code == 0 && end->signal == 0});
    }
    if (entry.is_awaited) start(i);
  }
  return ends;
}

void LocalDatanodes::stop(const Warn& warn) {
  if (is_stopped_) return;
  is_stopped_ = true;
  for (Entry& entry : datanodes_) entry.lifeline.writer.reset();
  const auto deadline = std::chrono::steady_clock::now() + lifeline_end_timeout;
  for (std::size_t i = 0; i < datanodes_.size(); ++i) {
    std::optional<ChildProcess>& process = datanodes_[i].process;
    if (!process || process->wait(deadline - std::chrono::steady_clock::now())) continue;
    warn(fmt::format("the datanode of {} did not exit and was killed", machines_[i].name));
    process->signal(SIGKILL);
    process->wait(lifeline_end_timeout);
  }
}

std::filesystem::path LocalDatanodes::log_of(std::size_t index) const {
  return options_.logs / (machines_[index].name + ".datanode.log");
}

}  // namespace tracebed

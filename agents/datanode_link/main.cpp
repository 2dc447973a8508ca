// tracebed-datanode: the datanode of one machine; see agents/datanode_link/datanode_daemon.h.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <spdlog/spdlog.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "agents/cgroups/daemon_cgroup.h"
#include "agents/datanode_link/datanode_daemon.h"
#include "agents/datanode_link/datanode_file.h"
#include "agents/datanode_link/flags.h"
#include "agents/link/coordinator_socket.h"
#include "core/input_error.h"
#include "daemon/daemon_log.h"
#include "system/descriptor_limit.h"
#include "system/file_size_limit.h"
#include "system/inherited_descriptor.h"
#include "system/own_machine.h"
#include "system/plain_message.h"
#include "system/secret_number.h"

namespace tracebed {
namespace {

// Where the coordinator listens and what proves whose datanode it is come by a pipe that is its
// standard input, since command lines are everybody's to read.
DatanodeDaemonOptions options_of(const DatanodeFlags& flags) {
  for (const auto& [flag, text] :
       {std::pair("--run", flags.run), std::pair("--name", flags.name)}) {
    if (const Status status = check_cgroup_name(flag, text); !status) {
      throw InputError(status.error().message);
    }
  }
  Result<ProcessSecret> secret = read_secret(STDIN_FILENO);
  if (!secret) {
    throw InputError("the coordinator's endpoint and keys are read from standard input, as " +
                     ("`tracebed run` writes them: " + secret.error().message));
  }
  DatanodeDaemonOptions options;
  options.identity.run = flags.run;
  options.identity.agent = flags.name;
  options.identity.address = flags.address;
  options.identity.software = TRACEBED_VERSION;
  options.coordinator = std::move(secret->coordinator);
  options.keys = std::move(secret->keys);
  options.folder = flags.folder;
  options.store.kind = flags.store == "disk" ? StoreKind::disk : StoreKind::generated;
  options.store.capacity = flags.capacity;
  options.socket_timeout = std::chrono::milliseconds(flags.socket_timeout_ms);
  if (!flags.links.empty()) options.links = std::make_unique<SharedLinks>(flags.links);
  options.lifeline = take_lifeline("--lifeline-fd", flags.lifeline_descriptor);
  return options;
}

DatanodeDaemonOptions options_of(const DatanodeFile& file) {
  agent::check_endpoint(file.coordinator);
  DatanodeDaemonOptions options;
  options.identity.run = wire::no_run;
  options.identity.agent = file.name;
  options.identity.address = file.address;
  options.identity.transfer_port = file.transfer_port;
  options.identity.http_port = file.http_port;
  options.identity.software = TRACEBED_VERSION;
  options.identity.host = host_identity();
  options.coordinator = file.coordinator;
  if (!file.key_file.empty()) {
    options.keys = LinkKeys{read_key_file(file.key_file), file.coordinator_key};
  } else if (!file.coordinator.starts_with("ipc://")) {
    throw InputError(
        "keys: expected its agent's own and the coordinator's, as it is reached over " +
        ("TCP, at " + file.coordinator));
  }
  options.folder = file.folder;
  options.transfer_port = file.transfer_port;
  options.http_port = file.http_port;
  return options;
}

// Of one that serves one run: a long-running one has its service's.
std::optional<DaemonCgroup> enter_cgroup(const DatanodeFlags& flags) {
  if (flags.isolation == "none") return std::nullopt;
  const CgroupSurroundings surroundings = cgroup_surroundings();
  const CgroupSupport support = detect_cgroups(surroundings);
  Result<DaemonCgroup> cgroup =
      DaemonCgroup::enter(surroundings, support, {flags.run, flags.name + ".datanode"});
  if (cgroup) return *std::move(cgroup);
  // One that is there but in use or broken is no reason to do without.
  if (flags.isolation == "cgroup" || support.kind != CgroupSupport::Kind::none) {
    throw EnvironmentError(cgroup.error().message);
  }
  spdlog::warn("no cgroup of its own: {}", cgroup.error().message);
  return std::nullopt;
}

int run_program(int count, char** words) {
  DatanodeFlags flags;
  CLI::App app;
  add_flags(app, flags);
  try {
    app.parse(count, words);
    const bool is_long_running = !flags.config.empty();
    for (const auto& [flag, text] :
         {std::pair("--run", &flags.run), std::pair("--name", &flags.name),
          std::pair("--address", &flags.address), std::pair("--folder", &flags.folder)}) {
      if (is_long_running && !text->empty()) throw CLI::ExcludesError("--config", flag);
      if (!is_long_running && text->empty()) throw CLI::RequiredError(flag);
    }
  } catch (const CLI::Success& wanted) {
    return app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "tracebed-datanode: %s; see tracebed-datanode --help\n", error.what());
    return to_int(ExitCode::usage);
  }
  const bool is_long_running = !flags.config.empty();
  DatanodeDaemonOptions options =
      is_long_running ? options_of(read_datanode_file(flags.config)) : options_of(flags);
  DaemonLog log("datanode " + options.identity.agent);
  if (is_long_running) options.log = &log;
  // Each transfer has a descriptor or two.
  constexpr std::uint64_t descriptors = 16'384;
  raise_descriptor_limit(descriptors, "the datanode's transfers");
  const std::optional<DaemonCgroup> cgroup = is_long_running ? std::nullopt : enter_cgroup(flags);
  return to_int(DatanodeDaemon(std::move(options)).run());
}

}  // namespace
}  // namespace tracebed

int main(int count, char** words) {
  using tracebed::ExitCode;
  // It has keys in its memory, and containers may be of the same user.
  prctl(PR_SET_DUMPABLE, 0);
  tracebed::report_file_size_limit();
  try {
    return tracebed::run_program(count, words);
  } catch (const tracebed::InputError& error) {
    std::fprintf(stderr, "tracebed-datanode: %s\n", error.what());
    return to_int(ExitCode::input);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tracebed-datanode: %s\n", tracebed::plain_message(error).c_str());
    return to_int(ExitCode::environment);
  }
}

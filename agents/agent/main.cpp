// tracebed-agent: one machine of a run; see agents/agent/agent.h.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <sys/prctl.h>
#include <unistd.h>

#include "agents/agent/agent.h"
#include "agents/agent/agent_file.h"
#include "agents/agent/flags.h"
#include "agents/cgroups/cgroup_tree.h"
#include "agents/link/coordinator_socket.h"
#include "core/input_error.h"
#include "system/file_size_limit.h"
#include "system/inherited_descriptor.h"
#include "system/own_machine.h"
#include "system/plain_message.h"
#include "system/secret_number.h"
#include "system/token.h"

namespace tracebed::agent {
namespace {

// A program beside this one.
std::string sibling(const std::string& name) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? name : (self.parent_path() / name).string();
}

Resources capacity_of(const Flags& flags) {
  Resources capacity = flags.capacity;
  if (flags.milli_vcores > 0) capacity[Resources::vcores_dimension] = flags.milli_vcores;
  if (flags.memory_mib > 0) capacity[Resources::memory_dimension] = flags.memory_mib;
  for (std::size_t i = 0; i < flags.more_resources.size(); ++i) {
    capacity[Resources::memory_dimension + 1 + i] = flags.more_resources[i];
  }
  return capacity;
}

void check_text(const char* flag, const std::string& text,
                std::size_t bytes_max = wire::name_bytes_max) {
  if (!text.empty() && text.size() <= bytes_max) return;
  throw InputError(std::string(flag) + ": expected 1 to " + std::to_string(bytes_max) +
                   " bytes, got '" + text.substr(0, 100) + "'");
}

// What the file says holds unless a flag overrides it.
Flags flags_of(const AgentFile& file) {
  Flags flags;
  flags.run = wire::no_run;
  flags.name = file.name;
  flags.rack = file.rack;
  flags.labels = file.labels;
  flags.speed = file.speed;
  flags.coordinator = file.coordinator;
  flags.address = file.address.empty() ? address_of_interface(file.interface) : file.address;
  flags.capacity = capacity_of(file, detected_capacity());
  flags.launcher_path = file.launcher_socket;
  if (file.metrics_port) {
    const std::string& token = file.metrics_token_file;
    flags.metrics = {file.metrics_address, *file.metrics_port,
                     token.empty() ? std::vector<NamedToken>() : read_named_tokens(token)};
  }
  if (file.shuffle) {
    flags.map_outputs = file.shuffle->folder;
    flags.shuffle_port = file.shuffle->port;
    flags.shuffle_connections = file.shuffle->connections_max;
  }
  if (!file.key_file.empty()) flags.keys = {read_key_file(file.key_file), file.coordinator_key};
  return flags;
}

AgentOptions options_of(const Flags& flags) {
  for (const auto& [flag, text] :
       {std::pair("--run", flags.run), std::pair("--name", flags.name)}) {
    if (text == wire::no_run) continue;
    if (const Status status = check_cgroup_name(flag, text); !status) {
      throw InputError(status.error().message);
    }
  }
  check_text("--rack", flags.rack);
  // What its launcher's records hold of it (agents/launcher/messages.h).
  constexpr std::size_t run_bytes_max = 127;
  check_text("--run", flags.run, run_bytes_max);
  check_text("the coordinator's endpoint", flags.coordinator, endpoint_bytes_max);
  check_endpoint(flags.coordinator);
  if (!flags.keys && !flags.coordinator.starts_with("ipc://")) {
    throw InputError(
        "keys: expected this agent's own and the coordinator's, as it is reached over " +
        ("TCP, at " + flags.coordinator));
  }
  for (const std::string& label : flags.labels) check_text("--label", label);

  AgentOptions options;
  options.identity = {flags.run,          flags.name,    flags.rack,       flags.labels,
                      capacity_of(flags), flags.address, flags.coordinator};
  options.identity.software = TRACEBED_VERSION;
  options.identity.speed = flags.speed;
  if (options.identity.is_long_running()) options.identity.host = host_identity();
  options.keys = flags.keys;
  options.metrics = flags.metrics;
  options.coordinator = flags.coordinator;
  options.source_address = flags.address;
  options.lifeline = take_lifeline("--lifeline-fd", flags.lifeline_descriptor);
  if (!flags.map_outputs.empty()) {
    options.identity.keeps_outputs = true;
    const bool is_of_service = options.identity.is_long_running();
    options.shuffle = ShuffleServerProgram{.path = flags.shuffle_program,
                                           .folder = flags.map_outputs,
                                           .port = flags.shuffle_port,
                                           .connections_max = flags.shuffle_connections,
                                           .links = flags.links,
                                           .isolation = is_of_service ? "none" : flags.isolation};
  }
  options.launcher_path = flags.launcher_path;
  if (flags.launcher_path.empty()) {
    LauncherProgram program;
    program.path = flags.launcher_program;
    program.arguments = {"--run",       flags.run,
                         "--agent",     flags.name,
                         "--task",      flags.task_program,
                         "--isolation", flags.isolation,
                         "--appmaster", flags.master_program,
                         "--first-cpu", std::to_string(flags.first_cpu)};
    program.sweep_arguments = {"--sweep", flags.run, "--agent", flags.name};
    if (!flags.task_user.empty()) {
      program.arguments.insert(program.arguments.end(), {"--task-user", flags.task_user});
    }
    program.lifeline = options.lifeline.number();
    options.launcher_program = std::move(program);
  }
  return options;
}

// Of an agent that its run has started: where the coordinator listens and what proves whose agent
// it is come by a pipe that is its standard input, since command lines are everybody's to read.
void take_link(Flags& flags) {
  Result<ProcessSecret> secret = read_secret(STDIN_FILENO);
  if (!secret) {
    throw InputError(
        "without --config the coordinator's endpoint and keys are read from standard " +
        ("input, as `tracebed run` writes them: " + secret.error().message));
  }
  flags.coordinator = std::move(secret->coordinator);
  flags.keys = std::move(secret->keys);
}

int run_program(int count, char** words) {
  Flags flags;
  flags.capacity = detected_capacity();
  CLI::App app;
  add_flags(app, flags);
  try {
    app.parse(count, words);
    if (!flags.config.empty()) {
      const std::string config = flags.config;
      flags = flags_of(read_agent_file(config));
      app.parse(count, words);
    }
    for (const auto& [flag, text] :
         {std::pair("--run", &flags.run), std::pair("--name", &flags.name)}) {
      if (text->empty()) throw CLI::RequiredError(flag + std::string(" or --config"));
    }
    if (flags.config.empty() && flags.run == wire::no_run) {
      throw CLI::ValidationError("--run", "expected a name; a long-running agent has a --config");
    }
    if (flags.more_resources.size() > Resources::dimensions_max - 2) {
      throw CLI::ValidationError(
          "--resource", "expected at most 6, got " + std::to_string(flags.more_resources.size()));
    }
  } catch (const CLI::Success& wanted) {
    return app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "tracebed-agent: %s; see tracebed-agent --help\n", error.what());
    return to_int(ExitCode::usage);
  }
  for (auto [program, name] : {std::pair(&flags.launcher_program, "tracebed-launcher"),
                               std::pair(&flags.task_program, "tracebed-task"),
                               std::pair(&flags.master_program, "tracebed-appmaster"),
                               std::pair(&flags.shuffle_program, "tracebed-shuffle")}) {
    if (program->empty()) *program = sibling(name);
  }
  if (flags.config.empty()) take_link(flags);
  DaemonLog log("agent " + flags.name);
  AgentOptions options = options_of(flags);
  if (options.identity.is_long_running()) options.log = &log;
  return to_int(Agent(std::move(options)).run());
}

}  // namespace
}  // namespace tracebed::agent

int main(int count, char** words) {
  using tracebed::ExitCode;
  // It has keys in its memory, and containers may be of the same user.
  prctl(PR_SET_DUMPABLE, 0);
  tracebed::report_file_size_limit();
  try {
    return tracebed::agent::run_program(count, words);
  } catch (const tracebed::InputError& error) {
    std::fprintf(stderr, "tracebed-agent: %s\n", error.what());
    return to_int(ExitCode::input);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tracebed-agent: %s\n", tracebed::plain_message(error).c_str());
    return to_int(ExitCode::environment);
  }
}

// tracebed-agent: one machine of a run; see agents/agent/agent.h.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/prctl.h>
#include <unistd.h>

#include "agents/agent/agent.h"
#include "agents/agent/agent_file.h"
#include "agents/cgroups/cgroup_tree.h"
#include "core/input_error.h"
#include "system/file_size_limit.h"
#include "system/plain_message.h"
#include "system/secret_number.h"
#include "system/token.h"

namespace tracebed::agent {
namespace {

struct Flags {
  std::string config;
  std::string run;
  std::string name;
  std::string rack = "/default-rack";
  std::vector<std::string> labels;
  std::uint32_t speed = 1'000;
  std::string coordinator;
  std::string address;
  std::int64_t milli_vcores = 0;
  std::int64_t memory_mib = 0;
  std::vector<std::int64_t> more_resources;
  std::string launcher_program;
  std::string task_program;
  std::string master_program;
  std::string launcher_path;
  std::string isolation = "auto";
  std::string task_user;
  int lifeline_descriptor = -1;
  Resources capacity = detected_capacity();  // where no flag says otherwise
  std::optional<LinkKeys> keys;
  std::optional<HttpServerOptions> metrics;
};

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

// ZeroMQ itself waits for ever for a port that cannot be.
void check_endpoint(const std::string& endpoint) {
  constexpr std::string_view tcp = "tcp://";
  if (!endpoint.starts_with(tcp)) return;  // the socket says what is wrong with other ones
  const std::size_t colon = endpoint.rfind(':');
  const char* const end = endpoint.data() + endpoint.size();
  std::uint16_t port = 0;
  const auto parsed = std::from_chars(endpoint.data() + colon + 1, end, port);
  if (parsed.ec == std::errc{} && parsed.ptr == end && port > 0 && colon > tcp.size()) return;
  throw InputError("the coordinator's endpoint: expected tcp://ADDRESS:PORT with a port from 1 " +
                   ("to 65535, got " + endpoint));
}

// What the file says holds where no flag says otherwise.
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
  if (flags.lifeline_descriptor >= 0) {
    if (fcntl(flags.lifeline_descriptor, F_SETFD, FD_CLOEXEC) != 0) {
      throw InputError("--lifeline-fd: expected an open descriptor, got " +
                       std::to_string(flags.lifeline_descriptor) + ": " + error_text(errno));
    }
    options.lifeline.reset(flags.lifeline_descriptor);
  }
  options.launcher_path = flags.launcher_path;
  if (flags.launcher_path.empty()) {
    LauncherProgram program;
    program.path = flags.launcher_program;
    program.arguments = {"--run",       flags.run,           "--agent",     flags.name,
                         "--task",      flags.task_program,  "--isolation", flags.isolation,
                         "--appmaster", flags.master_program};
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

void add_flags(CLI::App& app, Flags& flags) {
  constexpr std::int64_t amount_max = std::int64_t{1} << 40;
  app.add_option("--config", flags.config,
                 "Configuration file of a long-running agent, which serves one run of its "
                 "coordinator after another");
  app.add_option("--run", flags.run, "Name of the run");
  app.add_option("--name", flags.name, "Name of this machine in the experiment");
  app.add_option("--address", flags.address,
                 "Source address of connections of this agent and its tasks")
      ->check(CLI::ValidIPV4);
  app.add_option("--rack", flags.rack, "Network location, for example /rack1")
      ->capture_default_str();
  app.add_option("--label", flags.labels, "Node label; repeatable")->expected(1)->take_all();
  app.add_option("--milli-vcores", flags.milli_vcores,
                 "Capacity in thousandths of a vcore (default: this machine's)")
      ->check(CLI::Range(std::int64_t{1}, amount_max));
  app.add_option("--memory-mib", flags.memory_mib,
                 "Capacity in MiB (default: this machine's memory)")
      ->check(CLI::Range(std::int64_t{1}, amount_max));
  app.add_option("--resource", flags.more_resources,
                 "Capacity in the next further dimension; repeatable")
      ->expected(1)
      ->take_all()
      ->check(CLI::Range(std::int64_t{0}, amount_max));
  auto* const path = app.add_option("--launcher-socket", flags.launcher_path,
                                    "Socket of a running launcher (cluster mode)");
  app.add_option(
         "--launcher", flags.launcher_program,
         "Path of tracebed-launcher, to be started (local mode; default: beside this program)")
      ->excludes(path);
  app.add_option("--task", flags.task_program,
                 "Path of tracebed-task (default: beside this program)");
  app.add_option("--appmaster", flags.master_program,
                 "Path of tracebed-appmaster (default: beside this program)");
  app.add_option("--isolation", flags.isolation,
                 "Isolation, passed to the launcher: auto, cgroup or none")
      ->check(CLI::IsMember({"auto", "cgroup", "none"}));
  app.add_option("--task-user", flags.task_user, "UID:GID of containers, passed to the launcher");
  app.add_option("--lifeline-fd", flags.lifeline_descriptor,
                 "Inherited pipe; the agent and its containers end when its other end is closed");
}

int run_program(int count, char** words) {
  Flags flags;
  CLI::App app("Serve as one machine of a Tracebed run or cluster.", "tracebed-agent");
  app.set_version_flag("--version", "tracebed-agent " TRACEBED_VERSION);
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
                               std::pair(&flags.master_program, "tracebed-appmaster")}) {
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

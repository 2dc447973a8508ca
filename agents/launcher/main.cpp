// tracebed-launcher: starts and ends the containers of one agent; see agents/launcher/launcher.h.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <linux/close_range.h>
#include <pwd.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agents/cgroups/open_tree.h"
#include "agents/cgroups/sweep.h"
#include "agents/launcher/client.h"
#include "agents/launcher/flags.h"
#include "agents/launcher/launcher.h"
#include "agents/launcher/own_rights.h"
#include "core/exit_codes.h"
#include "core/input_error.h"
#include "system/descriptor_limit.h"
#include "system/file_size_limit.h"
#include "system/inherited_descriptor.h"
#include "system/plain_message.h"

namespace tracebed::launcher {
namespace {

constexpr uid_t nobody = 65'534;

void sweep_up_after_the_dead(const CgroupSurroundings& around) {
  const SweepReport report = sweep_abandoned(around.mounts, around.memberships);
  if (report.cgroups_removed > 0) {
    spdlog::warn("removed {} cgroups left behind by killed launchers of other runs",
                 report.cgroups_removed);
  }
  for (const std::string& left : report.left) spdlog::warn("cannot be removed: {}", left);
}

std::unique_ptr<Enclosure> open_enclosure(const Flags& flags) {
  if (flags.isolation == "none") return make_process_group_enclosure();
  const CgroupSurroundings around = cgroup_surroundings();
  sweep_up_after_the_dead(around);
  const CgroupSupport support = detect_cgroups(around);
  auto tree = open_cgroup_tree(support, flags.name);
  if (tree) return make_cgroup_enclosure(*std::move(tree));
  // A tree that is there but in use or broken is no reason to do without.
  if (flags.isolation == "cgroup" || support.kind != CgroupSupport::Kind::none) {
    throw EnvironmentError(tree.error().message);
  }
  spdlog::warn(
      "NO ISOLATION: {}. Containers run without CPU, memory and process limits; the run record "
      "states it.",
      tree.error().message);
  return make_process_group_enclosure();
}

// The user of that name, if there is one. The launcher has one thread.
std::optional<TaskUsers> find_user(const std::string& name) {
  const passwd* const entry = getpwnam(name.c_str());  // NOLINT(concurrency-mt-unsafe)
  if (entry == nullptr) return std::nullopt;
  return TaskUsers{entry->pw_uid, entry->pw_gid};
}

uid_t agent_user(const std::string& text) {
  if (text.empty()) return geteuid();
  if (const auto user = find_user(text)) return user->first;
  uid_t id = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, id);
  if (parsed.ec == std::errc{} && parsed.ptr == end) return id;
  throw InputError("--agent-user: expected a user of this machine, name or id, got '" + text + "'");
}

TaskUsers task_user(const std::string& text) {
  if (const auto user = find_user(text)) return *user;
  TaskUsers ids;
  const char* const end = text.data() + text.size();
  const auto user = std::from_chars(text.data(), end, ids.first);
  if (user.ec != std::errc{} || user.ptr == end || *user.ptr != ':') {
    throw InputError("--task-user: expected UID:GID or a user of this machine, got '" + text + "'");
  }
  const auto group = std::from_chars(user.ptr + 1, end, ids.group);
  if (group.ec != std::errc{} || group.ptr != end) {
    throw InputError("--task-user: expected UID:GID or a user of this machine, got '" + text + "'");
  }
  return ids;
}

// One that is asked for has to be possible. Root has a user for each container without asking,
// where there are as many; others have none to give.
std::optional<TaskUsers> task_users(const Flags& flags, uid_t agent) {
  if (!flags.task_user.empty()) return task_user(flags.task_user);
  if (!flags.task_users.empty()) {
    Result<TaskUsers> users = task_user_range(flags.task_users, agent, user_limits());
    if (!users) throw InputError("--task-users: " + users.error().message);
    return *users;
  }
  if (geteuid() != 0) return std::nullopt;
  const std::string range = std::to_string(first_task_user_default) + "-" +
                            std::to_string(first_task_user_default + task_users_default - 1);
  const Result<TaskUsers> users = task_user_range(range, agent, user_limits());
  if (users) return *users;
  spdlog::warn("containers run as user nobody, and can signal each other: {}",
               users.error().message);
  return TaskUsers{nobody, nobody};
}

std::string describe(const std::optional<TaskUsers>& users) {
  if (!users) return "containers run as this user";
  if (!users->is_range()) return "containers run as user " + std::to_string(users->first) + "'s";
  return "each container runs as a user of its own, from " + std::to_string(users->first) + " on";
}

// Each container holds a descriptor; so many are kept for what else there is.
std::size_t containers_max(std::size_t wanted) {
  constexpr std::uint64_t others = 64;
  raise_descriptor_limit(2 * others, "the launcher and its containers");
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  return std::min<std::uint64_t>(wanted, limit.rlim_cur - others);
}

FileDescriptor open_program(const std::string& flag, const std::string& path) {
  FileDescriptor program(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status = {};
  if (!program.is_open() || fstat(program.number(), &status) != 0) {
    throw EnvironmentError(flag + ": " + path + " cannot be opened: " + error_text(errno));
  }
  if (!S_ISREG(status.st_mode) || (status.st_mode & 0111) == 0) {
    throw EnvironmentError(flag + ": " + path + " is not a program");
  }
  return program;
}

// A socket's name in the file system, for as long as somebody listens.
class SocketPath {
 public:
  explicit SocketPath(std::string path) : path_(std::move(path)) {}
  SocketPath(const SocketPath&) = delete;
  SocketPath& operator=(const SocketPath&) = delete;
  ~SocketPath() { unlink(path_.c_str()); }

 private:
  std::string path_;
};

std::uint64_t microseconds_since_1970() {
  return static_cast<std::uint64_t>(wall_clock_ns() / 1'000);
}

int serve(const Flags& flags) {
  for (const auto& [flag, text] :
       {std::pair("--run", flags.name.run), std::pair("--agent", flags.name.agent)}) {
    if (const Status status = check_cgroup_name(flag, text); !status) {
      throw InputError(status.error().message);
    }
  }
  LauncherOptions options;
  options.agent = take_inherited("--agent-fd", flags.agent_descriptor);
  options.lifeline = take_lifeline("--lifeline-fd", flags.lifeline_descriptor);
  // Whatever else was inherited is no business of the containers.
  syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
  options.agent_user = agent_user(flags.agent_user);
  std::optional<SocketPath> path;
  if (!flags.listen_path.empty()) {
    Result<FileDescriptor> listener = listen_for_agent(flags.listen_path, options.agent_user);
    if (!listener) throw EnvironmentError("--listen: " + listener.error().message);
    options.listener = *std::move(listener);
    path.emplace(flags.listen_path);
  }
  options.orphan_grace = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::duration<double>(flags.orphan_grace_seconds));
  options.containers.program = open_program("--task", flags.task_program);
  if (!flags.master_program.empty()) {
    options.containers.master_program = open_program("--appmaster", flags.master_program);
  }
  options.containers.run_as = task_users(flags, options.agent_user);
  options.containers.containers_max = containers_max(options.containers.containers_max);
  options.containers.filters_syscalls = has_syscall_filters();
  if (!options.containers.filters_syscalls) {
    spdlog::warn("this kernel cannot filter system calls: containers may make any");
  }
  if (const Status dropped = drop_capability_bounds(); !dropped && geteuid() == 0) {
    spdlog::warn("{}; containers still cannot gain capabilities (no_new_privs)",
                 dropped.error().message);
  }
  options.containers.first_sequence = microseconds_since_1970();
  options.containers.first_cpu = flags.first_cpu;

  std::unique_ptr<Enclosure> enclosure = open_enclosure(flags);
  spdlog::info("ready: {}; {}; system calls are {}filtered; at most {} containers",
               enclosure->description(), describe(options.containers.run_as),
               options.containers.filters_syscalls ? "" : "not ",
               options.containers.containers_max);
  Launcher launcher(std::move(enclosure), std::move(options));
  const bool is_clean = launcher.run();
  return to_int(is_clean ? ExitCode::success : ExitCode::run_failed);
}

int sweep(const Flags& flags) {
  if (const Status status = check_cgroup_name("--sweep", flags.sweep_run); !status) {
    throw InputError(status.error().message);
  }
  const CgroupSurroundings around = cgroup_surroundings();
  const std::string& agent = flags.name.agent;
  if (!agent.empty()) {
    if (const Status status = check_cgroup_name("--agent", agent); !status) {
      throw InputError(status.error().message);
    }
  }
  const SweepReport report =
      agent.empty() ? sweep_run(around.mounts, around.memberships, flags.sweep_run)
                    : sweep_agent(around.mounts, around.memberships, {flags.sweep_run, agent});
  for (const std::string& left : report.left) spdlog::error("cannot be removed: {}", left);
  if (report.cgroups_removed > 0) {
    spdlog::info("run {}: {} cgroups removed", flags.sweep_run, report.cgroups_removed);
  }
  return to_int(report.left.empty() ? ExitCode::success : ExitCode::run_failed);
}

int run_program(int count, char** words) {
  Flags flags;
  CLI::App app;
  add_flags(app, flags);
  try {
    app.parse(count, words);
    if (flags.sweep_run.empty()) {
      if (flags.task_program.empty()) throw CLI::RequiredError("--task");
      if (flags.agent_descriptor < 0 && flags.listen_path.empty()) {
        throw CLI::RequiredError("--agent-fd or --listen");
      }
    }
  } catch (const CLI::Success& wanted) {
    return app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "tracebed-launcher: %s; see tracebed-launcher --help\n", error.what());
    return to_int(ExitCode::usage);
  }
  spdlog::set_default_logger(spdlog::stderr_logger_st("launcher"));
  spdlog::set_pattern("%H:%M:%S.%e launcher " + flags.name.agent + " %l: %v");
  return flags.sweep_run.empty() ? serve(flags) : sweep(flags);
}

// Whoever started the program may have closed these; what is opened next would take their place.
void fill_standard_streams() {
  int number = open("/dev/null", O_RDWR);
  while (number >= 0 && number <= STDERR_FILENO) number = dup(number);
  if (number >= 0) close(number);
}

}  // namespace
}  // namespace tracebed::launcher

int main(int count, char** words) {
  using tracebed::ExitCode;
  // Containers of the same user must not read its memory.
  prctl(PR_SET_DUMPABLE, 0);
  tracebed::launcher::fill_standard_streams();
  tracebed::report_file_size_limit();
  try {
    return tracebed::launcher::run_program(count, words);
  } catch (const tracebed::InputError& error) {
    std::fprintf(stderr, "tracebed-launcher: %s\n", error.what());
    return to_int(ExitCode::input);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tracebed-launcher: %s\n", tracebed::plain_message(error).c_str());
    return to_int(ExitCode::environment);
  }
}

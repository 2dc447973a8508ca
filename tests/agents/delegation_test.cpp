// A service to which systemd delegated a cgroup of version 2 (Delegate=yes): its launcher keeps
// within that cgroup, whether it is alone in it or beside its agent in a leaf. Only run where the
// test may make such a cgroup at the top of the hierarchy, under User Mode Linux.
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agents/cgroups/open_tree.h"
#include "agents/launcher/process_start.h"

namespace tracebed {
namespace {

constexpr const char* top = "/sys/fs/cgroup";
constexpr uid_t service_user = 65'534;

void write_file(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file);
  stream << text;
  stream.close();
  ASSERT_TRUE(stream) << file;
}

class Delegation : public testing::Test {
 protected:
  void SetUp() override {
    write_file(std::string(top) + "/cgroup.subtree_control", "+cpu +memory +pids");
    std::filesystem::create_directory(service_);
    // What systemd hands over (systemd.resource-control(5), Delegate=).
    for (const char* file : {"", "cgroup.procs", "cgroup.threads", "cgroup.subtree_control"}) {
      ASSERT_EQ(chown((service_ / file).c_str(), service_user, service_user), 0);
    }
  }
  void TearDown() override {
    std::error_code error;
    for (const char* name : {"agent", "launcher"}) std::filesystem::remove(service_ / name, error);
    EXPECT_TRUE(std::filesystem::remove(service_, error)) << "something is left: " << error;
  }

  // Runs `body` in a process that is in `cgroup` and belongs to the service's user; it returns
  // what went wrong.
  void run_in(const std::filesystem::path& cgroup, const std::function<std::string()>& body) {
    const pid_t child = fork();
    if (child == 0) {
      write_file(cgroup / "cgroup.procs", "0");
      if (setgid(service_user) != 0 || setuid(service_user) != 0) _exit(2);
      const std::string fault = body();
      if (!fault.empty()) std::fprintf(stderr, "%s\n", fault.c_str());
      _exit(fault.empty() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }

  // A process that is in `cgroup` and does nothing.
  static pid_t wait_in(const std::filesystem::path& cgroup) {
    const pid_t process = fork();
    if (process == 0) {
      for (;;) pause();
    }
    write_file(cgroup / "cgroup.procs", std::to_string(process));
    return process;
  }

  // A launcher's life: the tree, a container with a process in it, its account, its end.
  std::string use_a_tree() const {
    const CgroupSupport support = detect_cgroups(cgroup_surroundings());
    if (support.place_v2 != service_) return "containers would be made in " + support.place_v2;
    auto tree = open_cgroup_tree(support, {"run", "agent"});
    if (!tree) return tree.error().message;
    const auto entry = (*tree)->create("1", {.milli_vcores = 500, .memory_mib = 32, .pids = 8});
    if (!entry) return entry.error().message;
    const FileDescriptor program(open("/bin/true", O_PATH | O_CLOEXEC));
    char name[] = "true";
    char* arguments[] = {name, nullptr};
    const auto started = ProcessStarter().start(
        {.program = program.number(), .arguments = arguments, .entry = &*entry});
    if (!started) return describe(started.error());
    waitpid(*started, nullptr, 0);
    const auto account = (*tree)->account("1");
    if (!account) return account.error().message;
    if ((*tree)->remove("1") != Removal::removed) return "the container stays";
    const Status closed = (*tree)->close();
    return closed ? "" : closed.error().message;
  }

  const std::filesystem::path service_ = std::filesystem::path(top) / "tracebed-agent.service";
};

TEST_F(Delegation, ALauncherAloneInItsServiceMovesToALeafOfIt) {
  run_in(service_, [this] { return use_a_tree(); });
}

TEST_F(Delegation, BesideItsAgentInALeafItUsesTheServicesCgroup) {
  std::filesystem::create_directory(service_ / "agent");
  for (const char* file : {"agent", "agent/cgroup.procs"}) {
    ASSERT_EQ(chown((service_ / file).c_str(), service_user, service_user), 0);
  }
  const pid_t agent = wait_in(service_ / "agent");
  run_in(service_ / "agent", [this] { return use_a_tree(); });
  kill(agent, SIGKILL);
  waitpid(agent, nullptr, 0);
}

TEST_F(Delegation, WithOthersInTheServicesCgroupItSaysWhyItCannot) {
  const pid_t other = wait_in(service_);
  run_in(service_, [] {
    const CgroupSupport support = detect_cgroups(cgroup_surroundings());
    if (support.kind != CgroupSupport::Kind::none) return "used " + support.place_v2;
    for (const std::string& reason : support.missing) {
      if (reason.find("other processes are in it") != std::string::npos) return std::string();
    }
    return std::string("the reason is not told");
  });
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
}

}  // namespace
}  // namespace tracebed

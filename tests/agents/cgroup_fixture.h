// A cgroup tree of the test's own, on whichever backend the machine has, and processes in it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "agents/cgroups/open_tree.h"
#include "agents/launcher/process_start.h"
#include "support/eventually.h"

namespace tracebed {

// "machine" is what detection chooses. A hybrid machine is also tried as one of version 1 alone,
// where freezing does the killing.
inline std::vector<std::string> backends_here() {
  std::vector<std::string> backends = {"machine"};
  const CgroupSupport support = detect_cgroups(cgroup_surroundings());
  const auto& places = support.places_v1;
  if (std::any_of(places.begin(), places.end(), [](const auto& place) { return place.unified; })) {
    backends.push_back("version_1_alone");
  }
  return backends;
}

class CgroupTest : public testing::TestWithParam<std::string> {
 protected:
  static CgroupSurroundings surroundings() {
    CgroupSurroundings around = cgroup_surroundings();
    if (GetParam() == "version_1_alone") {
      std::erase_if(around.mounts, [](const CgroupMount& mount) { return mount.unified; });
    }
    return around;
  }

  void SetUp() override {
    const CgroupSupport support = detect_cgroups(surroundings());
    if (support.kind == CgroupSupport::Kind::none) {
      std::string reasons;
      for (const std::string& reason : support.missing) reasons += reason + "; ";
      GTEST_SKIP() << "cgroups cannot be written here: " << reasons;
    }
    auto opened = open_cgroup_tree(support, name_);
    ASSERT_TRUE(opened) << opened.error().message;
    tree_ = *std::move(opened);
  }

  void TearDown() override {
    if (!tree_) return;
    const Status closed = tree_->close();
    EXPECT_TRUE(closed) << closed.error().message;
  }

  // Starts the faults program with these arguments in the container.
  pid_t start(const std::string& container, const CgroupLimits& limits,
              std::vector<std::string> arguments) {
    const auto entry = tree_->create(container, limits);
    if (!entry) {
      ADD_FAILURE() << entry.error().message;
      return -1;
    }
    const FileDescriptor program(open(FAULTS, O_PATH | O_CLOEXEC));
    arguments.insert(arguments.begin(), "faults");
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    const auto pid = starter_.start(
        {.program = program.number(), .arguments = pointers.data(), .entry = &*entry});
    if (!pid) {
      ADD_FAILURE() << describe(pid.error());
      return -1;
    }
    return *pid;
  }

  // Waits for the process and gives its wait status.
  static int wait_for(pid_t pid) {
    int status = 0;
    EXPECT_EQ(waitpid(pid, &status, 0), pid);
    return status;
  }

  // Kills what is left in the container and removes it.
  void kill_and_remove(const std::string& container) {
    EXPECT_TRUE(eventually([&] {
      if (tree_->remove(container) == Removal::removed) return true;
      EXPECT_TRUE(tree_->kill(container));
      return false;
    })) << "container "
        << container << " cannot be removed";
  }

  CgroupAccount account(const std::string& container) {
    const auto account = tree_->account(container);
    EXPECT_TRUE(account) << account.error().message;
    return account ? *account : CgroupAccount();
  }

  const AgentName name_ = {"test-" + std::to_string(getpid()), "agent"};
  std::unique_ptr<CgroupTree> tree_;
  ProcessStarter starter_;
};

}  // namespace tracebed

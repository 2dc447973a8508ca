// A tracebed-launcher of the test's own, with containers in real cgroups of which nothing may be
// left.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

#include "agents/launcher_process.h"

namespace tracebed::launcher {

class LauncherTest : public testing::Test {
 protected:
  const std::string run_ = "launcher-test-" + std::to_string(getpid());

  LauncherProcess::Options options(const char* task) {
    return {.task = task, .run = run_, .agent = "agent", .more = {}, .listens = false};
  }
  LauncherProcess::Options listening(const char* task) {
    LauncherProcess::Options chosen = options(task);
    chosen.listens = true;
    return chosen;
  }
  static std::vector<LaunchRecord> containers(std::uint32_t count, std::int64_t duration_us) {
    std::vector<LaunchRecord> records;
    for (std::uint32_t id = 0; id < count; ++id) {
      records.push_back(container(id, {Work{.duration = microseconds(duration_us)}}));
    }
    return records;
  }
  // Launches container 1 and waits until it runs.
  static StartedRecord start_one(LauncherProcess& launcher) {
    launcher.launch(container(1));
    return launcher.next_started();
  }
  void expect_nothing_left() {
    EXPECT_TRUE(eventually([&] { return cgroups_of_run(run_).empty(); }));
    EXPECT_THAT(cgroups_of_run(run_), testing::IsEmpty());
  }
  void TearDown() override { EXPECT_THAT(cgroups_of_run(run_), testing::IsEmpty()); }
};

}  // namespace tracebed::launcher

// A tracebed-task that a test runs by itself, without a launcher.
#pragma once

#include <array>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "agents/task/progress_report.h"
#include "agents/task/work_spec.h"
#include "system/file_descriptor.h"

namespace tracebed {

struct RanTask {
  int status = 0;
  ProgressReport report;  // as it begins if there was none
  std::string text;       // what it printed besides
};

// `meanwhile` is called with the running task, which is of the container `spec.container`.
inline RanTask run_task(const WorkSpec& spec, const std::function<void(pid_t)>& meanwhile = {}) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const FileDescriptor reading(ends[0]);
  FileDescriptor writing(ends[1]);
  std::vector<std::string> words = to_arguments(spec);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t task = fork();
  if (task == 0) {
    dup2(writing.number(), STDOUT_FILENO);
    dup2(writing.number(), STDERR_FILENO);
    execv(TRACEBED_TASK, pointers.data());
    _exit(127);
  }
  writing.reset();
  if (meanwhile) meanwhile(task);
  RanTask ran;
  waitpid(task, &ran.status, 0);
  std::array<char, 4'096> bytes{};
  const ssize_t got = read(reading.number(), bytes.data(), bytes.size());
  if (got >= static_cast<ssize_t>(sizeof(ran.report))) {
    std::memcpy(&ran.report, bytes.data(), sizeof(ran.report));
    ran.text.assign(bytes.data() + sizeof(ran.report), bytes.data() + got);
  }
  EXPECT_EQ(ran.report.magic, ProgressReport::mark);
  EXPECT_EQ(ran.report.container, static_cast<std::uint32_t>(spec.container));
  return ran;
}

}  // namespace tracebed

// How far running tasks are, as their launcher says when it is asked for usage.
#include <fcntl.h>

#include "agents/launcher_fixture.h"
#include "agents/task/stated_progress.h"

namespace tracebed::launcher {
namespace {

TEST_F(LauncherTest, SaysHowFarATaskIsThatIsToStateIt) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  TaskWork work{Work{.duration = seconds(600), .cpu_time = milliseconds(10)}};
  launcher.launch(container(1, work));
  work.progress_interval = microseconds(1);
  launcher.launch(container(2, work));
  std::uint32_t last = 0;
  for (int steps = 0; steps < 3;) {
    ASSERT_TRUE(eventually([&] {
      const std::vector<ProgressRecord> progress = launcher.progress();
      EXPECT_LE(progress.size(), 1U) << "one of the two states it";
      if (progress.empty()) return false;
      EXPECT_EQ(progress[0].container, 2U);
      EXPECT_GE(progress[0].done, last);
      if (progress[0].done == last) return false;
      last = progress[0].done;
      return true;
    }));
    ++steps;
  }
  EXPECT_LT(last, 1'000'000U);
  launcher.client().kill(std::vector<std::uint32_t>{1, 2});
  launcher.next_exited();
  launcher.next_exited();
  EXPECT_THAT(launcher.progress(), testing::IsEmpty());
}

TEST_F(LauncherTest, SaysHowFarATaskIsNotMoreOftenThanItsInterval) {
  LauncherProcess launcher(options(TRACEBED_TASK));
  TaskWork work{Work{.duration = seconds(600), .cpu_time = milliseconds(10)}};
  work.progress_interval = seconds(500);
  launcher.launch(container(1, work));
  EXPECT_TRUE(eventually([&] { return launcher.progress().size() == 1; }));
  for (int i = 0; i < 20; ++i) EXPECT_THAT(launcher.progress(), testing::IsEmpty());
  launcher.client().kill(std::vector<std::uint32_t>{1});
  launcher.next_exited();
}

TEST(ProgressFiles, HaveNothingButANumberOfMillionths) {
  auto file = ProgressFile::make();
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->stated(), std::nullopt);
  const auto write = [&](std::uint32_t number, off_t offset = 0) {
    return pwrite(file->number(), &number, sizeof(number), offset);
  };
  EXPECT_EQ(write(1), 4);
  EXPECT_EQ(file->stated(), 0U) << "a task that has begun";
  EXPECT_EQ(write(500'001), 4);
  EXPECT_EQ(file->stated(), 500'000U);
  EXPECT_EQ(write(4'000'000'000), 4);
  EXPECT_EQ(file->stated(), 1'000'000U) << "whatever it states";
  EXPECT_EQ(write(1, 1), -1) << "it does not grow";
  EXPECT_EQ(file->stated(), 1'000'000U);
  EXPECT_NE(ftruncate(file->number(), 0), 0);
}

TEST(ProgressFiles, AreNoOtherFiles) {
  const TemporaryFolder folder;
  const FileDescriptor other(open((folder.path() / "mine").c_str(), O_RDWR | O_CREAT, 0600));
  ASSERT_EQ(pwrite(other.number(), "mine", 4, 0), 4);
  for (const std::string& number :
       {std::to_string(other.number()), std::string("9999"), std::string("-1"), std::string("x")}) {
    setenv(progress_variable, number.c_str(), 1);
    StatedProgress(1).note(0, 500'000);
  }
  unsetenv(progress_variable);
  std::string text(4, 0);
  EXPECT_EQ(pread(other.number(), text.data(), 4, 0), 4);
  EXPECT_EQ(text, "mine");
}

TEST(ProgressFiles, HaveTheLeastOfTheirTasksThreads) {
  auto file = ProgressFile::make();
  ASSERT_TRUE(file);
  setenv(progress_variable, std::to_string(file->number()).c_str(), 1);
  StatedProgress stated(2);
  unsetenv(progress_variable);
  stated.note(1, 300'000);
  EXPECT_EQ(file->stated(), std::nullopt) << "the first thread states it";
  stated.note(0, 400'000);
  EXPECT_EQ(file->stated(), 300'000U);
  stated.note(0, 200'000);
  EXPECT_EQ(file->stated(), 200'000U);
}

}  // namespace
}  // namespace tracebed::launcher

#include "system/taken_folder.h"

#include <cerrno>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <sched.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(TakenFolders, AreOfOneAtATimeAndFreeAfterwards) {
  const TemporaryFolder folder;
  const std::filesystem::path taken = folder.path() / "a/b";
  for (int time = 0; time < 2; ++time) {
    const TakenFolder one(taken);
    EXPECT_THAT([&] { TakenFolder{taken}; },
                ThrowsMessage<EnvironmentError>(
                    HasSubstr("a/b is in use by process " + std::to_string(::getpid()))));
    EXPECT_THROW(TakenFolder(folder.path() / "a/b/"), EnvironmentError);
    EXPECT_NO_THROW(TakenFolder(taken / "below"));
  }
  EXPECT_NO_THROW(TakenFolder{taken});
}

TEST(TakenFolders, KeepWhatWasWrittenAndOnlyThat) {
  const TemporaryFolder folder;
  {
    const TakenFolder unused(folder.path() / "unused");
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "unused"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "unused"));
  std::filesystem::create_directory(folder.path() / "there");
  { const TakenFolder there(folder.path() / "there"); }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "there"));
  {
    const TakenFolder used(folder.path() / "used/");
    folder.write("used/file", "text");
  }
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "used/file"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "used/lock"));
}

TEST(TakenFolders, CannotBeWhatIsNoFolder) {
  const TemporaryFolder folder;
  folder.write("file", "text");
  EXPECT_THROW(TakenFolder(folder.path() / "file"), EnvironmentError);
  EXPECT_THROW(TakenFolder(folder.path() / "file/below"), EnvironmentError);
  EXPECT_THROW(make_new_folder(folder.path() / "file/below"), EnvironmentError);
}

// Each takes the folder again and again, and makes and removes a file in it, which it would find
// there if another were in it.
TEST(TakenFolders, AreOfOneProcessAtATimeHoweverOftenTheyChangeHands) {
  const TemporaryFolder folder;
  const std::filesystem::path taken = folder.path() / "taken";
  std::filesystem::create_directory(taken);
  const auto work = [&] {
    constexpr int times = 100;
    const std::string mark = taken / "mark";
    for (int had = 0; had < times;) {
      try {
        const TakenFolder mine(taken);
        const int file = ::open(mark.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
        if (file < 0) return 1;
        ::close(file);
        ::sched_yield();
        ::unlink(mark.c_str());
        ++had;
      } catch (const EnvironmentError&) {
        ::sched_yield();
      }
    }
    return 0;
  };
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work());
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(std::filesystem::is_empty(taken));
}

TEST(NewFolders, AreNeverTheSame) {
  const TemporaryFolder folder;
  std::mutex mutex;
  std::set<std::filesystem::path> made;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int time = 0; time < 25; ++time) {
        const std::filesystem::path one = make_new_folder(folder.path() / "runs/x");
        const std::lock_guard lock(mutex);
        made.insert(one);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made.size(), 100u);
  EXPECT_EQ(made.count(folder.path() / "runs/x"), 1u);
  EXPECT_EQ(made.count(folder.path() / "runs/x-100"), 1u);
}

}  // namespace
}  // namespace tracebed

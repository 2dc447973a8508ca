// Files that are replaced whole, and folders that one process uses.
#include <array>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/input_error.h"
#include "support/files.h"
#include "support/temporary_folder.h"
#include "system/file_size_limit.h"
#include "system/folder_lock.h"
#include "system/locked_folder.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

TEST(ReplacedFiles, AreWholeOrAsTheyWere) {
  TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "state.json";
  for (const Durability durability : {Durability::none, Durability::synced}) {
    const std::string text(100'000, durability == Durability::none ? 'a' : 'b');
    replace_file(file, text, durability);
    EXPECT_EQ(contents(file), text);
  }
  std::filesystem::create_directory(folder.path() / "taken");
  EXPECT_THROW(replace_file(folder.path() / "taken", "text", Durability::synced), EnvironmentError);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "taken.new"));
  EXPECT_THROW(replace_file(folder.path() / "none/file", "text"), EnvironmentError);
  EXPECT_THROW(sync_folder(folder.path() / "none"), EnvironmentError);
}

TEST(ReplacedFiles, BeyondTheLimitOfTheirLengthFailAndLeaveTheOldOne) {
  TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "state.json";
  replace_file(file, "old");
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{.rlim_cur = 1'000, .rlim_max = 1'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    report_file_size_limit();
    try {
      replace_file(file, std::string(2'000, 'x'), Durability::synced);
    } catch (const EnvironmentError& error) {
      ::_exit(std::string(error.what()).find("File too large") == std::string::npos ? 2 : 0);
    }
    ::_exit(1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(contents(file), "old");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "state.json.new"));
}

TEST(FolderLocks, AreFreedWhenTheirHolderIsKilled) {
  TemporaryFolder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t holder = ::fork();
  if (holder == 0) {
    const FolderLock lock(folder.path());
    static_cast<void>(!::write(ready[1], "x", 1));
    for (;;) ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_THAT([&] { FolderLock(folder.path()); },
              testing::ThrowsMessage<EnvironmentError>(
                  testing::HasSubstr("is in use by process " + std::to_string(holder))));
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  const FolderLock next(folder.path());
  EXPECT_THAT(contents(folder.path() / "lock"),
              testing::StartsWith("process " + std::to_string(::getpid())));
  for (const int end : ready) ::close(end);
}

TEST(LockedFolders, ThatTheirProcessLeftAreRemovedByTheNextOne) {
  const std::string prefix = fmt::format("tracebed-locked-test-{}-", getpid());
  std::filesystem::path of_killed;
  std::filesystem::path of_living;
  {
    const LockedFolder living(prefix);
    of_living = living.path();
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
      const LockedFolder folder(prefix);
      const std::string path = folder.path();
      if (write(ends[1], path.data(), path.size()) < 0) _exit(1);
      raise(SIGKILL);
    }
    close(ends[1]);
    std::string path(4096, 0);
    path.resize(static_cast<std::size_t>(read(ends[0], path.data(), path.size())));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    of_killed = path;
    ASSERT_TRUE(std::filesystem::exists(of_killed));
    // Young ones may be of processes that have not locked them yet.
    const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::minutes(2);
    std::filesystem::last_write_time(of_killed, old);
    std::filesystem::last_write_time(of_living, old);
    const LockedFolder next(prefix);
    EXPECT_FALSE(std::filesystem::exists(of_killed));
    EXPECT_TRUE(std::filesystem::exists(of_living));
  }
  EXPECT_FALSE(std::filesystem::exists(of_living));
}

TEST(FolderLocks, SayWhyTheyCannotBeHad) {
  TemporaryFolder folder;
  EXPECT_THROW(FolderLock(folder.path() / "none"), EnvironmentError);
  std::filesystem::create_symlink("/etc/passwd", folder.path() / "lock");
  EXPECT_THROW(FolderLock(folder.path()), EnvironmentError);
}

}  // namespace
}  // namespace tracebed

// What a path may name that a command writes to.
#include "system/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::size_t entries_in(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator entries(folder);
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

TEST(OutputFile, AppearsWholeOrNotAtAll) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out", "old");
  {
    OutputFile file(path);
    file.write("new");
    EXPECT_EQ(contents(path), "old");
  }
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(entries_in(folder.path()), 1u);
  write_output_file(path, "new");
  EXPECT_EQ(contents(path), "new");
  EXPECT_EQ(entries_in(folder.path()), 1u);
}

TEST(OutputFile, KeepsThePermissionsOfTheFileItReplaces) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out", "old");
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  write_output_file(path, "new");
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST(OutputFile, FollowsLinksAndLeavesThem) {
  const TemporaryFolder folder;
  folder.write("below/target", "old");
  for (const char* const target : {"below/target", "below/none"}) {
    const std::filesystem::path link = folder.path() / "link";
    const std::filesystem::path second = folder.path() / "below/second";
    std::filesystem::create_symlink("below/second", link);
    std::filesystem::create_symlink(folder.path() / target, second);
    write_output_file(link.string(), "new");
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_TRUE(std::filesystem::is_symlink(second));
    EXPECT_TRUE(
        std::filesystem::is_regular_file(std::filesystem::symlink_status(folder.path() / target)));
    EXPECT_EQ(contents(folder.path() / target), "new") << target;
    std::filesystem::remove(link);
    std::filesystem::remove(second);
  }
}

TEST(OutputFile, RefusesLinksInACircleAndFolders) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("b", folder.path() / "a");
  std::filesystem::create_symlink("a", folder.path() / "b");
  EXPECT_THAT([&] { OutputFile(folder.file("a")); },
              ThrowsMessage<EnvironmentError>(HasSubstr("Too many levels of symbolic links")));
  EXPECT_THAT([&] { OutputFile(folder.path().string()); },
              ThrowsMessage<EnvironmentError>(HasSubstr("Is a directory")));
  EXPECT_THAT([&] { OutputFile(folder.file("no/such")); },
              ThrowsMessage<EnvironmentError>(HasSubstr("No such file or directory")));
}

TEST(OutputFile, WritesIntoDevicesAndSaysWhatTheyRefuse) {
  const TemporaryFolder folder;
  const std::filesystem::path link = folder.path() / "full";
  std::filesystem::create_symlink("/dev/full", link);
  EXPECT_THAT([&] { write_output_file(link.string(), "text"); },
              ThrowsMessage<EnvironmentError>(HasSubstr("No space left on device")));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(std::filesystem::is_character_file(link));
  EXPECT_TRUE(is_output_stream(link.string()));
  write_output_file("/dev/null", "text");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OutputFile, WritesIntoFifos) {
  const TemporaryFolder folder;
  const std::string path = folder.file("fifo");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = contents(path); });
  const std::string text(200'000, 'x');
  write_output_file(path, text);
  reader.join();
  EXPECT_EQ(read, text);
  EXPECT_TRUE(std::filesystem::is_fifo(path));
}

TEST(OutputFile, OfADescriptorGoesOnWhereThatIs) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out", "old");
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  for (const char* const name : {"/dev/fd/{}", "/proc/self/fd/{}"}) {
    write_output_file(fmt::format(fmt::runtime(name), file.number()), " more");
  }
  EXPECT_EQ(contents(path), "old more more");
}

TEST(OutputFile, IsNoneThatIsRead) {
  const TemporaryFolder folder;
  const std::string path = folder.write("in", "text");
  std::filesystem::create_symlink("in", folder.path() / "link");
  std::filesystem::create_hard_link(path, folder.path() / "other");
  for (const char* const name : {"in", "link", "other", "./in"}) {
    EXPECT_THAT(
        [&] {
          expect_other_file(folder.file(name), {"/dev/null", path});
        },
        ThrowsMessage<InputError>(HasSubstr(path)))
        << name;
  }
  folder.write("copy", "text");
  expect_other_file(folder.file("copy"), {path});
  expect_other_file(folder.file("none"), {path, folder.file("none")});
  expect_other_file("/dev/null", {"/dev/null"});
}

}  // namespace
}  // namespace tracebed

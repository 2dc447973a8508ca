#include "report/file_digest.h"

#include <gtest/gtest.h>
#include <string>

#include "core/input_error.h"
#include "support/files.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

TEST(FileDigest, TellsFilesApartByTheirBytes) {
  const TemporaryFolder folder;
  const auto digest_of = [&](const std::string& text) {
    write_file(folder.path() / "file", text);
    return identify_file(folder.path() / "file").digest;
  };
  EXPECT_EQ(digest_of("one two three"), digest_of("one two three"));
  EXPECT_NE(digest_of("one two three"), digest_of("one two thref"));
  EXPECT_NE(digest_of("abc"), digest_of(std::string("abc\0", 4)));
  EXPECT_NE(digest_of(""), digest_of(std::string(8, '\0')));
}

TEST(FileDigest, TellsNameAndSize) {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "12345");
  const FileIdentity identity = identify_file(folder.path() / "file");
  EXPECT_EQ(identity.file, (folder.path() / "file").string());
  EXPECT_EQ(identity.bytes, 5u);
  EXPECT_EQ(identity.digest.size(), 32u);
}

TEST(FileDigest, TellsFoldersApartByTheNamesAndBytesOfTheirFiles) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "trace/events");
  const auto digest_with = [&](const char* name, const std::string& text) {
    write_file(folder.path() / "trace" / name, text);
    const FileIdentity identity = identify_file(folder.path() / "trace");
    std::filesystem::remove(folder.path() / "trace" / name);
    EXPECT_EQ(identity.bytes, text.size());
    return identity.digest;
  };
  EXPECT_EQ(digest_with("events/a", "xy"), digest_with("events/a", "xy"));
  EXPECT_NE(digest_with("events/a", "xy"), digest_with("events/a", "xz"));
  EXPECT_NE(digest_with("events/a", "xy"), digest_with("events/b", "xy"));
}

TEST(FileDigest, RefusesWhatIsNoFile) {
  const TemporaryFolder folder;
  EXPECT_THROW(identify_file(folder.path() / "absent"), InputError);
  EXPECT_THROW(identify_file(folder.path() / ""), InputError);
}

}  // namespace
}  // namespace tracebed

#include "report/file_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <span>
#include <string>

#include "core/input_error.h"
#include "core/random.h"
#include "report/sample_runs.h"
#include "support/damage.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// FIPS 180-4's examples, as NIST's "Example Values" have them.
TEST(FileChecksums, AreSha256) {
  EXPECT_EQ(checksum_of("").sha256,
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(checksum_of("abc").sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(checksum_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").sha256,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(FileChecksums, AreTheSameInPieces) {
  ChecksumBuilder builder;
  builder.add("a");
  EXPECT_EQ(builder.checksum(), checksum_of("a")) << "more may follow";
  builder.add("");
  builder.add("bc");
  EXPECT_EQ(builder.checksum(), checksum_of("abc"));
  EXPECT_EQ(builder.checksum().bytes, 3u);
}

TEST(FileChecksums, AreMadeOfWhatIsWrittenToAFile) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "a";
  FileChecksum told;
  const auto file = create_file(path, [&](const FileChecksum& checksum) { told = checksum; });
  file->write("first, ");
  file->write("second");
  file->close();
  EXPECT_EQ(told, checksum_of(contents(path)));
  EXPECT_THROW(create_file(path), EnvironmentError);
}

TEST(OwnChecksums, CoverEveryByte) {
  const std::string text = with_own_checksum(Json{{"a", 1}, {"b", {1, 2}}});
  EXPECT_EQ(Json::parse(text).at("a"), 1);
  EXPECT_NO_THROW(check_own_checksum("x.json", text));
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_THROW(check_own_checksum("x.json", changed), InputError) << at;
    EXPECT_THROW(check_own_checksum("x.json", text.substr(0, at)), InputError) << at;
  }
  EXPECT_THROW(check_own_checksum("x.json", text + "\n"), InputError);
}

// What a shell says of it: `head -n -2 run.json | sha256sum`.
TEST(OwnChecksums, AreOfAllLinesButTheLastTwo) {
  const std::string text = with_own_checksum(Json{{"a", 1}});
  const std::string lines = "{\n  \"a\": 1,\n";
  EXPECT_EQ(text, lines + "  \"sha256\": \"" + checksum_of(lines).sha256 + "\"\n}\n");
}

class DamagedRuns : public testing::Test {
 protected:
  DamagedRuns() { write_sample_run(run_, SampleCluster(), sample_jobs(200, 1)); }

  TemporaryFolder folder_;
  std::filesystem::path run_ = folder_.path() / "run";
};

TEST_F(DamagedRuns, AreRefusedWithTheFileThatWasDamaged) {
  EXPECT_NO_THROW(RunFolder::load(run_));
  for (const std::filesystem::path& file : all_files(run_)) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const FileDamage damage(file, seed);
      EXPECT_THAT([&] { RunFolder::load(run_); },
                  ThrowsMessage<InputError>(HasSubstr(file.filename().string())))
          << damage.text();
    }
  }
  EXPECT_NO_THROW(RunFolder::load(run_)) << "the damage was undone";
}

TEST_F(DamagedRuns, SayWhatIsExpectedAndWhatIsThere) {
  const std::filesystem::path tasks = run_ / tasks_csv_file;
  const std::string text = contents(tasks);
  const auto complains_of = [&](const std::string& what) {
    EXPECT_THAT([&] { RunFolder::load(run_); }, ThrowsMessage<InputError>(HasSubstr(what)));
  };
  write_file(tasks, text.substr(0, text.size() - 3));
  complains_of("tasks.csv: expected " + std::to_string(text.size()) +
               " bytes, as listed in the folder's record, got " + std::to_string(text.size() - 3) +
               ": the file was truncated");
  std::string changed = text;
  changed.back() = '0';
  write_file(tasks, changed);
  complains_of("tasks.csv: expected SHA-256 " + checksum_of(text).sha256);
  complains_of("got " + checksum_of(changed).sha256);
  EXPECT_NO_THROW(RunFolder::load(run_, FileCheck::sizes)) << "of a run that was just written";
  std::filesystem::remove(tasks);
  complains_of("tasks.csv: expected a file of " + std::to_string(text.size()) + " bytes");
  complains_of("it is missing");
}

}  // namespace
}  // namespace tracebed

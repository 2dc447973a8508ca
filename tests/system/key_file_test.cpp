#include "system/key_file.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

const KeyPair keys{std::string(40, 'a'), std::string(40, '$')};

TEST(KeyFiles, AreReadAsTheyWereWrittenAndNeverReplaced) {
  TemporaryFolder folder;
  const std::string file = folder.file("keys.toml");
  write_key_file(file, keys);
  const KeyPair read = read_key_file(file);
  EXPECT_EQ(read.public_key, keys.public_key);
  EXPECT_EQ(read.secret_key, keys.secret_key);
  EXPECT_THROW(write_key_file(file, keys), EnvironmentError);
}

TEST(KeyFiles, ThatOthersCanReadAreRefused) {
  TemporaryFolder folder;
  const std::string file = folder.file("keys.toml");
  write_key_file(file, keys);
  ASSERT_EQ(chmod(file.c_str(), 0644), 0);
  EXPECT_THROW(read_key_file(file), EnvironmentError);
}

TEST(KnownKeys, AreOneForEachName) {
  TemporaryFolder folder;
  const std::string file = folder.file("agents.toml");
  std::ofstream(file) << "\"lab1\" = \"" << std::string(40, 'b') << "\"\n";
  EXPECT_EQ(read_known_keys(file).at(std::string(40, 'b')), "lab1");
  std::ofstream(file, std::ios::app) << "\"lab2\" = \"" << std::string(40, 'b') << "\"\n";
  EXPECT_THROW(read_known_keys(file), InputError);
}

}  // namespace
}  // namespace tracebed

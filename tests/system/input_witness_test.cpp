#include "system/input_witness.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/input_error.h"
#include "core/random.h"
#include "support/temporary_folder.h"
#include "system/file_window.h"

namespace tracebed {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::size_t block = InputWitness::block_bytes;

auto tells_of_a_change(const std::string& file, const std::string& where) {
  return ThrowsMessage<InputError>(
      AllOf(HasSubstr(file + ": changed while it was in use"), HasSubstr(where)));
}

// No two blocks are alike.
std::string text_of(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; text.size() < size; ++i) text += std::to_string(i) + "\n";
  text.resize(size);
  return text;
}

TEST(Witness, LetsPassWhatItHasSeenInAnyOrder) {
  InputWitness witness;
  for (int time = 0; time < 2; ++time) {
    witness.check_end("a", block + 3);
    witness.check_block("a", block, "xyz");
    witness.check_block("a", 0, std::string(block, 'a'));
    witness.check_block("b", 0, "another file");
    witness.check_listing("f", std::vector<std::string>{"f/1", "f/2"});
    witness.check_listing("g", {});
  }
}

TEST(Witness, NamesTheFileAndTheBlockThatIsAnother) {
  InputWitness witness;
  witness.check_block("a", block, "xyz");
  EXPECT_THAT([&] { witness.check_block("a", block, "xyZ"); },
              tells_of_a_change("a", "expected the same bytes from byte 262144 on"));
  EXPECT_THAT([&] { witness.check_block("a", block, "xyz."); }, tells_of_a_change("a", "262144"));
}

TEST(Witness, NamesBothSizesAndBothListings) {
  InputWitness witness;
  witness.check_end("a", 7);
  EXPECT_THAT([&] { witness.check_end("a", 8); }, tells_of_a_change("a", "7 bytes, as its first"));
  EXPECT_THAT([&] { witness.check_end("a", 8); }, tells_of_a_change("a", "got 8"));
  witness.check_listing("f", std::vector<std::string>{"f/1"});
  EXPECT_THAT(
      [&] {
        witness.check_listing("f", std::vector<std::string>{"f/1", "f/2"});
      },
      tells_of_a_change("f", "expected f/1, as its first reading found, got f/1, f/2"));
  EXPECT_THAT([&] { witness.check_listing("f", {}); }, tells_of_a_change("f", "got no file"));
}

TEST(Witness, IsAskedByThreadsAtATime) {
  InputWitness witness;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (std::size_t at = 0; at < 50; ++at) witness.check_block("a", at * block, text_of(at));
      witness.check_end("a", 50 * block);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THROW(witness.check_end("a", 49 * block), InputError);
}

class Window : public testing::Test {
 protected:
  void write(const std::string& text) { path_ = folder_.write("file", text); }
  static std::string text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  const TemporaryFolder folder_;
  std::filesystem::path path_;
};

TEST_F(Window, HasTheFilesBytesWhereverItIsMoved) {
  const std::string file = text_of(5 * block + 77);
  write(file);
  InputWitness witness;
  for (const bool is_witnessed : {false, true, true}) {
    FileWindow window(path_, is_witnessed ? &witness : nullptr);
    ASSERT_EQ(window.size(), file.size());
    Random random = Random::stream(1, "places");
    for (int i = 0; i < 200; ++i) {
      const std::size_t at = random.below(file.size() + 1) / 8 * 8;
      const std::size_t count =
          random.below(std::min<std::size_t>(file.size() - at, 2 * block) + 1);
      const auto bytes = window.bytes(at, count);
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % 8, 0u);
      ASSERT_EQ(text(bytes), file.substr(at, count)) << at << " " << count;
    }
  }
}

TEST_F(Window, IsOfAnEmptyFileAsWell) {
  write("");
  FileWindow window(path_, nullptr);
  EXPECT_EQ(window.size(), 0u);
  EXPECT_TRUE(window.bytes(0, 0).empty());
}

TEST_F(Window, RefusesTheFirstBlockThatIsAnother) {
  const std::string file = text_of(3 * block);
  write(file);
  InputWitness witness;
  FileWindow(path_, &witness).bytes(0, file.size());
  std::string other = file;
  other[block + 7] = '!';
  write(other);
  FileWindow window(path_, &witness);
  EXPECT_EQ(text(window.bytes(0, block)), file.substr(0, block));
  EXPECT_EQ(text(window.bytes(2 * block, block)), file.substr(2 * block));
  EXPECT_THAT([&] { window.bytes(block - 1, 2); },
              tells_of_a_change(path_.string(), "from byte 262144 on"));
}

TEST_F(Window, SurvivesAFileThatIsTruncatedMeanwhile) {
  write(text_of(3 * block));
  FileWindow window(path_, nullptr);
  window.bytes(0, 10);
  ASSERT_EQ(::truncate(path_.c_str(), block + 5), 0);
  EXPECT_THAT([&] { window.bytes(2 * block, 1); },
              tells_of_a_change(path_.string(), "expected 786432 bytes, got"));
}

TEST_F(Window, OpensNothingButFiles) {
  EXPECT_THROW(FileWindow(folder_.path() / "absent", nullptr), InputError);
  EXPECT_THROW(FileWindow(folder_.path(), nullptr), InputError);
}

}  // namespace
}  // namespace tracebed

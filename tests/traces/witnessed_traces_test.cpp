// Every reading of a trace is that of the first: whatever its format, and whichever of its files
// has changed.
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "support/temporary_folder.h"
#include "traces/bad_inputs.h"
#include "traces/convert/trace_convert.h"
#include "traces/convert/trace_cut.h"
#include "traces/convert/trace_merge.h"
#include "traces/machines/machine_changes.h"
#include "traces/machines/machine_trace.h"
#include "traces/parts/witnessed_bytes.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::size_t block = InputWitness::block_bytes;

std::size_t read_all(const std::string& path, const TraceOptions& options) {
  Names names;
  const auto reader = open_trace(path, options, names);
  std::size_t jobs = 0;
  for (Job job; reader->next(job);) ++jobs;
  return jobs;
}

auto tells_of_a_change(const std::string& file) {
  return ThrowsMessage<InputError>(
      AllOf(HasSubstr(file), HasSubstr("changed while it was in use")));
}

class WitnessedBytesTest : public ::testing::Test {
 protected:
  void write(const std::string& text) { path_ = folder_.write("trace", text).string(); }
  // All of it, or its first bytes.
  std::string read(std::size_t bytes = std::string::npos, std::size_t step = 1000) {
    const auto source = open_witnessed(path_, &witness_);
    std::string text;
    std::string room(step, ' ');
    while (text.size() < bytes) {
      const std::size_t count =
          source->read(std::span(room).first(std::min(step, bytes - text.size())));
      if (count == 0) break;
      text.append(room, 0, count);
    }
    EXPECT_EQ(source->defect(), "");
    return text;
  }

  const TemporaryFolder folder_;
  InputWitness witness_;
  std::string path_;
};

std::string text_of(std::size_t size) {
  std::string text;
  for (std::size_t i = 0; text.size() < size; ++i) text += std::to_string(i) + "\n";
  text.resize(size);
  return text;
}

TEST_F(WitnessedBytesTest, AreTheFilesHoweverTheyAreAskedFor) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, block, 2 * block + 5}) {
    folder_.write("trace", text_of(size));
    path_ = folder_.file("trace");
    const InputWitness of_before;
    for (const std::size_t step : {std::size_t{1000}, block, 3 * block}) {
      InputWitness witness;
      for (int time = 0; time < 2; ++time) {
        const auto source = open_witnessed(path_, &witness);
        std::string room(step, ' ');
        std::string text;
        while (const std::size_t count = source->read(room)) text.append(room, 0, count);
        EXPECT_EQ(text, text_of(size));
      }
    }
  }
}

TEST_F(WitnessedBytesTest, AreRefusedBeforeAnyOfAnotherBlockIsHandedOut) {
  const std::string text = text_of(3 * block);
  write(text);
  read();
  std::string other = text;
  other[block + 7] = '!';
  write(other);
  EXPECT_EQ(read(block), text.substr(0, block));
  EXPECT_THAT([&] { read(block + 1); }, tells_of_a_change(path_));
}

TEST_F(WitnessedBytesTest, AreRefusedWhereTheyWereAppendedOrCutOff) {
  const std::string text = text_of(block + 100);
  write(text);
  read();
  for (const std::string& other : {text + "more\n", text.substr(0, block), std::string()}) {
    write(other);
    EXPECT_THAT([&] { read(); }, tells_of_a_change(path_)) << other.size();
  }
}

TEST_F(WitnessedBytesTest, MayBeReadFurtherThanBefore) {
  const std::string text = text_of(3 * block);
  write(text);
  EXPECT_EQ(read(10).size(), 10u);
  EXPECT_EQ(read(), text);
  std::string other = text;
  other[2 * block] = '!';
  write(other);
  EXPECT_EQ(read(2 * block).size(), 2 * block) << "nobody went further";
  EXPECT_THAT([&] { read(); }, tells_of_a_change(path_));
}

// The bytes of every format that is read as a stream.
TEST(WitnessedTrace, OfEveryFormatIsReadAgainOnlyUnchanged) {
  const TemporaryFolder folder;
  for (const BadInputs& inputs : bad_inputs()) {
    SCOPED_TRACE(inputs.format);
    InputWitness witness;
    TraceOptions options = TraceOptions().witnessed_by(witness);
    options.format = inputs.format;
    options.skip_bad = true;
    const std::string path = folder.write(inputs.format, inputs.good).string();
    for (int time = 0; time < 2; ++time) EXPECT_EQ(read_all(path, options), 2u);
    folder.write(inputs.format, inputs.good + "\n");
    EXPECT_THAT([&] { read_all(path, options); }, tells_of_a_change(path));
    folder.write(inputs.format, gzip(inputs.good));
    EXPECT_THAT([&] { read_all(path, options); }, tells_of_a_change(path));
  }
}

constexpr const char* swf_row = "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 -1 1 -1 -1 -1\n";

std::string swf_jobs(int count, const char* row = swf_row) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += std::to_string(i) + std::string(row).substr(1);
  return text;
}

TEST(WitnessedTrace, InBinaryIsReadAgainOnlyUnchangedAndNeverAsText) {
  const TemporaryFolder folder;
  const std::string text = folder.write("jobs.swf", swf_jobs(3)).string();
  const std::string path = folder.file("jobs.trace");
  const auto write_binary = [&] { convert_trace(text, path, "binary", {}); };
  write_binary();
  const std::string first = file_text(path);
  InputWitness witness;
  const TraceOptions options = TraceOptions().witnessed_by(witness);
  for (int time = 0; time < 2; ++time) EXPECT_EQ(read_all(path, options), 3u);
  folder.write("jobs.swf", swf_jobs(2));
  write_binary();
  EXPECT_THAT([&] { read_all(path, options); }, tells_of_a_change(path));
  EXPECT_THAT([&] { read_machines(path, {options, {}, {}}); }, tells_of_a_change(path));
  std::filesystem::copy_file(text, path, std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT([&] { read_all(path, options); }, tells_of_a_change(path));
  folder.write("jobs.trace", first);
  EXPECT_EQ(read_all(path, options), 3u);
}

// A trace of several files: each of them changes, and others come and go.
void expect_folder_is_witnessed(const TemporaryFolder& folder, const std::string& another) {
  InputWitness witness;
  const TraceOptions options = TraceOptions().witnessed_by(witness);
  const std::string path = folder.path().string();
  const std::size_t jobs = read_all(path, options);
  EXPECT_GT(jobs, 0u);
  for (const std::string& file : files_of_trace(path)) {
    const std::string text = file_text(file);
    write_file(file, text + text);
    EXPECT_THAT([&] { read_all(path, options); }, tells_of_a_change(file));
    write_file(file, text);
    EXPECT_EQ(read_all(path, options), jobs);
  }
  folder.write(another, "");
  EXPECT_THAT([&] { read_all(path, options); }, tells_of_a_change(path));
  std::filesystem::remove(folder.path() / another);
  EXPECT_EQ(read_all(path, options), jobs);
}

TEST(WitnessedTrace, OfGooglesTablesIsReadAgainOnlyUnchanged) {
  const TemporaryFolder folder;
  const auto event = [](const char* time, const char* kind) {
    return std::string(time) + ",,7,0,5," + kind + ",user,0,0,0.5,0.25,0,0\n";
  };
  folder.write("task_events/part-00000-of-00002.csv", event("600000000", "0"));
  folder.write("task_events/part-00001-of-00002.csv",
               event("610000000", "1") + event("620000000", "4"));
  folder.write("job_events/part-00000-of-00001.csv", "600000000,,7,0,user,0,job,logical\n");
  expect_folder_is_witnessed(folder, "job_events/part-00001-of-00001.csv");
}

TEST(WitnessedTrace, OfAlibabasTablesIsReadAgainOnlyUnchanged) {
  const TemporaryFolder folder;
  folder.write("batch_task.csv", "M1,1,j,1,Terminated,5,20,100,50\n");
  expect_folder_is_witnessed(folder, "batch_instance.csv");
}

// Each command's reading ends with what it is about to write.
TEST(WitnessedTrace, MachinesAndOriginsAreThoseOfTheFirstReading) {
  const TemporaryFolder folder;
  const std::string path = folder.write("jobs.swf", swf_jobs(2)).string();
  InputWitness witness;
  const TraceOptions options = TraceOptions().witnessed_by(witness);
  EXPECT_NO_THROW(origin_of_jobs(path, options));
  folder.write("jobs.swf", swf_jobs(2, "1 5 0 10 1 -1 -1 1 10 -1 1 1 1 -1 1 -1 -1 -1\n"));
  EXPECT_THAT([&] { origin_of_jobs(path, options); }, tells_of_a_change(path));
  EXPECT_THAT([&] { open_rows(path, options); }, tells_of_a_change(path));
}

}  // namespace
}  // namespace tracebed::testing

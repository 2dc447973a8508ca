// Every command that writes a trace, to every kind of thing that a path may name.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coordinator/cli/program.h"
#include "system/file_descriptor.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Of a job with one task, which never ran.
constexpr std::string_view history =
    "Avro-Json\n"
    R"({"type":"record","name":"Event","fields":[]})"
    "\n"
    R"({"type":"JOB_SUBMITTED","event":{"org.apache.hadoop.mapreduce.jobhistory.JobSubmitted":{)"
    R"("jobid":"job_7_0001","jobName":"n","userName":"u","submitTime":5,"jobQueueName":"q"}}})"
    "\n"
    R"({"type":"TASK_STARTED","event":{"org.apache.hadoop.mapreduce.jobhistory.TaskStarted":{)"
    R"("taskid":"m0","taskType":"MAP","startTime":6,"splitLocations":"h1"}}})"
    "\n"
    R"({"type":"JOB_FINISHED","event":{"org.apache.hadoop.mapreduce.jobhistory.JobFinished":{)"
    R"("jobid":"job_7_0001","finishTime":9}}})"
    "\n";

// OUT stands for the file to write, IN for a trace, HISTORY for a job history.
const std::vector<std::vector<std::string>> writers = {
    {"convert", "IN", "OUT", "--to", "binary"},
    {"convert", "IN", "OUT", "--to", "sls"},
    {"convert", "IN", "OUT", "--to", "swf"},
    {"cut", "IN", "OUT", "--first", "2"},
    {"merge", "OUT", "IN", "IN"},
    {"generate", "swim", "OUT", "--jobs", "20"},
    {"generate", "uniform", "OUT", "--jobs", "20"},
    {"generate", "lublin", "OUT", "--jobs", "20"},
    {"generate", "--like", "IN", "--jobs", "5", "OUT"},
    {"generate", "--like", "IN", "--jobs", "5", "--to", "binary", "OUT"},
    {"histories", "HISTORY", "OUT"},
    {"histories", "HISTORY", "/dev/null", "--topology", "OUT"},
};

class TraceOutput : public ::testing::TestWithParam<std::vector<std::string>> {
 protected:
  TraceOutput() {
    write_small_experiment(folder_);
    folder_.write("job_7_0001.jhist", history);
  }
  std::vector<std::string> words(const std::string& output) const {
    std::vector<std::string> all = {"trace"};
    for (std::string word : GetParam()) {
      if (word == "OUT") word = output;
      if (word == "IN") word = folder_.file("small.swf");
      if (word == "HISTORY") word = folder_.file("job_7_0001.jhist");
      all.push_back(std::move(word));
    }
    return all;
  }
  // What the command writes into a file of its own.
  std::string expected() const {
    const ProgramEnd end = tracebed_program(words(folder_.file("expected")));
    EXPECT_EQ(end.exit_code, 0) << end.error;
    const std::string bytes = contents(folder_.path() / "expected");
    EXPECT_FALSE(bytes.empty());
    return bytes;
  }

  TemporaryFolder folder_;
};

TEST_P(TraceOutput, IntoADeviceIsWrittenThereAndAFullOneIsAFailure) {
  const std::filesystem::path full = folder_.path() / "full";
  std::filesystem::create_symlink("/dev/full", full);
  const ProgramEnd end = tracebed_program(words(full.string()));
  EXPECT_EQ(end.exit_code, 4) << end.out;
  EXPECT_THAT(end.error, HasSubstr("No space left on device"));
  EXPECT_TRUE(std::filesystem::is_symlink(full));
  EXPECT_TRUE(std::filesystem::is_character_file(full));
}

TEST_P(TraceOutput, IntoAFifoIsWhatAFileGets) {
  const std::string fifo = folder_.file("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  // Open for both, it waits for nobody; what is written here is less than a pipe holds.
  const FileDescriptor both(open(fifo.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  ASSERT_TRUE(both.is_open());
  const ProgramEnd end = tracebed_program(words(fifo));
  EXPECT_EQ(end.exit_code, 0) << end.error;
  EXPECT_TRUE(std::filesystem::is_fifo(fifo));
  std::string bytes(64 << 10, '\0');
  const ssize_t count = read(both.number(), bytes.data(), bytes.size());
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(0, count)));
  EXPECT_EQ(bytes, expected());
}

TEST_P(TraceOutput, OntoStandardOutputIsTheTraceAloneAndMessagesGoBeside) {
  const ProgramEnd end = tracebed_program(words("-"));
  EXPECT_EQ(end.exit_code, 0) << end.error;
  EXPECT_EQ(end.out, expected());
  EXPECT_THAT(end.error, ::testing::Not(IsEmpty()));
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST_P(TraceOutput, ThroughALinkReplacesWhatThatLeadsTo) {
  folder_.write("target", "old");
  const std::filesystem::path link = folder_.path() / "link";
  std::filesystem::create_symlink("target", link);
  const ProgramEnd end = tracebed_program(words(link.string()));
  EXPECT_EQ(end.exit_code, 0) << end.error;
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(contents(folder_.path() / "target"), expected());
}

TEST_P(TraceOutput, IsNeverWhatIsRead) {
  for (const char* const read : {"small.swf", "job_7_0001.jhist"}) {
    const std::string before = contents(folder_.path() / read);
    std::filesystem::create_hard_link(folder_.path() / read, folder_.path() / "same");
    std::filesystem::create_symlink(read, folder_.path() / "link");
    const bool is_read = std::find(GetParam().begin(), GetParam().end(),
                                   *read == 's' ? "IN" : "HISTORY") != GetParam().end();
    for (const char* const name : {"same", "link"}) {
      if (!is_read) continue;
      const ProgramEnd end = tracebed_program(words(folder_.file(name)));
      EXPECT_EQ(end.exit_code, 3) << end.out;
      EXPECT_THAT(end.error, HasSubstr("expected an output file other than the input"));
      EXPECT_EQ(contents(folder_.path() / read), before);
    }
    std::filesystem::remove(folder_.path() / "same");
    std::filesystem::remove(folder_.path() / "link");
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, TraceOutput, ::testing::ValuesIn(writers));

class TraceInput : public ::testing::Test {
 protected:
  TraceInput() { write_small_experiment(folder_); }
  // `words` behind `tracebed trace`, with standard input from small.swf.
  ProgramEnd with_input(const std::string& words) const {
    return RunningProgram("/bin/sh", {"-c", fmt::format("exec '{}' trace {} < '{}'",
                                                        program_path("tracebed").string(), words,
                                                        folder_.file("small.swf"))})
        .wait();
  }
  TemporaryFolder folder_;
};

TEST_F(TraceInput, IsReadFromStandardInputWhereOnceIsEnough) {
  EXPECT_THAT(with_input("info -").out, HasSubstr("format swf"));
  EXPECT_THAT(with_input("validate -").out, HasSubstr("4 jobs"));
  const ProgramEnd end = with_input("convert - - --to sls");
  EXPECT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out, ::testing::StartsWith("{\"am.type\"")) << end.out;
  EXPECT_THAT(with_input("generate --like - --jobs 3 -").error, HasSubstr("3 jobs as swf"));
  const std::string out = folder_.file("out");
  EXPECT_EQ(with_input("merge " + out + " - " + folder_.file("small.swf")).exit_code, 0);
}

TEST_F(TraceInput, ThatMustBeReadTwiceIsNoStream) {
  const std::string out = folder_.file("out");
  EXPECT_THAT(with_input("cut - " + out).error,
              HasSubstr("standard input: expected a file, since it is read more than once"));
  EXPECT_THAT(with_input("merge " + out + " - -").error, HasSubstr("expected standard input once"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace tracebed

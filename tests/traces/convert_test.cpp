// `trace convert`: what comes over, and what is said to be lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "traces/binary/binary_writer.h"
#include "traces/convert/trace_convert.h"
#include "traces/sample_jobs.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {
namespace {

using ::testing::HasSubstr;

std::uint64_t lost(const ConvertResult& result, std::string_view field) {
  for (const auto& [name, count] : result.lost) {
    if (name.starts_with(field)) return count;
  }
  return 0;
}

std::vector<Job> read_file(const std::string& path, Names& names) {
  std::vector<Job> jobs;
  const auto reader = open_trace(path, {}, names);
  Job job;
  while (reader->next(job)) jobs.push_back(job);
  return jobs;
}

class Convert : public ::testing::Test {
 protected:
  std::string sample() {
    Names names;
    const std::vector<Job> jobs = sample_jobs(names);
    const std::string path = folder_.file("sample.tbt");
    BinaryTraceWriter writer(path, {"made", "by hand", {"gpu_milli"}, {}}, names);
    for (const Job& job : jobs) writer.add(job);
    writer.finish();
    return path;
  }

  TemporaryFolder folder_;
  Names names_;
};

TEST_F(Convert, ToBinaryAndBackIsTheSameWorkload) {
  const std::string input = sample();
  const std::string copy = folder_.file("copy.tbt");
  const std::string again = folder_.file("again.tbt");
  const ConvertResult first = convert_trace(input, copy, "binary", {});
  const ConvertResult second = convert_trace(copy, again, "binary", {});
  EXPECT_EQ(first.digest, second.digest);
  EXPECT_EQ(first.jobs_written, 5u);
  EXPECT_TRUE(first.lost.empty());
  EXPECT_EQ(contents(copy), contents(input)) << "where it came from stays, too";
}

TEST_F(Convert, OfSwfToSwfKeepsEveryColumnThatAJobHas) {
  const std::string input = folder_.file("in.swf");
  write_file(input,
             "; MaxProcs: 100\n"
             "17 0 10 300.5 4 20 2048 4 600 4096 1 3 2 -1 5 -1 -1 -1\n"
             "18 30.25 -1 100 1 90.5 1024 1 100 1024 1 -1 2 7 -1 1 17 5\n");
  const std::string output = folder_.file("out.swf");
  const ConvertResult result = convert_trace(input, output, "swf", {});
  EXPECT_EQ(result.jobs_written, 2u);
  EXPECT_EQ(result.lost.size(), 1u) << "the columns of preceding jobs alone are not written";
  EXPECT_EQ(lost(result, "jobs that are submitted after others"), 1u);
  EXPECT_THAT(contents(output),
              HasSubstr("17 0 -1 300.5 4 20 2048 4 600 4096 1 3 -1 -1 5 -1 -1 -1\n"
                        "18 30.25 -1 100 1 90.5 1024 1 100 1024 1 -1 -1 -1 -1 -1 -1 -1\n"));
  Names names;
  EXPECT_EQ(read_file(output, names), read_file(input, names_));
}

TEST_F(Convert, ToSwfLeavesOutJobsThatAreNotRigidAndCountsWhatIsLost) {
  const std::string output = folder_.file("out.swf");
  const ConvertResult result = convert_trace(sample(), output, "swf", {});
  EXPECT_EQ(result.jobs_read, 5u);
  EXPECT_EQ(result.jobs_written, 1u);
  EXPECT_EQ(lost(result, "jobs left out"), 4u);
  EXPECT_EQ(lost(result, "names of jobs"), 1u);
  EXPECT_EQ(lost(result, "vcores of a processor"), 1u);
  EXPECT_EQ(lost(result, "names of queues"), 0u) << "the rigid one's is the default";
  EXPECT_EQ(lost(result, "bytes read"), 1u);
}

TEST_F(Convert, ToSwfOfNoRigidJobIsRefusedAndLeavesNoFile) {
  const std::string input = folder_.file("in.tsv");
  write_file(input, "job0\t0\t0\t1000000000\t8\t7\n");
  const std::string output = folder_.file("out.swf");
  EXPECT_THROW(convert_trace(input, output, "swf", {}), InputError);
  EXPECT_FALSE(std::filesystem::exists(output));
}

TEST_F(Convert, ToSlsKeepsTasksDemandsDelaysAndTheFirstHost) {
  const std::string output = folder_.file("out.json");
  const ConvertResult result = convert_trace(sample(), output, "sls", {});
  EXPECT_EQ(result.jobs_written, 5u);
  EXPECT_EQ(lost(result, "hosts of a task's input beyond the first"), 1u);
  EXPECT_EQ(lost(result, "stages that another needs"), 2u);
  EXPECT_EQ(lost(result, "gangs"), 1u);
  EXPECT_EQ(lost(result, "parts of vcores"), 9u);
  EXPECT_EQ(lost(result, "labels that stages ask for"), 1u);
  EXPECT_EQ(lost(result, "limits of jobs' run times"), 4u);
  EXPECT_EQ(lost(result, "deadlines of jobs"), 3u);

  const std::vector<Job> jobs = read_file(output, names_);
  ASSERT_EQ(jobs.size(), 5u);
  EXPECT_EQ(jobs[0].name, "job at 0");
  EXPECT_EQ(jobs[0].kind, JobKind::map_reduce);
  ASSERT_EQ(jobs[0].stages.size(), 2u);
  EXPECT_EQ(jobs[0].stages[0].demand, Resources(2000, 2048));
  EXPECT_EQ(task_count(jobs[0].stages[0]), 3u);
  EXPECT_EQ(jobs[0].stages[0].places.hosts, (std::vector<std::string>{"host-a", "host-b"}));
  EXPECT_EQ(work_of(jobs[0].stages[0], 2).duration, seconds(20));
  EXPECT_EQ(task_count(jobs[0].stages[1]), 4u);
  EXPECT_EQ(jobs[1].stages[0].runs.front().count, 1'000'000u);
  EXPECT_EQ(jobs[3].kind, JobKind::dag);
  EXPECT_EQ(jobs[3].submit, trace_time(1'000'000'000)) << "rounded to milliseconds";
  EXPECT_EQ(jobs[3].stages[1].delay, milliseconds(1500));
  EXPECT_EQ(jobs[4].kind, JobKind::service);
}

TEST_F(Convert, ToAnUnknownFormatIsRefused) {
  EXPECT_THROW(convert_trace(sample(), folder_.file("out"), "xml", {}), InputError);
}

}  // namespace
}  // namespace tracebed::testing

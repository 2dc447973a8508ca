// Rows that come in no order, and `trace merge`, `trace validate` and `trace cut` of every format.
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "traces/binary/binary_file.h"
#include "traces/binary/binary_writer.h"
#include "traces/convert/trace_cut.h"
#include "traces/convert/trace_merge.h"
#include "traces/sample_jobs.h"
#include "traces/trace_texts.h"
#include "traces/trace_validate.h"

namespace tracebed::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TraceTools : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    return folder_.write(name, text).string();
  }
  std::string sample() {
    Names names;
    const std::vector<Job> jobs = sample_jobs(names);
    const std::string path = folder_.file("sample.tbt");
    BinaryTraceWriter writer(path, {"made", "by hand", {"gpu_milli"}, {}}, names);
    writer.set_machines(std::vector<Machine>{{"m", "/r", Resources(1000, 1024), {}},
                                             {"n", "/r", Resources(1000, 1024), {}}},
                        std::vector<MachineChange>{{trace_time(3), NodeId(0u), false},
                                                   {trace_time(7), NodeId(1u), false},
                                                   {trace_time(2'000'000'000), NodeId(1u), true}});
    for (const Job& job : jobs) writer.add(job);
    writer.finish();
    return path;
  }
  // "name at submit time in µs, of user" for every job.
  std::vector<std::string> jobs_of(const std::string& path, const TraceOptions& options = {}) {
    Names names;
    const auto reader = open_trace(path, options, names);
    std::vector<std::string> jobs;
    Job job;
    while (reader->next(job)) {
      EXPECT_EQ(job.id.index(), jobs.size());
      jobs.push_back(job.name + "@" + std::to_string(to_microseconds(job.submit)) + " " +
                     names.users.name(job.user));
    }
    return jobs;
  }

  TemporaryFolder folder_;
};

const std::string swf_tail = " -1 10 1 -1 -1 1 -1 -1 1 7 1 -1 1 -1 -1 -1\n";

TEST_F(TraceTools, SwfRowsInNoOrderAreSortedInBoundedMemory) {
  std::string text = "; MaxProcs: 4\n";
  for (int i = 0; i < 300; ++i) {
    text += std::to_string(i) + " " + std::to_string(i * 7919 % 300) + swf_tail;
  }
  const std::string path = write("t.swf", text);
  TraceOptions options;
  options.sort_bytes_max = 1024;
  Names names;
  const auto reader = open_trace(path, options, names);
  Job job;
  for (std::int64_t i = 0; i < 300; ++i) {
    ASSERT_TRUE(reader->next(job));
    EXPECT_EQ(to_microseconds(job.submit), i * 1'000'000);
  }
  EXPECT_FALSE(reader->next(job));
  EXPECT_EQ(reader->report().rows, 300u);
  EXPECT_EQ(reader->recorded_vcores(), 4);
}

TEST_F(TraceTools, SwimRowsInNoOrderAreSortedAndEqualOnesKeepTheirs) {
  const std::string path = write("t.tsv",
                                 "late\t9\t9\t1\t0\t0\n"
                                 "a\t4\t0\t1\t0\t0\n"
                                 "b\t4\t0\t1\t0\t0\n");
  TraceOptions options = with_rule("swim.users", "1");
  EXPECT_THAT(jobs_of(path, options), ElementsAre("a@0 user0", "b@0 user0", "late@5000000 user0"));
}

TEST_F(TraceTools, ABadRowAmongUnsortedOnesIsNamedByItsLine) {
  const std::string path = write("t.tsv",
                                 "late\t9\t9\t1\t0\t0\n"
                                 "a\t4\t0\t1\t0\t0\n"
                                 "b\t5\tx\t1\t0\t0\n");
  try {
    jobs_of(path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("t.tsv:3: column 3 (gap)"));
  }
}

TEST_F(TraceTools, CutOfRowsInNoOrderIsOneOfTheSameFormatInOrder) {
  const std::string swim = write("t.tsv",
                                 "late\t9\t9\t1\t0\t0\n"
                                 "a\t4\t0\t1\t0\t0\n"
                                 "b\t7\t3\t1\t0\t0\n");
  const std::string swf = write(
      "t.swf", "; MaxProcs: 4\n3 9" + swf_tail + "; later\n1 4" + swf_tail + "2 7" + swf_tail);
  const std::string output = folder_.file("cut");
  for (const char* const order : {"submit", "any"}) {
    TraceOptions options = with_rule("trace.order", order);
    options.sort_bytes_max = 64;  // the rest in a file
    EXPECT_EQ(cut_trace(swim, output, options, {}).format, "swim");
    EXPECT_EQ(file_text(output), "a\t4\t4\t1\t0\t0\nb\t7\t3\t1\t0\t0\nlate\t9\t2\t1\t0\t0\n");
    CutOptions cut;
    cut.from = seconds(3);
    cut.first = 1;
    const CutResult result = cut_trace(swf, output, options, cut);
    EXPECT_EQ(result.format, "swf");
    EXPECT_EQ(result.rows_read, 2u);
    EXPECT_EQ(file_text(output),
              "; MaxProcs: 4\n; Note: cut by tracebed: sorted by submit time, submitted from 3 s "
              "after the first row, first 1 rows\n2 7" +
                  swf_tail);
  }
}

TEST_F(TraceTools, CutOfABinaryTraceIsOneWithItsMachinesOnTheNewClock) {
  const std::string output = folder_.file("cut.tbt");
  CutOptions options;
  options.from = microseconds(7);
  options.first = 3;
  const CutResult result = cut_trace(sample(), output, {}, options);
  EXPECT_EQ(result.format, "binary");
  EXPECT_EQ(result.rows_written, 3u);
  EXPECT_THAT(jobs_of(output), ElementsAre("job at 7@0 user1", "job at 7@0 user1",
                                           "job at 1000000007@1000000000 user2"));
  const BinaryTraceFile file(output, nullptr);
  // Both are down when the new trace begins; the second comes back, so it is absent until then.
  ASSERT_EQ(file.changes().size(), 2u);
  EXPECT_EQ(file.changes()[0].node, NodeId(0u));
  EXPECT_FALSE(file.changes()[0].up);
  EXPECT_EQ(file.changes()[1].at, trace_time(1'999'999'993));
  EXPECT_TRUE(file.changes()[1].up);
}

TEST_F(TraceTools, CutOfATableOfTasksIsABinaryTraceOfItsJobs) {
  const std::string path = write("b.csv",
                                 "M1,1,j_1,,Terminated,5,9,100,0.5\n"
                                 "R2_1,1,j_1,,Terminated,9,12,100,0.5\n"
                                 "M1,1,j_2,,Terminated,8,9,100,0.5\n");
  CutOptions options;
  options.from = seconds(2);
  const std::string output = folder_.file("cut.tbt");
  const CutResult result = cut_trace(path, output, {}, options);
  EXPECT_EQ(result.rows_read, 2u);
  EXPECT_EQ(result.rows_written, 1u);
  EXPECT_EQ(jobs_of(output).size(), 1u);
}

TEST_F(TraceTools, MergedTracesAreOneInOrderOfTimeWithUsersByName) {
  const std::string swf =
      write("a.swf", "1 100" + swf_tail + "2 101" + swf_tail + "3 109" + swf_tail);
  const std::string swim = write("b.tsv", "x\t0\t0\t1\t0\t0\ny\t1\t1\t1\t0\t0\n");
  const std::string output = folder_.file("all.tbt");
  const MergeResult result =
      merge_traces({swf, swim, sample()}, output, with_rule("swim.users", "1"));
  EXPECT_EQ(result.jobs, 10u);
  EXPECT_EQ(result.inputs[0].jobs, 3u);
  EXPECT_EQ(result.inputs[1].format, "swim");
  EXPECT_THAT(
      jobs_of(output),
      ElementsAre("1@0 user7", "x@0 user0", "job at 0@0 user0", "job at 7@7 user1",
                  "job at 7@7 user1", "2@1000000 user7", "y@1000000 user0", "3@9000000 user7",
                  "job at 1000000007@1000000007 user2", "job at 1000000012@1000000012 user1"));
  EXPECT_EQ(BinaryTraceFile(output, nullptr).machines().size(), 2u);
}

TEST_F(TraceTools, MergeOfTwoTracesWithMachinesIsRefused) {
  const std::string path = sample();
  EXPECT_THROW(merge_traces({path, path}, folder_.file("all.tbt"), {}), InputError);
}

TEST_F(TraceTools, ValidateCountsProblemsByReasonWithTheFirstOfEach) {
  const std::string path = write("t.tsv",
                                 "a\t1\t0\t1\t0\t0\n"
                                 "b\tx\t0\t1\t0\t0\n"
                                 "c\t3\t0\t1\n"
                                 "d\t4\t0\t-1\t0\t0\n"
                                 "e\t5\t0\ty\t0\t0\n"
                                 "f\t6\t0\t1\t0\t0\n");
  const ValidateResult result = validate_trace(path, {});
  EXPECT_EQ(result.format, "swim");
  EXPECT_EQ(result.jobs, 2u);
  EXPECT_EQ(result.problems, 4u);
  ASSERT_EQ(result.by_reason.size(), 3u);
  EXPECT_EQ(result.by_reason[0].rows, 1u);
  EXPECT_THAT(result.by_reason[0].first, HasSubstr("t.tsv:3: row: expected 6 columns"));
  EXPECT_EQ(result.by_reason[1].rows, 2u);
  EXPECT_THAT(result.by_reason[1].first, HasSubstr("t.tsv:2: column 2 (submit time)"));
  EXPECT_THAT(result.by_reason[2].first, HasSubstr("t.tsv:4: column 4 (map input bytes)"));
  EXPECT_THAT(result.messages,
              ElementsAre(HasSubstr("t.tsv:2: column 2"), HasSubstr("t.tsv:3: row"),
                          HasSubstr("t.tsv:4: column 4"), HasSubstr("t.tsv:5: column 4")));
}

TEST_F(TraceTools, ValidateCountsJobsThatHaveTheIdOfAnother) {
  const auto rumen = [](const std::string& id) {
    return R"({"jobID":")" + id +
           R"(","submitTime":5,"mapTasks":[{"attempts":[{"result":"SUCCESS","startTime":6,)" +
           R"("finishTime":9}]}],"reduceTasks":[]})" + "\n";
  };
  const auto swf = [](const std::string& id) { return id + " 4" + swf_tail; };
  const auto swim = [](const std::string& id) { return id + "\t4\t0\t1\t0\t0\n"; };
  const std::vector<std::function<std::string(const std::string&)>> formats = {rumen, swf, swim};
  for (const auto& job : formats) {
    TraceOptions options;
    options.sort_bytes_max = 128;  // memory does not grow with the ids
    std::string text;
    for (int i = 10; i < 60; ++i) text += job(std::to_string(i));
    EXPECT_EQ(validate_trace(write("t", text), options).repeated_ids, 0u);
    text += job("59") + job("17") + job("17");
    const ValidateResult result = validate_trace(write("t", text), options);
    EXPECT_EQ(result.jobs, 53u) << result.format;
    EXPECT_EQ(result.repeated_ids, 3u) << result.format;
    EXPECT_EQ(result.repeated_id, "17") << result.format;
    EXPECT_EQ(result.problems, 0u) << result.format;
  }
  // Hawk's jobs have no ids.
  EXPECT_EQ(validate_trace(write("t", "5 1 2 3\n5 1 2 3\n"), {}).repeated_ids, 0u);
}

TEST_F(TraceTools, ValidateTellsADocumentCutOffFromDamagedData) {
  const std::string text = "{\"workflow\":{\"specification\":{";
  const ValidateResult result = validate_trace(write("t", text), {});
  ASSERT_EQ(result.by_reason.size(), 1u);
  EXPECT_EQ(result.by_reason[0].reason, "document cut off");
  const std::string whole = gzip(text);
  try {
    validate_trace(write("t.gz", whole.substr(0, whole.size() - 3)), {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the gzip data ends early: the file is truncated"));
  }
}

TEST_F(TraceTools, ValidateOfAGoodTraceTellsNothing) {
  const ValidateResult result = validate_trace(sample(), {});
  EXPECT_EQ(result.problems, 0u);
  EXPECT_EQ(result.jobs, 5u);
}

}  // namespace
}  // namespace tracebed::testing

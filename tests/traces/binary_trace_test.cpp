// Tracebed's own binary trace: what goes in comes back, and what is damaged is refused.
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "traces/binary/binary_reader.h"
#include "traces/binary/binary_writer.h"
#include "traces/sample_jobs.h"
#include "traces/trace_texts.h"
#include "traces/workload_digest.h"

namespace tracebed::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const TraceOrigin origin{"some.swf", "swf", {"gpu_milli"}, {{"trace.origin", "file"}}};

std::vector<Machine> sample_machines() {
  Machine large{"m0", "/rack0", Resources(64'000, 1 << 18), {"gpu", "ssd"}};
  large.capacity[2] = 8000;
  return {large, {"m1", "/rack1", Resources(4000, 8192), {}}};
}
bool same(const MachineChange& a, const MachineChange& b) {
  return a.at == b.at && a.node == b.node && a.up == b.up;
}
const std::vector<MachineChange> sample_changes = {{trace_time(5), NodeId(1u), false},
                                                   {trace_time(5), NodeId(0u), false},
                                                   {trace_time(9), NodeId(1u), true}};

void write_jobs(const std::string& path, const std::vector<Job>& jobs, const Names& names) {
  BinaryTraceWriter writer(path, origin, names);
  writer.set_machines(sample_machines(), sample_changes);
  for (const Job& job : jobs) writer.add(job);
  writer.finish();
}

// The sample as the file at `path`.
void write_sample(const std::string& path) {
  Names names;
  const std::vector<Job> jobs = sample_jobs(names);
  write_jobs(path, jobs, names);
}

TraceOptions with_gpus() {
  TraceOptions options;
  options.dimensions = ResourceDimensions({"gpu_milli"});
  return options;
}

std::vector<Job> read_jobs(const std::string& path, const TraceOptions& options, Names& names) {
  std::vector<Job> jobs;
  const auto reader = open_trace(path, options, names);
  EXPECT_EQ(reader->format(), "binary");
  Job job;
  while (reader->next(job)) jobs.push_back(job);
  EXPECT_FALSE(reader->next(job)) << "the end stays the end";
  return jobs;
}

TEST(BinaryTrace, GivesBackJobsOfEveryKindAsTheyWere) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.tbt");
  write_sample(path);
  Names written;
  const std::vector<Job> expected = sample_jobs(written);
  Names names;
  const std::vector<Job> jobs = read_jobs(path, with_gpus(), names);
  ASSERT_EQ(jobs.size(), expected.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(jobs[i], expected[i]) << expected[i].name;
    EXPECT_EQ(names.users.name(jobs[i].user), written.users.name(expected[i].user));
    EXPECT_EQ(names.queues.name(jobs[i].queue), written.queues.name(expected[i].queue));
  }
}

TEST(BinaryTrace, KeepsMachinesTheirChangesAndWhereItCameFrom) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.tbt");
  write_sample(path);
  const BinaryTraceFile file(path, nullptr);
  EXPECT_EQ(file.origin(), origin);
  EXPECT_EQ(file.machines(), sample_machines());
  ASSERT_EQ(file.changes().size(), sample_changes.size());
  for (std::size_t i = 0; i < sample_changes.size(); ++i) {
    EXPECT_TRUE(same(file.changes()[i], sample_changes[i])) << i;
  }
}

TEST(BinaryTrace, OfManyJobsHasManyChunksAndOneOrder) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.tbt");
  Names names;
  Job job = sample_jobs(names).front();
  WorkloadDigest written(names);
  {
    BinaryTraceWriter writer(path, origin, names);
    for (std::uint32_t i = 0; i < 20'000; ++i) {
      job.id = JobId(i);
      job.submit = trace_time(std::int64_t{i} * 1'000'003);
      job.name = "job" + std::to_string(i * 7919);
      job.user = names.users.intern("user" + std::to_string(i / 100));  // names come up on the way
      writer.add(job);
      written.add(job);
    }
    writer.finish();
  }
  Names read_names;
  WorkloadDigest read(read_names);
  const auto reader = open_trace(path, with_gpus(), read_names);
  std::size_t jobs = 0;
  for (; reader->next(job); ++jobs) read.add(job);
  EXPECT_EQ(jobs, 20'000u);
  EXPECT_EQ(read.to_string(), written.to_string());
}

TEST(BinaryTrace, LeavesOutAmountsThatTheRunDoesNotCountAndSaysSo) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.tbt");
  write_sample(path);
  Names names;
  const auto reader = open_trace(path, {}, names);
  Job job;
  while (reader->next(job)) {
    for (const Stage& stage : job.stages) EXPECT_EQ(stage.demand, Resources(1500, 2048));
  }
  const auto notes = reader->report().notes;
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0].name, HasSubstr("gpu_milli"));
  EXPECT_EQ(notes[0].count, 1u);
}

TEST(BinaryTrace, PutsAmountsIntoTheDimensionOfTheRunWithTheirName) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.tbt");
  write_sample(path);
  TraceOptions options;
  options.dimensions = ResourceDimensions({"disk", "gpu_milli"});
  Names names;
  const std::vector<Job> jobs = read_jobs(path, options, names);
  EXPECT_EQ(jobs[3].stages[0].demand[2], 0);
  EXPECT_EQ(jobs[3].stages[0].demand[3], 500);
}

std::string refusal(const std::string& path) {
  try {
    Names names;
    read_jobs(path, with_gpus(), names);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(BinaryTrace, CutOffAnywhereIsRefusedWithItsReason) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.tbt");
  write_sample(path);
  const std::string whole = contents(path);
  for (std::size_t size = 8; size < whole.size(); ++size) {
    write_file(path, whole.substr(0, size));
    EXPECT_THAT(refusal(path), AllOf(HasSubstr(path), HasSubstr("cut off"))) << size;
  }
}

TEST(BinaryTrace, WithAnyBitChangedIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.tbt");
  write_sample(path);
  const std::string whole = contents(path);
  for (std::size_t at = 8; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
    write_file(path, changed);
    EXPECT_THAT(refusal(path), HasSubstr(path)) << at;
  }
}

TEST(BinaryTrace, OfANewerVersionSaysThatItIsNewer) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.tbt");
  write_sample(path);
  std::string text = contents(path);
  binary::Prologue prologue;
  std::memcpy(&prologue, text.data(), sizeof(prologue));
  prologue.version = 3;
  prologue.header_checksum = binary::own_checksum(prologue);
  std::memcpy(text.data(), &prologue, sizeof(prologue));
  write_file(path, text);
  EXPECT_EQ(refusal(path), path +
                               ": expected format version 1 to 2, got 3: the file was written by a "
                               "newer Tracebed");
}

// Version 1 knew no deadlines, and its chunks are those of jobs without any.
TEST(BinaryTrace, OfTheFirstVersionIsReadAndGetsDeadlinesByTheRuleAlone) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.tbt");
  Names written;
  std::vector<Job> expected = sample_jobs(written);
  for (Job& job : expected) job.deadline = Duration{};
  write_jobs(path, expected, written);
  std::string text = contents(path);
  binary::Prologue prologue;
  std::memcpy(&prologue, text.data(), sizeof(prologue));
  prologue.version = 1;
  prologue.header_checksum = binary::own_checksum(prologue);
  std::memcpy(text.data(), &prologue, sizeof(prologue));
  write_file(path, text);
  Names names;
  EXPECT_EQ(read_jobs(path, with_gpus(), names), expected);
  TraceOptions by_rule = with_gpus();
  by_rule.rules.common.deadline_factor = 2.5;
  Names others;
  const std::vector<Job> jobs = read_jobs(path, by_rule, others);
  for (const Job& job : jobs) EXPECT_EQ(job.deadline * 2, ideal_duration(job) * 5) << job.name;
}

TEST(BinaryTrace, WithAChunkTakenOutIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.tbt");
  write_sample(path);
  std::string text = contents(path);
  // The machines', which are the second: the header behind the origin's payload.
  binary::ChunkHeader first;
  std::memcpy(&first, text.data() + sizeof(binary::Prologue), sizeof(first));
  const std::size_t second = sizeof(binary::Prologue) + sizeof(first) + binary::padded(first.bytes);
  binary::ChunkHeader header;
  std::memcpy(&header, text.data() + second, sizeof(header));
  text.erase(second, sizeof(header) + binary::padded(header.bytes));
  binary::Epilogue epilogue;
  const std::size_t end = text.size() - sizeof(epilogue);
  std::memcpy(&epilogue, text.data() + end, sizeof(epilogue));
  epilogue.file_bytes = text.size();
  epilogue.header_checksum = binary::own_checksum(epilogue);
  std::memcpy(text.data() + end, &epilogue, sizeof(epilogue));
  write_file(path, text);
  EXPECT_THAT(refusal(path), HasSubstr("expected chunk 1 at byte"));
}

TEST(BinaryTrace, OfAnotherFormatIsRefusedWhenAskedFor) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.tbt");
  write_file(path, "job0\t0\t0\t9\t8\t7\n");
  TraceOptions options;
  options.format = "binary";
  Names names;
  EXPECT_THROW(open_trace(path, options, names), InputError);
}

TEST(BinaryTrace, InsideACompressedFileIsRefusedWithTheReason) {
  const TemporaryFolder folder;
  const std::string path = folder.file("t.tbt");
  write_sample(path);
  EXPECT_THAT(read_error(gzip(contents(path))), HasSubstr("in a file of its own"));
}

TEST(BinaryTrace, IsNotWrittenUnderANameOfCompressedFiles) {
  const TemporaryFolder folder;
  const Names names;
  EXPECT_THROW(BinaryTraceWriter(folder.file("t.gz"), origin, names), InputError);
}

}  // namespace
}  // namespace tracebed::testing

// The files that a trace's jobs read: by path, by job, shared, and where the trace says they are.
#include "coordinator/workload/input_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "core/input_paths.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t mebi = std::int64_t{1} << 20;

InputFileOptions options() {
  return {.replication = 3,
          .block_size = 64 * mebi,
          .blocks_per_file_max = 1'000,
          .objects_max = 10'000,
          .user = "hdfs"};
}

std::vector<Machine> machines() {
  std::vector<Machine> list(3);
  for (std::size_t i = 0; i < list.size(); ++i) list[i].name = "node" + std::to_string(i + 1);
  return list;
}

Job job_of(unsigned number, std::uint32_t maps, std::int64_t bytes, const std::string& path = {}) {
  Job job;
  job.id = JobId(number);
  job.name = "job" + std::to_string(number);
  Stage& stage = job.stages.emplace_back();
  stage.runs = {{maps, {.input_bytes = bytes}}};
  stage.input_path = path;
  return job;
}

std::vector<PreloadedFile> files_of(const std::vector<Job>& jobs,
                                    const InputFileOptions& chosen = options()) {
  InputFiles files(chosen, machines());
  for (const Job& job : jobs) files.add(job);
  return files.take();
}

std::string fault_of(const std::vector<Job>& jobs, const InputFileOptions& chosen = options()) {
  try {
    (void)files_of(jobs, chosen);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

InputFileOptions options_with_kernels() {
  InputFileOptions chosen = options();
  chosen.are_outputs_written = true;
  chosen.is_shuffling = true;
  return chosen;
}

Job kernel_job(unsigned number, std::int64_t bytes, const std::string& kernel = "wordcount/1") {
  Job job = job_of(number, 2, bytes, "/tracebed/kernels/" + kernel);
  Stage& reduces = job.stages.emplace_back();
  reduces.kind = StageKind::reduce;
  reduces.runs = {{3, {.shuffle_bytes = 10, .output_bytes = 5}}};
  return job;
}

TEST(InputFiles, OfKernelsHaveWholeUnits) {
  const auto files = files_of({kernel_job(0, 2'049), kernel_job(1, 2'048, "terasort/1"),
                               kernel_job(2, 2'050), kernel_job(3, 2'048, "grep/1")},
                              options_with_kernels());
  ASSERT_THAT(files, SizeIs(3));
  EXPECT_EQ(files[0].size, 8'192);
  EXPECT_EQ(files[1].size, 4'100);
  EXPECT_EQ(files[2].size, 4'096);
}

TEST(InputFiles, OfKernelsAreForJobsThatCanRunThem) {
  const InputFileOptions chosen = options_with_kernels();
  EXPECT_EQ(fault_of({kernel_job(0, 1)}, chosen), "none");
  EXPECT_EQ(fault_of({kernel_job(0, 1, "kmeans/1")}, chosen), "none");
  EXPECT_THAT(fault_of({kernel_job(0, 1, "mean/1")}, chosen),
              HasSubstr("job job0: expected /tracebed/kernels/KERNEL/SEED"));
  EXPECT_THAT(fault_of({kernel_job(0, 1), kernel_job(1, 9'000)}, chosen),
              HasSubstr("job job1: a kernel reads all of its input: expected 4096 B of "
                        "/tracebed/kernels/wordcount/1, as of the jobs before, got 20480 B"));
  for (bool InputFileOptions::*needed :
       {&InputFileOptions::are_outputs_written, &InputFileOptions::is_shuffling}) {
    InputFileOptions without = chosen;
    without.*needed = false;
    EXPECT_THAT(fault_of({kernel_job(0, 1)}, without),
                HasSubstr("expected storage.shuffle = true and storage.output_replication"));
  }
  Job job = kernel_job(0, 1);
  job.kind = JobKind::dag;
  EXPECT_THAT(fault_of({job}, chosen), HasSubstr("the maps of a MapReduce job"));
  const std::string tasks = "job job0: to run a kernel, expected 1 to 65536 reduces";
  job = kernel_job(0, 1);
  job.stages.pop_back();
  EXPECT_THAT(fault_of({job}, chosen), HasSubstr(tasks));
  job = kernel_job(0, 1);
  job.stages[1].runs[0].work.output_bytes = 0;
  EXPECT_THAT(fault_of({job}, chosen), HasSubstr(tasks));
  job = kernel_job(0, 1);
  job.stages[1].runs[0].work.shuffle_bytes = 0;
  EXPECT_THAT(fault_of({job}, chosen), HasSubstr(tasks));
  job = kernel_job(0, 1);
  job.stages[0].runs[0].work.output_bytes = 1;
  EXPECT_THAT(fault_of({job}, chosen), HasSubstr(tasks));
  job = kernel_job(0, 1);
  job.stages[1].runs = {{1, {.shuffle_bytes = 1, .output_bytes = 5}}};
  EXPECT_THAT(fault_of({job}, chosen), HasSubstr("a byte of each of the 2 maps"));
}

// Of two iterations, with two maps and three reduces each.
Job iterating_job(const std::string& kernel = "kmeans/1") {
  Job job = kernel_job(0, 40, kernel);
  job.kind = JobKind::dag;
  job.stages[1].kind = StageKind::map;
  job.stages.push_back(job.stages[0]);
  job.stages.push_back(job.stages[1]);
  job.stages[1].runs[0].work.output_bytes = 0;
  job.stages[2].runs[0].work.shuffle_bytes = 2;
  for (std::uint16_t i = 1; i < 4; ++i) job.stages[i].needs = {static_cast<std::uint16_t>(i - 1)};
  return job;
}

TEST(InputFiles, OfKernelsThatIterateAreReadInEachIteration) {
  const auto files = files_of({iterating_job()}, options_with_kernels());
  ASSERT_THAT(files, SizeIs(1));
  EXPECT_EQ(files[0].path, "/tracebed/kernels/kmeans/1");
  EXPECT_EQ(files[0].size, 96);
  EXPECT_EQ(files_of({iterating_job("pagerank/1")}, options_with_kernels())[0].size, 128);
}

TEST(InputFiles, OfKernelsThatIterateAreForStagesInTurn) {
  const auto fault_with = [](auto&& change, const std::string& kernel = "kmeans/1") {
    Job job = iterating_job(kernel);
    change(job.stages);
    return fault_of({job}, options_with_kernels());
  };
  using Stages = std::vector<Stage>;
  const std::string turns = "as many stages of maps as of reduces, in turn";
  EXPECT_THAT(fault_with([](Stages&) {}, "sort/1"), HasSubstr("the maps of a MapReduce job"));
  EXPECT_THAT(fault_with([](Stages& stages) { stages.pop_back(); }), HasSubstr(turns));
  EXPECT_THAT(fault_with([](Stages& stages) { stages[3].needs = {1, 2}; }), HasSubstr(turns));
  EXPECT_THAT(fault_with([](Stages& stages) { stages[1].needs = {}; }), HasSubstr(turns));
  EXPECT_THAT(fault_with([](Stages& stages) { stages[2].runs[0].count = 1; }), HasSubstr(turns));
  EXPECT_THAT(fault_with([](Stages& stages) { stages[3].runs[0].count = 4; }), HasSubstr(turns));
  EXPECT_THAT(fault_with([](Stages& stages) { stages[1].runs[0].work.input_bytes = 1; }),
              HasSubstr(turns));
  EXPECT_THAT(
      fault_with([](Stages& stages) { stages[2].input_path = "/tracebed/kernels/kmeans/2"; }),
      HasSubstr(turns));
  const std::string tasks = "of several iterations the reduces of the last write";
  EXPECT_THAT(fault_with([](Stages& stages) { stages[1].runs[0].work.output_bytes = 1; }),
              HasSubstr(tasks));
  EXPECT_THAT(fault_with([](Stages& stages) { stages[2].runs[0].work.shuffle_bytes = 1; }),
              HasSubstr(tasks));
  // Later stages alone do not make it a kernel's job.
  EXPECT_THAT(fault_with([](Stages& stages) { stages[0].input_path = "/data"; }),
              HasSubstr("/tracebed/kernels/kmeans/1 as the input of its first stage, too"));
}

TEST(InputFiles, AreWrittenFromTheMachineThatIsNamed) {
  EXPECT_FALSE(files_of({job_of(0, 2, mebi)})[0].writer.is_valid());
  InputFileOptions written = options();
  written.writer = "node2";
  EXPECT_EQ(files_of({job_of(0, 2, mebi)}, written)[0].writer, NodeId(1u));
}

TEST(InputFiles, AreOneOfEachJobWhereTheTraceNamesNoPaths) {
  const auto files = files_of({job_of(0, 4, 10 * mebi), job_of(1, 1, 0), job_of(2, 1, 7)});
  ASSERT_THAT(files, SizeIs(2));
  EXPECT_EQ(files[0].path, "/tracebed/0/input");
  EXPECT_EQ(files[0].size, 40 * mebi);
  EXPECT_EQ(files[0].block_size, 64 * mebi);
  EXPECT_EQ(files[0].replication, 3u);
  EXPECT_TRUE(files[0].is_stored);
  EXPECT_EQ(files[1].path, "/tracebed/2/input");
  EXPECT_EQ(files[1].size, 7);
}

TEST(InputFiles, AreSharedByPathAndAsLargeAsTheLargestReaderNeeds) {
  const auto files = files_of({job_of(0, 1, 5, "/data/a"), job_of(1, 3, 4, "/data/a"),
                               job_of(2, 1, 6, "/data/a"), job_of(3, 1, 9, "data/b")});
  ASSERT_THAT(files, SizeIs(2));
  EXPECT_EQ(files[0].path, "/data/a");
  EXPECT_EQ(files[0].size, 12);
  EXPECT_EQ(files[1].path, "/tracebed/paths/data/b");
}

TEST(InputFiles, HaveABlockForEachTaskWhereTheTraceRecordedPlaces) {
  Job job = job_of(0, 4, 3 * mebi);
  job.stages[0].places = {{"node2", "elsewhere", "node3"}, {2, 3, 3, 4}, {0, 1, 2, 0}};
  const auto files = files_of({job});
  ASSERT_THAT(files, SizeIs(1));
  EXPECT_EQ(files[0].block_size, 3 * mebi);
  EXPECT_THAT(files[0].nodes, ElementsAre(ElementsAre(NodeId(1u)), ElementsAre(NodeId(2u)),
                                          IsEmpty(), ElementsAre(NodeId(1u))));
  InputFileOptions ignoring = options();
  ignoring.uses_recorded_places = false;
  EXPECT_THAT(files_of({job}, ignoring)[0].nodes, IsEmpty());
}

TEST(InputFiles, AreOfNoGangServiceOrReduce) {
  Job gang = job_of(0, 2, 5);
  gang.kind = JobKind::rigid;
  gang.stages[0].kind = StageKind::gang;
  Job service = job_of(1, 2, 5);
  service.kind = JobKind::service;
  Job reducing = job_of(2, 0, 0);
  reducing.stages.push_back({.kind = StageKind::reduce, .runs = {{2, {.input_bytes = 5}}}});
  EXPECT_THAT(files_of({gang, service, reducing}), IsEmpty());
}

TEST(InputFiles, StayWithinTheNamenodesLimits) {
  EXPECT_THAT(fault_of({job_of(7, 1'000, 64 * mebi)}), "none");
  EXPECT_THAT(fault_of({job_of(7, 1'001, 64 * mebi)}),
              HasSubstr("job job7: expected input of at most 1000 blocks of 64 MiB"));
  InputFileOptions few = options();
  few.objects_max = 5;
  EXPECT_THAT(fault_of({job_of(0, 2, 64 * mebi), job_of(1, 2, 64 * mebi)}, few),
              HasSubstr("job job1: the input of the jobs up to this one is 6 files and blocks"));
  EXPECT_THAT(fault_of({job_of(0, 4'000'000'000u, std::int64_t{1} << 53)}),
              HasSubstr("job job0: expected input of at most"));
}

TEST(InputFiles, AreNeverBelowEachOther) {
  EXPECT_EQ(fault_of({job_of(0, 1, 5, "/a"), job_of(1, 1, 5, "/a-b"), job_of(2, 1, 5, "/a/c")}),
            "expected paths of input of which none is below another, got /a and /a/c");
  EXPECT_EQ(fault_of({job_of(0, 1, 5, "/a/c"), job_of(1, 1, 5, "/ab")}), "none");
}

struct Path {
  const char* given;
  const char* stored;
};

TEST(StoragePath, IsAPathOfHdfsWhateverTheTraceHas) {
  const Path paths[] = {
      {"/a/b", "/a/b"},
      {"//a///b/", "/a/b"},
      {"a", "/tracebed/paths/a"},
      {"hdfs://host:8020/a/b", "/a/b"},
      {"/a:b/../.%", "/a%3Ab/%2E%2E/.%25"},
      {"/a b\n\xc3\xa9", "/a%20b%0A%C3%A9"},
  };
  for (const Path& path : paths) EXPECT_EQ(storage_path(path.given), path.stored) << path.given;
  EXPECT_THAT(storage_path("/"), testing::StartsWith("/tracebed/paths/"));
  EXPECT_THAT(storage_path("/" + std::string(300, 'x')), SizeIs(256));
  EXPECT_NE(storage_path("/" + std::string(300, 'x')), storage_path("/" + std::string(301, 'x')));
  EXPECT_LT(storage_path("/" + std::string(20'000, 'x') + "/y").size(), 300u);
  std::string deep;
  for (int i = 0; i < 5'000; ++i) deep += "/x";
  EXPECT_LT(storage_path(deep).size(), 100u);
}

class Jobs final : public WorkloadSource {
 public:
  explicit Jobs(std::vector<Job> jobs) : jobs_(std::move(jobs)) {}
  bool next(Job& job) override {
    if (at_ == jobs_.size()) return false;
    job = jobs_[at_++];
    return true;
  }

 private:
  std::vector<Job> jobs_;
  std::size_t at_ = 0;
};

TEST(InputPaths, NameTheFilesThatWereMade) {
  InputPaths paths(std::make_unique<Jobs>(std::vector<Job>{job_of(4, 1, 5), job_of(5, 1, 5, "data"),
                                                           job_of(6, 1, 0, "/nothing/is/read")}));
  Job job;
  ASSERT_TRUE(paths.next(job));
  EXPECT_EQ(job.stages[0].input_path, "/tracebed/4/input");
  ASSERT_TRUE(paths.next(job));
  EXPECT_EQ(job.stages[0].input_path, "/tracebed/paths/data");
  ASSERT_TRUE(paths.next(job));
  EXPECT_EQ(job.stages[0].input_path, "");
  EXPECT_FALSE(paths.next(job));
}

}  // namespace
}  // namespace tracebed

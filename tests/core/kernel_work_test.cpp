// Jobs name their kernel by the path of their input.
#include "core/kernel_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using testing::HasSubstr;

TEST(KernelWork, PathsNameAKernelAndASeed) {
  EXPECT_EQ(*kernel_input_of("/tracebed/kernels/grep/0"), (KernelInput{KernelKind::grep, 0}));
  EXPECT_EQ(*kernel_input_of("/tracebed/kernels/wordcount/17"),
            (KernelInput{KernelKind::word_count, 17}));
  EXPECT_EQ(*kernel_input_of(kernel_path("sort", 3)), (KernelInput{KernelKind::sort, 3}));
  EXPECT_EQ(*kernel_input_of(kernel_path("terasort", 9'007'199'254'740'992)),
            (KernelInput{KernelKind::terasort, 9'007'199'254'740'992}));
  EXPECT_EQ(*kernel_input_of("/tracebed/kernels/kmeans/2"), (KernelInput{KernelKind::k_means, 2}));
  EXPECT_EQ(*kernel_input_of("/tracebed/kernels/pagerank/2"),
            (KernelInput{KernelKind::page_rank, 2}));
  EXPECT_TRUE(is_kernel_path("/tracebed/kernels/anything"));
  EXPECT_FALSE(is_kernel_path("/data/kernels/grep/0"));
}

TEST(KernelWork, OtherPathsBelowAreRefusedByName) {
  for (const std::string path :
       {"/tracebed/kernels/", "/tracebed/kernels/grep", "/tracebed/kernels/grep/",
        "/tracebed/kernels/grep/x", "/tracebed/kernels/grep/-1", "/tracebed/kernels/grep/01",
        "/tracebed/kernels/grep/1/2", "/tracebed/kernels/grep/9007199254740993",
        "/tracebed/kernels/kmean/1", "/tracebed/kernels/Pagerank/1"}) {
    const auto input = kernel_input_of(path);
    ASSERT_FALSE(input) << path;
    EXPECT_THAT(input.error().message,
                HasSubstr("grep, kmeans, pagerank, sort, terasort or wordcount"));
    EXPECT_THAT(input.error().message, HasSubstr("got " + path));
  }
}

TEST(KernelWork, TravelsInTheWorkOfTheTasks) {
  Job job;
  job.stages.resize(2);
  job.stages[0].input_path = "/tracebed/kernels/terasort/5";
  job.stages[0].runs = {{7, {.input_bytes = 30}}};
  job.stages[1].kind = StageKind::reduce;
  job.stages[1].runs = {{2, {}}, {1, {}}};
  const auto kernel = kernel_job_of(job);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(*kernel, (KernelJob{{KernelKind::terasort, 5}, 3, 300}));
  TaskWork work;
  set_kernel(work, kernel, {1, 2});
  EXPECT_EQ(kernel_of(work), kernel);
  EXPECT_FALSE(is_kernel_map(work));
  EXPECT_EQ(kernel_partition_of(work), 2u);
  EXPECT_TRUE(check(work));
  set_kernel(work, std::nullopt, {1, 2});
  EXPECT_EQ(kernel_of(work), std::nullopt);
  EXPECT_EQ(work, TaskWork());
  job.stages[0].input_path = "/data";
  EXPECT_EQ(kernel_job_of(job), std::nullopt);
}

TEST(KernelWork, IsOfJobsThatIterateWhereTheKernelDoes) {
  Job job;
  job.kind = JobKind::dag;
  job.stages.resize(4);
  job.stages[0].runs = {{1, {.input_bytes = 65}}};
  job.stages[1].runs = {{2, {}}};
  job.stages[0].input_path = "/tracebed/kernels/pagerank/5";
  EXPECT_EQ(kernel_job_of(job), (KernelJob{{KernelKind::page_rank, 5}, 2, 128}));
  TaskWork work;
  set_kernel(work, kernel_job_of(job), {2, 0});
  EXPECT_TRUE(is_kernel_map(work));
  job.stages[0].input_path = "/tracebed/kernels/sort/5";
  EXPECT_EQ(kernel_job_of(job), std::nullopt);
}

}  // namespace
}  // namespace tracebed

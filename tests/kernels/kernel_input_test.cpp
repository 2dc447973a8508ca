// The kernels of runs: made of a kind and a seed alone, they pass the check that is.
#include "kernels/kernel_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "kernels/check_kernel.h"
#include "kernels/local_job.h"

namespace tracebed::kernels::test {
namespace {

constexpr std::array all_kernels = {KernelKind::grep,    KernelKind::word_count,
                                    KernelKind::sort,    KernelKind::terasort,
                                    KernelKind::k_means, KernelKind::page_rank};

std::string failure(OutputCheck& check, const std::vector<Buffer>& parts) {
  for (const Buffer& part : parts) {
    if (const Status consumed = check.consume(part); !consumed) return consumed.error().message;
    if (const Status ended = check.end_part(); !ended) return ended.error().message;
  }
  const Status finished = check.finish();
  return finished ? "" : finished.error().message;
}

TEST(KernelInputs, GiveOutputThatTheCheckOfTheSameInputTakes) {
  Random random(11);
  for (const KernelKind kind : all_kernels) {
    SCOPED_TRACE(static_cast<int>(kind));
    const KernelInput input{kind, 7};
    const auto data = make_input(input, 300'000);
    ASSERT_TRUE(data);
    const auto kernel = make_input_kernel({input, 4, static_cast<std::int64_t>((*data)->bytes())});
    ASSERT_TRUE(kernel);
    EXPECT_EQ((*data)->bytes() % static_cast<std::uint64_t>(kernel_unit_bytes(kind)), 0u);
    JobShape shape;
    shape.split_bytes = 70'000;
    shape.partitions = 4;
    auto parts = run_job(**kernel, whole_file(**data), shape, random).parts;
    EXPECT_EQ(failure(**make_output_check(input, **data), parts), "");
    // Of another input it is not.
    const KernelInput other{kind, 8};
    const auto other_data = make_input(other, 300'000);
    EXPECT_NE(failure(**make_output_check(other, **other_data), parts), "");
    parts.pop_back();
    EXPECT_NE(failure(**make_output_check(input, **data), parts), "");
  }
}

TEST(KernelInputs, DoNotDependOnHowLongTheyAre) {
  for (const KernelKind kind : all_kernels) {
    const auto brief = make_input({kind, 5}, 10'000);
    const auto whole = make_input({kind, 5}, 1'000'000);
    Buffer bytes((*brief)->bytes());
    (*brief)->fill(0, bytes);
    EXPECT_EQ((*whole)->count_matching(0, bytes), bytes.size());
  }
}

// Each iteration begins with nothing but the parts of the one before.
TEST(KernelInputs, GiveOutputOfSeveralIterationsThatTheCheckTakes) {
  Random random(12);
  for (const KernelKind kind : {KernelKind::k_means, KernelKind::page_rank}) {
    SCOPED_TRACE(static_cast<int>(kind));
    const KernelInput input{kind, 7};
    const auto data = make_input(input, 200'000);
    const KernelJob job{input, 3, static_cast<std::int64_t>((*data)->bytes())};
    const Buffer file = whole_file(**data);
    const JobShape shape{.split_bytes = 70'000, .partitions = 3};
    std::vector<Buffer> parts = run_job(**make_input_kernel(job), file, shape, random).parts;
    for (std::int64_t iteration = 2; iteration <= 4; ++iteration) {
      const std::vector<Bytes> before(parts.begin(), parts.end());
      const auto kernel = make_next_kernel(job, before);
      ASSERT_TRUE(kernel) << kernel.error().message;
      parts = run_job(**kernel, file, shape, random).parts;
      EXPECT_EQ(failure(**make_output_check(input, **data, iteration), parts), "");
      EXPECT_NE(failure(**make_output_check(input, **data, iteration - 1), parts), "");
    }
    const std::vector<Bytes> missing = {parts[0], parts[1]};
    EXPECT_FALSE(make_next_kernel(job, missing));
  }
}

TEST(KernelInputs, AreAsLongAsTheirDataCanBe) {
  for (const KernelKind kind : all_kernels) {
    SCOPED_TRACE(static_cast<int>(kind));
    const auto most = static_cast<std::uint64_t>(kernel_input_bytes_max(kind));
    EXPECT_TRUE(make_input({kind, 1}, most));
    EXPECT_EQ((*make_input({kind, 1}, 1))->bytes(),
              static_cast<std::uint64_t>(kernel_file_bytes(kind, 1)));
  }
  EXPECT_FALSE(make_input_kernel({{KernelKind::page_rank, 1}, 1, 0}));
}

// Memory for a state is taken only where it grows with the input: others run in little.
TEST(KernelInputs, HaveStatesOfEightBytesAVertexOrNone) {
  for (const KernelKind kind : all_kernels) {
    const bool is_graph = kind == KernelKind::page_rank;
    const KernelJob job{{kind, 1}, 2, 64'000};
    EXPECT_EQ(kernel_state_bytes(job), is_graph ? 8'000 : 0);
    EXPECT_EQ(next_state_bytes(job), is_graph ? 32'000 : 0);
  }
}

TEST(KernelInputs, AreCheckedAfterAsManyIterationsAsAJobMayHave) {
  const auto data = make_input({KernelKind::sort, 1}, 1);
  EXPECT_FALSE(make_output_check({KernelKind::sort, 1}, **data, 2));
  EXPECT_FALSE(
      make_output_check({KernelKind::k_means, 1}, **make_input({KernelKind::k_means, 1}, 1), 0));
}

}  // namespace
}  // namespace tracebed::kernels::test

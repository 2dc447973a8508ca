// The kernels of runs: made of a kind and a seed alone, they pass the check that is.
#include "kernels/kernel_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.h"
#include "kernels/check_kernel.h"
#include "kernels/local_job.h"

namespace tracebed::kernels::test {
namespace {

constexpr std::array run_kernels = {KernelKind::grep, KernelKind::word_count, KernelKind::sort,
                                    KernelKind::terasort};

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
  for (const KernelKind kind : run_kernels) {
    SCOPED_TRACE(static_cast<int>(kind));
    const KernelInput input{kind, 7};
    const auto data = make_input(input, 300'000);
    const auto kernel = make_input_kernel(input, 4);
    ASSERT_TRUE(data && kernel);
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
  for (const KernelKind kind : run_kernels) {
    const auto brief = make_input({kind, 5}, 10'000);
    const auto whole = make_input({kind, 5}, 1'000'000);
    Buffer bytes((*brief)->bytes());
    (*brief)->fill(0, bytes);
    EXPECT_EQ((*whole)->count_matching(0, bytes), bytes.size());
  }
}

TEST(KernelInputs, AreNotOfKernelsThatIterate) {
  for (const KernelKind kind : {KernelKind::k_means, KernelKind::page_rank}) {
    EXPECT_FALSE(make_input({kind, 1}, 4'096));
    EXPECT_FALSE(make_input_kernel({kind, 1}, 1));
    EXPECT_FALSE(is_run_kernel(static_cast<std::uint64_t>(kind)));
  }
}

}  // namespace
}  // namespace tracebed::kernels::test

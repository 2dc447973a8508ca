#include "kernels/make_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "kernels/k_means_state.h"
#include "kernels/page_rank_state.h"

namespace tracebed::kernels {
namespace {

using testing::HasSubstr;

std::string error_of(KernelKind kind, std::string_view state) {
  const auto kernel = make_kernel(kind, bytes_of(state));
  return kernel ? "" : kernel.error().message;
}

TEST(Kernels, AreMadeOfTheirState) {
  EXPECT_EQ(error_of(KernelKind::grep, "text"), "");
  EXPECT_EQ(error_of(KernelKind::word_count, ""), "");
  EXPECT_EQ(error_of(KernelKind::sort, std::string("\1\0a", 3)), "");
  EXPECT_EQ(error_of(KernelKind::terasort, ""), "");
  EXPECT_EQ(error_of(KernelKind::k_means, text_of(KMeansState{{Point{}}}.encode())), "");
  EXPECT_EQ(error_of(KernelKind::page_rank, text_of(PageRankState::uniform(5).encode())), "");
}

TEST(Kernels, RefuseStatesThatAreMalformed) {
  EXPECT_THAT(error_of(KernelKind::grep, ""), HasSubstr("has 1 to 1024 bytes"));
  EXPECT_THAT(error_of(KernelKind::grep, "a\nb"), HasSubstr("within a line"));
  EXPECT_THAT(error_of(KernelKind::grep, std::string(1'025, 'a')), HasSubstr("1 to 1024 bytes"));
  EXPECT_EQ(error_of(KernelKind::word_count, "x"), "word count has no state");
  EXPECT_THAT(error_of(KernelKind::terasort, "x"), HasSubstr("split points"));
  EXPECT_THAT(error_of(KernelKind::k_means, ""), HasSubstr("centres of 0 bytes"));
  EXPECT_THAT(error_of(KernelKind::k_means, std::string(33, ' ')), HasSubstr("of 33 bytes"));
  EXPECT_THAT(error_of(KernelKind::k_means, std::string(32, '\x7f')),
              HasSubstr("centre 0 has a coordinate beyond 8000"));
  EXPECT_THAT(error_of(KernelKind::page_rank, "1234567"), HasSubstr("ranks of 7 bytes"));
  EXPECT_THAT(error_of(KernelKind::page_rank, "12345678"), HasSubstr("vertex 0 are more than 1"));
}

TEST(Kernels, HaveANextStateOnlyIfTheyIterate) {
  const auto kernel = make_kernel(KernelKind::word_count, {});
  EXPECT_FALSE((*kernel)->next_state({}).has_value());
}

}  // namespace
}  // namespace tracebed::kernels

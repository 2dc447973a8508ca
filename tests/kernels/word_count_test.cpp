#include "kernels/word_count.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "kernels/local_job.h"

namespace tracebed::kernels {
namespace {

struct CountedText {
  std::string text;
  std::string output;
};

TEST(WordCounts, AreTheseForSmallTexts) {
  for (const auto& [text, output] :
       std::vector<CountedText>{{"b a b\na\nb", "a\t2\nb\t3\n"},
                                {"  one\ttwo \r\n\n two\fthree", "one\t1\nthree\t1\ntwo\t2\n"},
                                {"A a \xC3\xA9\n", "A\t1\na\t1\n\xC3\xA9\t1\n"},
                                {"\n \n", ""}}) {
    Random random(1);
    const auto result = test::run_job(WordCount(), bytes_of(text), {}, random);
    EXPECT_EQ(text_of(result.parts[0]), output);
  }
}

}  // namespace
}  // namespace tracebed::kernels

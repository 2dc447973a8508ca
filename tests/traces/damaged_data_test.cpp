// Compressed traces in which a bit is wrong or of which the end is missing, in every format: what
// is read of them is what they held, or nothing. That bad rows are skipped does not change it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include "traces/bad_inputs.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {
namespace {

using ::testing::HasSubstr;

// With a checksum, as zstd's own program writes it.
std::string checked_zstd(std::string_view text) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string result(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context, result.data(), result.size(), text.data(), text.size());
  ZSTD_freeCCtx(context);
  EXPECT_FALSE(ZSTD_isError(size));
  result.resize(size);
  return result;
}

class DamagedData : public ::testing::TestWithParam<BadInputs> {
 protected:
  TraceOptions skipping() const {
    TraceOptions options;
    options.format = GetParam().format;
    options.skip_bad = true;
    return options;
  }
  std::vector<std::string> compressed() const {
    return {gzip(GetParam().good), checked_zstd(GetParam().good)};
  }
  // True if it was refused.
  bool expect_same_or_refused(const std::string& bytes, const std::vector<Job>& jobs,
                              const std::string& what) const {
    const std::string error = read_error(bytes, skipping());
    if (error != "no error") return true;
    const ReadTrace read = read_trace(bytes, skipping());
    EXPECT_EQ(read.jobs, jobs) << what;
    EXPECT_EQ(read.bad_rows, 0u) << what;
    return false;
  }
};

TEST_P(DamagedData, WithAWrongBitIsTheSameOrRefused) {
  const std::vector<Job> jobs = read_trace(GetParam().good, skipping()).jobs;
  for (const std::string& whole : compressed()) {
    std::size_t refused = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      // The marks and the header in every bit, of other bytes one.
      for (unsigned bit = 0; bit < 8; ++bit) {
        if (i >= 18 && bit != i % 8) continue;
        std::string bytes = whole;
        bytes[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]) ^ (1U << bit));
        const std::string what = "bit " + std::to_string(bit) + " of byte " + std::to_string(i);
        if (expect_same_or_refused(bytes, jobs, what)) ++refused;
      }
    }
    EXPECT_GT(refused, whole.size() / 2);
  }
}

TEST_P(DamagedData, ThatEndsEarlyIsRefused) {
  for (const std::string& whole : compressed()) {
    // One byte may be any text.
    for (std::size_t size = 2; size < whole.size(); ++size) {
      EXPECT_NE(read_error(whole.substr(0, size), skipping()), "no error") << size;
    }
    EXPECT_THAT(read_error(whole.substr(0, whole.size() - 1), skipping()),
                HasSubstr("data ends early: the file is truncated"));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, DamagedData, ::testing::ValuesIn(bad_inputs()),
                         [](const auto& inputs) { return std::string(inputs.param.format); });

}  // namespace
}  // namespace tracebed::testing

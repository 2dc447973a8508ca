// A line, or a document, of more bytes than there is memory: a stream that is made as it is read.
#include <algorithm>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "core/input_error.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {
namespace {

// So many bytes that they cannot be held, made as they are read: `before`, `count` times `letter`,
// `after`.
class EndlessBytes final : public ByteSource {
 public:
  EndlessBytes(std::string before, char letter, std::uint64_t count, std::string after)
      : before_(std::move(before)), after_(std::move(after)), left_(count), letter_(letter) {}

  std::size_t read(std::span<char> room) override {
    std::size_t count = 0;
    if (before_at_ < before_.size()) {
      count = copy(before_, before_at_, room);
    } else if (left_ > 0) {
      count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, room.size()));
      std::fill_n(room.data(), count, letter_);
      left_ -= count;
    } else {
      count = copy(after_, after_at_, room);
    }
    return count;
  }
  const std::string& defect() const override { return defect_; }

 private:
  static std::size_t copy(const std::string& from, std::size_t& at, std::span<char> room) {
    const std::size_t count = std::min(room.size(), from.size() - at);
    std::copy_n(from.data() + at, count, room.data());
    at += count;
    return count;
  }

  std::string before_;
  std::string after_;
  std::uint64_t left_;
  char letter_;
  std::size_t before_at_ = 0;
  std::size_t after_at_ = 0;
  std::string defect_;
};

long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

struct LongRead {
  std::string error;
  std::size_t jobs = 0;
};

LongRead read_long(const char* format, bool skip_bad, std::unique_ptr<ByteSource> bytes) {
  LongRead result;
  Names names;
  TraceOptions options;
  options.format = format;
  options.skip_bad = skip_bad;
  options.rules.common.document_bytes_max = 1 << 20;
  try {
    const auto reader = open_trace("t", std::move(bytes), options, names);
    Job job;
    while (reader->next(job)) ++result.jobs;
    if (reader->bad_rows().total() != 1) result.error = "not one bad row";
  } catch (const InputError& error) {
    result.error = error.what();
  }
  return result;
}

constexpr std::uint64_t ten_gigabytes = 10'000'000'000;
constexpr long memory_kib_max = 64 << 10;

TEST(LongLine, OfTenGigabytesIsRefusedWithoutBeingReadAndPassedOverWithoutBeingHeld) {
  const std::string before = "j0\t5\t5\t10\t20\t30\n";
  const std::string after = "\nj1\t7\t2\t10\t0\t1\n";
  const long peak = peak_kib();
  const LongRead stopped =
      read_long("swim", false, std::make_unique<EndlessBytes>(before, 'x', UINT64_MAX, after));
  EXPECT_EQ(stopped.error,
            "t:2: line at byte 16: expected at most 1048576 bytes, got a longer one");
  const LongRead skipped =
      read_long("swim", true, std::make_unique<EndlessBytes>(before, 'x', ten_gigabytes, after));
  EXPECT_EQ(skipped.error, "");
  EXPECT_EQ(skipped.jobs, 2u);
  EXPECT_LT(peak_kib() - peak, memory_kib_max);
}

TEST(LongLine, InADocumentIsRefusedWithoutBeingReadAndPassedOverWithoutBeingHeld) {
  const std::string good =
      R"({"job.start.ms":5,"job.queue.name":"q","job.tasks":[{"duration.ms":9}]})"
      "\n";
  const std::string before = good + "{\"job.user\":\"";
  const std::string after = "\"}" + good;
  const long peak = peak_kib();
  const LongRead stopped =
      read_long("sls", false, std::make_unique<EndlessBytes>(before, 'x', UINT64_MAX, after));
  EXPECT_EQ(stopped.error,
            "t:2: document at byte 72: expected at most 1048576 bytes, got a larger one");
  // Fewer here, since every byte is looked at.
  const LongRead skipped = read_long(
      "sls", true, std::make_unique<EndlessBytes>(before, 'x', ten_gigabytes / 20, after));
  EXPECT_EQ(skipped.error, "");
  EXPECT_EQ(skipped.jobs, 2u);
  EXPECT_LT(peak_kib() - peak, memory_kib_max);
}

}  // namespace
}  // namespace tracebed::testing

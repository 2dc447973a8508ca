// Traces that come through a pipe, as `<(zcat FILE)` of a shell gives them: read once, or refused
// by those who must read twice.
#include <array>
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/input_error.h"
#include "system/file_descriptor.h"
#include "traces/bad_inputs.h"
#include "traces/convert/trace_convert.h"
#include "traces/convert/trace_cut.h"
#include "traces/machines/machine_trace.h"
#include "traces/trace_info.h"
#include "traces/trace_texts.h"

namespace tracebed::testing {
namespace {

using ::testing::HasSubstr;

// The end to read of a pipe that holds a text and is closed.
class Pipe {
 public:
  explicit Pipe(std::string_view text) {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    read_end_ = FileDescriptor(ends[0]);
    const FileDescriptor write_end(ends[1]);
    EXPECT_EQ(write(write_end.number(), text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
  }
  std::string path() const { return fmt::format("/dev/fd/{}", read_end_.number()); }

 private:
  FileDescriptor read_end_;
};

TEST(PipedTraces, OfEveryFormatAreReadOnce) {
  for (const BadInputs& inputs : bad_inputs()) {
    for (const std::string& text : {inputs.good, gzip(inputs.good)}) {
      const Pipe pipe(text);
      EXPECT_FALSE(machine_format_of(pipe.path())) << inputs.format;
      const TraceInfo info = measure_trace(pipe.path(), {});
      EXPECT_EQ(info.format, inputs.format);
      EXPECT_EQ(info.jobs, 2u) << inputs.format;
    }
  }
}

TEST(PipedTraces, AreConverted) {
  const TemporaryFolder folder;
  const Pipe pipe(bad_inputs().front().good);
  EXPECT_EQ(convert_trace(pipe.path(), folder.file("out"), "binary", {}).jobs_written, 2u);
}

TEST(PipedTraces, AreRefusedByThoseWhoReadThemTwice) {
  const TemporaryFolder folder;
  const Pipe pipe(bad_inputs().front().good);
  try {
    cut_trace(pipe.path(), folder.file("out"), {}, {});
    FAIL() << "a pipe was cut";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected a file, since it is read more than once"));
  }
}

}  // namespace
}  // namespace tracebed::testing

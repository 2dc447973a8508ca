// Peak memory of reading a trace, of `trace info` and of `trace convert`, for a file and for one
// ten times as long: it must not grow with the file. What is sorted is held up to a bound
// (TraceOptions::sort_bytes_max, 64 MiB) and goes to a temporary file beyond it, so peaks of short
// files lie below those of long ones until that bound is reached.
//
//   memory_bench [MB [FORMAT]]      default 100 MB and 1,000 MB of every format
#include <array>
#include <cstdlib>
#include <cstring>
#include <fmt/core.h>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/trace_samples.h"
#include "core/check.h"
#include "support/temporary_folder.h"
#include "traces/convert/trace_convert.h"
#include "traces/open_trace.h"
#include "traces/trace_info.h"

namespace tracebed {
namespace {

constexpr std::array<const char*, 3> works = {"read", "info", "convert"};

// In a process that does nothing else.
void work_on(const std::string& work, const std::string& file) {
  if (work == "info") {
    TRACEBED_CHECK(measure_trace(file, {}).jobs > 0, "there is something in the file");
  } else if (work == "convert") {
    TRACEBED_CHECK(convert_trace(file, file + ".tbt", "binary", {}).jobs_written > 0,
                   "there is something in the file");
  } else {
    Names names;
    const auto reader = open_trace(file, {}, names);
    std::uint64_t jobs = 0;
    for (Job job; reader->next(job);) ++jobs;
    TRACEBED_CHECK(jobs > 0, "there is something in the file");
  }
}

// MiB of a process that runs this program with these arguments.
double peak_of(std::array<const char*, 3> arguments) {
  const pid_t child = fork();
  TRACEBED_CHECK(child >= 0, "a process can be made");
  if (child == 0) {
    execl("/proc/self/exe", "memory_bench", "--work", arguments[0], arguments[1], arguments[2],
          nullptr);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  TRACEBED_CHECK(wait4(child, &status, 0, &usage) == child, "the process ends");
  TRACEBED_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the process does its work");
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void measure(const test::TraceSample& sample, const std::string& megabytes) {
  const TemporaryFolder folder;
  std::array<std::string, 2> files = {folder.file("short"), folder.file("long")};
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string size = megabytes + (i == 0 ? "" : "0");
    peak_of({"make", files[i].c_str(), fmt::format("{}:{}", sample.format, size).c_str()});
  }
  fmt::print("{:<12}", sample.format);
  for (const char* const work : works) {
    const double once = peak_of({work, files[0].c_str(), ""});
    const double ten_times = peak_of({work, files[1].c_str(), ""});
    fmt::print("  {} {:>4.0f} MiB, ten times {:>4.0f} MiB", work, once, ten_times);
  }
  fmt::print("\n");
  std::fflush(stdout);
}

// `what` is FORMAT:MB.
void make_file(const std::string& file, const std::string& what) {
  const std::size_t colon = what.find(':');
  for (const test::TraceSample& sample : test::trace_samples()) {
    if (what.substr(0, colon) != sample.format) continue;
    const auto bytes = static_cast<std::size_t>(std::atoi(what.c_str() + colon + 1)) * 1'000'000;
    std::ofstream(file, std::ios::binary) << sample.make(bytes);
  }
}

}  // namespace
}  // namespace tracebed

int main(int count, char** arguments) {
  if (count > 4 && std::strcmp(arguments[1], "--work") == 0) {
    if (std::strcmp(arguments[2], "make") == 0) {
      tracebed::make_file(arguments[3], arguments[4]);
    } else {
      tracebed::work_on(arguments[2], arguments[3]);
    }
    return 0;
  }
  const std::string megabytes = count > 1 ? arguments[1] : "100";
  const std::string wanted = count > 2 ? arguments[2] : "";
  for (const tracebed::test::TraceSample& sample : tracebed::test::trace_samples()) {
    if (wanted.empty() || wanted == sample.format) tracebed::measure(sample, megabytes);
  }
  return 0;
}

// How fast each reader makes jobs of text that lies in memory: MB of text (10^6 bytes) for every
// second of CPU time, beside what a mere search for line ends (of JSON: simdjson's bare parse of
// the same documents) does in the same run, since machines differ and are noisy. `info` is the same
// with everything that `trace info` measures.
//
//   reader_bench [MB [FORMAT]]      default 32 MB of every format
//   reader_bench MB FORMAT ROUNDS   only reads the text, so many times over: for a profiler
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fmt/core.h>
#include <string>
#include <vector>

#include "bench/trace_samples.h"
#include "core/check.h"
#include "traces/json/json_documents.h"
#include "traces/open_trace.h"
#include "traces/workload_sizes.h"

namespace tracebed {
namespace {

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// The best of a few rounds: what disturbs makes it slower, nothing makes it faster.
template <class Work>
double best_seconds(int rounds, Work work) {
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const double begun = cpu_seconds();
    work();
    best = std::min(best, cpu_seconds() - begun);
  }
  return best;
}

std::uint64_t read_jobs(const std::string& text, bool measure) {
  Names names;
  const auto reader = open_trace("bench", bytes_in_memory(text), {}, names);
  TraceTally tally;
  if (measure) reader->tally_into(tally);
  WorkloadSizes sizes({}, TraceTally::default_exact_max);
  Job job;
  std::uint64_t jobs = 0;
  for (; reader->next(job); ++jobs) {
    if (measure) sizes.add(job);
  }
  return jobs;
}

std::uint64_t find_line_ends(const std::string& text) {
  std::uint64_t lines = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (const void* newline = std::memchr(at, '\n', static_cast<std::size_t>(end - at))) {
    at = static_cast<const char*>(newline) + 1;
    ++lines;
  }
  return lines;
}

// Where the documents lie, found before the clock runs.
std::vector<std::string_view> documents_of(const std::string& text) {
  JsonDocuments documents("bench", bytes_in_memory(text), text.size());
  BadRows bad_rows("bench", false);
  std::vector<std::string_view> found;
  while (documents.next(bad_rows)) {
    found.push_back(std::string_view(text).substr(documents.offset(), documents.text().size()));
  }
  return found;
}

void measure(const test::TraceSample& sample, std::size_t bytes, int rounds) {
  const std::string text = sample.make(bytes);
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  std::uint64_t count = 0;
  double floor = 0;
  if (sample.is_json) {
    const auto documents = documents_of(text);
    simdjson::dom::parser parser;
    // The text goes on behind each, so that it may be read beyond its end, as the parser does.
    const std::string padded = text + std::string(simdjson::SIMDJSON_PADDING, ' ');
    floor = best_seconds(rounds, [&] {
      for (const std::string_view document : documents) {
        const auto begin = static_cast<std::size_t>(document.data() - text.data());
        const auto parsed = parser.parse(padded.data() + begin, document.size(), false);
        if (parsed.error() == simdjson::SUCCESS) ++count;
      }
    });
  } else {
    floor = best_seconds(rounds, [&] { count += find_line_ends(text); });
  }
  std::uint64_t jobs = 0;
  const double read = best_seconds(rounds, [&] { jobs = read_jobs(text, false); });
  const double info = best_seconds(rounds, [&] { jobs = read_jobs(text, true); });
  TRACEBED_CHECK(jobs > 0 && count > 0, "there is something in the text");
  fmt::print(
      "{:<12}{:>8.1f} MB{:>10} jobs{:>8.0f} MB/s{:>7.0f} info  {} {:>6.0f} MB/s = {:.1f} x\n",
      sample.format, megabytes, jobs, megabytes / read, megabytes / info,
      sample.is_json ? "bare parse" : "line ends ", megabytes / floor, read / floor);
}

void read_over_and_over(const test::TraceSample& sample, std::size_t bytes, int rounds) {
  const std::string text = sample.make(bytes);
  const double best = best_seconds(rounds, [&] { read_jobs(text, false); });
  fmt::print("{} {:.0f} MB/s\n", sample.format, static_cast<double>(text.size()) / 1e6 / best);
}

}  // namespace
}  // namespace tracebed

int main(int count, char** arguments) {
  const std::size_t bytes =
      static_cast<std::size_t>(count > 1 ? std::atoi(arguments[1]) : 32) * 1'000'000;
  const std::string wanted = count > 2 ? arguments[2] : "";
  for (const tracebed::test::TraceSample& sample : tracebed::test::trace_samples()) {
    if (count > 3 && wanted == sample.format) {
      tracebed::read_over_and_over(sample, bytes, std::atoi(arguments[3]));
    } else if (wanted.empty() || wanted == sample.format) {
      tracebed::measure(sample, bytes, 5);
    }
  }
  return 0;
}

#include "traces/similar/job_rows.h"

#include <algorithm>
#include <charconv>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <iterator>
#include <vector>

#include "core/check.h"
#include "traces/workload_totals.h"

namespace tracebed {
namespace {

class SwimJobRows final : public JobRows {
 public:
  explicit SwimJobRows(bool has_paths) : has_paths_(has_paths) {}

  std::string head(std::string_view) const override { return {}; }
  JobKind kind() const override { return JobKind::map_reduce; }
  std::string_view not_carried() const override {
    return "tasks, durations, demands, places of input, users, queues, priorities";
  }

  std::string row(const Job& job) override {
    TRACEBED_CHECK(job.kind == kind(), "SWIM rows are made of MapReduce jobs");
    std::int64_t input = 0;
    std::int64_t shuffle = 0;
    std::int64_t output = 0;
    for (const Stage& stage : job.stages) {
      for (const TaskRun& run : stage.runs) {
        input += run.count * run.work.input_bytes;
        shuffle += run.count * run.work.shuffle_bytes;
        output += run.count * run.work.output_bytes;
      }
    }
    const std::int64_t submit = to_microseconds(job.submit);
    std::string text = fmt::format("{}\t{}\t{}\t{}\t{}\t{}", job.name, seconds_text(submit),
                                   seconds_text(submit - last_submit_), input, shuffle, output);
    last_submit_ = submit;
    if (has_paths_) text.append("\t").append(job.stages.front().input_path).append("\t\t");
    return text + '\n';
  }

 private:
  static std::string seconds_text(std::int64_t microseconds) {
    std::string text = std::to_string(microseconds / 1'000'000);
    if (microseconds % 1'000'000 == 0) return text;
    text += fmt::format(".{:06}", microseconds % 1'000'000);
    text.erase(text.find_last_not_of('0') + 1);
    return text;
  }

  bool has_paths_;
  std::int64_t last_submit_ = 0;
};

// How the names of a table become numbers.
template <class IdType>
class NameNumbers {
 public:
  NameNumbers(const NameTable<IdType>& table, std::string_view prefix, std::string_view unknown) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::string_view name = table.name(IdType(i));
      std::int64_t number = -1;
      is_own_ = is_own_ && (name == unknown || read_number(name, prefix, number));
      numbers_.push_back(number);
    }
    if (is_own_) return;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      numbers_[i] = static_cast<std::int64_t>(i);
      notes_ += fmt::format("; Note: {} {} is {}\n", prefix, i, table.name(IdType(i)));
    }
  }

  std::int64_t operator()(IdType id) const { return numbers_[id.index()]; }
  const std::string& notes() const { return notes_; }

 private:
  static bool read_number(std::string_view name, std::string_view prefix, std::int64_t& number) {
    if (!name.starts_with(prefix) || name.size() == prefix.size()) return false;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + prefix.size(), end, number);
    return read.ec == std::errc() && read.ptr == end && number >= 0;
  }

  bool is_own_ = true;
  std::vector<std::int64_t> numbers_;
  std::string notes_;
};

class SwfJobRows final : public JobRows {
 public:
  SwfJobRows(const Names& names, std::uint64_t jobs, std::optional<std::int64_t> processors)
      : users_(names.users, "user", "unknown"),
        queues_(names.queues, "queue", "default"),
        jobs_(jobs),
        processors_(processors) {}

  std::string head(std::string_view remark) const override {
    std::string text = fmt::format("; Version: 2.2\n; Note: {}\n; MaxJobs: {}\n", remark, jobs_);
    if (processors_) text += fmt::format("; MaxProcs: {}\n", *processors_);
    return text + users_.notes() + queues_.notes();
  }
  JobKind kind() const override { return JobKind::rigid; }
  std::string_view not_carried() const override {
    return "vcores of a processor, resources beyond memory, labels, bytes, priorities";
  }

  std::string row(const Job& job) override {
    TRACEBED_CHECK(job.kind == kind() && job.stages.size() == 1, "SWF rows are made of rigid jobs");
    const Stage& stage = job.stages.front();
    const std::uint32_t processors = task_count(stage);
    Duration cpu{};
    std::int64_t touched = 0;
    for (const TaskRun& run : stage.runs) {
      cpu += run.work.cpu_time * run.count;
      touched = std::max(touched, run.work.memory_mib);
    }
    constexpr std::int64_t kilobytes = 1024;
    fmt::memory_buffer line;
    const auto out = std::back_inserter(line);
    fmt::format_to(out, FMT_COMPILE("{} "), job.id.index() + 1);
    add_seconds(line, job.submit.time_since_epoch());
    fmt::format_to(out, FMT_COMPILE("-1 "));
    add_seconds(line, longest_task(job));
    fmt::format_to(out, FMT_COMPILE("{} "), processors);
    add_seconds(line, cpu / processors);
    fmt::format_to(out, FMT_COMPILE("{} {} "), touched * kilobytes, processors);
    if (job.requested_time > Duration{}) {
      add_seconds(line, job.requested_time);
    } else {
      fmt::format_to(out, FMT_COMPILE("-1 "));
    }
    fmt::format_to(out, FMT_COMPILE("{} 1 {} -1 -1 {} -1 -1 -1\n"),
                   stage.demand.memory_mib() * kilobytes, users_(job.user), queues_(job.queue));
    return {line.data(), line.size()};
  }

 private:
  // Whole seconds where they are, as most readers of the format know no others.
  static void add_seconds(fmt::memory_buffer& line, Duration time) {
    const auto out = std::back_inserter(line);
    const std::int64_t whole = time.count() / 1'000'000;
    const std::int64_t rest = time.count() % 1'000'000;
    if (rest == 0) {
      fmt::format_to(out, FMT_COMPILE("{} "), whole);
    } else {
      fmt::format_to(out, FMT_COMPILE("{}.{:06} "), whole, rest);
    }
  }

  NameNumbers<UserId> users_;
  NameNumbers<QueueId> queues_;
  std::uint64_t jobs_;
  std::optional<std::int64_t> processors_;
};

}  // namespace

std::unique_ptr<JobRows> swim_job_rows(bool has_paths) {
  return std::make_unique<SwimJobRows>(has_paths);
}

std::unique_ptr<JobRows> swf_job_rows(const Names& names, std::uint64_t jobs,
                                      std::optional<std::int64_t> processors) {
  return std::make_unique<SwfJobRows>(names, jobs, processors);
}

}  // namespace tracebed

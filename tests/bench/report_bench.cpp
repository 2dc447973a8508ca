// What it costs to keep the records of a run, and to compare two runs of many jobs afterwards.
//
//   report_bench [JOBS]      default 1,000,000
#include <array>
#include <benchmark/benchmark.h>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <vector>

#include "core/random.h"
#include "report/html_report.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

// CPU time, so that other work on the machine does not count; that of the kernel, which takes the
// files in, apart.
struct CpuSeconds {
  double user = 0;
  double kernel = 0;

  double sum() const { return user + kernel; }
  friend CpuSeconds operator-(const CpuSeconds& a, const CpuSeconds& b) {
    return {a.user - b.user, a.kernel - b.kernel};
  }
};

class Stopwatch {
 public:
  CpuSeconds seconds() const { return now() - begun_; }

 private:
  static CpuSeconds now() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return {seconds(usage.ru_utime), seconds(usage.ru_stime)};
  }
  CpuSeconds begun_ = now();
};

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

Names bench_names() {
  Names names;
  for (int user = 0; user < 200; ++user) names.users.intern("user" + std::to_string(user));
  names.queues.intern("default");
  return names;
}

RunDescription description(const std::string& label) {
  RunDescription made;
  made.experiment_name = "bench";
  made.scheduler_label = made.scheduler_name = label;
  made.world = "virtual";
  for (int m = 0; m < 1000; ++m) {
    made.machines.push_back({"node" + std::to_string(m), "/rack", Resources(16'000, 65'536), {}});
  }
  return made;
}

struct Records {
  AttemptRecord attempt;
  JobRecord job;
  ClusterSample sample;
};

// The records of the n-th job, which are drawn for it and take no memory.
class RecordMaker {
 public:
  explicit RecordMaker(double slowness) : slowness_(slowness) {
    made_.attempt.launched = true;
    made_.attempt.resources = Resources(4000, 4096);
    made_.sample.capacity = Resources(16'000'000, 65'536'000);
    made_.job.kind = JobKind::rigid;
  }
  const Records& next(std::uint32_t n) {
    now_ += Duration(static_cast<std::int64_t>(random_.below(2'000'000)));
    const Duration wait(static_cast<std::int64_t>(random_.exponential(6e7) * slowness_));
    const Duration work(static_cast<std::int64_t>(random_.exponential(6e8)));
    AttemptRecord& attempt = made_.attempt;
    attempt.application = ApplicationId(n);
    attempt.job = JobId(n);
    attempt.user = UserId(n % 200);
    attempt.queue = QueueId(std::uint32_t{0});
    attempt.container = ContainerId(n);
    attempt.node = NodeId(n % 1000);
    attempt.asked = now_ - work - wait;
    attempt.allocated = attempt.account.started = now_ - work;
    attempt.account.ended = attempt.reported = now_;
    attempt.nominal = work;
    JobRecord& job = made_.job;
    job.application = ApplicationId(n);
    job.job = JobId(n);
    const std::array<char, 12> digits = name_of(n);
    job.name.assign(digits.data());
    job.user = UserId(n % 200);
    job.queue = QueueId(std::uint32_t{0});
    job.tasks = 1;
    job.attempts = 0;  // so that a row by itself waits for none
    job.due = job.submitted = attempt.asked;
    job.first_allocated = attempt.allocated;
    job.finished = now_;
    job.ideal = work;
    made_.sample.at = now_;
    made_.sample.allocated = Resources(4000 * static_cast<std::int64_t>(n % 4000), 4096);
    made_.sample.containers = n % 4000;
    made_.sample.jobs_open = 1;
    return made_;
  }

 private:
  static std::array<char, 12> name_of(std::uint32_t n) {
    std::array<char, 12> digits{};
    std::to_chars(digits.data(), digits.data() + digits.size() - 1, n);
    return digits;
  }

  double slowness_;
  Random random_{7};
  TraceTime now_ = trace_time(1'000'000'000'000);
  Records made_;
};

void print(std::string_view what, const CpuSeconds& seconds, std::uint32_t count) {
  fmt::print("  {:<46} {:6.0f} ns, of them {:4.0f} in the kernel; {:10.0f} /s\n", what,
             seconds.sum() / count * 1e9, seconds.kernel / count * 1e9, count / seconds.sum());
}

// Seconds for `consume` to take the records of all jobs, without those for making them.
template <class Consume>
CpuSeconds time_of(std::uint32_t jobs, const Consume& consume) {
  const auto pass = [&](auto&& use) {
    RecordMaker maker(1);
    const Stopwatch watch;
    for (std::uint32_t n = 0; n < jobs; ++n) use(maker.next(n));
    return watch.seconds();
  };
  const CpuSeconds making = pass([](const Records& r) { benchmark::DoNotOptimize(&r); });
  return pass(consume) - making;
}

void write_run(const std::filesystem::path& folder, const std::string& label, double slowness,
               std::uint32_t jobs, TaskRows task_rows) {
  const Names names = bench_names();
  RunFolderWriter writer(folder, description(label), names, {.task_rows = task_rows});
  RecordMaker maker(slowness);
  for (std::uint32_t n = 0; n < jobs; ++n) {
    const Records& records = maker.next(n);
    writer.attempt_ended(records.attempt);
    writer.job_ended(records.job);
    writer.sampled(records.sample);
  }
  RunEnd end;
  end.digest = label;
  writer.finish(end);
}

void time_rows(const std::filesystem::path& folder, std::uint32_t jobs) {
  const Names names = bench_names();
  fmt::print("while a run is in progress, {} jobs of one attempt\n", jobs);
  {
    RunFolderWriter writer(folder / "jobs", description("a"), names, {.task_rows = TaskRows::none});
    print("a job's row", time_of(jobs, [&](const Records& r) { writer.job_ended(r.job); }), jobs);
  }
  {
    std::ofstream stream(folder / "stream.csv");
    print("  the same fields through std::ofstream",
          time_of(jobs,
                  [&](const Records& r) {
                    const JobRecord& j = r.job;
                    stream << j.job.value() << ',' << j.application.value() << ',' << j.name << ','
                           << names.users.name(j.user) << ',' << names.queues.name(j.queue)
                           << ",rigid," << j.priority << ',' << name(j.outcome) << ',' << j.tasks
                           << ',' << j.attempts << ",0," << to_microseconds(j.due) << ','
                           << to_microseconds(j.submitted) << ','
                           << to_microseconds(j.first_allocated) << ','
                           << to_microseconds(j.finished) << ',' << j.ideal.count()
                           << ",0,0,0,0,0,0," << j.diagnostics << '\n';
                  }),
          jobs);
  }
  for (const TaskRows task_rows : {TaskRows::none, TaskRows::csv, TaskRows::zstd}) {
    const std::string kind(task_rows_names[static_cast<std::size_t>(task_rows)]);
    RunFolderWriter writer(folder / ("rows " + kind), description("a"), names,
                           {.task_rows = task_rows});
    print("an attempt (rows of tasks: " + kind + "), then the job's row",
          time_of(jobs,
                  [&](const Records& r) {
                    writer.attempt_ended(r.attempt);
                    writer.job_ended(r.job);
                  }),
          jobs);
  }
  {
    RunFolderWriter writer(folder / "samples", description("a"), names, {});
    print("a sample", time_of(jobs, [&](const Records& r) { writer.sampled(r.sample); }), jobs);
  }
}

void time_comparison(const std::filesystem::path& folder, std::uint32_t jobs) {
  const std::vector<std::filesystem::path> folders{folder / "first", folder / "second"};
  write_run(folders[0], "first", 1.0, jobs, TaskRows::none);
  write_run(folders[1], "second", 0.9, jobs, TaskRows::none);
  const double before = peak_mib();
  const Stopwatch loading;
  const std::vector<RunFolder> runs = load_runs(folders);
  fmt::print("afterwards, two runs of {} jobs\n  loaded in {:.2f} s\n", jobs,
             loading.seconds().sum());
  const Stopwatch comparing;
  const Comparison comparison = compare(runs, {});
  fmt::print("  compared in {:.2f} s\n", comparing.seconds().sum());
  const Stopwatch drawing;
  write_html_report(folder / "report.html", comparison, runs);
  fmt::print("  page of {} KiB in {:.2f} s\n",
             std::filesystem::file_size(folder / "report.html") / 1024, drawing.seconds().sum());
  fmt::print("  peak memory {:.0f} MiB, {:.0f} MiB before loading\n", peak_mib(), before);
}

void run(std::uint32_t jobs) {
  const TemporaryFolder folder;
  time_rows(folder.path(), jobs);
  time_comparison(folder.path(), jobs);
}

}  // namespace
}  // namespace tracebed

int main(int argument_count, char** arguments) {
  tracebed::run(argument_count > 1 ? static_cast<std::uint32_t>(std::atoi(arguments[1]))
                                   : 1'000'000);
}

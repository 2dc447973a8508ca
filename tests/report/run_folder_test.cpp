#include "report/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "report/changed_folder.h"
#include "report/csv_reader.h"
#include "report/run_columns.h"
#include "report/run_json.h"
#include "report/sample_runs.h"
#include "report/stall_text.h"
#include "support/files.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

constexpr const char* awkward_name = "a \"name\", with\neverything </script> ü";

class RunFolders : public ::testing::Test {
 protected:
  // A complete run of ten jobs; every test may damage it.
  void write_run() { metrics_ = write_sample_run(run_, cluster_, sample_jobs(10, 1)); }

  void replace_in(const std::string& file, const std::string& from, const std::string& to) {
    std::string text = contents(run_ / file);
    const std::size_t place = text.find(from);
    ASSERT_NE(place, std::string::npos) << file << " does not hold " << from;
    text.replace(place, from.size(), to);
    write_file(run_ / file, text);
    list_anew(run_);
  }
  std::string complaint() const {
    try {
      RunFolder::load(run_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
  std::filesystem::path run_ = folder_.path() / "run";
  SampleCluster cluster_;
  RunMetrics metrics_;
};

AttemptRecord attempt(std::uint32_t node) {
  AttemptRecord record;
  record.application = ApplicationId(std::uint32_t{0});
  record.job = JobId(std::uint32_t{0});
  record.user = UserId(std::uint32_t{0});
  record.queue = QueueId(std::uint32_t{0});
  record.launched = true;
  record.container = ContainerId(std::uint32_t{0});
  record.node = NodeId(node);
  record.resources = Resources(1000, 2048);
  record.asked = trace_time(100);
  record.allocated = trace_time(110);
  record.account.started = trace_time(115);
  record.account.ended = trace_time(165);
  record.reported = trace_time(170);
  record.nominal = microseconds(45);
  return record;
}

JobRecord job(const Names& names, std::uint32_t id) {
  JobRecord record;
  record.application = ApplicationId(id);
  record.job = JobId(id);
  record.name = awkward_name;
  record.user = *names.users.find(awkward_name);
  record.queue = *names.queues.find("root.a");
  record.priority = -3;
  record.tasks = 1;
  record.attempts = 1;
  record.due = trace_time(90);
  record.submitted = trace_time(100);
  record.first_allocated = trace_time(110);
  record.finished = trace_time(170);
  record.ideal = microseconds(45);
  return record;
}

Names awkward_names() {
  Names names;
  names.users.intern(awkward_name);
  names.queues.intern("root.a");
  return names;
}

TEST_F(RunFolders, ReadBackWhatWasWritten) {
  const Names names = awkward_names();
  RunDescription description = sample_description(cluster_);
  description.extra_dimensions = {"gpu"};
  description.machines[1].rack = description.machines[0].rack;  // they differ in labels alone
  description.machines[1].labels = {"fast", "ssd"};
  description.is_noise = true;
  description.varied = {"heartbeat phases", "launch latencies"};
  RunFolderWriter writer(run_, description, names, {});
  writer.sampled({.at = trace_time(100), .capacity = Resources(8000, 4096), .jobs_open = 2});
  writer.attempt_ended(attempt(1));
  writer.job_ended(job(names, 0));
  JobRecord killed = job(names, 1);
  killed.outcome = JobOutcome::killed;
  killed.diagnostics = "the run was cancelled";
  killed.first_allocated = never;
  killed.deadline = trace_time(1'000);
  writer.job_ended(killed);
  const RunEnd end{
      .outcome = RunOutcome::cancelled,
      .digest = "0123",
      .wall_seconds = 2.5,
      .counters = {{"rounds", 17}},
      .decide_seconds = Spread{3, 1, 1, 2, 2, 2},
      .warnings = {"a warning"},
      .waiting = {{{"room", 2}, {"user_limit", 1}},
                  {{JobId(7u),
                    "anna",
                    "root.q",
                    trace_time(3),
                    trace_time(9),
                    {{"queue_room", "first"}, {"queue_room", "second"}}}}},
      .choices = {{trace_time(4), JobId(7u), "n1", 2, {{"fits", 3}}, {{"n1", {{"sum", 1.5}}}}}}};
  const RunMetrics metrics = writer.finish(end);

  const RunFolder run = RunFolder::load(run_);
  EXPECT_EQ(run.metrics().jct_parts_mean, metrics.jct_parts_mean);
  const RunDescription& read = run.description;
  EXPECT_EQ(read.experiment_text, description.experiment_text);
  EXPECT_EQ(read.scheduler_settings, description.scheduler_settings);
  EXPECT_EQ(read.differences, description.differences);
  EXPECT_EQ(read.seed, description.seed);
  EXPECT_TRUE(read.is_noise);
  EXPECT_EQ(read.varied, description.varied);
  EXPECT_EQ(read.trace, description.trace);
  EXPECT_EQ(read.scale, description.scale);
  EXPECT_EQ(read.scale_effects, description.scale_effects);
  EXPECT_EQ(read.rules, description.rules);
  EXPECT_EQ(read.machines, description.machines);
  EXPECT_EQ(read.extra_dimensions, description.extra_dimensions);
  ASSERT_EQ(read.changes.size(), 1u);
  EXPECT_EQ(read.changes[0].at, trace_time(5'000'000));
  EXPECT_EQ(run.end.outcome, RunOutcome::cancelled);
  EXPECT_EQ(run.end.digest, "0123");
  EXPECT_EQ(run.end.counters, end.counters);
  EXPECT_EQ(run.end.decide_seconds, end.decide_seconds);
  EXPECT_EQ(run.end.warnings, end.warnings);
  EXPECT_EQ(run.end.waiting.by_reason, end.waiting.by_reason);
  ASSERT_EQ(run.end.waiting.longest.size(), 1u);
  const WaitingJob& waiting = run.end.waiting.longest[0];
  EXPECT_EQ(waiting.job, JobId(7u));
  EXPECT_EQ(waiting.user + waiting.queue, "annaroot.q");
  EXPECT_EQ(waiting.until - waiting.since, microseconds(6));
  EXPECT_EQ(waiting.reasons, end.waiting.longest[0].reasons);
  ASSERT_EQ(run.end.choices.size(), 1u);
  EXPECT_EQ(choice_json(run.end.choices[0]), choice_json(end.choices[0]));
  EXPECT_EQ(run.attempts, metrics.attempts);
  EXPECT_EQ(run.attempts.launched, 1u);

  ASSERT_EQ(run.jobs.size(), 2u);
  const JobFigures& first = run.jobs[0];
  EXPECT_EQ(run.users.name(first.user), awkward_name);
  EXPECT_EQ(run.queues.name(first.queue), "root.a");
  EXPECT_EQ(first.lateness, microseconds(10));
  EXPECT_EQ(first.wait, microseconds(10));
  EXPECT_EQ(first.jct, microseconds(70));
  EXPECT_EQ(first.ideal, microseconds(45));
  EXPECT_EQ(run.parts[0][static_cast<std::size_t>(JctPart::contention)], microseconds(5));
  EXPECT_EQ(run.jobs[1].outcome, JobOutcome::killed);
  EXPECT_EQ(run.jobs[1].wait, Duration::max());
  EXPECT_FALSE(first.has_deadline());
  EXPECT_EQ(run.jobs[1].deadline, microseconds(900));
  EXPECT_EQ(run.metrics().deadlines.jobs, 1u);
}

// A job that has met its deadline by a microsecond, and one that missed it by one.
TEST_F(RunFolders, SayOfEachJobWithADeadlineWhetherItMetIt) {
  const Names names = awkward_names();
  RunFolderWriter writer(run_, sample_description(cluster_), names, {});
  std::uint32_t id = 0;
  for (const TraceTime deadline : {never, trace_time(171), trace_time(169)}) {
    JobRecord record = job(names, id++);
    record.deadline = deadline;
    writer.job_ended(record);
  }
  const RunMetrics written = writer.finish({});
  const std::string rows = contents(run_ / "jobs.csv");
  EXPECT_THAT(rows, HasSubstr(",finished_us,deadline_us,deadline_met,ideal_us,"));
  EXPECT_THAT(rows, HasSubstr(",90,100,110,170,,,45,"));
  EXPECT_THAT(rows, HasSubstr(",90,100,110,170,171,1,45,"));
  EXPECT_THAT(rows, HasSubstr(",90,100,110,170,169,0,45,"));
  const RunMetrics read = RunFolder::load(run_).metrics();
  for (const RunMetrics& metrics : {written, read}) {
    EXPECT_EQ(metrics.deadlines.jobs, 2u);
    EXPECT_EQ(metrics.deadlines.met, 1u);
    EXPECT_EQ(metrics.deadlines.tardiness, (Spread{2, 0.5e-6, 0, 1e-6, 1e-6, 1e-6}));
  }
  replace_in("jobs.csv", ",170,171,1,45,", ",170,171,0,45,");
  EXPECT_THAT(complaint(), HasSubstr("deadline_met: expected whether the job succeeded by "
                                     "deadline_us, or nothing where there is none, got \"0\""));
  replace_in("jobs.csv", ",170,171,0,45,", ",170,99,0,45,");
  EXPECT_THAT(complaint(),
              HasSubstr("deadline_us: expected a time after submitted_us, got \"99\""));
}

TEST_F(RunFolders, GiveTheSameFiguresWhenReadBack) {
  write_run();
  const RunFolder run = RunFolder::load(run_);
  const RunMetrics read = run.metrics();
  EXPECT_EQ(read.jct, metrics_.jct);
  EXPECT_EQ(read.wait, metrics_.wait);
  EXPECT_EQ(read.bounded_slowdown, metrics_.bounded_slowdown);
  EXPECT_EQ(read.makespan, metrics_.makespan);
  EXPECT_EQ(read.utilisation, metrics_.utilisation);
  EXPECT_EQ(read.jain_index, metrics_.jain_index);
  EXPECT_EQ(read.jct_parts_mean, metrics_.jct_parts_mean);
  EXPECT_GT(read.utilisation[0], 0);
  EXPECT_FALSE(run.series.intervals.empty());
}

TEST_F(RunFolders, HoldARowPerAttempt) {
  Names names;
  names.users.intern("ann");
  names.queues.intern("root.a");
  RunFolderWriter writer(run_, sample_description(cluster_), names, {});
  writer.attempt_ended(attempt(1));
  AttemptRecord released = attempt(2);
  released.application_attempt = 2;
  released.launched = false;
  released.end = ContainerEnd::released;
  writer.attempt_ended(released);
  writer.finish({});
  EXPECT_EQ(
      contents(run_ / "tasks.csv"),
      "job,application,user,queue,application_attempt,stage,task,attempt,units,is_master,"
      "container,node,locality,launched,"
      "end,asked_us,allocated_us,reported_us,started_us,work_begun_us,ended_us,nominal_us,cpu_us,"
      "memory_peak_mib,bytes_read,bytes_written,bytes_node_local,bytes_rack_local,bytes_off_rack,"
      "bytes_output,bytes_shuffle_node_local,bytes_shuffle_rack_local,bytes_shuffle_off_rack,"
      "bytes_spilled,exit_code,signal,devices,milli_vcores,memory_mib\n"
      "0,0,ann,root.a,1,0,0,1,1,0,0,node1,none_asked,1,succeeded,100,110,170,115,115,165,45,0,0,0,"
      "0,0,0,0,0,0,0,0,0,0,0,,1000,2048\n"
      "0,0,ann,root.a,2,,,,1,0,0,node2,none_asked,0,released,100,110,170,,,,,,,,,,,,,,,,,,,,1000,"
      "2048\n");
}

TEST_F(RunFolders, CanDoWithoutTaskRows) {
  const Names names = awkward_names();
  RunDescription description = sample_description(cluster_);
  description.extra_dimensions = {"gpu"};
  RunFolderWriter writer(run_, description, names, {.task_rows = TaskRows::none});
  AttemptRecord with_device = attempt(1);
  with_device.devices = {{.dimension = 2, .number = 3, .amount = 1}};
  writer.attempt_ended(with_device);
  writer.job_ended(job(names, 0));
  writer.finish({});
  EXPECT_FALSE(std::filesystem::exists(run_ / "tasks.csv"));
  const RunFolder run = RunFolder::load(run_);
  EXPECT_EQ(run.task_rows, TaskRows::none);
  EXPECT_EQ(run.attempts.launched, 1u);
  const std::vector<DeviceFigures> devices{
      {.device = "gpu:3", .nodes = 1, .containers = 1, .held_seconds = 60e-6}};
  EXPECT_EQ(run.attempts.devices, devices);
  EXPECT_EQ(run.parts.at(0)[static_cast<std::size_t>(JctPart::launch)], microseconds(5));
}

TEST_F(RunFolders, MayHaveTheirTaskRowsCompressed) {
  const Names names = awkward_names();
  RunFolderWriter writer(run_, sample_description(cluster_), names, {.task_rows = TaskRows::zstd});
  writer.attempt_ended(attempt(1));
  writer.job_ended(job(names, 0));
  writer.finish({});
  EXPECT_FALSE(std::filesystem::exists(run_ / "tasks.csv"));
  const RunFolder run = RunFolder::load(run_);
  EXPECT_EQ(run.task_rows, TaskRows::zstd);
  CsvReader rows(run_ / "tasks.csv.zst", csv_header(tasks_table(), run.dimensions()));
  EXPECT_TRUE(rows.next_row());
  EXPECT_FALSE(rows.next_row());
  const std::string package = contents(run_ / "datapackage.json");
  EXPECT_THAT(package, HasSubstr("\"path\": \"tasks.csv.zst\""));
  EXPECT_THAT(package, HasSubstr("\"compression\": \"zst\""));
  replace_in("run.json", "\"task_rows_format\": \"zstd\"", "\"task_rows_format\": \"lz4\"");
  EXPECT_THAT(complaint(), HasSubstr("run.json: task_rows_format: expected \"zstd\", got"));
}

Stall sample_stall() {
  Stall stall;
  stall.kind = StallKind::masters_alone;
  stall.kinds = {{StallKind::masters_alone, JobId(3u), 2}, {StallKind::unknown, JobId(9u), 1}};
  stall.capacity = Resources(4'000, 4'096);
  stall.held_by_masters = Resources(2'000, 4'096);
  stall.masters = 2;
  stall.reasons = {{"no machine has room", JobId(3u), 2}};
  StalledJob job;
  job.job = JobId(3u);
  job.queue = "root.a";
  job.kind = StallKind::masters_alone;
  job.masters = 1;
  job.held = Resources(1'000, 2'048);
  job.units = 5;
  job.demand = Resources(1'000, 1'024);
  job.units_in_empty = 4;
  job.reasons = {{"room", "no machine has room"}, {"its_turn", awkward_name}};
  job.waits_for = {JobId(4u), JobId(5u)};
  job.waits_for_more = 7;
  stall.jobs.push_back(job);
  job.kind.reset();
  stall.jobs.push_back(job);
  stall.jobs_more = 11;
  return stall;
}

TEST_F(RunFolders, OfARunThatStalledSayWhy) {
  RunFolderWriter writer(run_, sample_description(cluster_), awkward_names(), {});
  RunEnd end;
  end.outcome = RunOutcome::stalled;
  end.stall = sample_stall();
  writer.finish(end);
  const RunFolder run = RunFolder::load(run_);
  ASSERT_TRUE(run.end.stall);
  const Stall& stall = *run.end.stall;
  EXPECT_EQ(stall.kind, StallKind::masters_alone);
  ASSERT_EQ(stall.kinds.size(), 2u);
  EXPECT_EQ(stall.kinds[1].kind, StallKind::unknown);
  EXPECT_EQ(stall.kinds[1].first, JobId(9u));
  EXPECT_EQ(stall.held_by_masters, Resources(2'000, 4'096));
  ASSERT_EQ(stall.jobs.size(), 2u);
  EXPECT_FALSE(stall.jobs[1].kind);
  EXPECT_THAT(stall.jobs[0].waits_for, testing::ElementsAre(JobId(4u), JobId(5u)));
  EXPECT_EQ(stall.jobs[0].reasons, end.stall->jobs[0].reasons);
  EXPECT_EQ(stall_text(stall, run.dimensions()),
            "deadlock of masters alone: masters of 2 jobs hold (memory: 4096, vCores: 2) of "
            "(memory: 4096, vCores: 4), and no task of theirs finds room beside them; with a lower "
            "limit on masters fewer jobs run at a time, and go on");
  const std::vector<std::string> chain = stall_chain(stall, run.dimensions());
  ASSERT_EQ(chain.size(), 4u);
  EXPECT_EQ(chain[0], "2 jobs (first: job 3) wait: no machine has room");
  EXPECT_THAT(chain[1],
              HasSubstr("job 3 of root.a holds its master (memory: 2048, vCores: 1), asks for 5 "
                        "units of (memory: 1024, vCores: 1), waits for jobs 4, 5 and 7 more: no "
                        "machine has room; a "));
  EXPECT_EQ(chain[3], "11 more jobs were open");
  replace_in("run.json", "\"kind\": \"masters_alone\"", "\"kind\": \"hunger\"");
  EXPECT_THAT(complaint(), HasSubstr("run.json: end.stall.kind: expected the kind of a stall, got "
                                     "\"hunger\""));
}

TEST_F(RunFolders, OfARunThatNeverEndedAreRefused) {
  const Names names = awkward_names();
  RunFolderWriter writer(run_, sample_description(cluster_), names, {});
  EXPECT_THAT(complaint(), HasSubstr("the run is still in progress, or its program was killed"));
  writer.finish({});
  EXPECT_EQ(complaint(), "");
}

TEST_F(RunFolders, AreNotWrittenOverEachOther) {
  write_run();
  EXPECT_THROW(write_run(), EnvironmentError);
}

TEST_F(RunFolders, WithoutARunAreRefused) {
  EXPECT_THAT(complaint(), HasSubstr("expected the folder of a run, with a run.json"));
}

TEST_F(RunFolders, SayWhatIsWrongWithThem) {
  struct Case {
    const char* file;
    const char* from;
    const char* to;
    const char* complaint;
  };
  constexpr std::array cases{
      Case{"run.json", "\"seed\": 101,", "\"seed\": \"x\",",
           "run.json: seed: expected a whole number of at least 0, got \"x\""},
      Case{"run.json", "\"seed\": 101,", "", "run.json: seed: this key is missing"},
      Case{"run.json", "\"seed\": 101,", "\"seed\": 101,,", "run.json:"},
      Case{"run.json", "\"version\": 7", "\"version\": 9",
           "run.json: expected format version 7, got 9, which a newer Tracebed wrote"},
      Case{"run.json", "\"version\": 7", "\"version\": 1",
           "run.json: expected format version 7, got 1, which an older Tracebed wrote, without "
           "checksums"},
      Case{"run.json", "\"file\": \"jobs.csv\"", "\"file\": \"../jobs.csv\"",
           "expected files below the folder, got \"../jobs.csv\""},
      Case{"run.json", "\"file\": \"jobs.csv\"", "\"file\": \"tasks.csv\"",
           "run.json: files: expected jobs.csv among them"},
      Case{"run.json", "tracebed-run", "something", "run.json: format: expected \"tracebed-run\""},
      Case{"run.json", "\"ended\": \"complete\"", "\"ended\": \"maybe\"",
           "run.json: end.ended: expected \"complete\", \"cancelled\", \"stalled\" or \"failed\", "
           "got "
           "\"maybe\""},
      Case{"run.json", "\"launched\": 10", "\"launched\": -1",
           "run.json: summary.attempts.launched: expected a whole number of at least 0, got -1"},
      Case{"run.json", "\"capacity\": [", "\"capacity\": [7,",
           "run.json: machines: expected capacities in 2 dimensions"},
      Case{"run.json", "\"extra_dimensions\": []",
           "\"extra_dimensions\": [\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\"]",
           "run.json: extra_dimensions: expected at most six names"},
      Case{"jobs.csv", "succeeded", "finished",
           "outcome: expected succeeded, failed, rejected or killed, got \"finished\""},
      Case{"jobs.csv", "job_0", "job_0,", "expected 26 fields, got 27"},
      Case{"samples.csv", "jobs_ended", "jobs", "samples.csv:1: expected the header"},
  };
  for (const Case& c : cases) {
    std::filesystem::remove_all(run_);
    write_run();
    replace_in(c.file, c.from, c.to);
    EXPECT_THAT(complaint(), HasSubstr(c.complaint)) << c.to;
  }
}

TEST_F(RunFolders, WhosePartsDoNotAddUpAreRefused) {
  write_run();
  std::string text = contents(run_ / "jobs.csv");
  text.replace(text.rfind("0,"), 1, "5");  // the last job's lost_us
  write_file(run_ / "jobs.csv", text);
  list_anew(run_);
  EXPECT_THAT(complaint(), HasSubstr("jobs.csv:11: the columns from waiting_us to lost_us must"));
}

TEST_F(RunFolders, WithAnAllocationBeforeTheSubmissionAreRefused) {
  write_run();
  std::string text = contents(run_ / "jobs.csv");
  std::size_t field = text.find('\n') + 1;
  for (int column = 0; column < 14; ++column) field = text.find(',', field) + 1;
  text.replace(field, text.find(',', field) - field, "-5");
  write_file(run_ / "jobs.csv", text);
  list_anew(run_);
  EXPECT_THAT(complaint(), HasSubstr("jobs.csv:2: first_allocated_us: expected a time not before "
                                     "submitted_us, got \"-5\""));
}

TEST_F(RunFolders, WithAJobTwiceAreRefused) {
  write_run();
  std::string text = contents(run_ / "jobs.csv");
  const std::size_t row = text.find('\n') + 1;
  text += text.substr(row, text.find('\n', row) + 1 - row);
  write_file(run_ / "jobs.csv", text);
  list_anew(run_);
  EXPECT_THAT(complaint(), HasSubstr("has more than one row"));
}

}  // namespace
}  // namespace tracebed

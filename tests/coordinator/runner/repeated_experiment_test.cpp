// Whole virtual experiments that repeat, in this process: on one thread or several, with the trace
// in memory or read anew, and with the baseline against itself.
#include <atomic>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <span>
#include <sstream>
#include <utility>

#include "coordinator/config/load_experiment.h"
#include "coordinator/runner/experiment_run.h"
#include "report/run_json.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

class KeepsWords final : public RunObserver {
 public:
  bool should_continue() override { return true; }
  void progressed(const RunProgress&) override {
    if (on_progress) std::exchange(on_progress, nullptr)();
  }
  void warned(const std::string& message) override { warnings.push_back(message); }
  void noted(const std::string& message) override { sayings.push_back(message); }
  std::vector<std::string> warnings;
  std::vector<std::string> sayings;
  std::function<void()> on_progress;  // the first time
};

class RepeatedExperiment : public ::testing::Test {
 protected:
  RepeatedExperiment() {
    std::string rows;
    for (int job = 0; job < 40; ++job) {
      rows += fmt::format("job{}\t{}\t1\t{}\t{}\t1000\n", job, 3 * job, 200'000'000 * (job % 5 + 1),
                          job % 3 * 50'000'000);
    }
    folder_.write("jobs.tsv", rows);
  }

  Experiment load(std::vector<Override> overrides, const std::string& output) const {
    const auto file = folder_.write(
        "mine.toml",
        "name = \"mine\"\nworld = \"virtual\"\nrepetitions = 3\nschedulers = [\"fifo\", "
        "\"random\"]\n[trace]\nfile = \"jobs.tsv\"\nbad_lines = \"skip\"\n[cluster]\nnodes = 3\n"
        "vcores = 4\nmemory = \"8 GiB\"\n");
    Experiment experiment = load_experiment(file, std::nullopt, overrides);
    experiment.output = folder_.path() / output;
    return experiment;
  }
  FinishedExperiment run(const Experiment& experiment) {
    return run_experiment(
        experiment,
        {.schedulers = test::schedulers(), .experiment_file = "mine.toml", .programs = {}},
        listener_);
  }
  FinishedExperiment run(std::vector<Override> overrides, const std::string& output) {
    return run(load(std::move(overrides), output));
  }
  static Override set(const std::string& key, const std::string& value) {
    return {"--set " + key, key, value};
  }
  static std::vector<std::string> digests(const std::vector<FinishedReplay>& replays) {
    std::vector<std::string> digests;
    for (const FinishedReplay& replay : replays) {
      EXPECT_EQ(replay.outcome, RunOutcome::complete);
      digests.push_back(fmt::format("{} {} {}", replay.label, replay.repetition, replay.digest));
    }
    return digests;
  }
  std::string contents_of(const std::string& output, const std::string& run) const {
    return contents(folder_.path() / output / run / "tasks.csv") +
           contents(folder_.path() / output / run / "jobs.csv");
  }

  TemporaryFolder folder_;
  KeepsWords listener_;
};

// A scheduler's files mean the same in all its replays.
TEST_F(RepeatedExperiment, ExplainsAFileOnceForEachScheduler) {
  SchedulerEntry entry = *test::schedulers().find("fair");
  entry.name = "counted";
  std::atomic<int> explained = 0;
  entry.explainer->explain = [&explained, explain = entry.explainer->explain](
                                 const SchedulerFile& file,
                                 std::span<const ExplainedMachines> machines) {
    ++explained;
    return explain(file, machines);
  };
  SchedulerRegistry registry;
  registry.add(entry);
  folder_.write("queues.xml", "<allocations></allocations>");
  const auto file = folder_.write(
      "scaled.toml",
      "name = \"mine\"\nworld = \"virtual\"\nrepetitions = 4\n[[scheduler]]\nname = \"counted\"\n"
      "config = \"queues.xml\"\n[scale]\nmachines = 2\n[trace]\nfile = \"jobs.tsv\"\n[cluster]\n"
      "nodes = 4\nvcores = 4\nmemory = \"8 GiB\"\n");
  Experiment experiment = load_experiment(file, std::nullopt);
  experiment.output = folder_.path() / "scaled";
  const FinishedExperiment finished = run_experiment(
      experiment, {.schedulers = registry, .experiment_file = "scaled.toml", .programs = {}},
      listener_);
  EXPECT_EQ(finished.replays.size(), 4u);
  EXPECT_EQ(explained, 2) << "on the recorded and on the divided cluster";
}

TEST_F(RepeatedExperiment, FindsAndTellsTheSameOnAnyNumberOfThreads) {
  const std::vector<std::string> once = digests(run({set("virtual.parallel", "1")}, "one").replays);
  ASSERT_EQ(once.size(), 6u);
  const std::vector<std::string> warnings = listener_.warnings;
  for (const char* threads : {"2", "4"}) {
    listener_.warnings.clear();
    EXPECT_EQ(digests(run({set("virtual.parallel", threads)}, threads).replays), once);
    EXPECT_EQ(listener_.warnings, warnings);
    for (const char* folder : {"fifo/r1", "fifo/r3", "random/r2"}) {
      EXPECT_EQ(contents_of(threads, folder), contents_of("one", folder)) << folder;
    }
  }
}

TEST_F(RepeatedExperiment, FindsTheSameWhereTheTraceDoesNotFitIntoItsMemory) {
  const auto kept = digests(run({set("virtual.parallel", "2")}, "kept").replays);
  EXPECT_THAT(listener_.sayings, Not(Contains(HasSubstr("reads the trace again"))));
  const auto read =
      digests(run({set("virtual.parallel", "2"), set("virtual.trace_memory", "\"1 KiB\"")}, "read")
                  .replays);
  EXPECT_EQ(read, kept);
  EXPECT_THAT(listener_.sayings, Contains(HasSubstr("more than 1 KiB of memory")));
  EXPECT_EQ(contents_of("read", "fifo/r2"), contents_of("kept", "fifo/r2"));
}

// Schedulers that are compared have replayed one trace, however it was changed under way, and
// whatever submits its jobs.
TEST_F(RepeatedExperiment, EndsWhereTheTraceIsNoLongerTheOneThatWasReadFirst) {
  const std::string rows = contents(folder_.path() / "jobs.tsv");
  std::string longer_task = rows;
  longer_task[rows.size() - 3] = '9';
  const std::vector<std::string> changed = {rows.substr(0, rows.size() / 2),
                                            rows + rows.substr(rows.rfind("job")), longer_task, ""};
  int number = 0;
  for (const std::string& other : changed) {
    for (const char* mode : {"\"trace\"", "\"think_time\""}) {
      const std::string output = std::to_string(number++);
      SCOPED_TRACE(output);
      folder_.write("jobs.tsv", rows);
      const Experiment experiment =
          load({set("virtual.parallel", "1"), set("virtual.trace_memory", "\"1 KiB\""),
                set("replay.mode", mode)},
               output);
      listener_.on_progress = [&] { folder_.write("jobs.tsv", other); };
      const FinishedExperiment finished = run(experiment);
      ASSERT_TRUE(finished.failure);
      EXPECT_THAT([&] { std::rethrow_exception(finished.failure); },
                  ThrowsMessage<InputError>(AllOf(HasSubstr("jobs.tsv: changed while it was in "
                                                            "use"))));
      // The first had read it all.
      ASSERT_EQ(finished.replays.size(), 2u);
      EXPECT_EQ(finished.replays.front().outcome, RunOutcome::complete);
      const RunRecord broken = read_run_json(finished.replays.back().folder / "run.json");
      ASSERT_TRUE(broken.end.has_value());
      EXPECT_EQ(broken.end->outcome, RunOutcome::failed);
      EXPECT_THAT(broken.end->reason, HasSubstr("jobs.tsv: changed while it was in use"));
    }
  }
}

TEST_F(RepeatedExperiment, GoesOnWithAKeptTraceWhateverBecomesOfItsFile) {
  const auto kept = digests(run({set("virtual.parallel", "1")}, "unchanged").replays);
  listener_.on_progress = [&] { std::filesystem::remove(folder_.path() / "jobs.tsv"); };
  EXPECT_EQ(digests(run({set("virtual.parallel", "1")}, "removed").replays), kept);
}

TEST_F(RepeatedExperiment, SaysBeforeItBeginsHowMuchItIsAndWhatVaries) {
  run({set("virtual.parallel", "2")}, "runs");
  EXPECT_THAT(
      listener_.sayings,
      ElementsAre(StartsWith("fifo differs from YARN in: "),
                  "3 repetitions of 2 schedulers, 2 at a time; --quick runs one",
                  "repetitions vary in heartbeat phases, launch latencies, places of input blocks",
                  "repetitions vary in heartbeat phases, launch latencies, random placement, "
                  "places of input blocks"));
  listener_.sayings.clear();
  run({set("repetitions", "1")}, "one");
  EXPECT_THAT(listener_.sayings,
              ElementsAre(StartsWith("fifo differs from YARN in: "), HasSubstr("no verdict")));
}

TEST_F(RepeatedExperiment, OnIdealMachinesAllRepetitionsOfAPolicyThatDoesNotDrawDecideTheSame) {
  const FinishedExperiment finished =
      run({set("virtual.model", "ideal"), set("masters.replication", "0")}, "runs");
  std::set<std::string> fifo;
  std::set<std::string> random;
  for (const FinishedReplay& replay : finished.replays) {
    (replay.label == "fifo" ? fifo : random).insert(replay.digest);
  }
  EXPECT_EQ(fifo.size(), 1u);
  EXPECT_EQ(random.size(), 3u);
  EXPECT_THAT(listener_.sayings,
              Contains("nothing varies between repetitions of fifo: all make the same decisions"));
  const auto varied = [&](const char* run) {
    return read_run_json(folder_.path() / "runs" / run / "run.json").description.varied;
  };
  EXPECT_THAT(varied("fifo/r2"), IsEmpty());
  EXPECT_THAT(varied("random/r2"), ElementsAre("random placement"));
}

TEST_F(RepeatedExperiment, AllSchedulersOfARepetitionSeeTheSameShakenTrace) {
  run({set("vary.submit_times", "0.1"), set("vary.run_times", "0.1")}, "runs");
  const auto column = [&](const std::string& run) {
    // Submit times stand in the same order of jobs only if sorted.
    std::multiset<std::string> submits;
    std::istringstream rows(contents(folder_.path() / "runs" / run / "jobs.csv"));
    std::string line;
    std::getline(rows, line);
    std::size_t index = 0;
    std::istringstream names(line);
    for (std::string name; std::getline(names, name, ',') && name != "submitted_us";) ++index;
    while (std::getline(rows, line)) {
      std::istringstream cells(line);
      std::string cell;
      for (std::size_t i = 0; i <= index; ++i) std::getline(cells, cell, ',');
      submits.insert(cell);
    }
    return submits;
  };
  ASSERT_EQ(column("fifo/r1").size(), 40u);
  EXPECT_EQ(column("fifo/r1"), column("random/r1"));
  EXPECT_EQ(column("fifo/r2"), column("random/r2"));
  EXPECT_NE(column("fifo/r1"), column("fifo/r2"));
  const RunDescription run = read_run_json(folder_.path() / "runs/fifo/r2/run.json").description;
  EXPECT_THAT(run.varied, Contains("input shaking of up to 10 % of run times"));
  EXPECT_THAT(run.trace_selection, Contains(NamedText("submit times", "shaken by up to 10 %")));
}

TEST_F(RepeatedExperiment, NoiseIsTheBaselineOnceMoreForEachRepetitionUnderOtherSeeds) {
  const FinishedExperiment finished =
      run({set("compare.noise", "true"), set("vary.submit_times", "0.1"),
           set("compare.baseline", "random")},
          "runs");
  ASSERT_EQ(finished.replays.size(), 6u);
  ASSERT_EQ(finished.noise.size(), 3u);
  std::set<std::uint64_t> seeds;
  for (const FinishedReplay& replay : finished.replays) seeds.insert(replay.seed);
  for (const FinishedReplay& replay : finished.noise) {
    EXPECT_EQ(replay.label, "random");
    EXPECT_FALSE(seeds.contains(replay.seed));
    EXPECT_EQ(replay.folder,
              folder_.path() / "runs/noise/random" / ("r" + std::to_string(replay.repetition)));
    const RunDescription run = read_run_json(replay.folder / "run.json").description;
    EXPECT_TRUE(run.is_noise);
    EXPECT_EQ(run.repetition, replay.repetition);
  }
  EXPECT_FALSE(read_run_json(folder_.path() / "runs/random/r1/run.json").description.is_noise);
  EXPECT_EQ(run_folders(finished).size(), 9u);
}

TEST_F(RepeatedExperiment, NoiseOfARunThatIsAloneInItsFolderIsToo) {
  const FinishedExperiment finished =
      run({set("repetitions", "1"), set("compare.noise", "true")}, "runs");
  ASSERT_EQ(finished.noise.size(), 1u);
  EXPECT_EQ(finished.noise[0].folder, folder_.path() / "runs/noise/fifo");
  EXPECT_NE(finished.noise[0].digest, finished.replays[0].digest);
}

}  // namespace
}  // namespace tracebed

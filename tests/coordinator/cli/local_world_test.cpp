// The local world as a user starts it: real agents, real processes in real cgroups, and nothing of
// it left however it ends.
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "coordinator/cli/local_run.h"
#include "coordinator/cli/task_rows.h"
#include "core/exit_codes.h"
#include "report/run_folder.h"
#include "support/csv_rows.h"
#include "support/files.h"
#include "system/file_descriptor.h"

namespace tracebed {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> devices_in(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

class LocalWorld : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "cgroups can be written by root only";
  }
  ProgramEnd run(const std::vector<std::string>& arguments,
                 const std::filesystem::path& program = program_path("tracebed")) const {
    return RunningProgram(program, arguments, {"TRACEBED_TRACES=" + run_.folder().string()}).wait();
  }

  LocalRun run_{"cli-test-" + std::to_string(::getpid())};
};

TEST_F(LocalWorld, ReplaysWithRealProcessesAndDecidesAgainToTheSameDigest) {
  const ProgramEnd end = run(run_.arguments(6, 10));
  ASSERT_EQ(end.exit_code, 0) << end.error;
  const RunFolder folder = RunFolder::load(run_.runs() / "fifo");
  EXPECT_EQ(folder.metrics().succeeded, 6u);
  EXPECT_THAT(folder.description.isolation, ::testing::StartsWith("cgroup-v"));
  EXPECT_EQ(folder.description.time_scale, 10);
  EXPECT_EQ(tracebed_program({"replay-log", run_.runs().string()}).exit_code, 0);
  EXPECT_THAT(run_.leftovers(), IsEmpty());
}

// Modelled, each decision would take a tenth of a second of the jobs' ten.
TEST_F(LocalWorld, ConcurrentSchedulersDecideInThreadsAndTheLogDecidesAgain) {
  for (const char* scheduler : {"monolithic", "shared_state", "two_level"}) {
    SCOPED_TRACE(scheduler);
    std::vector<std::string> arguments = run_.arguments(12, 10);
    std::string text = contents(run_.experiment());
    const std::string fifo = "schedulers = [\"fifo\"]\n";
    text.replace(text.find(fifo), fifo.size(), "");
    std::ofstream(run_.experiment())
        << text << "[[scheduler]]\nname = \"" << scheduler << "\"\ndecision_time = \"measured\"\n"
        << (std::string(scheduler) == "monolithic" ? "" : "[replay]\nmode = \"at_once\"\n");
    arguments.back() = (run_.folder() / scheduler).string();
    const ProgramEnd end = run(arguments);
    ASSERT_EQ(end.exit_code, 0) << end.error;
    const RunFolder folder = RunFolder::load(run_.folder() / scheduler / scheduler);
    EXPECT_EQ(folder.metrics().succeeded, 12u);
    EXPECT_THAT(folder.end.counters,
                Contains(::testing::Pair("scheduler_units_committed", ::testing::Ge(12u))));
    EXPECT_EQ(tracebed_program({"replay-log", arguments.back()}).exit_code, 0);
    const ProgramEnd shown =
        tracebed_program({"log", "show", arguments.back() + "/" + scheduler, "--json"});
    EXPECT_THAT(shown.out, HasSubstr("decision_made"));
  }
  EXPECT_THAT(run_.leftovers(), IsEmpty());
}

TEST_F(LocalWorld, AClosedLoopGoesOnWhenRealJobsHaveEnded) {
  std::vector<std::string> arguments = run_.arguments(3, 10);
  for (const char* setting : {"replay.mode=think_time", "replay.think_time=5s"}) {
    arguments.emplace_back("--set");
    arguments.emplace_back(setting);
  }
  const ProgramEnd end = run(arguments);
  ASSERT_EQ(end.exit_code, 0) << end.error;
  const RunFolder folder = RunFolder::load(run_.runs() / "fifo");
  ASSERT_EQ(folder.jobs.size(), 3u);
  for (std::size_t i = 1; i < 3; ++i) {
    const JobFigures& last = folder.jobs[i - 1];
    EXPECT_GE(folder.jobs[i].submitted, last.submitted + last.jct + seconds(5));
  }
  EXPECT_EQ(tracebed_program({"replay-log", run_.runs().string()}).exit_code, 0);
}

// Its work is not done twice: what both attempts burnt is what a task burns that was left alone.
TEST_F(LocalWorld, ATaskOfADrainedNodeGoesOnElsewhereFromWhereItHadGotTo) {
  std::vector<std::string> arguments = run_.arguments(4, 60);
  std::ofstream(run_.experiment(), std::ios::app)
      << "[[drain]]\nat = \"30s\"\nnode = \"node1\"\ngrace = \"60s\"\n";
  // By memory alone all would be on one node.
  arguments.insert(arguments.end(),
                   {"--set", "masters.preemption.policy=checkpoint", "--set",
                    "trace.rules.swf.cpu_time=run_time", "--set", "cluster.limit_vcores=true"});
  const ProgramEnd end = run(arguments);
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_EQ(RunFolder::load(run_.runs() / "fifo").metrics().succeeded, 4u);
  std::map<std::string, double> burnt;
  std::set<std::string> moved;
  for (const TaskRow& row : read_tasks(run_.runs() / "fifo/tasks.csv")) {
    burnt[row.job] += row.cpu_us;
    if (row.end == "checkpointed") {
      EXPECT_EQ(row.node, "node1");
      moved.insert(row.job);
    }
    if (row.attempt > 1) {
      EXPECT_NE(row.node, "node1");
    }
  }
  ASSERT_FALSE(moved.empty());
  ASSERT_LT(moved.size(), 4u);
  double left_alone = 0;
  for (const auto& [job, cpu] : burnt) {
    if (!moved.contains(job)) left_alone = std::max(left_alone, cpu);
  }
  for (const std::string& job : moved) EXPECT_NEAR(burnt[job] / left_alone, 1, 0.2) << job;
  EXPECT_EQ(tracebed_program({"replay-log", run_.runs().string()}).exit_code, 0);
  EXPECT_THAT(run_.leftovers(), IsEmpty());
}

// Pods of 600 and 1,000 thousandths of a GPU and of two whole ones, on two machines with two each:
// each device is given once, and a task finds in its environment those that its row names.
TEST_F(LocalWorld, ATaskIsToldItsDevicesAndNoDeviceIsGivenTwice) {
  std::string pods =
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
      "deletion_time,scheduled_time\n";
  for (int i = 0; i < 9; ++i) {
    pods += fmt::format("pod{},10,64,{},{},,LS,Running,{},{},{}\n", i, i % 3 == 2 ? 2 : 1,
                        i % 3 == 0 ? 600 : 1'000, i, i + 30, i);
  }
  std::ofstream(run_.folder() / "pods.csv") << pods;
  std::ofstream(run_.experiment()) << fmt::format(
      "name = \"{}\"\nworld = \"local\"\nschedulers = [\"fcfs\"]\n"
      "[trace]\nfile = \"pods.csv\"\nformat = \"alibaba_gpu\"\n"
      "[cluster]\nnodes = 2\nvcores = 1\nmemory = \"1 GiB\"\nextra = {{ gpu_milli = 2000 }}\n"
      "[scale]\ntime = 10\n",
      run_.name());
  RunningProgram program(program_path("tracebed"),
                         {"run", run_.experiment().string(), "--output", run_.runs().string()},
                         {"TRACEBED_TRACES=" + run_.folder().string()});
  std::set<std::string> in_environments;
  program.wait_until_or_end([&] {
    for (const pid_t task : run_.processes(program.id(), "tracebed-task")) {
      std::istringstream settings(contents(fmt::format("/proc/{}/environ", task)));
      constexpr std::string_view variable = "TRACEBED_DEVICES=";
      for (std::string setting; std::getline(settings, setting, '\0');) {
        if (setting.starts_with(variable)) in_environments.insert(setting.substr(variable.size()));
      }
    }
    return false;
  });
  const ProgramEnd end = program.wait();
  ASSERT_EQ(end.exit_code, 0) << end.error;

  struct Use {
    std::int64_t from = 0;
    std::int64_t until = 0;
    std::int64_t amount = 0;
  };
  std::map<std::string, std::vector<Use>> uses;  // by node and device
  std::set<std::string> in_rows;
  for (const CsvRow& row : csv_rows(run_.runs() / "fcfs/tasks.csv")) {
    in_rows.insert(row.at("devices"));
    const std::vector<std::string> devices = devices_in(row.at("devices"));
    const std::int64_t amount = std::stoll(row.at("gpu_milli"));
    EXPECT_EQ(devices.size(), amount == 2'000 ? 2U : 1U) << row.at("devices");
    for (const std::string& device : devices) {
      uses[row.at("node") + " " + device].push_back(
          {std::stoll(row.at("allocated_us")), std::stoll(row.at("reported_us")),
           amount / static_cast<std::int64_t>(devices.size())});
    }
  }
  EXPECT_FALSE(in_environments.empty());
  for (const std::string& devices : in_environments) EXPECT_THAT(in_rows, Contains(devices));
  for (const auto& [device, of_device] : uses) {
    for (const Use& use : of_device) {
      std::int64_t at_begin = 0;
      for (const Use& other : of_device) {
        if (other.from <= use.from && use.from < other.until) at_begin += other.amount;
      }
      EXPECT_LE(at_begin, 1'000) << device;
    }
  }
  EXPECT_EQ(tracebed_program({"replay-log", run_.runs().string()}).exit_code, 0);
}

TEST_F(LocalWorld, CapacitiesThatDoNotFitTheMachineAreSaidBeforeTheFirstJob) {
  const ProgramEnd end = run(run_.arguments(6, 10, "1000 TiB"));
  EXPECT_EQ(end.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(end.error, HasSubstr("but this machine has"));
  EXPECT_FALSE(std::filesystem::exists(run_.runs() / "fifo/run.json"));
  EXPECT_EQ(run(run_.arguments(6, 10)).exit_code, 0) << "the folder can still be used";
  EXPECT_THAT(run_.leftovers(), IsEmpty());
}

TEST_F(LocalWorld, AMissingDaemonIsNamed) {
  const std::filesystem::path copy = run_.folder() / "tracebed";
  std::filesystem::copy_file(program_path("tracebed"), copy);
  const ProgramEnd end = run(run_.arguments(6, 10), copy);
  EXPECT_EQ(end.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(end.error, HasSubstr((run_.folder() / "tracebed-agent").string() + " is missing"));
}

// It takes connections, and that is all.
TEST_F(LocalWorld, ARedisThatNeverAnswersIsNamed) {
  const std::string path = run_.folder() / "silent";
  const FileDescriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(listener.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)),
            0);
  ASSERT_EQ(::listen(listener.number(), 1), 0);
  std::vector<std::string> words = run_.arguments(6, 10);
  words.insert(words.end(), {"--set", "log.redis=unix:" + path});
  const ProgramEnd end = run(words);
  EXPECT_EQ(end.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(end.error, HasSubstr("unix:" + path + " does not answer in time"));
}

TEST_F(LocalWorld, ARedisThatIsNotThereIsNamed) {
  std::vector<std::string> words = run_.arguments(6, 10);
  words.insert(words.end(), {"--set", "log.redis=unix:" + (run_.folder() / "none").string()});
  const ProgramEnd end = run(words);
  EXPECT_EQ(end.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(end.error, HasSubstr((run_.folder() / "none").string()));
}

}  // namespace
}  // namespace tracebed

// Real agents, launchers and tasks on this machine.
#include "coordinator/real/local_cluster.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "coordinator/real/real_fleet.h"
#include "core/input_error.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

Machine machine(std::string name, Resources capacity) {
  return {.name = std::move(name), .rack = "/rack-1", .capacity = capacity, .labels = {"ssd"}};
}

TEST(LocalCapacity, MachinesMustFitTogetherUnlessTheyMayNot) {
  const Resources here(2'000, 1'000);
  const std::vector<Machine> fitting = {machine("a", Resources(1'500, 400)),
                                        machine("b", Resources(500, 600))};
  EXPECT_TRUE(fits_together(fitting, here, false));
  std::vector<Machine> too_many = fitting;
  too_many.push_back(machine("c", Resources(1, 0)));
  EXPECT_FALSE(fits_together(too_many, here, true));
  EXPECT_THAT([&] { fits_together(too_many, here, false); },
              ThrowsMessage<EnvironmentError>(
                  AllOf(HasSubstr("3 local agents offer 2.001 vcores and 1000 MiB in total"),
                        HasSubstr("this machine has 2 and 1000"))));
  std::vector<Machine> too_large = fitting;
  too_large[0].capacity[1] = 401;
  EXPECT_FALSE(fits_together(too_large, here, true));
  // A dimension that this machine does not have may be counted as one likes.
  std::vector<Machine> with_gpus = fitting;
  with_gpus[0].capacity[2] = 8;
  EXPECT_TRUE(fits_together(with_gpus, here, false));
}

TEST(LocalCapacity, IsThatOfThisMachine) {
  EXPECT_GE(local_capacity().milli_vcores(), 1'000);
  EXPECT_GT(local_capacity().memory_mib(), 100);
}

TEST(LoopbackAddress, EveryAgentHasItsOwn) {
  EXPECT_EQ(loopback_address(0), "127.0.1.1");
  EXPECT_EQ(loopback_address(253), "127.0.1.254");
  EXPECT_EQ(loopback_address(254), "127.0.2.1");
}

std::string first_line(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

// Processes whose command line names the run. Zombies have none.
std::vector<std::string> processes_of(const std::string& run) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos) {
      continue;
    }
    const std::string line = first_line(entry.path() / "cmdline");
    if (line.find(run) != std::string::npos) found.push_back(line);
  }
  return found;
}

std::vector<std::string> cgroups_of(const std::string& run) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (auto it = std::filesystem::recursive_directory_iterator("/sys/fs/cgroup", ignored);
       it != std::filesystem::recursive_directory_iterator(); it.increment(ignored)) {
    if (it->path().filename().string().find(run) != std::string::npos) {
      found.push_back(it->path().string());
    }
  }
  return found;
}

// Two small agents, and the fleet that drives them.
class LocalClusterTest : public ::testing::Test {
 protected:
  LocalClusterTest() {
    // The process and the test make the name the run's own on this machine.
    run_ = "test" + std::to_string(getpid()) + "x" +
           std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
           std::to_string(std::chrono::steady_clock::now().time_since_epoch().count() % 1'000'000);
    options_.run = run_;
    options_.heartbeat_period = milliseconds(100);
  }
  ~LocalClusterTest() override {
    cluster_.reset();
    EXPECT_THAT(processes_of(run_), IsEmpty());
    EXPECT_THAT(cgroups_of(run_), IsEmpty());
  }

  LocalClusterOptions cluster_options() const {
    LocalClusterOptions options;
    options.run = run_;
    options.coordinator = fleet_->endpoint();
    options.links = fleet_->links();
    options.programs = own_programs();
    options.logs = logs_.file("");
    return options;
  }
  void start() {
    const std::vector<Machine> machines = {machine("node-0", Resources(800, 300)),
                                           machine("node-1", Resources(800, 300))};
    fleet_.emplace(options_, machines, [this](const std::string& m) { warnings_.push_back(m); });
    cluster_.emplace(cluster_options(), machines);
    fleet_->wait_for_agents(timeout, [this] { cluster_->look(); });
    wait();
    ASSERT_EQ(round_.arrivals.size(), 2u);
  }

  void wait() {
    round_.clear();
    fleet_->wait_until(never, round_);
  }
  // Waits for the container's end, acknowledging heartbeats as the replay loop does.
  ContainerEnded wait_for_end(std::uint32_t container) {
    while (!ended_.contains(container)) {
      wait();
      fleet_->execute({}, {});
      for (const Arrival& arrival : round_.arrivals) {
        const auto* ended = std::get_if<ContainerEnded>(&arrival);
        if (ended != nullptr) ended_[ended->container.value()] = *ended;
      }
    }
    return ended_[container];
  }
  LaunchContainer task(std::uint32_t container, Duration duration) {
    LaunchContainer launch;
    launch.container = ContainerId(container);
    launch.node = NodeId(container % 2);
    launch.application = ApplicationId(0u);
    launch.limits = Resources(500, 100);
    launch.work.duration = duration;
    launch.work.cpu_time = duration / 5;
    launch.work.memory_mib = 20;
    return launch;
  }
  void execute(const std::vector<Command>& commands) { fleet_->execute(commands, {}); }

  std::string run_;
  TemporaryFolder logs_;
  RealFleetOptions options_{.time_scale = 1};
  std::vector<std::string> warnings_;
  std::optional<RealFleet> fleet_;
  std::optional<LocalCluster> cluster_;
  Round round_;
  std::map<std::uint32_t, ContainerEnded> ended_;
};

TEST_F(LocalClusterTest, TasksRunOnRealAgentsAndComeBackWithAnAccount) {
  start();
  execute({task(0, milliseconds(300)), task(1, milliseconds(300))});
  for (std::uint32_t container : {0u, 1u}) {
    const ContainerEnded ended = wait_for_end(container);
    EXPECT_EQ(ended.end, ContainerEnd::succeeded);
    EXPECT_EQ(ended.node, NodeId(container));
    EXPECT_EQ(ended.account.exit_code, 0);
    EXPECT_GE(ended.account.ended - ended.account.started, milliseconds(250));
    EXPECT_GE(ended.account.cpu_time, milliseconds(50));
    EXPECT_GE(ended.account.memory_peak_mib, 17);  // of 20, program and stack included
    EXPECT_LE(ended.account.memory_peak_mib, 100);
  }
  fleet_->announce_end("run over");
  cluster_->stop([](const std::string& warning) { ADD_FAILURE() << warning; });
}

TEST_F(LocalClusterTest, AKilledContainerEndsAsKilled) {
  start();
  execute({task(0, seconds(3'600))});
  execute({KillContainer{ContainerId(0u), NodeId(0u)}});
  EXPECT_EQ(wait_for_end(0).end, ContainerEnd::killed);
}

TEST_F(LocalClusterTest, AHeldContainerEndsOnlyAfterItWasContinued) {
  start();
  LaunchContainer held = task(0, milliseconds(100));
  held.is_held = true;
  execute({held, task(2, milliseconds(500))});
  const ContainerEnded other = wait_for_end(2);
  execute({ContinueContainer{ContainerId(0u), NodeId(0u)}});
  const ContainerEnded ended = wait_for_end(0);
  EXPECT_EQ(ended.end, ContainerEnd::succeeded);
  EXPECT_GT(ended.account.ended, other.account.ended);
}

TEST_F(LocalClusterTest, ATaskThatTakesTooLongTimesOut) {
  options_.time_limit_factor = 0.001;
  options_.time_limit_minimum = 200ms;
  start();
  execute({task(1, seconds(100))});
  EXPECT_EQ(wait_for_end(1).end, ContainerEnd::timed_out);
}

TEST_F(LocalClusterTest, AnAgentThatIsKilledIsLostWithItsNode) {
  options_.silence_max = 3s;
  start();
  execute({task(0, seconds(3'600)), task(1, seconds(3'600))});
  kill(cluster_->agent(1), SIGKILL);
  // Heartbeats of the other agent may come in the same round.
  std::optional<NodeId> lost;
  while (!lost) {
    wait();
    fleet_->execute({}, {});
    for (const Arrival& arrival : round_.arrivals) {
      if (const auto* node_lost = std::get_if<NodeLost>(&arrival)) lost = node_lost->node;
    }
  }
  EXPECT_EQ(lost, NodeId(1u));
  EXPECT_THAT([&] { cluster_->look(); },
              ThrowsMessage<EnvironmentError>(HasSubstr("agent node-1 ended by signal 9")));
}

// All machines fail at once; the run goes on, since one of them is to come back.
TEST_F(LocalClusterTest, AMachineThatFailsEndsWhatRunsThereAndMayComeBack) {
  start();
  fleet_->watch([this] { return cluster_->find_deaths(); });
  execute({task(0, seconds(3'600)), task(1, seconds(3'600))});
  wait();  // a heartbeat: the orders have arrived
  wait();
  cluster_->crash(0, false);
  cluster_->crash(1, true);
  std::set<NodeId> lost;
  std::set<NodeId> joined;
  const auto look = [&] {
    wait();
    fleet_->execute({}, {});
    for (const Arrival& arrival : round_.arrivals) {
      if (const auto* node = std::get_if<NodeLost>(&arrival)) lost.insert(node->node);
      if (const auto* node = std::get_if<NodeJoined>(&arrival)) joined.insert(node->node);
    }
  };
  while (lost.size() < 2) look();
  EXPECT_THAT(joined, IsEmpty());
  cluster_->bring_back(1);
  while (joined.empty()) look();
  EXPECT_THAT(joined, testing::ElementsAre(NodeId(1u)));
  EXPECT_EQ(fleet_->counters().agents_lost, 2u);
  EXPECT_EQ(fleet_->counters().agents_returned, 1u);
  EXPECT_EQ(fleet_->counters().strays_killed, 0u) << "its launcher ended them";
  execute({task(3, milliseconds(100))});
  EXPECT_EQ(wait_for_end(3).end, ContainerEnd::succeeded);
  // Whoever is not to come back is missed when the last other one fails.
  cluster_->crash(1, false);
  EXPECT_THROW(
      {
        for (;;) look();
      },
      EnvironmentError);
}

TEST_F(LocalClusterTest, TheOwnersDeathEndsEverything) {
  int report[2];
  ASSERT_EQ(pipe(report), 0);
  const pid_t owner = fork();
  if (owner == 0) {
    start();
    execute({task(0, seconds(3'600)), task(1, seconds(3'600))});
    wait();  // a heartbeat: the orders have arrived
    wait();
    if (write(report[1], "x", 1) != 1) _exit(1);
    kill(getpid(), SIGKILL);
  }
  char ready = 0;
  ASSERT_EQ(read(report[0], &ready, 1), 1);
  waitpid(owner, nullptr, 0);
  EXPECT_TRUE(eventually([&] { return processes_of(run_).empty() && cgroups_of(run_).empty(); }));
  std::filesystem::remove_all(logs_.file(""));
}

TEST_F(LocalClusterTest, AMissingProgramIsNamed) {
  fleet_.emplace(options_, std::vector<Machine>{}, [](const std::string&) {});
  LocalClusterOptions options = cluster_options();
  options.programs = "/nonexistent";
  EXPECT_THAT([&] { LocalCluster cluster(options, {}); },
              ThrowsMessage<EnvironmentError>(HasSubstr("/nonexistent/tracebed-agent is missing")));
}

}  // namespace
}  // namespace tracebed

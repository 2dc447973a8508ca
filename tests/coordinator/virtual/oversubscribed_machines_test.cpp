// Machines whose containers use more than there is: without a limit of CPU or memory, what is
// allocated says nothing about it.
#include <gtest/gtest.h>
#include <vector>

#include "coordinator/virtual/shared_machine.h"
#include "core/storage_view.h"

namespace tracebed {
namespace {

using test::computing;
using test::SharedMachine;
using test::without_latency;

TEST(OversubscribedMachines, LetTasksTakeLonger) {
  SharedMachine machine;
  machine.launch(0, computing(seconds(10), 4));
  machine.launch(1, computing(seconds(10), 4));
  for (const std::uint32_t container : {0u, 1u}) {
    const ContainerAccount& account = machine.end_of(container).account;
    EXPECT_EQ(account.started, at_seconds(0));
    EXPECT_EQ(account.ended, at_seconds(20));
    EXPECT_EQ(account.cpu_time, seconds(40));
  }
}

// Of four cores, a task that computes half of its time on one core takes a half, and another 3.5.
TEST(OversubscribedMachines, GiveTasksThatWantLittleWhatTheyWant) {
  SharedMachine machine;
  machine.launch(0, {.duration = seconds(10), .cpu_time = seconds(5)});
  machine.launch(1, computing(seconds(14), 4));
  EXPECT_EQ(machine.end_of(0).account.ended, at_seconds(10));
  // 35 of 56 s of CPU time by then.
  EXPECT_EQ(machine.end_of(1).account.ended, at_seconds(10) + milliseconds(5'250));
}

// Of four cores, two tasks that would take them all, with one vcore and three: 10 s of each one's
// computing are 40 s of CPU time, which takes the one with three cores 40 / 3 s. By then the other
// has had 40 / 3 s of its own, and has all cores for the 80 / 3 s that are left.
TEST(OversubscribedMachines, AreSharedByWeightWhereThatIsHowVcoresAreEnforced) {
  VirtualOptions options = without_latency();
  options.cpu_enforcement = CpuEnforcement::weight;
  SharedMachine machine(options);
  machine.launch_with_vcores(0, computing(seconds(10), 4), 1'000);
  machine.launch_with_vcores(1, computing(seconds(10), 4), 3'000);
  EXPECT_NEAR(to_seconds(machine.end_of(1).account.ended.time_since_epoch()), 13.333, 0.001);
  EXPECT_NEAR(to_seconds(machine.end_of(0).account.ended.time_since_epoch()), 20.0, 0.001);
}

// By quota a task with one vcore takes 40 s for 40 s of CPU time, by weight an idle machine's cores
// are its own; and one that asked for none weighs as much as one that has all.
TEST(OversubscribedMachines, LetTasksHaveIdleCoresByWeightAndNotByQuota) {
  const auto ends = [](CpuEnforcement enforcement) {
    VirtualOptions options = without_latency();
    options.cpu_enforcement = enforcement;
    SharedMachine machine(options);
    machine.launch_with_vcores(0, computing(seconds(10), 4), 1'000);
    return machine.end_of(0).account.ended;
  };
  EXPECT_EQ(ends(CpuEnforcement::quota), at_seconds(40));
  EXPECT_EQ(ends(CpuEnforcement::weight), at_seconds(10));
  VirtualOptions options = without_latency();
  options.cpu_enforcement = CpuEnforcement::weight;
  SharedMachine machine(options);
  machine.launch_with_vcores(0, computing(seconds(10), 4), 0);
  machine.launch_with_vcores(1, computing(seconds(10), 4), 4'000);
  EXPECT_EQ(machine.end_of(0).account.ended, at_seconds(20));
  EXPECT_EQ(machine.end_of(1).account.ended, at_seconds(20));
}

TEST(OversubscribedMachines, AreSharedFromTheMomentOn) {
  SharedMachine machine;
  machine.launch(0, computing(seconds(10), 4));
  machine.go_to(at_seconds(6));
  machine.launch(1, computing(seconds(2), 4));
  // Half as fast for 4 s.
  EXPECT_EQ(machine.end_of(1).account.ended, at_seconds(10));
  EXPECT_EQ(machine.end_of(0).account.ended, at_seconds(12));
}

TEST(OversubscribedMachines, BeginToBeSharedWhenTheTaskStarts) {
  VirtualOptions options = without_latency();
  options.launch_latency = {seconds(1), 1};
  SharedMachine machine(options);
  machine.launch(0, computing(seconds(10), 4));
  machine.go_to(at_seconds(4));
  machine.launch(1, computing(seconds(2), 4));
  EXPECT_EQ(machine.end_of(1).account.started, at_seconds(5));
  EXPECT_EQ(machine.end_of(1).account.ended, at_seconds(9));
  EXPECT_EQ(machine.end_of(0).account.ended, at_seconds(13));
}

TEST(OversubscribedMachines, DoNotCountTasksThatAreHeld) {
  SharedMachine machine;
  machine.launch(0, computing(seconds(10), 4));
  machine.launch(1, computing(seconds(10), 4), true);
  machine.go_to(at_seconds(5));
  machine.tell(ContinueContainer{ContainerId(1u), NodeId(0u)});
  EXPECT_EQ(machine.end_of(0).account.ended, at_seconds(15));
  EXPECT_EQ(machine.end_of(1).account.ended, at_seconds(20));
}

TEST(OversubscribedMachines, CountWhatKilledTasksHaveDone) {
  SharedMachine machine;
  machine.launch(0, computing(seconds(10), 4));
  machine.launch(1, computing(seconds(10), 4));
  machine.go_to(at_seconds(5));
  machine.tell(KillContainer{ContainerId(0u), NodeId(0u)});
  const ContainerEnded& killed = machine.end_of(0);
  EXPECT_EQ(killed.end, ContainerEnd::killed);
  EXPECT_EQ(killed.account.ended, at_seconds(5));
  EXPECT_EQ(killed.account.cpu_time, seconds(10));
  EXPECT_EQ(machine.end_of(1).account.ended, at_seconds(5) + milliseconds(7'500));
}

TEST(OversubscribedMachines, CountNothingForTasksThatWereKilledBeforeTheyBegan) {
  VirtualOptions options = without_latency();
  options.launch_latency = {seconds(3), 1};
  SharedMachine machine(options);
  machine.launch(0, computing(seconds(10), 4));
  machine.launch(1, computing(seconds(10), 4));
  machine.go_to(at_seconds(1));
  machine.tell(KillContainer{ContainerId(1u), NodeId(0u)});
  EXPECT_EQ(machine.end_of(1).account.cpu_time, seconds(0));
  EXPECT_EQ(machine.end_of(0).account.ended, at_seconds(13));
}

// From the order on, the task writes its state, and leaves the cores to others.
TEST(OversubscribedMachines, KeepTheProgressOfTasksThatAreToStop) {
  VirtualOptions options = without_latency();
  options.checkpoint_time = seconds(2);
  SharedMachine machine(options);
  machine.launch(0, computing(seconds(10), 4));
  machine.launch(1, computing(seconds(10), 4));
  machine.go_to(at_seconds(5));
  machine.tell(CheckpointContainer{ContainerId(0u), NodeId(0u)});
  const ContainerEnded& kept = machine.end_of(0);
  EXPECT_EQ(kept.end, ContainerEnd::checkpointed);
  EXPECT_EQ(kept.account.ended, at_seconds(7));
  EXPECT_EQ(kept.account.progress, whole_work / 4);
  EXPECT_EQ(kept.account.cpu_time, seconds(10));
  EXPECT_EQ(machine.end_of(1).account.ended, at_seconds(5) + milliseconds(7'500));
}

TEST(OversubscribedMachines, KeepTheProgressOfTasksThatWereStoppedBefore) {
  VirtualOptions options = without_latency();
  options.checkpoint_time = seconds(4);
  SharedMachine machine(options);
  machine.launch(0, computing(seconds(10), 4));
  machine.go_to(at_seconds(3));
  machine.tell(CheckpointContainer{ContainerId(0u), NodeId(0u)});
  machine.go_to(at_seconds(5));
  machine.launch(1, computing(seconds(10), 4));
  EXPECT_EQ(machine.end_of(0).account.ended, at_seconds(7));
  EXPECT_EQ(machine.end_of(0).account.progress, 3 * whole_work / 10);
  EXPECT_EQ(machine.end_of(1).account.ended, at_seconds(15));
}

TEST(OversubscribedMachines, DoNotBeginTasksThatWereStoppedBefore) {
  VirtualOptions options = without_latency();
  options.launch_latency = {seconds(3), 1};
  options.checkpoint_time = seconds(5);
  SharedMachine machine(options);
  machine.launch(0, computing(seconds(10), 4));
  machine.launch(1, computing(seconds(10), 4));
  machine.go_to(at_seconds(1));
  machine.tell(CheckpointContainer{ContainerId(1u), NodeId(0u)});
  EXPECT_EQ(machine.end_of(1).account.progress, 0u);
  EXPECT_EQ(machine.end_of(1).account.ended, at_seconds(6));
  EXPECT_EQ(machine.end_of(0).account.ended, at_seconds(13));
}

TEST(OversubscribedMachines, LetATaskEndThatIsDoneBeforeItsStateIsWritten) {
  SharedMachine machine;
  machine.launch(0, computing(seconds(10), 4));
  machine.launch(1, computing(seconds(20), 4));
  machine.go_to(at_seconds(19) + milliseconds(500));
  machine.tell(CheckpointContainer{ContainerId(0u), NodeId(0u)});
  EXPECT_EQ(machine.end_of(0).end, ContainerEnd::succeeded);
  EXPECT_EQ(machine.end_of(0).account.ended, at_seconds(20));
}

// Looks come every 3 s. Alone, the task would end before the second, at 6 s; beside one that wants
// four cores for half a second, too, but not beside one that wants them for 5 s.
TEST(OversubscribedMachines, LookAtMemoryForAsLongAsTasksLast) {
  struct Case {
    Duration other;
    ContainerEnd end;
    TraceTime ended;
    Duration cpu_time;
  };
  for (const Case& test : std::vector<Case>{
           {seconds(0), ContainerEnd::succeeded, at_seconds(5), seconds(20)},
           {milliseconds(500), ContainerEnd::succeeded, trace_time(5'500'000), seconds(20)},
           {seconds(5), ContainerEnd::virtual_memory_exceeded, at_seconds(6), seconds(14)}}) {
    VirtualOptions options = without_latency();
    options.virtual_memory = {.ratio = 1, .factor = 1.5};
    SharedMachine machine(options);
    LaunchContainer launch;
    launch.container = ContainerId(0u);
    launch.node = NodeId(0u);
    launch.limits = Resources(0, 1'000);
    launch.work = {computing(seconds(5), 4, 1'000)};
    machine.tell(launch);
    machine.go_to(at_seconds(1));
    machine.launch(1, computing(test.other, 4));
    const ContainerEnded& ended = machine.end_of(0);
    EXPECT_EQ(ended.end, test.end);
    EXPECT_EQ(ended.account.ended, test.ended);
    EXPECT_EQ(ended.account.cpu_time, test.cpu_time);
  }
}

// A namenode that has all of every file in one block, on the machine.
class LocalFiles final : public StorageView {
 public:
  std::vector<LocatedBlock> locate(std::uint64_t file, std::int64_t offset, std::int64_t length,
                                   NodeId /*reader*/) const override {
    return {{.block = {.id = file, .length = offset + length}, .nodes = {NodeId(0u)}}};
  }
  std::vector<NodeId> datanodes_with_orders() const override { return {}; }
};

// It would have read half of its input if it had the machine to itself.
TEST(OversubscribedMachines, LetTasksReadAlongWithTheirWork) {
  VirtualOptions options = without_latency();
  options.storage.emplace();
  options.storage->datanodes.seek = Duration::zero();
  SharedMachine machine(options);
  const LocalFiles files;
  machine.look_at(files);
  machine.launch_reader(0, computing(seconds(10), 4), 1'000'000);
  machine.launch_reader(1, computing(seconds(10), 4), 1'000'000);
  machine.go_to(at_seconds(5));
  machine.tell(KillContainer{ContainerId(0u), NodeId(0u)});
  EXPECT_NEAR(static_cast<double>(machine.end_of(0).account.input.total()), 250'000, 1'000);
  EXPECT_EQ(machine.end_of(0).account.cpu_time, seconds(10));
  // The other one reads the rest faster, and is not late.
  EXPECT_EQ(machine.end_of(1).account.ended, at_seconds(5) + milliseconds(7'500));
  EXPECT_EQ(machine.end_of(1).account.input.total(), 1'000'000);
}

// It needs 200 kB/s. A disk of 300 kB/s keeps it waiting for nothing; one of 100 kB/s all of the 10
// s that it takes, of which the last heartbeat sees 9 at least: 1 - e^-0.9 = 0.593.
TEST(Machines, ReportHowLongTasksWaitedForTheirDisks) {
  for (const std::int64_t rate : {300'000, 100'000}) {
    VirtualOptions options = without_latency();
    options.deliver_every_heartbeat = true;
    options.storage.emplace();
    options.storage->datanodes.seek = Duration::zero();
    options.storage->datanodes.disk_rate = rate;
    SharedMachine machine(options);
    const LocalFiles files;
    machine.look_at(files);
    machine.launch_reader(0, computing(seconds(5), 1), 1'000'000);
    machine.go_to(at_seconds(10));
    if (rate == 300'000) {
      EXPECT_EQ(machine.io_pressure(), 0);
    } else {
      EXPECT_GE(machine.io_pressure(), 593);
      EXPECT_LE(machine.io_pressure(), 633);
    }
  }
  SharedMachine without_storage;
  EXPECT_EQ(without_storage.io_pressure(), -1) << "unknown";
}

// 6144 of 4096 MiB: slower by 1 + 4 × 0.5.
TEST(OversubscribedMachines, ChargeForMemoryThatIsSwapped) {
  SharedMachine machine;
  machine.launch(0, {.duration = seconds(10), .memory_mib = 4'096});
  machine.go_to(at_seconds(4));
  machine.launch(1, {.duration = seconds(1), .memory_mib = 2'048});
  EXPECT_EQ(machine.end_of(1).account.ended, at_seconds(7));
  EXPECT_EQ(machine.end_of(0).account.ended, at_seconds(12));
}

TEST(OversubscribedMachines, ChargeNothingForMemoryIfThatIsTheCost) {
  VirtualOptions options = without_latency();
  options.swap_cost = 0;
  SharedMachine machine(options);
  machine.launch(0, {.duration = seconds(10), .memory_mib = 40'000});
  EXPECT_EQ(machine.end_of(0).account.ended, at_seconds(10));
}

TEST(OversubscribedMachines, ReportNoMoreThanTheyHave) {
  VirtualOptions options = without_latency();
  options.deliver_every_heartbeat = true;
  options.swap_cost = 0;
  SharedMachine machine(options);
  machine.launch(0, computing(seconds(10), 4, 3'000));
  machine.launch(1, computing(seconds(10), 1, 3'000));
  machine.go_to(at_seconds(5));
  EXPECT_EQ(machine.used(), Resources(4'000, 4'096));
  machine.go_to(at_seconds(100));
  EXPECT_EQ(machine.used(), Resources());
}

TEST(OversubscribedMachines, ComeBackEmpty) {
  SharedMachine machine(without_latency(), {{.at = at_seconds(5), .node = NodeId(0u), .up = false},
                                            {.at = at_seconds(6), .node = NodeId(0u), .up = true}});
  machine.launch(0, computing(seconds(10), 4));
  machine.launch(1, computing(seconds(10), 4));
  machine.go_to(at_seconds(7));
  machine.launch(2, computing(seconds(10), 4));
  EXPECT_EQ(machine.end_of(2).account.ended, at_seconds(17));
  EXPECT_FALSE(machine.has_ended(0));
  machine.launch(3, computing(seconds(10), 4));
  machine.launch(4, computing(seconds(10), 4));
  EXPECT_EQ(machine.end_of(4, at_seconds(2'000)).account.ended, at_seconds(1'020));
}

}  // namespace
}  // namespace tracebed

// Tasks that end for their memory on modelled machines: heaps that are full, and what
// has mapped too much.
#include <gtest/gtest.h>
#include <variant>

#include "coordinator/engine/doubles.h"
#include "coordinator/virtual/virtual_fleet.h"
#include "support/at_seconds.h"

namespace tracebed {
namespace {

using doubles::plain_machine;

VirtualOptions with_a_launch_latency() {
  VirtualOptions options;
  options.launch_latency.median = Duration(1);
  options.launch_latency.spread = 1;
  return options;
}

LaunchContainer launch_of(const Work& work, const Resources& limits) {
  LaunchContainer launch;
  launch.container = ContainerId(0u);
  launch.node = NodeId(0u);
  launch.limits = limits;
  launch.work = {work};
  return launch;
}

// A machine of four cores; time is 0.
struct OneMachine {
  VirtualFleet fleet;

  explicit OneMachine(const VirtualOptions& options) : fleet(options, {plain_machine(4)}, {}) {
    go_to(TraceTime{});
  }
  void tell(const Command& command) {
    const std::vector<Command> commands = {command};
    fleet.execute(commands, {});
  }
  void go_to(TraceTime time) {
    Round round;
    fleet.wait_until(time, round);
    EXPECT_EQ(round.now, time);
  }
};

// How the container ends, once the machine was told this.
ContainerEnded end_of(OneMachine& machine, const Command& command) {
  machine.tell(command);
  Round round;
  for (;;) {
    round.clear();
    machine.fleet.wait_until(at_seconds(1'000), round);
    for (const Arrival& arrival : round.arrivals) {
      if (const auto* ended = std::get_if<ContainerEnded>(&arrival)) return *ended;
    }
    if (round.now >= at_seconds(1'000)) break;
  }
  ADD_FAILURE() << "it did not end";
  return {};
}

TEST(ModelledMachines, EndATaskWhoseHeapIsFullAsSoonAsItRuns) {
  OneMachine machine(with_a_launch_latency());
  LaunchContainer launch = launch_of({.duration = seconds(60), .memory_mib = 640}, {1'000, 1'024});
  launch.work.exhausts_heap = true;
  const ContainerEnded ended = end_of(machine, launch);
  EXPECT_EQ(ended.end, ContainerEnd::heap_exhausted);
  EXPECT_EQ(ended.account.ended, ended.account.started);
  EXPECT_EQ(ended.account.memory_peak_mib, 640);
  // The kernel sees to the container's limit first.
  launch.work.memory_mib = 1'025;
  OneMachine other(with_a_launch_latency());
  EXPECT_EQ(end_of(other, launch).end, ContainerEnd::out_of_memory);
}

// A container of 1000 MiB and a ratio of 2.1 may map 2100 MiB; looks come every three seconds.
// Proves: A6.1.virtual-memory-kill
TEST(ModelledMachines, KillWhatMapsTooMuchAtTheSecondLookAndTwiceTooMuchAtTheFirst) {
  struct Case {
    std::int64_t memory_mib;
    double factor;
    ContainerEnd end;
    TraceTime ended;
  };
  constexpr ContainerEnd killed = ContainerEnd::virtual_memory_exceeded;
  for (const Case& test :
       std::vector<Case>{{1'000, 2.1, ContainerEnd::succeeded, at_seconds(60)},
                         {600, 3.5, ContainerEnd::succeeded, at_seconds(60)},  // 2100
                         {1'000, 2.2, killed, at_seconds(6)},                  // 2200
                         {600, 3.6, killed, at_seconds(6)},                    // 2160
                         {1'000, 4.2, killed, at_seconds(6)},      // 4200, which is twice as much
                         {1'000, 4.25, killed, at_seconds(3)}}) {  // 4250
    VirtualOptions options = with_a_launch_latency();
    options.virtual_memory = {.ratio = 2.1, .factor = test.factor};
    OneMachine machine(options);
    const ContainerEnded ended = end_of(
        machine, launch_of({.duration = seconds(60) - Duration(1), .memory_mib = test.memory_mib},
                           {1'000, 1'000}));
    EXPECT_EQ(ended.end, test.end) << test.factor;
    EXPECT_EQ(ended.account.ended, test.ended) << test.factor;
    EXPECT_EQ(ended.account.signal, test.end == killed ? 9 : 0) << test.factor;
  }
}

TEST(ModelledMachines, LetATaskEndThatIsDoneBeforeTheSecondLook) {
  VirtualOptions options = with_a_launch_latency();
  options.virtual_memory = {.ratio = 1, .factor = 2};
  OneMachine machine(options);
  const LaunchContainer launch =
      launch_of({.duration = seconds(5), .memory_mib = 1'000}, {1'000, 1'000});
  EXPECT_EQ(end_of(machine, launch).end, ContainerEnd::succeeded);
}

// It maps nothing before its work begins, but is no new process then.
TEST(ModelledMachines, KillAHeldTaskAtTheFirstLookAfterItWasLetGo) {
  VirtualOptions options = with_a_launch_latency();
  options.virtual_memory = {.ratio = 1, .factor = 1.5};
  OneMachine machine(options);
  LaunchContainer launch =
      launch_of({.duration = seconds(60), .memory_mib = 1'000}, {1'000, 1'000});
  launch.is_held = true;
  machine.tell(launch);
  machine.go_to(at_seconds(10));
  const ContainerEnded ended = end_of(machine, ContinueContainer{ContainerId(0u), NodeId(0u)});
  EXPECT_EQ(ended.end, ContainerEnd::virtual_memory_exceeded);
  EXPECT_EQ(ended.account.ended, at_seconds(12));
}

TEST(ModelledMachines, StillKeepTheProgressOfATaskThatIsToBeKilledLater) {
  VirtualOptions options = with_a_launch_latency();
  options.virtual_memory = {.ratio = 1, .factor = 1.5, .interval = seconds(30)};
  OneMachine machine(options);
  machine.tell(launch_of({.duration = seconds(100), .memory_mib = 1'000}, {1'000, 1'000}));
  machine.go_to(at_seconds(10));
  EXPECT_EQ(end_of(machine, CheckpointContainer{ContainerId(0u), NodeId(0u)}).end,
            ContainerEnd::checkpointed);
}

}  // namespace
}  // namespace tracebed

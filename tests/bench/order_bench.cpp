// How long it takes from the coordinator's command until a task is told to keep its progress, until
// it has ended, and until the coordinator knows of it; and from the command to kill it until it is
// dead. Real processes on loopback: RealFleet, tracebed-agent, tracebed-launcher, and as tasks
// first a probe that tells when the order reaches it, then tracebed-task while it burns CPU time.
// Other containers, which wait, live beside them. Last, from the answer in which a master in a
// container (tracebed-appmaster) is told that its container is wanted back until its task hears of
// it.
//
//   order_bench [ORDERS_OF_A_KIND]
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "agents/launcher_process.h"
#include "bench/probe_address.h"
#include "coordinator/real/real_fleet.h"
#include "system/secret_number.h"

namespace tracebed {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t containers_beside = 20;
const std::string run = "order-bench-" + std::to_string(getpid());

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void print(const char* what, std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  fmt::print("  {:<46} p50 {:6.3f} ms  p99 {:6.3f} ms  max {:6.3f} ms\n", what, at(0.5), at(0.99),
             values.back());
}

// What probes tell (signal_probe.cpp), a line a datagram.
class ProbeLines {
 public:
  ProbeLines() : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    const ProbeAddress address;
    if (bind(socket_.number(), address.get(), address.bytes) != 0) {
      throw std::runtime_error("another bench listens to probes: " + error_text(errno));
    }
  }

  // The number behind `what` and the container's in the next such line.
  std::int64_t next(const std::string& what, std::uint32_t container) {
    const std::string wanted = fmt::format("probe {} {} ", what, container);
    for (;;) {
      pollfd readiness = {socket_.number(), POLLIN, 0};
      const auto timeout_ms = std::chrono::duration_cast<std::chrono::milliseconds>(timeout);
      if (poll(&readiness, 1, static_cast<int>(timeout_ms.count())) <= 0) {
        throw std::runtime_error("no probe said '" + wanted + "'");
      }
      std::array<char, 128> bytes;
      const ssize_t count = recv(socket_.number(), bytes.data(), bytes.size(), 0);
      if (count <= 0) throw std::runtime_error("recv: " + error_text(errno));
      const std::string line(bytes.data(), static_cast<std::size_t>(count));
      if (line.starts_with(wanted)) return std::stoll(line.substr(wanted.size()));
    }
  }

 private:
  FileDescriptor socket_;
};

// One agent that runs `task`, and the coordinator's side of it.
class Cluster {
 public:
  explicit Cluster(const std::string& task)
      : fleet_(options(), machines(), [](const std::string& why) { fmt::print("{}\n", why); }) {
    launcher::DescriptorPair lifeline = launcher::pipe_pair();
    lifeline_ = std::move(lifeline.second);
    const Result<FileDescriptor> link =
        pipe_that_holds({secret_number(), fleet_.endpoint(), fleet_.links().front()});
    if (!link) throw std::runtime_error(link.error().message);
    agent_ = launcher::spawn(
        TRACEBED_AGENT,
        {"--run", run, "--name", "node", "--milli-vcores", "64000", "--memory-mib", "65536",
         "--task", task, "--lifeline-fd", std::to_string(lifeline.first.number())},
        {lifeline.first.number()}, link->number());
    fleet_.wait_for_agents(timeout, [] {});
    fleet_.wait_until(never, round_);
  }
  ~Cluster() {
    lifeline_.reset();
    launcher::wait_for_end(agent_);
  }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  ProbeLines& lines() { return lines_; }
  ContainerId next_id() { return ContainerId(next_++); }
  ContainerId launch(Duration duration, Duration cpu_time) {
    const ContainerId container = next_id();
    launch(container, duration, cpu_time);
    return container;
  }
  void launch(ContainerId container, Duration duration, Duration cpu_time) {
    LaunchContainer launch;
    launch.container = container;
    launch.node = NodeId(0u);
    launch.application = ApplicationId(0u);
    launch.limits = Resources(1'000, 64);
    launch.work.duration = duration;
    launch.work.cpu_time = cpu_time;
    order(launch);
  }
  void order(const Command& command) { fleet_.execute({&command, 1}, {}); }
  // What arrives next; what it acknowledges is said.
  const Round& next_round() {
    round_.clear();
    fleet_.wait_until(never, round_);
    fleet_.execute({}, {});
    return round_;
  }
  ContainerEnded wait_for_end(ContainerId container) {
    for (;;) {
      next_round();
      for (const Arrival& arrival : round_.arrivals) {
        const auto* ended = std::get_if<ContainerEnded>(&arrival);
        if (ended != nullptr && ended->container == container) return *ended;
      }
    }
  }

 private:
  static RealFleetOptions options() {
    RealFleetOptions options{.run = run, .out_of_band_heartbeat = true};
    options.masters.settings = {{"preemption.policy", "checkpoint"}};
    options.masters.heartbeat_interval = std::chrono::milliseconds(20);
    return options;
  }
  static std::vector<Machine> machines() {
    Machine machine;
    machine.name = "node";
    machine.capacity = Resources(64'000, 65'536);
    return {machine};
  }

  RealFleet fleet_;
  FileDescriptor lifeline_;
  ProbeLines lines_;
  pid_t agent_ = -1;
  Round round_;
  std::uint32_t next_ = 0;
};

FileDescriptor watched(pid_t process) {
  FileDescriptor watch(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  if (!watch.is_open()) throw std::runtime_error("pidfd_open: " + error_text(errno));
  return watch;
}

void wait_until_dead(const FileDescriptor& process) {
  pollfd watch = {process.number(), POLLIN, 0};
  while (poll(&watch, 1, -1) != 1) {
  }
}

void expect(const ContainerEnded& ended, ContainerEnd wanted) {
  if (ended.end == wanted) return;
  throw std::runtime_error(fmt::format("container {} ended as {}, not {}", ended.container.value(),
                                       name(ended.end), name(wanted)));
}

// Ends of one kind of order, of which `begin` starts the container and finds its process.
template <class Begin, class Heard>
void measure(Cluster& cluster, int orders, bool is_checkpoint, Begin begin, Heard heard) {
  std::vector<double> dead;
  std::vector<double> known;
  for (int i = 0; i < orders; ++i) {
    const auto [container, process] = begin();
    const FileDescriptor watch = watched(process);
    const auto ordered = Clock::now();
    if (is_checkpoint) {
      cluster.order(CheckpointContainer{container, NodeId(0u)});
    } else {
      cluster.order(KillContainer{container, NodeId(0u)});
    }
    wait_until_dead(watch);
    dead.push_back(milliseconds_since(ordered));
    const ContainerEnded ended = cluster.wait_for_end(container);
    known.push_back(milliseconds_since(ordered));
    expect(ended, is_checkpoint ? ContainerEnd::checkpointed : ContainerEnd::killed);
    if (is_checkpoint) heard(container, ordered);
  }
  print(is_checkpoint ? "checkpoint command to the task's end" : "kill command to its death", dead);
  print("  and until the coordinator knows", known);
}

void measure_probe(int orders) {
  fmt::print("a task that waits:\n");
  Cluster cluster(SIGNAL_PROBE);
  for (std::uint32_t i = 0; i < containers_beside; ++i) cluster.launch(seconds(0), seconds(0));
  const auto begin = [&] {
    const ContainerId container = cluster.launch(seconds(0), seconds(0));
    const auto process = static_cast<pid_t>(cluster.lines().next("began", container.value()));
    return std::pair(container, process);
  };
  std::vector<double> heard;
  measure(cluster, orders, true, begin, [&](ContainerId container, Clock::time_point ordered) {
    const std::int64_t at_ns = cluster.lines().next("heard", container.value());
    heard.push_back(
        static_cast<double>(at_ns - std::chrono::nanoseconds(ordered.time_since_epoch()).count()) /
        1e6);
  });
  print("checkpoint command to the order in the task", heard);
  measure(cluster, orders, false, begin, [](ContainerId, Clock::time_point) {});
}

void measure_task(int orders) {
  fmt::print("tracebed-task while it burns:\n");
  Cluster cluster(TRACEBED_TASK);
  const auto hour = std::chrono::hours(1);
  for (std::uint32_t i = 0; i < containers_beside; ++i) cluster.launch(hour, seconds(1));
  std::vector<pid_t> others;
  while ((others = launcher::processes_of(TRACEBED_TASK)).size() < containers_beside) {
  }
  const auto begin = [&] {
    const ContainerId container = cluster.launch(hour, hour);
    for (;;) {
      for (const pid_t process : launcher::processes_of(TRACEBED_TASK)) {
        const bool is_new = std::find(others.begin(), others.end(), process) == others.end();
        if (!is_new) continue;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));  // into its work
        return std::pair(container, process);
      }
    }
  };
  const auto nothing = [](ContainerId, Clock::time_point) {};
  measure(cluster, orders, true, begin, nothing);
  measure(cluster, orders, false, begin, nothing);
}

// ---- through a master ----

// A master in a container, to which this plays the engine.
class Master {
 public:
  Master(Cluster& cluster, std::uint32_t tasks) : cluster_(cluster) {
    Job job;
    job.id = JobId(0u);
    job.kind = JobKind::dag;
    Stage& stage = job.stages.emplace_back();
    stage.demand = demand;
    stage.runs = {{tasks, Work{.duration = std::chrono::hours(1)}}};
    std::vector<Node> nodes(1);
    nodes.front().id = NodeId(0u);
    nodes.front().name = "node";
    nodes.front().rack = RackId(0u);
    cluster.order(LaunchMaster{cluster.next_id(), NodeId(0u), ApplicationId(0u), 1,
                               Resources(1'000, 512), Immutable(job), Immutable(nodes)});
  }

  // Gives it a container, in which it launches a task.
  ContainerId start_task() {
    const ContainerId container = cluster_.next_id();
    while (!slot_) answer();
    answer({Grant{container, *slot_, NodeId(0u), RackId(0u), 1, demand}});
    while (!says<LaunchTask>()) answer();
    cluster_.launch(container, seconds(0), seconds(0));
    return container;
  }
  // Tells it that the container is wanted back, and passes on what it says to that. When it was
  // told.
  Clock::time_point request_preemption(ContainerId container) {
    PreemptionMessage preemption;
    preemption.strict.emplace().containers = {{container, never, false, NodeId()}};
    answer();
    const auto told = Clock::now();
    answer({}, preemption);
    while (!says<CheckpointTask>()) answer({}, preemption);
    cluster_.order(CheckpointContainer{container, NodeId(0u)});
    return told;
  }
  void tell_end(ContainerId container) {
    answer({AttemptEnd{container, NodeId(0u), ContainerEnd::checkpointed, false, 1, 1}});
  }

 private:
  static inline const Resources demand = Resources(1'000, 64);

  template <class Action>
  bool says() const {
    return std::any_of(call_.actions.begin(), call_.actions.end(),
                       [](const auto& said) { return std::holds_alternative<Action>(said); });
  }
  // Answers the last call, if it was not, and waits for the next.
  void answer(std::vector<MasterNews> news = {}, const PreemptionMessage& preemption = {}) {
    if (call_.sequence != answered_) {
      MasterAnswer answer;
      answer.application = call_.application;
      answer.attempt = call_.attempt;
      answer.sequence = answered_ = call_.sequence;
      answer.now = now_;
      answer.preemption = preemption;
      answer.news = std::move(news);
      cluster_.order(AnswerMaster{answer});
    }
    do {
      const Round& round = cluster_.next_round();
      now_ = round.now;
      for (const Arrival& arrival : round.arrivals) {
        const auto* called = std::get_if<MasterCalled>(&arrival);
        if (called != nullptr) call_ = round.master_calls[called->call];
      }
    } while (call_.sequence == answered_);
    for (const MasterAction& action : call_.actions) {
      if (const auto* ask = std::get_if<SetAsk>(&action)) slot_ = ask->slot;
    }
  }

  Cluster& cluster_;
  MasterCall call_{.sequence = 0};
  std::uint64_t answered_ = 0;
  std::optional<AskSlot> slot_;
  TraceTime now_{};
};

void measure_master(int orders) {
  fmt::print("a task whose master is told:\n");
  Cluster cluster(SIGNAL_PROBE);
  Master master(cluster, static_cast<std::uint32_t>(orders) + 1);
  std::vector<double> heard;
  for (int i = 0; i < orders; ++i) {
    const ContainerId container = master.start_task();
    cluster.lines().next("began", container.value());
    const Clock::time_point told = master.request_preemption(container);
    const std::int64_t at_ns = cluster.lines().next("heard", container.value());
    heard.push_back(
        static_cast<double>(at_ns - std::chrono::nanoseconds(told.time_since_epoch()).count()) /
        1e6);
    master.tell_end(container);
  }
  print("master's answer to the order in the task", heard);
}

}  // namespace
}  // namespace tracebed

int main(int count, char** words) {
  try {
    const int orders = count > 1 ? std::max(std::atoi(words[1]), 1) : 300;
    tracebed::measure_probe(orders);
    tracebed::measure_task(orders);
    tracebed::measure_master(orders);
  } catch (const std::exception& error) {
    fmt::print(stderr, "order_bench: {}\n", error.what());
    return 1;
  }
  return 0;
}

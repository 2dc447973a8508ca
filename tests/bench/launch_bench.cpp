// Container starts a second: by one agent through its launcher, by the launcher alone, and by a
// bare loop that does the same cgroup work with plain system calls: the same hierarchies, limits
// and program, one after the other, without a protocol, a table or an account. Rounds are
// interleaved, so that a busy machine slows all alike; what counts is the ratio of the medians. The
// CPU time of a start, that of the task's process included, is given too: it depends less on what
// else runs. Beside them, where this machine has it, a command for each container: `runc run`, with
// no namespace but the mount's, and `systemd-run --scope`; of these a tenth as many, as they are
// slow.
//
//   launch_bench [CONTAINERS_A_ROUND [ROUNDS [OTHER_LAUNCHER [ITS_TASK]]]]
//
// With another tracebed-launcher, and its task program, as of an earlier version, that is measured
// beside this one in the same rounds.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <optional>
#include <poll.h>
#include <sched.h>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
#include <zmq.hpp>

#include "agents/cgroups/open_tree.h"
#include "agents/launcher/client.h"
#include "agents/launcher/process_start.h"
#include "agents/launcher_process.h"
#include "agents/task/work_spec.h"
#include "bench/other_launchers.h"
#include "protocol/wire_codec.h"
#include "support/link_ends.h"

namespace tracebed {
namespace {

constexpr int milli_vcores = 1'000;
constexpr int memory_mib = 64;
constexpr int pids = 9;  // as the agent gives a task of one thread

const std::string run = "launch-bench-" + std::to_string(getpid());

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// CPU time of a process and the children it has waited for.
double cpu_seconds(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string skipped;
  for (int i = 3; i < 14; ++i) fields >> skipped;
  double sum = 0;
  for (int i = 14; i <= 17; ++i) {
    double ticks = 0;
    fields >> ticks;
    sum += ticks;
  }
  return sum / static_cast<double>(sysconf(_SC_CLK_TCK));
}

pid_t first_child_of(pid_t process) {
  const std::string id = std::to_string(process);
  std::ifstream file("/proc/" + id + "/task/" + id + "/children");
  pid_t child = 0;
  file >> child;
  return child;
}

// ---- the bare loop ----

void put(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0 || write(file, text.data(), text.size()) < 0) throw std::runtime_error(path);
  close(file);
}

class BareLoop {
 public:
  BareLoop() {
    const CgroupSupport support = detect_cgroups(cgroup_surroundings());
    if (support.kind == CgroupSupport::Kind::none) throw std::runtime_error("no cgroups here");
    is_v2_ = support.kind == CgroupSupport::Kind::v2;
    places_ = support.places_v1;
    if (is_v2_) {
      CgroupPlaceV1 place;
      place.directory = support.place_v2;
      place.unified = true;
      places_ = {place};
      // As the launcher would have found it: controllers handed down to the agent's level.
      for (const char* level : {"", "/tracebed", "/tracebed/bare"}) {
        mkdir((support.place_v2 + level).c_str(), 0755);
        put(support.place_v2 + level + "/cgroup.subtree_control", "+cpu +memory +pids");
      }
    }
    for (CgroupPlaceV1& place : places_) {
      mkdir((place.directory + "/tracebed").c_str(), 0755);
      mkdir((place.directory + "/tracebed/bare").c_str(), 0755);
      place.directory += "/tracebed/bare/";
    }
    words_ = to_arguments({});
    for (std::string& word : words_) arguments_.push_back(word.data());
    arguments_.push_back(nullptr);
    program_.reset(open(TRACEBED_TASK, O_PATH | O_CLOEXEC));
  }
  ~BareLoop() {
    for (const CgroupPlaceV1& place : places_) {
      rmdir(place.directory.c_str());
      rmdir(place.directory.substr(0, place.directory.size() - 6).c_str());
    }
  }
  BareLoop(const BareLoop&) = delete;
  BareLoop& operator=(const BareLoop&) = delete;

  double cpu_used() const { return cpu_seconds(getpid()); }

  void start_and_end(std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) start_and_end(first + i);
  }

 private:
  void start_and_end(std::uint32_t container) {
    const std::string name = std::to_string(container);
    CgroupEntry entry;
    for (const CgroupPlaceV1& place : places_) {
      const std::string path = place.directory + name;
      if (mkdir(path.c_str(), 0755) != 0) throw std::runtime_error(path);
      limit(place, path);
      if (place.unified) {
        entry.set_clone_into(FileDescriptor(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)));
      } else {
        entry.add_attach(
            FileDescriptor(open((path + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC)));
      }
    }
    const auto process = starter_.start(
        {.program = program_.number(), .arguments = arguments_.data(), .entry = &entry});
    if (!process) throw std::runtime_error(describe(process.error()));
    waitpid(*process, nullptr, 0);
    for (const CgroupPlaceV1& place : places_) {
      while (rmdir((place.directory + name).c_str()) != 0 && errno == EBUSY) {
      }
    }
  }

  void limit(const CgroupPlaceV1& place, const std::string& path) const {
    if (is_v2_) {
      put(path + "/cpu.max", "100000 100000");
      put(path + "/memory.max", std::to_string(memory_mib << 20));
      put(path + "/memory.oom.group", "1");
      put(path + "/pids.max", std::to_string(pids));
      return;
    }
    if (place.cpu) put(path + "/cpu.cfs_quota_us", "100000");
    if (place.memory) {
      const std::string bytes = std::to_string(memory_mib << 20);
      put(path + "/memory.limit_in_bytes", bytes);
      if (access((path + "/memory.memsw.limit_in_bytes").c_str(), F_OK) == 0) {
        put(path + "/memory.memsw.limit_in_bytes", bytes);
      }
    }
    if (place.pids) put(path + "/pids.max", std::to_string(pids));
  }

  bool is_v2_ = false;
  std::vector<CgroupPlaceV1> places_;
  std::vector<std::string> words_;
  std::vector<char*> arguments_;
  FileDescriptor program_;
  ProcessStarter starter_;
};

// ---- the launcher alone ----

class ThroughLauncher {
 public:
  ThroughLauncher(const std::string& task, const std::string& agent, const std::string& launcher)
      : launcher_({.task = task,
                   .run = run,
                   .agent = agent,
                   .more = {},
                   .listens = false,
                   .launcher = launcher}) {
    launcher_.next_state();
  }
  double cpu_used() const { return cpu_seconds(launcher_.process()); }

  void start_and_end(std::uint32_t first, std::uint32_t count) {
    std::vector<launcher::LaunchRecord> records;
    for (std::uint32_t i = 0; i < count; ++i) {
      launcher::LaunchRecord record;
      record.container = first + i;
      record.milli_vcores = milli_vcores;
      record.memory_mib = memory_mib;
      record.pids = pids;
      records.push_back(record);
    }
    launcher::LauncherClient& client = launcher_.client();
    client.launch(records);
    std::vector<launcher::LauncherClient::News> news;
    for (std::uint32_t ended = 0; ended < count;) {
      pollfd readiness = {client.number(), POLLIN, 0};
      poll(&readiness, 1, -1);
      client.flush();
      if (!client.receive(news)) throw std::runtime_error("the launcher is gone");
      for (const auto& one : news) {
        const auto* exit = std::get_if<launcher::ExitedRecord>(&one);
        if (exit == nullptr) continue;
        if (exit->exit_code != 0 || exit->cause != launcher::ExitCause::by_itself) {
          throw std::runtime_error(std::string("a task failed: ") + exit->text.data());
        }
        client.acknowledge(exit->sequence);
        ++ended;
      }
      news.clear();
    }
  }

 private:
  launcher::LauncherProcess launcher_;
};

// ---- an agent with its launcher ----

class ThroughAgent {
 public:
  ThroughAgent() : socket_(context_, zmq::socket_type::router) {
    const test::LinkEnds link;
    socket_.set(zmq::sockopt::linger, 0);
    link.secure(socket_);
    socket_.bind("tcp://127.0.0.1:*");
    const FileDescriptor input = link.pipe_for_agent(socket_.get(zmq::sockopt::last_endpoint));
    launcher::DescriptorPair lifeline = launcher::pipe_pair();
    lifeline_ = std::move(lifeline.second);
    agent_ = launcher::spawn(
        TRACEBED_AGENT,
        {"--run", run, "--name", "agent", "--lifeline-fd", std::to_string(lifeline.first.number())},
        {lifeline.first.number()}, input.number());
    const wire::Message hello = receive();
    envelope_ = hello.envelope;
    wire::Welcome welcome;
    welcome.heartbeat_period = std::chrono::seconds(1);
    welcome.out_of_band_heartbeat = true;
    welcome.silence_max = std::chrono::hours(1);
    say(welcome);
  }
  ~ThroughAgent() {
    lifeline_.reset();
    launcher::wait_for_end(agent_);
  }
  double cpu_used() const { return cpu_seconds(agent_) + cpu_seconds(first_child_of(agent_)); }
  ThroughAgent(const ThroughAgent&) = delete;
  ThroughAgent& operator=(const ThroughAgent&) = delete;

  void start_and_end(std::uint32_t first, std::uint32_t count) {
    wire::LaunchBatch batch;
    for (std::uint32_t i = 0; i < count; ++i) {
      wire::Launch launch;
      launch.container = ContainerId(first + i);
      launch.limits = Resources(milli_vcores, memory_mib);
      batch.launches.push_back(launch);
    }
    say(std::move(batch));
    std::set<ContainerId> ended;
    while (ended.size() < count) {
      const wire::Message message = receive();
      const auto* heartbeat = std::get_if<wire::Heartbeat>(&message.body);
      if (heartbeat == nullptr || heartbeat->exits.empty()) continue;
      for (const wire::ContainerExit& exit : heartbeat->exits) {
        if (exit.end != ContainerEnd::succeeded) throw std::runtime_error(exit.diagnostics);
        if (exit.container.value() >= first) ended.insert(exit.container);
      }
      say(wire::HeartbeatAck{message.envelope.sequence, heartbeat->exits.back().sequence});
    }
  }

 private:
  wire::Message receive() {
    zmq::message_t peer;
    zmq::message_t payload;
    static_cast<void>(socket_.recv(peer));
    static_cast<void>(socket_.recv(payload));
    peer_ = peer.to_string();
    auto message =
        wire::decode(std::span(static_cast<const std::byte*>(payload.data()), payload.size()));
    if (!message) throw std::runtime_error(message.error().message);
    return *std::move(message);
  }
  void say(wire::Body body) {
    const wire::Message message{{envelope_.run, 1, envelope_.session, ++sequence_},
                                std::move(body)};
    const auto bytes = encoder_.encode(message);
    static_cast<void>(socket_.send(zmq::buffer(peer_), zmq::send_flags::sndmore));
    static_cast<void>(socket_.send(zmq::buffer(bytes.data(), bytes.size()), zmq::send_flags::none));
  }

  zmq::context_t context_;
  zmq::socket_t socket_;
  wire::Encoder encoder_;
  FileDescriptor lifeline_;
  pid_t agent_ = -1;
  std::string peer_;
  wire::Envelope envelope_;
  std::uint64_t sequence_ = 0;
};

// ---- rounds ----

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void print_machine() {
  utsname names = {};
  uname(&names);
  const CgroupSupport support = detect_cgroups(cgroup_surroundings());
  std::printf("kernel %s, %ld CPUs, %s, task %s\n", names.release, sysconf(_SC_NPROCESSORS_ONLN),
              support.kind == CgroupSupport::Kind::v2 ? "cgroup v2" : "cgroup v1", TRACEBED_TASK);
  for (const CgroupPlaceV1& place : support.places_v1) {
    std::printf("  %s\n", place.directory.c_str());
  }
}

// One way to start containers, over all rounds.
struct Way {
  const char* name;
  std::function<void(std::uint32_t, std::uint32_t)> start_and_end;
  std::function<double()> cpu_used;
  std::vector<double> rates = {};
  double cpu_seconds = 0;
  std::uint32_t share = 1;  // of the containers of a round it starts one in so many

  void measure(std::uint32_t first, std::uint32_t count) {
    const double cpu_before = cpu_used();
    rates.push_back(count / seconds_of([&] { start_and_end(first, count); }));
    cpu_seconds += cpu_used() - cpu_before;
    std::printf("  %s %.0f/s", name, rates.back());
  }
};

// Those that are here. What they start has the limits of ours.
std::vector<OtherLauncher> other_launchers(const std::filesystem::path& folder) {
  const ContainerToStart container{TRACEBED_TASK, to_arguments({}), milli_vcores, memory_mib, pids};
  std::vector<OtherLauncher> others;
  if (auto runc = runc_run(container, folder)) others.push_back(*std::move(runc));
  if (auto scope = systemd_run_scope(container)) others.push_back(*std::move(scope));
  if (others.size() < 2) {
    std::printf("  not on this machine: %s%s\n",
                others.empty() || others[0].name() != "runc run" ? "runc " : "",
                others.empty() || others.back().name() == "runc run" ? "systemd" : "");
  }
  return others;
}

void measure(std::uint32_t containers, int rounds, const std::string& other_launcher,
             const std::string& other_task) {
  print_machine();
  const TemporaryFolder folder;
  std::vector<OtherLauncher> others = other_launchers(folder.path());
  ThroughLauncher through_launcher(TRACEBED_TASK, "launcher", TRACEBED_LAUNCHER);
  std::optional<ThroughLauncher> through_other;
  if (!other_launcher.empty()) through_other.emplace(other_task, "other", other_launcher);
  ThroughAgent through_agent;
  BareLoop bare;  // last: a launcher that starts removes what looks like a dead one's
  const auto way = [](const char* name, auto& by) {
    return Way{name,
               [&](std::uint32_t first, std::uint32_t count) { by.start_and_end(first, count); },
               [&] { return by.cpu_used(); }};
  };
  std::vector<Way> ways = {way("bare loop", bare), way("launcher", through_launcher),
                           way("agent through launcher", through_agent)};
  if (through_other) ways.push_back(way("other launcher", *through_other));
  for (OtherLauncher& other : others) {
    ways.push_back(way(other.name().c_str(), other));
    ways.back().share = 10;
  }
  std::uint32_t next = 1;
  for (int round = 1; round <= rounds; ++round, next += containers) {
    std::printf("round %2d:", round);
    for (Way& one : ways) one.measure(next, std::max(containers / one.share, 1U));
    std::printf("\n");
  }
  std::printf("median of %d rounds of %u, and CPU time of a start:\n", rounds, containers);
  const double base = median(ways[0].rates);
  for (const Way& one : ways) {
    const double rate = median(one.rates);
    std::printf("  %-22s %6.0f/s  %.2f of the bare loop   %4.0f us\n", one.name, rate, rate / base,
                one.cpu_seconds * 1e6 /
                    (std::max(containers / one.share, 1U) * static_cast<double>(rounds)));
  }
  remove_runc_cgroups();
}

}  // namespace
}  // namespace tracebed

int main(int count, char** words) {
  try {
    if (tracebed::detect_cgroups(tracebed::cgroup_surroundings()).kind ==
        tracebed::CgroupSupport::Kind::none) {
      std::printf("cgroups cannot be written here\n");
      return 77;  // what tests exit with that were skipped
    }
    const int containers = count > 1 ? std::stoi(words[1]) : 500;
    const int rounds = count > 2 ? std::stoi(words[2]) : 9;
    tracebed::measure(static_cast<std::uint32_t>(std::max(containers, 1)), std::max(rounds, 1),
                      count > 3 ? words[3] : "", count > 4 ? words[4] : TRACEBED_TASK);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "launch_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}

#include "coordinator/real/local_cluster.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sched.h>
#include <unistd.h>

#include "core/check.h"
#include "core/input_error.h"
#include "core/mebibyte.h"
#include "system/secret_number.h"

namespace tracebed {

namespace {

constexpr std::chrono::seconds sweep_timeout{15};
constexpr std::size_t addresses_per_block = 254;  // 127.0.1.1 to 127.0.1.254, then 127.0.2.1

}  // namespace

Resources local_capacity() {
  cpu_set_t allowed;
  TRACEBED_CHECK(sched_getaffinity(0, sizeof(allowed), &allowed) == 0,
                 "a process may ask where it may run");
  return Resources(CPU_COUNT(&allowed) * 1'000,
                   sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / mebibyte);
}

std::filesystem::path own_programs() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

std::string loopback_address(std::size_t agent) {
  return fmt::format("127.0.{}.{}", 1 + agent / addresses_per_block,
                     1 + agent % addresses_per_block);
}

bool fits_together(const std::vector<Machine>& machines, const Resources& capacity,
                   bool may_oversubscribe) {
  Resources wanted;
  for (const Machine& machine : machines) {
    wanted += Resources(machine.capacity.milli_vcores(), machine.capacity.memory_mib());
  }
  if (wanted.fits_in(capacity)) return true;
  if (may_oversubscribe) return false;
  throw EnvironmentError(fmt::format(
      "the {} local agents offer {:g} vcores and {} MiB in total, but this machine has {:g} and "
      "{}; divide the capacities (scale.cpu, scale.memory) or set local.oversubscribe",
      machines.size(), static_cast<double>(wanted.milli_vcores()) / 1e3, wanted.memory_mib(),
      static_cast<double>(capacity.milli_vcores()) / 1e3, capacity.memory_mib()));
}

LocalCluster::LocalCluster(LocalClusterOptions options, std::vector<Machine> machines)
    : options_(std::move(options)),
      machines_(std::move(machines)),
      is_oversubscribed_(!fits_together(machines_, local_capacity(), options_.oversubscribe)),
      agents_(machines_.size()) {
  TRACEBED_CHECK(options_.links.size() == machines_.size(), "each machine's agents have keys");
  for (const char* program : {"tracebed-agent", "tracebed-launcher", "tracebed-task",
                              "tracebed-appmaster", "tracebed-shuffle"}) {
    const std::filesystem::path path = options_.programs / program;
    if (access(path.c_str(), X_OK) != 0) {
      throw EnvironmentError("the program " + path.string() + " is missing");
    }
  }
  for (std::size_t i = 0; i < machines_.size(); ++i) start_agent(i);
}

LocalCluster::~LocalCluster() {
  stop([](const std::string&) {});
}

// Beside those of the machines before it.
std::int64_t LocalCluster::first_cpu_of(std::size_t index) const {
  std::int64_t cpus = 0;
  for (std::size_t i = 0; i < index; ++i) {
    cpus += (machines_[i].capacity.milli_vcores() + 999) / 1'000;
  }
  return cpus;
}

void LocalCluster::start_agent(std::size_t index) {
  const Machine& machine = machines_[index];
  Agent& agent = agents_[index];
  agent.lifeline = Lifeline::make();
  ChildProcess::Start start;
  start.program = options_.programs / "tracebed-agent";
  start.output = log_of(index);
  const Result<FileDescriptor> secret =
      pipe_that_holds({secret_number(), options_.coordinator, options_.links[index]});
  if (!secret) throw EnvironmentError("cannot pass an agent its keys: " + secret.error().message);
  start.input = secret->number();
  start.inherited = agent.lifeline.reader.number();
  start.inherited_as = lifeline_number;
  start.arguments = {"--run",          options_.run,
                     "--name",         machine.name,
                     "--rack",         machine.rack,
                     "--address",      loopback_address(index),
                     "--milli-vcores", fmt::format("{}", machine.capacity.milli_vcores()),
                     "--memory-mib",   fmt::format("{}", machine.capacity.memory_mib()),
                     "--first-cpu",    fmt::format("{}", first_cpu_of(index)),
                     "--isolation",    options_.isolation,
                     "--lifeline-fd",  fmt::format("{}", lifeline_number)};
  if (options_.storage != nullptr) {
    start.arguments.insert(start.arguments.end(),
                           {"--map-outputs", options_.storage->map_outputs_of(index), "--links",
                            options_.storage->links_file()});
  }
  for (const std::string& label : machine.labels) {
    start.arguments.insert(start.arguments.end(), {"--label", label});
  }
  for (std::size_t i = Resources::memory_dimension + 1; i < Resources::dimensions_max; ++i) {
    if (i >= machine.capacity.dimensions_used()) break;
    start.arguments.insert(start.arguments.end(),
                           {"--resource", fmt::format("{}", machine.capacity[i])});
  }
  agent.process.emplace(start);
  agent.lifeline.reader.reset();
  agent.is_death_reported = agent.comes_back = agent.is_awaited = false;
}

void LocalCluster::crash(std::size_t index, bool comes_back) {
  agents_[index].comes_back = comes_back;
  agents_[index].process->signal(SIGKILL);
}

void LocalCluster::bring_back(std::size_t index) {
  agents_[index].is_awaited = true;
}

void LocalCluster::look() {
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    const auto end = agents_[i].process->poll();
    if (!end) continue;
    throw EnvironmentError(
        fmt::format("agent {} {}: {}", machines_[i].name, end->describe(), last_words(i)));
  }
}

std::vector<AgentDeath> LocalCluster::find_deaths() {
  std::vector<AgentDeath> deaths;
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    Agent& agent = agents_[i];
    if (agent.is_death_reported) {
      if (agent.is_awaited && !agent.lifeline.has_reader()) start_agent(i);
      continue;
    }
    const auto end = agent.process->poll();
    if (!end) continue;
    agent.is_death_reported = true;
    deaths.push_back({NodeId(i),
                      fmt::format("{} (its log: {})", end->describe(), log_of(i).string()),
                      agent.comes_back});
  }
  return deaths;
}

void LocalCluster::stop(const Warn& warn) {
  if (is_stopped_) return;
  is_stopped_ = true;
  for (Agent& agent : agents_) agent.lifeline.writer.reset();
  const auto deadline = std::chrono::steady_clock::now() + lifeline_end_timeout;
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    std::optional<ChildProcess>& process = agents_[i].process;
    if (!process || process->wait(deadline - std::chrono::steady_clock::now())) continue;
    warn(fmt::format("agent {} did not exit and was killed", machines_[i].name));
    process->signal(SIGKILL);
    process->wait(lifeline_end_timeout);
  }
  sweep(warn);
}

// Agents and launchers clean up after themselves; this is for those that were killed.
void LocalCluster::sweep(const Warn& warn) {
  try {
    ChildProcess::Start start;
    start.program = options_.programs / "tracebed-launcher";
    start.arguments = {"--sweep", options_.run};
    start.output = options_.logs / "sweep.log";
    ChildProcess sweeper(start);
    const auto end = sweeper.wait(sweep_timeout);
    if (end && end->exit_code == 0 && end->signal == 0) return;
    warn(fmt::format("the run's cgroups could not all be removed: tracebed-launcher --sweep {} {}",
                     options_.run, end ? end->describe() : "did not end"));
  } catch (const EnvironmentError& error) {
    warn(error.what());
  }
}

std::filesystem::path LocalCluster::log_of(std::size_t index) const {
  return options_.logs / (machines_[index].name + ".log");
}

std::string LocalCluster::last_words(std::size_t index) const {
  std::ifstream log(log_of(index));
  const std::string text{std::istreambuf_iterator<char>(log), {}};
  constexpr std::size_t words_max = 1'000;
  return text.size() <= words_max ? text : text.substr(text.size() - words_max);
}

}  // namespace tracebed

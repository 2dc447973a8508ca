// Ten thousand long-running agents, each with a connection of its own, heart-beating once a second
// against one coordinator's roster, with CurveZMQ keys and without, one after the other. The agents
// are emulated by one process, or by as few as may open the two descriptors that each of them
// takes; the roster is a process of its own: what it takes of a core is its CPU time.
//
//   roster_bench [AGENTS [SECONDS]]
//
// Prints from the first connection to the last registration, the roster's share of a core, and how
// long agents waited for the answer to a heartbeat, which counts what all processes and the
// machine's other work made of it.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#include "bench/companion.h"
#include "bench/emulated_agents.h"
#include "support/temporary_folder.h"
#include "system/descriptor_limit.h"

namespace tracebed::bench {
namespace {

constexpr std::uint64_t other_descriptors = 256;

// What the roster's process tells when it is asked.
struct Standing {
  std::int64_t cpu_us = 0;
  std::uint64_t members = 0;
  std::uint64_t keys_refused = 0;
};

using Endpoint = std::array<char, 256>;

void serve(const Line& lead, const std::optional<RouterKeys>& keys) {
  // Without keys it listens on UNIX sockets only.
  const TemporaryFolder folder;
  AgentRoster roster(keys ? "tcp://127.0.0.1:*" : "ipc://" + folder.file("agents"), keys,
                     [](const std::string&) {});
  Endpoint endpoint = {};
  roster.endpoint().copy(endpoint.data(), endpoint.size() - 1);
  lead.tell(endpoint);
  for (;;) {
    lead.hear<char>();
    const AgentRoster::State state = roster.state();
    lead.tell(Standing{cpu_microseconds(), state.members.size(), state.keys_refused});
  }
}

Standing standing_of(const Companion& roster) {
  roster.line().tell('q');
  return roster.line().hear<Standing>();
}

struct Crowd {
  std::string endpoint;
  std::size_t first = 0;
  std::size_t count = 0;
  std::string coordinator;  // its key; empty: without keys
  int seconds = 1;
};

void stay_registered(EmulatedAgents& agents) {
  const Clock::time_point begin = Clock::now();
  constexpr auto timeout = 300s;
  for (auto next = begin + 2s; !agents.are_all_welcome() && Clock::now() < begin + timeout;) {
    agents.turn_until(Clock::now() + 10ms);
    if (Clock::now() < next) continue;
    agents.beat_once();
    next = Clock::now() + 2s;
  }
}

// In a process of its own; goes on at each word of the lead.
void emulate(const Line& lead, const Crowd& crowd, const std::vector<KeyPair>& keys) {
  EmulatedAgents agents(crowd.endpoint, crowd.first, crowd.count, keys, crowd.coordinator);
  stay_registered(agents);
  lead.tell(cpu_microseconds());
  lead.hear<char>();
  agents.beat_for_a_second();  // the first beats meet what registering left to do
  agents.clear();
  lead.tell('r');
  lead.hear<char>();
  for (int i = 0; i < crowd.seconds; ++i) agents.beat_for_a_second();
  agents.turn_until(Clock::now() + 200ms);
  lead.tell_all(agents.waits_milliseconds());
}

double percentile(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

bool measure(std::size_t count, std::size_t of_process, int seconds, bool with_keys) {
  std::vector<KeyPair> keys;
  std::optional<RouterKeys> router;
  if (with_keys) {
    router.emplace(RouterKeys{make_key_pair(), {}});
    for (std::size_t i = 0; i < count; ++i) {
      keys.push_back(make_key_pair());
      router->agents[keys.back().public_key] = agent_name(i);
    }
  }
  const Companion roster([&](const Line& lead) { serve(lead, router); });
  Crowd crowd{.endpoint = roster.line().hear<Endpoint>().data(), .seconds = seconds};
  if (with_keys) crowd.coordinator = router->own.public_key;
  const Clock::time_point begin = Clock::now();
  std::vector<std::unique_ptr<Companion>> crowds;
  for (; crowd.first < count; crowd.first += crowd.count) {
    crowd.count = std::min(of_process, count - crowd.first);
    crowds.push_back(
        std::make_unique<Companion>([&](const Line& lead) { emulate(lead, crowd, keys); }));
  }
  std::int64_t cpu_of_agents = 0;
  for (const auto& each : crowds) cpu_of_agents += each->line().hear<std::int64_t>();
  const double registered = std::chrono::duration<double>(Clock::now() - begin).count();
  const Standing before = standing_of(roster);
  for (const auto& each : crowds) each->line().tell('w');
  for (const auto& each : crowds) each->line().hear<char>();
  const Standing from = standing_of(roster);
  const Clock::time_point beats_from = Clock::now();
  for (const auto& each : crowds) each->line().tell('b');
  std::vector<double> waits;
  for (const auto& each : crowds) {
    const std::vector<double> own = each->line().hear_all();
    waits.insert(waits.end(), own.begin(), own.end());
  }
  const double elapsed = std::chrono::duration<double>(Clock::now() - beats_from).count();
  const Standing to = standing_of(roster);
  const double p50 = percentile(waits, 0.5);
  const double p99 = percentile(waits, 0.99);
  const char* name = with_keys ? "with keys" : "without keys";
  fmt::print(
      "{:<14} {} of {} registered after {:.2f} s ({:.2f} s of the roster's CPU time, {:.2f} s of "
      "the agents')\n{:<14} {} beats answered in {:.1f} s; roster {:.1f} % of a core; reply p50 "
      "{:.2f} ms, p99 {:.2f} ms\n",
      name, before.members, count, registered, static_cast<double>(before.cpu_us) / 1e6,
      static_cast<double>(cpu_of_agents) / 1e6, "", waits.size(), elapsed,
      static_cast<double>(to.cpu_us - from.cpu_us) / 1e4 / elapsed, p50, p99);
  std::fflush(stdout);
  return before.members == count && !waits.empty();
}

// How many agents one process can emulate.
std::size_t agents_of_process() {
  raise_descriptor_limit(2 * other_descriptors, "emulated agents");
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  // A ZeroMQ socket takes a descriptor for its connection and one for its mailbox.
  return (limit.rlim_cur - other_descriptors) / 2;
}

int run(std::size_t agents, int seconds) {
  const std::size_t of_process = agents_of_process();
  raise_descriptor_limit(agents + other_descriptors, "the roster of so many agents");
  fmt::print("{} agents, emulated by {} processes\n", agents,
             (agents + of_process - 1) / of_process);
  std::fflush(stdout);
  const bool is_plain_well = measure(agents, of_process, seconds, false);
  const bool is_curve_well = measure(agents, of_process, seconds, true);
  return is_plain_well && is_curve_well ? 0 : 1;
}

}  // namespace
}  // namespace tracebed::bench

int main(int count, char** words) {
  try {
    const auto agents =
        static_cast<std::size_t>(std::max(count > 1 ? std::atoi(words[1]) : 10'000, 1));
    return tracebed::bench::run(agents, std::max(count > 2 ? std::atoi(words[2]) : 10, 1));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "roster_bench: %s\n", error.what());
    return 1;
  }
}

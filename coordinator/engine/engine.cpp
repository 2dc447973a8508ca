#include "coordinator/engine/engine.h"

#include "coordinator/engine/engine_state.h"
#include "core/check.h"

namespace tracebed {

Engine::Engine(EngineSetup setup, RecordSink& records)
    : scheduler_(std::move(setup.scheduler)),
      make_master_(std::move(setup.make_master)),
      master_demand_(std::move(setup.master_demand)),
      read_configuration_(std::move(setup.read_configuration)),
      paranoid_(setup.paranoid),
      meter_(setup.meter),
      records_(records),
      master_containers_(setup.master_containers) {
  if (setup.relocation) relocation_.emplace(*setup.relocation);
  TRACEBED_CHECK(scheduler_ != nullptr, "an engine has a scheduler");
}

Engine::~Engine() = default;

void Engine::step(Round& round, std::vector<Command>& commands) {
  TRACEBED_CHECK(round.now >= now_, "time does not run backwards");
  now_ = round.now;
  commands_ = &commands;
  decide_calls_of_step_ = 0;
  ++counters_.rounds;
  answers_.clear();
  departed_.clear();
  if (!round.configurations.empty()) take_refreshes(round);
  for (const Arrival& arrival : round.arrivals) arrive(round, arrival);
  if (now_ >= watches_.next_time()) look_at_watches();
  if (now_ >= requests_.next_deadline()) announce_due();
  if (now_ >= relocate_at_) look_at_relocations();
  if (now_ >= wake_at_) {
    wake_at_ = never;
    ++counters_.wake_ups;
    events_.push_back(Tick{});
  }
  decide();
  if (!answers_.empty()) answer_calls();
  if (cluster_changed_) sample();
  if (paranoid_) verify();
  commands_ = nullptr;
}

void Engine::decide() {
  do {
    decide_until_quiet();
  } while (force_due() || notify_masters() || process_due_heartbeats());
}

bool Engine::is_idle() const {
  return applications_.size() == 0 && ledger_.model().containers.size() == 0;
}

bool Engine::is_accepted(ApplicationId application) const {
  const ApplicationState* state = applications_.find(application);
  return state != nullptr && state->answer == Answer::accepted;
}

bool Engine::is_waiting() const {
  return applications_.size() > 0 &&
         ledger_.model().containers.size() == masters_alive_ + held_.size();
}

Duration Engine::silence_max() const {
  Duration delay{};
  applications_.for_each([&](ApplicationId, const ApplicationState& state) {
    delay = std::max(delay, state.longest_delay);
  });
  return delay + (master_containers_ ? master_containers_->expiry : Duration::zero());
}

void Engine::sample() {
  cluster_changed_ = false;
  const ClusterModel& model = ledger_.model();
  records_.sampled(ClusterSample{
      .at = now_,
      .capacity = model.capacity,
      .allocated = model.capacity - model.free,
      .containers = static_cast<std::uint32_t>(model.containers.size()),
      .jobs_open = static_cast<std::uint32_t>(applications_.size()),
      .jobs_waiting = jobs_waiting_,
  });
}

}  // namespace tracebed

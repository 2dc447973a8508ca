#include "coordinator/engine/engine.h"

#include <map>
#include <set>
#include <utility>

#include "core/check.h"

namespace tracebed {
namespace {

std::unique_ptr<Scheduler> prepared(std::unique_ptr<Scheduler> scheduler,
                                    DecisionThreads* threads) {
  TRACEBED_CHECK(scheduler != nullptr, "an engine has a scheduler");
  if (!scheduler->decides_in_threads()) return scheduler;
  TRACEBED_CHECK(threads != nullptr, "a scheduler that decides in threads has them");
  scheduler->use_threads(*threads);
  return scheduler;
}

}  // namespace

Engine::Engine(EngineSetup setup, RecordSink& records)
    : scheduler_(prepared(std::move(setup.scheduler), setup.decision_threads)),
      make_master_(std::move(setup.make_master)),
      locate_input_(std::move(setup.locate_input)),
      master_demand_(std::move(setup.master_demand)),
      master_containers_(setup.master_containers),
      paranoid_(setup.paranoid),
      meter_(setup.meter),
      context_(records),
      ledger_((setup.limit_vcores ? LimitedDimensions::all() : scheduler_->limited_dimensions())
                  .with_devices(setup.devices)),
      leaves_(*scheduler_, ledger_, records),
      asks_(ledger_, context_),
      preemptions_(ledger_.model(), states_, context_),
      records_(ledger_, context_),
      timeouts_(setup.master_containers, context_),
      storage_(setup.storage, ledger_.model(), context_),
      outputs_(setup.storage ? setup.storage->replication_of_outputs : 0, storage_),
      map_outputs_(setup.storage ? setup.storage->shuffle : std::nullopt, context_),
      containers_(ledger_, states_, applications_, preemptions_, records_, outputs_, map_outputs_,
                  setup.storage ? setup.storage->transfer_weights : std::nullopt, context_),
      executor_(ledger_, *scheduler_, applications_, asks_, containers_, timeouts_, records_,
                outputs_, map_outputs_, context_),
      masters_(ledger_.model(), states_, applications_, executor_, containers_, timeouts_,
               preemptions_, context_),
      committer_(ledger_.model(), applications_, executor_, containers_, timeouts_, preemptions_,
                 leaves_, context_),
      relocations_(setup.relocation, ledger_.model(), states_, applications_, containers_,
                   preemptions_, context_),
      administration_(ledger_, asks_, containers_, preemptions_, context_),
      refreshes_(std::move(setup.read_configuration), *scheduler_, ledger_.model(), applications_,
                 leaves_, context_) {}

void Engine::step(Round& round, std::vector<Command>& commands) {
  begin(round.now, commands);
  ++context_.counters.rounds;
  refreshes_.take(round);
  for (const Arrival& arrival : round.arrivals) arrive(round, arrival);
  storage_.advance();
  const TraceTime now = context_.now();
  if (now >= timeouts_.next_time()) masters_.expire();
  if (now >= preemptions_.next_deadline()) preemptions_.announce_due();
  if (now >= relocations_.next_look()) relocations_.look();
  if (now >= committer_.wake_at()) wake_scheduler();
  decide();
  masters_.answer_calls(*scheduler_);
  end();
}

void Engine::begin(TraceTime now, std::vector<Command>& commands) {
  was_woken_ = false;
  context_.begin(now, commands);
}

void Engine::wake_scheduler() {
  committer_.wake();
  was_woken_ = true;
  ++context_.counters.wake_ups;
  context_.events.push_back(Tick{});
}

void Engine::decide() {
  const std::uint64_t allocations = context_.counters.allocations;
  do {
    call_scheduler_until_quiet();
  } while (notify_of_lost_outputs() || force_due_preemptions() || notify_of_preemptions() ||
           process_due_heartbeats());
  if (context_.counters.allocations != allocations) relocations_.allocated();
}

HeartbeatInterest Engine::heartbeat_interest() const {
  HeartbeatInterest interest = scheduler_->heartbeat_interest();
  interest.has_cluster_changed = has_cluster_changed_ || (was_woken_ && interest.after_wake_ups);
  interest.limits = ledger_.model().limits;
  return interest;
}

void Engine::end() {
  has_cluster_changed_ = context_.cluster_changed;
  records_.sample(applications_.size());
  if (paranoid_ && verified_changes_ != ledger_.changes()) {
    ledger_.verify();
    verified_changes_ = ledger_.changes();
  }
  if (paranoid_) verify_beside_ledger();
  context_.end();
}

void Engine::call_scheduler_until_quiet() {
  // Committing makes new events (an accepted application asks), so the scheduler is called until
  // there are none. One that answers refusals with the same refused decisions would never end:
  // after a call that saw nothing but refusals, new refusals wait for the next round.
  bool only_refusals = false;
  while (!context_.events.empty() && !only_refusals) {
    batch_.swap(context_.events);
    context_.events.clear();
    only_refusals = std::all_of(batch_.begin(), batch_.end(), [](const SchedulerEvent& event) {
      return std::holds_alternative<Refused>(event);
    });
    decisions_.clear();
    ++context_.counters.decide_calls;
    if (meter_ != nullptr) meter_->decide_begins();
    scheduler_->decide(SchedulerInput{context_.now(), batch_, ledger_.model()}, decisions_);
    if (meter_ != nullptr) meter_->decide_ended();
    committer_.commit(decisions_);
  }
}

bool Engine::force_due_preemptions() {
  const std::vector<ContainerId> due = preemptions_.due();
  for (const ContainerId id : due) {
    if (relocations_.is_to_be_forced(*preemptions_.find(id))) {
      containers_.preempt_by_force(id);
    } else {
      preemptions_.cancel(id);
    }
  }
  return !due.empty();
}

// Masters in the engine are notified at once; the others with the answers to their calls.
bool Engine::notify_of_preemptions() {
  if (!preemptions_.have_changed()) return false;
  const std::set<ApplicationId> changed = preemptions_.take_changed();
  bool was_notified = false;
  std::map<ApplicationId, std::vector<HeldContainer>> held;
  for (const ApplicationId id : changed) {
    const ApplicationState* state = applications_.find(id);
    if (state != nullptr && state->master.managed() == nullptr) held[id];
  }
  preemptions_.list_held(held);
  for (const auto& [id, containers] : held) {
    ApplicationState* state = applications_.find(id);
    if (state == nullptr) continue;
    state->master->preempted(context_.now(), preemptions_.message_for(id), containers, actions_);
    executor_.perform(id, actions_);
    was_notified = true;
  }
  return was_notified;
}

bool Engine::notify_of_lost_outputs() {
  if (context_.lost_outputs.empty()) return false;
  const std::vector<NodeId> nodes = std::exchange(context_.lost_outputs, {});
  for (const NodeId node : nodes) {
    for (const ApplicationId id : open_applications(true)) {
      ApplicationState* const state = applications_.find(id);
      if (state == nullptr) continue;
      state->master->node_lost(context_.now(), node, actions_);
      executor_.perform(id, actions_);
    }
  }
  return true;
}

bool Engine::process_due_heartbeats() {
  bool were_processed = false;
  for (ApplicationId id = executor_.take_due_heartbeat(); id.is_valid();
       id = executor_.take_due_heartbeat()) {
    const Resources headroom = scheduler_->headroom(ledger_.model(), id);
    applications_[id].master->heartbeat(context_.now(),
                                        ledger_.model().limits.told_to_masters(headroom), actions_);
    executor_.perform(id, actions_);
    TRACEBED_CHECK(!applications_.contains(id) || applications_[id].heartbeat_at > context_.now(),
                   "a master whose heartbeat was processed names a later one, or none");
    were_processed = true;
  }
  return were_processed;
}

bool Engine::is_idle() const {
  return applications_.size() == 0 && ledger_.model().containers.size() == 0;
}

bool Engine::is_accepted(ApplicationId application) const {
  const ApplicationState* state = applications_.find(application);
  return state != nullptr && state->is_accepted;
}

Duration Engine::silence_max() const {
  Duration delay{};
  applications_.for_each([&](ApplicationId, const ApplicationState& state) {
    delay = std::max(delay, state.longest_delay);
  });
  return delay + (master_containers_ ? master_containers_->expiry : Duration::zero());
}

void Engine::verify() const {
  ledger_.verify();
  verify_beside_ledger();
}

void Engine::verify_beside_ledger() const {
  TRACEBED_CHECK(states_.size() == ledger_.model().containers.size(),
                 "the engine keeps a state of each container of the model");
  storage_.verify();
}

}  // namespace tracebed

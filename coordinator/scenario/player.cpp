#include "coordinator/scenario/player.h"

#include <fmt/format.h>
#include <utility>

#include "coordinator/scenario/expectations.h"
#include "coordinator/scenario/step_title.h"
#include "core/input_error.h"

namespace tracebed {

void StoryRecords::attempt_ended(const AttemptRecord& record) {
  const auto found = log_.running.find(record.container);
  if (found == log_.running.end()) return;
  log_.ended.emplace_back(found->second, record.end);
  log_.running.erase(found);
}

void StoryRecords::job_ended(const JobRecord& record) {
  log_.closed.emplace_back(record.job.index(), record);
}

Player::Player(const Scenario& scenario, const SchedulerRegistry& schedulers)
    : scenario_(scenario),
      schedulers_(schedulers),
      records_(log_),
      masters_(scenario.applications.size(), nullptr),
      ids_(scenario.applications.size()),
      engine_({.scheduler = make_telling_scheduler(),
               .make_master = [this](ApplicationId id, Job& job,
                                     const ClusterModel&) { return make_master(id, job); },
               .master_demand = [this](const Job& job) -> std::optional<Resources> {
                 const auto& asks = scenario_.applications[job.id.index()].asks;
                 const bool has_master = !asks.empty() && asks.front().is_master;
                 if (!has_master) return std::nullopt;
                 return asks.front().demand;
               },
               .read_configuration =
                   [this](const SchedulerConfiguration& configuration) {
                     return read_configuration(configuration, surroundings());
                   },
               .locate_input = [this](const Job& job,
                                      const ClusterModel&) { return places_.input(job.id); },
               .paranoid = true,
               .limit_vcores = scenario.limit_vcores,
               .devices = scenario.devices,
               .meter = nullptr},
              records_),
      places_(scenario, engine_.cluster(), names_),
      latest_(scenario.scheduler) {}

ResolvedScheduler Player::resolved(const SchedulerChoice& choice) {
  ResolvedScheduler scheduler = resolve_scheduler(schedulers_, choice, scenario_.dimensions);
  remarks_ = scheduler.remarks;
  return scheduler;
}

std::unique_ptr<Scheduler> Player::make_telling_scheduler() {
  auto scheduler = make_scheduler(resolved(scenario_.scheduler), surroundings());
  if (scheduler->decides_in_threads()) {
    throw InputError(fmt::format(
        "{}: decision_time = \"measured\" needs real machines, but a scenario's time is its own",
        scenario_.scheduler.where));
  }
  scheduler->keep_choices(all_choices);
  scheduler_ = scheduler.get();
  return scheduler;
}

PlayedStep Player::start() {
  begin_round();
  for (std::size_t i = 0; i < scenario_.nodes.size(); ++i) {
    if (!scenario_.nodes[i].is_absent) join(NodeId(i));
  }
  take_round();
  is_start_ = true;
  for (std::size_t i = 0; i < scenario_.applications.size(); ++i) {
    if (!scenario_.applications[i].is_submitted_later) submit(i);
  }
  place_running();
  for (std::size_t i = 0; i < scenario_.applications.size(); ++i) {
    if (masters_[i] != nullptr) ask_for_all(i);
  }
  is_start_ = false;
  return described("the start", false, scenario_.expected);
}

PlayedStep Player::perform(const ScenarioStep& step) {
  log_.clear_events();
  scheduler_->keep_choices(all_choices);
  if (step.at) begin_at(step);
  act(step);
  is_time_set_ = false;
  return described(title_of(step), step.shows_all, step.expected);
}

// ---- time and rounds ----

void Player::beat() {
  if (!std::exchange(is_time_set_, false)) now_ += scenario_.beat;
}

void Player::begin_round() {
  beat();
  round_.clear();
  round_.now = now_;
}

void Player::take_round() {
  engine_.step(round_, commands_);
  end_killed();
}

void Player::end_killed() {
  for (;;) {
    round_.clear();
    round_.now = now_;
    for (const Command& command : commands_) {
      const auto* kill = std::get_if<KillContainer>(&command);
      if (kill != nullptr) add_end(kill->container, kill->node, ContainerEnd::killed);
    }
    commands_.clear();
    if (round_.arrivals.empty()) return;
    engine_.step(round_, commands_);
  }
}

void Player::add_end(ContainerId container, NodeId node, ContainerEnd end) {
  round_.arrivals.push_back(
      ContainerEnded{container, node, end, ContainerAccount::nothing_at(now_)});
}

void Player::stage(std::size_t position, const std::vector<MasterAction>& actions,
                   const std::vector<StagedContainer>& containers, const std::string& where) {
  beat();
  const Status status = engine_.stage(now_, {ids_[position], actions, containers}, commands_);
  if (!status) throw InputError(fmt::format("{}: {}", where, status.error().message));
  end_killed();
}

PlayedStep Player::described(std::string title, bool shows_all,
                             std::span<const ExpectedFact> expected) {
  std::vector<OpenApplication> open;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    const bool is_open = ids_[i].is_valid() && engine_.cluster().applications.contains(ids_[i]);
    if (is_open) open.push_back({i, ids_[i]});
  }
  PlayedStep step{std::move(title), now_, shows_all, {}, {}};
  step.facts = facts_of(scenario_, engine_, log_, open, masters_);
  step.unmet = unmet(expected, step.facts);
  step.remarks = std::exchange(remarks_, {});
  return step;
}

// ---- the start ----

std::unique_ptr<ApplicationMaster> Player::make_master(ApplicationId id, const Job& job) {
  const std::size_t position = job.id.index();
  std::vector<SetAsk> requests;
  std::vector<std::string> names;
  for (const ScenarioAsk& ask : scenario_.applications[position].asks) {
    requests.push_back(places_.request(ask, static_cast<AskSlot>(requests.size())));
    names.push_back(ask.name);
  }
  auto master = std::make_unique<ScriptedMaster>(position, std::move(requests), std::move(names),
                                                 is_start_, log_);
  for (const Stage& stage : job.stages) master->has_stage(task_count(stage));
  ids_[position] = id;
  masters_[position] = master.get();
  return master;
}

void Player::place_running() {
  log_.is_starting = true;
  for (std::size_t i = 0; i < scenario_.applications.size(); ++i) {
    for (const ScenarioRunning& running : scenario_.applications[i].running) {
      if (!engine_.is_accepted(ids_[i])) {
        throw InputError(fmt::format("{}: the scheduler has not accepted {}", running.where,
                                     scenario_.applications[i].name));
      }
      StagedContainer container;
      container.slot = masters_[i]->slot_of(running.ask);
      container.node = node_there(running.node, running.where);
      const bool is_gang = masters_[i]->request(container.slot).kind == StageKind::gang;
      container.units = is_gang ? running.count : 1;
      const std::uint32_t containers = is_gang ? 1 : running.count;
      stage(i, {}, std::vector<StagedContainer>(containers, container), running.where);
    }
  }
  log_.is_starting = false;
}

void Player::ask_for_all(std::size_t position) {
  if (!engine_.is_accepted(ids_[position])) return;
  const MasterActions actions = masters_[position]->ask_for_all();
  if (!actions.empty()) stage(position, actions, {}, scenario_.applications[position].where);
}

// ---- names ----

bool Player::is_alive(NodeId node) const {
  const std::vector<Node>& nodes = engine_.cluster().nodes;
  return node.index() < nodes.size() && nodes[node.index()].alive;
}

NodeId Player::node_there(const std::string& name, const std::string& where) const {
  const NodeId node = places_.node(name, where);
  if (!is_alive(node)) throw InputError(fmt::format("{}: {} is not there", where, name));
  return node;
}

std::size_t Player::position_of(const std::string& name, const std::string& where) const {
  for (std::size_t i = 0; i < scenario_.applications.size(); ++i) {
    if (scenario_.applications[i].name == name) return i;
  }
  throw InputError(fmt::format("{}: there is no application \"{}\"", where, name));
}

std::size_t Player::open_position_of(const std::string& name, const std::string& where) const {
  const std::size_t position = position_of(name, where);
  const bool is_open =
      ids_[position].is_valid() && engine_.cluster().applications.contains(ids_[position]);
  if (!is_open) throw InputError(fmt::format("{}: {} is not running", where, name));
  return position;
}

}  // namespace tracebed

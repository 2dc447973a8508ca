// What each step of a scenario does.
#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "coordinator/scenario/player.h"
#include "core/input_error.h"
#include "system/quantities.h"

namespace tracebed {

using Action = ScenarioStep::Action;

void Player::act(const ScenarioStep& step) {
  switch (step.action) {
    case Action::look:
      if (step.at) advance_to(*step.at);
      return;
    case Action::heartbeat:
      return beat_nodes(step);
    case Action::submit:
      for (const std::string& name : step.names) submit(position_of(name, step.where));
      return;
    case Action::ask:
      return ask(step);
    case Action::finish:
      return end_containers(step, ContainerEnd::succeeded);
    case Action::kill:
      return end_containers(step, ContainerEnd::killed);
    case Action::release:
      return end_containers(step, ContainerEnd::released);
    case Action::end:
      return stage(open_position_of(step.application, step.where),
                   std::vector<MasterAction>{
                       FinishApplication{JobOutcome::killed, "it ended, as the scenario says"}},
                   {}, step.where);
    case Action::advance:
      return advance_to(now_ + step.duration);
    case Action::join:
    case Action::leave:
      return change_nodes(step);
    case Action::refresh:
      return refresh(step);
    case Action::update:
      return update();
  }
}

// ---- time ----

void Player::begin_at(const ScenarioStep& step) {
  if (*step.at < now_) {
    throw InputError(
        fmt::format("{}.at: expected a time that is not before the last step's end, "
                    "{}, got {}",
                    step.where, duration_text(now_.time_since_epoch()),
                    duration_text(step.at->time_since_epoch())));
  }
  wake_until(*step.at);
  now_ = *step.at;
  is_time_set_ = true;
}

// Wake-ups before then happen first.
void Player::wake_until(TraceTime until) {
  while (engine_.next_deadline() < until) {
    now_ = std::max(now_, engine_.next_deadline());
    round_.clear();
    round_.now = now_;
    take_round();
  }
}

void Player::advance_to(TraceTime until) {
  wake_until(until);
  now_ = until;
  round_.clear();
  round_.now = now_;
  take_round();
}

void Player::update() {
  beat();
  engine_.stage_update(now_, commands_);
  end_killed();
}

// ---- nodes ----

void Player::join(NodeId node) {
  round_.arrivals.push_back(NodeJoined{node, static_cast<std::uint32_t>(round_.machines.size())});
  round_.machines.push_back(scenario_.nodes[node.index()].machine);
}

void Player::beat_nodes(const ScenarioStep& step) {
  std::vector<NodeId> nodes;
  for (const std::string& name : step.names) {
    if (name != "*") {
      nodes.push_back(node_there(name, step.where));
      continue;
    }
    for (const Node& node : engine_.cluster().nodes) {
      if (node.alive) nodes.push_back(node.id);
    }
  }
  for (std::uint32_t i = 0; i < step.times; ++i) {
    for (const NodeId node : nodes) {
      begin_round();
      round_.arrivals.push_back(NodeHeartbeat{node, step.measured, step.io_pressure});
      take_round();
    }
  }
}

void Player::change_nodes(const ScenarioStep& step) {
  for (const std::string& name : step.names) {
    const NodeId node = places_.node(name, step.where);
    const bool joins = step.action == Action::join;
    if (is_alive(node) == joins) {
      throw InputError(
          fmt::format("{}: {} is {}there", step.where, name, joins ? "already " : "not "));
    }
    begin_round();
    if (joins) {
      join(node);
    } else {
      round_.arrivals.push_back(NodeLost{node});
    }
    take_round();
  }
}

// ---- applications ----

void Player::submit(std::size_t position) {
  const ScenarioApplication& application = scenario_.applications[position];
  if (ids_[position].is_valid()) {
    throw InputError(fmt::format("{}: {} is submitted twice", application.where, application.name));
  }
  begin_round();
  Job& job = round_.add_job();
  job.id = JobId(position);
  job.name = application.name;
  job.submit = now_;
  job.user = names_.users.intern(application.user);
  job.queue = names_.queues.intern(application.queue);
  job.priority = application.priority;
  job.kind = JobKind::map_reduce;
  job.requested_time = application.requested_time;
  job.deadline = application.deadline;
  const std::uint32_t maps = application.maps > 0 ? application.maps : story_tasks_max;
  job.stages.assign(1, Stage{StageKind::map, Resources(), {{maps, Work{}}}, ""});
  if (application.reduces > 0) {
    job.stages.push_back(
        Stage{StageKind::reduce, Resources(), {{application.reduces, Work{}}}, ""});
  }
  round_.submit(0);
  take_round();
}

void Player::refresh(const ScenarioStep& step) {
  SchedulerChoice choice = latest_;
  for (const Setting& setting : step.settings) {
    std::erase_if(choice.settings,
                  [&](const Setting& earlier) { return earlier.key == setting.key; });
    choice.settings.push_back(setting);
  }
  begin_round();
  round_.arrivals.push_back(SchedulerRefreshed{0});
  round_.configurations.push_back(configuration_of(resolved(choice)));
  take_round();
  const std::string& refusal = engine_.refreshes().back().refusal;
  if (refusal.empty()) latest_ = std::move(choice);
  log_.refused = refusal;
}

void Player::ask(const ScenarioStep& step) {
  const std::size_t position = open_position_of(step.application, step.where);
  ScriptedMaster& master = *masters_[position];
  if (!master.runs()) {
    throw InputError(
        fmt::format("{}: the master of {} has no container yet, so it asks for nothing",
                    step.ask.where, step.application));
  }
  SetAsk request = places_.request(step.ask, 0);
  if (master.has(step.ask.name)) {
    const SetAsk& before = master.request(master.slot_of(step.ask.name));
    const bool is_same_kind =
        before.priority == request.priority && before.kind == request.kind && !before.is_master;
    if (!is_same_kind) {
      throw InputError(
          fmt::format("{}: an ask keeps its priority and whether it is a gang, and that of the "
                      "master stays as it was",
                      step.ask.where));
    }
  }
  stage(position, std::vector<MasterAction>{master.ask(std::move(request), step.ask.name)}, {},
        step.where);
}

void Player::end_containers(const ScenarioStep& step, ContainerEnd end) {
  for (std::uint32_t i = 0; i < step.times; ++i) {
    const auto found =
        std::find_if(log_.running.begin(), log_.running.end(), [&](const auto& entry) {
          return container_label(scenario_, entry.second) == step.container;
        });
    if (found == log_.running.end()) {
      throw InputError(fmt::format("{}: no container {} runs", step.where, step.container));
    }
    begin_round();
    add_end(found->first, found->second.node, end);
    take_round();
  }
}

}  // namespace tracebed

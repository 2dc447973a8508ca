#include "coordinator/scenario/story.h"

#include <algorithm>
#include <fmt/format.h>

#include "coordinator/engine/engine.h"
#include "coordinator/runner/choices.h"
#include "coordinator/runner/scheduler_files.h"
#include "coordinator/scenario/scripted_master.h"
#include "coordinator/scenario/step_title.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

using Action = ScenarioStep::Action;

// Between two things that happen, so that no two have the same time.
constexpr Duration beat = milliseconds(1);

// Keeps what the engine tells of ends.
class StoryRecords final : public RecordSink {
 public:
  explicit StoryRecords(StoryLog& log) : log_(log) {}

  void attempt_ended(const AttemptRecord& record) override {
    const auto found = log_.running.find(record.container);
    if (found == log_.running.end()) return;
    log_.ended.emplace_back(found->second, record.end);
    log_.running.erase(found);
  }
  void job_ended(const JobRecord& record) override {
    log_.closed.emplace_back(record.job.index(), record);
  }
  void preemption_ended(const PreemptionRecord&) override {}
  void sampled(const ClusterSample&) override {}

 private:
  StoryLog& log_;
};

class Player {
 public:
  explicit Player(const Scenario& scenario)
      : scenario_(scenario),
        records_(log_),
        masters_(scenario.applications.size(), nullptr),
        ids_(scenario.applications.size()),
        engine_({.scheduler = make_chosen_scheduler(scenario.scheduler, surroundings()),
                 .make_master = [this](ApplicationId id, Job& job,
                                       const ClusterModel&) { return make_master(id, job); },
                 .read_configuration =
                     [this](const SchedulerConfiguration& configuration) {
                       return read_configuration(configuration, surroundings());
                     },
                 .paranoid = true,
                 .meter = nullptr},
                records_),
        places_(scenario, engine_.cluster(), names_),
        latest_(with_yarn_site(scenario.scheduler)) {}

  PlayedStep start() {
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
    return told("the start", false, scenario_.expected);
  }

  PlayedStep perform(const ScenarioStep& step) {
    log_.clear_events();
    act(step);
    return told(title_of(step), step.shows_all, step.expected);
  }

 private:
  SchedulerSurroundings surroundings() const {
    return {scenario_.seed, names_, scenario_.dimensions};
  }
  void act(const ScenarioStep& step) {
    switch (step.action) {
      case Action::look:
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
      case Action::end: {
        const std::size_t position = open_position_of(step.application, step.where);
        return stage(position,
                     std::vector<MasterAction>{
                         FinishApplication{JobOutcome::killed, "it ended, as the story says"}},
                     {}, step.where);
      }
      case Action::advance:
        return advance(step.duration);
      case Action::join:
      case Action::leave:
        return change_nodes(step);
      case Action::refresh:
        return refresh(step);
    }
  }

  // ---- rounds ----

  void begin_round() {
    now_ += beat;
    round_.clear();
    round_.now = now_;
  }

  // Takes the step, then ends what was ordered killed, until nothing more is.
  void take_round() {
    engine_.step(round_, commands_);
    end_killed();
  }

  void end_killed() {
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

  void add_end(ContainerId container, NodeId node, ContainerEnd end) {
    round_.arrivals.push_back(
        ContainerEnded{container, node, end, {.started = now_, .ended = now_}});
  }

  void stage(std::size_t position, const std::vector<MasterAction>& actions,
             const std::vector<StagedContainer>& containers, const std::string& where) {
    now_ += beat;
    const Status status = engine_.stage(now_, {ids_[position], actions, containers}, commands_);
    if (!status) throw InputError(fmt::format("{}: {}", where, status.error().message));
    end_killed();
  }

  PlayedStep told(std::string title, bool shows_all, std::span<const ExpectedFact> expected) {
    std::vector<OpenApplication> open;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const bool is_open = ids_[i].is_valid() && engine_.cluster().applications.contains(ids_[i]);
      if (is_open) open.push_back({i, ids_[i]});
    }
    PlayedStep step{std::move(title), now_, shows_all, {}, {}};
    step.facts = facts_of(scenario_, engine_, log_, open, masters_);
    step.unmet = unmet(expected, step.facts);
    return step;
  }

  // ---- nodes ----

  void join(NodeId node) {
    round_.arrivals.push_back(NodeJoined{node, static_cast<std::uint32_t>(round_.machines.size())});
    round_.machines.push_back(scenario_.nodes[node.index()].machine);
  }

  bool is_there(NodeId node) const {
    const std::vector<Node>& nodes = engine_.cluster().nodes;
    return node.index() < nodes.size() && nodes[node.index()].alive;
  }

  NodeId node_there(const std::string& name, const std::string& where) const {
    const NodeId node = places_.node(name, where);
    if (!is_there(node)) throw InputError(fmt::format("{}: {} is not there", where, name));
    return node;
  }

  void beat_nodes(const ScenarioStep& step) {
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
        round_.arrivals.push_back(NodeHeartbeat{node, {}});
        take_round();
      }
    }
  }

  void change_nodes(const ScenarioStep& step) {
    for (const std::string& name : step.names) {
      const NodeId node = places_.node(name, step.where);
      const bool joins = step.action == Action::join;
      if (is_there(node) == joins) {
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

  void advance(Duration duration) {
    const TraceTime until = now_ + duration;
    while (engine_.next_deadline() < until) {
      now_ = std::max(now_, engine_.next_deadline());
      round_.clear();
      round_.now = now_;
      take_round();
    }
    now_ = until;
    round_.clear();
    round_.now = now_;
    take_round();
  }

  // ---- applications ----

  std::size_t position_of(const std::string& name, const std::string& where) const {
    for (std::size_t i = 0; i < scenario_.applications.size(); ++i) {
      if (scenario_.applications[i].name == name) return i;
    }
    throw InputError(fmt::format("{}: there is no application \"{}\"", where, name));
  }

  std::size_t open_position_of(const std::string& name, const std::string& where) const {
    const std::size_t position = position_of(name, where);
    const bool is_open =
        ids_[position].is_valid() && engine_.cluster().applications.contains(ids_[position]);
    if (!is_open) throw InputError(fmt::format("{}: {} is not running", where, name));
    return position;
  }

  void submit(std::size_t position) {
    const ScenarioApplication& application = scenario_.applications[position];
    if (ids_[position].is_valid()) {
      throw InputError(
          fmt::format("{}: {} is submitted twice", application.where, application.name));
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
    job.requested_time = {};
    job.stages.assign(1, Stage{StageKind::map, Resources(), {{story_tasks_max, Work{}}}, ""});
    round_.submit(0);
    take_round();
  }

  std::unique_ptr<ApplicationMaster> make_master(ApplicationId id, const Job& job) {
    const std::size_t position = job.id.index();
    const ScenarioApplication& application = scenario_.applications[position];
    std::vector<SetAsk> requests;
    std::vector<std::string> names;
    for (const ScenarioAsk& ask : application.asks) {
      requests.push_back(places_.request(ask, static_cast<AskSlot>(requests.size())));
      names.push_back(ask.name);
    }
    auto master = std::make_unique<ScriptedMaster>(position, std::move(requests), std::move(names),
                                                   is_start_, engine_.cluster(), log_);
    ids_[position] = id;
    masters_[position] = master.get();
    return master;
  }

  void place_running() {
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
        const bool is_gang = masters_[i]->request(container.slot).gang;
        container.units = is_gang ? running.count : 1;
        const std::uint32_t containers = is_gang ? 1 : running.count;
        stage(i, {}, std::vector<StagedContainer>(containers, container), running.where);
      }
    }
    log_.is_starting = false;
  }

  // What it wants from the start on, held back until everything that runs was there.
  void ask_for_all(std::size_t position) {
    if (!engine_.is_accepted(ids_[position])) return;
    std::vector<MasterAction> actions;
    const ScriptedMaster& master = *masters_[position];
    for (AskSlot slot = 0; slot < master.asks(); ++slot) {
      if (master.request(slot).pending > 0) actions.emplace_back(master.request(slot));
    }
    if (!actions.empty()) stage(position, actions, {}, scenario_.applications[position].where);
  }

  void refresh(const ScenarioStep& step) {
    SchedulerChoice choice = latest_;
    for (const Setting& setting : step.settings) {
      std::erase_if(choice.settings,
                    [&](const Setting& earlier) { return earlier.key == setting.key; });
      choice.settings.push_back(setting);
    }
    begin_round();
    round_.arrivals.push_back(SchedulerRefreshed{0});
    round_.configurations.push_back(configuration_of(choice));
    take_round();
    const std::string& refusal = engine_.refreshes().back().refusal;
    if (refusal.empty()) latest_ = std::move(choice);
    log_.refused = refusal;
  }

  void ask(const ScenarioStep& step) {
    const std::size_t position = open_position_of(step.application, step.where);
    ScriptedMaster& master = *masters_[position];
    SetAsk request = places_.request(step.ask, 0);
    if (master.has(step.ask.name)) {
      const SetAsk& before = master.request(master.slot_of(step.ask.name));
      if (before.priority != request.priority || before.gang != request.gang) {
        throw InputError(
            fmt::format("{}: an ask keeps its priority and whether it is a gang", step.ask.where));
      }
    }
    stage(position, std::vector<MasterAction>{master.ask(std::move(request), step.ask.name)}, {},
          step.where);
  }

  void end_containers(const ScenarioStep& step, ContainerEnd end) {
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

  const Scenario& scenario_;
  Names names_;
  StoryLog log_;
  StoryRecords records_;
  std::vector<ScriptedMaster*> masters_;  // by position; the engine owns them
  std::vector<ApplicationId> ids_;        // likewise; invalid until submitted
  Engine engine_;
  StoryPlaces places_;
  Round round_;
  std::vector<Command> commands_;
  TraceTime now_{};
  bool is_start_ = false;
  SchedulerChoice latest_;  // what the scheduler goes by
};

PlayedStep play_refusal(const Scenario& scenario) {
  PlayedStep step{"the scheduler is to be refused", {}, false, {}, {}};
  const Names names;
  try {
    make_chosen_scheduler(scenario.scheduler, {scenario.seed, names, scenario.dimensions});
    step.facts["refused"] = "";
  } catch (const InputError& error) {
    step.facts["refused"] = error.what();
  }
  const ExpectedFact expected{scenario.scheduler.where, "refused", scenario.refused};
  step.unmet = unmet(std::span(&expected, 1), step.facts);
  return step;
}

}  // namespace

std::vector<PlayedStep> play(const Scenario& scenario) {
  if (!scenario.refused.empty()) return {play_refusal(scenario)};
  Player player(scenario);
  std::vector<PlayedStep> steps{player.start()};
  for (const ScenarioStep& step : scenario.steps) steps.push_back(player.perform(step));
  return steps;
}

}  // namespace tracebed

#include "coordinator/recorded/log_facts.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

#include "coordinator/recorded/storage_facts.h"
#include "core/master_calls.h"
#include "core/unknown_constant.h"
#include "core/visit.h"
#include "report/figure_json.h"
#include "report/run_csv.h"

namespace tracebed {
namespace {

using Json = nlohmann::ordered_json;

const char* cancel_reason(CancelReason reason) {
  switch (reason) {
    case CancelReason::user:
      return "user";
    case CancelReason::stalled:
      return "stalled";
    case CancelReason::livelocked:
      return "livelocked";
  }
  unknown_constant();
}

std::optional<JobId> number_of(const std::string& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return JobId(number);
}

void add_amounts(Json& fact, const Resources& amounts) {
  fact["milli_vcores"] = amounts.milli_vcores();
  fact["memory_mib"] = amounts.memory_mib();
}

void add_account(Json& fact, const ContainerAccount& account) {
  fact["started_us"] = to_microseconds(account.started);
  fact["ended_us"] = to_microseconds(account.ended);
  fact["cpu_us"] = account.cpu_time.count();
  fact["memory_peak_mib"] = account.memory_peak_mib;
  const TaskAccountNumbers bytes = to_numbers(account);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != 0) fact[std::string(task_account_fields[i].name)] = bytes[i];
  }
  if (account.exit_code != 0) fact["exit_code"] = account.exit_code;
  if (account.signal != 0) fact["signal"] = account.signal;
  if (account.progress != 0) fact["progress_millionths"] = account.progress;
}

void add_task(Json& fact, const TaskRef& task, std::uint32_t attempt) {
  fact["stage"] = task.stage;
  fact["task"] = task.index;
  fact["attempt"] = attempt;
}

const char* kind_of(MasterCallKind kind) {
  switch (kind) {
    case MasterCallKind::registration:
      return "registration";
    case MasterCallKind::allocation:
      return "allocation";
    case MasterCallKind::unregistration:
      break;
  }
  return "unregistration";
}

const char* kind_of(AdministratorCommandKind kind) {
  switch (kind) {
    case AdministratorCommandKind::move:
      return "move";
    case AdministratorCommandKind::drain:
      return "drain";
    case AdministratorCommandKind::undrain:
      break;
  }
  return "undrain";
}

// Names that clients of the run's storage chose may have anything in them.
bool is_plain_text(const Json& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  return std::all_of(text.begin(), text.end(), [](char letter) {
    return static_cast<unsigned char>(letter) >= 0x20 && letter != 0x7f;
  });
}
std::string escaped(const Json& value) {
  return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace

LogFacts::LogFacts(const Names& names, LogFilter filter, Show show)
    : names_(names),
      filter_(std::move(filter)),
      show_(std::move(show)),
      job_(number_of(filter_.job)) {}

nlohmann::ordered_json LogFacts::begin(const char* what) const {
  return {{"round", round_}, {"at_us", to_microseconds(now_)}, {"what", what}};
}

void LogFacts::show(const About& about, const nlohmann::ordered_json& fact) const {
  if (!filter_.job.empty() && (!about.job || about.job != job_)) return;
  if (!filter_.node.empty() && (!about.node.is_valid() || node_name(about.node) != filter_.node)) {
    return;
  }
  show_(fact);
}

std::string LogFacts::node_name(NodeId node) const {
  const bool is_known = node.index() < nodes_.size() && !nodes_[node.index()].empty();
  return is_known ? nodes_[node.index()] : fmt::format("#{}", node.value());
}

// Names of nodes come with their machines, and the number of the job that is looked for with it.
void LogFacts::learn(const Round& round) {
  for (const Arrival& arrival : round.arrivals) {
    visit_all(
        arrival,
        [&](const NodeJoined& joined) {
          if (joined.node.index() >= nodes_.size()) nodes_.resize(joined.node.index() + 1);
          nodes_[joined.node.index()] = round.machines[joined.machine].name;
          has_found_node_ |= nodes_[joined.node.index()] == filter_.node;
        },
        [&](const JobSubmitted& submitted) {
          const Job& job = round.jobs()[submitted.job];
          if (!filter_.job.empty() && job.name == filter_.job) job_ = job.id;
          has_found_job_ |= job_ == job.id;
        },
        Ignore<NodeLost, ContainerEnded, GangEnded, NodeHeartbeat, RunCancelled, SchedulerRefreshed,
               MasterCalled, AdministratorCommand, StorageArrived, AttemptProgress,
               DecisionMade>{});
  }
}

void LogFacts::show_arrivals(const Round& round, const Engine* engine) {
  ++round_;
  now_ = round.now;
  learn(round);
  if (!is_within(now_)) return;
  for (const Arrival& arrival : round.arrivals) show_arrival(round, arrival, engine);
}

LogFacts::About LogFacts::of_container(nlohmann::ordered_json& fact, ContainerId id,
                                       const Engine* engine) {
  fact["container"] = id.value();
  const Container* container = engine == nullptr ? nullptr : engine->cluster().containers.find(id);
  if (container == nullptr) return {};
  const ContainerState& state = engine->container_state(id);
  fact["job"] = state.job.value();
  if (container->is_master) {
    fact["master"] = true;
  } else if (container->is_launched) {
    add_task(fact, state.task, state.attempt);
  }
  return {state.job, container->node};
}

// One by one where it is known what they were.
void LogFacts::show_gang(const GangEnded& gang, const Engine* engine) {
  for (std::uint32_t i = 0; i < (engine == nullptr ? 1 : gang.containers); ++i) {
    Json fact = begin(engine == nullptr ? "gang_ended" : "container_ended");
    const About about = of_container(fact, gang.first + i, engine);
    if (about.node.is_valid()) fact["node"] = node_name(about.node);
    if (engine == nullptr) fact["containers"] = gang.containers;
    fact["end"] = std::string(name(ContainerEnd::succeeded));
    add_account(fact, gang.account);
    show(about, fact);
  }
}

void LogFacts::show_order(const AdministratorCommand& order, const Engine* engine) {
  Json fact = begin("administrator_command");
  fact["order"] = kind_of(order.kind);
  About about;
  if (order.kind == AdministratorCommandKind::move) {
    about = of_container(fact, order.container, engine);
  }
  if (order.node.is_valid()) {
    about.node = order.node;
    fact["node"] = node_name(order.node);
  }
  if (order.kind != AdministratorCommandKind::undrain) fact["grace_us"] = order.grace.count();
  show(about, fact);
}

void LogFacts::show_arrival(const Round& round, const Arrival& arrival, const Engine* engine) {
  visit_all(
      arrival,
      [&](const JobSubmitted& submitted) {
        const Job& job = round.jobs()[submitted.job];
        Json fact = begin("job_submitted");
        std::uint64_t tasks = 0;
        for (const Stage& stage : job.stages) tasks += task_count(stage);
        fact["job"] = job.id.value();
        fact["name"] = job.name;
        fact["kind"] = std::string(name(job.kind));
        fact["user"] = names_.users.name(job.user);
        fact["queue"] = names_.queues.name(job.queue);
        if (job.priority != 0) fact["priority"] = job.priority;
        if (job.requested_time > Duration::zero()) {
          fact["requested_time_us"] = job.requested_time.count();
        }
        if (job.deadline > Duration::zero()) fact["deadline_us"] = job.deadline.count();
        fact["stages"] = job.stages.size();
        fact["tasks"] = tasks;
        show({job.id, {}}, fact);
      },
      [&](const NodeJoined& joined) {
        const Machine& machine = round.machines[joined.machine];
        Json fact = begin("node_joined");
        fact["node"] = machine.name;
        fact["rack"] = machine.rack;
        add_amounts(fact, machine.capacity);
        if (!machine.labels.empty())
          fact["labels"] = fmt::format("{}", fmt::join(machine.labels, " "));
        show({{}, joined.node}, fact);
      },
      [&](const NodeLost& lost) {
        Json fact = begin("node_lost");
        fact["node"] = node_name(lost.node);
        show({{}, lost.node}, fact);
      },
      [&](const ContainerEnded& ended) {
        Json fact = begin("container_ended");
        About about = of_container(fact, ended.container, engine);
        about.node = ended.node;
        fact["node"] = node_name(ended.node);
        fact["end"] = std::string(name(ended.end));
        add_account(fact, ended.account);
        show(about, fact);
      },
      [&](const GangEnded& gang) { show_gang(gang, engine); },
      [&](const NodeHeartbeat& heartbeat) {
        Json fact = begin("heartbeat");
        fact["node"] = node_name(heartbeat.node);
        add_amounts(fact, heartbeat.used);
        if (heartbeat.io_pressure >= 0) fact["io_pressure"] = heartbeat.io_pressure;
        show({{}, heartbeat.node}, fact);
      },
      [&](const RunCancelled& cancelled) {
        Json fact = begin("run_cancelled");
        fact["reason"] = cancel_reason(cancelled.reason);
        show({}, fact);
      },
      [&](const SchedulerRefreshed& refreshed) {
        Json fact = begin("scheduler_refreshed");
        for (const auto& [key, value] : round.configurations[refreshed.configuration].settings) {
          fact["setting " + key] = value;
        }
        show({}, fact);
      },
      [&](const MasterCalled& called) {
        const MasterCall& call = round.master_calls[called.call];
        Json fact = begin("master_called");
        fact["application"] = call.application.value();
        const Application* application =
            engine == nullptr ? nullptr : engine->cluster().applications.find(call.application);
        About about;
        if (application != nullptr) {
          about.job = application->job;
          fact["job"] = application->job.value();
        }
        fact["attempt"] = call.attempt;
        fact["sequence"] = call.sequence;
        fact["call"] = kind_of(call.kind);
        fact["actions"] = call.actions.size();
        show(about, fact);
      },
      [&](const AdministratorCommand& order) { show_order(order, engine); },
      [&](const AttemptProgress& report) {
        Json fact = begin("attempt_progress");
        const About about = of_container(fact, report.container, engine);
        fact["progress_millionths"] = report.progress;
        show(about, fact);
      },
      [&](const DecisionMade& made) {
        Json fact = begin("decision_made");
        fact.update({{"scheduler", made.scheduler}, {"decision", made.decision}});
        show({}, fact);
      },
      [&](const StorageArrived& arrived) {
        const StorageInput& input = round.storage[arrived.input];
        Json fact = begin(storage_kind(input));
        const NodeId node = storage_node(input);
        if (node.is_valid()) fact["node"] = node_name(node);
        add_storage_facts(fact, input);
        show({{}, node}, fact);
      });
}

void LogFacts::show_commands(std::span<const Command> commands, const Engine& engine) {
  if (!is_within(now_)) return;
  const auto of_one = [&](const char* what, ContainerId container, NodeId node) {
    Json fact = begin(what);
    About about = of_container(fact, container, &engine);
    about.node = node;
    fact["node"] = node_name(node);
    show(about, fact);
  };
  for (const Command& command : commands) {
    visit_all(
        command,
        [&](const LaunchContainer& launch) {
          of_one(launch.is_held ? "launch_held" : "launch", launch.container, launch.node);
        },
        [&](const LaunchGangContainers& gang) {
          visit_containers(
              gang, [&](const LaunchContainer& one) { of_one("launch", one.container, one.node); });
        },
        [&](const ContinueContainer& continued) {
          of_one("continue", continued.container, continued.node);
        },
        [&](const KillContainer& killed) { of_one("kill", killed.container, killed.node); },
        [&](const CheckpointContainer& kept) { of_one("checkpoint", kept.container, kept.node); },
        [&](const LaunchMaster& master) { of_one("launch_master", master.container, master.node); },
        // What they answer is shown, or what they follow from.
        Ignore<AnswerMaster, AnswerDatanode, StoreReplicas, AnswerStorageCall, MapOutputReady,
               RemoveMapOutputs>{});
  }
}

void LogFacts::show_choices(const Engine& engine, const ResourceDimensions& dimensions) {
  for (const PlacementChoice& choice : engine.scheduler().view(engine.cluster()).choices) {
    has_found_choice_ = true;
    const Application* const application = engine.cluster().applications.find(choice.application);
    std::optional<JobId> job;
    if (application != nullptr) job = application->job;
    for (const NodeScore& score : choice.nodes) {
      Json fact = begin(score.excluded_by.empty() ? "candidate" : "excluded");
      if (job) fact["job"] = job->value();
      fact["ask"] = choice.ask.value();
      fact["node"] = node_name(score.node);
      fact["chosen"] = score.node == choice.chosen;
      if (!score.excluded_by.empty()) fact["fails"] = score.excluded_by;
      for (const Figure& figure : score.scores) {
        fact[std::string(figure.id)] = figure_json(figure.value, dimensions);
      }
      show({job, score.node}, fact);
    }
  }
}

std::string to_line(const nlohmann::ordered_json& fact) {
  std::string line = fmt::format("{:>8} {:>16.6f} s  {:<19}", fact.at("round").get<std::uint64_t>(),
                                 static_cast<double>(fact.at("at_us").get<std::int64_t>()) / 1e6,
                                 fact.at("what").get<std::string>());
  for (const auto& [key, value] : fact.items()) {
    if (key == "round" || key == "at_us" || key == "what") continue;
    if (key.ends_with("_us")) {
      line += fmt::format(" {}={:.6f}s", key.substr(0, key.size() - 3),
                          static_cast<double>(value.get<std::int64_t>()) / 1e6);
    } else {
      line += fmt::format(" {}={}", key,
                          is_plain_text(value) ? value.get<std::string>() : escaped(value));
    }
  }
  return line;
}

}  // namespace tracebed

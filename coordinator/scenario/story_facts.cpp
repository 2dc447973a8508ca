#include "coordinator/scenario/story_facts.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>

#include "coordinator/engine/waiting.h"
#include "coordinator/scenario/expectations.h"
#include "report/figure_json.h"
#include "report/figure_text.h"
#include "schedulers/parts/ask_figure.h"

namespace tracebed {
namespace {

using Json = StoryFacts;

constexpr std::array<std::string_view, 27> names{
    "allocated", "locality",     "ended",        "killed",      "accepted",    "rejected",
    "closed",    "refused",      "running",      "free",        "used",        "pending",
    "waiting",   "why",          "headroom",     "active",      "inactive",    "queue_order",
    "queues",    "applications", "reservations", "wanted_back", "next_wanted", "requested_time",
    "choices",   "asks",         "deadline"};

class FactsBuilder {
 public:
  FactsBuilder(const Scenario& scenario, const Engine& engine, const StoryLog& log,
               std::span<const OpenApplication> open, std::span<ScriptedMaster* const> masters)
      : scenario_(scenario), engine_(engine), log_(log), open_(open), masters_(masters) {
    for (const std::string_view name : names) facts_[std::string(name)] = Json::object();
    for (const std::string_view name : list_facts()) facts_[std::string(name)] = Json::array();
    facts_["refused"] = "";
  }

  Json build() {
    add_events();
    add_nodes();
    for (const OpenApplication& application : open_) add_application(application);
    add_scheduler(engine_.scheduler().view(cluster()));
    return std::move(facts_);
  }

 private:
  const ClusterModel& cluster() const { return engine_.cluster(); }
  const std::string& name_of(std::size_t position) const {
    return scenario_.applications[position].name;
  }
  // The scheduler's view names applications by id.
  std::string name_of(ApplicationId id) const {
    for (const OpenApplication& application : open_) {
      if (application.id == id) return name_of(application.position);
    }
    return fmt::format("application {}", id.value());
  }
  Json amounts(const Resources& resources) const {
    return resources_json(resources, scenario_.dimensions);
  }

  void add_events() {
    for (const auto& [container, locality] : log_.allocated) {
      for (std::uint32_t unit = 0; unit < container.units; ++unit) {
        facts_["allocated"].push_back(container_label(scenario_, container));
        facts_["locality"].push_back(name(locality));
      }
    }
    for (const auto& [container, end] : log_.ended) {
      const bool was_killed = end == ContainerEnd::killed || end == ContainerEnd::preempted;
      facts_[was_killed ? "killed" : "ended"].push_back(container_label(scenario_, container));
    }
    for (const std::size_t position : log_.accepted) {
      facts_["accepted"].push_back(name_of(position));
    }
    for (const auto& [position, record] : log_.closed) {
      if (record.outcome == JobOutcome::rejected) {
        facts_["rejected"][name_of(position)] = record.diagnostics;
      } else {
        facts_["closed"].push_back(name_of(position));
      }
    }
    if (log_.refused) facts_["refused"] = *log_.refused;
  }

  void add_nodes() {
    for (const Node& node : cluster().nodes) {
      if (!node.alive) continue;
      facts_["free"][node.name] = amounts(positive_part(node.free));
      facts_["running"][node.name] = Json::array();
    }
    for (const auto& [id, container] : log_.running) {
      const std::string label = ask_label(scenario_, container.application, container.ask);
      Json& on_node = facts_["running"][cluster().node(container.node).name];
      for (std::uint32_t unit = 0; unit < container.units; ++unit) on_node.push_back(label);
    }
    for (auto& [node, labels] : facts_["running"].items()) std::sort(labels.begin(), labels.end());
  }

  void add_application(const OpenApplication& open) {
    const std::string& name = name_of(open.position);
    const Application& application = cluster().applications[open.id];
    const bool is_accepted = engine_.is_accepted(open.id);
    if (application.requested_time > Duration::zero()) {
      facts_["requested_time"][name] = number_json(to_seconds(application.requested_time));
    }
    if (application.deadline != never) {
      facts_["deadline"][name] = number_json(to_seconds(application.deadline - TraceTime{}));
    }
    facts_["used"][name] = amounts(application.used);
    facts_["headroom"][name] = amounts(engine_.scheduler().headroom(cluster(), open.id));
    add_waiting(name, why_application_waits(engine_.scheduler(), cluster(), open.id, is_accepted));
    const ScriptedMaster* master = masters_[open.position];
    for (const AskId id : application.asks) {
      const Ask& ask = cluster().asks[id];
      const std::string label = label_of(open, *master, id);
      ask_labels_[id] = label;
      facts_["pending"][label] = ask.pending;
      if (ask.pending == 0 || label == name) continue;
      add_waiting(label, why_ask_waits(engine_.scheduler(), cluster(), id));
    }
  }

  // A scripted master closes no ask, so its slots are in the order of the asks' ids.
  std::string label_of(const OpenApplication& open, const ScriptedMaster& master, AskId ask) const {
    const auto& asks = cluster().applications[open.id].asks;
    const auto slot = std::count_if(asks.begin(), asks.end(), [&](AskId id) { return id < ask; });
    return ask_label(scenario_, open.position, master.name_of(static_cast<AskSlot>(slot)));
  }

  // By their ids as they are, and for people by their labels as text. Those of an ask are facts of
  // that ask.
  void add_figures(const std::vector<Figure>& figures, Json& facts) {
    facts["figures"] = Json::object();
    for (const Figure& figure : figures) {
      const std::optional<AskFigure> of_ask = ask_figure(figure);
      if (!of_ask) {
        add_figure(figure.id, figure.label, figure.value, facts);
      } else if (const auto label = ask_labels_.find(of_ask->ask); label != ask_labels_.end()) {
        add_figure(of_ask->id, of_ask->label, figure.value, facts_["asks"][label->second]);
      }
    }
  }

  void add_figure(std::string_view id, std::string_view label, const FigureValue& value,
                  Json& facts) const {
    facts[std::string(id)] = figure_json(value, scenario_.dimensions);
    if (label.empty()) return;
    facts["figures"][std::string(label)] = figure_text(value, scenario_.dimensions);
  }

  void add_waiting(const std::string& label, const std::vector<WaitingReason>& reasons) {
    Json& list = facts_["waiting"][label] = Json::array();
    std::string why;
    for (const WaitingReason& reason : reasons) {
      list.push_back(name(reason.reason));
      why += (why.empty() ? "" : "; ") + reason.text;
    }
    facts_["why"][label] = why;
  }

  void add_scheduler(const SchedulerView& view) {
    for (const QueueView& queue : view.queues) {
      const std::string& path = queue.queue.path;
      facts_["queue_order"].push_back(path);
      facts_["queues"][path] = {{"used", amounts(queue.used)},
                                {"entitled", amounts(queue.entitled)}};
      add_figures(queue.queue.figures, facts_["queues"][path]);
      if (!queue.queue.is_leaf) continue;
      Json& active = facts_["active"][path] = Json::array();
      for (const ApplicationId id : queue.active) active.push_back(name_of(id));
      Json& waiting = facts_["inactive"][path] = Json::array();
      for (const ApplicationId id : queue.waiting) waiting.push_back(name_of(id));
    }
    for (const ApplicationView& application : view.applications) {
      Json& facts = facts_["applications"][name_of(application.application)];
      facts = {{"queue", application.queue}, {"active", application.is_active}};
      add_figures(application.figures, facts);
    }
    for (const ReservationView& reservation : view.reservations) {
      facts_["reservations"].push_back(name_of(reservation.application) + "@" +
                                       cluster().node(reservation.node).name);
    }
    for (const PreemptionView& preemption : view.preemptions) {
      const auto container = log_.running.find(preemption.container);
      if (container == log_.running.end()) continue;
      facts_[preemption.is_asked_for ? "wanted_back" : "next_wanted"].push_back(
          container_label(scenario_, container->second));
    }
    for (const PlacementChoice& choice : view.choices) add_choice(choice);
  }

  // By "APPLICATION@NODE"; the second with one name gets " 2".
  void add_choice(const PlacementChoice& choice) {
    const std::string chosen =
        choice.chosen.is_valid() ? cluster().node(choice.chosen).name : std::string("nowhere");
    const std::string label = name_of(choice.application) + "@" + chosen;
    std::string unique = label;
    for (int i = 2; facts_["choices"].contains(unique); ++i) {
      unique = fmt::format("{} {}", label, i);
    }
    Json& nodes = facts_["choices"][unique] = Json::object();
    for (const NodeScore& score : choice.nodes) {
      Json& facts = nodes[cluster().node(score.node).name] = Json::object();
      if (!score.excluded_by.empty()) facts["fails"] = score.excluded_by;
      for (const Figure& figure : score.scores) {
        facts[figure.id] = figure_json(figure.value, scenario_.dimensions);
      }
    }
  }

  const Scenario& scenario_;
  const Engine& engine_;
  const StoryLog& log_;
  std::span<const OpenApplication> open_;
  std::span<ScriptedMaster* const> masters_;
  Json facts_;
  std::map<AskId, std::string> ask_labels_;  // of all open applications
};

}  // namespace

std::span<const std::string_view> fact_names() {
  return names;
}

std::string ask_label(const Scenario& scenario, std::size_t application, const std::string& ask) {
  const std::string& name = scenario.applications[application].name;
  return ask.empty() ? name : name + "." + ask;
}

std::string container_label(const Scenario& scenario, const StoryContainer& container) {
  return ask_label(scenario, container.application, container.ask) + "@" +
         scenario.nodes[container.node.index()].machine.name;
}

StoryFacts facts_of(const Scenario& scenario, const Engine& engine, const StoryLog& log,
                    std::span<const OpenApplication> open,
                    std::span<ScriptedMaster* const> masters) {
  return FactsBuilder(scenario, engine, log, open, masters).build();
}

}  // namespace tracebed

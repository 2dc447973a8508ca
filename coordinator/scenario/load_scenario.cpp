#include "coordinator/scenario/load_scenario.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

#include "coordinator/config/settings_table.h"
#include "coordinator/config/text_file.h"
#include "coordinator/scenario/load_asks.h"
#include "coordinator/scenario/load_expectations.h"
#include "coordinator/scenario/load_step.h"
#include "core/input_error.h"
#include "system/toml_value.h"

namespace tracebed {
namespace {

constexpr std::size_t text_bytes_max = std::size_t{1} << 20;

// ---- [[node]] ----

struct NodeTable {
  ScenarioNode node;
  std::uint32_t count = 1;
  NamedAmounts extra;
};

constexpr std::array node_keys{
    TomlKey<NodeTable>{"name",
                       [](const TomlValue& value, NodeTable& table) {
                         table.node.machine.name = read_plain_name(value);
                       }},
    TomlKey<NodeTable>{"count", [](const TomlValue& value,
                                   NodeTable& table) { table.count = read_count(value, 1); }},
    TomlKey<NodeTable>{"rack", [](const TomlValue& value,
                                  NodeTable& table) { table.node.machine.rack = value.text(); }},
    TomlKey<NodeTable>{"vcores",
                       [](const TomlValue& value, NodeTable& table) {
                         table.node.machine.capacity[Resources::vcores_dimension] =
                             read_milli_vcores(value);
                       },
                       Presence::required},
    TomlKey<NodeTable>{"memory",
                       [](const TomlValue& value, NodeTable& table) {
                         table.node.machine.capacity[Resources::memory_dimension] =
                             read_memory_mib(value);
                       },
                       Presence::required},
    TomlKey<NodeTable>{"extra", [](const TomlValue& value,
                                   NodeTable& table) { read_amounts(value, table.extra); }},
    TomlKey<NodeTable>{"label",
                       [](const TomlValue& value, NodeTable& table) {
                         table.node.machine.labels = {value.text()};
                       }},
    TomlKey<NodeTable>{"absent", [](const TomlValue& value,
                                    NodeTable& table) { table.node.is_absent = value.boolean(); }},
};

// ---- [[application]] ----

struct ApplicationTable {
  ScenarioApplication application;
  const ResourceDimensions* dimensions = nullptr;
};

constexpr std::array running_keys{
    TomlKey<ScenarioRunning>{"ask", [](const TomlValue& value,
                                       ScenarioRunning& running) { running.ask = value.text(); }},
    TomlKey<ScenarioRunning>{
        "node",
        [](const TomlValue& value, ScenarioRunning& running) { running.node = value.text(); },
        Presence::required},
    TomlKey<ScenarioRunning>{"count",
                             [](const TomlValue& value, ScenarioRunning& running) {
                               running.count = read_count(value, 1);
                             }},
};

void read_running(const TomlValue& value, ApplicationTable& table) {
  for (const TomlValue& element : value.elements()) {
    ScenarioRunning running;
    running.where = element.where();
    read_table<ScenarioRunning>(element.table(), element.key(), running_keys, running);
    const std::vector<ScenarioAsk>& asks = table.application.asks;
    const auto found = std::find_if(
        asks.begin(), asks.end(), [&](const ScenarioAsk& ask) { return ask.name == running.ask; });
    if (found == asks.end()) {
      element.fail(fmt::format("the application has no ask \"{}\"", running.ask));
    }
    table.application.running.push_back(std::move(running));
  }
}

void read_asks(const TomlValue& value, ApplicationTable& table) {
  for (const TomlValue& element : value.elements()) {
    ScenarioAsk ask = read_ask(element, *table.dimensions).ask;
    for (const ScenarioAsk& other : table.application.asks) {
      if (other.name != ask.name) continue;
      element.fail(ask.name.empty() ? "of several asks at most one has no name"
                                    : "another ask has this name");
    }
    table.application.asks.push_back(std::move(ask));
  }
}

constexpr std::array application_keys{
    TomlKey<ApplicationTable>{"name",
                              [](const TomlValue& value, ApplicationTable& table) {
                                table.application.name = read_plain_name(value);
                              },
                              Presence::required},
    TomlKey<ApplicationTable>{"user",
                              [](const TomlValue& value, ApplicationTable& table) {
                                table.application.user = value.text();
                              }},
    TomlKey<ApplicationTable>{"queue",
                              [](const TomlValue& value, ApplicationTable& table) {
                                table.application.queue = value.text();
                              }},
    TomlKey<ApplicationTable>{"priority",
                              [](const TomlValue& value, ApplicationTable& table) {
                                constexpr std::int64_t bound = 1'000'000;
                                table.application.priority =
                                    static_cast<std::int32_t>(value.integer(-bound, bound));
                              }},
    TomlKey<ApplicationTable>{"asks", read_asks},
    TomlKey<ApplicationTable>{"running", read_running},
};

// ---- the root ----

struct Draft {
  Scenario scenario;
  std::vector<std::pair<ScenarioNode, NamedAmounts>> nodes;
};

void read_nodes(const TomlValue& value, Draft& draft) {
  std::vector<std::string> extra;
  for (const TomlValue& element : value.elements()) {
    NodeTable table;
    read_table<NodeTable>(element.table(), element.key(), node_keys, table);
    for (const auto& [name, amount] : table.extra) {
      if (std::find(extra.begin(), extra.end(), name) == extra.end()) extra.push_back(name);
    }
    const std::string base = table.node.machine.name;
    for (std::uint32_t i = 1; i <= table.count; ++i) {
      ScenarioNode node = table.node;
      const std::size_t number = base.empty() ? draft.nodes.size() + 1 : i;
      const bool is_only = !base.empty() && table.count == 1;
      node.machine.name = is_only ? base : fmt::format("{}{}", base.empty() ? "n" : base, number);
      for (const auto& [other, amounts] : draft.nodes) {
        if (other.machine.name != node.machine.name) continue;
        element.fail(fmt::format("there are two nodes {}", node.machine.name));
      }
      draft.nodes.emplace_back(std::move(node), table.extra);
    }
  }
  constexpr std::size_t extra_max = Resources::dimensions_max - 2;
  if (extra.size() > extra_max) value.fail("expected at most six extra dimensions");
  draft.scenario.dimensions = ResourceDimensions(extra);
  for (auto& [node, amounts] : draft.nodes) {
    for (const auto& [name, amount] : amounts) {
      node.machine.capacity[draft.scenario.dimensions.find(name)] = amount;
    }
    draft.scenario.nodes.push_back(node);
  }
}

void read_applications(const TomlValue& value, Draft& draft) {
  for (const TomlValue& element : value.elements()) {
    ApplicationTable table;
    table.application.where = element.where();
    table.application.user = "user";
    table.application.queue = "default";
    table.dimensions = &draft.scenario.dimensions;
    read_table<ApplicationTable>(element.table(), element.key(), application_keys, table);
    for (const ScenarioApplication& other : draft.scenario.applications) {
      if (other.name == table.application.name) {
        element.fail(fmt::format("there are two applications {}", other.name));
      }
    }
    draft.scenario.applications.push_back(std::move(table.application));
  }
}

void read_scheduler(const TomlValue& value, Draft& draft) {
  SchedulerChoice& choice = draft.scenario.scheduler;
  choice.where = value.where();
  for (const auto& [key, node] : value.table()) {
    const TomlValue entry(node, join_key(value.key(), key.str()));
    if (key.str() == "name") {
      choice.name = entry.text();
      choice.label = choice.name;
    } else {
      read_setting(entry, std::string(key.str()), choice.settings);
    }
  }
  if (choice.name.empty()) fail_missing_key(value.table(), value.key(), "name");
}

void read_steps(const TomlValue& value, Draft& draft) {
  for (const TomlValue& element : value.elements()) {
    ScenarioStep step = read_step(element, draft.scenario.dimensions);
    if (step.action == ScenarioStep::Action::submit) {
      for (const std::string& name : step.names) {
        for (ScenarioApplication& application : draft.scenario.applications) {
          if (application.name == name) application.is_submitted_later = true;
        }
      }
    }
    draft.scenario.steps.push_back(std::move(step));
  }
}

constexpr std::array root_keys{
    TomlKey<Draft>{
        "name", [](const TomlValue& value, Draft& draft) { draft.scenario.name = value.text(); }},
    TomlKey<Draft>{"story", [](const TomlValue& value,
                               Draft& draft) { draft.scenario.story = value.scalar_as_text(); }},
    TomlKey<Draft>{"seed",
                   [](const TomlValue& value, Draft& draft) {
                     draft.scenario.seed = static_cast<std::uint64_t>(
                         value.integer(0, std::numeric_limits<std::int64_t>::max()));
                   }},
    TomlKey<Draft>{"scheduler", read_scheduler, Presence::required},
    TomlKey<Draft>{"refused", [](const TomlValue& value,
                                 Draft& draft) { draft.scenario.refused = value.text(); }},
    TomlKey<Draft>{"node", read_nodes},
    TomlKey<Draft>{"application", read_applications},
    TomlKey<Draft>{"expect",
                   [](const TomlValue& value, Draft& draft) {
                     draft.scenario.expected = read_expectations(value);
                   }},
    TomlKey<Draft>{"step", read_steps},
};

// How many containers the application could be given, all asks together.
std::uint64_t containers_of(const ScenarioApplication& application, const Scenario& scenario) {
  std::uint64_t sum = 0;
  for (const ScenarioAsk& ask : application.asks) sum += ask.count;
  for (const ScenarioRunning& running : application.running) sum += running.count;
  for (const ScenarioStep& step : scenario.steps) {
    if (step.application == application.name) sum += step.ask.count;
  }
  return sum;
}

void check_application(const ScenarioApplication& application, const Scenario& scenario) {
  if (application.is_submitted_later && !application.running.empty()) {
    throw InputError(
        fmt::format("{}.running: a step submits this application, so it holds nothing at the start",
                    application.where));
  }
  const std::uint64_t containers = containers_of(application, scenario);
  if (containers > story_tasks_max) {
    throw InputError(fmt::format("{}: expected asks for at most {} containers, got {}",
                                 application.where, story_tasks_max, containers));
  }
}

}  // namespace

Scenario parse_scenario(const std::string& text, const std::string& label,
                        const std::filesystem::path& folder) {
  const toml::table root = parse_toml(text, label);
  Draft draft;
  read_table<Draft>(root, "", root_keys, draft);
  draft.scenario.scheduler.files.folder = folder;
  for (const ScenarioApplication& application : draft.scenario.applications) {
    check_application(application, draft.scenario);
  }
  return std::move(draft.scenario);
}

Scenario load_scenario(const std::filesystem::path& file) {
  return parse_scenario(read_text_file(file, text_bytes_max), file.string(), file.parent_path());
}

}  // namespace tracebed

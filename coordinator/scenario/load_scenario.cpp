#include "coordinator/scenario/load_scenario.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

#include "coordinator/config/cluster_table.h"
#include "coordinator/config/settings_table.h"
#include "coordinator/config/text_file.h"
#include "coordinator/scenario/load_applications.h"
#include "coordinator/scenario/load_asks.h"
#include "coordinator/scenario/load_expectations.h"
#include "coordinator/scenario/load_properties.h"
#include "coordinator/scenario/load_step.h"
#include "core/input_error.h"
#include "system/toml_value.h"

namespace tracebed {
namespace {

constexpr std::size_t text_bytes_max = std::size_t{1} << 20;
constexpr Duration longest_beat = seconds(10'000'000);

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

// ---- the root ----

struct Draft {
  const SchedulerRegistry* schedulers;
  std::string file;                // its name in messages
  Scenario scenario;               // without the nodes and the settings
  std::vector<std::string> extra;  // dimensions, in the order in which nodes name them
  std::vector<std::pair<ScenarioNode, NamedAmounts>> nodes;
  std::vector<Setting> settings;
  std::vector<TomlValue> cases;
  std::optional<TomlValue> devices;
};

void add_node(const TomlValue& element, NodeTable table, Draft& draft) {
  for (const auto& [name, amount] : table.extra) {
    if (std::find(draft.extra.begin(), draft.extra.end(), name) == draft.extra.end()) {
      draft.extra.push_back(name);
    }
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

void read_nodes(const TomlValue& value, Draft& draft) {
  for (const TomlValue& element : value.elements()) {
    NodeTable table;
    read_table<NodeTable>(element.table(), element.key(), node_keys, table);
    add_node(element, std::move(table), draft);
  }
  constexpr std::size_t extra_max = Resources::dimensions_max - 2;
  if (draft.extra.size() > extra_max) value.fail("expected at most six extra dimensions");
  draft.scenario.dimensions = ResourceDimensions(draft.extra);
}

// A scheduler of another name has settings of its own.
void read_scheduler(const TomlValue& value, Draft& draft) {
  SchedulerChoice& choice = draft.scenario.scheduler;
  choice.where = value.where();
  std::vector<Setting> settings;
  for (const auto& [key, node] : value.table()) {
    const TomlValue entry(node, join_key(value.key(), key.str()));
    if (key.str() != "name") {
      read_setting(entry, std::string(key.str()), settings);
      continue;
    }
    if (entry.text() != choice.name) draft.settings.clear();
    choice.name = entry.text();
    choice.label = choice.name;
  }
  if (choice.name.empty()) fail_missing_key(value.table(), value.key(), "name");
  draft.settings = overlaid(*draft.schedulers, draft.settings, settings, choice.name);
}

void read_steps(const TomlValue& value, Draft& draft) {
  for (const TomlValue& element : value.elements()) {
    draft.scenario.steps.push_back(read_step(element, draft.scenario.dimensions));
  }
}

void read_cases(const TomlValue& value, Draft& draft) {
  draft.cases = value.elements();
  if (draft.cases.empty()) value.fail_expected("at least one case");
}

constexpr std::array root_keys{
    TomlKey<Draft>{
        "name", [](const TomlValue& value, Draft& draft) { draft.scenario.name = value.text(); }},
    TomlKey<Draft>{"story", [](const TomlValue& value,
                               Draft& draft) { draft.scenario.story = value.scalar_as_text(); }},
    TomlKey<Draft>{"source", [](const TomlValue& value,
                                Draft& draft) { draft.scenario.source = value.text(); }},
    TomlKey<Draft>{"seed",
                   [](const TomlValue& value, Draft& draft) {
                     draft.scenario.seed = static_cast<std::uint64_t>(
                         value.integer(0, std::numeric_limits<std::int64_t>::max()));
                   }},
    TomlKey<Draft>{"beat",
                   [](const TomlValue& value, Draft& draft) {
                     draft.scenario.beat = value.duration(Duration::zero(), longest_beat);
                   }},
    TomlKey<Draft>{"limit_vcores",
                   [](const TomlValue& value, Draft& draft) {
                     draft.scenario.limit_vcores = value.boolean();
                   }},
    TomlKey<Draft>{"devices", [](const TomlValue& value, Draft& draft) { draft.devices = value; }},
    TomlKey<Draft>{"scheduler", read_scheduler},
    TomlKey<Draft>{"refused", [](const TomlValue& value,
                                 Draft& draft) { draft.scenario.refused = value.text(); }},
    TomlKey<Draft>{"node", read_nodes},
    TomlKey<Draft>{"application", [](const TomlValue& value,
                                     Draft& draft) { read_applications(value, draft.scenario); }},
    TomlKey<Draft>{"expect",
                   [](const TomlValue& value, Draft& draft) {
                     for (ExpectedFact& fact : read_expectations(value)) {
                       draft.scenario.expected.push_back(std::move(fact));
                     }
                   }},
    TomlKey<Draft>{"step", read_steps},
    TomlKey<Draft>{"case", read_cases},
};

std::string place_of_devices(const Draft& draft) {
  return draft.devices ? draft.devices->where() + ": " : std::string();
}

Scenario finished(Draft& draft, const toml::table& root, const std::filesystem::path& folder) {
  const SchedulerRegistry& schedulers = *draft.schedulers;
  Scenario& scenario = draft.scenario;
  SchedulerChoice& choice = scenario.scheduler;
  if (choice.name.empty()) fail_missing_key(root, "", "scheduler");
  choice.files.folder = folder;
  choice.settings = with_files(schedulers, draft.settings, choice.name, draft.file);
  for (ScenarioStep& step : scenario.steps) {
    const std::vector<Setting> all =
        with_files(schedulers, overlaid(schedulers, draft.settings, step.settings, choice.name),
                   choice.name, draft.file);
    // Of a file that it changes by a property the step has the whole text.
    std::vector<Setting> own;
    for (const Setting& setting : all) {
      const bool is_own =
          std::any_of(step.settings.begin(), step.settings.end(), [&](const Setting& given) {
            return given.key == setting.key || given.key.starts_with(setting.key + ".");
          });
      if (is_own) own.push_back(setting);
    }
    step.settings = std::move(own);
  }
  for (auto& [node, amounts] : draft.nodes) {
    for (const auto& [name, amount] : amounts) {
      node.machine.capacity[scenario.dimensions.find(name)] = amount;
    }
    scenario.nodes.push_back(node);
  }
  scenario.devices = device_sizes(draft.devices, scenario.dimensions);
  for (const ScenarioNode& node : scenario.nodes) {
    const Status status = check_devices(scenario.devices, node.machine, scenario.dimensions);
    if (!status) throw InputError(place_of_devices(draft) + status.error().message);
  }
  check_applications(scenario);
  return std::move(scenario);
}

// A case begins with what the file contains outside of its cases.
Scenario case_of(const Draft& shared, const TomlValue& value, const toml::table& root,
                 const std::filesystem::path& folder) {
  Draft draft = shared;
  draft.cases.clear();
  draft.scenario.name.clear();
  draft.scenario.is_case = true;
  read_table<Draft>(value.table(), value.key(), root_keys, draft);
  if (draft.scenario.name.empty()) fail_missing_key(value.table(), value.key(), "name");
  if (!draft.cases.empty()) value.fail("a case has no cases of its own");
  return finished(draft, root, folder);
}

}  // namespace

std::vector<Scenario> parse_scenarios(const SchedulerRegistry& schedulers, const std::string& text,
                                      const std::string& label,
                                      const std::filesystem::path& folder) {
  const toml::table root = parse_toml(text, label);
  Draft shared{.schedulers = &schedulers, .file = label};
  read_table<Draft>(root, "", root_keys, shared);
  std::vector<Scenario> scenarios;
  for (const TomlValue& value : shared.cases) {
    scenarios.push_back(case_of(shared, value, root, folder));
    const std::string& name = scenarios.back().name;
    const auto same = [&](const Scenario& other) { return other.name == name; };
    if (std::count_if(scenarios.begin(), scenarios.end(), same) > 1) {
      value.fail(fmt::format("there are two cases \"{}\"", name));
    }
  }
  if (shared.cases.empty()) scenarios.push_back(finished(shared, root, folder));
  return scenarios;
}

std::vector<Scenario> load_scenarios(const SchedulerRegistry& schedulers,
                                     const std::filesystem::path& file) {
  return parse_scenarios(schedulers, read_text_file(file, text_bytes_max), file.string(),
                         file.parent_path());
}

}  // namespace tracebed

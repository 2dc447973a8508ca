#include "coordinator/scenario/load_step.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

#include "coordinator/config/settings_table.h"
#include "coordinator/scenario/load_asks.h"
#include "coordinator/scenario/load_expectations.h"

namespace tracebed {
namespace {

constexpr Duration longest = seconds(10'000'000);

// One text, or a list of them.
std::vector<std::string> names_of(const TomlValue& value, bool is_text) {
  return is_text ? std::vector<std::string>{value.text()} : value.text_list();
}

struct StepTable {
  ScenarioStep step;
  const ResourceDimensions* dimensions = nullptr;
  std::string action;  // the key that said what happens
};

void set_action(const TomlValue& value, StepTable& table, ScenarioStep::Action action) {
  if (!table.action.empty()) {
    value.fail(fmt::format("a step does one thing, and this one has {} already", table.action));
  }
  table.step.action = action;
  table.action = value.key();
}

template <ScenarioStep::Action Kind>
void read_names(const TomlValue& value, StepTable& table) {
  set_action(value, table, Kind);
  table.step.names = names_of(value, value.is_text());
}

template <ScenarioStep::Action Kind>
void read_container(const TomlValue& value, StepTable& table) {
  set_action(value, table, Kind);
  table.step.container = value.text();
}

constexpr std::array measured_keys{
    TomlKey<Resources>{"vcores",
                       [](const TomlValue& value, Resources& used) {
                         used[Resources::vcores_dimension] = read_milli_vcores(value);
                       }},
    TomlKey<Resources>{"memory",
                       [](const TomlValue& value, Resources& used) {
                         used[Resources::memory_dimension] = read_memory_mib(value);
                       }},
};

void expect_heartbeat(const TomlValue& value, const StepTable& table) {
  if (table.step.action != ScenarioStep::Action::heartbeat) {
    value.fail("it belongs to a step with a heartbeat, which reports it");
  }
}

void read_refresh(const TomlValue& value, StepTable& table) {
  set_action(value, table, ScenarioStep::Action::refresh);
  read_settings(value, "", table.step.settings);
}

using Action = ScenarioStep::Action;
constexpr std::array step_keys{
    TomlKey<StepTable>{"heartbeat", read_names<Action::heartbeat>},
    TomlKey<StepTable>{"submit", read_names<Action::submit>},
    TomlKey<StepTable>{"ask",
                       [](const TomlValue& value, StepTable& table) {
                         set_action(value, table, Action::ask);
                         AskTable ask = read_ask(value, *table.dimensions);
                         if (ask.application.empty()) {
                           fail_missing_key(value.table(), value.key(), "application");
                         }
                         table.step.ask = std::move(ask.ask);
                         table.step.application = std::move(ask.application);
                       }},
    TomlKey<StepTable>{"finish", read_container<Action::finish>},
    TomlKey<StepTable>{"kill", read_container<Action::kill>},
    TomlKey<StepTable>{"release", read_container<Action::release>},
    TomlKey<StepTable>{"end",
                       [](const TomlValue& value, StepTable& table) {
                         set_action(value, table, Action::end);
                         table.step.application = value.text();
                       }},
    TomlKey<StepTable>{"advance",
                       [](const TomlValue& value, StepTable& table) {
                         set_action(value, table, Action::advance);
                         table.step.duration = value.duration(microseconds(1), longest);
                       }},
    TomlKey<StepTable>{"join", read_names<Action::join>},
    TomlKey<StepTable>{"leave", read_names<Action::leave>},
    TomlKey<StepTable>{"refresh", read_refresh},
    TomlKey<StepTable>{"update",
                       [](const TomlValue& value, StepTable& table) {
                         set_action(value, table, Action::update);
                         if (!value.boolean()) value.fail_expected("true");
                       }},
    TomlKey<StepTable>{"at",
                       [](const TomlValue& value, StepTable& table) {
                         table.step.at = TraceTime(value.duration(Duration::zero(), longest));
                       }},
    TomlKey<StepTable>{"times",
                       [](const TomlValue& value, StepTable& table) {
                         const Action action = table.step.action;
                         if (action != Action::heartbeat && action != Action::finish &&
                             action != Action::kill && action != Action::release) {
                           value.fail(
                               "only a heartbeat, `finish`, `kill` and `release` may be repeated");
                         }
                         table.step.times = read_count(value, 1);
                       }},
    TomlKey<StepTable>{"used",
                       [](const TomlValue& value, StepTable& table) {
                         expect_heartbeat(value, table);
                         read_table<Resources>(value.table(), value.key(), measured_keys,
                                               table.step.measured);
                       }},
    TomlKey<StepTable>{"io_pressure",
                       [](const TomlValue& value, StepTable& table) {
                         expect_heartbeat(value, table);
                         table.step.io_pressure =
                             static_cast<std::int32_t>(std::lround(value.number(0, 1) * 1'000));
                       }},
    TomlKey<StepTable>{"show", [](const TomlValue& value,
                                  StepTable& table) { table.step.shows_all = value.boolean(); }},
    TomlKey<StepTable>{"expect",
                       [](const TomlValue& value, StepTable& table) {
                         table.step.expected = read_expectations(value);
                       }},
};

}  // namespace

ScenarioStep read_step(const TomlValue& value, const ResourceDimensions& dimensions) {
  StepTable table;
  table.step.where = value.where();
  table.dimensions = &dimensions;
  read_table<StepTable>(value.table(), value.key(), step_keys, table);
  return std::move(table.step);
}

}  // namespace tracebed

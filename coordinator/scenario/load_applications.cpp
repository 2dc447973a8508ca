#include "coordinator/scenario/load_applications.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "coordinator/scenario/load_asks.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

constexpr Duration longest_requested = seconds(10'000'000);

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
  const auto is_of_master = [](const ScenarioRunning& running) {
    return running.ask == master_ask;
  };
  std::vector<ScenarioRunning>& all = table.application.running;
  std::stable_partition(all.begin(), all.end(), is_of_master);
}

void read_input(const TomlValue& value, ApplicationTable& table) {
  for (const TomlValue& block : value.elements()) {
    std::vector<std::string> nodes = block.text_list();
    std::sort(nodes.begin(), nodes.end());
    if (std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end()) {
      block.fail("a node holds a block once");
    }
    table.application.input.push_back(std::move(nodes));
  }
}

void read_master(const TomlValue& value, ApplicationTable& table) {
  ScenarioAsk ask = read_ask(value, *table.dimensions).ask;
  if (!ask.name.empty() || ask.count != 1 || ask.gang) {
    value.fail("an application's master is one container, named \"master\"");
  }
  ask.name = master_ask;
  ask.is_master = true;
  table.application.asks.insert(table.application.asks.begin(), std::move(ask));
}

void read_asks(const TomlValue& value, ApplicationTable& table) {
  for (const TomlValue& element : value.elements()) {
    ScenarioAsk ask = read_ask(element, *table.dimensions).ask;
    for (const ScenarioAsk& other : table.application.asks) {
      if (other.name != ask.name) continue;
      element.fail(ask.name.empty() ? "of several asks at most one has no name"
                                    : "another ask has this name");
    }
    if (ask.name == master_ask) element.fail("\"master\" is the container of the master alone");
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
    TomlKey<ApplicationTable>{"requested_time",
                              [](const TomlValue& value, ApplicationTable& table) {
                                table.application.requested_time =
                                    value.duration(microseconds(1), longest_requested);
                              }},
    TomlKey<ApplicationTable>{"deadline",
                              [](const TomlValue& value, ApplicationTable& table) {
                                table.application.deadline =
                                    value.duration(microseconds(1), longest_requested);
                              }},
    TomlKey<ApplicationTable>{"maps",
                              [](const TomlValue& value, ApplicationTable& table) {
                                table.application.maps =
                                    static_cast<std::uint32_t>(value.integer(1, story_tasks_max));
                              }},
    TomlKey<ApplicationTable>{"reduces",
                              [](const TomlValue& value, ApplicationTable& table) {
                                table.application.reduces =
                                    static_cast<std::uint32_t>(value.integer(1, story_tasks_max));
                              }},
    TomlKey<ApplicationTable>{"input", read_input},
    TomlKey<ApplicationTable>{"asks", read_asks},
    TomlKey<ApplicationTable>{"master", read_master},
    TomlKey<ApplicationTable>{"running", read_running},
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

void check_master(ScenarioApplication& application) {
  std::uint32_t masters = 0;
  for (const ScenarioRunning& running : application.running) {
    if (running.ask == master_ask) masters += running.count;
  }
  const bool has_master = !application.asks.empty() && application.asks.front().is_master;
  if (!has_master || application.running.empty()) return;
  if (masters != 1) {
    throw InputError(fmt::format(
        "{}.running: expected the application's master, once, since its first container is its "
        "master's, got {} of it",
        application.where, masters));
  }
  application.asks.front().count = 0;
}

void check_application(const ScenarioApplication& application, const Scenario& scenario) {
  if (application.is_submitted_later && !application.running.empty()) {
    throw InputError(
        fmt::format("{}.running: a step submits this application, so it holds nothing at the start",
                    application.where));
  }
  if (application.reduces > 0 && application.maps == 0) {
    throw InputError(
        fmt::format("{}: expected maps beside reduces, got reduces alone", application.where));
  }
  const std::uint64_t containers = containers_of(application, scenario);
  if (containers > story_tasks_max) {
    throw InputError(fmt::format("{}: expected asks for at most {} containers, got {}",
                                 application.where, story_tasks_max, containers));
  }
}

}  // namespace

void read_applications(const TomlValue& value, Scenario& scenario) {
  for (const TomlValue& element : value.elements()) {
    ApplicationTable table;
    table.application.where = element.where();
    table.application.user = "user";
    table.application.queue = "default";
    table.dimensions = &scenario.dimensions;
    read_table<ApplicationTable>(element.table(), element.key(), application_keys, table);
    for (const ScenarioApplication& other : scenario.applications) {
      if (other.name == table.application.name) {
        element.fail(fmt::format("there are two applications {}", other.name));
      }
    }
    scenario.applications.push_back(std::move(table.application));
  }
}

void check_applications(Scenario& scenario) {
  for (const ScenarioStep& step : scenario.steps) {
    if (step.action != ScenarioStep::Action::submit) continue;
    for (ScenarioApplication& application : scenario.applications) {
      const auto found = std::find(step.names.begin(), step.names.end(), application.name);
      application.is_submitted_later |= found != step.names.end();
    }
  }
  for (ScenarioApplication& application : scenario.applications) {
    check_master(application);
    check_application(application, scenario);
  }
}

}  // namespace tracebed

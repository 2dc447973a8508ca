// A story about a scheduler as plain data: a small cluster, applications with what they ask for and
// what they hold already, then steps, each with what is expected after it.
// experiments/scenarios/README.md documents the TOML form; load_scenario.h reads it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/config/experiment.h"
#include "core/machines.h"
#include "core/resources.h"
#include "core/time.h"

namespace tracebed {

// What the container of an application's master is called among its asks.
inline constexpr const char* master_ask = "master";

// An application of a story never has more containers than this.
inline constexpr std::uint32_t story_tasks_max = 1'000'000;

struct ScenarioNode {
  Machine machine;
  bool is_absent = false;  // joins by a step
};

// How many of an ask's units are wanted at a place.
struct ScenarioPlace {
  std::string name;
  std::uint32_t count = 0;
};

struct ScenarioAsk {
  std::string where;  // "file:line: key"
  std::string name;   // empty: the application's only one is meant by the application's name
  std::int32_t priority = 0;
  Resources demand;
  std::uint32_t count = 0;
  std::vector<ScenarioPlace> nodes;
  std::optional<std::vector<ScenarioPlace>> racks;  // none: those of the nodes
  bool relax_locality = true;
  bool gang = false;
  bool is_master = false;  // named "master"; the others open when it has its container
  std::string label;       // of nodes; empty: the queue's default
};

// Containers that run when the story begins.
struct ScenarioRunning {
  std::string where;
  std::string ask;
  std::string node;
  std::uint32_t count = 1;
};

struct ScenarioApplication {
  std::string where;
  std::string name;
  std::string user;
  std::string queue;
  std::int32_t priority = 0;
  Duration requested_time{};             // zero: none
  std::vector<ScenarioAsk> asks;         // the master's first, if it has one
  std::vector<ScenarioRunning> running;  // likewise
  bool is_submitted_later = false;       // by a step
};

// What is expected of a fact (story_facts.h) after a step.
struct ExpectedFact {
  std::string where;
  std::string name;
  nlohmann::ordered_json value;
};

struct ScenarioStep {
  enum class Action : std::uint8_t {
    look,       // nothing happens
    heartbeat,  // of `nodes`, `times` times
    submit,     // the applications `names`
    ask,        // `application` asks for `ask`, or for another count of it
    finish,     // `times` containers `container` end with success
    kill,       // likewise, killed by somebody outside
    release,    // likewise, given back by its master
    end,        // `application` ends
    advance,    // the clock goes on by `duration`
    join,       // `nodes`
    leave,      // `nodes`
    refresh,    // the scheduler is given `settings`
    update,     // the scheduler does what it does at intervals
  };
  std::string where;
  std::optional<TraceTime> at;  // when it begins; none: a beat after the one before
  Action action = Action::look;
  std::vector<std::string> names;  // of nodes or applications
  std::uint32_t times = 1;
  std::string application;
  ScenarioAsk ask;
  std::string container;  // "APPLICATION@NODE" or "APPLICATION.ASK@NODE"
  Duration duration{};
  std::vector<Setting> settings;  // instead of the scheduler's own of these names
  bool shows_all = false;
  std::vector<ExpectedFact> expected;
};

struct Scenario {
  std::string name;
  std::string story;   // one sentence or more
  std::string source;  // who states the rule: "TestLeafQueue.testUserLimits"
  std::uint64_t seed = 1;
  SchedulerChoice scheduler;
  // If not empty, the scheduler must refuse to be made, with a message that has this text.
  std::string refused;
  // Between two things that happen.
  Duration beat = milliseconds(1);
  ResourceDimensions dimensions;
  std::vector<ScenarioNode> nodes;
  std::vector<ScenarioApplication> applications;
  std::vector<ExpectedFact> expected;  // at the start
  std::vector<ScenarioStep> steps;
};

}  // namespace tracebed

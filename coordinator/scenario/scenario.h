// A story about a scheduler as plain data: a small cluster, applications with their asks and the
// containers they hold already, then steps, each with what is expected after it.
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

// The name of the master's container among an application's asks.
inline constexpr const char* master_ask = "master";

// The maximum of containers of an application of a story.
inline constexpr std::uint32_t story_tasks_max = 1'000'000;

struct ScenarioNode {
  Machine machine;
  bool is_absent = false;  // joins by a step
};

// How many of an ask's units are preferred at a place.
struct ScenarioPlace {
  std::string name;
  std::uint32_t count = 0;
};

struct ScenarioAsk {
  std::string where;          // "file:line: key"
  std::string name;           // empty: the only one, named like the application
  std::int32_t priority = 0;  // of MRv2's master for reduces: it is for reduces (else for maps)
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
  Duration requested_time{};  // zero: none
  Duration deadline{};        // from its submission; zero: none
  // The tasks of its job, for schedulers that know them; 0: not stated.
  std::uint32_t maps = 0;
  std::uint32_t reduces = 0;
  // Of its input, by block: the nodes that hold it.
  std::vector<std::vector<std::string>> input;
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
    finish,     // `times` containers `container` succeed
    kill,       // likewise, killed from outside
    release,    // likewise, given back by its master
    end,        // `application` ends
    advance,    // the clock advances by `duration`
    join,       // `nodes`
    leave,      // `nodes`
    refresh,    // the scheduler receives `settings`
    update,     // the scheduler does what it does at intervals
  };
  std::string where;
  std::optional<TraceTime> at;  // when it begins; none: a beat after the previous one
  Action action = Action::look;
  std::vector<std::string> names;  // of nodes or applications
  std::uint32_t times = 1;
  Resources measured;             // what each of the heartbeats reports as used
  std::int32_t io_pressure = -1;  // likewise, in thousandths; -1: unknown
  std::string application;
  ScenarioAsk ask;
  std::string container;  // "APPLICATION@NODE" or "APPLICATION.ASK@NODE"
  Duration duration{};
  std::vector<Setting> settings;  // replace the scheduler's own of these names
  bool shows_all = false;
  std::vector<ExpectedFact> expected;
};

struct Scenario {
  std::string name;
  bool is_case = false;  // one of a list in its file
  std::string story;     // one sentence or more
  std::string source;    // the source of the rule: "TestLeafQueue.testUserLimits"
  std::uint64_t seed = 1;
  SchedulerChoice scheduler;
  // If not empty, making the scheduler must fail, with a message that contains this text.
  std::string refused;
  // Between two events.
  Duration beat = milliseconds(1);
  bool limit_vcores = false;  // as ClusterChoice::limit_vcores
  ResourceDimensions dimensions;
  DeviceSizes devices;  // as ClusterChoice::devices
  std::vector<ScenarioNode> nodes;
  std::vector<ScenarioApplication> applications;
  std::vector<ExpectedFact> expected;  // at the start
  std::vector<ScenarioStep> steps;
};

}  // namespace tracebed

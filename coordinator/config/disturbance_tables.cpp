#include "coordinator/config/disturbance_tables.h"

#include <array>
#include <fmt/format.h>
#include <string_view>

#include "coordinator/config/disturbance_texts.h"
#include "coordinator/config/longest_duration.h"
#include "coordinator/config/machine_names.h"
#include "core/input_error.h"

namespace tracebed {
namespace {

template <double FaultChoice::*Part>
void read_part(const TomlValue& value, FaultChoice& faults) {
  faults.*Part = value.number(0, 1);
}

constexpr std::array fault_keys{
    TomlKey<FaultChoice>{"ignored_checkpoints", read_part<&FaultChoice::ignored_checkpoints>},
    TomlKey<FaultChoice>{"exceeded_memory", read_part<&FaultChoice::exceeded_memory>},
    TomlKey<FaultChoice>{"repeated_answers", read_part<&FaultChoice::repeated_answers>},
    TomlKey<FaultChoice>{"late_answers", read_part<&FaultChoice::late_answers>},
    TomlKey<FaultChoice>{"foreign_answers", read_part<&FaultChoice::foreign_answers>},
    TomlKey<FaultChoice>{"garbage_answers", read_part<&FaultChoice::garbage_answers>},
    TomlKey<FaultChoice>{"crashes_during_preemption",
                         read_part<&FaultChoice::crashes_during_preemption>, Presence::optional,
                         "deaths_owing"},
};
static_assert(describe_all(fault_keys, fault_texts));

constexpr std::array drain_keys{
    TomlKey<DrainChoice>{"at",
                         [](const TomlValue& value, DrainChoice& drain) {
                           drain.at = TraceTime(value.duration({}, longest_duration));
                         },
                         Presence::required},
    TomlKey<DrainChoice>{"until",
                         [](const TomlValue& value, DrainChoice& drain) {
                           drain.until = TraceTime(value.duration({}, longest_duration));
                         }},
    TomlKey<DrainChoice>{
        "node", [](const TomlValue& value, DrainChoice& drain) { drain.node = value.text(); },
        Presence::required},
    TomlKey<DrainChoice>{"grace",
                         [](const TomlValue& value, DrainChoice& drain) {
                           drain.grace = value.duration({}, longest_duration);
                         },
                         Presence::required},
};
static_assert(describe_all(drain_keys, drain_texts));

constexpr std::array<std::string_view, 1> occasions{"preemption"};
constexpr std::array crash_keys{
    TomlKey<CrashChoice>{"at",
                         [](const TomlValue& value, CrashChoice& crash) {
                           crash.at = TraceTime(value.duration({}, longest_duration));
                         }},
    TomlKey<CrashChoice>{"when",
                         [](const TomlValue& value, CrashChoice&) { value.choice(occasions); }},
    TomlKey<CrashChoice>{
        "node", [](const TomlValue& value, CrashChoice& crash) { crash.node = value.text(); }},
    TomlKey<CrashChoice>{"down",
                         [](const TomlValue& value, CrashChoice& crash) {
                           crash.down = value.duration(milliseconds(1), longest_duration);
                         }},
};
static_assert(describe_all(crash_keys, crash_texts));

// Where the machines are known, one that is named is one of them.
void check_is_machine(const std::string& name, const std::string& where,
                      const MachineNames& machines) {
  if (machines.may_have(name)) return;
  throw InputError(
      fmt::format("{}: expected `node` to be the name of one of the {} machines "
                  "of the cluster, got \"{}\"",
                  where, machines.size(), name));
}

}  // namespace

void read_faults(const TomlValue& value, FaultChoice& faults) {
  faults.where = value.where();
  read_table<FaultChoice>(value.table(), value.key(), fault_keys, faults);
  if (faults.of_masters() > 1) {
    value.fail(
        fmt::format("a master attempt has at most one fault: expected probabilities that add up to "
                    "at most 1, got {:g}",
                    faults.of_masters()));
  }
}

void read_drains(const TomlValue& value, std::vector<DrainChoice>& drains) {
  for (const TomlValue& element : value.elements()) {
    DrainChoice drain;
    drain.where = element.where();
    read_table<DrainChoice>(element.table(), element.key(), drain_keys, drain);
    if (drain.until <= drain.at) element.fail("until: expected a time after `at`");
    drains.push_back(std::move(drain));
  }
}

void read_crashes(const TomlValue& value, std::vector<CrashChoice>& crashes) {
  for (const TomlValue& element : value.elements()) {
    CrashChoice crash;
    crash.where = element.where();
    read_table<CrashChoice>(element.table(), element.key(), crash_keys, crash);
    if (crash.at.has_value() == element.table().contains("when")) {
      element.fail("expected one of `at` and `when`");
    }
    if (crash.at && crash.node.empty()) fail_missing_key(element.table(), element.key(), "node");
    crashes.push_back(std::move(crash));
  }
}

void check_disturbances(const Experiment& experiment) {
  if (experiment.faults.of_masters() > 0 && !experiment.master.in_containers) {
    throw InputError(fmt::format(
        "{}: expected am = \"container\" with faults of masters, since other masters make no calls",
        experiment.faults.where));
  }
  if (experiment.drains.empty() && experiment.crashes.empty()) return;
  const MachineNames machines(experiment.cluster.machines);
  for (const DrainChoice& drain : experiment.drains) {
    check_is_machine(drain.node, drain.where, machines);
  }
  for (const CrashChoice& crash : experiment.crashes) {
    if (experiment.world == World::cluster) {
      throw InputError(
          fmt::format("{}: a run cannot crash the hosts of a cluster; expected world = \"virtual\" "
                      "or \"local\"",
                      crash.where));
    }
    if (!crash.node.empty()) check_is_machine(crash.node, crash.where, machines);
  }
}

}  // namespace tracebed

// Concurrent schedulers, in the three architectures, as they are registered.
#include <array>
#include <string>
#include <utility>

#include "core/check.h"
#include "schedulers/concurrent/concurrent_scheduler.h"
#include "schedulers/entries/differences.h"
#include "schedulers/entries/entries.h"
#include "schedulers/parts/entry_settings.h"

namespace tracebed {
namespace {

constexpr std::string_view concurrent_source =
    "Schwarzkopf et al., Omega, 2013, and its simulator; Du et al., sections 3.1 and 3.4";
constexpr std::string_view policies_text =
    "binpack, dbd, dot_product, l2_norm, random, spread or weighted_priorities";
constexpr SettingDescription policy_setting{
    "policy", "spread",
    "the placement of each of them: binpack, dbd, dot_product, l2_norm, random, spread or "
    "weighted_priorities"};
constexpr SettingDescription policy_settings_setting{
    "policy_settings", "", "settings of the policy, as in \"order=sorted; cover=always\""};
constexpr SettingDescription job_time_setting{
    "job_ms", "100", "how long a decision about a job takes, in milliseconds, up to an hour"};
constexpr SettingDescription unit_time_setting{
    "unit_ms", "5", "and for each unit that the job waits for, in milliseconds, up to an hour"};
constexpr SettingDescription decision_time_setting{
    "decision_time", "modelled",
    "`modelled`: by the two settings before; `measured`, on real machines: each scheduler decides "
    "in a thread of its own, and what it takes is what its decisions take"};
constexpr std::int64_t hour_ms = 3'600'000;
constexpr std::int64_t schedulers_max = 1'000;

Error wrong(const SchedulerEntry& entry, std::string_view setting, const std::string& text) {
  return {
      "scheduler " + std::string(entry.name) + ", setting " + std::string(setting) + ": " + text,
      std::string(setting)};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

Result<SettingValues> policy_values(const SchedulerEntry& entry, std::string_view text) {
  SettingValues values;
  while (!text.empty()) {
    const std::size_t end = text.find(';');
    const std::string_view part = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    const std::string name(trimmed(part.substr(0, equals)));
    if (equals == std::string_view::npos || name.empty()) {
      return wrong(entry, "policy_settings",
                   "expected NAME=VALUE, separated by \";\", got \"" + std::string(part) + "\"");
    }
    if (!values.emplace(name, trimmed(part.substr(equals + 1))).second) {
      return wrong(entry, "policy_settings", name + " is given twice");
    }
  }
  return values;
}

// Of the schedulers that place unit by unit.
Result<SchedulerEntry> policy_entry(const SchedulerEntry& entry, std::string_view name) {
  for (const auto make : {binpack_entry, dbd_entry, dot_product_entry, l2_norm_entry, random_entry,
                          spread_entry, weighted_priorities_entry}) {
    SchedulerEntry policy = make();
    if (policy.name == name) return policy;
  }
  return wrong(entry, "policy",
               "expected " + std::string(policies_text) + ", got \"" + std::string(name) + "\"");
}

std::string_view value_or(const SchedulerParameters& parameters,
                          const SettingDescription& setting) {
  const auto found = parameters.settings.find(setting.name);
  return found == parameters.settings.end() ? setting.default_value
                                            : std::string_view(found->second);
}

// The first draws what the policy alone would draw; the others something else, also in the other
// repetitions of a run, whose seeds follow each other.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t index) {
  return seed ^ (index * 0x9E37'79B9'7F4A'7C15u);
}

Result<std::unique_ptr<Scheduler>> make_concurrent(const SchedulerEntry& entry,
                                                   const SchedulerParameters& parameters,
                                                   const ConcurrentSettings& settings,
                                                   std::int64_t count) {
  const Result<SchedulerEntry> policy = policy_entry(entry, value_or(parameters, policy_setting));
  if (!policy) return policy.error();
  Result<SettingValues> values =
      policy_values(entry, value_or(parameters, policy_settings_setting));
  if (!values) return values.error();
  SchedulerParameters of_policy;
  of_policy.settings = std::move(values).value();
  of_policy.dimensions = parameters.dimensions;
  of_policy.heartbeat = parameters.heartbeat;
  of_policy.names = parameters.names;
  std::vector<SchedulerInstance> schedulers;
  for (std::int64_t i = 0; i < count; ++i) {
    of_policy.seed = seed_of(parameters.seed, static_cast<std::uint64_t>(i));
    std::unique_ptr<DecisionSnapshot> snapshot;
    if (settings.is_measured) {
      snapshot = std::make_unique<DecisionSnapshot>(parameters.names);
      of_policy.names = &snapshot->names();
    }
    auto made = policy->make(*policy, of_policy);
    if (!made) return wrong(entry, "policy_settings", made.error().message);
    auto* const placement = dynamic_cast<UnitPlacement*>(made.value().get());
    TRACEBED_CHECK(placement != nullptr, "the policies place unit by unit");
    (void)made.value().release();
    schedulers.emplace_back(std::unique_ptr<UnitPlacement>(placement), std::move(snapshot));
  }
  return Result<std::unique_ptr<Scheduler>>(
      std::make_unique<ConcurrentScheduler>(settings, std::move(schedulers)));
}

void read_times(SettingReader& reader, ConcurrentSettings& settings) {
  settings.job_time = reader.milliseconds_of("job_ms", 0, hour_ms);
  settings.unit_time = reader.milliseconds_of("unit_ms", 0, hour_ms);
  settings.is_measured = reader.choice("decision_time", {"modelled", "measured"}) == 1;
}

Result<std::unique_ptr<Scheduler>> make_monolithic(const SchedulerEntry& entry,
                                                   const SchedulerParameters& parameters) {
  SettingReader reader = reader_of(entry, parameters);
  ConcurrentSettings settings;
  read_times(reader, settings);
  if (const Status status = reader.status(); !status) return status.error();
  return make_concurrent(entry, parameters, settings, 1);
}

Result<std::unique_ptr<Scheduler>> make_shared_state(const SchedulerEntry& entry,
                                                     const SchedulerParameters& parameters) {
  SettingReader reader = reader_of(entry, parameters);
  ConcurrentSettings settings;
  read_times(reader, settings);
  const std::int64_t count = reader.integer("schedulers", 1, schedulers_max);
  settings.conflict = reader.choice("conflict", {"resource_fit", "sequence_numbers"}) == 0
                          ? ConcurrentSettings::Conflict::resource_fit
                          : ConcurrentSettings::Conflict::sequence_numbers;
  settings.rescheduling = reader.choice("rescheduling", {"local", "full"}) == 0
                              ? ConcurrentSettings::Rescheduling::local
                              : ConcurrentSettings::Rescheduling::full;
  if (const Status status = reader.status(); !status) return status.error();
  return make_concurrent(entry, parameters, settings, count);
}

Result<std::unique_ptr<Scheduler>> make_two_level(const SchedulerEntry& entry,
                                                  const SchedulerParameters& parameters) {
  SettingReader reader = reader_of(entry, parameters);
  ConcurrentSettings settings;
  settings.sharing = ConcurrentSettings::Sharing::offers;
  read_times(reader, settings);
  const std::int64_t count = reader.integer("frameworks", 1, schedulers_max);
  if (const Status status = reader.status(); !status) return status.error();
  return make_concurrent(entry, parameters, settings, count);
}

}  // namespace

SchedulerEntry monolithic_entry() {
  return {.name = "monolithic",
          .summary =
              "One scheduler that decides about one job at a time, and needs time for that; its "
              "policy is a placement.",
          .source = concurrent_source,
          .settings = {policy_setting, policy_settings_setting, job_time_setting, unit_time_setting,
                       decision_time_setting},
          .make = make_monolithic,
          .imitated = "Omega's simulator",
          .differences = monolithic_differences(),
          .draws = "what its policy draws"};
}

SchedulerEntry shared_state_entry() {
  return {
      .name = "shared_state",
      .summary =
          "Several schedulers decide side by side on snapshots of the cluster; what is in "
          "conflict when it is committed is decided again.",
      .source = concurrent_source,
      .settings =
          {policy_setting,
           policy_settings_setting,
           job_time_setting,
           unit_time_setting,
           decision_time_setting,
           {"schedulers", "4", "how many there are, up to 1000; jobs are dealt in turn"},
           {"conflict", "resource_fit",
            "a unit is in conflict if its node has no room for it any more (`resource_fit`), or "
            "has changed in any way since the snapshot (`sequence_numbers`)"},
           {"rescheduling", "local",
            "of a transaction in conflict: decide again only about units that are (`local`), or "
            "about all (`full`)"}},
      .make = make_shared_state,
      .imitated = "Omega",
      .differences = shared_state_differences(),
      .draws = "what its policy draws"};
}

SchedulerEntry two_level_entry() {
  return {
      .name = "two_level",
      .summary =
          "Nodes with anything free are offered to one framework at a time, the one with the "
          "smallest dominant share, which holds them while it decides.",
      .source = concurrent_source,
      .settings = {policy_setting,
                   policy_settings_setting,
                   job_time_setting,
                   unit_time_setting,
                   decision_time_setting,
                   {"frameworks", "4", "how many there are, up to 1000; jobs are dealt in turn"}},
      .make = make_two_level,
      .imitated = "Mesos",
      .differences = two_level_differences(),
      .draws = "what its policy draws"};
}

}  // namespace tracebed

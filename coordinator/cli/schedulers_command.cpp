// `tracebed schedulers`
#include <fmt/core.h>
#include <memory>

#include "applications/masters.h"
#include "controllers/controller_entry.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/resolving/hadoop_sites.h"
#include "coordinator/resolving/namenode_settings.h"
#include "coordinator/resolving/node_manager.h"
#include "coordinator/resolving/relocation_settings.h"
#include "coordinator/resolving/scheduler_files.h"
#include "schedulers/yarn/configuration/property_tables.h"
#include "schedulers/yarn/configuration/yarn_site.h"

namespace tracebed {
namespace {

// Read by the runner, which makes settings of it.
constexpr SettingDescription yarn_site_description{
    yarn_site_setting, "",
    "a yarn-site.xml, relative to the experiment: its values apply to settings that are not given "
    "here",
    true};

// With those that the runner knows.
std::vector<SettingDescription> settings_of(const SchedulerEntry& entry) {
  std::vector<SettingDescription> settings = entry.settings;
  if (takes_yarn_site(entry)) settings.push_back(yarn_site_description);
  return settings;
}

std::vector<SettingDescription> masters_table() {
  std::vector<SettingDescription> settings(mapred_site_settings().begin(),
                                           mapred_site_settings().end());
  settings.insert(settings.end(), master_settings().begin(), master_settings().end());
  return settings;
}

std::vector<SettingDescription> node_manager_table() {
  std::vector<SettingDescription> settings = {
      {node_manager_site_setting, "",
       "a yarn-site.xml, relative to the experiment: its values, or YARN's defaults, apply to "
       "settings that are not given here",
       true}};
  const auto own = node_manager_settings();
  settings.insert(settings.end(), own.begin(), own.end());
  return settings;
}

nlohmann::ordered_json to_json(std::span<const SettingDescription> settings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SettingDescription& setting : settings) {
    list.push_back({{"name", setting.name},
                    {"default", setting.default_value},
                    {"meaning", setting.meaning},
                    {"is_file", setting.is_xml_file}});
  }
  return list;
}

// What is known of the properties of a scheduler's files.
nlohmann::ordered_json to_json(std::span<const KnownProperty> properties) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const KnownProperty& property : properties) {
    list.push_back({{"name", property.name},
                    {"treatment", name(property.treatment)},
                    {"decides", property.decides},
                    {"neutral", property.neutral},
                    {"reason", property.reason}});
  }
  return list;
}

void print_schedulers_json(const SchedulerRegistry& schedulers) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SchedulerEntry& entry : schedulers) {
    list.push_back({{"name", entry.name},
                    {"summary", entry.summary},
                    {"source", entry.source},
                    {"settings", to_json(settings_of(entry))},
                    {"properties", to_json(entry.properties)}});
  }
  nlohmann::ordered_json controllers = nlohmann::ordered_json::array();
  for (const ControllerEntry& entry : builtin_controllers()) {
    controllers.push_back({{"name", entry.name},
                           {"summary", entry.summary},
                           {"source", entry.source},
                           {"settings", to_json(entry.settings)}});
  }
  print_json({{"schedulers", list},
              {"controllers", controllers},
              {"yarn_site", to_json(known_site_properties())},
              {"masters", to_json(masters_table())},
              {"node_manager", to_json(node_manager_table())},
              {"relocation", to_json(relocation_settings())},
              {"namenode", to_json(namenode_settings())}});
}

void print_settings(std::span<const SettingDescription> settings) {
  for (const SettingDescription& setting : settings) {
    print_plain("    {} = {}\n        {}\n", setting.name,
                setting.is_xml_file ? "FILE.xml" : setting.default_value, setting.meaning);
  }
}

void print_schedulers(const SchedulerRegistry& schedulers) {
  for (const SchedulerEntry& entry : schedulers) {
    print_plain("{}\n    {}\n    Source: {}\n", entry.name, entry.summary, entry.source);
    print_settings(settings_of(entry));
    print_plain("\n");
  }
  for (const ControllerEntry& entry : builtin_controllers()) {
    print_plain("[[controller]] {}\n    {}\n    Source: {}\n", entry.name, entry.summary,
                entry.source);
    print_settings(entry.settings);
    print_plain("\n");
  }
  print_plain("[masters]\n    Job masters, under every scheduler.\n");
  print_settings(masters_table());
  print_plain("\n[node_manager]\n    Monitoring by the machines, under every scheduler.\n");
  print_settings(node_manager_table());
  print_plain("\nThe relocate policy; it is off unless a reason is enabled.\n");
  print_settings(relocation_settings());
  print_plain("\n[storage.namenode]\n    The namenode of a run with storage.\n");
  print_settings(namenode_settings());
}

}  // namespace

void add_schedulers_command(CLI::App& program, const SchedulerRegistry& schedulers, ExitCode&) {
  const auto json = std::make_shared<bool>(false);
  CLI::App* command = program.add_subcommand("schedulers", "List the schedulers and all settings");
  command->add_flag("--json", *json, "Print as JSON");
  add_explain_command(*command, schedulers);
  command->callback([command, json, &schedulers] {
    if (!command->get_subcommands().empty()) return;
    if (*json) {
      print_schedulers_json(schedulers);
    } else {
      print_schedulers(schedulers);
    }
  });
}

}  // namespace tracebed

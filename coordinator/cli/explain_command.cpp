// `tracebed schedulers explain FILE.xml`
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/json_output.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/config/xml_file.h"
#include "coordinator/resolving/named_files.h"
#include "coordinator/resolving/scheduler_files.h"
#include "core/input_error.h"
#include "report/figure_json.h"
#include "report/figure_text.h"
#include "schedulers/yarn/configuration/resource_names.h"
#include "system/quantities.h"

namespace tracebed {
namespace {

struct ExplainFlags {
  std::string file;
  std::int64_t nodes = 10;
  std::int64_t vcores = 8;
  std::string memory = "8 GiB";
  std::string minimum_allocation;
  std::string semantics;
  std::string scheduler;  // empty: judged by the content
  std::string generation;
  std::int64_t map_slots = 0;
  std::int64_t reduce_slots = 0;
  std::vector<std::string> settings;   // KEY=VALUE
  std::vector<std::string> resources;  // NAME=AMOUNT
  bool json = false;
};

struct Explained {
  std::string scheduler;
  std::vector<ExplainedQueue> queues;
  std::vector<std::string> unread;
  ResourceDimensions dimensions;
};

std::int64_t mebibytes(const std::string& flag, const std::string& text) {
  const Result<std::int64_t> bytes = parse_size(text);
  constexpr std::int64_t mib = 1 << 20;
  if (bytes && *bytes >= mib && *bytes % mib == 0) return *bytes / mib;
  throw InputError(fmt::format("{}: expected {}, whole in MiB, got \"{}\"", flag, size_form, text));
}

struct ExplainedMachine {
  ResourceDimensions dimensions;
  Resources capacity;
};

ExplainedMachine machine_of(const ExplainFlags& flags) {
  constexpr std::int64_t amount_max = std::int64_t{1} << 40;
  ExplainedMachine machine{{}, Resources(flags.vcores * 1000, mebibytes("--memory", flags.memory))};
  std::vector<std::string> names;
  for (const std::string& given : flags.resources) {
    const std::size_t equals = std::min(given.find('='), given.size());
    const std::string name = given.substr(0, equals);
    std::int64_t amount = -1;
    const char* const end = given.data() + given.size();
    const auto read =
        std::from_chars(given.data() + std::min(equals + 1, given.size()), end, amount);
    const std::size_t dimension = machine.dimensions.size();
    const bool is_new = !name.empty() && machine.dimensions.find(name) == dimension;
    if (!is_new || read.ec != std::errc() || read.ptr != end || amount < 0 || amount > amount_max ||
        dimension == Resources::dimensions_max) {
      throw InputError(fmt::format(
          "--resource: expected NAME=AMOUNT, at most {} of them, each of another name than vcores, "
          "memory and the others, got \"{}\"",
          Resources::dimensions_max - 2, given));
    }
    names.push_back(name);
    machine.dimensions = ResourceDimensions(names);
    machine.capacity[dimension] = amount;
  }
  return machine;
}

struct GivenSetting {
  std::string flag;
  std::string key;
  std::string value;
};

// What flags say is a setting of the file's scheduler.
std::vector<GivenSetting> given_settings(const ExplainFlags& flags) {
  std::vector<GivenSetting> given;
  const auto add = [&](const char* flag, std::string key, std::string value) {
    given.push_back({flag, std::move(key), std::move(value)});
  };
  if (!flags.generation.empty()) add("--generation", "generation", flags.generation);
  if (!flags.semantics.empty()) add("--semantics", "semantics", flags.semantics);
  if (!flags.minimum_allocation.empty()) {
    add("--minimum-allocation", "minimum_allocation_mib",
        std::to_string(mebibytes("--minimum-allocation", flags.minimum_allocation)));
  }
  if (flags.map_slots > 0) add("--map-slots", "map_slots", std::to_string(flags.map_slots));
  if (flags.reduce_slots > 0) {
    add("--reduce-slots", "reduce_slots", std::to_string(flags.reduce_slots));
  }
  for (const std::string& text : flags.settings) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      throw InputError(fmt::format("--set: expected KEY=VALUE, got \"{}\"", text));
    }
    add("--set", text.substr(0, equals), text.substr(equals + 1));
  }
  return given;
}

[[noreturn]] void refuse_setting(const SchedulerEntry& entry, const GivenSetting& given) {
  const bool is_of_runs =
      std::any_of(entry.settings.begin(), entry.settings.end(),
                  [&](const SettingDescription& described) { return described.name == given.key; });
  if (is_of_runs) {
    throw InputError(
        fmt::format("{}: expected a setting that changes what a file of {} means ({}), got {}, "
                    "which decides only "
                    "what happens in a run",
                    given.flag, entry.name, fmt::join(entry.explainer->settings, ", "), given.key));
  }
  throw InputError(
      fmt::format("{}: expected a file that the setting {} changes, got one of {}'s; --scheduler "
                  "names whose it is, if that is wrong",
                  given.flag, given.key, entry.name));
}

SettingValues settings_for(const SchedulerEntry& entry, const ExplainFlags& flags) {
  const std::vector<std::string_view>& known = entry.explainer->settings;
  SettingValues values;
  for (const GivenSetting& given : given_settings(flags)) {
    const bool is_known = std::find(known.begin(), known.end(), given.key) != known.end();
    if (!is_known) refuse_setting(entry, given);
    values[given.key] = given.value;
  }
  return values;
}

std::vector<std::string> explainable(const SchedulerRegistry& schedulers) {
  std::vector<std::string> names;
  for (const SchedulerEntry& entry : schedulers) {
    if (entry.explainer) names.emplace_back(entry.name);
  }
  return names;
}

// By the words of the file, unless the user names it.
const SchedulerEntry& scheduler_of(const SchedulerRegistry& schedulers, const ExplainFlags& flags,
                                   const XmlElement& root) {
  if (!flags.scheduler.empty()) return *schedulers.find(flags.scheduler);
  std::vector<const SchedulerEntry*> owners;
  for (const SchedulerEntry& entry : schedulers) {
    if (entry.explainer && entry.explainer->is_own_file(root)) owners.push_back(&entry);
  }
  if (owners.size() == 1) {
    print_plain(stderr, "tracebed: {} is read as a file of {}; --scheduler names another\n",
                flags.file, owners.front()->name);
    return *owners.front();
  }
  std::vector<std::string_view> names;
  for (const SchedulerEntry* owner : owners) names.push_back(owner->name);
  throw InputError(fmt::format(
      "{}: expected a file of one of {}, got <{}>, which may be of {}; --scheduler says whose it "
      "is",
      root.where, fmt::join(explainable(schedulers), ", "), root.name,
      names.empty() ? "none" : fmt::format("{}", fmt::join(names, " and "))));
}

// A resource that the file names may be one that --resource has to state.
std::string with_advice(const std::string& fault) {
  const std::size_t mark = fault.find(missing_resource);
  if (mark == std::string::npos) return fault;
  const std::size_t begin = mark + missing_resource.size();
  return fmt::format("{}; --resource {}=AMOUNT says how much of it a machine has", fault,
                     fault.substr(begin, fault.find(',', begin) - begin));
}

Explained explain_file(const SchedulerRegistry& schedulers, const ExplainFlags& flags) {
  const Setting given{"config", flags.file, flags.file};
  NamedFile named{{}, read_xml_file(flags.file)};
  const ExplainedMachine machine = machine_of(flags);
  const SchedulerEntry& entry = scheduler_of(schedulers, flags, named.root);
  NamedFiles files;
  named = files.read({}, given);
  take_in_files(entry, {}, given, files, named);
  const XmlElement& root = named.root;
  const SettingValues settings = settings_for(entry, flags);
  const ExplainedMachines machines{machine.capacity, flags.nodes};
  Result<ExplainedFile> file = entry.explainer->explain(
      {"config", root, settings, machine.dimensions}, std::span(&machines, 1));
  if (!file) throw InputError(with_advice(file.error().message));
  return {std::string(entry.name), std::move(file->queues), std::move(file->unread),
          machine.dimensions};
}

void print_text(const Explained& explained) {
  for (const ExplainedQueue& queue : explained.queues) {
    print_plain("{}{}\n", queue.path, queue.is_leaf ? "" : " (a parent)");
    for (const Figure& figure : queue.figures) {
      print_plain("    {:<42} {}\n", figure.label.text(),
                  figure_text(figure.value, explained.dimensions));
      if (!figure.formula.empty()) print_plain("        = {}\n", figure.formula);
    }
    print_plain("\n");
  }
  for (const std::string& sentence : explained.unread) {
    print_plain(stderr, "tracebed: warning: {}\n", sentence);
  }
}

void print_as_json(const Explained& explained) {
  nlohmann::ordered_json queues = nlohmann::ordered_json::array();
  for (const ExplainedQueue& queue : explained.queues) {
    nlohmann::ordered_json figures = nlohmann::ordered_json::array();
    for (const Figure& figure : queue.figures) {
      figures.push_back({{"id", figure.id.text()},
                         {"name", figure.label.text()},
                         {"value", figure_json(figure.value, explained.dimensions)},
                         {"text", figure_text(figure.value, explained.dimensions)},
                         {"formula", figure.formula}});
    }
    queues.push_back({{"path", queue.path}, {"leaf", queue.is_leaf}, {"figures", figures}});
  }
  print_json(
      {{"scheduler", explained.scheduler}, {"queues", queues}, {"passed_over", explained.unread}});
}

}  // namespace

void add_explain_command(CLI::App& command, const SchedulerRegistry& schedulers) {
  const auto flags = std::make_shared<ExplainFlags>();
  constexpr std::int64_t nodes_max = 1'000'000;
  CLI::App* explain = command.add_subcommand(
      "explain",
      "Explain what a capacity-scheduler.xml or a fair allocation file means on a cluster");
  explain
      ->add_option("file", flags->file,
                   "capacity-scheduler.xml or allocation file, of YARN or Hadoop 1")
      ->required();
  explain
      ->add_option("--scheduler", flags->scheduler,
                   "Scheduler of the file (default: detected from its content)")
      ->check(CLI::IsMember(explainable(schedulers)));
  explain->add_option("--generation", flags->generation,
                      "Release of a Hadoop 1 file: 0.20 or 1.x (Fair), 0.20.0, 0.20.2 or 1.x "
                      "(Capacity) (default: detected from its content, else 1.x)");
  for (const auto& [name, count] :
       {std::pair("--map-slots", &flags->map_slots), {"--reduce-slots", &flags->reduce_slots}}) {
    explain
        ->add_option(name, *count,
                     "Slots per machine, Hadoop 1 only; 0: one slot per vcore, three quarters of "
                     "them for maps")
        ->check(CLI::Range(std::int64_t{0}, nodes_max))
        ->capture_default_str();
  }
  explain->add_option("--nodes", flags->nodes, "Number of machines")
      ->check(CLI::Range(std::int64_t{1}, nodes_max))
      ->capture_default_str();
  explain->add_option("--vcores", flags->vcores, "Vcores per machine")
      ->check(CLI::Range(std::int64_t{1}, nodes_max))
      ->capture_default_str();
  explain->add_option("--memory", flags->memory, "Memory per machine")->capture_default_str();
  explain->add_option("--resource", flags->resources,
                      "NAME=AMOUNT: a further resource per machine; repeatable");
  explain->add_option("--minimum-allocation", flags->minimum_allocation,
                      "yarn.scheduler.minimum-allocation-mb; Capacity only (default: 1 GiB)");
  explain
      ->add_option("--semantics", flags->semantics,
                   "Release that a YARN file is for, whose formulas apply (default: hadoop-3)")
      ->check(CLI::IsMember({"hadoop-2.0", "hadoop-3"}));
  explain->add_option("--set", flags->settings,
                      "KEY=VALUE: another setting of the scheduler that the file depends on; "
                      "repeatable");
  explain->add_flag("--json", flags->json, "Print as JSON");
  explain->callback([flags, &schedulers] {
    const Explained explained = explain_file(schedulers, *flags);
    if (flags->json) {
      print_as_json(explained);
    } else {
      print_text(explained);
    }
  });
}

}  // namespace tracebed

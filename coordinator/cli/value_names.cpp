#include "coordinator/cli/value_names.h"

#include <CLI/CLI.hpp>
#include <array>

#include "coordinator/config/experiment.h"
#include "coordinator/config/experiment_keys.h"
#include "core/check.h"
#include "traces/parts/rules.h"
#include "traces/trace_formats.h"

namespace tracebed {
namespace {

struct ValueName {
  std::string_view option;  // after the command's name, where it differs there
  std::string_view word;
};
constexpr auto value_names = std::to_array<ValueName>({
    {"log show run", "FOLDER"},
    {"export --output", "FILE"},
    {"calibrate --from", "FOLDER"},
    {"calibrate --output", "FILE"},
    {"reproduce name", "PAPER"},
    {"trace convert --machines", "FILE"},
    {"cluster move --to", "NODE"},
    {"storage ls path", "PATH"},
    {"storage du path", "PATH"},
    {"storage blocks path", "PATH"},
    {"storage fsck path", "PATH"},
    {"storage replicas path", "PATH"},
    {"storage check input", "PATH"},
    {"storage check output", "PATH"},
    {"storage get path", "PATH"},
    {"storage put path", "PATH"},
    {"cluster make-keys file", "FILE"},
    {"schedulers explain --set", "SETTING=VALUE"},
    {"schedulers explain --resource", "NAME=AMOUNT"},
    {"--baseline", "LABEL"},
    {"--block-size", "SIZE"},
    {"--coordinator", "ADDRESS"},
    {"--disk", "RATE"},
    {"--format", "FORMAT"},
    {"--generation", "GENERATION"},
    {"--job", "JOB"},
    {"--like", "FILE"},
    {"--memory", "SIZE"},
    {"--minimum-allocation", "SIZE"},
    {"--name", "NAME"},
    {"--namenode", "ADDRESS"},
    {"--network", "RATE"},
    {"--node", "NODE"},
    {"--on", "WHERE"},
    {"--only", "EXPERIMENT"},
    {"--output", "FOLDER"},
    {"--parallel", "COUNT"},
    {"--figure", "FIGURE"},
    {"--primary", "FIGURE"},
    {"--repetitions", "COUNT"},
    {"--report", "FILE"},
    {"--rule", "RULE=VALUE"},
    {"--scheduler", "SCHEDULER"},
    {"--seed", "NUMBER"},
    {"--seek", "DURATION"},
    {"--semantics", "RELEASE"},
    {"--set", "KEY=VALUE"},
    {"--setting", "SETTING"},
    {"--shard", "SHARD"},
    {"--thrift", "ADDRESS"},
    {"--to", "FORMAT"},
    {"--token-file", "FILE"},
    {"--topology", "FILE"},
    {"--user", "USER"},
    {"--users", "USERS"},
    {"--with-masters", "FOLDER"},
    {"--workload", "WORKLOAD"},
    {"--world", "WORLD"},
    {"--write-experiments", "FOLDER"},
    {"action", "ACTION"},
    {"daemon", "DAEMON"},
    {"datanode", "DATANODE"},
    {"experiment", "FILE"},
    {"file", "FILE"},
    {"folder", "FOLDER"},
    {"input", "FILE"},
    {"inputs", "FILE"},
    {"output", "FILE"},
    {"path", "FILE"},
    {"runs", "FOLDER"},
    {"shell", "SHELL"},
});

std::string_view word_of(const std::string& command, const std::string& option) {
  const std::string in_command = command + option;
  for (const ValueName& name : value_names) {
    if (name.option == in_command || name.option == option) return name.word;
  }
  return {};
}

void name_values_of(CLI::App& app, const std::string& command) {
  constexpr std::string_view text = "TEXT";
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    const bool is_text = type == text || type.starts_with("TEXT:");
    if (!is_text || option->get_items_expected_max() == 0) continue;
    const std::string_view word = word_of(command, option->get_name());
    TRACEBED_CHECK(!word.empty(), "every value that is a text has a name");
    option->type_name(std::string(word));
  }
  for (CLI::App* subcommand : app.get_subcommands([](CLI::App*) { return true; })) {
    name_values_of(*subcommand, command + subcommand->get_name() + " ");
  }
}

// A table, or a list of them, is no single value.
bool is_table(const KeyText& key) {
  return key.type == "table" || key.type == "list of tables";
}

}  // namespace

void name_values(CLI::App& program) {
  name_values_of(program, "");
}

ValueCompletions value_completions(const SchedulerRegistry& schedulers) {
  using Kind = ValueCompletion::Kind;
  ValueCompletions completions{
      {"FILE", {Kind::files, {}}},
      {"FOLDER", {Kind::folders, {}}},
  };
  completions["WORLD"].words.assign(world_names.begin(), world_names.end());
  ValueCompletion& names = completions["SCHEDULER"];
  for (const SchedulerEntry& entry : schedulers) names.words.emplace_back(entry.name);
  for (const TraceFormat& format : trace_formats()) {
    completions["FORMAT"].words.emplace_back(format.name);
  }
  ValueCompletion& rules = completions["RULE=VALUE"];
  rules.kind = Kind::beginnings;
  for (const TraceRule& rule : trace_rules()) rules.words.emplace_back(rule.name);
  ValueCompletion& keys = completions["KEY=VALUE"];
  keys.kind = Kind::beginnings;
  for (const KeySection& section : experiment_keys()) {
    const std::optional<std::string> prefix = prefix_of(section);
    if (!prefix) continue;
    for (const KeyText& key : section.keys) {
      if (!is_table(key)) keys.words.push_back(*prefix + std::string(key.name));
    }
  }
  return completions;
}

}  // namespace tracebed

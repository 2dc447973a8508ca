#include "command_line/command_tree.h"

#include <CLI/CLI.hpp>

namespace tracebed {
namespace {

// CLI11 appends the descriptions of an option's checks to its type: "TEXT:{here,cluster}",
// "INT:INT in [1 - 1000]". They are not available otherwise without changing the option.
void read_type(const std::string& type, OptionDescription& option) {
  const std::size_t colon = type.find(':');
  option.value = type.substr(0, colon);
  if (colon == std::string::npos) return;
  const std::string check = type.substr(colon + 1);
  if (check.starts_with('{') && check.ends_with('}')) {
    option.choices = CLI::detail::split(check.substr(1, check.size() - 2), ',');
  } else if (const std::size_t bracket = check.find('['); bracket != std::string::npos) {
    option.range = check.substr(bracket);
  }
}

OptionDescription describe_option(const CLI::Option& option) {
  OptionDescription described;
  for (const std::string& name : option.get_snames()) described.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) described.names.push_back("--" + name);
  if (described.names.empty()) described.names.push_back(option.get_name(true));
  if (option.get_items_expected_max() > 0) read_type(option.get_type_name(), described);
  described.default_value = option.get_default_str();
  described.environment = option.get_envname();
  described.description = option.get_description();
  for (const CLI::Option* other : option.get_excludes()) {
    described.excludes.push_back(other->get_name());
  }
  described.is_required = option.get_required();
  described.takes_several = option.get_items_expected_max() > 1;
  described.delimiter = option.get_delimiter();
  return described;
}

}  // namespace

CommandDescription describe(const CLI::App& app) {
  CommandDescription command;
  command.name = app.get_name();
  command.description = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    (option->nonpositional() ? command.flags : command.arguments)
        .push_back(describe_option(*option));
  }
  for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!subcommand->get_group().empty()) command.subcommands.push_back(describe(*subcommand));
  }
  command.needs_subcommand = app.get_require_subcommand_min() > 0;
  return command;
}

ValueCompletion completion_of(const OptionDescription& option,
                              const ValueCompletions& completions) {
  if (!option.choices.empty()) return {ValueCompletion::Kind::words, option.choices};
  const auto found = completions.find(option.value);
  return found == completions.end() ? ValueCompletion() : found->second;
}

}  // namespace tracebed

#include "command_line/zsh_completion.h"

#include <fmt/format.h>

namespace tracebed {
namespace {

// Text between the brackets or colons of _arguments' specifications, within single quotes.
std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '\\' || c == '[' || c == ']' || c == ':' || c == '$' || c == '`') out += '\\';
    out += c;
  }
  return out;
}

std::string function_of(const std::string& path) {
  std::string name = "_";
  for (const char c : path) name += c == ' ' || c == '-' ? '_' : c;
  return name;
}

// ":FILE:_files", for the value of a flag or for an argument.
std::string value_of(const OptionDescription& option, const std::string& word,
                     const ValueCompletions& completions) {
  const ValueCompletion completion = completion_of(option, completions);
  std::string action = " ";  // only the word is shown
  const std::string words = fmt::format("{}", fmt::join(completion.words, " "));
  switch (completion.kind) {
    case ValueCompletion::Kind::files:
      action = "_files";
      break;
    case ValueCompletion::Kind::folders:
      action = "_files -/";
      break;
    case ValueCompletion::Kind::beginnings:
      action = fmt::format("compadd -S = -q - {}", words);
      break;
    case ValueCompletion::Kind::words:
      if (words.empty()) break;
      action = option.delimiter == ',' ? fmt::format("_sequence compadd - {}", words)
                                       : fmt::format("({})", words);
      break;
  }
  return fmt::format(":{}:{}", quoted(word), action);
}

std::string flag_spec(const OptionDescription& flag, const std::string& name,
                      const ValueCompletions& completions) {
  std::vector<std::string> others = flag.excludes;
  for (const std::string& own : flag.names) {
    if (!flag.takes_several) others.push_back(own);
  }
  const std::string before = flag.takes_several ? "*" : fmt::format("({})", fmt::join(others, " "));
  const std::string value = flag.value.empty() ? "" : value_of(flag, flag.value, completions);
  return fmt::format("    '{}{}{}[{}]{}'", before, name, flag.value.empty() ? "" : "=",
                     quoted(flag.description), value);
}

std::vector<std::string> specs_of(const CommandDescription& command,
                                  const ValueCompletions& completions) {
  std::vector<std::string> specs;
  for (const OptionDescription& flag : command.flags) {
    for (const std::string& name : flag.names) {
      specs.push_back(flag_spec(flag, name, completions));
    }
  }
  if (!command.subcommands.empty()) {
    specs.emplace_back("    '1: :->command'");
    specs.emplace_back("    '*:: :->words'");
    return specs;
  }
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const OptionDescription& argument = command.arguments[i];
    const std::string position = argument.takes_several ? "*" : std::to_string(i + 1);
    const std::string optional = argument.is_required || argument.takes_several ? "" : ":";
    specs.push_back(fmt::format("    '{}{}{}'", position, optional,
                                value_of(argument, argument.names.front(), completions)));
  }
  return specs;
}

void add_functions(const CommandDescription& command, const std::string& path,
                   const ValueCompletions& completions, std::string& text) {
  const std::string function = function_of(path);
  text += fmt::format(
      "\n{}() {{\n  local curcontext=$curcontext state line ret=1\n  typeset -A opt_args\n"
      "  _arguments -C \\\n{} && ret=0\n",
      function, fmt::join(specs_of(command, completions), " \\\n"));
  if (!command.subcommands.empty()) {
    text += "  case $state in\n    command)\n      local -a commands=(\n";
    for (const CommandDescription& subcommand : command.subcommands) {
      text += fmt::format("        '{}:{}'\n", subcommand.name, quoted(subcommand.description));
    }
    text += "      )\n      _describe -t commands command commands && ret=0\n";
    // Where a command has both, an argument may stand in the place of a subcommand.
    for (const OptionDescription& argument : command.arguments) {
      const ValueCompletion::Kind kind = completion_of(argument, completions).kind;
      if (kind == ValueCompletion::Kind::files) text += "      _files && ret=0\n";
    }
    text += "      ;;\n    words)\n      case $line[1] in\n";
    for (const CommandDescription& subcommand : command.subcommands) {
      text += fmt::format("        {}) {} && ret=0 ;;\n", subcommand.name,
                          function_of(path + " " + subcommand.name));
    }
    text += "      esac\n      ;;\n  esac\n";
  }
  text += "  return ret\n}\n";
  for (const CommandDescription& subcommand : command.subcommands) {
    add_functions(subcommand, path + " " + subcommand.name, completions, text);
  }
}

}  // namespace

std::string zsh_completion(const CommandDescription& program, const ValueCompletions& completions) {
  std::string text = fmt::format("#compdef {0}\n# Completion of {0} for zsh.\n", program.name);
  add_functions(program, program.name, completions, text);
  const std::string function = function_of(program.name);
  // Autoloaded, the file is the function's body; sourced, it registers the function.
  text += fmt::format(
      "\nif [[ $funcstack[1] == {0} ]]; then\n  {0} \"$@\"\nelse\n  compdef {0} {1}\nfi\n",
      function, program.name);
  return text;
}

}  // namespace tracebed

#include "command_line/bash_completion.h"

#include <fmt/format.h>

namespace tracebed {
namespace {

// What the script does with the tables. Bash splits words at "=" (COMP_WORDBREAKS), so --flag=value
// is three words here, and so is KEY=VALUE. A flag that takes several values takes every word up to
// the next flag, as far as arguments that are required leave any.
constexpr std::string_view script = R"script(
# Sets subcommands, flags, valued (flags with a value) and repeated (those that take several) to
# those of a command.
_PROGRAM_tables() {
  subcommands='' flags='' valued='' repeated=''
  case $1 in
TABLES  esac
}

# Completes the value of a flag, or of the argument with this number.
_PROGRAM_value() {
  case "$1 $2" in
VALUES  esac
}

# _PROGRAM_add ACTION [WORD…]: files, folders, words, list (with commas between), or beginnings
# of KEY=VALUE.
_PROGRAM_add() {
  local action=$1 before= last=$current added=()
  shift
  case $action in
    files | folders)
      compopt -o filenames 2>/dev/null
      [[ $action == files ]] && action=-f || action=-d
      mapfile -t added < <(compgen "$action" -- "$current")
      ;;
    beginnings)
      compopt -o nospace 2>/dev/null
      mapfile -t added < <(compgen -S = -W "$*" -- "$current")
      ;;
    list)
      [[ $current != *,* ]] || before=${current%,*}, last=${current##*,}
      mapfile -t added < <(compgen -P "$before" -W "$*" -- "$last")
      ;;
    *) mapfile -t added < <(compgen -W "$*" -- "$current") ;;
  esac
  COMPREPLY+=("${added[@]}")
}

_PROGRAM() {
  local current=${COMP_WORDS[COMP_CWORD]} command='' pending='' word
  local subcommands flags valued repeated
  local -i i argument=1 given=0
  COMPREPLY=()
  _PROGRAM_tables ''
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if [[ $word == -* ]]; then
      pending='' given=0
      [[ " $valued " != *" $word "* ]] || pending=$word
      if [[ ${COMP_WORDS[i + 1]} == = ]]; then
        ((i + 1 < COMP_CWORD)) || current=''
        ((i + 2 >= COMP_CWORD)) && break
        ((i += 2))
        pending=''
      fi
    elif [[ ${COMP_WORDS[i + 1]} == = && $((i + 2)) -ge COMP_CWORD ]]; then
      return 0
    elif [[ -n $pending ]]; then
      given+=1
      [[ ${COMP_WORDS[i + 1]} != = ]] || ((i += 2))
      [[ " $repeated " == *" $pending "* ]] || pending=''
    elif [[ $argument -eq 1 && " $subcommands " == *" $word "* ]]; then
      command+=${command:+ }$word
      _PROGRAM_tables "$command"
    else
      argument+=1
    fi
  done
  if [[ -n $pending && ($given -eq 0 || $current != -*) ]]; then
    _PROGRAM_value "$command" "$pending"
    ((given)) || return 0
  elif [[ $current == -* ]]; then
    _PROGRAM_add words "$flags"
    return 0
  fi
  ((argument > 1)) || _PROGRAM_add words "$subcommands"
  _PROGRAM_value "$command" "$argument"
}
complete -F _PROGRAM PROGRAM_NAME
)script";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Words and names are of letters, digits and - _ . + and need no quotes of their own.
std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::string action_of(const OptionDescription& option, const ValueCompletions& completions) {
  const ValueCompletion completion = completion_of(option, completions);
  switch (completion.kind) {
    case ValueCompletion::Kind::files:
      return "files";
    case ValueCompletion::Kind::folders:
      return "folders";
    case ValueCompletion::Kind::beginnings:
      return fmt::format("beginnings '{}'", joined(completion.words));
    case ValueCompletion::Kind::words:
      break;
  }
  if (completion.words.empty()) return {};
  return fmt::format("{} '{}'", option.delimiter == ',' ? "list" : "words",
                     joined(completion.words));
}

void add_table(const CommandDescription& command, const std::string& path, std::string& tables) {
  std::vector<std::string> subcommands;
  std::vector<std::string> flags;
  std::vector<std::string> valued;
  std::vector<std::string> repeated;
  for (const CommandDescription& subcommand : command.subcommands) {
    subcommands.push_back(subcommand.name);
  }
  for (const OptionDescription& flag : command.flags) {
    for (const std::string& name : flag.names) {
      flags.push_back(name);
      if (!flag.value.empty()) valued.push_back(name);
      if (flag.takes_several) repeated.push_back(name);
    }
  }
  tables += fmt::format("    '{}')\n", path);
  for (const auto& [name, words] :
       {std::pair("subcommands", &subcommands), std::pair("flags", &flags),
        std::pair("valued", &valued), std::pair("repeated", &repeated)}) {
    if (!words->empty()) tables += fmt::format("      {}='{}'\n", name, joined(*words));
  }
  tables += "      ;;\n";
}

void add_values(const CommandDescription& command, const std::string& path,
                const ValueCompletions& completions, const std::string& function,
                std::string& values) {
  const auto add = [&](const std::string& pattern, const OptionDescription& option) {
    const std::string action = action_of(option, completions);
    if (action.empty()) return;
    values += fmt::format("    '{} '{}) {}_add {} ;;\n", path, pattern, function, action);
  };
  for (const OptionDescription& flag : command.flags) {
    if (flag.value.empty()) continue;
    for (const std::string& name : flag.names) add(name, flag);
  }
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const OptionDescription& argument = command.arguments[i];
    // What takes several is the last one, and takes all that follow.
    add(argument.takes_several ? "[0-9]*" : std::to_string(i + 1), argument);
  }
}

struct Tables {
  std::string words;
  std::string values;
};

void add_command(const CommandDescription& command, const std::string& path,
                 const ValueCompletions& completions, const std::string& function, Tables& tables) {
  add_table(command, path, tables.words);
  add_values(command, path, completions, function, tables.values);
  for (const CommandDescription& subcommand : command.subcommands) {
    add_command(subcommand, path.empty() ? subcommand.name : path + " " + subcommand.name,
                completions, function, tables);
  }
}

}  // namespace

std::string bash_completion(const CommandDescription& program,
                            const ValueCompletions& completions) {
  const std::string function = "_" + replaced(program.name, "-", "_");
  Tables tables;
  add_command(program, "", completions, function, tables);
  std::string text = fmt::format("# Completion of {} for bash.\n", program.name);
  text +=
      replaced(replaced(std::string(script), "PROGRAM_NAME", program.name), "_PROGRAM", function);
  text = replaced(std::move(text), "TABLES", tables.words);
  return replaced(std::move(text), "VALUES", tables.values);
}

}  // namespace tracebed

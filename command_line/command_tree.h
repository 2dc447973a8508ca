// A program's commands, flags and arguments as data. Manual pages and shell completions are made of
// it, from the same tree from which the parser makes --help.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tracebed {

// A flag, or an argument without one.
struct OptionDescription {
  std::vector<std::string> names;  // with their dashes; of an argument, its one name
  std::string value;               // the word for its value in --help; empty: it takes none
  std::vector<std::string> choices;
  std::string range;  // "[0 - 1]"; empty: none
  std::string default_value;
  std::string environment;  // the variable that is read where the flag is not given
  std::string description;
  std::vector<std::string> excludes;  // names of flags that cannot be given beside it
  bool is_required = false;
  bool takes_several = false;
  char delimiter = '\0';  // between several values in one word; NUL: none
};

struct CommandDescription {
  std::string name;
  std::string description;
  std::vector<OptionDescription> flags;
  std::vector<OptionDescription> arguments;
  std::vector<CommandDescription> subcommands;
  bool needs_subcommand = false;
};

// `app` and all commands below it, in the order in which they were added, without those that
// --help does not show.
CommandDescription describe(const CLI::App& app);

// What a shell offers for a value, by the word for it (OptionDescription::value).
struct ValueCompletion {
  enum class Kind {
    words,
    beginnings,  // words that go on after "=", such as "scale.time"
    files,
    folders
  };
  Kind kind = Kind::words;
  std::vector<std::string> words;
};
using ValueCompletions = std::map<std::string, ValueCompletion, std::less<>>;

// Of an option: its own choices, or those for the word of its value; no words if there are none.
ValueCompletion completion_of(const OptionDescription& option, const ValueCompletions& completions);

}  // namespace tracebed

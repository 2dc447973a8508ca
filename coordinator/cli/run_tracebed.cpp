#include "coordinator/cli/run_tracebed.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "coordinator/api/program_end.h"
#include "coordinator/api/thrift_log.h"
#include "coordinator/cli/commands.h"
#include "coordinator/cli/text_output.h"
#include "system/large_pages.h"
#include "system/near_match.h"

namespace tracebed {
namespace {

// The message if the first word is no command; the parser's would only be that it needs one.
std::string unknown_command(const CLI::App& program, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return {};
  return "there is no command " + std::string(argv[1]) +
         name_hint(argv[1], std::vector<std::string_view>(names.begin(), names.end()));
}

// An empty word would count as not given, or as 0.
std::string empty_word(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool is_flag = word.starts_with("--");
    if (is_flag && word.find('=') + 1 == word.size()) {
      return std::string(word.substr(0, word.size() - 1)) + ": expected a value, got an empty one";
    }
    if (!word.empty()) continue;
    const std::string_view before = argv[i - 1];
    const std::string place = before.starts_with("--") ? std::string(before) + ": " : "";
    return place + "expected a value, got an empty one";
  }
  return {};
}

// The parser's own message on an invalid number lacks what was expected.
std::string fault_of(const CLI::ParseError& error) {
  const std::string text = error.what();
  constexpr std::string_view unconverted = "Could not convert: ";
  const std::size_t equals = text.find(" = ");
  if (!text.starts_with(unconverted) || equals == std::string::npos) return text;
  return text.substr(unconverted.size(), equals - unconverted.size()) +
         ": expected a number in its range, got " + text.substr(equals + 3);
}

ExitCode parse_and_run(int argc, char** argv, const SchedulerRegistry& schedulers) {
  CLI::App program;
  ExitCode result = ExitCode::success;
  add_commands(program, schedulers, result);
  std::string fault = unknown_command(program, argc, argv);
  if (fault.empty()) fault = empty_word(argc, argv);
  if (!fault.empty()) {
    print_plain(stderr, "tracebed: {}\n", fault);
    return ExitCode::usage;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help, --version
    program.exit(wanted);
    return ExitCode::success;
  } catch (const CLI::ParseError& error) {
    print_plain(stderr, "tracebed: {}; see tracebed --help\n", fault_of(error));
    return ExitCode::usage;
  }
  return result;
}

// Commands whose states grow large: large pages are worth a second start of the program to them,
// which is half of what a short command takes.
bool replays(std::string_view command) {
  constexpr std::array<std::string_view, 5> replaying{"run", "sweep", "reproduce", "replay-log",
                                                      "export"};
  return std::find(replaying.begin(), replaying.end(), command) != replaying.end();
}

}  // namespace

int run_tracebed(int argc, char** argv, const SchedulerRegistry& schedulers) {
  if (argc > 1 && replays(argv[1])) heap_in_large_pages(argv);
  silence_thrift();  // its messages repeat those of exceptions
  return end_program("tracebed", [&] { return parse_and_run(argc, argv, schedulers); });
}

}  // namespace tracebed

#include "coordinator/cli/help_tree.h"

#include <gtest/gtest.h>
#include <sstream>

#include "coordinator/cli/program.h"

namespace tracebed {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Entries are indented by two blanks, their descriptions by more.
HelpPage parse(const std::string& command, const std::string& text) {
  HelpPage page{command, {}, {}};
  std::string section;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.front() != ' ') section = line;
    if (!line.starts_with("  ") || line.starts_with("   ")) continue;
    const std::string name = words_of(line).front();
    if (section == "Subcommands:") page.subcommands.push_back(name);
    if (section != "Options:") continue;
    std::istringstream names(name);
    for (std::string flag; std::getline(names, flag, ',');) page.flags.push_back(flag);
  }
  return page;
}

void add_pages(const std::string& program, const std::string& command,
               std::vector<HelpPage>& pages) {
  std::vector<std::string> arguments = words_of(command);
  arguments.emplace_back("--help");
  RunningProgram running(program_path(program), arguments);
  const ProgramEnd end = running.wait();
  EXPECT_EQ(end.exit_code, 0) << program << " " << command;
  const HelpPage page = parse(command, end.out);
  pages.push_back(page);
  for (const std::string& name : page.subcommands) {
    add_pages(program, command.empty() ? name : command + " " + name, pages);
  }
}

}  // namespace

std::vector<HelpPage> help_pages(const std::string& program) {
  std::vector<HelpPage> pages;
  add_pages(program, "", pages);
  return pages;
}

}  // namespace tracebed

// The commands of a program as its --help pages list them, so that what is made of the command tree
// is compared with what the parser prints.
#pragma once

#include <string>
#include <vector>

namespace tracebed {

struct HelpPage {
  std::string command;  // "trace convert"; empty: the program itself
  std::vector<std::string> subcommands;
  std::vector<std::string> flags;  // all names, "-h" and "--help"
};

// The program's page and those of all commands below it.
std::vector<HelpPage> help_pages(const std::string& program);

}  // namespace tracebed

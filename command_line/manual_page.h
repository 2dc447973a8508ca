// Manual pages of a program: one of the program itself, and one of each of its commands, with what
// is below a command in sections of its page, as git's are.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "command_line/command_tree.h"

namespace tracebed {

struct ManualSection {
  std::string title;
  std::string text;
  std::vector<std::pair<std::string, std::string>> items;  // after the text: what, and its meaning
};

struct ManualOptions {
  int number = 1;  // of the manual's section: 1 for commands, 8 for daemons
  std::string date;
  std::string version;
  std::vector<ManualSection> sections;  // after those that follow from the commands
  std::vector<std::string> see_also;    // "tracebed(1)"
};

struct ManualPage {
  std::string file;  // "tracebed-run.1"
  std::string text;
};

// The program's first.
std::vector<ManualPage> manual_pages(const CommandDescription& program,
                                     const ManualOptions& options);

}  // namespace tracebed

// The completion script of bash for a program. It needs bash 4.4 and nothing else, neither the
// package bash-completion nor the program itself.
#pragma once

#include <string>

#include "command_line/command_tree.h"

namespace tracebed {

std::string bash_completion(const CommandDescription& program, const ValueCompletions& completions);

}  // namespace tracebed

// The completion script of zsh for a program: a file for a folder of `fpath`, which may also be
// sourced after compinit.
#pragma once

#include <string>

#include "command_line/command_tree.h"

namespace tracebed {

std::string zsh_completion(const CommandDescription& program, const ValueCompletions& completions);

}  // namespace tracebed

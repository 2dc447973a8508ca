// The words by which --help names the values of flags and arguments, and what shells offer for
// them. A flag of one name takes the same kind of value in every command, unless it is listed with
// the command's name.
#pragma once

#include "command_line/command_tree.h"
#include "schedulers/registry.h"

namespace tracebed {

// Numbers keep the parser's own words; a value that is a text and has no word here breaks an
// invariant.
void name_values(CLI::App& program);

ValueCompletions value_completions(const SchedulerRegistry& schedulers);

}  // namespace tracebed

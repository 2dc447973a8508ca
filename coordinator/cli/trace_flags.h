// Flags that commands on a trace share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "traces/open_trace.h"

namespace tracebed {

struct TraceFlags {
  std::string format = "auto";
  std::vector<std::string> rules;  // NAME=VALUE
  bool skip_bad_lines = false;
};

// What a command reads and writes, as positional arguments that are required.
CLI::Option* add_input_file(CLI::App& command, std::string& input);
CLI::Option* add_output_file(CLI::App& command, std::string& output);

// Where a command that writes `output` prints its messages: standard output, unless the trace is
// written there.
std::FILE* messages_beside(const std::string& output);

// How its rows are parsed.
void add_row_flags(CLI::App& command, TraceFlags& flags);
// What they are converted into.
void add_rule_flag(CLI::App& command, TraceFlags& flags);

// Throws InputError naming an invalid flag.
TraceOptions trace_options(const TraceFlags& flags);

}  // namespace tracebed

// The command line of `tracebed run`.
#pragma once

#include <string>
#include <vector>

#include "coordinator/cli/coordinator_flag.h"
#include "coordinator/config/load_experiment.h"

namespace tracebed {

struct RunFlags {
  std::string file;
  std::string output;
  std::vector<std::string> schedulers;
  std::vector<std::string> settings;  // KEY=VALUE
  std::string world;
  std::string seed;
  std::string repetitions;
  std::string parallel;
  bool quick = false;
  bool noise = false;
  bool paranoid = false;
  bool ignore_unsupported = false;
  bool details = false;
  bool json = false;
  bool quiet = false;
  std::string on = "here";
  CoordinatorFlags coordinator;
};

// Flags of their own are equivalent to --set: a value that replaces the file's.
std::vector<Override> overrides_of(const RunFlags& flags);

}  // namespace tracebed

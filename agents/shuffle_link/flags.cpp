#include "agents/shuffle_link/flags.h"

#include <CLI/CLI.hpp>

namespace tracebed::shuffle_link {

void add_flags(CLI::App& app) {
  app.name("tracebed-shuffle");
  app.description(
      "Serve what tasks of one machine keep for others to fetch. Started by tracebed-agent, which "
      "says how over standard input.");
  app.set_version_flag("--version", "tracebed-shuffle " TRACEBED_VERSION);
}

}  // namespace tracebed::shuffle_link

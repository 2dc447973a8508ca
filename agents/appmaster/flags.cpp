#include "agents/appmaster/flags.h"

#include <CLI/CLI.hpp>

namespace tracebed::appmaster {

void add_flags(CLI::App& app, Flags& flags) {
  app.name("tracebed-appmaster");
  app.description(
      "Serve as the master of one application of a Tracebed run. Started by tracebed-launcher, "
      "with the coordinator's endpoint, the session number and its keys on standard input.");
  app.add_option("--run", flags.run, "Name of the run")->type_name("NAME")->required();
  app.add_option("--epoch", flags.epoch, "Epoch of the coordinator")->required();
  app.add_option("--application", flags.application, "Number of the application")->required();
  app.add_option("--attempt", flags.attempt, "Number of this attempt")
      ->required()
      ->check(CLI::PositiveNumber);
  app.add_option("--address", flags.address, "Source address of its connections")
      ->type_name("ADDRESS");
}

}  // namespace tracebed::appmaster

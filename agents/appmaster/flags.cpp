#include "agents/appmaster/flags.h"

#include <CLI/CLI.hpp>

namespace tracebed::appmaster {

void add_flags(CLI::App& app, Flags& flags) {
  app.name("tracebed-appmaster");
  app.description(
      "The master of one application of a Tracebed run. tracebed-launcher starts it, and tells it "
      "where the coordinator listens, the session number of its messages, and its keys, on its "
      "standard input.");
  app.add_option("--run", flags.run, "name of the run")->type_name("NAME")->required();
  app.add_option("--epoch", flags.epoch, "the coordinator's")->required();
  app.add_option("--application", flags.application, "number of the application")->required();
  app.add_option("--attempt", flags.attempt, "number of this attempt at it")
      ->required()
      ->check(CLI::PositiveNumber);
  app.add_option("--address", flags.address, "where connections to it come from")
      ->type_name("ADDRESS");
}

}  // namespace tracebed::appmaster

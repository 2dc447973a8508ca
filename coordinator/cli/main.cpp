// `tracebed` with the schedulers that Tracebed has.
#include "coordinator/cli/run_tracebed.h"
#include "schedulers/entries/builtin_schedulers.h"

int main(int argc, char** argv) {
  return tracebed::run_tracebed(argc, argv, tracebed::builtin_schedulers());
}

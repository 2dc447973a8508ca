// `tracebed-coordinator` with the schedulers that Tracebed has.
#include "coordinator/api/run_coordinator.h"
#include "schedulers/entries/builtin_schedulers.h"

int main(int argc, char** argv) {
  return tracebed::run_coordinator(argc, argv, tracebed::builtin_schedulers());
}

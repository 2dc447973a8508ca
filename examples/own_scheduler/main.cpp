// `tracebed` with one more scheduler.
#include "coordinator/cli/run_tracebed.h"
#include "own_scheduler/least_left.h"
#include "schedulers/entries/builtin_schedulers.h"

int main(int argc, char** argv) {
  tracebed::SchedulerRegistry schedulers = tracebed::builtin_schedulers();
  schedulers.add(own_scheduler::least_left_entry());
  return tracebed::run_tracebed(argc, argv, schedulers);
}

#!/usr/bin/env bash
# What takes a night; called by `./run nightly` from the root: daemons that play a thousand runs,
# and are killed at two hundred random moments; all that depends on time five times over; five times
# as many stories of the contract suite; the playbooks and all faults on booted hosts; a sweep on
# Slurm; virtual machines; and libFuzzer on each target for as many minutes as are asked for. What
# cannot be made on this machine counts as skipped, with why.
set -uo pipefail
readonly jobs=$1 fuzz_minutes=$2 no_hosts=$3 no_machines=$4
source tests/tools/steps.sh

# step_unless OBSTACLE NAME COMMAND…
step_unless() {
  local why=$1
  shift
  if [[ -n $why ]]; then
    say "NOT TESTED: $1: $why"
    printf 'skipped\t%s\t%s\n' "$1" "$why" >>"$out/steps.tsv"
  else
    check "$@"
  fi
}

fuzz_every_target() {
  local target failed=0
  for target in tests/fuzz/*_fuzz.cpp; do
    target=${target#tests/fuzz/}
    ./run fuzz "${target%_fuzz.cpp}" $((fuzz_minutes * 60)) >"$out/fuzz.log" 2>&1 || {
      failed=1
      printf '%s:\n' "$target"
      tail -n 60 "$out/fuzz.log"
    }
  done
  return "$failed"
}

begin_steps
if check "release builds" build release all benches; then
  check "a thousand runs leave the daemons as they were" ./run soak 1000
  run_tests release "what depends on time" -j 1 -L timed --repeat until-fail:5
  check "daemons that are killed at two hundred random moments leave nothing" \
    env TRACEBED_FAULT_RUNS=200 TRACEBED_FAULT_SEED="$(date +%s)" \
    build/release/bin/local_world_test --gtest_filter='AnyFault.*'
  TRACEBED_STORIES=200 run_tests release "contracts, two hundred stories" -L contract -LE timed
  run_tests release "under User Mode Linux" -L uml
fi
check "a sweep on a real Slurm, a task of which is killed, has the table of one by cores" \
  ./run bed --slurm
if check "the package is built" ./run package; then
  step_unless "$no_hosts" "booted hosts: the playbooks deploy, and faults are survived" ./run bed
  step_unless "$no_hosts" "booted hosts: what runs need is away for a while" ./run bed --absences
  step_unless "$no_machines" "virtual machines: the playbooks deploy, and limits hold" \
    ./run bed --vms
fi
check "libFuzzer finds nothing in $fuzz_minutes minutes for each target" fuzz_every_target
finish_steps

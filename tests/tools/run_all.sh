#!/usr/bin/env bash
# Runs the tests and sums up; called by `./run test` from the root. The gate, which a newcomer runs
# and every change passes, is
#   release  what people run: all tests that hold at any speed
#   asan     of what reads what others wrote (traces, settings, messages, HDFS): its tests, and the
#            fuzz targets on their seeds
# and `--all` adds
#   release  alone, with nothing beside them: the tests of tests/timed_tests.txt, those under User
#            Mode Linux, those that count operations under valgrind, and each benchmark, small
#   dev      each header compiled alone
#   asan     the other tests of the gate but those that start the program hundreds of times, whose
#            starts would take most of the time; with an eighth of the contract suite's stories;
#            then a minute of fuzzing with a new seed
#   tsan     the tests of what has threads
# and the digests of runs in release and asan are compared: other optimisation, other addresses.
# With beds, the package is built as well and deployed to hosts that are booted on this machine,
# which then suffer faults; where an obstacle to that is named, it counts as skipped.
# What waits more than it computes runs while something is built: tests of processes in cgroups
# beside the other tests' programs, hosts beside asan, which are gone before its tests.
set -uo pipefail
readonly jobs=$1 reach=$2 beds=${3:-} obstacle=${4:-}
source tests/tools/steps.sh

# repeat_failed PRESET PART…: tests of sockets and processes that failed by an assertion, at most
# five, each three times with nothing beside it. What passes every time counts as unstable: it is
# printed first in the summary, and both outputs are kept. All other failures stay what they are.
repeat_failed() {
  local preset=$1 part results failed=() row test pattern kept=$out/unstable
  shift
  for part in "$@"; do
    results=$preset-${part// /-}
    while read -r test; do
      failed+=("$results $test")
    done < <(build/release/bin/summarise_tests --failed-by-assertion "$out/$results.xml")
  done
  ((${#failed[@]} > 0 && ${#failed[@]} <= 5)) || return 0
  mkdir -p "$kept"
  for row in "${failed[@]}"; do
    results=${row%% *} test=${row#* }
    say "repeating $test"
    pattern=^$(sed 's/[][().+*?^$|\\]/\\&/g' <<<"$test")\$
    if ctest_in "$preset" repeated -R "$pattern" -L 'net|root' --repeat until-fail:3 \
      --output-on-failure --no-tests=error --output-junit "$PWD/$kept/${test//\//-}.xml"; then
      printf '%s: %s\n' "$results" "$test" >>"$out/unstable.txt"
      cp "$out/$results.xml" "$kept/"
    fi
  done
}

digests_are_equal() {
  local preset
  for preset in release asan; do
    build/$preset/bin/print_digests >"$out/$preset.digests" || return 1
  done
  cat "$out/release.digests"
  cmp "$out/release.digests" "$out/asan.digests"
}

# All targets share the minute; what one finds is shown, with the seed that finds it again.
fuzz_for_a_minute() {
  local targets each seed target failed=0
  targets=(tests/fuzz/*_fuzz.cpp)
  targets=("${targets[@]#tests/fuzz/}")
  targets=("${targets[@]%_fuzz.cpp}")
  each=$((60 * jobs / ${#targets[@]} + 1))
  seed=$(date +%s)
  printf '%s\n' "${targets[@]}" |
    xargs -P "$jobs" -I{} sh -c "build/asan/bin/{}_fuzz tests/fuzz/corpus/{} $each $seed \
      >$out/fuzz-{}.log 2>&1 || touch $out/fuzz-{}.failed"
  for target in "${targets[@]}"; do
    if [[ -e $out/fuzz-$target.failed ]]; then
      failed=1
      printf '%s_fuzz tests/fuzz/corpus/%s %s %s:\n' "$target" "$target" "$each" "$seed"
    fi
    printf '%s: %s\n' "$target" "$(tail -n 40 "$out/fuzz-$target.log")"
  done
  return "$failed"
}

export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=suppressions=$PWD/tests/tools/tsan_suppressions.txt

# Of the contract suite's stories the gate plays half; with --all it plays them all.
[[ $reach == all ]] || export TRACEBED_STORIES=20
readonly not_in_the_gate='timed|uml|bench|counted'

begin_steps
check "sources are formatted" ./run format --check
has_release=
if check "release builds: programs, and tests of processes" \
  build release programs process_tests; then
  beside release-processes run_tests release "processes" -L root -LE "$not_in_the_gate"
  if check "release builds: all of it" build release; then
    has_release=yes
    run_tests release "all else" -LE "root|$not_in_the_gate"
  fi
  finish_beside
  repeat_failed release "processes" "all else"
fi
if check "asan builds: what reads foreign input" build asan foreign_input_tests; then
  run_tests asan "foreign input" -L foreign -LE "$not_in_the_gate"
fi

test_alone() {
  run_tests release "what depends on time" -j 1 -L timed
  run_tests release "under User Mode Linux" -L uml
  run_tests release "what counts operations" -L counted
  if check "release builds: benchmarks" build release benches; then
    run_tests release "benchmarks" -j 1 -L bench
  fi
}

readonly stories=5
readonly many_starts='KilledRun|Signals/Interrupted|Schedulers/RowsOfRuns|Table/ExitCodes|'\
'All/Example'

test_with_sanitizers() {
  local has_asan='' has_tsan='' has_package=''
  readonly bed_step="the playbooks deploy to booted hosts, which survive faults and keep nothing"
  if [[ -n $obstacle ]]; then
    say "NO BED CAN BE MADE ON THIS MACHINE: $obstacle."
    say "Deployment and faults of hosts are NOT TESTED."
    printf 'skipped\t%s\tno bed can be made: %s\n' "$bed_step" "$obstacle" >>"$out/steps.tsv"
  elif [[ -n $beds ]] && check "the package is built" ./run package; then
    has_package=yes
    beside beds ./run bed
  fi
  if check "asan builds" build asan; then has_asan=yes; fi
  if [[ -n $has_package ]]; then check "$bed_step" finish_beside; fi
  if [[ -n $has_asan ]]; then
    TRACEBED_STORIES=$stories beside asan-processes \
      run_tests asan "processes" -L root -LE "$not_in_the_gate"
  fi
  if check "tsan builds" build tsan threaded_tests; then has_tsan=yes; fi
  if [[ -n $has_asan ]]; then
    TRACEBED_STORIES=$stories \
      run_tests asan "all else" -LE "root|foreign|$not_in_the_gate" -E "^($many_starts)[.]"
    finish_beside
    check "a minute of fuzzing finds nothing" fuzz_for_a_minute
  fi
  if [[ -n $has_tsan ]]; then run_tests tsan "threads" -L threads -LE "$not_in_the_gate"; fi
  check "each header compiles alone" build dev headers
  if [[ -n $has_release && -n $has_asan ]]; then
    check "runs have equal digests in release and asan" digests_are_equal
  fi
}
if [[ $reach == all ]]; then
  [[ -z $has_release ]] || test_alone
  test_with_sanitizers
fi
finish_steps

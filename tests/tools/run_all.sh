#!/usr/bin/env bash
# Runs the tests and sums up; called by `./run test` from the root. The gate, which a newcomer runs
# and every change passes, is
#   release  what people run: all tests that hold at any speed
# and `--all` adds
#   release  alone, with nothing beside them: the tests of tests/timed_tests.txt, those under User
#            Mode Linux, and each benchmark, small
#   dev      each header compiled alone
#   asan     the tests of the gate but those that start the program hundreds of times, whose starts
#            would take most of the time; with an eighth of the contract suite's stories; then a
#            minute of fuzzing with a new seed
#   tsan     the tests of what has threads
# and the digests of runs in release and asan are compared: other optimisation, other addresses.
# With beds, the package is built as well and deployed to hosts that are booted on this machine,
# which then suffer faults; where an obstacle to that is named, it counts as skipped.
# What waits more than it computes runs while something is built: tests of processes in cgroups
# beside the other tests' programs, hosts beside asan, which are gone before its tests.
# A step that fails does not keep the others from running; the exit code tells at the end.
set -uo pipefail
readonly jobs=$1 reach=$2 beds=${3:-} obstacle=${4:-}
readonly out=build/test-results
rm -rf "$out"
mkdir -p "$out"
readonly started=$SECONDS

say() { printf '\n==> [%d min] %s\n' $(((SECONDS - started) / 60)) "$*"; }

# took NAME BEGUN: notes the minutes for the table at the end.
took() {
  local seconds=$((SECONDS - $2))
  printf '%4d:%02d  %s\n' $((seconds / 60)) $((seconds % 60)) "$1" >>"$out/took.txt"
}

# check NAME COMMAND…: a step of this script that counts like a test.
check() {
  local name=$1 begun=$SECONDS result=0
  shift
  say "$name"
  "$@" || result=1
  took "$name" "$begun"
  if ((result == 0)); then
    printf 'passed\t%s\n' "$name" >>"$out/steps.tsv"
  else
    printf 'failed\t%s\n' "$name" >>"$out/steps.tsv"
  fi
  return "$result"
}

# Nice to the tests that run beside it.
build() {
  local preset=$1
  shift
  if [[ ! -f build/$preset/build.ninja ]]; then
    cmake --preset "$preset" >"$out/$preset.configure.log" 2>&1 || {
      cat "$out/$preset.configure.log"
      return 1
    }
  fi
  nice cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"} -- --quiet
}

# ctest_in PRESET PART FLAGS…: with a folder of its own for ctest's log and the times of tests,
# since two may run at a time.
ctest_in() {
  local preset=$1 folder=build/$1/parts/${2// /-}
  shift 2
  mkdir -p "$folder"
  printf 'subdirs("%s")\n' "$PWD/build/$preset" >"$folder/CTestTestfile.cmake"
  ctest --test-dir "$folder" "$@"
}

# run_tests PRESET PART FLAGS…: a part of a preset's tests, in release more at a time than there are
# cores since many of them wait; locks keep apart what would disturb each other. The output of a
# passed test is kept whole, because a skipped one says its reason there, and a suite its tests.
run_tests() {
  local preset=$1 part=$2 begun=$SECONDS
  local results=$out/$1-${2// /-}.xml at_a_time=$jobs
  [[ $preset != release ]] || at_a_time=$((jobs + 2))
  shift 2
  say "testing $preset: $part"
  ctest_in "$preset" "$part" -j "$at_a_time" --output-on-failure --no-tests=error \
    --test-output-size-passed 4194304 --test-output-size-failed 4194304 \
    --output-junit "$PWD/$results" "$@" |
    grep -vE ' Passed |^ +Start ' || true
  [[ -s $results ]] ||
    printf 'failed\ttests of %s (%s) leave results\n' "$preset" "$part" >>"$out/steps.tsv"
  took "tests of $preset: $part" "$begun"
}

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

# beside NAME COMMAND…: begins what waits more than it computes; finish_beside shows its output.
beside_job='' beside_log=''
beside() {
  beside_log=$out/$1.log
  shift
  set -m  # a group of its own, which a signal reaches whole
  "$@" >"$beside_log" 2>&1 &
  beside_job=$!
  set +m
  trap 'kill -TERM -- "-$beside_job" 2>/dev/null; wait "$beside_job"' EXIT
}
finish_beside() {
  local result=0
  wait "$beside_job" || result=1
  trap - EXIT
  beside_job=
  cat "$beside_log"
  return "$result"
}

# What a run could leave: processes, cgroups, sockets and folders in /tmp, mounts.
leftovers() {
  grep -lsE '^(tracebed|redis-server)' /proc/[0-9]*/comm | while read -r comm; do
    printf 'process %s\n' "$(tr '\0' ' ' <"${comm%comm}cmdline" 2>/dev/null)"
  done
  find /sys/fs/cgroup -type d -name 'tracebed*' -printf 'cgroup %p\n' 2>/dev/null
  find "${TMPDIR:-/tmp}" /dev/shm -maxdepth 1 -iname 'tracebed*' -printf 'file %p\n' 2>/dev/null
  grep tracebed /proc/mounts
}
nothing_is_left() {
  leftovers | sort >"$out/after.txt"
  local new
  new=$(comm -13 "$out/before.txt" "$out/after.txt")
  [[ -z $new ]] || { printf 'left behind:\n%s\n' "$new"; return 1; }
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

readonly not_in_the_gate='timed|uml|bench'

# Before anything else, so that a failure of all the rest can be summed up.
if ! build release summarise_tests; then
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
fi
leftovers | sort >"$out/before.txt"
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

test_alone() {
  run_tests release "what depends on time" -j 1 -L timed
  run_tests release "under User Mode Linux" -L uml
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
      run_tests asan "all else" -LE "root|$not_in_the_gate" -E "^($many_starts)[.]"
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
check "nothing is left behind" nothing_is_left

say "all of it took $(((SECONDS - started) / 60)) minutes:"
cat "$out/took.txt"
build/release/bin/summarise_tests "$out"

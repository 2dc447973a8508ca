#!/usr/bin/env bash
# Runs the tests in the build types below and sums up; called by `./run test` from the root.
#   asan     all tests but the benchmarks and those under User Mode Linux, whose guest has no room
#            for shadow memory, with a quarter of the contract suite's stories; then a minute of
#            fuzzing with a new seed
#   release  what people run: the tests of processes in cgroups, of all schedulers and of whole
#            runs, those under User Mode Linux, each benchmark, small
#   tsan     the tests of what has threads
# The digests of runs in release and asan are compared: other optimisation, other addresses.
# With --beds, the package is built as well and deployed to hosts that are booted on this machine,
# which then suffer faults; where an obstacle to that is named, it counts as skipped. Hosts wait
# more than they compute: they are up while asan is built, and gone before its tests.
# A step that fails does not keep the others from running; the exit code tells at the end.
set -uo pipefail
readonly jobs=$1 beds=${2:-} obstacle=${3:-}
readonly out=build/test-results
rm -rf "$out"
mkdir -p "$out"
readonly started=$SECONDS

say() { printf '\n==> [%d min] %s\n' $(((SECONDS - started) / 60)) "$*"; }

# check NAME COMMAND…: a step of this script that counts like a test.
check() {
  local name=$1
  shift
  say "$name"
  if "$@"; then
    printf 'passed\t%s\n' "$name" >>"$out/steps.tsv"
  else
    printf 'failed\t%s\n' "$name" >>"$out/steps.tsv"
    return 1
  fi
}

build() {
  local preset=$1
  shift
  if [[ ! -f build/$preset/build.ninja ]]; then
    cmake --preset "$preset" >"$out/$preset.configure.log" 2>&1 || {
      cat "$out/$preset.configure.log"
      return 1
    }
  fi
  cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"} -- --quiet
}

# The output of a passed test is kept whole, because a skipped one says its reason there.
run_tests() {
  local preset=$1
  shift
  say "testing $preset"
  ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --no-tests=error \
    --test-output-size-passed 65536 --output-junit "$PWD/$out/$preset.xml" "$@" |
    grep -vE ' Passed |^ +Start ' || true
  [[ -s $out/$preset.xml ]] ||
    printf 'failed\ttests of %s leave results\n' "$preset" >>"$out/steps.tsv"
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

beds_job=
begin_beds() {
  set -m  # a group of its own, which a signal reaches whole
  ./run bed >"$out/beds.log" 2>&1 &
  beds_job=$!
  set +m
  trap 'kill -TERM -- "-$beds_job" 2>/dev/null; wait "$beds_job"' EXIT
}
end_beds() {
  local result=0
  wait "$beds_job" || result=1
  trap - EXIT
  cat "$out/beds.log"
  return "$result"
}

export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=suppressions=$PWD/tests/tools/tsan_suppressions.txt

if ! build release summarise_tests; then
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
fi
leftovers | sort >"$out/before.txt"
check "sources are formatted" ./run format --check
has_release=
if check "release builds" build release programs print_digests system_tests benches; then
  has_release=yes
  run_tests release -L 'root|contract|golden|replay|uml|bench'
fi
readonly bed_step="the playbooks deploy to booted hosts, which survive faults and keep nothing"
if [[ -n $obstacle ]]; then
  say "NO BED CAN BE MADE ON THIS MACHINE: $obstacle."
  say "Deployment and faults of hosts are NOT TESTED."
  printf 'skipped\t%s\tno bed can be made: %s\n' "$bed_step" "$obstacle" >>"$out/steps.tsv"
elif [[ -n $beds ]] && check "the package is built" ./run package; then
  begin_beds
fi
has_asan=
if check "asan builds" build asan; then has_asan=yes; fi
if [[ -n $beds_job ]]; then check "$bed_step" end_beds; fi
if [[ -n $has_asan ]]; then
  TRACEBED_STORIES=10 run_tests asan
  check "a minute of fuzzing finds nothing" fuzz_for_a_minute
fi
if check "tsan builds" build tsan threaded_tests; then run_tests tsan -L threads; fi
if [[ -n $has_release ]]; then
  check "runs have equal digests in release and asan" digests_are_equal
fi
check "nothing is left behind" nothing_is_left

say "all of it took $(((SECONDS - started) / 60)) minutes"
build/release/bin/summarise_tests "$out"

# Steps of a long run of tests, which count like tests: sourced by run_all.sh and run_nightly.sh,
# with the number of processors in `jobs`.
#   begin_steps     what must be there before anything else
#   check, build, run_tests
#   finish_steps    sums up; the exit code says whether all passed
# A step that fails does not keep the others from running.
source tests/tools/own_surroundings.sh
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

configure() {
  [[ ! -f build/$1/build.ninja ]] || return 0
  cmake --preset "$1" >"$out/$1.configure.log" 2>&1 || {
    cat "$out/$1.configure.log"
    return 1
  }
}

# Nice to the tests that run beside it. Names up to twenty things that do not compile, not one.
build() {
  local preset=$1
  shift
  configure "$preset" || return
  nice cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"} -- --quiet -k 20
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

# beside NAME COMMAND…: begins what waits more than it computes; finish_beside shows its output.
beside_job='' beside_log=''
beside() {
  beside_log=$out/$1.log
  shift
  set -m  # a group of its own, which a signal reaches whole
  "$@" >"$beside_log" 2>&1 &
  beside_job=$!
  set +m
}
finish_beside() {
  local result=0
  wait "$beside_job" || result=1
  beside_job=
  cat "$beside_log"
  return "$result"
}

nothing_is_left() {
  left_behind | sort >"$out/left_behind.txt"
  [[ ! -s $out/left_behind.txt ]] || { cat "$out/left_behind.txt"; return 1; }
}

# What a run needs and this machine does not give is no fault of the tree: exit code 4.
not_judged() {
  printf 'nothing could be judged: %s\n' "$1"
  exit 4
}
disk_is_full() { (($(df --output=avail -k . | tail -n 1) < 65536)); }

clean_up() {
  [[ -z $beside_job ]] || { kill -TERM -- "-$beside_job" && wait "$beside_job"; } 2>/dev/null
  leave_surroundings
}

begin_steps() {
  enter_surroundings || not_judged "no temporary folder can be made in ${TMPDIR:-/tmp}"
  trap clean_up EXIT
  if configure release && ! build release tracebed_page_packages; then
    not_judged "npm could not install the packages of the report's page"
  fi
  # Before anything else, so that a failure of all the rest can be summed up.
  if ! build release summarise_tests; then
    ! disk_is_full || not_judged "the disk is full"
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
  fi
}

finish_steps() {
  check "nothing is left behind" nothing_is_left
  say "all of it took $(((SECONDS - started) / 60)) minutes:"
  cat "$out/took.txt"
  build/release/bin/summarise_tests "$out" || {
    ! disk_is_full || not_judged "the disk is full"
    exit 1
  }
}

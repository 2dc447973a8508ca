#!/bin/sh
# discover_tests.sh PROGRAM OUT WORKING_DIRECTORY UNIT LABELS [PROPERTY VALUE…]: writes the tests of
# a GoogleTest program as commands for ctest, each with these properties. UNIT is `test`, or `suite`
# for one command for each suite, which saves the starts of processes where they are slow: under
# sanitizers. The tests of tests/timed_tests.txt have the label `timed` as well, and are commands of
# their own everywhere. CMake's own gtest_discover_tests does this in its own language, which takes
# half a second for each program.
set -eu
program=$1 out=$2 folder=$3 unit=$4 labels=$5
shift 5
list=$(dirname "$0")/../timed_tests.txt
"$program" --gtest_list_tests >"$out.list" </dev/null
awk -v program="$program" -v folder="$folder" -v unit="$unit" -v labels="$labels" \
  -v properties="$*" -v list="$list" '
  function add(name, filter, own_labels, is_suite) {
    printf "add_test([==[%s]==] [==[%s]==] [==[--gtest_filter=%s]==])\n", name, program, filter
    printf "set_tests_properties([==[%s]==] PROPERTIES ", name
    printf "LABELS \"%s\" %s WORKING_DIRECTORY [==[%s]==]", own_labels, properties, folder
    # A suite is not skipped if one of its tests is.
    print is_suite ? ")" : " SKIP_REGULAR_EXPRESSION [==[\\[  SKIPPED \\]]==])"
    ++count
  }
  # As the source has it: without the name of an instantiation, with or without the parameter.
  function is_timed(suite, test,   words, bare, parameter) {
    sub(/[.]$/, "", suite)
    if (split(suite, words, "/") > 1) suite = words[2] ~ /^[0-9]+$/ ? words[1] : words[2]
    bare = parameter = test
    sub("/.*", "", bare)
    return (suite ".*") in timed || (suite "." bare) in timed || (suite "." parameter) in timed
  }
  function end_suite() {
    if (unit == "suite" && ordinary) add(suite "*", suite "*" excluded, labels, 1)
  }
  FILENAME == list { if ($0 ~ /^[A-Za-z]/) timed[$1]; next }
  /^[^ ].*[.]( |$)/ { end_suite(); sub(/ .*/, ""); suite = $0; ordinary = 0; excluded = ""; next }
  /^  / {
    if (is_timed(suite, $1)) {
      add(suite $1, suite $1, labels ";timed", 0)
      excluded = excluded (excluded == "" ? "-" : ":") suite $1
    } else if (unit == "test") {
      add(suite $1, suite $1, labels, 0)
    } else {
      ++ordinary
    }
  }
  END { end_suite(); exit count == 0 }' "$list" "$out.list" >"$out" || {
  rm -f "$out"
  echo "$program lists no tests" >&2
  exit 1
}
rm "$out.list"

#!/bin/sh
# discover_tests.sh PROGRAM OUT WORKING_DIRECTORY UNIT LABELS [PROPERTY VALUE…]: writes the tests of
# a GoogleTest program as commands for ctest, each with these properties. UNIT is `test`, or `suite`
# for one command for each suite, which saves the starts of processes where they are slow: under
# sanitizers. CMake's own gtest_discover_tests does this in its own language, which takes half a
# second for each program.
set -eu
program=$1 out=$2 folder=$3 unit=$4 labels=$5
shift 5
"$program" --gtest_list_tests >"$out.list" </dev/null
awk -v program="$program" -v folder="$folder" -v unit="$unit" -v labels="$labels" \
  -v properties="$*" '
  function add(name) {
    printf "add_test([==[%s]==] [==[%s]==] [==[--gtest_filter=%s]==])\n", name, program, name
    printf "set_tests_properties([==[%s]==] PROPERTIES LABELS \"%s\" %s ", name, labels, properties
    printf "WORKING_DIRECTORY [==[%s]==]", folder
    # A suite is not skipped if one of its tests is.
    print unit == "test" ? " SKIP_REGULAR_EXPRESSION [==[\\[  SKIPPED \\]]==])" : ")"
    ++count
  }
  /^[^ ].*[.]( |$)/ { sub(/ .*/, ""); suite = $0; if (unit == "suite") add(suite "*"); next }
  /^  / && unit == "test" { add(suite $1) }
  END { exit count == 0 }' "$out.list" >"$out" || {
  rm -f "$out"
  echo "$program lists no tests" >&2
  exit 1
}
rm "$out.list"

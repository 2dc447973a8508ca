#!/usr/bin/env bash
# fuzz_one.sh TARGET SECONDS: feeds one target of the build `fuzz` from the root, on the corpus of
# earlier calls, the seeds, and the inputs that once broke it. What it finds lies in
# build/fuzz/corpus/found-TARGET-…, and belongs into tests/fuzz/corpus/TARGET once it is mended,
# where every build's tests replay it.
set -euo pipefail
readonly target=$1 seconds=$2
readonly corpus=build/fuzz/corpus/$target
mkdir -p "$corpus"
build/fuzz/bin/"${target}_seeds" "$corpus"
known=()
[[ ! -d tests/fuzz/corpus/$target ]] || known=("tests/fuzz/corpus/$target")
exec build/fuzz/bin/"${target}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
  -print_final_stats=1 -artifact_prefix="build/fuzz/corpus/found-$target-" "$corpus" "${known[@]}"

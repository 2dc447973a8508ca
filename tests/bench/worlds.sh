#!/usr/bin/env bash
# The same experiments on modelled machines and as real processes, on a machine that does nothing
# else; called by `./run bench worlds`. What has ended in the folder is not run again.
#   worlds.sh PROGRAMS FOLDER [EXPERIMENT…]
set -uo pipefail
readonly programs=$1 folder=$2
shift 2
readonly repetitions=3 tracebed=$programs/tracebed
readonly here=$(dirname "${BASH_SOURCE[0]}")

# A name, with the file of experiments/ where that is called otherwise, the schedulers, and further
# flags.
readonly matrix=(
  "demo fcfs,spread,fifo"
  "preemption waits,kills,asks"
  "relocation spread,fifo,fcfs"
  "fb2009-first50 fifo,spread,fcfs --set scale.time=200 --set cluster.heartbeat=10s"
  "fb2009-masters fifo,capacity,fair --set scale.time=200 --set cluster.heartbeat=10s"
  "kth-sp2-window fcfs,binpack,spread"
  "shuffle-mix fifo,fair,spread"
  "spills=shuffle-mix fifo,fair,spread --set storage.spills=true --set storage.sort_memory=16MiB
    --set storage.disk_rate=10MiB/s"
)

names=" "
for entry in "${matrix[@]}"; do
  names+="${entry%%[ =]*} "
done
readonly names

for name in "$@"; do
  [[ $names == *" $name "* ]] || {
    printf 'worlds.sh: there is no experiment %s; known are%s\n' "$name" "$names" >&2
    exit 2
  }
done

mkdir -p "$folder"

say() { printf '\n==> [%d min] %s\n' $((SECONDS / 60)) "$*"; }

# Not cut short by a signal, either.
has_ended() {
  grep -qs '"has_ended": true' "$1/experiment.json" &&
    ! grep -q '"cancelled": true' "$1/experiment.json"
}

# run FOLDER ARGUMENTS…: an experiment, unless its folder has ended; one that was left is run anew.
run() {
  local to=$1
  shift
  ! has_ended "$to" || return 0
  rm -rf "$to"
  "$tracebed" run "$@" --quiet --output "$to" >"$to.txt" 2>&1 && return
  cat "$to.txt"
  return 1
}

# on_both_worlds NAME[=FILE] SCHEDULERS FLAGS…
on_both_worlds() {
  local name=${1%%=*} scheduler local_runs=()
  local file=experiments/${1##*=}.toml schedulers=$2
  shift 2
  if grep -q TRACEBED_TRACES "$file" && [[ -z ${TRACEBED_TRACES:-} ]]; then
    say "$name: SKIPPED: TRACEBED_TRACES does not name a folder of traces"
    return 0
  fi
  mkdir -p "$folder/$name"
  for scheduler in ${schedulers//,/ }; do
    say "$name as real processes: $scheduler, $repetitions times"
    run "$folder/$name/local-$scheduler" "$file" --world local --scheduler "$scheduler" \
      --repetitions "$repetitions" --set compare.noise=false "$@" || return
    local_runs+=("$folder/$name/local-$scheduler")
  done
  say "$name on modelled machines"
  run "$folder/$name/virtual" "$file" --world virtual --scheduler "$schedulers" \
    --set "virtual.calibration=\"$folder/calibration.toml\"" "$@" || return
  "$tracebed" compare "$folder/$name/virtual" "${local_runs[@]}" --json \
    >"$folder/$name/comparison.new" || return
  mv "$folder/$name/comparison.new" "$folder/$name/comparison.json"
}

if [[ ! -s $folder/calibration.toml ]]; then
  say "calibrating"
  "$tracebed" calibrate --quiet --output "$folder/calibration.toml" || exit
fi
result=0
for entry in "${matrix[@]}"; do
  read -d "" -ra words <<<"$entry"
  [[ $# -eq 0 || " $* " == *" ${words[0]%%=*} "* ]] || continue
  on_both_worlds "${words[@]}" || result=1
done
shopt -s nullglob
python3 "$here/worlds_table.py" "$folder"/*/comparison.json || result=1
exit "$result"

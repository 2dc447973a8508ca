#!/usr/bin/env bash
# interrupted_surroundings_test.sh: a run of tests that is ended by SIGTERM while a child of its
# own, a process with a session of its own and one that ignores the signal go on leaves no process,
# no cgroup and no file. Skipped (77) where it may make no cgroups. Called from the tree's root.
set -uo pipefail
fail() { printf 'failed: %s\n' "$1" && exit 1; }
folder=$(mktemp -d) || exit
trap 'rm -rf "$folder"' EXIT

# Says its cgroups, the processes that it started, and when all are inside.
cat >"$folder/interrupted.sh" <<'END'
source tests/tools/own_surroundings.sh
enter_surroundings || exit
trap leave_surroundings EXIT
touch "$TMPDIR/file"
printf '%s\n' "${surroundings_cgroups[@]}" >"$folder/cgroups"
part=${surroundings_cgroups[0]:+${surroundings_cgroups[0]}/tracebed_part}
[[ -z $part ]] || mkdir "$part"

(trap '' TERM && exec setsid tail -f /dev/null) &
printf '%s\n' $! >"$folder/pids"
[[ -z $part ]] || printf '%s\n' $! >"$part/cgroup.procs"
tail -f /dev/null &
printf '%s\n' $! >>"$folder/pids"
touch "$folder/ready"
tail -f /dev/null | cat
END
folder=$folder TMPDIR=$folder bash "$folder/interrupted.sh" &
run=$!
while [[ ! -e $folder/ready ]]; do
  kill -0 "$run" 2>/dev/null || fail "the run ended by itself"
  sleep 0.05
done
mapfile -t cgroups < <(grep . "$folder/cgroups")
((${#cgroups[@]})) || { kill -KILL $(<"$folder/pids") "$run"; exit 77; }

kill -TERM "$run"
wait "$run"
while read -r pid; do
  # Ended; its parent need not have asked for it.
  [[ ! -d /proc/$pid || $(sed -n 's/^State:[[:space:]]*//p' "/proc/$pid/status") == Z* ]] ||
    fail "process $pid goes on"
done <"$folder/pids"
for cgroup in "${cgroups[@]}"; do
  [[ ! -d $cgroup ]] || fail "$cgroup is there"
done
left=$(find "$folder" -maxdepth 1 -name 'run.*')
[[ -z $left ]] || fail "$left is there"

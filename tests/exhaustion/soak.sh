#!/usr/bin/env bash
# soak.sh BIN RUNS FOLDER [--any-memory]: plays small runs through a coordinator with two agents,
# which stand, and prints what memory, descriptors, threads and disk its daemons hold after each
# twentieth of them.
# Ends with 1 if that grows after the first half: more memory than 3 % and 2 MiB, any descriptor or
# thread, or disk beyond what the runs that are kept need (the audit log, which has a bound of its
# own, is left out). Sanitizers keep what is freed: with --any-memory that is no reason.
set -euo pipefail
readonly bin=$1 runs=$2 folder=$3 any_memory=${4:-}
readonly kept=20 batch=20 timeout=$((SECONDS + 600 + runs * 20))
mkdir -p "$folder"
cd "$folder"
declare -A daemons=()
stop() {
  local name
  for name in agent1 agent2 launcher1 launcher2 coordinator; do
    [[ -z ${daemons[$name]:-} ]] || kill -TERM "${daemons[$name]}" 2>/dev/null || true
    [[ -z ${daemons[$name]:-} ]] || wait "${daemons[$name]}" 2>/dev/null || true
  done
}
trap stop EXIT
fail() {
  printf 'soak: %s\n' "$1" >&2
  tail -n 20 ./*.log >&2
  exit 1
}

cat >coordinator.toml <<END
state = "$PWD/state"
traces = "$PWD"
port = 0
listen = "ipc://$PWD/agents.sock"
max_completed_runs = $kept
END
for job in 1 2 3 4; do
  echo "$job $job -1 2 1 1 -1 1 -1 1024 1 1 1 1 1 -1 -1 -1"
done >jobs.swf
cat >soak.toml <<'END'
name = "soak"
world = "cluster"
schedulers = ["fifo"]
[trace]
file = "${TRACEBED_TRACES}/jobs.swf"
[scale]
time = 10
cpu = 10
memory = 64
[agents]
count = 2
[cluster]
nodes = 2
vcores = 2
memory = "1 GiB"
END
"$bin"/tracebed-coordinator --config coordinator.toml >coordinator.out 2>coordinator.log &
daemons[coordinator]=$!
until grep -q listening coordinator.out; do
  kill -0 "${daemons[coordinator]}" || fail "the coordinator ended"
  sleep 0.1
done
coordinator=$(sed 's/.* //' coordinator.out)
for agent in 1 2; do
  "$bin"/tracebed-launcher --run soak$$ --agent lab$agent --isolation auto \
    --listen "$PWD/lab$agent.sock" --agent-user "$(id -u)" --task "$bin/tracebed-task" \
    --appmaster "$bin/tracebed-appmaster" >launcher$agent.log 2>&1 &
  daemons[launcher$agent]=$!
  cat >agent$agent.toml <<END
coordinator = "ipc://$PWD/agents.sock"
name = "lab$agent"
address = "127.0.0.$((agent + 1))"
launcher_socket = "$PWD/lab$agent.sock"
[capacity]
vcores = 2
memory = "1 GiB"
END
  "$bin"/tracebed-agent --config agent$agent.toml >agent$agent.log 2>&1 &
  daemons[agent$agent]=$!
done

ask() { "$bin"/tracebed "$@" --coordinator "$coordinator"; }
# One line a daemon: runs so far, name, KiB of memory, descriptors, threads, KiB of disk.
sample() {
  local name memory threads disk
  for name in coordinator agent1 agent2 launcher1 launcher2; do
    memory=$(awk '/^VmRSS/ { print $2 }' "/proc/${daemons[$name]}/status") || fail "$name ended"
    threads=$(awk '/^Threads/ { print $2 }' "/proc/${daemons[$name]}/status")
    disk=0
    [[ $name != coordinator ]] || disk=$(du -sk --exclude='audit*.log*' state | cut -f1)
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$name" "$memory" \
      "$(find "/proc/${daemons[$name]}/fd" -mindepth 1 | wc -l)" "$threads" "$disk"
  done >>samples.tsv
  tail -n 5 samples.tsv
}
wait_for_run() {
  until ask list --limit 1 | grep -qE '^ *[0-9]+  (finished|failed|cancelled)'; do
    ((SECONDS < timeout)) || fail "run $1 does not end"
    sleep 0.2
  done
}

: >samples.tsv
printf 'runs\tdaemon\tmemory_kib\tdescriptors\tthreads\tdisk_kib\n'
every=$(((runs + 19) / 20))
every=$((every < batch ? every : (every + batch - 1) / batch * batch))
for ((done_runs = 0; done_runs < runs;)); do
  count=$((every < batch ? every : batch))
  for ((i = 0; i < count; ++i)); do ask submit soak.toml >/dev/null; done
  done_runs=$((done_runs + count))
  wait_for_run "$done_runs"
  ((done_runs % every != 0)) || sample "$done_runs"
done
bad=$(grep -cE 'run [0-9]+ \(soak\) (failed|is cancelled)' coordinator.log || true)
finished=$(grep -cE 'run [0-9]+ \(soak\) finished' coordinator.log || true)
printf '%s runs finished, %s did not\n' "$finished" "$bad"
((bad == 0 && finished == done_runs)) || fail "not every run finished"

# What is held after the last run, against the most that was held at the end of the first half.
awk -F '\t' -v half=$((done_runs / 2)) -v any_memory="$any_memory" '
  $1 <= half { if ($3 > memory[$2]) memory[$2] = $3; if ($4 > fds[$2]) fds[$2] = $4
               if ($5 > threads[$2]) threads[$2] = $5; if ($6 > disk[$2]) disk[$2] = $6 }
  { last[$2] = $3; last_fds[$2] = $4; last_threads[$2] = $5; last_disk[$2] = $6 }
  END {
    for (name in last) {
      grown = any_memory == "" && last[name] > memory[name] * 1.03 + 2048 ||
              last_fds[name] > fds[name] ||
              last_threads[name] > threads[name] || last_disk[name] > disk[name] * 1.03 + 1024
      printf "%-12s %s: memory %d to %d KiB, descriptors %d to %d, threads %d to %d, " \
             "disk %d to %d KiB\n", name, grown ? "GREW" : "flat", memory[name], last[name],
             fds[name], last_fds[name],
             threads[name], last_threads[name], disk[name], last_disk[name]
      if (grown) failed = 1
    }
    exit failed
  }' samples.tsv

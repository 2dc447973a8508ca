# The runs that faults.sh disturbs, and what each must have left. To be sourced after
# cluster_bed.sh; needs `folder`, which is this run's, and `agents_up`, the numbers of the nodes
# that are to be empty at its end.
#
#   begin JOBS SECONDS [AGENTS]  submits one, and returns when it is well under way
#   end [STATE]                  waits for its end and fetches its folder
#   accounts [END]               every task is accounted for exactly once; decided_again, too
#   decided_again                its log is decided again to its digest
#   says WORDS, counted COUNTER NUMBER   what its record tells

# make_trace SECONDS: $job_count jobs of twelve tasks, each of so many seconds, four jobs a second;
# three agents run 24 tasks at once.
readonly tasks_each=12
make_trace() {
  local job task
  for ((job = 0; job < job_count; ++job)); do
    printf '%d.%d %d %d' $((job / 4)) $((job % 4 * 25)) "$tasks_each" "$1"
    for ((task = 0; task < tasks_each; ++task)); do printf ' %d' "$1"; done
    printf '\n'
  done
}

# make_experiment AGENTS: of the trace above. An agent is lost after three seconds of silence; its
# containers are ended three seconds later.
make_experiment() {
  cat <<EXPERIMENT
name = "fault"
world = "cluster"
schedulers = ["fifo"]
[trace]
file = "\${TRACEBED_TRACES}/fault.tr"
format = "hawk"
[trace.rules]
task.vcores = 1
task.memory_mib = 512
task.cpu_share = 0.02
[cluster]
nodes = 3
vcores = 8
memory = "16 GiB"
heartbeat = "250ms"
[agents]
count = $1
lost_after = "3s"
orphan_grace = "3s"
[scale]
cpu = 2
memory = 32
EXPERIMENT
}

has_containers() { [[ $(status_of "$run" | field progress containers) -ge $1 ]]; }

# begin JOBS SECONDS [AGENTS]: submits a run of so many jobs, whose tasks take so long, on so many
# agents, and returns when it is well under way.
begin() {
  job_count=$1
  local agents=${3:-3}
  make_trace "$2" | on_coordinator 'cat >/var/lib/tracebed/traces/fault.tr'
  make_experiment "$agents" | on_coordinator 'cat >/run/fault.toml'
  run=$(on_coordinator tracebed submit --json /run/fault.toml | field run)
  await 60 "containers in run $run" has_containers $((agents * 6))
}

# end: waits for the run's end, fetches its folder and looks at what every fault has in common.
end() {
  await 360 "the end of run $run" has_ended
  status_of "$run" >"$folder/status.json"
  on_coordinator "tar -C /var/lib/tracebed/runs/$run -c ." | tar -C "$folder" -x
  [[ $(field state <"$folder/status.json") == "${1:-finished}" ]] ||
    failed "run $run is $(field state message <"$folder/status.json"): $(
      field message <"$folder/status.json")"
  are_hosts_empty
}
# Of containers, within a moment.
are_hosts_empty() {
  local node
  for node in "${agents_up[@]}"; do
    await 15 "node$node to be empty" bed_on "$node" '
      ! pgrep -x tracebed-task >/dev/null && ! pgrep -x tracebed-appmas >/dev/null &&
      [ -z "$(find /sys/fs/cgroup -path "*tracebed-launcher.service/*" -name "[0-9]*")" ]'
  done
}

# accounts [END]: all tasks succeeded, some only after attempts that ended so.
accounts() {
  python3 tests/beds/accounts.py "$folder/fifo" "$job_count" "$tasks_each" "$@" ||
    failed "the accounts of run $run"
  decided_again
}
# The log of the run is, to the same digest.
decided_again() {
  on_coordinator "runuser -u tracebed -- tracebed replay-log /var/lib/tracebed/runs/$run/fifo" \
    >"$folder/replay-log.txt" 2>&1 || failed "the log of run $run: $(<"$folder/replay-log.txt")"
}
# says WORDS: the run's record does, and the report with it.
says() {
  grep -qF -- "$1" "$folder/fifo/run.json" || failed "run $run's record does not say: $1"
}
counted() {
  local count
  count=$(field end counters "$1" <"$folder/fifo/run.json")
  [[ $count == "$2" ]] || failed "run $run's record counts $1: $count; expected $2"
}
is_alive() {
  on_coordinator tracebed cluster status --json |
    python3 -c '
import json, sys
names = {agent["name"] for agent in json.load(sys.stdin)["agents"] if agent["is_alive"]}
sys.exit(0 if names == set(sys.argv[1:]) else 1)' "$@"
}
await_agents() { await 40 "agents $*" is_alive "$@"; }

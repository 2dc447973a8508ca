#!/usr/bin/env bash
# faults.sh KIND IMAGE PACKAGE RESULTS [FAULT…]: what happens to a cluster of hosts in the middle
# of a run, caused on a bed of four (cluster_bed.sh): one run for each fault below, all of them or
# those named. After each, every task must be accounted for exactly once, the log of the run must be
# decided again to the same digest, the run's record must say what happened, and no host may run or
# hold anything of the run any more. Each line of output is a fault that was survived, and its time.
set -euo pipefail
readonly bed_kind=$1 bed_image=$2 package=$3 results=$4
# Of which tasks burn next to nothing: a fault is to be all that delays them.
readonly cluster_vcores=4
shift 4
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/beds/cluster_bed.sh
. tests/beds/cluster_bed.sh

readonly all_faults=(
  host_crashes host_is_silent coordinator_is_cut_off redis_restarts agent_is_upgraded
  node_is_drained strangers_come disk_is_full coordinator_crashes
)
faults=("$@")
((${#faults[@]})) || faults=("${all_faults[@]}")

# ---- runs ----

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

on_coordinator() { bed_on 1 "$@"; }
status_of() { on_coordinator tracebed status --json "$1"; }

# field NAME…: of the JSON on standard input; nothing where it is missing.
field() {
  python3 -c '
import json, sys
value = json.load(sys.stdin)
for name in sys.argv[1:]:
    value = value.get(name) if isinstance(value, dict) else None
print("" if value is None else value)' "$@"
}

# await SECONDS WHAT COMMAND…
await() {
  local deadline=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    ((SECONDS < deadline)) || failed "in vain waited for: $what"
    sleep 0.3
  done
}

coordinator_answers() { status_of "$run" >/dev/null 2>&1; }
has_containers() { [[ $(status_of "$run" | field progress containers) -ge $1 ]]; }
has_ended() { [[ $(status_of "$run" | field state) =~ finished|failed|cancelled ]]; }

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
  local node
  await 180 "the end of run $run" has_ended
  status_of "$run" >"$folder/status.json"
  on_coordinator "tar -C /var/lib/tracebed/runs/$run -c ." | tar -C "$folder" -x
  [[ $(field state <"$folder/status.json") == "${1:-finished}" ]] ||
    failed "run $run is $(field state message <"$folder/status.json"): $(
      field message <"$folder/status.json")"
  for node in "${agents_up[@]}"; do
    await 15 "node$node to be empty" bed_on "$node" '! pgrep -u tracebed-task >/dev/null &&
      [ -z "$(find /sys/fs/cgroup -path "*tracebed-launcher.service/*" -name "[0-9]*")" ]'
  done
}

# accounts [END]: all tasks succeeded, some only after attempts that ended so.
accounts() {
  python3 tests/beds/accounts.py "$folder/fifo" "$job_count" "$tasks_each" "$@" ||
    failed "the accounts of run $run"
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
is_there() {
  on_coordinator tracebed cluster status --json |
    python3 -c '
import json, sys
names = {agent["name"] for agent in json.load(sys.stdin)["agents"] if agent["is_there"]}
sys.exit(0 if names == set(sys.argv[1:]) else 1)' "$@"
}
await_agents() { await 40 "agents $*" is_there "$@"; }

# ---- the faults ----

host_crashes() {
  begin 14 4
  bed_crash 3
  sleep 4
  bed_boot 3
  bed_await 3 || failed "node3 does not come up again"
  end
  accounts node_lost
  says "agent node3 is lost: nothing was heard of it for 3.0 s"
  says "agent node3 came back"
  counted agents_lost 1
  counted agents_returned 1
}

# Long enough for the host to have ended its containers when it is heard of again.
host_is_silent() {
  begin 14 4
  bed_link 3 down
  sleep 8
  bed_link 3 up
  end
  accounts node_lost
  says "agent node3 is lost"
  says "agent node3 came back"
  counted agents_lost 1
  counted agents_returned 1
}

# First for a moment, which nobody minds; then for so long that all agents are lost, but not for so
# long that they end what they run: what they still run when they come back is not counted, and
# killed.
coordinator_is_cut_off() {
  begin 14 4
  bed_link 1 down
  sleep 1
  bed_link 1 up
  sleep 3
  bed_link 1 down
  sleep 4.5
  bed_link 1 up
  end
  accounts node_lost
  for node in node2 node3 node4; do says "agent $node came back"; done
  counted agents_lost 3
  counted agents_returned 3
}

redis_restarts() {
  begin 10 2
  on_coordinator systemctl restart redis-server
  sleep 3
  on_coordinator systemctl kill --signal=KILL redis-server
  end
  accounts
  says "commands were sent again"
  counted agents_lost 0
}

# On all hosts of agents, each with its process number.
containers() {
  local node
  for node in 2 3 4; do bed_on "$node" "pgrep -u tracebed-task | sed 's/^/node$node /'"; done
}

# While all tasks run on; only the launchers are not renewed, as they hold them. The coordinator
# waits for the end of the run.
agent_is_upgraded() {
  local newer=$folder/newer.deb before after node
  dpkg-deb --raw-extract "$package" "$folder/newer"
  sed -i 's/^Version: .*/&+bed/' "$folder/newer/DEBIAN/control"
  dpkg-deb --root-owner-group --build -Znone "$folder/newer" "$newer" >/dev/null
  rm -rf "$folder/newer"
  begin 2 120
  before=$(containers)
  playbook upgrade -e "tracebed_package=$PWD/$newer" &
  local upgrade=$!
  await 110 "three upgraded agents" agents_are_newer
  after=$(containers)
  [[ $before == "$after" && $(wc -l <<<"$after") == 24 ]] ||
    failed "containers are kept: before: $before; after: $after"
  ! has_ended || failed "the agents were not upgraded before the end of the run"
  end
  wait "$upgrade" || failed "upgrade.yml"
  accounts
  counted agents_lost 0
  counted launches_lost 0
  is_newer 1 || failed "the coordinator has the newer package"
}
is_newer() {
  bed_on "$1" "dpkg-query --show --showformat='\${Version}' tracebed" | grep -q '+bed$'
}
# The last one's agent has been started again by then.
agents_are_newer() {
  is_newer 2 && is_newer 3 && is_newer 4 &&
    grep -q 'Count what the launcher' "$results/upgrade.log" &&
    [[ $(grep -c 'RUNNING HANDLER .agent : Restart the agent' "$results/upgrade.log") -ge 3 ]]
}

# Its agent rests, too; afterwards both serve again, in the same run.
node_is_drained() {
  begin 40 3
  playbook drain -e node=node3
  [[ $(containers) != *node3* ]] || failed "a drained node runs nothing"
  ! has_ended || failed "the node was not drained before the end of the run"
  local drained_at
  drained_at=$(status_of "$run" | field progress trace_seconds)
  playbook drain -e node=node3 -e state=in_service
  end
  accounts preempted
  says "node node3 takes no new containers"
  says "node node3 is back in service"
  awk -F, -v at="$drained_at" '$9 == "node3" && $14 > at * 1e6 { exit found = 1 }
    END { exit !found }' "$folder/fifo/tasks.csv" || failed "node3 is given tasks when it is back"
}

# An agent whose key nobody knows, and one with another's name and key, both on node4, whose own
# agent rests. (One of another version is refused in tests/coordinator/real/agent_roster_test.cpp.)
strangers_come() {
  local keys
  bed_on 4 'systemctl stop tracebed-agent; cp -a /etc/tracebed /var/tmp/tracebed.etc
    cp -a /var/lib/tracebed/keys.toml /var/tmp/tracebed.keys'
  await_agents node2 node3
  begin 10 2 2
  bed_on 4 'cd /var/lib/tracebed
    runuser -u tracebed -- tracebed cluster make-keys /var/lib/tracebed/stray.toml >/dev/null
    mv /var/lib/tracebed/stray.toml /var/lib/tracebed/keys.toml; systemctl start tracebed-agent'
  sleep 2
  bed_on 4 'systemctl stop tracebed-agent'
  keys=$(bed_on 2 cat /var/lib/tracebed/keys.toml)
  bed_on 4 'cat >/var/lib/tracebed/keys.toml
    sed -i "s/^name = .*/name = \"node2\"/" /etc/tracebed/agent.toml
    systemctl start tracebed-agent' <<<"$keys"
  sleep 2
  bed_on 4 'systemctl stop tracebed-agent; cp -a /var/tmp/tracebed.keys /var/lib/tracebed/keys.toml
    cp -a /var/tmp/tracebed.etc/. /etc/tracebed'
  end
  bed_on 4 'systemctl start tracebed-agent'
  await_agents node2 node3 node4
  accounts
  counted agents_lost 0
  says "another machine, at 10.77.0.12, has registered under that name"
  [[ $(on_coordinator tracebed cluster status --json | field keys_refused) -ge 1 ]] ||
    failed "the coordinator counts the unknown key"
}

# An agent needs no disk; a coordinator does, and says so.
disk_is_full() {
  local fill='dd if=/dev/zero of=/fill bs=1M status=none 2>/dev/null || true'
  begin 10 2
  bed_on 3 "$fill"
  end
  bed_on 3 rm /fill
  accounts
  counted agents_lost 0
}

# Its run is cut short; the agents give back what they ran for it, and take part in the next.
coordinator_crashes() {
  begin 10 4
  on_coordinator systemctl kill --signal=KILL tracebed-coordinator
  await 30 "the coordinator to be there again" coordinator_answers
  end failed
  grep -qF "its coordinator ended while it ran" "$folder/status.json" ||
    failed "the next coordinator does not say what became of the run"
  await_agents node2 node3 node4
  folder=$folder/next
  mkdir "$folder"
  begin 4 2
  end
  accounts
}

# ---- all of it ----

cluster_open
readonly faults_at=$SECONDS
playbook site
passed "four hosts are up and deployed"
agents_up=(2 3 4)
for fault in "${faults[@]}"; do
  folder=$results/$fault
  mkdir "$folder"
  await_agents node2 node3 node4
  "$fault"
  passed "${fault//_/ }"
done
passed "all faults: $((SECONDS - faults_at)) s"

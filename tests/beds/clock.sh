#!/usr/bin/env bash
# clock.sh BUILD RESULTS: an agent whose clock is an hour ahead. Hosts of an nspawn bed share one
# clock, so the agent's machine is a User Mode Linux; it runs the programs of the folder BUILD, and
# reaches the coordinator, in a network namespace of this machine, over a bridge of its own. The
# offset must be measured, told of, and be gone from the run's records.
set -euo pipefail
readonly build=$1 results=$2
readonly hour=3600
if [[ ${3-} == --guest ]]; then
  # Process 1 of the guest. On a host this would mount things and set the clock.
  (($$ == 1)) || exit 1
  mount -t proc proc /proc
  grep -q 'User Mode Linux' /proc/cpuinfo || exit 1
  mount -t sysfs sysfs /sys
  mount -t cgroup2 cgroup2 /sys/fs/cgroup
  mount -t tmpfs -o mode=755 tmpfs /run
  date -s "+$hour seconds" >/dev/null
  ip link set lo up
  ip link set vec0 up
  ip address add 10.77.0.2/24 dev vec0
  "$build/bin/tracebed-launcher" --run cluster --agent host --isolation auto --agent-user root \
    --listen /run/launcher.sock --task "$build/bin/tracebed-task" &
  "$build/bin/tracebed-agent" --config "$results/agent.toml" || true
  echo o >/proc/sysrq-trigger
  sleep 60
fi

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/beds/nspawn_bed.sh
. tests/beds/nspawn_bed.sh
passed() { printf '[%3d s] %s\n' "$SECONDS" "$*"; }
failed() {
  printf '[%3d s] FAILED: %s\n' "$SECONDS" "$*" >&2
  tail -n 20 "$results/guest.log" "$results/coordinator.log" >&2 || true
  exit 1
}

processes=()
close() {
  local process
  for process in "${processes[@]}"; do kill -KILL -- "-$process" 2>/dev/null || true; done
  for process in "${processes[@]}"; do wait "$process" 2>/dev/null || true; done
  bed_close
  rm -rf "$memory"
}
memory=$(mktemp -d -p /dev/shm)
trap close EXIT
trap 'exit 130' INT TERM

# background NAMESPACE LOG COMMAND…: in a process group of its own.
background() {
  local space log=$2
  space=$(bed_space "$1")
  shift 2
  setsid ip netns exec "$space" "$@" </dev/null >"$log" 2>&1 &
  processes+=($!)
}
tracebed() { bed_ctl "$build/bin/tracebed" "$@"; }
ask() { python3 -c 'import json, sys; said = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1"; }

rm -rf "$results"
mkdir -p "$results/traces"
bed_open 0
switch=$(bed_space switch)
ip -n "$switch" tuntap add tap0 mode tap
ip -n "$switch" link set tap0 master bridge up
# The guest drops what was gathered into larger packets than it expects.
for leg in "$switch tap0" "$switch ctl" "$(bed_space ctl) eth0"; do
  ip netns exec "${leg% *}" ethtool -K "${leg#* }" tx off tso off gso off gro off >/dev/null 2>&1 ||
    failed "offloading cannot be switched off on ${leg#* }"
done

agent_key=$(tracebed cluster make-keys "$results/agent.keys")
coordinator_key=$(tracebed cluster make-keys "$results/coordinator.keys")
echo "\"guest\" = \"$agent_key\"" >"$results/agents.toml"
cat >"$results/agent.toml" <<AGENT
coordinator = "tcp://10.77.0.1:7411"
name = "guest"
address = "10.77.0.2"
launcher_socket = "/run/launcher.sock"
[capacity]
vcores = 1
memory = "128 MiB"
[keys]
own = "$results/agent.keys"
coordinator = "$coordinator_key"
AGENT
cat >"$results/coordinator.toml" <<COORDINATOR
state = "$results/runs"
traces = "$results/traces"
listen = "tcp://10.77.0.1:7411"
[keys]
own = "$results/coordinator.keys"
agents = "$results/agents.toml"
COORDINATOR
for job in 0 1 2; do echo "$job 2 2 2 2"; done >"$results/traces/clock.tr"
cat >"$results/experiment.toml" <<'EXPERIMENT'
name = "clock"
world = "cluster"
schedulers = ["fifo"]
[trace]
file = "${TRACEBED_TRACES}/clock.tr"
format = "hawk"
[trace.rules]
task.vcores = 1
task.memory_mib = 512
task.cpu_share = 0.1
[cluster]
nodes = 1
vcores = 1
memory = "1 GiB"
heartbeat = "500ms"
[scale]
cpu = 4
memory = 16
EXPERIMENT
cat >"$results/init" <<INIT
#!/bin/sh
exec $PWD/tests/beds/clock.sh $build $results --guest
INIT
chmod +x "$results/init"

background ctl "$results/coordinator.log" "$build/bin/tracebed-coordinator" \
  --config "$results/coordinator.toml"
background switch "$results/guest.log" env LD_PRELOAD="$build/tests/agents/libuml_xstate_shim.so" \
  TMPDIR="$memory" HOME="$memory" linux.uml mem=512M umid="$bed_name" uml_dir="$memory/" \
  vec0:transport=tap,ifname=tap0,depth=64,gro=1 rootfstype=hostfs rootflags=/ rw quiet con=null \
  con0=fd:0,fd:1 init="$results/init"
for ((try = 0; ; ++try)); do
  if tracebed cluster status --json >"$results/cluster.json" 2>/dev/null; then
    there=$(ask 'any(agent["is_alive"] for agent in said["agents"])' <"$results/cluster.json")
    [[ $there != True ]] || break
  fi
  ((try < 100)) || failed "the guest's agent does not register"
  sleep 1
done
passed "an agent on another machine has registered"
sleep 3  # its next heartbeat is a round trip, at the latest
tracebed cluster status --json >"$results/cluster.json"
tracebed cluster status
off=$(ask 'round(said["agents"][0]["clock_ahead_milliseconds"])' <"$results/cluster.json")
((off > hour * 1000 - 1000 && off < hour * 1000 + 1000)) ||
  failed "its clock is an hour ahead; measured: $off ms"
grep -q "the clock of agent guest is 3[56][0-9][0-9]\..* s ahead of the coordinator's" \
  "$results/coordinator.log" || failed "the coordinator tells of the clock"
passed "its clock is measured to be $off ms ahead, and the coordinator's log says so"

run=$(tracebed submit --json "$results/experiment.toml" | ask 'said["run"]')
for ((try = 0; ; ++try)); do
  tracebed status --json "$run" >"$results/status.json"
  state=$(ask 'said["state"]' <"$results/status.json")
  [[ $state == waiting || $state == running ]] || break
  ((try < 120)) || failed "the run does not end"
  sleep 1
done
[[ $state == finished ]] ||
  failed "the run is $state: $(ask 'said["message"]' <"$results/status.json")"
grep -q 'the clock of agent guest is' "$results/runs/$run/fifo/run.json" ||
  failed "the run's record tells of the clock"
# An uncorrected stamp would be cut to what is possible: began as it was ordered, or ended as it was
# reported.
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
  { ++rows; allocated = $column["allocated_us"]; started = $column["started_us"]
    ended = $column["ended_us"]; reported = $column["reported_us"] }
  !(allocated < started && started + 1500000 < ended && ended < reported) { ++wrong; print }
  END { exit rows != 6 || wrong }' "$results/runs/$run/fifo/tasks.csv" ||
  failed "stamps of the agent are brought to the coordinator's clock"
passed "the records of its run are in the coordinator's time"

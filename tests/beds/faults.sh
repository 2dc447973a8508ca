#!/usr/bin/env bash
# faults.sh KIND IMAGE PACKAGE PROGRAMS RESULTS [FAULT…]: what happens to a cluster of hosts in the
# middle of a run, caused on a bed of four (cluster_bed.sh): one run for each fault below, all of
# them or those named. After each, every task must be accounted for exactly once, the log of the run
# must be decided again to the same digest, the run's record must say what happened, and no host may
# run or hold anything of the run any more. Each line of output is a fault that was survived, and
# its time. PROGRAMS is a folder with agent_of_another_version.
set -euo pipefail
readonly bed_kind=$1 bed_image=$2 package=$3 programs=$4 results=$5
# Of which tasks burn next to nothing: a fault is to be all that delays them.
readonly cluster_vcores=4
shift 5
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/beds/cluster_bed.sh
. tests/beds/cluster_bed.sh
# shellcheck source=tests/beds/fault_run.sh
. tests/beds/fault_run.sh
# shellcheck source=tests/beds/storage.sh
. tests/beds/storage.sh

readonly all_faults=(
  host_crashes host_is_silent coordinator_is_cut_off redis_restarts agent_is_upgraded
  node_is_drained strangers_come key_is_withdrawn disk_is_full
  coordinator_disk_is_full coordinator_crashes datanode_is_killed
)
faults=("$@")
((${#faults[@]})) || faults=("${all_faults[@]}")

# ---- the faults ----

host_crashes() {
  begin 18 4
  bed_crash 3
  sleep 4
  bed_boot 3
  bed_await 3 || failed "node3 does not come up again"
  end
  accounts node_lost
  says "agent node3 is lost: no message for 3.0 s"
  says "agent node3 reconnected"
  counted agents_lost 1
  counted agents_returned 1
}

# Long enough for the host to have ended its containers when it is heard of again.
host_is_silent() {
  begin 18 4
  bed_link 3 down
  sleep 8
  bed_link 3 up
  end
  accounts node_lost
  says "agent node3 is lost"
  says "agent node3 reconnected"
  counted agents_lost 1
  counted agents_returned 1
}

# First for a moment, which nobody minds; then for so long that all agents are lost, but not for so
# long that they end what they run: what they still run when they come back is not counted, and
# killed.
coordinator_is_cut_off() {
  begin 18 4
  bed_link 1 down
  sleep 1
  bed_link 1 up
  sleep 3
  bed_link 1 down
  sleep 4.5
  bed_link 1 up
  end
  accounts node_lost
  for node in node2 node3 node4; do says "agent $node reconnected"; done
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
  for node in 2 3 4; do
    bed_on "$node" "(pgrep -x tracebed-task; pgrep -x tracebed-appmas) | sed 's/^/node$node /'"
  done
}

# While all tasks run on; only the launchers are not renewed, as they hold them. The coordinator
# waits for the end of the run.
agent_is_upgraded() {
  local newer=$folder/newer.deb before after node
  dpkg-deb --raw-extract "$package" "$folder/newer"
  sed -i 's/^Version: .*/&+bed/' "$folder/newer/DEBIAN/control"
  dpkg-deb --root-owner-group --build -Znone "$folder/newer" "$newer" >/dev/null
  rm -rf "$folder/newer"
  begin 2 270
  before=$(containers)
  playbook upgrade -e "tracebed_package=$PWD/$newer" &
  local upgrade=$!
  await 260 "three upgraded agents" agents_are_newer
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
  awk -F, -v at="$drained_at" 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
    $column["node"] == "node3" && $column["allocated_us"] > at * 1e6 { exit found = 1 }
    END { exit !found }' "$folder/fifo/tasks.csv" || failed "node3 is given tasks when it is back"
}

# An agent whose key nobody knows, one of another version, and one with another's name and key, all
# on node4, whose own agent rests.
strangers_come() {
  local keys
  bed_on 4 'systemctl stop tracebed-agent; cp -a /etc/tracebed /var/tmp/tracebed.etc
    cp -a /var/lib/tracebed/keys.toml /var/tmp/tracebed.keys'
  await_agents node2 node3
  begin 16 2 2
  bed_on 4 'cd /var/lib/tracebed
    runuser -u tracebed -- tracebed cluster make-keys /var/lib/tracebed/stray.toml >/dev/null
    mv /var/lib/tracebed/stray.toml /var/lib/tracebed/keys.toml; systemctl start tracebed-agent'
  sleep 2
  bed_on 4 'systemctl stop tracebed-agent
    cp -a /var/tmp/tracebed.keys /var/lib/tracebed/keys.toml'
  bed_on 4 "cat >/var/tmp/stranger && chmod 755 /var/tmp/stranger
    /var/tmp/stranger /etc/tracebed/agent.toml" <"$programs/agent_of_another_version" \
    >"$folder/version.txt" || failed "another version is refused: $(<"$folder/version.txt")"
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
  says "agent node4 was rejected: it runs Tracebed 99.0.0 with protocol version"
  [[ $(on_coordinator tracebed cluster status --json | field keys_refused) -ge 1 ]] ||
    failed "the coordinator counts the unknown key"
}

# The coordinator is told in mid-run, and hears no more of the agent: lost, as a silent one is.
key_is_withdrawn() {
  begin 18 4
  on_coordinator "cp -a /etc/tracebed/agents.toml /var/tmp/agents.toml
    sed -i '/node4/d' /etc/tracebed/agents.toml; systemctl reload tracebed-coordinator"
  await 20 "node4 to be lost" is_alive node2 node3
  on_coordinator 'cp -a /var/tmp/agents.toml /etc/tracebed/agents.toml
    systemctl reload tracebed-coordinator'
  end
  accounts node_lost
  says "agent node4 was rejected: its key is no longer known"
  says "agent node4 reconnected"
  counted agents_lost 1
  counted agents_returned 1
}

readonly fill='dd if=/dev/zero of=/fill bs=1M status=none 2>/dev/null || true'

# An agent needs no disk.
disk_is_full() {
  begin 10 2
  bed_on 3 "$fill"
  end
  bed_on 3 rm /fill
  accounts
  counted agents_lost 0
}

# Its run fails, and says why; the next one goes well when there is room again.
coordinator_disk_is_full() {
  begin 18 4
  on_coordinator "$fill"
  await 60 "the end of run $run" has_ended
  on_coordinator rm /fill
  end failed
  grep -qF "No space left on device" "$folder/status.json" ||
    failed "the run does not say why it failed: $(field message <"$folder/status.json")"
  next_run_goes_well
}

# Its run is cut short; the agents give back what they ran for it, and take part in the next.
coordinator_crashes() {
  begin 10 4
  on_coordinator systemctl kill --signal=KILL tracebed-coordinator
  await 30 "the coordinator to be there again" coordinator_answers
  end failed
  grep -qF "its coordinator ended while it ran" "$folder/status.json" ||
    failed "the next coordinator does not say what became of the run"
  next_run_goes_well
}
next_run_goes_well() {
  await_agents node2 node3 node4
  folder=$folder/next
  mkdir "$folder"
  begin 4 2
  end
  accounts
}

# node3 writes a file, so that it has a replica of each block, and node4, in the other rack, the
# second. node2 reads it from node3, which is in its own rack, and goes on with node4.
datanode_is_killed() {
  local written reading
  storage_open "4 MiB/s"
  written=$(bed_on 3 'head -c 16777300 /dev/urandom | tee /var/tmp/part | sha256sum')
  hdfs_on 3 put /var/tmp/part /part
  bed_on 2 "tracebed storage get /part - --namenode $storage_namenode | sha256sum" \
    >"$folder/read.txt" &
  reading=$!
  await 20 "node3 to send" is_sending 3
  bed_on 3 systemctl kill --signal=KILL tracebed-datanode
  wait "$reading" || failed "the file is read"
  same "what is read while a datanode is killed" "$written" "$(<"$folder/read.txt")"
  await 20 "node3's datanode to be in the run again" bed_on 3 \
    'systemctl show --property=NRestarts,StatusText tracebed-datanode | tr "\n" " " |
      grep -q "StatusText=in run .*NRestarts=1"'
  on_coordinator "tracebed storage put /etc/tracebed/coordinator.toml /again --replication 3 \
    --namenode $storage_namenode"
  await 60 "each block to have all its replicas again" is_replicated
  storage_close
  end cancelled
  decided_again
}
is_replicated() {
  [[ $(on_coordinator "tracebed storage fsck --json --namenode $storage_namenode" |
    field under_replicated) == 0 ]]
}
is_sending() {
  bed_on "$1" 'ss --no-header --tcp state established "sport = :9866"' | grep -q .
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

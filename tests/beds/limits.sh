# Whether the limits of containers hold on hosts with cgroup v2, while a deployed cluster
# (cluster_bed.sh) runs tasks that want more than they have. To be sourced after that; needs agents
# of half a vcore.
#
#   limits_hold   runs two experiments, the first of which is looked at while it runs

# limits_run NAME: runs $results/NAME.toml on the trace $results/NAME.trace, as a person at the
# coordinator would, and brings its folder to $results/NAME.
limits_run() {
  local there=/var/tmp/limits
  bed_on 1 "rm -rf $there && mkdir $there && cat >$there/experiment.toml" <"$results/$1.toml"
  bed_on 1 "cat >/var/lib/tracebed/traces/$1.trace" <"$results/$1.trace"
  bed_on 1 "cd $there && tracebed run --on cluster --output run experiment.toml" \
    >"$results/$1.log" 2>&1 || {
    tail -n 20 "$results/$1.log" >&2
    failed "the run $1"
  }
  mkdir "$results/$1"
  bed_on 1 "tar -C $there/run -c ." | tar -C "$results/$1" -x
  bed_on 1 "rm -r $there /var/lib/tracebed/traces/$1.trace"
}

# limits_experiment NAME FORMAT: what both have in common.
limits_experiment() {
  cat <<EXPERIMENT
name = "$1"
world = "cluster"
schedulers = ["spread"]
[trace]
file = "\${TRACEBED_TRACES}/$1.trace"
format = "$2"
[cluster]
nodes = 3
vcores = 0.5
memory = "512 MiB"
heartbeat = "500ms"
[agents]
count = 3
lost_after = "60s"
EXPERIMENT
}

# Each task has used a whole processor, and gets a fifth of one: a host has room for two.
readonly greedy_milli_vcores=200 greedy_memory_mib=128 greedy_seconds=30
make_greedy() {
  local job
  limits_experiment greedy swf >"$results/greedy.toml"
  cat >>"$results/greedy.toml" <<RULES
[trace.rules]
swf.cpu_time = "column"
swf.processor_vcores = 0.$greedy_milli_vcores
swf.processor_memory_mib = $greedy_memory_mib
swf.memory_share = 0.1
RULES
  for job in 1 2 3 4 5 6; do
    echo "$job 0 -1 $greedy_seconds 1 $greedy_seconds -1 1 600 -1 1 1 1 1 1 1 -1 -1"
  done >"$results/greedy.trace"
}

# A task of one thread may have eight processes more. All hosts are looked at at the same time.
greedy_is_held() {
  local node probe greedy probes=()
  make_greedy
  limits_run greedy &
  greedy=$!
  for node in 2 3 4; do
    bed_on "$node" python3 - 2 "$greedy_milli_vcores" "$greedy_memory_mib" 9 10 \
      <tests/beds/limits_probe.py >"$results/greedy-node$node.txt" 2>&1 &
    probes[node]=$!
  done
  for node in 2 3 4; do
    probe=0
    wait "${probes[node]}" || probe=$?
    sed "s/^/  node$node: /" "$results/greedy-node$node.txt"
    ((probe == 0)) || failed "the limits on node$node"
  done
  wait "$greedy" || failed "the run of tasks that want more CPU time"
  # A gang of one is a job's only task.
  python3 tests/beds/accounts.py "$results/greedy/spread" 6 1 || failed "the accounts of that run"
}

# Of sixty tasks some touch twice their memory at their first attempt, or at further ones.
excess_is_killed() {
  local job
  limits_experiment excess hawk >"$results/excess.toml"
  cat >>"$results/excess.toml" <<'RULES'
[trace.rules]
task.vcores = 0.1
task.memory_mib = 32
task.cpu_share = 0.1
[masters]
map_attempts = 20
[faults]
exceeded_memory = 0.15
RULES
  for job in 1 2 3 4 5 6; do echo "$job 10 1 1 1 1 1 1 1 1 1 1 1"; done >"$results/excess.trace"
  limits_run excess
  python3 tests/beds/accounts.py "$results/excess/spread" 6 10 out_of_memory ||
    failed "the accounts of the run whose tasks exceed their memory"
  local rows node killed
  # Each was killed by the kernel, which let it have all of its memory and no more.
  awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i; next }
    $column["end"] == "out_of_memory" { print $column["node"], $column["memory_peak_mib"],
      $column["exit_code"], $column["signal"] }' "$results/excess/spread/tasks.csv" |
    sort >"$results/excess/killed.txt"
  rows=$(cut -d' ' -f2- "$results/excess/killed.txt" | sort -u)
  [[ $rows == *"32 "*" 9" && $(wc -l <<<"$rows") == 1 ]] ||
    failed "peak 32 MiB and signal 9 for each that is out of memory, got: $rows"
  for node in $(cut -d' ' -f1 "$results/excess/killed.txt" | sort -u); do
    killed=$(bed_on "${node#node}" "dmesg | grep -c \
      'oom-kill:constraint=CONSTRAINT_MEMCG.*/tracebed-launcher.service/.*task=tracebed-task'") ||
      failed "the kernel of $node tells of nobody killed for its memory"
    echo "  $node: $(grep -c "^$node " "$results/excess/killed.txt") out of memory;" \
      "its kernel tells of $killed"
  done
}

limits_hold() {
  greedy_is_held
  passed "cgroup v2, delegated: tasks that want a whole CPU get their quota; pids limits hold"
  excess_is_killed
  passed "tasks above their memory are killed by the kernel, reported as such, and tried again"
}

#!/usr/bin/env bash
# slurm.sh PROGRAMS RESULTS: a sweep on a real Slurm of one node. Debian's packages are unpacked
# below RESULTS, and nothing is installed; its daemons run as root, and authenticate nobody. A task
# of the array is killed in the middle, the sweep is submitted again, and its table equals that of a
# sweep by cores. Each line of output is a check that passed; the first that fails ends it.
set -euo pipefail
mkdir -p "$2"
programs=$(realpath "$1")
results=$(realpath "$2")
root=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
readonly programs results root
readonly packages=(slurmctld slurmd slurm-client slurm-wlm-basic-plugins libslurm38 libhwloc15
  libmunge2)
daemons=()

failed() {
  echo "failed: $1" >&2
  exit 1
}

end_daemons() {
  [ ${#daemons[@]} -eq 0 ] || kill "${daemons[@]}" 2>/dev/null || true
  wait
}
trap end_daemons EXIT

# await SECONDS COMMAND...
await() {
  local tries=$(($1 * 20))
  shift
  until "$@"; do
    [ $((tries--)) -gt 0 ] || return 1
    sleep 0.05
  done
}

is_up() { [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ]; }
is_empty() { [ -z "$(squeue --noheader)" ]; }
has_a_point() { [ -n "$(ls "$results/slurm/points" 2>/dev/null)" ]; }
has_a_task() { squeue --noheader --states=R --name=tracebed-sweep --format=%i | grep -q .; }

unpack() {
  mkdir -p "$results/packages" "$results/unpacked"
  (cd "$results/packages" && apt-get download -q "${packages[@]}" >/dev/null 2>&1) ||
    failed "Debian's packages of Slurm can be downloaded"
  local package
  for package in "$results"/packages/*.deb; do dpkg -x "$package" "$results/unpacked"; done
  export LD_LIBRARY_PATH="$results/unpacked/usr/lib/x86_64-linux-gnu"
  LD_LIBRARY_PATH+=":$LD_LIBRARY_PATH/slurm-wlm"
  export PATH="$programs:$results/unpacked/usr/bin:$PATH" SLURM_CONF="$results/slurm.conf"
}

start() {
  local host
  host=$(hostname -s)
  mkdir -p "$results/state" "$results/spool"
  cat >"$SLURM_CONF" <<CONF
ClusterName=bed
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SlurmUser=root
StateSaveLocation=$results/state
SlurmdSpoolDir=$results/spool
SlurmctldPidFile=$results/slurmctld.pid
SlurmdPidFile=$results/slurmd.pid
PluginDir=$results/unpacked/usr/lib/x86_64-linux-gnu/slurm-wlm
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_min_interval=0
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2
PartitionName=all Nodes=$host Default=YES State=UP
CONF
  slurmctld-wlm -D -c >"$results/slurmctld.log" 2>&1 &
  daemons+=($!)
  slurmd-wlm -D -d "$results/unpacked/usr/sbin/slurmstepd-wlm" >"$results/slurmd.log" 2>&1 &
  daemons+=($!)
  await 30 is_up || failed "Slurm is up"
  echo "Slurm is up"
}

# Points that take a while: each is two thousand jobs.
write_sweep() {
  local i
  for ((i = 1; i <= 2000; ++i)); do
    echo "$i $i -1 3 1 -1 -1 1 20 -1 1 1 1 1 1 -1 -1 -1"
  done >"$results/jobs.swf"
  cat >"$results/sweep.toml" <<TOML
name = "by-slurm"
world = "virtual"
repetitions = 20
schedulers = ["fcfs", "fifo"]
[trace]
file = "jobs.swf"
[cluster]
nodes = 2
vcores = 2
memory = "2 GiB"
[sweep]
cluster.nodes = { from = 1, to = 8, step = 1 }
TOML
}

submit() {
  "$root/coordinator/sweeps/tracebed-sweep-submit" --points 2 slurm "$results/sweep.toml" \
    "$results/slurm" >/dev/null
}

unpack
PATH="$results/unpacked/usr/sbin:$PATH"
rm -rf "$results/slurm" "$results/cores"
start
write_sweep
tracebed sweep run "$results/sweep.toml" --output "$results/cores" --quiet >/dev/null
submit
await 60 has_a_point || failed "a point finishes"
await 60 has_a_task || failed "a task runs"
scancel --signal=KILL --full "$(squeue --noheader --states=R --name=tracebed-sweep --format=%i |
  head -1)"
await 120 is_empty || failed "the array ends"
finished=$(find "$results/slurm/points" -mindepth 1 -maxdepth 1 | wc -l)
[ "$finished" -lt 8 ] || failed "a task was killed in the middle: all points have finished"
echo "a task was killed, and $finished of 8 points have finished"
submit
await 120 is_empty || failed "the second array ends"
grep -q "by-slurm: 8 of 8 points have finished" "$results/slurm/collected.txt" ||
  failed "the sweep goes on where it was killed, and is collected"
echo "the sweep went on where it was killed, and was collected"
for form in --csv --json; do
  cmp <(tracebed sweep collect "$results/cores" "$form") \
    <(tracebed sweep collect "$results/slurm" "$form") || failed "results are equal ($form)"
done
echo "its results are those of a sweep by cores"

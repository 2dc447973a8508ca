#!/usr/bin/env bash
# deploy.sh KIND IMAGE PACKAGE RESULTS: the playbooks on a bed of four booted hosts. Deploys twice
# (the second changes nothing), reads on each host what others wrote to an HDFS of their datanodes,
# replays fifty of Facebook's jobs under YARN's FIFO and Capacity over three agents, fetches the
# report, holds containers to their limits where hosts have cgroup v2, and takes everything away
# again. Each line of output is a check that passed, when, and how long it
# took; the first that fails ends it.
set -euo pipefail
readonly bed_kind=$1 bed_image=$2 package=$3 results=$4
readonly cluster_vcores=0.5
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/beds/cluster_bed.sh
. tests/beds/cluster_bed.sh
# shellcheck source=tests/beds/limits.sh
. tests/beds/limits.sh
# shellcheck source=tests/beds/storage.sh
. tests/beds/storage.sh

# What an uninstalled Tracebed could leave on a node.
leftovers='find / -xdev \( -path /proc -o -path /sys \) -prune -o -iname "*tracebed*" -print
  find /sys/fs/cgroup -iname "*tracebed*"; getent passwd tracebed tracebed-datanode tracebed-task;
  getent group tracebed tracebed-datanode tracebed-task
  systemctl list-units --all --no-legend "tracebed*"
  pgrep -l tracebed || true'

cluster_open
passed "four hosts are up"
for node in "${cluster_nodes[@]}"; do bed_on "$node" "$leftovers" >"$results/before-$node.txt"; done

playbook site --check
passed "site.yml --check works on fresh hosts"
playbook site
passed "site.yml deploys"
playbook site
[[ $(changes site) == "0 " ]] || {
  grep -B 3 '^changed' "$results/site.log" >&2 || true
  failed "site.yml changes something the second time: $(changes site)"
}
passed "site.yml a second time changes nothing"
# It changes nothing, so all the rest may go on beside it.
playbook site --check &
checking=$!
bed_on 1 tracebed cluster status | tee "$results/status.txt"
grep -E '^node4 .*/rack2' "$results/status.txt" >/dev/null ||
  failed "node4 is in the rack that the topology script names"
passed "racks are those of the inventory and of the topology script"
playbook smoke
passed "smoke.yml finds the cluster sound"
wait "$checking" || failed "site.yml --check"
[[ $(changes site) == "0 " ]] || failed "site.yml --check sees changes where there are none"
passed "site.yml --check saw no change on deployed hosts, beside that"
storage_open unlimited
hosts_share_files
storage_close
passed "hdfs, curl: each host reads what another wrote, by equal checksums; nothing of it is kept"

readonly traces=${TRACEBED_TRACES:-../shared/traces}
readonly trace=$traces/swim/FB-2009_samples_24_times_1hr_0_first50jobs.tsv
if [[ -f $trace ]]; then
  mkdir "$results/queues"
  cp experiments/sample/capacity-scheduler.xml "$results/queues/"
  sed -e 's/^world = .*/world = "cluster"/' -e "s/^time = .*/time = ${BED_TIME_SCALE:-400}/" \
    -e 's/^schedulers = .*//' -e 's/^swim.cpu_share = .*/&\nswim.queues = "production,adhoc"/' \
    -e 's|/swim/|/|' experiments/fb2009-first50.toml >"$results/experiment.toml"
  printf '\n[[scheduler]]\nname = "fifo"\n[[scheduler]]\nname = "capacity"\nconfig = "%s"\n' \
    queues/capacity-scheduler.xml >>"$results/experiment.toml"
  printf '\n[agents]\ncount = 3\n' >>"$results/experiment.toml"
  playbook run -e "experiment=$PWD/$results/experiment.toml" -e "traces=$(realpath "$trace")" \
    -e "to=$PWD/$results/run"
  [[ -s $results/run/report.html ]] || failed "run.yml fetches a report"
  for scheduler in fifo capacity; do
    jobs=$(grep -c '^' "$results/run/$scheduler/jobs.csv")
    ((jobs == 51)) || failed "fifty jobs under $scheduler, got $((jobs - 1)) rows"
    grep -q '"isolation": "cgroup' "$results/run/$scheduler/run.json" ||
      failed "containers are isolated under $scheduler"
  done
  passed "run.yml replays 50 jobs over three agents under two schedulers, and fetches the report"
else
  echo "SKIPPED: run.yml, as $trace is missing (TRACEBED_TRACES)"
fi

if [[ $(bed_on 2 stat --file-system --format=%T /sys/fs/cgroup) == cgroup2fs ]]; then
  limits_hold
else
  echo "SKIPPED: limits of containers, as these hosts have no cgroup v2 (./run bed --vms has)"
fi

playbook uninstall
for node in "${cluster_nodes[@]}"; do
  bed_on "$node" "$leftovers" >"$results/after-$node.txt"
  diff "$results/before-$node.txt" "$results/after-$node.txt" >&2 ||
    failed "uninstall.yml leaves nothing on node$node"
done
passed "uninstall.yml leaves nothing"

# A cluster on a bed of four hosts: node1 coordinates, node2 to node4 run containers. To be sourced;
# needs `bed_kind` (nspawn or vm), `bed_image` for that kind, `package`, `results` (a folder, which
# is made anew) and `cluster_vcores`, what each agent states to have.
#
#   cluster_open             boots the hosts and writes $results/inventory.yml
#   playbook NAME ARGUMENT…  runs ansible/NAME.yml on them; its output goes to $results/NAME.log
#   passed TEXT, failed TEXT
#   await SECONDS WHAT COMMAND…   until the command succeeds
#   on_coordinator COMMAND…, status_of RUN, has_ended of the run in `run`
#   field NAME…              of the JSON on standard input
#
# Everything is taken down when the script ends, however it ends.
[[ -f tests/beds/${bed_kind}_bed.sh ]] || {
  echo "the kind of bed: expected nspawn or vm, got $bed_kind" >&2
  exit 2
}
# shellcheck source=tests/beds/vm_bed.sh
. "tests/beds/${bed_kind}_bed.sh"
trap bed_close EXIT
trap 'exit 130' INT TERM
readonly cluster_nodes=(1 2 3 4)

# With the time since the beginning, and that since the last one.
passed_at=0
passed() {
  printf '[%4d s, %4d s] %s\n' "$SECONDS" $((SECONDS - passed_at)) "$*"
  passed_at=$SECONDS
}
# What daemons said goes to $results/nodeN.journal, as the hosts are gone in a moment.
failed() {
  local node bed_way
  printf '[%4d s] FAILED: %s\n' "$SECONDS" "$*" >&2
  for node in "${!bed_process[@]}"; do
    bed_reach "$node"
    timeout 20 "${bed_way[@]}" "journalctl -o short-precise -u 'tracebed-*' -u redis-server" \
      >"$results/node$node.journal" 2>&1 || true
  done
  tail -n 20 "$results/node1.journal" >&2 || true
  exit 1
}

cluster_open() {
  rm -rf "$results"
  mkdir -p "$results"
  bed_open ${#cluster_nodes[@]} || failed "the hosts do not come up"
  cat >"$results/inventory.yml" <<INVENTORY
all:
  vars:
    ansible_user: root
    ansible_ssh_private_key_file: $bed_key
    ansible_ssh_common_args: ${bed_ssh_options[*]}
  children:
    tracebed_coordinators:
      hosts:
        node1: {ansible_host: 10.77.0.11, tracebed_address: 10.77.0.11,
                tracebed_namenode_address: 10.77.0.11}
    tracebed_agents:
      vars:
        tracebed_capacity: {vcores: $cluster_vcores, memory: 512 MiB}
      hosts:
        node2: {ansible_host: 10.77.0.12, tracebed_interface: eth0, tracebed_rack: /rack1}
        node3: {ansible_host: 10.77.0.13, tracebed_address: 10.77.0.13, tracebed_rack: /rack1}
        node4: {ansible_host: 10.77.0.14, tracebed_address: 10.77.0.14, tracebed_labels: [ssd],
                tracebed_topology_script: $PWD/tests/beds/topology.sh}
INVENTORY
}

# The last lines are shown when it fails. Connections are kept open by address, and another bed has
# the same addresses: each has a folder of its own for them.
playbook() {
  local name=$1
  shift
  bed_ctl env ANSIBLE_CONFIG=ansible/ansible.cfg ANSIBLE_HOST_KEY_CHECKING=False \
    ANSIBLE_TIMEOUT="$bed_connect_timeout" ANSIBLE_SSH_CONTROL_PATH_DIR="$bed_folder/ssh" \
    ansible-playbook -i "$results/inventory.yml" "ansible/$name.yml" \
    -e "tracebed_package=$package" "$@" >"$results/$name.log" 2>&1 || {
    tail -n 60 "$results/$name.log" >&2
    failed "$name.yml"
  }
}

# changes NAME: on how many places it changed something, each number once.
changes() {
  sed -nE 's/^(\S+) .*changed=([0-9]+).*/\2/p' "$results/$1.log" | sort -u | tr '\n' ' '
}

await() {
  local deadline=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    ((SECONDS < deadline)) || failed "in vain waited for: $what"
    sleep 0.3
  done
}

on_coordinator() { bed_on 1 "$@"; }
status_of() { on_coordinator tracebed status --json "$1"; }

# field NAME…: nothing where it is missing.
field() {
  python3 -c '
import json, sys
value = json.load(sys.stdin)
for name in sys.argv[1:]:
    value = value.get(name) if isinstance(value, dict) else None
print("" if value is None else value)' "$@"
}

coordinator_answers() { status_of "$run" >/dev/null 2>&1; }
has_ended() {
  coordinator_answers && [[ $(status_of "$run" | field state) =~ finished|failed|cancelled ]]
}

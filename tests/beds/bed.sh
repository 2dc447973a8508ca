# A bed of hosts on one machine: what every kind of host has in common. To be sourced by the file of
# a kind (nspawn_bed.sh, vm_bed.sh), which says what a host is; needs root. All hosts are on one
# bridge, in a network namespace of its own, and so is whoever controls them, in the namespace
# `ctl`: nothing is sent to or from the machine's own namespace.
#
#   bed_open COUNT     boots node1 … nodeCOUNT at 10.77.0.11 …; ssh as root with $bed_key
#   bed_ctl COMMAND…   runs a command in ctl, at 10.77.0.1
#   bed_on N COMMAND…  runs a command on nodeN
#   bed_crash N, bed_boot N, bed_await N, bed_link N up|down
#   bed_close          ends and removes everything; certain to be called by a trap on EXIT
#
# A kind defines, where node N has the folder $bed_folder/nodeN and its console goes to
# $bed_folder/nodeN.console:
#   bed_obstacle           says why no such hosts can be here, or nothing
#   bed_plug N             connects it to the bridge, by a device nodeN of the namespace switch
#   bed_boot N             starts it, as bed_process[N]
#   bed_crash N            as when the power fails: no process of it sees another instruction
#   bed_dispose N          gives back what it held beside files; it has crashed before
#   bed_ready N            what is to be done when it answers
#   bed_boot_timeout      seconds until it must answer
#   bed_connect_timeout   seconds until ssh to it must be there

readonly bed_name=tbed$$
bed_folder=
bed_count=0
declare -A bed_process=()

bed_space() { echo "$bed_name-$1"; }

bed_open() {
  bed_count=$1
  bed_folder=$(mktemp -d "${TMPDIR:-/tmp}/$bed_name.XXXX")
  bed_key=$bed_folder/key
  ssh-keygen -q -t ed25519 -N '' -f "$bed_key"
  bed_ssh_options=(-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR
    -o "ConnectTimeout=$bed_connect_timeout")
  local switch node
  switch=$(bed_space switch)
  ip netns add "$switch"
  ip -n "$switch" link add bridge type bridge
  ip -n "$switch" link set bridge up
  bed_join ctl 10.77.0.1
  for ((node = 1; node <= bed_count; ++node)); do
    bed_plug "$node"
    bed_boot "$node"
  done
  for ((node = 1; node <= bed_count; ++node)); do bed_await "$node" || return 1; done
}

# bed_join NAME ADDRESS: a namespace on the bridge.
bed_join() {
  local space switch
  space=$(bed_space "$1")
  switch=$(bed_space switch)
  ip netns add "$space"
  ip link add eth0 netns "$space" type veth peer name "$1" netns "$switch"
  ip -n "$switch" link set "$1" master bridge up
  ip -n "$space" address add "$2/24" dev eth0
  ip -n "$space" link set eth0 up
  ip -n "$space" link set lo up
}

bed_link() { ip -n "$(bed_space switch)" link set "node$1" "$2"; }

bed_await() {
  local deadline=$((SECONDS + bed_boot_timeout))
  until bed_on "$1" true 2>/dev/null; do
    if ((SECONDS >= deadline)) || ! kill -0 "${bed_process[$1]}" 2>/dev/null; then
      echo "node$1 does not come up; its console ends with:" >&2
      tail -n 20 "$bed_folder/node$1.console" >&2
      return 1
    fi
    sleep 0.2
  done
  bed_ready "$1"
}

bed_ctl() { ip netns exec "$(bed_space ctl)" "$@"; }

# bed_reach N: sets bed_way to what a command for the host is to be given to.
bed_reach() {
  bed_way=(ip netns exec "$(bed_space ctl)" ssh "${bed_ssh_options[@]}" -i "$bed_key"
    "root@10.77.0.1$1")
}
bed_on() {
  local bed_way
  bed_reach "$1"
  shift
  "${bed_way[@]}" "$@"
}

bed_close() {
  [[ -n $bed_folder ]] || return 0
  local node space process
  # A crash is quicker than a shutdown, and nothing here is worth writing down.
  for node in "${!bed_process[@]}"; do bed_crash "$node"; done
  for ((node = 1; node <= bed_count; ++node)); do bed_dispose "$node"; done
  while read -r space; do
    # Connections that ssh keeps open for a while, to hosts that are no more.
    for process in $(ip netns pids "$space"); do kill -KILL "$process" 2>/dev/null || true; done
    ip netns delete "$space"
  done < <(ip netns list | cut -d' ' -f1 | grep "^$bed_name-" || true)
  rm -rf "$bed_folder"
  bed_folder=
}

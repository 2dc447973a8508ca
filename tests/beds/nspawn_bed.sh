# A bed of hosts on one machine: systemd-nspawn nodes, each with a network namespace of its own on
# one bridge, and a namespace `ctl` for whoever controls them. Nothing is sent to or from the
# machine's own namespace. Each node has a small disk of its own, in memory. To be sourced; needs
# root, and the root image's folder in bed_image.
#
#   bed_open COUNT     boots node1 … nodeCOUNT at 10.77.0.11 …; ssh as root with $bed_key
#   bed_ctl COMMAND…   runs a command in ctl, at 10.77.0.1
#   bed_crash N, bed_boot N, bed_link N up|down
#   bed_close          ends and removes everything; certain to be called by a trap on EXIT

readonly bed_name=tbed$$
bed_folder=
bed_count=0
readonly bed_home=root  # of whom ssh speaks for
readonly bed_disk=512m
declare -A bed_process=()

bed_space() { echo "$bed_name-$1"; }

bed_open() {
  bed_count=$1
  bed_folder=$(mktemp -d "${TMPDIR:-/tmp}/$bed_name.XXXX")
  bed_key=$bed_folder/key
  ssh-keygen -q -t ed25519 -N '' -f "$bed_key"
  local switch node
  switch=$(bed_space switch)
  ip netns add "$switch"
  ip -n "$switch" link add bridge type bridge
  ip -n "$switch" link set bridge up
  bed_join ctl 10.77.0.1
  for ((node = 1; node <= bed_count; ++node)); do
    bed_join "node$node" "10.77.0.1$node"
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

# nspawn makes its cgroups in the one that it starts in, so each node starts in one of its own in
# each of these. Where a machine has version 2 alone, that is the only hierarchy. (A new cpuset has
# no CPUs and takes nobody.)
bed_hierarchies() {
  local hierarchy
  for hierarchy in /sys/fs/cgroup/{systemd,unified,cpu,cpuacct,memory,pids,blkio,freezer,devices} \
    /sys/fs/cgroup; do
    [[ ! -f $hierarchy/cgroup.procs ]] || echo "$hierarchy"
  done
}
bed_can_make_cgroups() {
  local hierarchy count=0
  while read -r hierarchy; do
    mkdir "$hierarchy/$bed_name-probe" 2>/dev/null && rmdir "$hierarchy/$bed_name-probe" || return
    ((++count))
  done < <(bed_hierarchies)
  ((count))
}

bed_boot() {
  local name=node$1 root=$bed_folder/node$1
  if [[ ! -d $root ]]; then
    mkdir -p "$root"
    mount -t tmpfs -o "size=$bed_disk" "$bed_name" "$root"
    mkdir -p "$root"/{upper,work,root}
    mkdir -p "$root/upper/$bed_home/.ssh"
    chmod 700 "$root/upper/$bed_home/.ssh"
    cp "$bed_key.pub" "$root/upper/$bed_home/.ssh/authorized_keys"
    mkdir -p "$root/upper/etc"
    echo "$name" >"$root/upper/etc/hostname"
    mount -t overlay "$bed_name" -o "lowerdir=$bed_image,upperdir=$root/upper,workdir=$root/work" \
      "$root/root"
  fi
  (
    while read -r hierarchy; do
      mkdir -p "$hierarchy/$bed_name-$name"
      echo "$BASHPID" >"$hierarchy/$bed_name-$name/cgroup.procs"
    done < <(bed_hierarchies)
    exec systemd-nspawn -q -D "$root/root" -M "$bed_name-$name" --hostname="$name" --register=no \
      --keep-unit --network-namespace-path="/run/netns/$(bed_space "$name")" --console=pipe \
      --kill-signal=SIGRTMIN+3 /usr/local/sbin/bedinit
  ) </dev/null >>"$bed_folder/$name.console" 2>&1 &
  bed_process[$1]=$!
}

bed_await() {
  local deadline=$((SECONDS + 30))
  until bed_on "$1" true 2>/dev/null; do
    ((SECONDS < deadline)) || {
      echo "node$1 does not come up; its console ends with:" >&2
      tail -n 20 "$bed_folder/node$1.console" >&2
      return 1
    }
    sleep 0.2
  done
}

bed_ctl() { ip netns exec "$(bed_space ctl)" "$@"; }

readonly bed_ssh_options=(-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null
  -o LogLevel=ERROR -o ConnectTimeout=5)
bed_on() {
  local node=$1
  shift
  bed_ctl ssh "${bed_ssh_options[@]}" -i "$bed_key" "root@10.77.0.1$node" "$@"
}

# The node's cgroups, in every hierarchy.
bed_cgroups() {
  find /sys/fs/cgroup -maxdepth 2 -type d -name "$bed_name-node$1"
}

# As when the power fails: no process of the node sees another instruction.
bed_crash() {
  local cgroup
  while read -r cgroup; do
    [[ ! -f $cgroup/cgroup.kill ]] || echo 1 >"$cgroup/cgroup.kill"
  done < <(bed_cgroups "$1")
  wait "${bed_process[$1]}" 2>/dev/null || true
  unset "bed_process[$1]"
  # A machine that starts again finds none of its own. Kept ones would also remember the kill, by
  # which Linux 6.18 kills whatever clone3 starts from them in a cgroup of its own.
  bed_remove_cgroups "$1"
}

# Processes that were just killed keep theirs for a moment.
bed_remove_cgroups() {
  local cgroup
  for ((try = 0; try < 100; ++try)); do
    while read -r cgroup; do
      find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null || true
    done < <(bed_cgroups "$1")
    [[ -n $(bed_cgroups "$1") ]] || return 0
    sleep 0.05
  done
  echo "cgroups of node$1 are left: $(bed_cgroups "$1")" >&2
}

bed_close() {
  [[ -n $bed_folder ]] || return 0
  local node name cgroup
  # A crash is quicker than a shutdown, and nothing here is worth writing down.
  for node in "${!bed_process[@]}"; do bed_crash "$node"; done
  for ((node = 1; node <= bed_count; ++node)); do
    umount -l "$bed_folder/node$node/root" 2>/dev/null || true
    umount -l "$bed_folder/node$node" 2>/dev/null || true
  done
  while read -r name; do ip netns delete "$name"; done < <(
    ip netns list | cut -d' ' -f1 | grep "^$bed_name-" || true)
  rm -rf "$bed_folder"
  bed_folder=
}

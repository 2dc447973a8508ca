# A bed (bed.sh) of systemd-nspawn containers, each with a network namespace of its own and a small
# disk of its own, in memory. They have the machine's kernel, cgroups and clock. To be sourced;
# needs root, and the root image's folder in bed_image.
# shellcheck source=tests/beds/bed.sh
. tests/beds/bed.sh
readonly bed_boot_timeout=30 bed_connect_timeout=5
readonly bed_home=root  # of whom ssh speaks for
readonly bed_disk=512m
bed_shown=()  # folders of this machine that hosts see, too, at the same place

bed_obstacle() { bed_can_make_cgroups || echo "cgroups cannot be made"; }

bed_plug() { bed_join "node$1" "10.77.0.1$1"; }

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
      "${bed_shown[@]/#/--bind-ro=}" --kill-signal=SIGRTMIN+3 /usr/local/sbin/bedinit
  ) </dev/null >>"$bed_folder/$name.console" 2>&1 &
  bed_process[$1]=$!
}

# The node's cgroups, in every hierarchy.
bed_cgroups() {
  find /sys/fs/cgroup -maxdepth 2 -type d -name "$bed_name-node$1"
}

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

bed_ready() { :; }

bed_dispose() {
  umount -l "$bed_folder/node$1/root" 2>/dev/null || true
  umount -l "$bed_folder/node$1" 2>/dev/null || true
}

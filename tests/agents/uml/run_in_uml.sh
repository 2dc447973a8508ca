#!/bin/sh
# Runs a test program of the build tree under User Mode Linux, whose kernel has cgroup version 2
# with all controllers: run_in_uml.sh SHIM PROGRAM [ARGUMENT…]. The guest's root is the host's file
# system, read through hostfs. Exit code: the program's, 77 (skipped) without User Mode Linux.
set -eu
if [ "${1-}" = --guest ]; then
  # Process 1 of the guest. On a host this would mount things and switch the machine off.
  shift
  [ $$ -eq 1 ] || exit 1
  mount -t proc proc /proc
  grep -q 'User Mode Linux' /proc/cpuinfo || exit 1
  mount -t sysfs sysfs /sys
  mount -t cgroup2 cgroup2 /sys/fs/cgroup
  # A disk, for tests of block traffic: hostfs is none.
  mke2fs -q /dev/ubda
  mount -t ext2 /dev/ubda /var/tmp
  ip link set lo up
  result=0
  "$@" || result=$?
  echo "guest result: $result"
  echo o > /proc/sysrq-trigger
  sleep 60
fi

shim=$1
shift
kernel=$(command -v linux.uml) || {
  echo "SKIPPED: linux.uml is not installed (Debian package user-mode-linux)"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
  echo '#!/bin/sh'
  printf 'exec %s --guest' "$(realpath "$0")"
  for word in "$@"; do printf " '%s'" "$word"; done
  echo
} > "$work/init"
chmod +x "$work/init"
truncate -s 16M "$work/disk"
memory=$work
[ -d /dev/shm ] && memory=/dev/shm
LD_PRELOAD=$shim TMPDIR=$memory HOME=$work "$kernel" mem=512M umid="tracebed-$$" \
  uml_dir="$work/" ubd0="$work/disk" rootfstype=hostfs rootflags=/ rw quiet con=null \
  con0=fd:0,fd:1 init="$work/init" < /dev/null > "$work/output" 2>&1 || true
cat "$work/output"
result=$(sed -n 's/^guest result: \([0-9]*\).*/\1/p' "$work/output" | tail -n 1)
exit "${result:-70}"

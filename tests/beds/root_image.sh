#!/usr/bin/env bash
# root_image.sh FOLDER: a Debian root with everything that Tracebed's package depends on, and
# clients of HDFS, as nothing can be downloaded from inside a bed. Made once; made anew when this
# script changes.
set -euo pipefail
readonly folder=$1
readonly packages=(
  systemd systemd-sysv dbus openssh-server python3 python3-apt iproute2 iputils-ping procps udev acl
  redis-server redis-tools runc hdfs-cli curl
  libevent-2.1-7 libfmt9 libhiredis0.14 libpugixml1v5 libsimdjson14 libspdlog1.10 libthrift-0.17.0
  libisal2 libprotobuf-lite32 libsodium23 libtomlplusplus3 libxxhash0 libzmq5 libzstd1 zlib1g
)
stamp=$(sha256sum "$0" | cut -d' ' -f1)
readonly stamp
[[ ! -f $folder.stamp || $(<"$folder.stamp") != "$stamp" || ! -d $folder ]] || exit 0
rm -rf "$folder" "$folder.stamp"
mkdir -p "$folder"
printf -v list '%s,' "${packages[@]}"
debootstrap --variant=minbase --include="${list%,}" bookworm "$folder" >"$folder.log" 2>&1 || {
  tail -n 20 "$folder.log" >&2
  exit 1
}
# apt reads all it could fetch before it does anything, and nothing can be fetched.
rm -rf "$folder"/var/lib/apt/lists/* "$folder"/var/cache/apt/*.bin \
  "$folder"/var/cache/apt/archives/*.deb
# Each node makes its own; what listens before a playbook has said so would hide its faults.
: >"$folder/etc/machine-id"
rm -f "$folder"/etc/ssh/ssh_host_* "$folder/var/lib/dbus/machine-id"
chroot "$folder" systemctl mask --quiet apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer \
  e2scrub_reap.service systemd-timesyncd.service getty.target console-getty.service
chroot "$folder" systemctl disable --quiet redis-server
cat >"$folder/etc/systemd/system/bed-keys.service" <<'END'
[Unit]
Before=ssh.service
ConditionPathExists=!/etc/ssh/ssh_host_ed25519_key
[Service]
Type=oneshot
ExecStart=/usr/bin/ssh-keygen -q -t ed25519 -N "" -f /etc/ssh/ssh_host_ed25519_key
[Install]
WantedBy=multi-user.target
END
chroot "$folder" systemctl enable --quiet bed-keys
# Version 1 controllers are mounted read-only by nspawn, and systemd would silently set no limits.
# Only those in which a node has a cgroup of its own (nspawn_bed.sh): the others are the machine's.
cat >"$folder/usr/local/sbin/bedinit" <<'END'
#!/bin/sh
for hierarchy in cpu cpuacct memory pids blkio freezer devices; do
  mount -o remount,bind,rw "/sys/fs/cgroup/$hierarchy" 2>/dev/null
done
exec /lib/systemd/systemd
END
chmod 755 "$folder/usr/local/sbin/bedinit"
echo "$stamp" >"$folder.stamp"

#!/usr/bin/env bash
# vm_image.sh ROOT FOLDER: what a virtual machine boots, made of the tree ROOT (root_image.sh):
# Debian's kernel for clouds (FOLDER/kernel), a first root that knows the emulator's devices
# (FOLDER/initrd) and a disk (FOLDER/disk). Made once; made anew when ROOT or this script changes.
set -euo pipefail
readonly root=$1 folder=$2
readonly disk_size=2G
stamp=$(cat "$0" "$root.stamp" | sha256sum | cut -d' ' -f1)
readonly stamp
[[ ! -f $folder/stamp || $(<"$folder/stamp") != "$stamp" ]] || exit 0
rm -rf "$folder"
mkdir -p "$folder"/{first/bin,first/modules,package}

# The package is only unpacked: in the machine nothing needs its other modules, and here nothing is
# to be set up by it.
kernel=$(apt-cache depends linux-image-cloud-amd64 |
  sed -nE 's/^ *Depends: (linux-image-[0-9].*-cloud-amd64)$/\1/p' | head -n 1)
[[ -n $kernel ]] || { echo "apt knows no linux-image-cloud-amd64" >&2; exit 4; }
chmod 755 "$folder" "$folder/package"
(cd "$folder/package" && apt-get download -q "$kernel") >"$folder/log" 2>&1 || {
  tail -n 20 "$folder/log" >&2
  exit 4
}
dpkg-deb --extract "$folder/package"/linux-image-*.deb "$folder/package"
mv "$folder/package/boot"/vmlinuz-* "$folder/kernel"

# Each after what it needs.
readonly modules=(virtio/virtio_ring virtio/virtio virtio/virtio_pci_legacy_dev
  virtio/virtio_pci_modern_dev virtio/virtio_pci block/virtio_blk net/core/failover
  net/net_failover net/virtio_net)
for module in "${modules[@]}"; do
  for place in drivers .; do
    file=$(echo "$folder"/package/lib/modules/*/kernel/"$place/$module.ko")
    [[ ! -f $file ]] || cp "$file" "$folder/first/modules/"
  done
  [[ -f $folder/first/modules/${module##*/}.ko ]] ||
    { echo "$kernel has no module $module" >&2; exit 4; }
done
rm -r "$folder/package"
cp "$(command -v busybox)" "$folder/first/bin/busybox"
{
  echo '#!/bin/busybox sh'
  printf 'modules="%s"\n' "$(printf '%s ' "${modules[@]##*/}")"
  cat <<'INIT'
set -e
# Who this machine is (vm_bed.sh) is known here only; the disk is everybody's.
/bin/busybox --install /bin
mkdir -p /proc /dev /disk
mount -t proc proc /proc
mount -t devtmpfs devtmpfs /dev
for module in $modules; do insmod "/modules/$module.ko"; done
for word in $(cat /proc/cmdline); do
  case $word in
    bed.name=*) name=${word#*=} ;;
    bed.address=*) address=${word#*=} ;;
    bed.key=*) key=${word#*=} ;;
  esac
done
ip link set lo up
ip address add "$address/24" dev eth0
ip link set eth0 up
until [ -b /dev/vda ]; do sleep 0.1; done
home=root
mount -t ext4 /dev/vda /disk
echo "$name" >/disk/etc/hostname
mkdir -p "/disk/$home/.ssh"
chmod 700 "/disk/$home/.ssh"
echo "ssh-ed25519 $key" >"/disk/$home/.ssh/authorized_keys"
umount /proc
mount --move /dev /disk/dev
exec switch_root /disk /lib/systemd/systemd
INIT
} >"$folder/first/init"
chmod 755 "$folder/first/init"
(cd "$folder/first" && find . | busybox cpio -o -H newc 2>>"$folder/log") |
  gzip -1 >"$folder/initrd"
rm -r "$folder/first"

truncate --size "$disk_size" "$folder/disk"
mke2fs -q -t ext4 -d "$root" "$folder/disk"
echo "$stamp" >"$folder/stamp"

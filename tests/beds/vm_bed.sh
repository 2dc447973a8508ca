# A bed (bed.sh) of virtual machines, each with Debian's own kernel, a memory, a disk and a clock of
# its own. They are emulated, as Debian's kernel does not boot by every KVM there is: an instruction
# takes some ten times as long. To be sourced; needs root, and vm_image.sh's folder in bed_image.
# shellcheck source=tests/beds/bed.sh
. tests/beds/bed.sh
readonly bed_boot_timeout=600 bed_connect_timeout=60
readonly bed_memory_mib=1024

bed_obstacle() { [[ -c /dev/net/tun ]] || echo "/dev/net/tun is missing"; }

bed_plug() {
  local switch
  switch=$(bed_space switch)
  ip -n "$switch" tuntap add "node$1" mode tap
  ip -n "$switch" link set "node$1" master bridge up
}

bed_boot() {
  local disk=$bed_folder/node$1 boot
  if [[ ! -f $disk ]]; then
    qemu-img create -q -f qcow2 -F raw -b "$bed_image/disk" "$disk"
  fi
  boot="console=ttyS0 quiet panic=-1 net.ifnames=0 mitigations=off random.trust_cpu=on"
  # A busy machine is late with ticks, by which the kernel would judge timers and clocks wrongly.
  boot+=" no_timer_check clocksource=hpet"
  boot+=" bed.name=node$1 bed.address=10.77.0.1$1 bed.key=$(cut -d' ' -f2 "$bed_key.pub")"
  # It dies with the script, however that dies.
  setpriv --pdeathsig KILL ip netns exec "$(bed_space switch)" qemu-system-x86_64 \
    -nodefaults -no-user-config -no-reboot -display none -monitor none \
    -name "$bed_name-node$1" -machine q35 -accel tcg,thread=multi,tb-size=256 -cpu max \
    -smp 1 -m "$bed_memory_mib" -kernel "$bed_image/kernel" -initrd "$bed_image/initrd" \
    -append "$boot" -drive "file=$disk,if=virtio,format=qcow2,cache=unsafe" \
    -netdev "tap,id=net,ifname=node$1,script=no,downscript=no" \
    -device "virtio-net-pci,netdev=net,mac=52:54:00:77:00:1$1" \
    -chardev "file,id=console,path=$bed_folder/node$1.console,append=on" -serial chardev:console \
    </dev/null >>"$bed_folder/node$1.console" 2>&1 &
  bed_process[$1]=$!
}

bed_crash() {
  kill -KILL "${bed_process[$1]}" 2>/dev/null || true
  wait "${bed_process[$1]}" 2>/dev/null || true
  unset "bed_process[$1]"
}

# The emulated machine's own clock counts whole seconds only.
bed_ready() {
  local bed_way
  bed_reach "$1"
  python3 tests/beds/set_clock.py "${bed_way[@]}" python3 -c 2>>"$bed_folder/node$1.console"
}

bed_dispose() { :; }

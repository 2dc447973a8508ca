#!/usr/bin/env bash
# launch_bench.sh IMAGE PROGRAMS [ARGUMENT…]: how fast containers start. The benchmark
# (tests/bench/launch_bench.cpp, in the folder PROGRAMS with the programs that it starts) runs in a
# booted host, as that has what it is compared with: runc, and a systemd that makes scopes. All of
# them share one kernel and its load.
set -euo pipefail
readonly bed_image=$1 programs=$2
shift 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/beds/nspawn_bed.sh
. tests/beds/nspawn_bed.sh
trap bed_close EXIT
trap 'exit 130' INT TERM
bed_shown=("$programs")
bed_open 1
bed_on 1 systemctl is-system-running --wait >/dev/null
# runc is not to want cgroups in hierarchies that the host may not write, and makes device files,
# which do not work below /tmp. What systemd was not told to leave alone it clears of empty cgroups.
bed_on 1 "sed -nE 's/^cgroup (\\S+) cgroup ro,.*/\\1/p' /proc/mounts | xargs -r umount"
said=$(bed_on 1 systemd-run --quiet --pipe --wait --property=Delegate=yes --setenv=TMPDIR=/var/tmp \
  "$programs/launch_bench" "$@" | tee /dev/stderr)
for way in "bare loop" launcher "agent through launcher" "runc run" "systemd-run --scope"; do
  grep -q "^  $way .* of the bare loop" <<<"$said" || {
    echo "launch_bench.sh: $way was not measured" >&2
    exit 1
  }
done

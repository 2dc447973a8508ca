#!/usr/bin/env python3
"""limits_probe.py CONTAINERS MILLI_VCORES MEMORY_MIB PIDS SECONDS: on a host of agents with cgroup
v2, while that many equal containers run there, or soon will, whose tasks want more CPU time than
they may have: whether their cgroups are where systemd delegated one to the launcher, have these
limits, and get in SECONDS no more CPU time than that; and whether a process in such a cgroup can
fork beyond it.
"""
import errno
import os
import pathlib
import signal
import subprocess
import sys
import time

count, milli_vcores, memory_mib, pids, seconds = map(int, sys.argv[1:])
root = pathlib.Path("/sys/fs/cgroup")
launcher = "tracebed-launcher.service"
start_timeout = 120


def expect(what, got, holds):
    if not holds:
        sys.exit(f"expected: {what}; got: {got}")


def equal(what, expected, got):
    expect(f"{what} {expected}", got, expected == got)


def read(cgroup, name):
    return (cgroup / name).read_text().strip()


def numbers(cgroup, name):
    return {key: int(value) for key, value in map(str.split, read(cgroup, name).splitlines())}


def unit_property(name):
    command = ["systemctl", "show", "--value", "--property", name, launcher]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


mounts = [line.split() for line in pathlib.Path("/proc/mounts").read_text().splitlines()]
equal("kinds of cgroups that are mounted", ["cgroup2"],
      [mount[2] for mount in mounts if mount[2].startswith("cgroup")])
equal("Delegate of the launcher's unit", "yes", unit_property("Delegate"))
own = root / unit_property("ControlGroup").lstrip("/")
for controller in ("cpu", "io", "memory", "pids"):
    expect(f"{controller} among what {own} hands down", read(own, "cgroup.subtree_control"),
           controller in read(own, "cgroup.subtree_control").split())
equal("processes in the delegated cgroup itself", "", read(own, "cgroup.procs"))

def cgroups_of_tasks():
    found = set()
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (process / "comm").read_text() == "tracebed-task\n":
                found.add(root / (process / "cgroup").read_text().strip().removeprefix("0::/"))
        except (FileNotFoundError, ProcessLookupError):
            pass  # it ended meanwhile
    return sorted(found)


deadline = time.monotonic() + start_timeout
while len(containers := cgroups_of_tasks()) < count and time.monotonic() < deadline:
    time.sleep(1)
equal("cgroups with a task", count, len(containers))

quota = milli_vcores * 100
for container in containers:
    expect(f"a cgroup below {own}", container, own in container.parents)
    for name, value in (("cpu.max", f"{quota} 100000"), ("memory.max", str(memory_mib << 20)),
                        ("memory.oom.group", "1"), ("pids.max", str(pids))):
        equal(f"{name} of {container.name}", value, read(container, name))
    if (container / "memory.swap.max").exists():
        equal(f"memory.swap.max of {container.name}", "0", read(container, "memory.swap.max"))
print(f"{count} containers below {own}: cpu.max {quota} 100000, {memory_mib} MiB, {pids} pids")


def sample():
    return time.monotonic(), [numbers(container, "cpu.stat") for container in containers]


begin, before = sample()
time.sleep(seconds)
end, after = sample()
shares = []
for container, old, new in zip(containers, before, after):
    share = (new["usage_usec"] - old["usage_usec"]) / 1e6 / (end - begin)
    shares.append(f"{share:.3f}")
    # A period's quota may be used before the first instant and another after the last.
    most = milli_vcores / 1000 * (1 + 0.1 / seconds) + 0.01
    expect(f"{container.name} to use at most {most:.3f} of a CPU", f"{share:.3f}", share <= most)
    expect(f"{container.name} to get at least half its quota", f"{share:.3f}",
           share >= milli_vcores / 2000)
    throttled = new["nr_throttled"] - old["nr_throttled"]
    expect(f"{container.name} to want more than its quota", f"{throttled} periods throttled",
           throttled > seconds)
print(f"each used of a CPU, in {end - begin:.1f} s:", ", ".join(shares),
      f"(quota {milli_vcores / 1000:.3f})")

# As one more process of the first container, in a child, which forks until it is refused.
container = containers[0]
refused_before = numbers(container, "pids.events")["max"]
told, tell = os.pipe()
intruder = os.fork()
if intruder == 0:
    (container / "cgroup.procs").write_text("0")
    children, text = [], ""
    try:
        while len(children) < 4 * pids:
            child = os.fork()
            if child == 0:
                signal.pause()
            children.append(child)
    except OSError as error:
        text = f"{errno.errorcode[error.errno]} {read(container, 'pids.current')}"
    for child in children:
        os.kill(child, signal.SIGKILL)
    for child in children:
        os.waitpid(child, 0)
    os.write(tell, text.encode())
    os._exit(0)
os.close(tell)
with os.fdopen(told) as pipe:
    equal("how forking in a container ends, and at how many processes", f"EAGAIN {pids}",
          pipe.read())
os.waitpid(intruder, 0)
refused = numbers(container, "pids.events")["max"] - refused_before
expect("pids.events to count the refusal", refused, refused > 0)
print(f"forking in {container.name} is refused at {pids} processes (pids.events: {refused} more)")

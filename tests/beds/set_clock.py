#!/usr/bin/env python3
"""set_clock.py COMMAND…: sets the clock of another machine to this one's, as well as the quickest
of some round trips allows; COMMAND, with a program as one more word of a shell's, is Python there.
A lab's hosts are kept right by NTP, which no bed can reach.

The other machine answers each empty line with its clock; one that is not empty says by how much
that is to be moved.
"""
import shlex
import subprocess
import sys
import time

tries = 10, 500
quick = 0.02  # seconds of a round trip that is good enough after the fewest tries

there = """
import sys, time
for line in sys.stdin:
    if line.strip():
        time.clock_settime(time.CLOCK_REALTIME, time.time() + float(line))
        break
    print(repr(time.time()), flush=True)
"""

best = None
with subprocess.Popen([*sys.argv[1:], shlex.quote(there)], stdin=subprocess.PIPE,
                      stdout=subprocess.PIPE, text=True, bufsize=1) as other:
    for count in range(1, tries[1] + 1):
        begin = time.time()
        other.stdin.write("\n")
        told = float(other.stdout.readline())
        end = time.time()
        if best is None or end - begin < best[0]:
            best = end - begin, (begin + end) / 2 - told
        if count >= tries[0] and best[0] < quick:
            break
    other.stdin.write(f"{best[1]!r}\n")
    other.stdin.close()
print(f"the clock was {-best[1]:.3f} s ahead, to {best[0] / 2:.3f} s", file=sys.stderr)
sys.exit(other.returncode)

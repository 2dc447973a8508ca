#!/usr/bin/env python3
"""accounts.py FOLDER JOBS TASKS [END]: whether a replay accounts for every task exactly once.

There are JOBS jobs of TASKS tasks each, all of which succeeded. Each task has attempts numbered
from 1, of which the last, and only that, succeeded; each attempt had a container of its own. Some
attempts ended as END says (node_lost, preempted), and none in any other way; with a question mark
after it, none may have.
"""
import collections
import csv
import pathlib
import sys

folder, jobs, tasks = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
needed = {"succeeded", *(end for end in sys.argv[4:] if not end.endswith("?"))}
allowed = needed | {end.rstrip("?") for end in sys.argv[4:]}
faults = []


def expect(condition, what):
    if not condition:
        faults.append(what)


def rows(name):
    with open(folder / name, newline="") as file:
        return list(csv.DictReader(file))


ended = {row["job"]: row for row in rows("jobs.csv")}
expect(len(ended) == jobs, f"{jobs} jobs ended, got {len(ended)}")
for job, row in ended.items():
    expect(row["outcome"] == "succeeded", f"job {job} succeeded, got {row['outcome']}")

attempts = collections.defaultdict(list)
containers = set()
for row in rows("tasks.csv"):
    attempts[row["job"], row["stage"], row["task"]].append(row)
    expect(row["container"] not in containers, f"container {row['container']} ended once")
    containers.add(row["container"])
expect(len(attempts) == jobs * tasks, f"{jobs * tasks} tasks, got {len(attempts)}")

ends = collections.Counter()
for task, of_task in sorted(attempts.items()):
    of_task.sort(key=lambda row: int(row["attempt"]))
    numbers = [int(row["attempt"]) for row in of_task]
    expected = list(range(1, len(numbers) + 1))
    expect(numbers == expected, f"attempts of {task} from 1 on, got {numbers}")
    of_ends = [row["end"] for row in of_task]
    expect(of_ends[-1] == "succeeded", f"the last attempt of {task} succeeded, got {of_ends}")
    expect(of_ends.count("succeeded") == 1, f"{task} succeeded once, got {of_ends}")
    ends.update(of_ends)

expect(needed <= set(ends) <= allowed, f"attempts ended as {sorted(allowed)}, got {dict(ends)}")

for fault in faults[:20]:
    print(f"expected: {fault}", file=sys.stderr)
print(f"  {len(attempts)} tasks; attempts:",
      ", ".join(f"{count} {end}" for end, count in sorted(ends.items())))
sys.exit(1 if faults else 0)

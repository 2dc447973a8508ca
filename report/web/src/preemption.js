// Tables of preempted containers, and of how long queues starved.
import { mean, number } from "./format.js";
import { plainTable, rowsByName } from "./tables.js";

// A column's title, and its key in the data.
const countColumns = [
  ["marked", "asked"],
  ["in time", "in_time"],
  ["substituted", "substituted"],
  ["forced", "forced"],
  ["cancelled", "cancelled"],
  ["lost", "lost"],
  ["vcore s lost", "lost_vcore_seconds"],
  ["vcore s saved", "saved_vcore_seconds"],
  ["MiB s lost", "lost_mib_seconds"],
  ["MiB s saved", "saved_mib_seconds"],
];

const asked = (run) => run.attempts.preemption?.queues ?? [];
const starved = (run) => run.starvation?.queues ?? [];

// Null if nothing was preempted. Means over a scheduler's runs.
export function preemptedTable(world) {
  const rows = rowsByName(world, "queue", asked, (found) =>
    countColumns.map(([, key]) => number(mean(found.map((queue) => queue?.[key] ?? 0)))),
  );
  if (rows.length === 0) return null;
  return plainTable(["scheduler", "queue", ...countColumns.map(([title]) => title)], 2, rows);
}

// Null if no queue starved.
export function starvationTable(world) {
  const rows = rowsByName(world, "queue", starved, (found) => {
    const seen = found.filter((queue) => queue);
    const times = seen.map(({ seconds, unended_seconds }) => seconds.count + (unended_seconds > 0));
    const count = times.reduce((sum, value) => sum + value, 0);
    const total = seen.reduce((sum, { total_seconds }) => sum + total_seconds, 0);
    const longest = Math.max(
      ...seen.flatMap(({ seconds, unended_seconds }) => [seconds.max, unended_seconds]),
    );
    return [
      number(count / found.length),
      number(total / count),
      number(longest),
      number(total / found.length),
    ];
  });
  if (rows.length === 0) return null;
  return plainTable(
    ["scheduler", "leaf queue", "times", "mean (s)", "longest (s)", "in all (s)"],
    2,
    rows,
  );
}

// The delay with which the ends of starvation were detected at most, in seconds.
export function seenWithin(world) {
  return Math.max(
    0,
    ...world.schedulers.flatMap(({ run_metrics: runs }) =>
      runs.map((run) => run.starvation?.seen_within_seconds ?? 0),
    ),
  );
}

// Null if nothing was preempted. The applications of each scheduler's first run that lost or saved
// most.
export function applicationsTable(curves) {
  const rows = curves.flatMap(({ label, preemption }) =>
    (preemption?.applications.most ?? []).map((application, i) => ({
      cells: [
        label,
        application.queue,
        application.user,
        String(application.job),
        ...countColumns.map(([, key]) => number(application[key])),
      ],
      begins: i === 0,
    })),
  );
  if (rows.length === 0) return null;
  rows[0].begins = false;
  return plainTable(
    ["scheduler", "queue", "user", "job", ...countColumns.map(([title]) => title)],
    3,
    rows,
  );
}

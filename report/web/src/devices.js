// The table of devices, by their number on a node.
import { mean, number } from "./format.js";
import { plainTable, rowsByName } from "./tables.js";

// A column's title, and its value of one device in one run.
const columns = [
  ["nodes", ({ nodes }) => nodes],
  ["containers", ({ containers }) => containers],
  ["amount × h", ({ held_seconds: held }) => held / 3600],
];

// Null if no container had a device. Means over a scheduler's runs.
export function deviceTable(world) {
  const rows = rowsByName(
    world,
    "device",
    (run) => run.attempts.devices ?? [],
    (found) =>
      columns.map(([, value]) => number(mean(found.map((used) => (used ? value(used) : 0))))),
  );
  if (rows.length === 0) return null;
  return plainTable(["scheduler", "device", ...columns.map(([title]) => title)], 2, rows);
}

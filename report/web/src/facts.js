// What ran on what: the page's header and its details at the end.
import { bytes, counted, duration, number } from "./format.js";
import { element } from "./tables.js";

function capacityText(capacity) {
  return Object.entries(capacity)
    .filter(([, amount]) => amount > 0)
    .map(([name, amount]) => {
      if (name === "vcores") return counted(amount / 1000, "vcore");
      if (name === "memory") return bytes(amount * 1024 * 1024);
      return `${number(amount)} ${name}`;
    })
    .join(", ");
}

function selectionText({ from, until, jobs }) {
  const parts = [];
  if (from) parts.push(`from ${from}`);
  if (until) parts.push(`until ${until}`);
  if (jobs) parts.push(`the first ${number(Number(jobs))}`);
  return parts.join(", ") || "all";
}

function machinesText(groups) {
  const byCapacity = new Map();
  for (const { count, capacity } of groups) {
    const text = capacityText(capacity);
    byCapacity.set(text, (byCapacity.get(text) ?? 0) + count);
  }
  const kinds = [...byCapacity].map(([text, count]) => `${number(count)} × ${text}`);
  return kinds.length <= 4
    ? kinds.join("; ")
    : `${kinds.slice(0, 3).join("; ")}; and ${kinds.length - 3} other kinds`;
}

const factorTexts = { thin: "jobs ÷", stretch: "gaps between submissions ×" };

function scaleText(scale) {
  const changed = Object.entries(scale).filter(([, by]) => by !== "1");
  return changed.map(([what, by]) => `${factorTexts[what] ?? `${what} ÷`} ${by}`).join(", ");
}

function worldTexts(runs) {
  const texts = runs.map(({ world, isolation, time_scale }) => {
    if (world === "virtual") return world;
    const speed = time_scale === 1 ? "" : `, ${number(time_scale)} × as fast as the trace`;
    return `${world} (isolation: ${isolation}${speed})`;
  });
  return [...new Set(texts)].join(" and ");
}

// YARN's schedulers give larger containers than were asked for, which use and plots then show.
function roundingText(runs) {
  const asks = new Map();
  for (const { scheduler, asks_rounded_up: count } of runs) {
    if (count > 0) asks.set(scheduler, Math.max(count, asks.get(scheduler) ?? 0));
  }
  return [...asks].map(([scheduler, count]) => `${scheduler}: ${counted(count, "ask")}`).join("; ");
}

export function header(data) {
  const { headline, experiment, runs } = data;
  const schedulers = [...new Set(runs.map(({ scheduler }) => scheduler))];
  const repetitions = new Set(
    runs.filter(({ is_noise }) => !is_noise).map(({ repetition }) => repetition),
  ).size;
  const facts = [
    ["Trace", `${experiment.trace} (${experiment.trace_format}, ${bytes(experiment.trace_bytes)})`],
    ["Jobs", selectionText(experiment.selection)],
    ["Scaled", scaleText(experiment.scale) || "no"],
    ["Machines", machinesText(experiment.machines)],
    ["World", worldTexts(runs)],
    ["Schedulers", schedulers.join(", ")],
    ...(roundingText(runs) ? [["Asks rounded up", roundingText(runs)]] : []),
    ["Repetitions", number(repetitions)],
    ["Started", experiment.started],
    ["Tracebed", `${experiment.version}, ${experiment.build_type} build`],
  ];
  return element("header", {}, [
    element("p", { class: "eyebrow" }, "Tracebed report"),
    element("h1", {}, experiment.name),
    element("p", { class: "lead" }, headline),
    element(
      "dl",
      { class: "facts" },
      facts.map(([term, text]) =>
        element("div", {}, [element("dt", {}, term), element("dd", {}, text)]),
      ),
    ),
  ]);
}

function folded(title, content) {
  return element("details", {}, [element("summary", {}, title), ...content]);
}

function settingList(title, entries) {
  const rows = entries.map(([key, value]) =>
    element("tr", {}, [element("td", {}, key), element("td", { class: "setting" }, value)]),
  );
  return folded(title, [element("table", { class: "settings" }, [element("tbody", {}, rows)])]);
}

function settingLists(experiment, runs) {
  const lists = [];
  const add = (title, object) => {
    const entries = Object.entries(object);
    const isKnown = lists.some((list) => list.title === title);
    if (entries.length > 0 && !isKnown) lists.push({ title, entries });
  };
  for (const run of runs) add(`Settings of ${run.scheduler}`, run.settings);
  for (const run of runs) add(`Settings of the ${run.world} world`, run.world_settings);
  add("Settings of the application masters", experiment.masters);
  add("Rules for what the trace lacks", experiment.rules);
  add("What scaling keeps and what it changes", experiment.scale_effects);
  return lists.map(({ title, entries }) => settingList(title, entries));
}

export function details({ experiment, runs }) {
  const rows = runs.map((run) =>
    element(
      "tr",
      {},
      [
        run.folder,
        run.scheduler,
        run.world,
        run.is_noise ? `${run.repetition}, noise` : String(run.repetition),
        run.seed,
        run.ended,
        duration(run.wall_seconds),
        run.digest,
      ].map((text) => element("td", {}, text)),
    ),
  );
  const head = ["run", "scheduler", "world", "repetition", "seed", "ended", "wall time", "digest"];
  return element("section", {}, [
    element("h2", {}, "How it was run"),
    element("div", { class: "card" }, [
      element("div", { class: "scroll" }, [
        element("table", { class: "runs" }, [
          element("thead", {}, [
            element(
              "tr",
              {},
              head.map((text) => element("th", {}, text)),
            ),
          ]),
          element("tbody", {}, rows),
        ]),
      ]),
      element("p", { class: "soft" }, `trace digest ${experiment.trace_digest}`),
    ]),
    ...settingLists(experiment, runs),
    folded("The experiment's file", [element("pre", {}, experiment.text)]),
  ]);
}

export function warnings({ runs }) {
  const texts = new Set();
  for (const run of runs) for (const text of run.warnings) texts.add(text);
  return [...texts].map((text) => element("p", { class: "note" }, text));
}

const stallsMax = 5;

// Of runs that were given up: why, who held what, and who waited for whom.
export function stalls({ runs }) {
  const stalled = runs.filter(({ stall }) => stall);
  const shown = stalled.slice(0, stallsMax).map(({ scheduler, repetition, stall }) =>
    element("div", { class: "note" }, [
      element("p", {}, `${scheduler}, repetition ${repetition}, stalled: ${stall.text}`),
      element(
        "ul",
        {},
        stall.chain.map((link) => element("li", {}, link)),
      ),
    ]),
  );
  if (stalled.length > stallsMax) {
    const more = `${number(stalled.length - stallsMax)} more runs stalled`;
    shown.push(element("p", { class: "note" }, more));
  }
  return shown;
}

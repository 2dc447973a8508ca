// Tables, and the one helper that makes elements. Text is always set as text, so that a name from a
// trace cannot become markup.
import { number } from "./format.js";
import { seriesColour } from "./charts.js";

export function element(tag, attributes = {}, content = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  for (const part of [content].flat()) made.append(part);
  return made;
}

// A card with room for a chart, which is drawn into the container.
export function chartCard(title, note, className = "") {
  const container = element("div", { class: "chart" });
  const card = element("div", { class: `card ${className}` }, [element("h3", {}, title)]);
  if (note) card.append(element("p", { class: "soft" }, note));
  card.append(container);
  return { card, container };
}

// Rows of `cells`; one that `begins` is separated from those above. The columns from the second to
// the `words`-th have words, the others numbers.
export function plainTable(titles, words, rows) {
  const attributes = (i) => (i > 0 && i < words ? { class: "words" } : {});
  return element("div", { class: "scroll" }, [
    element("table", titles.length > 12 ? { class: "dense" } : {}, [
      element("thead", {}, [
        element(
          "tr",
          {},
          titles.map((title, i) => element("th", attributes(i), title)),
        ),
      ]),
      element(
        "tbody",
        {},
        rows.map(({ cells, begins }) =>
          element(
            "tr",
            begins ? { class: "group" } : {},
            cells.map((cell, i) => element("td", attributes(i), cell)),
          ),
        ),
      ),
    ]),
  ]);
}

// The names under `key` that any of a scheduler's runs has in `entries(run)`, numbers in them in
// their order, with the entry of each run.
function byName(runs, key, entries) {
  const names = [...new Set(runs.flatMap((run) => entries(run).map((entry) => entry[key])))];
  names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  return names.map((name) => [
    name,
    runs.map((run) => entries(run).find((entry) => entry[key] === name)),
  ]);
}

// Rows of every scheduler, set apart from each other: its label, a name, and the cells that
// `row(entries)` makes of the entries of its runs, undefined where a run has none.
export function rowsByName(world, key, entries, row) {
  return world.schedulers.flatMap(({ label, run_metrics: runs }, place) =>
    byName(runs, key, entries).map(([name, found], i) => ({
      cells: [label, name, ...row(found)],
      begins: place > 0 && i === 0,
    })),
  );
}

function label(text, index) {
  const swatch = element("span", { class: "swatch", "data-series": String(index) });
  swatch.style.background = seriesColour(index);
  return element("span", {}, [swatch, text]);
}

function figureTitle({ key, title, unit }, primary) {
  const cell = element("td", {}, title);
  if (unit) cell.append(element("span", { class: "unit" }, ` ${unit}`));
  if (key === primary) cell.append(element("span", { class: "unit" }, " · primary"));
  return cell;
}

// "better by 2 %" as a chip, with its interval and the noise; for one repetition, only the change.
function judgement({ verdict, text, noise_floor: noise }) {
  const [verdictText, interval = ""] = text.split(" (", 2);
  const beside = [interval.replace(")", "")];
  if (noise !== undefined) beside.push(`noise ±${(100 * noise).toFixed(1)} %`);
  return [
    element(
      "span",
      { class: verdict === "one_repetition" ? "soft" : `chip ${verdict}` },
      verdictText,
    ),
    " ",
    element("span", { class: "soft interval" }, beside.filter((part) => part).join("; ")),
  ];
}

// With few schedulers, figures are close to their titles.
const widthFor = (columns) => ({ style: `max-width: ${20 + 11 * columns}em` });

function figureRow(figure, world) {
  const row = element("tr", {}, [figureTitle(figure, world.primary)]);
  const verdictsApart = world.comparisons.length === 1;
  world.schedulers.forEach(({ label: name, figures }) => {
    const cell = element("td", {}, number(figures[figure.key]));
    const comparison = world.comparisons.find(({ candidate }) => candidate === name);
    if (comparison && !verdictsApart) {
      cell.className = "judged";
      cell.append(element("div", {}, judgement(comparison.figures[figure.key])));
    }
    row.append(cell);
  });
  if (verdictsApart) {
    const [{ figures }] = world.comparisons;
    row.append(element("td", { class: "verdict" }, judgement(figures[figure.key])));
  }
  return row;
}

// One row per figure and one column per scheduler. A single candidate's verdict has a column of its
// own; those of several are below their figures.
export function comparisonTable(world) {
  const head = element("tr", {}, [
    element("th", {}, ""),
    ...world.schedulers.map((scheduler, index) =>
      element("th", {}, [label(scheduler.label, index)]),
    ),
  ]);
  if (world.comparisons.length === 1) {
    const [{ candidate, baseline }] = world.comparisons;
    head.append(element("th", { class: "verdict" }, `${candidate} against ${baseline}`));
  }
  let family = "";
  const rows = world.figures
    .filter(({ key }) => key in world.schedulers[0].figures)
    .map((figure) => {
      const row = figureRow(figure, world);
      const begins = figure.key.split("_")[0];
      if (begins !== family && family !== "") row.className = "group";
      family = begins;
      return row;
    });
  const columns = world.schedulers.length + (world.comparisons.length === 1 ? 3 : 0);
  return element("div", { class: "scroll" }, [
    element("table", widthFor(columns), [
      element("thead", {}, [head]),
      element("tbody", {}, rows),
    ]),
  ]);
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

const deadlines = (m) => m.deadlines?.jobs ?? 0;

// Of each figure its title, its value, and what decides whether it is shown, where that is another.
const explaining = [
  ["jobs succeeded", (m) => m.jobs.succeeded],
  ["jobs failed", (m) => m.jobs.failed],
  ["jobs rejected", (m) => m.jobs.rejected],
  ["jobs killed", (m) => m.jobs.killed],
  ["jobs with a deadline", deadlines],
  ["deadline met", (m) => m.deadlines?.met ?? 0, deadlines],
  [
    "deadline met (%)",
    (m) => (m.deadlines ? (100 * m.deadlines.met) / m.deadlines.jobs : 0),
    deadlines,
  ],
  ["tardiness, mean (s)", (m) => m.deadlines?.tardiness_seconds.mean ?? 0, deadlines],
  ["tardiness p95 (s)", (m) => m.deadlines?.tardiness_seconds.p95 ?? 0, deadlines],
  ["Jain's index over users", (m) => m.jain_index],
  ["attempts launched", (m) => m.attempts.launched],
  ["attempts lost", (m) => m.attempts.lost],
  ["masters' part of vcores (%)", (m) => 100 * (m.attempts.masters_part_of_vcores ?? 0)],
  ["masters' part of memory (%)", (m) => 100 * (m.attempts.masters_part_of_memory ?? 0)],
  ["masters' start-up p50 (s)", (m) => m.attempts.master_startup_seconds?.p50 ?? 0],
  ["containers preempted", (m) => m.attempts.preemption?.asked ?? 0],
  ["released in time", (m) => m.attempts.preemption?.in_time ?? 0],
  ["killed at the deadline", (m) => m.attempts.preemption?.forced ?? 0],
  ["no longer needed", (m) => m.attempts.preemption?.cancelled ?? 0],
  ["work lost (vcore h)", (m) => (m.attempts.preemption?.lost_vcore_seconds ?? 0) / 3600],
  ["work saved (vcore h)", (m) => (m.attempts.preemption?.saved_vcore_seconds ?? 0) / 3600],
  ["process-local attempts", (m) => m.attempts.localities.process ?? 0],
  ["node-local attempts", (m) => m.attempts.localities.node],
  ["rack-local attempts", (m) => m.attempts.localities.rack],
  ["off-switch attempts", (m) => m.attempts.localities.off_switch],
  ["launch latency p50 (s)", (m) => m.attempts.launch_latency_seconds.p50],
  ["launch latency p99 (s)", (m) => m.attempts.launch_latency_seconds.p99],
  ["heartbeat delay p50 (s)", (m) => m.attempts.heartbeat_delay_seconds.p50],
  ["heartbeat delay p99 (s)", (m) => m.attempts.heartbeat_delay_seconds.p99],
  ["contention p50 (s)", (m) => m.attempts.contention_seconds.p50],
  ["contention p99 (s)", (m) => m.attempts.contention_seconds.p99],
  ["submission lateness p99 (s)", (m) => m.submission_lateness_seconds.p99],
];

// Figures that are not judged but explain the others; rows with only zeros are left out, unless
// these say something.
export function explainingTable(world) {
  const head = element("tr", {}, [
    element("th", {}, ""),
    ...world.schedulers.map((scheduler, index) =>
      element("th", {}, [label(scheduler.label, index)]),
    ),
  ]);
  const rows = explaining
    .filter(([, figure, decides = figure]) =>
      world.schedulers.some(({ run_metrics }) => mean(run_metrics.map(decides)) !== 0),
    )
    .map(([title, figure]) => [
      title,
      world.schedulers.map(({ run_metrics }) => mean(run_metrics.map(figure))),
    ])
    .map(([title, values]) =>
      element("tr", {}, [
        element("td", {}, title),
        ...values.map((value) => element("td", {}, number(value))),
      ]),
    );
  return element("div", { class: "scroll" }, [
    element("table", widthFor(world.schedulers.length), [
      element("thead", {}, [head]),
      element("tbody", {}, rows),
    ]),
  ]);
}

// The jobs with the longest waits for their first container, and the reasons.
export function waitingTable({ longest }) {
  const rows = longest.map(({ job, user, queue, seconds, why }) =>
    element("tr", {}, [
      element("td", {}, `${job}`),
      element("td", {}, user),
      element("td", {}, queue),
      element("td", {}, number(seconds)),
      element("td", { class: "words" }, why.join("; ")),
    ]),
  );
  const titles = ["job", "user", "queue", "waited (s)", "because"];
  return element("div", { class: "scroll" }, [
    element("table", {}, [
      element("thead", {}, [
        element(
          "tr",
          {},
          titles.map((title, i) => element("th", i === 4 ? { class: "words" } : {}, title)),
        ),
      ]),
      element("tbody", {}, rows),
    ]),
  ]);
}

const choicesShown = 10;

// What the scheduler made of nodes when it placed something: of some of the sampled choices, the
// node that was chosen and those with the next best scores.
export function choicesTable(choices) {
  const step = Math.ceil(choices.length / choicesShown);
  const shown = choices.filter((_, i) => i % step === 0);
  const names = [
    ...new Set(shown.flatMap(({ best }) => best.flatMap(({ scores }) => Object.keys(scores)))),
  ];
  const excludedText = (excluded) =>
    Object.entries(excluded)
      .map(([rule, nodes]) => `${nodes} by ${rule}`)
      .join(", ");
  const rows = shown.flatMap(({ seconds, job, candidates, excluded, best }) =>
    best.map(({ node, scores }, i) => ({
      cells: [
        i === 0 ? number(seconds) : "",
        i === 0 ? `${job}` : "",
        i === 0 ? excludedText(excluded) : "",
        i === 0 ? `${node} (chosen)` : node,
        i === 0 ? `${candidates}` : "",
        ...names.map((name) => (name in scores ? number(scores[name]) : "")),
      ],
      begins: i === 0,
    })),
  );
  return plainTable(["at (s)", "job", "excluded", "node", "candidates", ...names], 4, rows);
}

export const partTitles = {
  waiting: "waiting",
  launch: "launch latency",
  work: "work",
  contention: "contention",
  heartbeat: "heartbeat delay",
  lost: "lost attempts",
};

export function worldDifferenceTable(difference) {
  const statistics = Object.keys(difference.jct_seconds);
  const cells = (figure) =>
    statistics.map((statistic) =>
      element("td", {}, number(figure(difference.jct_seconds[statistic]))),
    );
  const row = (title, figure, attributes = {}) =>
    element("tr", attributes, [element("td", {}, title), ...cells(figure)]);
  return element("div", { class: "scroll" }, [
    element("table", {}, [
      element("thead", {}, [
        element("tr", {}, [
          element("th", {}, "JCT (s)"),
          ...statistics.map((text) => element("th", {}, text)),
        ]),
      ]),
      element("tbody", {}, [
        row(difference.model_world, (split) => split.model),
        row(difference.real_world, (split) => split.real),
        row("difference", (split) => split.difference),
        ...Object.entries(partTitles).map(([part, title], index) =>
          row(`by ${title}`, (split) => split.parts[part], index === 0 ? { class: "group" } : {}),
        ),
      ]),
    ]),
  ]);
}

const agreementTexts = {
  within_repetitions: "within repetitions",
  does_not_matter: "does not matter",
  beyond_repetitions: "beyond repetitions",
  too_few_runs: "too few runs",
};

function rangeText({ low, median, high }, runs) {
  return runs === 1 ? number(median) : `${number(median)} (${number(low)}..${number(high)})`;
}

// Median and range of the runs of each scheduler in both worlds.
export function worldAgreementTable(worlds) {
  const change = ({ model, real }) => {
    if (model.median <= 0) return "";
    const part = real.median / model.median - 1;
    return `${part < 0 ? "−" : "+"}${(100 * Math.abs(part)).toFixed(1)} %`;
  };
  return plainTable(
    ["scheduler, figure", worlds.model_world, worlds.real_world, "change", "difference is"],
    1,
    worlds.schedulers.flatMap((scheduler) =>
      scheduler.figures.map((figure, index) => ({
        begins: index === 0,
        cells: [
          `${scheduler.scheduler}, ${figure.title}`,
          rangeText(figure.model, scheduler.model_runs),
          rangeText(figure.real, scheduler.real_runs),
          change(figure),
          agreementTexts[figure.agreement],
        ],
      })),
    ),
  );
}

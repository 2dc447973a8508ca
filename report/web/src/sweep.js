// The report of a sweep: the best setting and what is beside it, the response to each key, heat
// maps of two keys, and every point.
import { responseCurves } from "./charts.js";
import { counted, number } from "./format.js";
import { heatSection } from "./heat_maps.js";
import { intervalText, meanText, sameValue, valueText } from "./sweep_values.js";
import { chartCard, element, plainTable } from "./tables.js";

const settings_shown_beside = 20;
const rows_shown_open = 40;

const signed = (value) => `${value < 0 ? "−" : "+"}${number(Math.abs(value))}`;
const signedInterval = (interval) =>
  interval ? `${signed(interval[0])}..${signed(interval[1])}` : "–";
const isWorse = ({ verdict }) => verdict.startsWith("worse");

function valuesText(values) {
  return Object.entries(values)
    .map(([key, value]) => `${key}=${valueText(value)}`)
    .join(", ");
}

// What tells settings apart: several schedulers, and keys but the seed.
function describer(sweep) {
  const schedulers = new Set(sweep.settings.map(({ scheduler }) => scheduler));
  const keys = sweep.keys
    .map(({ key }) => key)
    .filter((key) => key !== "seed" && key !== "schedulers");
  const text = ({ scheduler, values }) => {
    const shown = Object.fromEntries(
      keys.filter((key) => key in values).map((key) => [key, values[key]]),
    );
    const parts = [schedulers.size > 1 ? scheduler : "", valuesText(shown)].filter((part) => part);
    return parts.join(", ") || scheduler;
  };
  return { keys, schedulers: [...schedulers], text };
}

function verdictChip(difference) {
  const look = isWorse(difference) ? "chip worse" : "chip";
  return element("span", { class: look }, difference.verdict);
}

function lead(sweep, { text }) {
  const better = sweep.lower_is_better ? "less" : "more";
  if (!sweep.best) {
    return sweep.finished === 0
      ? "No point has finished yet."
      : "No setting has the figure in all of its runs.";
  }
  const best = sweep.settings[sweep.best.setting];
  const close = sweep.best.others.filter((other) => !isWorse(other)).length;
  const beside =
    sweep.best.others.length === 0
      ? "It is the only setting."
      : close === 0
        ? "All others are worse by more than repetitions differ."
        : `${counted(close, "other setting")} cannot be distinguished from it.`;
  const title = sweep.figure_title;
  return `Best: ${text(best)}, with ${title} ${number(best.mean)}; ${better} is better. ${beside}`;
}

function header(sweep, described) {
  const facts = [
    ["Figure", sweep.figure_title ? `${sweep.figure_title}, mean over runs` : "–"],
    ["Points", `${number(sweep.finished)} of ${number(sweep.points)} have finished`],
    ["Settings", number(sweep.settings.length)],
    ["Keys", sweep.keys.map(({ key, values }) => `${key} (${values.length})`).join(", ") || "none"],
    ["Schedulers", described.schedulers.join(", ") || "–"],
  ];
  return element("header", {}, [
    element("p", { class: "eyebrow" }, "Tracebed sweep"),
    element("h1", {}, sweep.experiment),
    element("p", { class: "lead" }, lead(sweep, described)),
    element(
      "dl",
      { class: "facts" },
      facts.map(([term, fact]) =>
        element("div", {}, [element("dt", {}, term), element("dd", {}, fact)]),
      ),
    ),
  ]);
}

function missingSection({ missing, finished }) {
  if (missing.length === 0) return [];
  const others = finished > 0 ? " What follows is about the others." : "";
  const failed = missing.filter(({ why }) => why.startsWith("failed")).length;
  const rows = missing.map(({ point, values, why }) => ({
    cells: [`${point}`, valuesText(values), why],
  }));
  return [
    element("section", {}, [
      element("h2", {}, "Points without a result"),
      element(
        "p",
        { class: "note" },
        `${counted(missing.length, "point")} without a result, ${number(failed)} of which failed.` +
          others,
      ),
      element("div", { class: "card tall" }, [plainTable(["point", "values", "why"], 3, rows)]),
    ]),
  ];
}

function bestSection(sweep, { text }) {
  const { best } = sweep;
  if (!best) return [];
  const section = (card) => element("section", {}, [element("h2", {}, "The best setting"), card]);
  const setting = sweep.settings[best.setting];
  const interval = setting.interval ? ` (95 % interval ${intervalText(setting.interval)})` : "";
  const card = element("div", { class: "card" }, [
    element("p", {}, [
      element("strong", {}, text(setting)),
      `: ${sweep.figure_title} ${number(setting.mean)}${interval}, ` +
        `${counted(setting.runs.length, "run")}`,
    ]),
  ]);
  if (best.neighbours.length > 0) {
    card.append(
      plainTable(
        ["neighbour", "value", "difference", "95 % interval", "verdict"],
        2,
        best.neighbours.map((one) => ({
          cells: [
            one.key,
            valueText(sweep.settings[one.setting].values[one.key]),
            signed(one.difference),
            signedInterval(one.interval),
            verdictChip(one),
          ],
        })),
      ),
      element("p", { class: "soft" }, "Neighbours are one step away in one key."),
    );
  }
  const close = best.others.filter((other) => !isWorse(other));
  if (close.length > 0) {
    const shown = close.slice(0, settings_shown_beside);
    const more = close.length > shown.length ? ` The first ${shown.length} are shown.` : "";
    card.append(
      element("h3", {}, "Not worse by more than repetitions differ"),
      plainTable(
        ["setting", "difference", "95 % interval", "verdict"],
        1,
        shown.map((one) => ({
          cells: [
            text(sweep.settings[one.setting]),
            signed(one.difference),
            signedInterval(one.interval),
            verdictChip(one),
          ],
        })),
      ),
      element("p", { class: "soft" }, `${counted(close.length, "setting")}.${more}`),
    );
  }
  if (best.incomplete > 0) {
    card.append(
      element(
        "p",
        { class: "soft" },
        `${counted(best.incomplete, "setting")} not compared, as not all runs have the figure.`,
      ),
    );
  }
  if (best.others.length === 0) return [section(card)];
  card.append(
    element(
      "p",
      { class: "soft" },
      "Worse: found by the test of repetitions at 5 %, divided by the number of other settings. " +
        "Intervals are each difference's own, by Student's t.",
    ),
  );
  return [section(card)];
}

function responseSection(sweep, { text, keys }, addChart) {
  const grid = element("div", { class: "grid" });
  for (const { key, values } of sweep.keys) {
    const curves = sweep.responses.filter((response) => response.key === key);
    if (curves.length === 0) continue;
    const note =
      keys.length > 1
        ? "Mean over all values of the other keys, with the 95 % interval over repetitions."
        : "Mean, with the 95 % interval over repetitions.";
    const table = plainTable(
      [
        key,
        ...(curves.length > 1 ? ["scheduler"] : []),
        "settings",
        "mean",
        "95 % interval",
        "best setting with it",
      ],
      curves.length > 1 ? 2 : 0,
      curves.flatMap(({ scheduler, rows }) =>
        rows.map((row, i) => ({
          begins: i === 0 && curves.length > 1,
          cells: [
            valueText(row.value),
            ...(curves.length > 1 ? [scheduler] : []),
            number(row.settings),
            meanText(row.mean),
            intervalText(row.interval),
            row.best === null ? "–" : text(sweep.settings[row.best]),
          ],
        })),
      ),
    );
    const isAlone = sweep.responses.every((response) => response.key === key);
    const { card, container } = chartCard(`Response to ${key}`, note, isAlone ? "wide" : "");
    card.append(element("details", {}, [element("summary", {}, "Table"), table]));
    grid.append(card);
    addChart(() =>
      responseCurves(
        container,
        `${sweep.figure_title} by ${key}`,
        sweep.figure_title,
        values.map((value) => valueText(value)),
        curves.map(({ scheduler, rows }) => ({
          label: scheduler,
          points: rows.map(({ value, mean, interval, settings }) => ({
            at: values.findIndex((one) => sameValue(one) === sameValue(value)),
            mean,
            interval,
            settings,
          })),
        })),
      ),
    );
  }
  if (grid.childElementCount === 0) return [];
  return [element("section", {}, [element("h2", {}, "Responses"), grid])];
}

function pointsSection(sweep, { keys, schedulers }) {
  if (sweep.settings.length === 0) return [];
  const areIncomplete = sweep.settings.some(({ incomplete }) => incomplete);
  const beside = new Map((sweep.best?.others ?? []).map((other) => [other.setting, other]));
  const columns = [
    ...keys,
    ...(schedulers.length > 1 ? ["scheduler"] : []),
    "runs",
    sweep.figure_title,
    "95 % interval",
    "beside the best",
    ...(areIncomplete ? ["incomplete"] : []),
  ];
  const besideText = (index) => {
    if (index === sweep.best?.setting) return element("span", { class: "chip better" }, "best");
    const other = beside.get(index);
    return other ? verdictChip(other) : "–";
  };
  const rows = sweep.settings.map((setting, index) => ({
    cells: [
      setting.points.length > 1
        ? `${setting.points[0]}..${setting.points.at(-1)}`
        : `${setting.points[0]}`,
      ...keys.map((key) => (key in setting.values ? valueText(setting.values[key]) : "–")),
      ...(schedulers.length > 1 ? [setting.scheduler] : []),
      number(setting.runs.length),
      meanText(setting.mean),
      intervalText(setting.interval),
      besideText(index),
      ...(areIncomplete ? [setting.incomplete] : []),
    ],
  }));
  const table = plainTable(["points", ...columns], 0, rows);
  const isLong = rows.length > rows_shown_open;
  return [
    element("section", {}, [
      element("h2", {}, "All settings"),
      element("div", { class: isLong ? "card tall" : "card" }, [table]),
      element(
        "p",
        { class: "soft" },
        "Points that differ in the seed alone are repetitions of one setting.",
      ),
    ]),
  ];
}

// The sections of the page; `addChart` takes what draws a chart once they are laid out.
export function sweepReport(sweep, addChart) {
  const described = describer(sweep);
  document.title = `${sweep.experiment} – Tracebed sweep`;
  return [
    header(sweep, described),
    ...missingSection(sweep),
    ...bestSection(sweep, described),
    ...responseSection(sweep, described, addChart),
    ...heatSection(sweep, described),
    ...pointsSection(sweep, described),
  ];
}

// Heat maps of two keys of a sweep: tables whose cells are coloured, so that each can be read.
import { counted, number } from "./format.js";
import { intervalText, meanText, sameValue, valueText } from "./sweep_values.js";
import { element, plainTable } from "./tables.js";

// The better, the more coloured; the same in all maps, so that they can be compared.
function shading({ pairs, lower_is_better: less }) {
  const means = pairs
    .flatMap(({ cells }) => cells)
    .map(({ mean }) => mean)
    .filter((mean) => mean !== null);
  const least = Math.min(...means);
  const most = Math.max(...means);
  const share = (mean) => (most === least ? 0.5 : (mean - least) / (most - least));
  return {
    least,
    most,
    strength: (mean) => Math.round(4 + 56 * (less ? 1 - share(mean) : share(mean))),
  };
}

function cellTip(figure, { mean, interval, settings }) {
  const range = interval ? `, 95 % interval ${intervalText(interval)}` : "";
  return `${figure} ${meanText(mean)}${range}, over ${counted(settings, "setting")}`;
}

function heatMap(sweep, pair, shade) {
  const [first, second] = pair.keys.map((key) => sweep.keys.find((one) => one.key === key));
  const cells = new Map(pair.cells.map((cell) => [sameValue(cell.values), cell]));
  const means = pair.cells.map(({ mean }) => mean).filter((mean) => mean !== null);
  const top = sweep.lower_is_better ? Math.min(...means) : Math.max(...means);
  const heat = (row, column) => {
    const cell = cells.get(sameValue([row, column]));
    if (!cell || cell.mean === null) {
      return element("td", { class: "none", title: "no finished setting has both" }, "–");
    }
    const place = `${first.key}=${valueText(row)}, ${second.key}=${valueText(column)}`;
    return element(
      "td",
      {
        class: cell.mean === top ? "heat best" : "heat",
        style: `--heat: ${shade.strength(cell.mean)}%`,
        title: `${place}: ${cellTip(sweep.figure_title, cell)}`,
      },
      meanText(cell.mean),
    );
  };
  return element("div", { class: "scroll" }, [
    element("table", { class: second.values.length > 8 ? "map dense" : "map" }, [
      element("thead", {}, [
        element("tr", {}, [
          element("th", {}, ""),
          element("th", { colspan: String(second.values.length), class: "over" }, second.key),
        ]),
        element("tr", {}, [
          element("th", {}, first.key),
          ...second.values.map((value) => element("th", {}, valueText(value))),
        ]),
      ]),
      element(
        "tbody",
        {},
        first.values.map((row) =>
          element("tr", {}, [
            element("td", {}, valueText(row)),
            ...second.values.map((column) => heat(row, column)),
          ]),
        ),
      ),
    ]),
  ]);
}

function intervalTable(sweep, { keys, cells }) {
  return element("details", {}, [
    element("summary", {}, "Table with intervals"),
    plainTable(
      [...keys, "settings", "mean", "95 % interval"],
      0,
      cells.map(({ values, settings, mean, interval }) => ({
        cells: [
          ...values.map(valueText),
          number(settings),
          meanText(mean),
          intervalText(interval),
        ],
      })),
    ),
  ]);
}

export function heatSection(sweep, { schedulers }) {
  if (sweep.pairs.length === 0) return [];
  const shade = shading(sweep);
  const section = element("section", {}, [
    element("h2", {}, "Two keys together"),
    element(
      "p",
      { class: "soft" },
      `${sweep.figure_title}, mean over repetitions and over all values of the other keys; from ` +
        `${meanText(shade.least)} to ${meanText(shade.most)}, the better the more coloured. The ` +
        "best cell of each map is framed; pointing at a cell shows its interval.",
    ),
  ]);
  const grid = element("div", { class: "grid" });
  section.append(grid);
  for (const pair of sweep.pairs) {
    const under = schedulers.length > 1 ? ` under ${pair.scheduler}` : "";
    const columns = sweep.keys.find(({ key }) => key === pair.keys[1]).values.length;
    grid.append(
      element("div", { class: columns > 6 ? "card wide" : "card" }, [
        element("h3", {}, `${pair.keys.join(" and ")}${under}`),
        heatMap(sweep, pair, shade),
        intervalTable(sweep, pair),
      ]),
    );
  }
  return [section];
}

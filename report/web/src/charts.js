// The charts, drawn by Apache ECharts as SVG: sharp at any zoom and on paper.
import { BarChart, LineChart } from "echarts/charts";
import {
  AriaComponent,
  GridComponent,
  LegendComponent,
  TooltipComponent,
} from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { axisUnit, duration, number, percent } from "./format.js";

use([
  AriaComponent,
  BarChart,
  GridComponent,
  LegendComponent,
  LineChart,
  SVGRenderer,
  TooltipComponent,
]);

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const printing = window.matchMedia("print");
const isDark = () => dark.matches && !printing.matches;

// Okabe and Ito's colours, which people with any colour vision can tell apart, darkened or
// lightened for contrast with the page. Beyond six, line styles tell the rest apart.
const lightColours = ["#0072b2", "#d55e00", "#007f5f", "#b0508a", "#a87400", "#4b5563"];
const darkColours = ["#56b4e9", "#ff9f4a", "#3fd1a4", "#f0a3cf", "#f0d060", "#c3cad6"];
// Parts of a whole have colours of their own, so that no part looks like a scheduler.
const partColours = ["#98a2b3", "#7c5cd6", "#2a9d8f", "#e76f51", "#e0b23c", "#b4232f"];
const lineStyles = ["solid", [6, 4], [2, 3], [10, 3, 2, 3]];

const colours = () => (isDark() ? darkColours : lightColours);
export const seriesColour = (index) => colours()[index % colours().length];
const seriesStyle = (index) => lineStyles[Math.floor(index / colours().length) % lineStyles.length];

function theme() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  return {
    ink: colour("--ink"),
    soft: colour("--ink-soft"),
    rule: colour("--rule"),
    card: colour("--card"),
  };
}

// Every chart that was made, to be drawn again when the colours change and resized with the page.
const drawn = [];

// `options` makes the chart's options from the theme and width of the moment.
export function chart(container, description, options) {
  const instance = init(container, null, { renderer: "svg" });
  const draw = () => {
    const shared = theme();
    instance.setOption(
      {
        animation: false,
        aria: { enabled: true, label: { description } },
        textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, color: shared.ink },
        ...options(shared, container.clientWidth),
      },
      true,
    );
  };
  draw();
  drawn.push({ instance, draw });
  let width = container.clientWidth;
  new ResizeObserver(() => {
    if (container.clientWidth === width || printing.matches) return;
    width = container.clientWidth;
    instance.resize();
    draw();
  }).observe(container);
}

export function redrawOnChange(alsoRedraw) {
  const redraw = () => {
    alsoRedraw();
    for (const { instance, draw } of drawn) {
      instance.resize();
      draw();
    }
  };
  dark.addEventListener("change", redraw);
  printing.addEventListener("change", redraw);
}

function axis({ soft, rule }, more) {
  return {
    nameTextStyle: { color: soft },
    axisLabel: { color: soft, hideOverlap: true },
    axisLine: { lineStyle: { color: rule } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: rule } },
    ...more,
  };
}

// Room for the plot and, above it, for a legend of as many lines as its labels need, and for an
// axis' name that is `named` pixels high.
function frame(shared, width, labels, named = 0) {
  const legendWidth = labels.reduce((sum, text) => sum + 36 + 7.2 * text.length, 0);
  const lines = labels.length > 1 ? Math.ceil((1.1 * legendWidth) / Math.max(width, 200)) : 0;
  return {
    grid: { left: 8, right: 24, top: 16 + 24 * lines + named, bottom: 28, containLabel: true },
    legend: {
      show: labels.length > 1,
      top: 0,
      left: 0,
      icon: "roundRect",
      itemWidth: 14,
      itemHeight: 4,
      textStyle: { color: shared.ink },
      data: labels,
    },
  };
}

function tooltip({ ink, card, rule }, more) {
  return {
    trigger: "axis",
    confine: true,
    backgroundColor: card,
    borderColor: rule,
    textStyle: { color: ink, fontSize: 13 },
    renderMode: "richText", // labels are text, never markup
    ...more,
  };
}

function line(label, index, data, more) {
  return {
    name: label,
    type: "line",
    showSymbol: false,
    data,
    itemStyle: { color: seriesColour(index) },
    lineStyle: { width: more.width, color: seriesColour(index), type: seriesStyle(index) },
    emphasis: { disabled: true },
    ...more,
  };
}

// One line for the schedulers that did the same: it would cover the others. Every line keeps the
// colour of its first scheduler.
function distinct(curves, figures) {
  const lines = new Map();
  curves.forEach((curve, index) => {
    const key = JSON.stringify(figures(curve));
    const known = lines.get(key);
    if (known) {
      known.label += ` = ${curve.label}`;
    } else {
      lines.set(key, { ...curve, index });
    }
  });
  return [...lines.values()];
}

// Later lines are thinner, so that one that covers another still lets it be seen.
const widthOf = (place, count) => (count === 1 ? 1.8 : Math.max(1.2, 3 - 0.9 * place));

// Cumulative distribution of completion times.
export function distribution(container, all) {
  const curves = distinct(all, ({ jct }) => jct);
  const labels = curves.map(({ label }) => label);
  const positive = curves.flatMap(({ jct }) => jct.seconds).filter((value) => value > 0);
  const least = positive.length > 0 ? Math.min(...positive) : 1e-6;
  const greatest = positive.length > 0 ? Math.max(...positive) : 1;
  const first = 10 ** Math.floor(Math.log10(least));
  // A short axis ends on a power of ten, so that it has more than one label.
  const last = greatest > 100 * first ? greatest : 10 ** Math.ceil(Math.log10(greatest));
  chart(container, "Cumulative distribution of job completion times", (shared, width) => ({
    ...frame(shared, width, labels),
    tooltip: tooltip(shared, {
      axisPointer: { type: "line" },
      formatter: (points) =>
        [
          duration(points[0].axisValue),
          ...points.map(
            ({ seriesName, data }) => `${seriesName}: ${percent(data[1])} of jobs done within`,
          ),
        ].join("\n"),
    }),
    xAxis: axis(shared, {
      type: "log",
      name: "job completion time (log scale)",
      nameLocation: "middle",
      nameGap: 28,
      min: first,
      max: last,
      axisLabel: {
        color: shared.soft,
        hideOverlap: true,
        showMaxLabel: last !== greatest,
        formatter: (seconds) => `${number(seconds)} s`,
      },
    }),
    yAxis: axis(shared, {
      type: "value",
      min: 0,
      max: 1,
      axisLabel: { color: shared.soft, formatter: percent },
    }),
    series: curves.map(({ label, jct, index }, place) =>
      line(
        label,
        index,
        [
          [Math.max(jct.seconds[0] ?? least, least), 0],
          ...jct.seconds.map((seconds, i) => [Math.max(seconds, least), jct.shares[i]]),
          [last, 1],
        ],
        { step: "end", width: widthOf(place, curves.length) },
      ),
    ),
  }));
}

function timeAxis(shared, unit) {
  return axis(shared, {
    type: "value",
    name: `trace time (${unit})`,
    nameLocation: "middle",
    nameGap: 28,
    min: "dataMin",
    max: "dataMax",
    splitLine: { show: false },
    axisLabel: { color: shared.soft, hideOverlap: true, showMaxLabel: false, formatter: number },
  });
}

// A figure of the cluster's state over time; `values(over_time)` picks it.
export function overTime(container, description, all, values, shape = {}) {
  const curves = distinct(all, ({ over_time }) => [over_time.start, values(over_time)]);
  const most = Math.max(0, ...curves.flatMap(({ over_time }) => values(over_time) ?? []));
  const labels = curves.map(({ label }) => label);
  const { size, unit } = axisUnit(Math.max(...curves.map(({ over_time }) => over_time.end)));
  const format = shape.format ?? number;
  chart(container, description, (shared, width) => ({
    ...frame(shared, width, labels),
    tooltip: tooltip(shared, {
      formatter: (points) =>
        [
          `${number(points[0].axisValue)} ${unit}`,
          ...points.map(({ seriesName, data }) => `${seriesName}: ${format(data[1])}`),
        ].join("\n"),
    }),
    xAxis: timeAxis(shared, unit),
    yAxis: axis(shared, {
      type: "value",
      min: 0,
      // Small fractions of one are next to nothing, and are drawn as that.
      max: most <= 1 ? 1 : undefined,
      axisLabel: { color: shared.soft, formatter: format },
    }),
    series: curves.map(({ label, over_time, index }, place) => {
      const figures = values(over_time) ?? [];
      const points = figures.map((value, i) => [over_time.start[i] / size, value]);
      if (points.length > 0) points.push([over_time.end / size, figures.at(-1)]);
      return line(label, index, points, {
        step: "end",
        width: widthOf(place, curves.length),
        areaStyle: curves.length === 1 ? { color: seriesColour(index), opacity: 0.12 } : undefined,
      });
    }),
  }));
}

// False if no queue was ever entitled to anything, as with YARN's policy "fair", which divides
// memory alone.
export function isDivided(curves) {
  return curves.some(({ entitled }) => entitled.some((value) => value > 0));
}

// True if the queues together used more than there was, by more than rounding makes.
export function passesTheCluster(curves) {
  const samples = Math.max(0, ...curves.map(({ used }) => used.length));
  for (let i = 0; i < samples; i += 1) {
    if (curves.reduce((sum, { used }) => sum + (used[i] ?? 0), 0) > 1.001) return true;
  }
  return false;
}

// How preemption requests ended: keys in the data, titles and colours.
const settled = [
  ["in_time", "released in time", "#2a9d8f"],
  ["forced", "killed at the deadline", "#d1495b"],
  ["cancelled", "no longer needed", "#98a2b3"],
  ["lost", "lost with its node or application", "#e0b23c"],
];
const askedTitle = "marked for preemption";
const askedColour = "#7c5cd6";

// A strip of bars below the plot of queues' shares, on the same time: what was settled upwards and
// what was asked downwards, so that many contracts can be read as well as few.
function contractStrip(shared, bins, frameOfShares) {
  const kinds = settled.filter(([key]) => bins[key].some((count) => count > 0));
  const most = Math.max(
    ...bins.asked,
    ...bins.asked.map((_, i) => kinds.reduce((sum, [key]) => sum + bins[key][i], 0)),
  );
  const bar = (title, colour, values) => ({
    name: title,
    type: "bar",
    stack: "contracts",
    xAxisIndex: 1,
    yAxisIndex: 1,
    data: values,
    barCategoryGap: "0%",
    itemStyle: { color: colour },
    emphasis: { disabled: true },
  });
  return {
    titles: [...kinds.map(([, title]) => title), askedTitle],
    grid: { ...frameOfShares, top: "auto", bottom: 8, height: 88 },
    xAxis: axis(shared, {
      type: "category",
      gridIndex: 1,
      data: bins.asked.map((_, i) => String(i)),
      axisLabel: { show: false },
      splitLine: { show: false },
    }),
    yAxis: axis(shared, {
      type: "value",
      gridIndex: 1,
      min: -most,
      max: most,
      interval: most,
      axisLabel: { color: shared.soft, formatter: (count) => number(Math.abs(count)) },
    }),
    series: [
      ...kinds.map(([key, title, colour]) => bar(title, colour, bins[key])),
      bar(
        askedTitle,
        askedColour,
        bins.asked.map((count) => -count),
      ),
    ],
  };
}

function contractTexts(bins, i, { size, unit }) {
  const from = (bins.start + i * bins.width) / size;
  const count = (key) => bins[key][i];
  return [
    `${number(from)}–${number(from + bins.width / size)} ${unit}`,
    `${askedTitle}: ${number(bins.asked[i])}`,
    ...settled.filter(([key]) => count(key) > 0).map(([key, title]) => `${title}: ${count(key)}`),
  ].join("\n");
}

// What each queue used, as a line, and what it was entitled to, dashed in the same colour; both as
// shares of the cluster. `bins`, where there are some: the contracts over time.
export function queueShares(container, description, at, curves, bins) {
  const labels = curves.map(({ queue }) => queue);
  const areEntitled = isDivided(curves);
  const first = bins ? bins.start : at[0];
  const last = bins ? bins.start + bins.width * bins.asked.length : at.at(-1);
  const shown = axisUnit(last);
  const { size, unit } = shown;
  const points = (values) => values.map((value, i) => [at[i] / size, value]);
  const most = Math.max(
    1,
    ...curves.flatMap(({ used, entitled }) => [...used, ...entitled].map((value) => value ?? 0)),
  );
  if (bins) container.style.height = "420px";
  const shareTexts = (i, time) =>
    [
      `${number(time)} ${unit}`,
      ...curves.map(({ queue, used, entitled }) => {
        if (used[i] === null) return `${queue}: not there`;
        const entitlement = areEntitled ? ` of ${percent(entitled[i])}` : "";
        return `${queue}: uses ${percent(used[i])}${entitlement}`;
      }),
    ].join("\n");
  chart(container, description, (shared, width) => {
    const side = { left: 56, right: 24, containLabel: false };
    const strip = bins ? contractStrip(shared, bins, side) : null;
    const { grid, legend } = frame(shared, width, [...labels, ...(strip?.titles ?? [])]);
    const time = {
      ...timeAxis(shared, unit),
      ...(strip ? { min: first / size, max: last / size } : {}),
    };
    const shares = axis(shared, {
      type: "value",
      min: 0,
      max: most,
      axisLabel: { color: shared.soft, formatter: percent },
    });
    return {
      grid: strip ? [{ ...side, top: grid.top, bottom: 150 }, strip.grid] : grid,
      legend,
      tooltip: tooltip(shared, {
        formatter: (points) =>
          points[0].axisIndex === 1
            ? contractTexts(bins, points[0].dataIndex, shown)
            : shareTexts(points[0].dataIndex, points[0].axisValue),
      }),
      xAxis: strip ? [time, strip.xAxis] : time,
      yAxis: strip ? [shares, strip.yAxis] : shares,
      series: [
        ...curves.flatMap(({ queue, used, entitled }, index) => [
          line(queue, index, points(used), { step: "end", width: 2 }),
          ...(areEntitled
            ? [
                line(queue, index, points(entitled), {
                  step: "end",
                  width: 1,
                  lineStyle: { width: 1.2, color: seriesColour(index), type: "dashed" },
                }),
              ]
            : []),
        ]),
        ...(strip?.series ?? []),
      ],
    };
  });
}

// Groups of bars: one group per category, one bar per label. Values are at least 1; if they lie far
// apart, the axis is logarithmic.
export function groupedBars(container, description, categories, labels, columns) {
  container.style.height = `${Math.max(220, 90 + categories.length * (10 + 10 * labels.length))}px`;
  const most = Math.max(1, ...columns.flat().filter((value) => value !== null));
  const isLog = most > 20;
  chart(container, description, (shared, width) => ({
    ...frame(shared, width, labels),
    tooltip: tooltip(shared, {
      axisPointer: { type: "shadow" },
      valueFormatter: (value) => (value === null || value === undefined ? "no job" : number(value)),
    }),
    xAxis: axis(shared, {
      type: isLog ? "log" : "value",
      name: isLog ? "mean bounded slowdown (log scale)" : "mean bounded slowdown",
      nameLocation: "middle",
      nameGap: 28,
      min: isLog ? 1 : 0,
      axisLabel: { color: shared.soft, hideOverlap: true, formatter: number },
    }),
    yAxis: axis(shared, {
      type: "category",
      inverse: true,
      data: categories,
      axisLabel: { color: shared.ink, width: 170, overflow: "truncate", interval: 0 },
    }),
    series: labels.map((label, index) => ({
      name: label,
      type: "bar",
      data: columns[index],
      barMaxWidth: 16,
      itemStyle: { color: seriesColour(index), borderRadius: [0, 3, 3, 0] },
    })),
  }));
}

// Bars made of parts: one bar per category, the parts' titles in the legend.
export function stackedBars(container, description, categories, parts, unit) {
  const labels = parts.map(({ title }) => title);
  container.style.height = `${110 + categories.length * 38}px`;
  chart(container, description, (shared, width) => ({
    ...frame(shared, width, labels),
    legend: { ...frame(shared, width, labels).legend, itemHeight: 10, itemWidth: 10 },
    tooltip: tooltip(shared, {
      axisPointer: { type: "shadow" },
      valueFormatter: (value) => `${number(value)} ${unit}`,
    }),
    xAxis: axis(shared, {
      type: "value",
      name: unit === "s" ? "seconds" : unit,
      nameLocation: "middle",
      nameGap: 28,
      axisLabel: { color: shared.soft, formatter: number },
    }),
    yAxis: axis(shared, {
      type: "category",
      inverse: true,
      data: categories,
      axisLabel: { color: shared.ink, width: 170, overflow: "truncate", interval: 0 },
    }),
    series: parts.map(({ title, values }, index) => ({
      name: title,
      type: "bar",
      stack: "parts",
      data: values,
      barMaxWidth: 24,
      itemStyle: { color: partColours[index], borderColor: shared.card, borderWidth: 0.5 },
    })),
  }));
}

// Whether values of a wide range lie closer together below.
function growByFactors(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const least = sorted[0];
  const most = sorted.at(-1);
  const middle = sorted[Math.floor(sorted.length / 2)];
  return least > 0 && most > 30 * least && middle < (least + most) / 4;
}

// A figure by the values of a key: a line for each of `curves`, and the interval of each point as a
// bar with ends. Numbers stand where they are; other values beside each other, evenly.
export function responseCurves(container, description, figure, values, curves) {
  const numbers = values.map(Number);
  const areNumbers = numbers.every((value) => Number.isFinite(value));
  const isLog = areNumbers && growByFactors(numbers);
  const place = (index) => (areNumbers ? numbers[index] : index);
  const lines = distinct(curves, ({ points }) => points);
  const labels = lines.map(({ label }) => label);
  const areMany = values.length > 60;
  const tip = ({ label, points }, index) => {
    const point = points.find(({ at }) => at === index);
    if (!point || point.mean === null) return null;
    const range = point.interval
      ? ` (${number(point.interval[0])}..${number(point.interval[1])})`
      : "";
    return `${labels.length > 1 ? `${label}: ` : ""}${number(point.mean)}${range}`;
  };
  // Of many points, what would run into each other is a line below and one above.
  const bounds = ({ points }) => {
    const known = points.filter(({ interval }) => interval);
    const side = (which) => known.map(({ at, interval }) => [place(at), interval[which]]);
    if (areMany) return [...side(0), [place(0), null], ...side(1)];
    return known.flatMap(({ at, interval: [low, high] }) => [
      [place(at), low],
      [place(at), high],
      [place(at), null],
    ]);
  };
  chart(container, description, (shared, width) => ({
    ...frame(shared, width, labels, 24),
    tooltip: tooltip(shared, {
      axisPointer: { type: "line" },
      formatter: (shown) => {
        const index = values.findIndex((_, i) => place(i) === shown[0].data[0]);
        const texts = lines.map((curve) => tip(curve, index)).filter((text) => text);
        return [values[index], ...texts].join("\n");
      },
    }),
    xAxis: axis(shared, {
      type: areNumbers ? (isLog ? "log" : "value") : "category",
      ...(areNumbers ? { scale: true } : { data: values }),
      axisLabel: {
        color: shared.soft,
        hideOverlap: true,
        ...(areNumbers ? { formatter: number } : {}),
      },
      splitLine: { show: false },
    }),
    yAxis: axis(shared, {
      type: "value",
      name: figure,
      nameTextStyle: { color: shared.soft, align: "left" },
      scale: true,
      axisLabel: { color: shared.soft, formatter: number },
    }),
    series: lines.flatMap((curve) => [
      line(
        curve.label,
        curve.index,
        curve.points.filter(({ mean }) => mean !== null).map(({ at, mean }) => [place(at), mean]),
        { width: 1.8, showSymbol: !areMany, symbol: "circle", symbolSize: 7 },
      ),
      {
        ...line(`${curve.label}, interval`, curve.index, bounds(curve), { width: 1.2 }),
        lineStyle: { width: 1.2, color: seriesColour(curve.index), opacity: 0.7 },
        showSymbol: !areMany,
        symbol: "rect",
        symbolSize: [10, 1.6],
        tooltip: { show: false },
      },
    ]),
  }));
}

// Puts the report together from the data that was written into the page.
import {
  distribution,
  groupedBars,
  isDivided,
  overTime,
  passesTheCluster,
  queueShares,
  redrawOnChange,
  seriesColour,
  stackedBars,
} from "./charts.js";
import { deviceTable } from "./devices.js";
import { details, header, stalls, warnings } from "./facts.js";
import { counted, duration, number } from "./format.js";
import { applicationsTable, preemptedTable, seenWithin, starvationTable } from "./preemption.js";
import { queuePages } from "./queues.js";
import { sweepReport } from "./sweep.js";
import {
  chartCard,
  choicesTable,
  comparisonTable,
  element,
  explainingTable,
  partTitles,
  waitingTable,
  worldAgreementTable,
  worldDifferenceTable,
} from "./tables.js";

const data = JSON.parse(document.getElementById("data").textContent);
const report = document.getElementById("report");
const dimensionTitles = { vcores: "vcores", memory: "memory" };

// Charts measure their containers, so they are drawn once the page is laid out.
const drawings = [];

function addChart(grid, title, note, draw, className) {
  const { card, container } = chartCard(title, note, className);
  grid.append(card);
  drawings.push(() => draw(container));
}

function partsOfRuns({ run_metrics }, part) {
  const values = run_metrics.map((metrics) => metrics.jct_parts_mean_seconds[part]);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function worldCharts(world, { curves, users }) {
  const grid = element("div", { class: "grid" });
  const labels = curves.map(({ label }) => label);
  const pooled = world.schedulers.some(({ runs }) => runs.length > 1);
  const shown = pooled ? `Repetition ${curves[0].repetition}.` : "";
  if (curves.some(({ jct }) => jct.seconds.length > 0)) {
    addChart(
      grid,
      "Job completion time",
      "Share of jobs completed within a time; further left is better." +
        (pooled ? " All repetitions." : ""),
      (container) => distribution(container, curves),
      "wide",
    );
  }
  addChart(grid, "Running containers", shown, (container) =>
    overTime(container, "Running containers over time", curves, (t) => t.containers),
  );
  addChart(grid, "Jobs waiting for their first container", shown, (container) =>
    overTime(container, "Waiting jobs over time", curves, (t) => t.jobs_waiting),
  );
  for (const dimension of data.comparison.dimensions) {
    const title = `Utilisation: ${dimensionTitles[dimension] ?? dimension}`;
    addChart(grid, title, shown, (container) =>
      overTime(container, `${title} over time`, curves, (t) => t.utilisation[dimension]),
    );
  }
  const with_devices = curves.filter((curve) => curve.over_time.fragmented);
  if (with_devices.length > 0) {
    const title = "Free devices that no typical task could use";
    const text =
      "The part of the free GPUs or other devices on which a task of the jobs submitted so far " +
      `that asks for some would not fit, on average over these tasks. ${shown}`;
    addChart(grid, title, text, (container) =>
      overTime(container, `${title} over time`, with_devices, (t) => t.fragmented),
    );
  }
  for (const { label, queues, preemption } of curves) {
    for (const [dimension, shown_queues] of Object.entries(queues.by_dimension)) {
      const title = `Queues under ${label}: ${dimensionTitles[dimension] ?? dimension}`;
      const left_out =
        queues.queues > shown_queues.length
          ? ` The ${shown_queues.length} busiest of ${number(queues.queues)} leaf queues.`
          : "";
      const entitlement = isDivided(shown_queues)
        ? "Share of the cluster in use; dashed: the queue's entitlement."
        : "Share of the cluster in use. No queue has an entitlement to this resource: none of " +
          "their policies divides it.";
      const leaving = passesTheCluster(shown_queues)
        ? " More than 100 % in total: containers kept running on nodes taken out of service, or " +
          "the scheduler does not count this resource."
        : "";
      const contracts = preemption
        ? " Below: containers marked for preemption, and how the requests ended."
        : "";
      addChart(
        grid,
        title,
        `${entitlement}${leaving}${left_out}${contracts}`,
        (container) =>
          queueShares(container, `${title} over time`, queues.at, shown_queues, preemption?.bins),
        "wide",
      );
    }
  }
  addChart(
    grid,
    "Composition of the completion time",
    "Mean over jobs, along each job's critical chain of attempts.",
    (container) =>
      stackedBars(
        container,
        "Mean job completion time by part",
        labels,
        Object.entries(partTitles).map(([part, title]) => ({
          title,
          values: world.schedulers.map((scheduler) => partsOfRuns(scheduler, part)),
        })),
        "s",
      ),
    "wide",
  );
  if (users.names.length > 1) {
    const note =
      users.total > users.names.length
        ? `Mean bounded slowdown of the ${users.names.length} users with the most jobs, ` +
          `of ${number(users.total)}.`
        : "Mean bounded slowdown; 1 is as fast as an empty cluster.";
    addChart(
      grid,
      "Users",
      note,
      (container) =>
        groupedBars(
          container,
          "Mean bounded slowdown by user",
          users.names.map((name, i) => `${name} (${counted(users.jobs[i], "job")})`),
          labels,
          users.slowdowns,
        ),
      "wide",
    );
  }
  return grid;
}

function tableNotes(world) {
  const changed = world.comparisons.map(
    ({ candidate, jobs_faster, jobs_slower }) =>
      `under ${candidate} ${number(jobs_faster)} sooner and ${number(jobs_slower)} later`,
  );
  const notes = [];
  if (changed.length > 0) {
    notes.push(
      `Of ${counted(world.jobs_common, "job")}, compared with ${world.comparisons[0].baseline}, ` +
        `ended at least 1 % sooner or later: ${changed.join("; ")}.`,
    );
  }
  for (const { candidate, baseline, test } of world.comparisons) {
    notes.push(`${candidate} against ${baseline}: ${test}.`);
  }
  notes.push(...world.judgement);
  notes.push(
    "Bounded slowdown counts jobs shorter than 10 s as 10 s long; utilisation is a fraction; " +
      "percentiles are by nearest rank.",
  );
  return notes;
}

// Preempted containers, and how long queues starved.
function preemptionCards(world, curves) {
  const cards = [];
  const add = (title, table, notes) => {
    if (!table) return;
    const card = element("div", { class: "card" }, [table]);
    for (const text of notes) card.append(element("p", { class: "soft" }, text));
    cards.push(element("h3", { style: "margin: 20px 0 8px" }, title), card);
  };
  const within = seenWithin(world);
  add("Starvation", starvationTable(world), [
    "How long leaf queues had less than their entitlement while they had demand for a unit " +
      "within it. Most times are short: between the end of a container and the placement of the " +
      "next.",
    within > 0
      ? `Begins and ends are known to within ${duration(within)}.`
      : "Queues were checked after every round.",
  ]);
  add("Preempted containers, by queue", preemptedTable(world), [
    "Substituted containers, for which others were released instead, count as in time. " +
      "Cancelled: no longer needed. Lost: with their node or application. Work that a checkpoint " +
      "kept is saved; the rest of preempted and killed attempts is lost.",
  ]);
  const totals = curves
    .filter(({ preemption }) => preemption)
    .map(({ label, preemption }) => `${label}: ${number(preemption.applications.total)}`);
  add("Preempted containers, by application", applicationsTable(curves), [
    "The applications that lost and saved most, up to ten per scheduler. Applications with " +
      `preempted containers: ${totals.join("; ")}. preempted.csv in the run's folder has all.`,
  ]);
  return cards;
}

function worldSection(world, curves) {
  const section = element("section", {}, [
    element("h2", {}, `${world.world[0].toUpperCase()}${world.world.slice(1)} world`),
  ]);
  for (const note of world.notes) section.append(element("p", { class: "note" }, note));
  const card = element("div", { class: "card" }, [comparisonTable(world)]);
  for (const text of tableNotes(world)) card.append(element("p", { class: "soft" }, text));
  section.append(card, worldCharts(world, curves));
  section.append(
    element("h3", { style: "margin: 20px 0 8px" }, "Behind the figures"),
    element("div", { class: "card" }, [explainingTable(world)]),
  );
  const devices = deviceTable(world);
  if (devices) {
    section.append(
      element("h3", { style: "margin: 20px 0 8px" }, "Devices"),
      element("div", { class: "card" }, [
        devices,
        element(
          "p",
          { class: "soft" },
          "By the number that a device has on its node, over all nodes: on how many nodes " +
            "containers had it, how many containers, and how much of the resource they had of " +
            "it for how long. tasks.csv has the devices of each container.",
        ),
      ]),
    );
  }
  section.append(...preemptionCards(world, curves.curves), ...queuePages(curves.curves));
  for (const { label, waiting } of curves.curves) {
    if (waiting.longest.length === 0) continue;
    section.append(
      element("h3", { style: "margin: 20px 0 8px" }, `Why jobs waited under ${label}`),
      element("div", { class: "card" }, [waitingTable(waiting)]),
    );
  }
  for (const { label, choices } of curves.curves) {
    if (choices.length === 0) continue;
    section.append(
      element("h3", { style: "margin: 20px 0 8px" }, `How ${label} compared nodes`),
      element("div", { class: "card" }, [
        choicesTable(choices),
        element(
          "p",
          { class: "soft" },
          "Of some placements, evenly over the run, the node that was chosen and those with the " +
            "next best scores. run.json has more of them; tracebed log show --scores has all.",
        ),
      ]),
    );
  }
  return section;
}

function worldDifferenceSection(difference) {
  const statistics = Object.keys(difference.jct_seconds);
  const grid = element("div", { class: "grid" });
  addChart(
    grid,
    `Difference of JCT: ${difference.real_world} minus ${difference.model_world}`,
    "Parts to the right made the real run slower than the model, parts to the left faster.",
    (container) =>
      stackedBars(
        container,
        "Difference between worlds by part",
        statistics,
        Object.entries(partTitles).map(([part, title]) => ({
          title,
          values: statistics.map((statistic) => difference.jct_seconds[statistic].parts[part]),
        })),
        "s",
      ),
  );
  grid.append(element("div", { class: "card" }, [worldDifferenceTable(difference)]));
  return element("section", {}, [
    element(
      "h2",
      {},
      `${difference.scheduler}: ${difference.real_world} against ${difference.model_world}`,
    ),
    element(
      "p",
      { class: "soft" },
      `${counted(difference.jobs, "job")} in ` +
        (difference.repetitions === 1
          ? "one pair of runs"
          : `${number(difference.repetitions)} pairs of runs`) +
        (difference.jobs_left_out > 0
          ? `; ${number(difference.jobs_left_out)} that did not succeed in both are left out.`
          : "."),
    ),
    grid,
  ]);
}

function worldAgreementSection(worlds) {
  return element("section", {}, [
    element("h2", {}, `The ${worlds.model_world} and the ${worlds.real_world} world`),
    element(
      "p",
      { class: "soft" },
      "Median of each scheduler's runs, and their range where there are several. Within " +
        "repetitions: the ranges overlap. Does not matter: they do not, but the medians differ " +
        "by little. Beyond repetitions: they do not, which would happen by chance in at most 5 " +
        "of 100 such comparisons if the worlds were alike. Too few runs: chance would do that " +
        "more often.",
    ),
    element("div", { class: "card" }, [worldAgreementTable(worlds)]),
  ]);
}

function comparisonReport() {
  document.title = `${data.experiment.name} – Tracebed report`;
  return [
    header(data),
    ...stalls(data),
    ...warnings(data),
    ...data.comparison.world_agreements.map(worldAgreementSection),
    ...data.comparison.worlds.map((world, index) => worldSection(world, data.worlds[index])),
    ...data.comparison.world_differences.map(worldDifferenceSection),
    details(data),
  ];
}

report.replaceChildren(
  ...(data.sweep
    ? sweepReport(data.sweep, (draw) => drawings.push(draw))
    : comparisonReport()),
  element(
    "footer",
    { class: "soft" },
    "Charts by Apache ECharts (Apache License 2.0) and ZRender (BSD 3-Clause License).",
  ),
);
for (const draw of drawings) draw();
redrawOnChange(() => {
  for (const swatch of document.querySelectorAll("[data-series]")) {
    swatch.style.background = seriesColour(Number(swatch.dataset.series));
  }
});

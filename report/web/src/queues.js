// The queues of a scheduler, as the page of YARN's ResourceManager shows them.
import { duration, number, percent } from "./format.js";
import { element, plainTable } from "./tables.js";

// A column for each queue, so that its figures stand below each other as on its page.
function pageTable({ figures, queues }) {
  const rows = figures.map((name, i) => ({
    cells: [name, ...queues.map(({ values }) => values[i] ?? "")],
  }));
  return plainTable(["", ...queues.map(({ path }) => path)], 0, rows);
}

function notes({ used_share, queues_in_all, queues, is_resource_managers }) {
  const whose = is_resource_managers
    ? "The figures of the ResourceManager's page of queues. What is reserved on nodes for a " +
      "queue counts as used by it."
    : "What the scheduler tells of its queues.";
  const texts = [
    `${whose} Of all looks at the run, this one found the most of the cluster in use: ` +
      `${percent(used_share)} of its scarcest resource.`,
  ];
  if (queues.length < queues_in_all) {
    texts.push(
      `The ${number(queues.length)} of ${number(queues_in_all)} queues that used most; run.json ` +
        "has the others, up to a thousand.",
    );
  }
  return texts;
}

// Elements for each scheduler that has queues.
export function queuePages(curves) {
  return curves
    .filter(({ queue_page }) => queue_page)
    .flatMap(({ label, queue_page }) => [
      element(
        "h3",
        { style: "margin: 20px 0 8px" },
        `Queues under ${label} when the cluster was fullest, ` +
          `${duration(queue_page.at)} into the trace`,
      ),
      element("div", { class: "card" }, [
        pageTable(queue_page),
        ...notes(queue_page).map((text) => element("p", { class: "soft" }, text)),
      ]),
    ]);
}

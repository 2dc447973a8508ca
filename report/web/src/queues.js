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
    ? "The figures of the ResourceManager's page of queues. Resources reserved for a queue count " +
      "as used by it."
    : "The queues as reported by the scheduler.";
  const texts = [
    `${whose} This is the sample with the highest use of the cluster: ` +
      `${percent(used_share)} of its scarcest resource.`,
  ];
  if (queues.length < queues_in_all) {
    texts.push(
      `The ${number(queues.length)} most used of ${number(queues_in_all)} queues; run.json has ` +
        "the others, up to a thousand.",
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

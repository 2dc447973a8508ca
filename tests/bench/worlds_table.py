"""The table of `./run bench worlds`: how far two worlds are apart, for each experiment, scheduler
and figure, and where they rank the schedulers differently.

    worlds_table.py COMPARISON.json…"""

import json
import pathlib
import sys

MOST = 5.0  # per cent by which the medians of a mean or a 95th percentile may differ
JUDGED = {"jct_mean", "jct_p95"}


def text_of(runs, count):
    median = f"{runs['median']:,.5g}"
    return median if count == 1 else f"{median} ({runs['low']:,.5g}..{runs['high']:,.5g})"


def rows_of(experiment, worlds):
    for scheduler in worlds["schedulers"]:
        for figure in scheduler["figures"]:
            model, real = figure["model"], figure["real"]
            if model["median"] <= 0:
                sys.exit(f"worlds_table.py: {experiment}: the model's {figure['title']} is 0")
            change = 100 * (real["median"] - model["median"]) / model["median"]
            yield {
                "experiment": experiment,
                "scheduler": scheduler["scheduler"],
                "figure": figure["title"],
                "virtual": text_of(model, scheduler["model_runs"]),
                "local": text_of(real, scheduler["real_runs"]),
                "change": f"{change:+.1f} %",
                "difference is": figure["agreement"].replace("_", " "),
                "": "over 5 %" if figure["key"] in JUDGED and abs(change) > MOST else "",
            }


def printed(rows):
    titles = list(rows[0])
    widths = {title: max(len(title), *(len(row[title]) for row in rows)) for title in titles}
    for row in [{title: title for title in titles}, *rows]:
        print("  ".join(row[title].ljust(widths[title]) for title in titles).rstrip())


def main(files):
    if not files:
        sys.exit("worlds_table.py: no experiment was run in both worlds")
    rows, orders, apart = [], [], set()
    for file in map(pathlib.Path, files):
        for worlds in json.loads(file.read_text())["world_agreements"]:
            experiment = file.parent.name
            own = list(rows_of(experiment, worlds))
            rows += own
            if any(row[""] for row in own):
                apart.add(experiment)
            model, real = worlds["model_order"], worlds["real_order"]
            alike = "alike" if model == real else f"DIFFERENTLY, local: {', '.join(real)}"
            orders.append(f"{experiment}: {', '.join(model)} – {alike}")
    printed(rows)
    print("\nSchedulers by median JCT mean, virtual world; the local world ranks them")
    print("\n".join(orders))
    count = len(orders)
    others = ", ".join(sorted(apart)) or "none"
    print(f"\nThe median JCT mean and p95 of all schedulers are within {MOST:g} % of each other in")
    print(f"{count - len(apart)} of {count} experiments; not in: {others}")


main(sys.argv[1:])

// sample_report FOLDER: writes made-up runs and their report into a new folder.
#include <fmt/format.h>

#include "report/html_report.h"
#include "report/json_report.h"
#include "report/sample_runs.h"
#include "report/text_report.h"

int main(int argument_count, char** arguments) {
  using namespace tracebed;
  if (argument_count != 2) return 2;
  const std::filesystem::path folder = arguments[1];
  const std::vector<SampleJob> jobs = sample_jobs(400, 1);
  std::vector<std::filesystem::path> folders;
  for (const char* world : {"virtual", "local"}) {
    for (std::uint32_t repetition = 1; repetition <= 3; ++repetition) {
      for (bool shortest_first : {false, true}) {
        SampleCluster cluster;
        cluster.label = shortest_first ? "shortest first" : "fifo";
        cluster.world = world;
        cluster.repetition = repetition;
        cluster.shortest_first = shortest_first;
        const bool is_real = cluster.world == "local";
        cluster.launch_latency = is_real ? milliseconds(1800) : milliseconds(500);
        cluster.heartbeat_delay = is_real ? milliseconds(900) : milliseconds(500);
        cluster.contention = is_real ? 0.12 : 0.02;
        folders.push_back(folder / fmt::format("{}-{}-{}", world, cluster.label, repetition));
        write_sample_run(folders.back(), cluster, jobs);
      }
    }
  }
  const std::vector<RunFolder> runs = load_runs(folders);
  const Comparison comparison = compare(runs, {});
  fmt::print("{}", to_text(comparison));
  write_html_report(folder / "report.html", comparison, runs);
  fmt::print("\n{}\n", (folder / "report.html").string());
}

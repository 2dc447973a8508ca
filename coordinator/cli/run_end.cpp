#include "coordinator/cli/run_end.h"

#include <fmt/format.h>

#include "core/outcomes.h"
#include "report/scale_text.h"

namespace tracebed {
namespace {

constexpr std::size_t incomplete_max = 5;

std::string replay_lines(const EndedReplay& replay, bool with_chain) {
  std::string lines =
      fmt::format("{}: {} after {:.1f} s, {} jobs, digest {}\n", replay.folder.string(),
                  replay.outcome, replay.wall_seconds, replay.jobs_ended, replay.digest);
  if (!replay.reason.empty()) lines += "  " + replay.reason + "\n";
  if (!with_chain) return lines;
  for (const std::string& link : replay.chain) lines += "    " + link + "\n";
  return lines;
}

std::string incomplete_lines(const std::vector<EndedReplay>& replays) {
  std::string lines;
  std::size_t count = 0;
  for (const EndedReplay& replay : replays) {
    if (replay.outcome == name(RunOutcome::complete)) continue;
    if (++count <= incomplete_max) lines += replay_lines(replay, /*with_chain=*/count == 1);
  }
  if (count > incomplete_max) {
    lines += fmt::format("{} more are not complete: --details\n", count - incomplete_max);
  }
  return lines;
}

}  // namespace

std::string run_end_text(const EndedRun& run, const ReportTexts& report, bool with_details) {
  const std::string page = (run.output / "report.html").string();
  if (!with_details) {
    return report.summary + "\n" + incomplete_lines(run.replays) + scale_line(run.scale) +
           fmt::format("report: {}\nall figures: tracebed compare {} --details\n", page,
                       run.output.string());
  }
  std::string text = report.text + "\n";
  for (const EndedReplay& replay : run.replays) text += replay_lines(replay, /*with_chain=*/true);
  if (!run.scale.factors.empty()) text += "\n" + scale_text(run.scale);
  return text + fmt::format("\nreport: {}\n", page);
}

ExitCode exit_code_of_outcomes(const std::vector<std::string>& outcomes) {
  ExitCode code = ExitCode::success;
  for (const std::string& outcome : outcomes) {
    if (outcome == name(RunOutcome::complete)) continue;
    if (outcome == name(RunOutcome::stalled)) {
      code = ExitCode::stalled;
    } else if (outcome != name(RunOutcome::unsuccessful)) {
      return ExitCode::run_failed;
    } else if (code == ExitCode::success) {
      code = ExitCode::none_succeeded;
    }
  }
  return code;
}

}  // namespace tracebed

// `tracebed sweep run FILE --output FOLDER`
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include "coordinator/cli/commands.h"
#include "coordinator/cli/progress_line.h"
#include "coordinator/cli/sweep_flags.h"
#include "coordinator/cli/text_output.h"
#include "coordinator/sweeps/sweep_run.h"
#include "system/interruption.h"

namespace tracebed {
namespace {

struct SweepRunFlags {
  SweepFlags sweep;
  std::string shard;
  bool replace_plan = false;
  bool quiet = false;
};

// "3/16": the third of sixteen.
Shard shard_of(const std::string& text) {
  if (text.empty()) return {};
  constexpr std::uint32_t shards_max = 1'000'000;
  Shard shard{0, 0};
  const char* const end = text.data() + text.size();
  const auto index = std::from_chars(text.data(), end, shard.index);
  const bool has_slash = index.ec == std::errc() && index.ptr != end && *index.ptr == '/';
  const auto count = has_slash ? std::from_chars(index.ptr + 1, end, shard.count)
                               : std::from_chars_result{end, std::errc::invalid_argument};
  const bool is_good = has_slash && count.ec == std::errc() && count.ptr == end &&
                       shard.index >= 1 && shard.index <= shard.count && shard.count <= shards_max;
  if (!is_good)
    throw CLI::ValidationError("--shard", "expected I/N with I from 1 to N, got " + text);
  return shard;
}

std::string numbers_text(const std::vector<std::uint32_t>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ", "));
}

ExitCode run_points(const SweepRunFlags& flags, const SchedulerRegistry& schedulers) {
  SweepRunOptions options;
  options.output = flags.sweep.output;
  options.program = std::filesystem::canonical("/proc/self/exe");
  options.parallel = flags.sweep.points_at_a_time();
  options.shard = shard_of(flags.shard);
  options.replaces_plan = flags.replace_plan;
  const SweepPlan plan = plan_sweep(flags.sweep.request(), schedulers);
  const Interruption interruption;
  SweepRunEnd end;
  {
    ProgressLine progress(interruption,
                          flags.quiet ? ProgressLine::Form::quiet : ProgressLine::Form::lines);
    end = run_sweep(plan, options, progress);
  }
  print_plain("{} of {} points have finished, {} of them now, in {}\n", end.finished, end.points,
              end.ran, options.output.string());
  if (!end.elsewhere.empty()) {
    print_plain("left to other processes: points {}\n", numbers_text(end.elsewhere));
  }
  if (!end.failed.empty()) {
    print_plain("failed: points {}; the next `sweep run` runs them again\n",
                numbers_text(end.failed));
  }
  if (end.is_cancelled) return ExitCode::interrupted;
  return end.failed.empty() ? ExitCode::success : ExitCode::run_failed;
}

}  // namespace

void add_sweep_run_command(CLI::App& sweep, const SchedulerRegistry& schedulers, ExitCode& result) {
  const auto flags = std::make_shared<SweepRunFlags>();
  CLI::App* command = sweep.add_subcommand(
      "run", "Run the points of a sweep that have not finished, each as a process of its own");
  add_sweep_flags(*command, flags->sweep);
  command
      ->add_option("--output", flags->sweep.output,
                   "Folder of the sweep; several machines may share it")
      ->required();
  command->add_option("--shard", flags->shard,
                      "I/N: run every N-th point only, from the I-th on; others run the rest");
  command->add_flag("--replace-plan", flags->replace_plan,
                    "Go on in a folder of another plan; points that both have are not run again");
  command->add_flag("--quiet", flags->quiet, "Print no progress");
  command->callback([flags, &schedulers, &result] { result = run_points(*flags, schedulers); });
}

}  // namespace tracebed

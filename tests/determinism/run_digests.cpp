#include "determinism/run_digests.h"

#include <filesystem>

#include "coordinator/config/load_experiment.h"
#include "coordinator/runner/experiment_run.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed::test {
namespace {

class QuietObserver final : public RunObserver {
 public:
  bool should_continue() override { return true; }
  void progressed(const RunProgress&) override {}
  void warned(const std::string&) override {}
};

}  // namespace

std::vector<RunDigest> run_digests(std::optional<std::uint64_t> seed) {
  const std::filesystem::path fixtures = TRACEBED_DETERMINISM_FIXTURES;
  std::vector<RunDigest> digests;
  for (const char* name : {"map_reduce.toml", "rigid.toml", "storage.toml"}) {
    const TemporaryFolder scratch;
    Experiment experiment = load_experiment(fixtures / name, std::nullopt);
    experiment.output = scratch.path() / "out";
    if (seed) experiment.seed = *seed;
    QuietObserver observer;
    const FinishedExperiment finished = run_experiment(
        experiment, {.schedulers = schedulers(), .experiment_file = name, .programs = {}},
        observer);
    for (const FinishedReplay& replay : finished.replays) {
      digests.push_back(
          {experiment.name + " " + replay.label + " " + std::to_string(replay.repetition),
           replay.digest, replay.outcome == RunOutcome::complete});
    }
  }
  return digests;
}

}  // namespace tracebed::test

#include "determinism/run_digests.h"

#include <filesystem>
#include <system_error>

#include "coordinator/config/load_experiment.h"
#include "coordinator/runner/experiment_run.h"
#include "core/input_error.h"

namespace tracebed::test {
namespace {

class QuietObserver final : public RunObserver {
 public:
  bool goes_on() override { return true; }
  void progressed(const RunProgress&) override {}
  void warned(const std::string&) override {}
};

// A folder for the runs' output that goes with its object.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "tracebed-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) throw EnvironmentError("no temporary folder: " + path);
    path_ = path;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

std::vector<RunDigest> run_digests(std::optional<std::uint64_t> seed) {
  const std::filesystem::path fixtures = TRACEBED_DETERMINISM_FIXTURES;
  std::vector<RunDigest> digests;
  for (const char* name : {"map_reduce.toml", "rigid.toml"}) {
    const ScratchFolder scratch;
    Experiment experiment = load_experiment(fixtures / name, std::nullopt);
    experiment.output = scratch.path() / "out";
    if (seed) experiment.seed = *seed;
    QuietObserver observer;
    const FinishedExperiment finished =
        run_experiment(experiment, {.experiment_file = name, .programs = {}}, observer);
    for (const FinishedReplay& replay : finished.replays) {
      digests.push_back(
          {experiment.name + " " + replay.label + " " + std::to_string(replay.repetition),
           replay.digest, replay.outcome == ReplayOutcome::complete});
    }
  }
  return digests;
}

}  // namespace tracebed::test

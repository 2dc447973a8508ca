// Every experiment that ships with the project can be read.
#include <filesystem>
#include <gtest/gtest.h>

#include "coordinator/config/load_experiment.h"

namespace tracebed {
namespace {

std::vector<std::filesystem::path> shipped() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(TRACEBED_EXPERIMENTS)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  return files;
}

TEST(ShippedExperiments, AreReadWithoutAnError) {
  // Recorded traces may be absent; any file stands for them here.
  const std::string sample =
      (std::filesystem::path(TRACEBED_EXPERIMENTS) / "sample/facebook_2009_50.tsv").string();
  const std::vector<Override> overrides{{"--set trace.file", "trace.file", sample}};
  EXPECT_GE(shipped().size(), 5u);
  for (const std::filesystem::path& file : shipped()) {
    const Experiment experiment = load_experiment(file, TRACEBED_EXPERIMENTS, overrides);
    EXPECT_EQ(experiment.name, file.stem().string());
    EXPECT_FALSE(experiment.schedulers.empty());
  }
}

TEST(ShippedExperiments, TheDemoNeedsNoTraceFolder) {
  const auto file = std::filesystem::path(TRACEBED_EXPERIMENTS) / "demo.toml";
  const Experiment experiment = load_experiment(file, std::nullopt);
  EXPECT_EQ(experiment.world, World::local);
  EXPECT_GE(experiment.cluster.machines.size(), 3u);
  EXPECT_EQ(experiment.schedulers.size(), 2u);
}

}  // namespace
}  // namespace tracebed

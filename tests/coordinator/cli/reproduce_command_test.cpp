#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(ReproduceCommand, ListsPapersWithTheirSettingsWithoutAName) {
  const ProgramEnd text = tracebed_program({"reproduce"});
  EXPECT_EQ(text.exit_code, 0);
  const json listed = json::parse(tracebed_program({"reproduce", "--json"}).out);
  ASSERT_FALSE(listed.empty());
  for (const json& one : listed) {
    EXPECT_THAT(text.out,
                HasSubstr(std::string(one.at("name")) + ": " + std::string(one["paper"])));
    EXPECT_THAT(text.out, HasSubstr("--world local: " + std::string(one.at("local"))));
    for (const json& setting : one.at("settings")) {
      const std::string line = "--set " + std::string(setting.at("name")) + "=" +
                               std::string(setting.at("default")) + ": " +
                               std::string(setting.at("meaning"));
      EXPECT_THAT(text.out,
                  HasSubstr(line + (setting.at("local") ? "\n" : " (not in the local world)\n")));
    }
  }
  EXPECT_THAT(text.out, HasSubstr(" (not in the local world)"));
}

TEST(ReproduceCommand, RefusesWhatItDoesNotKnowAndWritesNothing) {
  const TemporaryFolder folder;
  const std::string output = folder.file("out");
  const auto refused = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"reproduce", "--output", output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return tracebed_program(arguments);
  };
  const ProgramEnd paper = refused({"nobody"});
  EXPECT_EQ(paper.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(paper.error, AllOf(HasSubstr("no reproduction nobody"), HasSubstr("lian")));
  const ProgramEnd setting = refused({"lian", "--set", "cooores=4"});
  EXPECT_EQ(setting.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(setting.error, AllOf(HasSubstr("cooores"), HasSubstr("it has task_size")));
  const ProgramEnd form = refused({"lian", "--set", "cores"});
  EXPECT_EQ(form.exit_code, to_int(ExitCode::usage));
  const ProgramEnd twice = refused({"lian", "--set", "cores=4", "--set", "cores=8"});
  EXPECT_EQ(twice.exit_code, to_int(ExitCode::usage));
  EXPECT_THAT(twice.error, HasSubstr("each key once, got cores=8"));
  EXPECT_EQ(refused({"lian", "--world", "cluster"}).exit_code, to_int(ExitCode::usage));
  EXPECT_EQ(refused({"lian", "--repetitions", "0"}).exit_code, to_int(ExitCode::usage));
  const ProgramEnd value = refused({"lian", "--set", "cores=0"});
  EXPECT_EQ(value.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(value.error, HasSubstr("cores"));
  const ProgramEnd experiment = refused({"lian", "--only", "capacity-grip"});
  EXPECT_EQ(experiment.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(experiment.error, HasSubstr("no experiment capacity-grip"));
  EXPECT_FALSE(std::filesystem::exists(output));
}

TEST(ReproduceCommand, RunsOneExperimentAndPrintsWhatWasLeftOut) {
  const TemporaryFolder folder;
  const std::string output = folder.file("out");
  const ProgramEnd end = tracebed_program({"reproduce", "lian", "--output", output, "--only",
                                           "capacity-grep", "--repetitions", "1", "--quiet"});
  ASSERT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out, HasSubstr("1 repetition with seed 1 and following"));
  EXPECT_THAT(end.out, HasSubstr("Not run: capacity-terasort"));
  EXPECT_THAT(end.out, HasSubstr("written to " + output));
  const json record =
      json::parse(tracebed_program({"compare", output + "/runs/capacity-grep", "--json"}).out);
  EXPECT_TRUE(record.is_object());
}

}  // namespace
}  // namespace tracebed

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/cli/program.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class TraceCommands : public ::testing::Test {
 protected:
  TraceCommands() { write_small_experiment(folder_); }
  std::string in_folder(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string written(const std::string& name) const { return contents(folder_.path() / name); }
  TemporaryFolder folder_;
};

TEST_F(TraceCommands, InfoCountsJobsAsTextAndAsJson) {
  const ProgramEnd text = tracebed_program({"trace", "info", in_folder("small.swf")});
  EXPECT_EQ(text.exit_code, 0) << text.error;
  EXPECT_THAT(text.out, HasSubstr("4 jobs"));
  const ProgramEnd end = tracebed_program({"trace", "info", in_folder("small.swf"), "--json"});
  EXPECT_EQ(json::parse(end.out).at("format").at("name"), "swf");
}

TEST_F(TraceCommands, CutKeepsTheWindowAndTheFirst) {
  const ProgramEnd end = tracebed_program({"trace", "cut", in_folder("small.swf"),
                                           in_folder("cut.swf"), "--from", "5s", "--first", "1"});
  EXPECT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out, HasSubstr("1 of "));
  EXPECT_THAT(written("cut.swf"), HasSubstr("\n3 5 -1 10 2 "));
}

TEST_F(TraceCommands, ConvertSaysWhatWasLostAndInfoReadsTheResult) {
  const ProgramEnd end = tracebed_program(
      {"trace", "convert", in_folder("small.swf"), in_folder("small.json"), "--to", "sls"});
  EXPECT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out, HasSubstr("lost: gangs, whose tasks now start one by one: 4"));
  const ProgramEnd binary = tracebed_program(
      {"trace", "convert", in_folder("small.swf"), in_folder("small.tbt"), "--to", "binary"});
  EXPECT_THAT(binary.out, HasSubstr("nothing was lost"));
  const ProgramEnd info = tracebed_program({"trace", "info", in_folder("small.tbt"), "--json"});
  EXPECT_EQ(json::parse(info.out).at("format").at("name"), "binary");
}

TEST_F(TraceCommands, ValidateExitsWithThreeIfARowIsBad) {
  EXPECT_EQ(tracebed_program({"trace", "validate", in_folder("small.swf")}).exit_code, 0);
  folder_.write("bad.swf", written("small.swf") + "9 9 nine\n");
  const ProgramEnd end = tracebed_program({"trace", "validate", in_folder("bad.swf")});
  EXPECT_EQ(end.exit_code, 3);
  EXPECT_THAT(end.out, HasSubstr("column 3 (wait time): expected a number, got 'nine'"));
  EXPECT_THAT(end.out, HasSubstr("1 problem\n"));
}

TEST_F(TraceCommands, GenerateMakesTheSameBytesOfTheSameSeed) {
  for (const char* model : {"swim", "uniform", "lublin"}) {
    const auto generate = [&](const std::string& file, const std::string& seed) {
      const ProgramEnd end = tracebed_program(
          {"trace", "generate", model, in_folder(file), "--jobs", "50", "--seed", seed});
      EXPECT_EQ(end.exit_code, 0) << end.error;
      return written(file);
    };
    const std::string first = generate("first", "3");
    EXPECT_EQ(generate("second", "3"), first);
    EXPECT_NE(generate("third", "4"), first);
    EXPECT_EQ(json::parse(tracebed_program({"trace", "info", in_folder("first"), "--json"}).out)
                  .at("rows"),
              50);
  }
}

TEST_F(TraceCommands, RulesShowTheirValuesAndTakeOthers) {
  EXPECT_THAT(tracebed_program({"trace", "rules"}).out, HasSubstr("swim.block_mib"));
  const ProgramEnd set =
      tracebed_program({"trace", "rules", "--rule", "swim.block_mib=64", "--json"});
  EXPECT_EQ(set.exit_code, 0) << set.error;
  EXPECT_THAT(set.out, HasSubstr("\"64\""));
}

}  // namespace
}  // namespace tracebed

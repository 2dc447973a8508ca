#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordinator/cli/program.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

class ScenarioCommand : public ::testing::Test {
 protected:
  std::string file(const std::string& expected) const {
    return folder_
        .write("story.toml",
               "story = 'Two of three fit.'\n[scheduler]\nname = 'fifo'\n"
               "[[node]]\nvcores = 2\nmemory = '2 GiB'\n"
               "[[application]]\nname = 'a'\nasks = [{ memory = '1 GiB', count = 3 }]\n"
               "[[step]]\nheartbeat = 'n1'\nexpect.allocated = " +
                   expected + "\n")
        .string();
  }
  TemporaryFolder folder_;
};

TEST_F(ScenarioCommand, TellsWhatHappenedAndWhoWaitsWhy) {
  const ProgramEnd end = tracebed_program({"scenario", file("['a@n1 x2']"), "--show"});
  EXPECT_EQ(end.exit_code, 0) << end.error;
  EXPECT_THAT(end.out, HasSubstr("Two of three fit."));
  EXPECT_THAT(end.out, HasSubstr("1. heartbeat of n1"));
  EXPECT_THAT(end.out, HasSubstr("allocated    a@n1 x2"));
  EXPECT_THAT(end.out, HasSubstr("waiting      a (room): no machine has 1024 MiB"));
  EXPECT_THAT(end.out, HasSubstr("free 0 MiB, 0 vcores; runs a x2"));
}

TEST_F(ScenarioCommand, ExitsDistinctlyWhenAnExpectationDoesNotHold) {
  const ProgramEnd end = tracebed_program({"scenario", file("['a@n1']")});
  EXPECT_EQ(end.exit_code, 5);
  EXPECT_THAT(end.out, HasSubstr("NOT AS EXPECTED: "));
  EXPECT_THAT(end.out, HasSubstr("expected [\"a@n1\"], got [\"a@n1\",\"a@n1\"]"));
}

TEST_F(ScenarioCommand, PrintsJsonForPrograms) {
  const ProgramEnd end = tracebed_program({"scenario", file("['a@n1 x2']"), "--json"});
  const nlohmann::json json = nlohmann::json::parse(end.out);
  EXPECT_EQ(json.at("holds"), true);
  const nlohmann::json& facts = json.at("steps")[1].at("facts");
  EXPECT_EQ(facts.at("pending").at("a"), 1);
  EXPECT_EQ(facts.at("waiting").at("a"), nlohmann::json::array({"room"}));
  EXPECT_EQ(facts.at("used").at("a").at("memory"), 2048);
}

TEST_F(ScenarioCommand, TellsTheStepsBeforeAnImpossibleOne) {
  const std::string impossible =
      folder_
          .write("story.toml",
                 "[scheduler]\nname = 'fifo'\n[[node]]\nvcores = 2\nmemory = '2 GiB'\n"
                 "[[step]]\nheartbeat = 'n1'\n[[step]]\nfinish = 'a@n1'\n")
          .string();
  const ProgramEnd end = tracebed_program({"scenario", impossible});
  EXPECT_EQ(end.exit_code, 3);
  EXPECT_THAT(end.out, HasSubstr("1. heartbeat of n1"));
  EXPECT_THAT(end.error, HasSubstr("story.toml:8: step[1]: no container a@n1 runs"));
  const ProgramEnd as_json = tracebed_program({"scenario", impossible, "--json"});
  EXPECT_EQ(as_json.exit_code, 3);
  const nlohmann::json json = nlohmann::json::parse(as_json.out);
  EXPECT_EQ(json.at("steps").size(), 2u);
  EXPECT_EQ(json.at("holds"), false);
  EXPECT_THAT(json.at("fault").get<std::string>(), HasSubstr("no container a@n1 runs"));
}

TEST_F(ScenarioCommand, PlaysEveryCaseOfAFile) {
  const std::string cases =
      folder_
          .write("cases.toml",
                 "[scheduler]\nname = 'fifo'\n[[node]]\nvcores = 2\nmemory = '2 GiB'\n"
                 "[[case]]\nname = 'first'\nsource = 'somebody'\n"
                 "[[case]]\nname = 'second'\nexpect.free.n1.memory = '3 GiB'\n")
          .string();
  const ProgramEnd end = tracebed_program({"scenario", cases});
  EXPECT_EQ(end.exit_code, 5);
  EXPECT_THAT(end.out, HasSubstr("== first (somebody)"));
  EXPECT_THAT(end.out, HasSubstr("== second"));
  const nlohmann::json json =
      nlohmann::json::parse(tracebed_program({"scenario", cases, "--json"}).out);
  EXPECT_EQ(json.at("cases")[0].at("holds"), true);
  EXPECT_EQ(json.at("cases")[1].at("holds"), false);
  EXPECT_EQ(json.at("holds"), false);
}

TEST_F(ScenarioCommand, PrintsAListOfOneCase) {
  const std::string one =
      folder_
          .write("case.toml",
                 "[scheduler]\nname = 'fifo'\n[[node]]\nvcores = 2\nmemory = '2 GiB'\n"
                 "[[case]]\nname = 'only'\n")
          .string();
  const nlohmann::json json =
      nlohmann::json::parse(tracebed_program({"scenario", one, "--json"}).out);
  ASSERT_TRUE(json.contains("cases"));
  ASSERT_EQ(json.at("cases").size(), 1u);
  EXPECT_EQ(json.at("cases")[0].at("scenario"), "only");
  EXPECT_THAT(tracebed_program({"scenario", one}).out, HasSubstr("== only"));
}

TEST_F(ScenarioCommand, TellsAllThatDiffersInAStep) {
  const ProgramEnd end = tracebed_program(
      {"scenario",
       file("[]\nexpect.used.a = { memory = 1, vcores = 1 }\nexpect.killed = { a = 1 }")});
  EXPECT_EQ(end.exit_code, 5);
  EXPECT_THAT(end.out, HasSubstr("allocated: expected [], got"));
  EXPECT_THAT(end.out, HasSubstr("used.a.memory: expected 1, got 2048"));
  EXPECT_THAT(end.out, HasSubstr("used.a.vcores: expected 1, got 2"));
  EXPECT_THAT(end.out, HasSubstr("killed.a: expected 1, got 0 in []"));
  EXPECT_THAT(end.out, HasSubstr("4 expectations were not met"));
}

TEST_F(ScenarioCommand, StopsAtAFileThatIsNone) {
  EXPECT_EQ(tracebed_program({"scenario", folder_.file("none.toml")}).exit_code, 3);
  EXPECT_EQ(tracebed_program({"scenario"}).exit_code, 2);
}

}  // namespace
}  // namespace tracebed

// What `tracebed` says and how it exits when it is used wrongly: a table of arguments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

struct Misuse {
  std::vector<std::string> arguments;  // FILE stands for a good experiment, DIR for its folder
  ExitCode code;
  const char* message;  // part of what stderr says
};

const Misuse misuses[] = {
    {{}, ExitCode::usage, "A subcommand is required"},
    {{"frobnicate"},
     ExitCode::usage,
     "there is no command frobnicate; known are run, calibrate, compare, "},
    {{"comapre"}, ExitCode::usage, "there is no command comapre; did you mean compare?"},
    {{"run"}, ExitCode::usage, "experiment is required"},
    {{"run", "FILE", "--frobnicate"}, ExitCode::usage, "--frobnicate"},
    {{"run", "FILE", "--set", "seed"}, ExitCode::usage, "expected KEY=VALUE, got seed"},
    {{"run", "DIR/none.toml"},
     ExitCode::input,
     "none.toml: cannot be read: No such file or directory"},
    {{"run", "FILE", "--seed", "x"}, ExitCode::input, "--seed: seed: expected a whole number from"},
    {{"run", "FILE", "--seed", ""}, ExitCode::usage, "--seed: expected a value, got an empty one"},
    {{"run", "FILE", "--seed="}, ExitCode::usage, "--seed: expected a value, got an empty one"},
    {{"trace", "cut", "DIR/small.swf", "DIR/out.swf", "--first", ""},
     ExitCode::usage,
     "--first: expected a value, got an empty one"},
    {{"trace", "info", ""}, ExitCode::usage, "expected a value, got an empty one"},
    {{"run", "FILE", "--world", "mars"},
     ExitCode::input,
     "--world: world: expected \"virtual\", \"local\" or \"cluster\", got \"mars\""},
    {{"run", "FILE", "--scheduler", "fofi"},
     ExitCode::input,
     "--scheduler: there is no scheduler \"fofi\"; there are binpack, "},
    {{"run", "FILE", "--scheduler", "fcfs,fcfs"},
     ExitCode::input,
     "--scheduler: fcfs is named twice"},
    {{"run", "FILE", "--set", "scale.cpu=0.0001"},
     ExitCode::input,
     "small.toml:13: scale: scale factor cpu: expected a number from 0.001 to 1000000000, got "
     "0.0001"},
    {{"run", "FILE", "--set", "trace.rules.swf.frob=1"},
     ExitCode::input,
     "--set trace.rules.swf.frob: trace.rules.swf.frob: rule 'swf.frob': there is no such rule"},
    {{"run", "FILE", "--set", "masters.slow_start=7"},
     ExitCode::input,
     "--set masters.slow_start: masters.slow_start: job masters, setting slow_start: expected a "
     "number from 0 to 1, got \"7\""},
    {{"run", "FILE", "--set", "compare.primary=jct"},
     ExitCode::input,
     "compare.primary: expected the key of a figure (jct_mean, jct_p50, "},
    {{"run", "FILE", "--set", "trace.from=9h"}, ExitCode::input, "no job of "},
    {{"run", "FILE", "--set", "trace.format=parquet"}, ExitCode::input, "parquet"},
    {{"compare"}, ExitCode::usage, "runs is required"},
    {{"compare", "DIR"}, ExitCode::input, "expected a run folder (with run.json)"},
    {{"replay-log", "DIR"}, ExitCode::input, "expected a run folder (with run.json)"},
    {{"trace"}, ExitCode::usage, "A subcommand is required"},
    {{"trace", "info", "DIR/none.swf"}, ExitCode::input, "none.swf"},
    {{"trace", "info", "DIR/small.swf", "--rule", "x"},
     ExitCode::input,
     "expected NAME=VALUE, got x"},
    {{"trace", "cut", "DIR/small.swf", "DIR/out.swf", "--from", "5 parsecs"},
     ExitCode::usage,
     "--from: expected a duration"},
    {{"trace", "cut", "DIR/small.swf", "DIR/out.swf", "--sample", "2"},
     ExitCode::usage,
     "--sample"},
    {{"trace", "cut", "DIR/small.swf", "DIR/no/such/out.swf"}, ExitCode::environment, "out.swf"},
    {{"trace", "generate", "uniform", "DIR/out.swf", "--load", "-1"}, ExitCode::input, "load"},
    {{"status", "1", "--coordinator", "127.0.0.1:1"},
     ExitCode::environment,
     "no answer from a coordinator at 127.0.0.1:1"},
    {{"status", "1", "--coordinator", "somewhere"},
     ExitCode::input,
     "--coordinator: expected HOST:PORT"},
    {{"status", "one"}, ExitCode::usage, "run: expected a number in its range, got one"},
    {{"list", "--limit", "0"}, ExitCode::usage, "--limit"},
    {{"submit", "DIR/none.toml"}, ExitCode::input, "none.toml: cannot be read"},
};

class ExitCodes : public ::testing::TestWithParam<Misuse> {};

TEST_P(ExitCodes, TellTheKindOfFaultAndTheMessageItsPlace) {
  const TemporaryFolder folder;
  const std::filesystem::path file = write_small_experiment(folder, "[scale]\ncpu = 1\n");
  std::vector<std::string> arguments = GetParam().arguments;
  for (std::string& argument : arguments) {
    if (argument == "FILE") argument = file.string();
    if (argument.starts_with("DIR")) argument.replace(0, 3, folder.path().string());
  }
  const bool is_run = !arguments.empty() && arguments[0] == "run" && arguments.size() > 1;
  if (is_run) {
    arguments.insert(arguments.end(), {"--output", (folder.path() / "runs").string()});
  }
  const ProgramEnd end = tracebed_program(arguments);
  EXPECT_EQ(end.exit_code, to_int(GetParam().code)) << end.error;
  EXPECT_THAT(end.error, HasSubstr(GetParam().message));
  EXPECT_THAT(end.error, ::testing::StartsWith("tracebed: "));
  EXPECT_EQ(end.out, "");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "runs"));
}

INSTANTIATE_TEST_SUITE_P(Table, ExitCodes, ::testing::ValuesIn(misuses));

TEST(ExitCode, HelpAndVersionAreNoFaults) {
  EXPECT_EQ(tracebed_program({"--help"}).exit_code, 0);
  EXPECT_EQ(tracebed_program({"--version"}).exit_code, 0);
  const ProgramEnd help = tracebed_program({"run", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, HasSubstr("--repetitions"));
}

}  // namespace
}  // namespace tracebed

// Every command on traces, on a fixture of every format and of every kind of file of machines: each
// succeeds, or says why that file is none for it.
#include "traces/trace_formats.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/cli/program.h"
#include "traces/bad_inputs.h"
#include "traces/convert/trace_convert.h"
#include "traces/format.h"
#include "traces/machines/machine_trace.h"

namespace tracebed {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

struct Fixture {
  std::string format;
  std::string text;
};

// The quirk that was mistaken: words of one kind of document deep within another.
constexpr std::string_view workflow =
    R"({"name":"w","workflow":{"specification":{"tasks":[{"id":"a","parents":[],"children":["b"]},)"
    R"({"id":"b","parents":["a"],"children":[]}]},"execution":{"tasks":[)"
    R"({"id":"a","runtimeInSeconds":3},{"id":"b","runtimeInSeconds":2}],)"
    R"("machines":[{"nodeName":"n","rack":"r","nodes":1}]}}})";
constexpr std::string_view rumen =
    R"({"jobID":"j","jobName":"workflow","children":"workloads","submitTime":5,"mapTasks":[)"
    R"({"attempts":[{"result":"SUCCESS","startTime":6,"finishTime":9}]}],"reduceTasks":[]})";

std::vector<Fixture> traces() {
  std::vector<Fixture> all;
  for (const tracebed::testing::BadInputs& inputs : tracebed::testing::bad_inputs()) {
    all.push_back({inputs.format, inputs.good});
  }
  all.push_back({"wfcommons", std::string(workflow)});
  all.push_back({"rumen", std::string(rumen)});
  return all;
}

const Fixture machine_files[] = {
    {"google_machines", "0,5,0,p,0.5,0.25\n0,6,0,p,1,1\n"},
    {"alibaba2017_servers", "0,1,add,,64,0.69,1\n0,2,add,,64,1,1\n"},
    {"alibaba_gpu_nodes", "sn,cpu_milli,memory_mib,gpu,model\na,96000,1024,2,T4\n"},
    {"rumen_topology", R"({"name":"<root>","children":[{"name":"r","children":[{"name":"n"}]}]})"},
    {"sls_nodes", R"({"rack":"r","nodes":[{"node":"a"}]})"},
};

class TraceFormats : public ::testing::Test {
 protected:
  ProgramEnd run(std::vector<std::string> words) const {
    words.insert(words.begin(), "trace");
    return tracebed_program(words);
  }
  // The commands that read a trace and write another, or nothing.
  std::vector<std::vector<std::string>> commands(const std::string& file) const {
    std::vector<std::vector<std::string>> all = {
        {"validate", file},
        {"cut", file, out(), "--first", "1"},
        {"merge", out(), file, file},
        {"generate", "--like", file, "--jobs", "3", out()},
    };
    for (const std::string_view to : conversion_targets()) {
      all.push_back({"convert", file, out(), "--to", std::string(to)});
    }
    return all;
  }
  std::string out() const { return folder_.file("out"); }

  TemporaryFolder folder_;
};

TEST_F(TraceFormats, AreAllThere) {
  for (const TraceFormat& format : trace_formats()) {
    const auto fixtures = traces();
    const bool exists = std::any_of(fixtures.begin(), fixtures.end(), [&](const Fixture& each) {
      return each.format == format.name;
    });
    EXPECT_TRUE(exists || format.form == TraceFormat::Form::binary) << format.name;
  }
  for (const std::string_view format : machine_formats()) {
    const bool exists = std::any_of(std::begin(machine_files), std::end(machine_files),
                                    [&](const Fixture& each) { return each.format == format; });
    EXPECT_TRUE(exists || format == "binary") << format;
  }
}

TEST_F(TraceFormats, AreTakenByEveryCommand) {
  for (const Fixture& fixture : traces()) {
    const std::string file = folder_.write("in", fixture.text).string();
    const std::string binary = folder_.file("binary");
    const ProgramEnd convert = run({"convert", file, binary, "--to", "binary"});
    ASSERT_EQ(convert.exit_code, 0) << fixture.format << convert.error;
    for (const std::string& input : {file, binary}) {
      const std::string format = input == binary ? "binary" : fixture.format;
      const ProgramEnd info = run({"info", input});
      EXPECT_EQ(info.exit_code, 0) << fixture.format << info.error;
      EXPECT_THAT(info.out, HasSubstr("\n  format " + format + " (")) << info.error;
      for (const std::vector<std::string>& command : commands(input)) {
        const ProgramEnd end = run(command);
        const std::string what = fmt::format("{} of {}", fmt::join(command, " "), fixture.format);
        if (end.exit_code == 0) {
          if (command[0] != "validate") {
            EXPECT_EQ(run({"info", out()}).exit_code, 0) << what;
          }
          continue;
        }
        EXPECT_EQ(end.exit_code, 3) << what << end.error;
        EXPECT_THAT(end.error, AnyOf(HasSubstr("can hold, got none"), HasSubstr("jobs to")))
            << what;
      }
    }
  }
}

TEST_F(TraceFormats, OfMachinesAreShownByInfoAndNamedByTheOthers) {
  for (const Fixture& fixture : machine_files) {
    const std::string file = folder_.write("in", fixture.text).string();
    const ProgramEnd info = run({"info", file});
    EXPECT_EQ(info.exit_code, 0) << fixture.format << info.error;
    EXPECT_THAT(info.out, HasSubstr(fixture.format)) << info.error;
    for (const std::vector<std::string>& command : commands(file)) {
      const ProgramEnd end = run(command);
      EXPECT_EQ(end.exit_code, 3) << fmt::format("{}", fmt::join(command, " "));
      EXPECT_THAT(end.error,
                  HasSubstr(fmt::format("expected a trace of jobs, got a machine file ({})",
                                        fixture.format)));
    }
  }
}

}  // namespace
}  // namespace tracebed

// A trace whose names hold commands for terminals, through every command that reads it or its runs.
#include "support/hostile_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/cli/program.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

class HostileNames : public ::testing::Test {
 protected:
  HostileNames() {
    const std::string name(hostile_name_escaped);
    std::string jobs;
    for (int i = 0; i < 6; ++i) {
      const std::string own = name + std::to_string(i % 3);
      jobs += R"({"am.type":"mapreduce","job.start.ms":)" + std::to_string(1000 * i) +
              R"(,"job.end.ms":90000,"job.queue.name":")" + own + R"(","job.id":")" + own +
              R"(","job.user":")" + own + R"(","job.tasks":[{"container.host":"/rack/)" + own +
              R"(","container.start.ms":0,"container.end.ms":30000,"container.priority":20,)" +
              R"("container.type":"map"}]})" + "\n";
    }
    trace_ = folder_.write("jobs.json", jobs).string();
    experiment_ = folder_
                      .write("hostile.toml",
                             "name = \"hostile\"\nworld = \"virtual\"\nrepetitions = 2\n"
                             "schedulers = [\"fifo\", \"fair\"]\n[trace]\nfile = \"jobs.json\"\n"
                             "[cluster]\nnodes = 2\nvcores = 4\nmemory = \"8 GiB\"\n")
                      .string();
  }

  // What it printed, which is plain.
  ProgramEnd run(const std::vector<std::string>& words) const {
    ProgramEnd end = tracebed_program(words);
    EXPECT_LT(end.exit_code, 70) << words.front() << ": " << end.error;
    EXPECT_TRUE(is_plain_output(end.out)) << ::testing::PrintToString(words);
    EXPECT_TRUE(is_plain_output(end.error)) << ::testing::PrintToString(words);
    return end;
  }

  const TemporaryFolder folder_;
  std::string trace_;
  std::string experiment_;
};

TEST_F(HostileNames, OfATraceArePlainInItsCommands) {
  run({"trace", "info", trace_});
  run({"trace", "info", "--json", trace_});
  run({"trace", "validate", trace_});
  EXPECT_EQ(run({"trace", "convert", trace_, "--to", "binary", folder_.file("b.tbt")}).exit_code,
            0);
  run({"trace", "convert", trace_, "--to", "swf", folder_.file("b.swf")});
  run({"trace", "info", folder_.file("b.tbt")});
  run({"trace", "validate", folder_.file("b.tbt")});
  run({"trace", "merge", folder_.file("m.tbt"), trace_, folder_.file("b.tbt")});
  run({"trace", "cut", trace_, folder_.file("c.tbt"), "--first", "2"});
  run({"trace", "generate", "--like", trace_, folder_.file("l.tbt")});
}

TEST_F(HostileNames, OfJobsUsersAndQueuesArePlainInRuns) {
  const std::string output = folder_.file("out");
  run({"run", experiment_, "--output", output});
  for (const char* form : {"--details", "--json"}) {
    run({"run", experiment_, "--output", folder_.file(form + 2), form});
    run({"compare", output, form});
    run({"replay-log", output + "/fifo/r1", form});
  }
  run({"compare", output});
  run({"replay-log", output});
  run({"replay-log", output + "/fair/r1"});
  for (const char* scheduler : {"/fifo/r1", "/fair/r1"}) {
    const ProgramEnd shown = run({"log", "show", output + scheduler, "--decisions"});
    EXPECT_THAT(shown.out, HasSubstr("\\nFORGED line\\r")) << "names are shown";
    run({"log", "show", output + scheduler});
    run({"log", "show", output + scheduler, "--json"});
  }
}

// Whatever ends a run early names what it is about.
TEST_F(HostileNames, ArePlainInRefusals) {
  run({"run", experiment_, "--set", "trace.file=\"" + std::string(hostile_name_escaped) + "\""});
  run({"run", experiment_, "--set", "name=\"" + std::string(hostile_name_escaped) + "\""});
  run({"run", experiment_, "--scheduler", "fifo\x1b[31m\nFORGED"});
  run({"compare", folder_.file("none\x1b[31m")});
  run({"trace", "info", folder_.file("none\x1b[31m")});
  run({"frobnicate\x1b[31m"});
  folder_.write("bad.swf", "1 2 \x1b[31m 4\n");
  run({"trace", "validate", folder_.file("bad.swf")});
}

}  // namespace
}  // namespace tracebed

// submit, status, list and cancel against a tracebed-coordinator of the test's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "report/run_folder.h"
#include "support/eventually.h"

namespace tracebed {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Coordinator : public testing::Test {
 protected:
  Coordinator()
      : daemon_(program_path("tracebed-coordinator"),
                {"--state", (folder_.path() / "state").string(), "--traces",
                 folder_.path().string(), "--port", "0"}) {
    write_small_experiment(folder_);
    daemon_.wait_until([&] { return daemon_.out().ends_with('\n'); });
    const std::string line = daemon_.out();
    address_ = line.substr(line.rfind(' ') + 1);
    address_.pop_back();
  }

  // Its exit code also tells what a sanitizer found in it.
  void TearDown() override {
    daemon_.signal(SIGTERM);
    const ProgramEnd end = daemon_.wait();
    EXPECT_EQ(end.exit_code, 0) << end.error;
  }

  ProgramEnd ask(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--coordinator", address_});
    return tracebed_program(arguments);
  }
  // The experiment as it is submitted: its trace below the coordinator's folder.
  std::string submission(const std::string& trace = "small.swf") const {
    return folder_
        .write("submitted.toml",
               "name = \"small\"\n"
               "world = \"virtual\"\n"
               "schedulers = [\"fcfs\", \"binpack\"]\n"
               "[trace]\n"
               "file = \"${TRACEBED_TRACES}/" +
                   trace +
                   "\"\n"
                   "[cluster]\n"
                   "nodes = 2\n"
                   "vcores = 1\n"
                   "memory = \"1 GiB\"\n")
        .string();
  }
  json ended(const std::string& run) const {
    json status;
    EXPECT_TRUE(eventually([&] {
      status = json::parse(ask({"status", run, "--json"}).out);
      return status.at("ended_at") != 0;
    }));
    return status;
  }

  TemporaryFolder folder_;
  RunningProgram daemon_;
  std::string address_;
};

TEST_F(Coordinator, RunsWhatIsSubmittedAndKeepsItsFolder) {
  const ProgramEnd submitted = ask({"submit", submission(), "--name", "mine", "--json"});
  ASSERT_EQ(submitted.exit_code, 0) << submitted.error;
  EXPECT_EQ(json::parse(submitted.out).at("run"), 1);
  const json status = ended("1");
  EXPECT_EQ(status.at("state"), "finished") << status;
  EXPECT_EQ(status.at("name"), "mine");
  const std::filesystem::path folder = status.at("folder").get<std::string>();
  EXPECT_EQ(RunFolder::load(folder / "fcfs").jobs.size(), 4u);
  EXPECT_TRUE(std::filesystem::exists(folder / "report.html"));
  EXPECT_THAT(ask({"list"}).out, HasSubstr("    1  finished   mine"));
  EXPECT_EQ(json::parse(ask({"list", "--json"}).out).size(), 1u);
}

TEST_F(Coordinator, SaysNoWithReasons) {
  const ProgramEnd bad = ask({"submit", submission("../elsewhere.swf")});
  EXPECT_EQ(bad.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(bad.error, HasSubstr("expected a trace below the coordinator's trace folder"));
  const ProgramEnd unknown = ask({"cancel", "7"});
  EXPECT_EQ(unknown.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(unknown.error, HasSubstr("the coordinator knows no run 7"));
}

TEST_F(Coordinator, AFaultThatShowsInTheRunIsTheRunsState) {
  folder_.write("broken.swf", "1 0 -1 ten\n");
  ASSERT_EQ(ask({"submit", submission("broken.swf")}).exit_code, 0);
  const json status = ended("1");
  EXPECT_EQ(status.at("state"), "failed");
  EXPECT_THAT(status.at("message").get<std::string>(), HasSubstr("broken.swf"));
}

std::string queues_of(int a, int b) {
  const auto property = [](const std::string& name, const std::string& value) {
    return "<property><name>yarn.scheduler.capacity." + name + "</name><value>" + value +
           "</value></property>";
  };
  return "<configuration>" + property("root.queues", "a,b") +
         property("root.a.capacity", std::to_string(a)) +
         property("root.b.capacity", std::to_string(b)) + "</configuration>";
}

TEST_F(Coordinator, RefreshesTheQueuesOfARunThatGoesOn) {
  std::string rows;
  for (int i = 0; i < 5'000; ++i) {
    rows += "job" + std::to_string(i) + "\t" + std::to_string(i) + "\t1\t9000000000\t0\t0\n";
  }
  folder_.write("jobs.tsv", rows);
  folder_.write("queues.xml", queues_of(50, 50));
  const std::string experiment =
      folder_
          .write("long.toml",
                 "name = \"long\"\nworld = \"virtual\"\nrepetitions = 200\n"
                 "[[scheduler]]\nname = \"capacity\"\nconfig = \"queues.xml\"\n"
                 "[trace]\nfile = \"${TRACEBED_TRACES}/jobs.tsv\"\n"
                 "[trace.rules]\nswim.queues = \"a,b\"\n"
                 "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"4 GiB\"\n")
          .string();
  ASSERT_EQ(ask({"submit", experiment}).exit_code, 0);
  json status;
  ASSERT_TRUE(eventually([&] {
    status = json::parse(ask({"status", "1", "--json"}).out);
    return status.contains("progress") && !status.at("progress").at("waiting").empty();
  })) << status;
  const json& waiting = status.at("progress").at("waiting")[0];
  EXPECT_FALSE(waiting.at("reasons").empty());
  EXPECT_THAT(waiting.at("queue").get<std::string>(), testing::AnyOf("a", "b"));

  const auto refresh = [&](int a, int b) {
    const auto file = folder_.write("new.xml", queues_of(a, b));
    return ask({"cluster", "refresh-queues", "1", file.string()});
  };
  const ProgramEnd taken = refresh(80, 20);
  EXPECT_EQ(taken.exit_code, 0) << taken.error;
  EXPECT_THAT(taken.out, HasSubstr("the scheduler took another configuration"));
  const ProgramEnd refused = refresh(80, 30);
  EXPECT_EQ(refused.exit_code, to_int(ExitCode::run_failed)) << refused.error;
  EXPECT_THAT(refused.out, HasSubstr("keeps the one before"));
  ASSERT_EQ(ask({"cancel", "1"}).exit_code, 0);
  ended("1");
  const ProgramEnd late = refresh(50, 50);
  EXPECT_EQ(late.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(late.error, HasSubstr("run 1 is not running: cancelled"));
}

TEST_F(Coordinator, DrainsNodesOfARunThatGoesOnAndBringsThemBack) {
  std::string rows;
  for (int i = 0; i < 5'000; ++i) {
    rows += "job" + std::to_string(i) + "\t" + std::to_string(i) + "\t1\t9000000000\t0\t0\n";
  }
  folder_.write("jobs.tsv", rows);
  const std::string experiment =
      folder_
          .write("long.toml",
                 "name = \"long\"\nworld = \"virtual\"\nrepetitions = 200\n"
                 "schedulers = [\"fifo\"]\n"
                 "[trace]\nfile = \"${TRACEBED_TRACES}/jobs.tsv\"\n"
                 "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"4 GiB\"\n")
          .string();
  ASSERT_EQ(ask({"submit", experiment}).exit_code, 0);
  ASSERT_TRUE(eventually([&] {
    return json::parse(ask({"status", "1", "--json"}).out).contains("progress");
  }));
  const ProgramEnd drained = ask({"cluster", "drain", "1", "node2", "--deadline", "90s"});
  EXPECT_EQ(drained.exit_code, 0) << drained.error;
  EXPECT_THAT(drained.out, HasSubstr("node node2 takes no new containers"));
  const ProgramEnd back = ask({"cluster", "undrain", "1", "node2"});
  EXPECT_EQ(back.exit_code, 0) << back.error;
  EXPECT_THAT(back.out, HasSubstr("node node2 is back in service"));
  const ProgramEnd unknown = ask({"cluster", "drain", "1", "node9"});
  EXPECT_EQ(unknown.exit_code, to_int(ExitCode::run_failed));
  EXPECT_THAT(unknown.out, HasSubstr("there is no node \"node9\" in the run"));
  const ProgramEnd gone = ask({"cluster", "move", "1", "4000000000"});
  EXPECT_EQ(gone.exit_code, to_int(ExitCode::run_failed));
  EXPECT_THAT(gone.out, HasSubstr("there is no container 4000000000 now"));
  ASSERT_EQ(ask({"cancel", "1"}).exit_code, 0);
  ended("1");
}

TEST_F(Coordinator, EndsOnSigterm) {
  daemon_.signal(SIGTERM);
  EXPECT_EQ(daemon_.wait().exit_code, 0);
  EXPECT_EQ(ask({"list"}).exit_code, to_int(ExitCode::environment));
}

TEST_F(Coordinator, IsToldApartFromAPortThatIsTaken) {
  const ProgramEnd second = RunningProgram(program_path("tracebed-coordinator"),
                                           {"--state", (folder_.path() / "other").string(),
                                            "--port", address_.substr(address_.find(':') + 1)})
                                .wait();
  EXPECT_EQ(second.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(second.error, HasSubstr("cannot listen on " + address_));
}

}  // namespace
}  // namespace tracebed

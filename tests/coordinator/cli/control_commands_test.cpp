// submit, status, list and cancel against a tracebed-coordinator of the test's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "report/run_folder.h"
#include "support/eventually.h"
#include "support/files.h"
#include "support/hostile_names.h"
#include "system/plain_text.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class Coordinator : public ::testing::Test {
 protected:
  Coordinator() {
    write_small_experiment(folder_);
    start("0");
    const std::string line = daemon_->out();
    address_ = line.substr(line.rfind(' ') + 1);
    address_.pop_back();
  }

  void start(const std::string& port) {
    daemon_ = std::make_unique<RunningProgram>(
        program_path("tracebed-coordinator"),
        std::vector<std::string>{"--state", (folder_.path() / "state").string(), "--traces",
                                 folder_.path().string(), "--port", port});
    daemon_->wait_until([&] { return daemon_->out().ends_with('\n'); });
  }
  // As `signal` ends it; its exit code also tells what a sanitizer found in it.
  void end(int signal) {
    daemon_->signal(signal);
    const ProgramEnd last = daemon_->wait();
    EXPECT_EQ(last.exit_code, signal == SIGKILL ? 128 + SIGKILL : 0) << last.error;
  }
  void start_again() { start(address_.substr(address_.find(':') + 1)); }
  void TearDown() override { end(SIGTERM); }

  // Runs until it is cancelled.
  std::string long_experiment() const {
    std::string rows;
    for (int i = 0; i < 5'000; ++i) {
      rows += "job" + std::to_string(i) + "\t" + std::to_string(i) + "\t1\t9000000000\t0\t0\n";
    }
    folder_.write("jobs.tsv", rows);
    return folder_
        .write("long.toml",
               "name = \"long\"\nworld = \"virtual\"\nrepetitions = 1000\n"
               "schedulers = [\"fifo\"]\n"
               "[trace]\nfile = \"${TRACEBED_TRACES}/jobs.tsv\"\n"
               "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"4 GiB\"\n")
        .string();
  }
  void submit_and_wait_for_progress() const {
    ASSERT_EQ(ask({"submit", long_experiment()}).exit_code, 0);
    ASSERT_TRUE(eventually([&] {
      return json::parse(ask({"status", "1", "--json"}).out).contains("progress");
    }));
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
               "world = \"virtual\"\nrepetitions = 1\n"
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
  std::unique_ptr<RunningProgram> daemon_;
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
  EXPECT_THAT(unknown.error, HasSubstr("the coordinator has no run 7"));
}

TEST_F(Coordinator, ShowsNamesOfSubmissionsAndTracesAsPlainText) {
  std::string rows;
  const std::string name(hostile_name_escaped);
  for (int i = 0; i < 2'000; ++i) {
    rows += R"({"job.start.ms":)" + std::to_string(i) + R"(,"job.queue.name":")" + name +
            R"(","job.id":")" + name + std::to_string(i) + R"(","job.user":")" + name +
            R"(","job.tasks":[{"container.start.ms":0,"container.end.ms":3000000}]})" + "\n";
  }
  folder_.write("jobs.json", rows);
  const auto submit = [&](const std::string& more) {
    const auto file =
        folder_.write("hostile.toml",
                      "name = \"hostile\"\nworld = \"virtual\"\nrepetitions = 1000\n"
                      "schedulers = [\"fifo\"]\n[trace]\nfile = \"${TRACEBED_TRACES}/jobs.json\"\n"
                      "[cluster]\nnodes = 1\nvcores = 1\nmemory = \"4 GiB\"\n" +
                          more);
    return ask({"submit", file.string(), "--name", "\x1b[31mn\nFORGED\x7f"});
  };
  const auto expect_plain = [](const ProgramEnd& end) {
    EXPECT_TRUE(is_plain_output(end.out));
    EXPECT_TRUE(is_plain_output(end.error));
  };
  expect_plain(submit("[cluster]\n" + name + " = 1\n"));
  expect_plain(submit("\"" + name + "\" = 1\n"));
  expect_plain(submit(""));
  EXPECT_TRUE(eventually([&] {
    const ProgramEnd status = ask({"status", "1"});
    expect_plain(status);
    return status.out.find("has waited") != std::string::npos || status.exit_code != 0;
  }));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"list"},
                                                {"list", "--json"},
                                                {"status", "1", "--json"},
                                                {"cluster", "status"},
                                                {"cluster", "drain", "1", "\x1b[31m\nFORGED"},
                                                {"cancel", "1"}}) {
    expect_plain(ask(words));
  }
  EXPECT_TRUE(is_plain_output(daemon_->error()));
}

TEST_F(Coordinator, AFaultThatShowsInTheRunIsTheRunsState) {
  folder_.write("broken.swf", "1 0 -1 ten\n");
  ASSERT_EQ(ask({"submit", submission("broken.swf")}).exit_code, 0);
  const json status = ended("1");
  EXPECT_EQ(status.at("state"), "failed");
  EXPECT_THAT(status.at("message").get<std::string>(), HasSubstr("broken.swf"));
}

TEST_F(Coordinator, ARunWhoseEveryJobWasRejectedHasFailed) {
  folder_.write("large.swf",
                "1 0 -1 10 9 -1 -1 9 20 -1 1 1 1 1 1 -1 -1 -1\n"
                "2 0 -1 30 7 -1 -1 7 40 -1 1 1 1 1 1 -1 -1 -1\n");
  ASSERT_EQ(ask({"submit", submission("large.swf")}).exit_code, 0);
  const json status = ended("1");
  EXPECT_EQ(status.at("state"), "failed");
  EXPECT_THAT(status.at("message").get<std::string>(),
              HasSubstr("fcfs: all 2 jobs were rejected: 2 × "));
  const std::filesystem::path folder = status.at("folder").get<std::string>();
  EXPECT_TRUE(std::filesystem::exists(folder / "report.html"));
  const ProgramEnd client = ask({"run", submission("large.swf"), "--on", "cluster", "--world",
                                 "virtual", "--output", (folder_.path() / "brought").string()});
  EXPECT_EQ(client.exit_code, to_int(ExitCode::none_succeeded)) << client.error;
  EXPECT_THAT(client.error, HasSubstr("run 2 failed: fcfs: all 2 jobs were rejected: 2 × "));
}

TEST_F(Coordinator, ARunThatStallsHasFailedAndSaysWhichKindOfStallItWas) {
  const std::string row = " 0 -1 30 1 -1 -1 1 40 -1 1 1 1 1 1 -1 -1 -1\n";
  folder_.write("jobs.swf", "1" + row + "2" + row + "3" + row + "4" + row);
  const std::string experiment = folder_.file("stall.toml");
  folder_.write("stall.toml",
                "name = \"stall\"\nworld = \"virtual\"\nrepetitions = 1\nam = \"container\"\n"
                "schedulers = [\"fcfs\"]\n[trace]\nfile = \"${TRACEBED_TRACES}/jobs.swf\"\n"
                "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"2 GiB\"\n");
  ASSERT_EQ(ask({"submit", experiment}).exit_code, 0);
  const json status = ended("1");
  EXPECT_EQ(status.at("state"), "failed");
  EXPECT_EQ(status.at("exit_code"), to_int(ExitCode::stalled));
  EXPECT_THAT(status.at("message").get<std::string>(),
              HasSubstr("fcfs: deadlock of masters alone: masters of 2 jobs hold "));
  EXPECT_THAT(ask({"status", "1"}).out, HasSubstr("waits for job 1: "));
  const ProgramEnd client = ask({"run", experiment, "--on", "cluster", "--world", "virtual",
                                 "--output", (folder_.path() / "brought").string()});
  EXPECT_EQ(client.exit_code, to_int(ExitCode::stalled)) << client.error;
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
  EXPECT_THAT(waiting.at("queue").get<std::string>(), ::testing::AnyOf("root.a", "root.b"));

  const auto refresh = [&](int a, int b) {
    const auto file = folder_.write("new.xml", queues_of(a, b));
    return ask({"cluster", "refresh-queues", "1", file.string()});
  };
  const ProgramEnd taken = refresh(80, 20);
  EXPECT_EQ(taken.exit_code, 0) << taken.error;
  EXPECT_THAT(taken.out, HasSubstr("the scheduler loaded another configuration"));
  const ProgramEnd refused = refresh(80, 30);
  EXPECT_EQ(refused.exit_code, to_int(ExitCode::run_failed)) << refused.error;
  EXPECT_THAT(refused.out, HasSubstr("keeps the previous one: "));
  EXPECT_THAT(refused.out, HasSubstr("new.xml:"));
  struct Case {
    const char* change;
    bool is_taken;
    const char* says;
  };
  for (const Case& test :
       {Case{"root.a.maximum-am-resource-percent=0.25", true, "loaded another configuration"},
        Case{"default_node_locality_delay=40", true, "loaded another configuration"},
        Case{"default_node_locality_delay=soon", false, "got \"soon\""},
        Case{"root.a.maximum-am-resource-percent=1.5", false,
             "expected a part from 0 to 1, got '1.5'"},
        Case{"root.c.maximum-am-resource-percent=0.5", false, "root.c"},
        Case{"no_such=1", false,
             "expected a setting of capacity or [QUEUE.]maximum-am-resource-percent, got no_such"},
        Case{"config=/etc/passwd", false, "config names a file"}}) {
    const ProgramEnd end = ask({"cluster", "tune", "1", test.change});
    EXPECT_EQ(end.exit_code, test.is_taken ? 0 : to_int(ExitCode::run_failed)) << end.error;
    EXPECT_THAT(end.out, HasSubstr(test.says)) << test.change;
  }
  EXPECT_EQ(ask({"cluster", "tune", "1", "no-value"}).exit_code, to_int(ExitCode::usage));
  const ProgramEnd after_tuning = refresh(60, 40);
  EXPECT_EQ(after_tuning.exit_code, 0) << after_tuning.out;
  ASSERT_EQ(ask({"cancel", "1"}).exit_code, 0);
  ended("1");
  const ProgramEnd late = refresh(50, 50);
  EXPECT_EQ(late.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(late.error, HasSubstr("run 1 is not running: cancelled"));
}

TEST_F(Coordinator, DrainsNodesOfARunThatGoesOnAndBringsThemBack) {
  submit_and_wait_for_progress();
  const ProgramEnd never = ask({"cluster", "undrain", "1", "node2"});
  EXPECT_EQ(never.exit_code, to_int(ExitCode::run_failed));
  EXPECT_THAT(never.out, HasSubstr("node node2 is in service: it was not drained"));
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
  EXPECT_THAT(gone.out, HasSubstr("container 4000000000 does not exist now"));
  ASSERT_EQ(ask({"cancel", "1"}).exit_code, 0);
  ended("1");
}

TEST_F(Coordinator, EndsOnSigterm) {
  daemon_->signal(SIGTERM);
  EXPECT_EQ(daemon_->wait().exit_code, 0);
  EXPECT_EQ(ask({"list"}).exit_code, to_int(ExitCode::environment));
}

TEST_F(Coordinator, OneHasAStateFolder) {
  submit_and_wait_for_progress();
  const ProgramEnd second =
      RunningProgram(program_path("tracebed-coordinator"),
                     {"--state", (folder_.path() / "state").string(), "--port", "0"})
          .wait();
  EXPECT_EQ(second.exit_code, to_int(ExitCode::environment));
  EXPECT_THAT(second.error, HasSubstr("is in use by process " + std::to_string(daemon_->id())));
  EXPECT_EQ(json::parse(ask({"status", "1", "--json"}).out).at("state"), "running");
}

TEST_F(Coordinator, RunsNothingOnItsOwnHostUnlessItsFileSaysSo) {
  const ProgramEnd refused = ask({"run", "--on", "cluster", "--world", "local", submission()});
  EXPECT_EQ(refused.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(refused.error, HasSubstr("allow_local_runs"));
}

TEST_F(Coordinator, RunsAreInTheLogAndOutliveItWithWhatBecameOfChanges) {
  submit_and_wait_for_progress();
  ASSERT_EQ(ask({"submit", submission(), "--name", "waits"}).exit_code, 0);
  ASSERT_EQ(ask({"cluster", "drain", "1", "node2"}).exit_code, 0);
  folder_.write("broken.swf", "1 0 -1 ten\n");
  ASSERT_EQ(ask({"submit", submission("broken.swf"), "--name", "fails"}).exit_code, 0);
  ASSERT_EQ(ask({"cancel", "1"}).exit_code, 0);
  ended("1");
  ended("2");
  const json failed = ended("3");
  EXPECT_THAT(daemon_->error(), HasSubstr("run 1 (long) begins"));
  EXPECT_THAT(daemon_->error(), HasSubstr("run 1 (long) is cancelled after"));
  EXPECT_THAT(daemon_->error(), HasSubstr("run 2 (waits) finished after"));
  EXPECT_THAT(daemon_->error(), HasSubstr("run 3 (fails) failed after"));
  EXPECT_THAT(daemon_->error(), HasSubstr(plain_line(failed.at("message").get<std::string>())));
  const json before = ended("1");
  ASSERT_FALSE(before.at("changes").empty());
  EXPECT_GT(before.at("changes")[0].at("at"), 0);
  EXPECT_GT(before.at("changes")[0].at("trace_seconds"), 0);
  EXPECT_FALSE(before.at("warnings").empty());
  end(SIGKILL);
  start_again();
  EXPECT_EQ(ended("1"), before);
  EXPECT_THAT(ask({"status", "1"}).out, HasSubstr(" of the trace: node node2 takes no new"));
  EXPECT_EQ(ended("3"), failed);
}

TEST_F(Coordinator, WhatWaitsWhenItIsKilledIsRunByTheNext) {
  submit_and_wait_for_progress();
  ASSERT_EQ(ask({"submit", submission(), "--name", "waits"}).exit_code, 0);
  end(SIGKILL);
  folder_.write("state/3/experiment.toml", "of a submission that was cut short");
  start_again();
  EXPECT_EQ(ended("2").at("state"), "finished");
  EXPECT_EQ(ended("1").at("state"), "failed");
  EXPECT_THAT(daemon_->error(), HasSubstr("it is renamed to"));
  EXPECT_EQ(json::parse(ask({"submit", submission(), "--json"}).out).at("run"), 4);
}

// What a coordinator's end leaves of a run comes to who waits for it, be it killed or stopped.
class Restarted : public Coordinator, public ::testing::WithParamInterface<int> {};
TEST_P(Restarted, ARunOnTheClusterComesHome) {
  const std::string experiment = long_experiment();
  const std::string output = folder_.file("home");
  RunningProgram client(program_path("tracebed"),
                        {"run", "--on", "cluster", "--world", "virtual", experiment, "--output",
                         output, "--coordinator", address_});
  ASSERT_TRUE(eventually([&] {
    const ProgramEnd asked = ask({"status", "1", "--json"});
    return asked.exit_code == 0 && json::parse(asked.out).contains("progress");
  })) << client.error();
  end(GetParam());
  client.wait_until([&] { return client.error().find("retrying") != std::string::npos; });
  start_again();
  const ProgramEnd home = client.wait();
  const bool was_killed = GetParam() == SIGKILL;
  EXPECT_EQ(home.exit_code, to_int(was_killed ? ExitCode::run_failed : ExitCode::interrupted))
      << home.error;
  const json state = json::parse(contents(std::filesystem::path(output) / "state.json"));
  EXPECT_EQ(state.at("state"), was_killed ? "failed" : "cancelled");
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(output) / "fifo"));
}
INSTANTIATE_TEST_SUITE_P(Signals, Restarted, ::testing::Values(SIGKILL, SIGTERM));

TEST_F(Coordinator, FetchesNothingOfARunThatGoesOnOrIsGone) {
  submit_and_wait_for_progress();
  const std::string output = folder_.file("fetched");
  const ProgramEnd early = ask({"fetch", "1", "--output", output});
  EXPECT_EQ(early.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(early.error, HasSubstr("run 1 has not ended yet"));
  EXPECT_FALSE(std::filesystem::exists(output));
  ASSERT_EQ(ask({"cancel", "1"}).exit_code, 0);
  ended("1");
  std::filesystem::remove_all(folder_.path() / "state/1");
  const ProgramEnd gone = ask({"fetch", "1", "--output", output});
  EXPECT_EQ(gone.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(gone.error, HasSubstr("no longer exists"));
  EXPECT_FALSE(std::filesystem::exists(output));
  EXPECT_EQ(ask({"delete", "1"}).exit_code, 0);
  EXPECT_EQ(ask({"fetch", "1"}).exit_code, to_int(ExitCode::input));
}

TEST_F(Coordinator, ListsInPages) {
  for (int i = 0; i < 5; ++i) ASSERT_EQ(ask({"submit", submission()}).exit_code, 0);
  ended("5");
  const auto runs = [&](const std::string& page) {
    std::vector<int> numbers;
    for (const json& run :
         json::parse(ask({"list", "--limit", "2", "--page", page, "--json"}).out)) {
      numbers.push_back(run.at("run"));
    }
    return numbers;
  };
  EXPECT_THAT(runs("1"), ::testing::ElementsAre(5, 4));
  EXPECT_THAT(runs("2"), ::testing::ElementsAre(3, 2));
  EXPECT_THAT(runs("3"), ::testing::ElementsAre(1));
  EXPECT_THAT(runs("4"), ::testing::IsEmpty());
}

TEST_F(Coordinator, NamesTheFileThatIsWrong) {
  const auto file = folder_.write("wrong.toml", "name = \"wrong\"\nworld = \"mars\"\n");
  const ProgramEnd refused = ask({"submit", file.string()});
  EXPECT_EQ(refused.exit_code, to_int(ExitCode::input));
  EXPECT_THAT(refused.error, HasSubstr(file.string() + ":2: world"));
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

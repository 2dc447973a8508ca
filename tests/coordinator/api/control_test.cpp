// A real server and real clients over loopback.
#include <algorithm>
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <sys/socket.h>
#include <unistd.h>

#include "coordinator/api/audit_log.h"
#include "coordinator/api/control_client.h"
#include "coordinator/api/control_server.h"
#include "coordinator/api/control_service.h"
#include "coordinator/api/held_execution.h"
#include "coordinator/api/submitted_text.h"
#include "core/input_error.h"
#include "support/eventually.h"
#include "support/files.h"
#include "support/raw_connections.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Control : public testing::Test {
 protected:
  Control() { folder_.write("traces/jobs.tsv", ""); }

  // What the client is told when `call` is refused.
  template <class Call>
  std::string refusal(Call call) {
    try {
      call();
      return "accepted";
    } catch (const ControlRefusal& error) {
      return error.what();
    }
  }
  std::string refusal_of(const std::string& text) {
    return refusal([&] { client_.submit(submission(text)); });
  }
  static control::Submission submission(const std::string& text, const std::string& name = {}) {
    control::Submission submission;
    submission.experiment = text;
    submission.name = name;
    return submission;
  }
  static std::string replaced(const std::string& from, const std::string& to) {
    std::string text = submitted_text;
    text.replace(text.find(from), from.size(), to);
    return text;
  }
  control::RunStatus ended(std::int64_t run) {
    control::RunStatus status;
    EXPECT_TRUE(eventually([&] {
      status = client_.status(run);
      return status.ended_at != 0;
    }));
    return status;
  }

  TemporaryFolder folder_;
  HeldExecution execution_;
  SubmissionReader reader_{{folder_.path() / "traces", false,
                            [](const Experiment& experiment) {
                              if (experiment.seed == 13) throw InputError("seed 13 is refused");
                            }},
                           test::schedulers()};
  RunQueue queue_{folder_.path() / "state",
                  [this](const std::string& kept) { return reader_.read_kept(kept); },
                  execution_.execute()};
  AuditLog audit_{folder_.path() / "state"};
  ControlService service_{queue_, reader_};
  ControlServer server_{service_, ControlServerOptions{}, &audit_};
  ControlClient client_{"127.0.0.1", server_.port()};
};

TEST_F(Control, SubmitsFollowsAndListsRuns) {
  EXPECT_EQ(client_.submit(submission(submitted_text)), 1);
  EXPECT_EQ(client_.submit(submission(submitted_text, "other-name")), 2);
  execution_.wait_for_start(1);
  const control::RunStatus running = client_.status(1);
  EXPECT_EQ(running.state, control::RunState::RUNNING);
  EXPECT_EQ(running.name, "good");
  EXPECT_EQ(running.folder, (folder_.path() / "state/1").string());
  EXPECT_GT(running.started_at, 0);
  ASSERT_TRUE(running.__isset.progress);
  EXPECT_EQ(running.progress.jobs, 10);
  EXPECT_EQ(running.progress.jobs_ended, 4);
  execution_.let_one_end();
  EXPECT_EQ(ended(1).state, control::RunState::FINISHED);
  const std::vector<control::RunStatus> runs = client_.list_runs(10);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].run, 2);
  EXPECT_EQ(runs[0].name, "other-name");
  EXPECT_EQ(client_.list_runs(1).size(), 1u);
  EXPECT_EQ(client_.list_runs(-5).size(), 1u);  // taken as the nearest limit
}

TEST_F(Control, CancelsAndNamesWhatItCannotCancel) {
  client_.submit(submission(submitted_text));
  execution_.wait_for_start(1);
  client_.cancel(1);
  EXPECT_EQ(ended(1).state, control::RunState::CANCELLED);
  EXPECT_EQ(refusal([&] { client_.cancel(1); }), "run 1 has already ended: cancelled");
  EXPECT_EQ(refusal([&] { client_.cancel(9); }), "the coordinator has no run 9");
  EXPECT_EQ(refusal([&] { client_.status(-1); }), "the coordinator has no run -1");
}

TEST_F(Control, RefusesABadExperimentWithLineAndKey) {
  EXPECT_THAT(refusal_of("name = "), StartsWith("experiment:1: not TOML: "));
  EXPECT_EQ(refusal_of(replaced("nodes = 2", "nodes = 0")),
            "experiment:8: cluster.nodes: expected a whole number from 1 to 100000, got 0");
  EXPECT_EQ(refusal_of(replaced("world", "seed = 13\nworld")), "seed 13 is refused");
  EXPECT_EQ(refusal([&] { client_.submit(submission(submitted_text, "../escape")); }),
            "the submitted name:1: name: expected a name of letters, digits and - _ . (it becomes "
            "a folder's name), got \"../escape\"");
  EXPECT_TRUE(queue_.list(10).empty());
}

TEST_F(Control, LetsNoClientReachFilesOrAddressesOfItsChoice) {
  EXPECT_THAT(refusal_of(replaced("${TRACEBED_TRACES}/jobs.tsv", "/etc/passwd")),
              HasSubstr("expected a trace below the coordinator's trace folder"));
  EXPECT_THAT(refusal_of(replaced("${TRACEBED_TRACES}/jobs.tsv", "${TRACEBED_TRACES}/../x")),
              HasSubstr("expected a trace below the coordinator's trace folder"));
  EXPECT_EQ(refusal_of(replaced("world", "output.folder = \"/tmp\"\nworld")),
            "output.folder: not allowed in a submitted experiment");
  EXPECT_EQ(refusal_of(replaced("world", "log.redis = \"10.0.0.1:6379\"\nworld")),
            "log.redis: not allowed in a submitted experiment");
}

TEST_F(Control, WithoutATraceFolderNothingCanBeSubmitted) {
  const SubmissionReader reader({std::nullopt, false, [](const Experiment&) {}},
                                test::schedulers());
  ControlService service(queue_, reader);
  const ControlServer server(service, ControlServerOptions{});
  ControlClient client("127.0.0.1", server.port());
  EXPECT_EQ(refusal([&] { client.submit(submission(submitted_text)); }),
            "this coordinator was started without --traces, so it cannot read traces");
}

TEST_F(Control, AnOversizedSubmissionIsRefusedAndOthersGoOn) {
  const std::string longest(1 << 20, '#');
  EXPECT_THAT(refusal_of(longest), HasSubstr("this key is missing"));
  EXPECT_EQ(refusal_of(longest + "#"),
            "expected an experiment and files of at most 1048576 bytes together, got 1048577");
  ControlClient doomed("127.0.0.1", server_.port());
  const std::string huge(2 << 20, '#');  // the server closes the connection on such a frame
  EXPECT_THROW(doomed.submit(submission(huge)), EnvironmentError);
  EXPECT_EQ(client_.submit(submission(submitted_text)), 1);
}

TEST_F(Control, GarbageDoesNotDisturbTheServer) {
  const int raw = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server_.port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::connect(raw, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  // A frame of 12 bytes that is no message.
  const std::string garbage("\0\0\0\x0cgarbage here", 16);
  ASSERT_EQ(::send(raw, garbage.data(), garbage.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(garbage.size()));
  char answer = 0;
  EXPECT_LE(::recv(raw, &answer, 1, 0), 0);  // closed without an answer
  ::close(raw);
  EXPECT_EQ(client_.submit(submission(submitted_text)), 1);
}

TEST_F(Control, TakesSettingsAndSchedulersBesideTheExperiment) {
  control::Submission submitted = submission(submitted_text);
  control::Override seed;
  seed.key = "seed";
  seed.value = "13";
  submitted.overrides = {seed};
  EXPECT_EQ(refusal([&] { client_.submit(submitted); }), "seed 13 is refused");
  submitted.overrides[0].value = "many";
  EXPECT_THAT(refusal([&] { client_.submit(submitted); }),
              StartsWith("--set seed: seed: expected a whole number"));
  submitted.overrides[0].key = std::string(200, 'a') + ".b";
  EXPECT_EQ(refusal([&] { client_.submit(submitted); }),
            "expected keys of at most 200 bytes, got 202");
  submitted.overrides.clear();
  submitted.schedulers = {"fifo", "fifo"};
  EXPECT_EQ(refusal([&] { client_.submit(submitted); }), "--scheduler: fifo is named twice");
}

TEST_F(Control, TakesTheFilesThatSchedulersName) {
  control::Submission submitted = submission(replaced(
      "schedulers = [\"fifo\"]", "[[scheduler]]\nname = \"capacity\"\nconfig = \"../queues.xml\""));
  control::NamedFile file;
  file.name = "../queues.xml";
  file.content = "no such thing";
  submitted.files = {file};
  EXPECT_EQ(refusal([&] { client_.submit(submitted); }), "../queues.xml: expected XML");
  submitted.files[0].content = "<configuration/>";
  EXPECT_EQ(client_.submit(submitted), 1);
  execution_.wait_for_start(1);
  EXPECT_EQ(execution_.experiments().at(0).schedulers.at(0).settings.at(0).value,
            "<configuration/>");
}

TEST_F(Control, GivesTheFilesOfARunThatHasEndedAndNoOthers) {
  client_.submit(submission(submitted_text));
  execution_.wait_for_start(1);
  EXPECT_EQ(refusal([&] { client_.list_files(1, ""); }), "run 1 has not ended yet: running");
  folder_.write("state/1/fifo/jobs.csv", "a,b\n");
  folder_.write("state/secret", "not the run's");
  std::filesystem::create_symlink(folder_.path() / "state/secret",
                                  folder_.path() / "state/1/link.csv");
  std::filesystem::create_directory_symlink(folder_.path() / "state",
                                            folder_.path() / "state/1/up");
  execution_.let_one_end();
  ended(1);
  std::vector<std::string> paths;
  for (const control::RunFile& file : client_.list_files(1, "")) paths.push_back(file.path);
  EXPECT_THAT(paths, testing::ElementsAre("experiment.toml", "fifo/jobs.csv", "state.json"));
  EXPECT_EQ(client_.list_files(1, "fifo/jobs.csv").size(), 1u);
  EXPECT_EQ(client_.list_files(1, "experiment.toml").at(0).bytes, 4);
  EXPECT_EQ(client_.read_file(1, "fifo/jobs.csv", 0), "a,b\n");
  EXPECT_EQ(client_.read_file(1, "fifo/jobs.csv", 2), "b\n");
  EXPECT_EQ(client_.read_file(1, "fifo/jobs.csv", 4), "");
  for (const char* path : {"../secret", "/etc/passwd", "link.csv", "up/secret", "fifo",
                           "fifo//jobs.csv", "", "./state.json", "fifo/../../secret"}) {
    EXPECT_NE(refusal([&] { client_.read_file(1, path, 0); }), "accepted") << path;
  }
  EXPECT_NE(refusal([&] { client_.read_file(1, "state.json", -1); }), "accepted");
}

TEST_F(Control, TellsWhoIsBeforeAWaitingRun) {
  for (int i = 0; i < 3; ++i) client_.submit(submission(submitted_text));
  execution_.wait_for_start(1);
  EXPECT_EQ(client_.status(1).ahead, 0);
  EXPECT_EQ(client_.status(3).ahead, 2);
  const control::ClusterStatus cluster = client_.cluster();
  EXPECT_EQ(cluster.running.run, 1);
  EXPECT_EQ(cluster.waiting, 2);
}

TEST_F(Control, WithATokenNothingIsDoneForWhoDoesNotSayIt) {
  const std::string token(40, 't');
  const ControlServer server(service_, {"127.0.0.1", 0, token});
  ControlClient stranger("127.0.0.1", server.port());
  EXPECT_THAT(refusal([&] { stranger.list_runs(1); }), HasSubstr("requires a token"));
  EXPECT_THAT(refusal([&] { stranger.submit(submission(submitted_text)); }),
              HasSubstr("requires a token"));
  EXPECT_THAT(refusal([&] { ControlClient("127.0.0.1", server.port(), std::string(40, 'u')); }),
              HasSubstr("the token is not valid for this coordinator"));
  EXPECT_TRUE(queue_.list(10).empty());
  EXPECT_EQ(server.refused(), 3u);
  ControlClient friendly("127.0.0.1", server.port(), token);
  EXPECT_EQ(friendly.submit(submission(submitted_text)), 1);
}

TEST_F(Control, ATokenIsThatOfItsConnectionAlone) {
  const ControlServer server(service_, {"127.0.0.1", 0, std::string(40, 't')});
  ControlClient friendly("127.0.0.1", server.port(), std::string(40, 't'));
  ControlClient stranger("127.0.0.1", server.port());
  EXPECT_TRUE(friendly.list_runs(1).empty());
  EXPECT_THAT(refusal([&] { stranger.list_runs(1); }), HasSubstr("requires a token"));
}

TEST_F(Control, TheCoordinatorsOwnHostRunsNothingUnlessItsFileAllowsIt) {
  const std::string local = replaced("world = \"virtual\"", "world = \"local\"");
  EXPECT_THAT(refusal_of(local), HasSubstr("allow_local_runs"));
  control::Submission submitted = submission(submitted_text);
  control::Override world;
  world.key = "world";
  world.value = "\"local\"";
  submitted.overrides = {world};
  EXPECT_THAT(refusal([&] { client_.submit(submitted); }), HasSubstr("allow_local_runs"));
  const SubmissionReader allowing({folder_.path() / "traces", true, [](const Experiment&) {}},
                                  test::schedulers());
  EXPECT_EQ(allowing.read(submission(local)).world, World::local);
}

TEST_F(Control, MessagesNameTheFileAsItsUserDoes) {
  control::Submission submitted = submission(replaced("nodes = 2", "nodes = 0"));
  submitted.file = "mine/small.toml";
  EXPECT_THAT(refusal([&] { client_.submit(submitted); }),
              StartsWith("mine/small.toml:8: cluster.nodes"));
  for (const std::string& name : {std::string("two\nlines"), std::string(256, 'x')}) {
    submitted.file = name;
    EXPECT_THAT(refusal([&] { client_.submit(submitted); }), StartsWith("experiment:8: "));
  }
}

TEST_F(Control, WhatWasSubmittedComesBackByteForByte) {
  control::Submission submitted = submission(submitted_text, "mine");
  control::NamedFile file;
  file.name = "queues.xml";
  for (int c = 0; c < 256; ++c) file.content += static_cast<char>(c);
  file.content += "<configuration>ä…</configuration>\\\"";
  submitted.files = {file};
  submitted.schedulers = {"fifo"};
  submitted.file = "small.toml";
  control::Override seed;
  seed.key = "seed";
  seed.value = "12";
  submitted.overrides = {seed};
  const SubmissionReader reader({folder_.path() / "traces", false, [](const Experiment&) {}},
                                test::schedulers());
  const Experiment read = reader.read_kept(kept_text(submitted));
  EXPECT_EQ(read.name, "mine");
  EXPECT_EQ(read.seed, 12u);
  EXPECT_EQ(read.source, submitted_text);
  submitted.experiment = replaced("schedulers = [\"fifo\"]",
                                  "[[scheduler]]\nname = \"capacity\"\nconfig = \"queues.xml\"");
  submitted.schedulers = {"capacity"};
  EXPECT_EQ(reader.read_kept(kept_text(submitted)).schedulers.at(0).settings.at(0).value,
            file.content);
  std::string kept = kept_text(submitted);
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, kept.size() / 2, kept.size() - 1}) {
    EXPECT_THROW(reader.read_kept(kept.substr(0, bytes)), InputError) << bytes;
  }
}

TEST_F(Control, WhoChangesWhatIsWrittenDown) {
  ControlServer server(
      service_,
      {"127.0.0.1", 0,
       std::vector<NamedToken>{{"anna", std::string(40, 'a')}, {"bob", std::string(40, 'b')}}},
      &audit_);
  ControlClient anna("127.0.0.1", server.port(), std::string(40, 'a'));
  ControlClient bob("127.0.0.1", server.port(), std::string(40, 'b'));
  anna.submit(submission(submitted_text));
  EXPECT_NE(refusal([&] { bob.submit(submission("name = ")); }), "accepted");
  execution_.wait_for_start(1);
  control::AdministratorCommand drain;
  drain.kind = control::AdministratorCommandKind::DRAIN;
  drain.node = "node1";
  bob.execute(1, drain);
  EXPECT_NE(refusal([&] { bob.delete_run(1); }), "accepted");
  bob.cancel(1);
  ended(1);
  anna.list_files(1, "");
  anna.status(1);  // a look changes nothing
  bob.delete_run(1);
  EXPECT_NE(refusal([&] { client_.status(1); }), "accepted");
  const auto lines_of = [&](const char* name) {
    std::vector<std::string> lines;
    std::istringstream text(contents(folder_.path() / "state" / name));
    for (std::string line; std::getline(text, line);) {
      const auto json = nlohmann::json::parse(line);
      EXPECT_THAT(json.at("at").get<std::string>(), testing::MatchesRegex("20.*T.*Z"));
      EXPECT_THAT(json.at("peer").get<std::string>(), StartsWith("127.0.0.1:"));
      lines.push_back(json.at("who").get<std::string>() + " " +
                      json.at("action").get<std::string>() + " " +
                      std::to_string(json.value("run", 0)) + " " + json.value("detail", "-") + " " +
                      json.at("outcome").get<std::string>());
    }
    return lines;
  };
  EXPECT_THAT(
      lines_of("audit.log"),
      testing::ElementsAre("anna submit 1 - done", "bob drain 1 node node1 within 0 s done",
                           "bob cancel 1 - done", "anna fetch 1 - done", "bob delete 1 - done"));
  EXPECT_THAT(lines_of("audit-refused.log"),
              testing::ElementsAre(StartsWith("bob submit 0 - refused: experiment:1"),
                                   "bob delete 1 - refused: run 1 has not ended yet: running"));
}

TEST_F(Control, ATokenThatIsTakenBackLetsNobodyInAnyMore) {
  ControlServer server(service_, {"127.0.0.1", 0, std::string(40, 'o')});
  ControlClient client("127.0.0.1", server.port(), std::string(40, 'o'));
  EXPECT_TRUE(client.list_runs(1).empty());
  server.take_tokens({{"new", std::string(40, 'n')}});
  EXPECT_THAT(refusal([&] { client.list_runs(1); }), HasSubstr("requires a token"));
  EXPECT_THAT(refusal([&] { ControlClient("127.0.0.1", server.port(), std::string(40, 'o')); }),
              HasSubstr("the token is not valid for this coordinator"));
  ControlClient later("127.0.0.1", server.port(), std::string(40, 'n'));
  EXPECT_TRUE(later.list_runs(1).empty());
}

TEST(ControlServerPort, IsSaidWhenItIsTaken) {
  TemporaryFolder folder;
  HeldExecution execution;
  RunQueue queue(folder.path(), HeldExecution::read(), execution.execute());
  const SubmissionReader reader({folder.path(), false, [](const Experiment&) {}},
                                test::schedulers());
  ControlService service(queue, reader);
  const ControlServer first(service, ControlServerOptions{});
  try {
    const ControlServer second(service, {"127.0.0.1", first.port(), ""});
    FAIL() << "two servers on one port";
  } catch (const EnvironmentError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("cannot listen on 127.0.0.1:" + std::to_string(first.port())));
  }
  EXPECT_THROW(ControlClient("127.0.0.1", 1), EnvironmentError);  // nobody listens there
}

TEST_F(Control, IdleConnectionsCloseItForNobody) {
  client_.list_runs(1);
  const auto idle = test::raw_connections(server_.port(), 400);
  ControlClient newcomer("127.0.0.1", server_.port());
  newcomer.list_runs(1);
  client_.list_runs(1);  // who had said something before kept the connection
  EXPECT_LE(server_.connections().connections, 256u);
}

TEST_F(Control, WhoSaysNoTokenInTimeIsCutAndSoIsWhoIsIdle) {
  ControlServerOptions door;
  const std::string token(40, 't');
  door.tokens = token;
  door.proof_timeout = std::chrono::milliseconds(300);
  door.idle_max = std::chrono::milliseconds(300);
  ControlServer server(service_, door);
  const auto silent = test::raw_connections(server.port(), 3);
  // A busy machine may be too slow for it once, and then it is cut as the silent are.
  std::optional<ControlClient> client;
  ASSERT_TRUE(eventually([&] {
    try {
      client.emplace("127.0.0.1", server.port(), token).list_runs(1);
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }));
  EXPECT_TRUE(eventually([&] { return server.connections().connections == 0; }));
  EXPECT_EQ(std::count_if(silent.begin(), silent.end(), test::is_closed_by_peer), 3);
}

}  // namespace
}  // namespace tracebed

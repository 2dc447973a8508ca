// What a tracebed-coordinator answers over HTTP while runs go on, as programs written for YARN's
// ResourceManager ask it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <signal.h>
#include <thread>

#include "coordinator/cli/program.h"
#include "report/page_labels.h"
#include "report/queue_page.h"
#include "support/eventually.h"
#include "support/files.h"
#include "support/http.h"

namespace tracebed {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* scheduler_conf = "/ws/v1/cluster/scheduler-conf";
constexpr const char* capacity_xml =
    "<configuration>"
    "<property><name>yarn.scheduler.capacity.root.queues</name><value>a,b</value></property>"
    "<property><name>yarn.scheduler.capacity.root.a.capacity</name><value>75</value></property>"
    "<property><name>yarn.scheduler.capacity.root.b.capacity</name><value>25</value></property>"
    "</configuration>";
constexpr const char* fair_xml =
    "<allocations><queue name=\"a\"><maxResources>1024 mb, 1 vcores</maxResources></queue>"
    "<queue name=\"b\"><maxRunningApps>7</maxRunningApps></queue></allocations>";

class Rest : public ::testing::Test {
 protected:
  Rest() {
    EXPECT_EQ(tracebed_program({"cluster", "make-token", folder_.file("token")}).exit_code, 0);
    const auto config = folder_.write(
        "coordinator.toml",
        fmt::format(
            "state = \"{0}/state\"\ntraces = \"{0}\"\nport = 0\ntoken_file = \"{0}/token\"\n"
            "[metrics]\nport = 0\n",
            folder_.path().string()));
    daemon_ =
        std::make_unique<RunningProgram>(program_path("tracebed-coordinator"),
                                         std::vector<std::string>{"--config", config.string()});
    daemon_->wait_until([&] { return daemon_->out().ends_with('\n'); });
    const std::string line = daemon_->out();
    address_ = line.substr(line.rfind(' ') + 1);
    address_.pop_back();
    const std::string log = daemon_->error();
    const std::string before = "metrics at http://127.0.0.1:";
    port_ = static_cast<std::uint16_t>(std::stoi(log.substr(log.find(before) + before.size())));
    const std::string token = contents(folder_.path() / "token");
    authorisation_ = test::bearer(token.substr(0, token.find('\n')));
  }

  // Its exit code also tells what a sanitizer found in it.
  void TearDown() override {
    daemon_->signal(SIGTERM);
    const ProgramEnd end = daemon_->wait();
    EXPECT_EQ(end.exit_code, 0) << end.error;
  }

  // Submits a virtual run that goes on until it is cancelled: a replay of 34 million maps.
  void begin(const std::string& scheduler) {
    std::string rows;
    for (int i = 0; i < 5'000; ++i) {
      rows += fmt::format("job{0}\t{0}\t1\t900000000000\t0\t0\n", i);
    }
    folder_.write("jobs.tsv", rows);
    folder_.write("capacity.xml", capacity_xml);
    folder_.write("fair.xml", fair_xml);
    const auto experiment =
        folder_.write("long.toml",
                      "name = \"long\"\nworld = \"virtual\"\nrepetitions = 1\n"
                      "[output]\ntasks = \"none\"\n[[scheduler]]\n" +
                          scheduler +
                          "[trace]\nfile = \"${TRACEBED_TRACES}/jobs.tsv\"\n"
                          "[trace.rules]\nswim.queues = \"a,b\"\n"
                          "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"4 GiB\"\n");
    const ProgramEnd submitted = ask({"submit", experiment.string()});
    ASSERT_EQ(submitted.exit_code, 0) << submitted.error;
  }
  void end_run() const { EXPECT_EQ(ask({"cancel", "1"}).exit_code, 0); }

  ProgramEnd ask(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(),
                     {"--coordinator", address_, "--token-file", folder_.file("token")});
    return tracebed_program(arguments);
  }
  std::string get(const std::string& path) const {
    return test::http_get(port_, path, authorisation_);
  }
  // The answer to a change of the configuration; `more` headers.
  std::string put(const std::string& type, const std::string& body,
                  const std::string& more = {}) const {
    return put_without_token(type, body, authorisation_ + more);
  }
  std::string put_without_token(const std::string& type, const std::string& body,
                                const std::string& more = {}) const {
    return test::http_exchange(
        port_, test::http_request("PUT", scheduler_conf,
                                  fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n{}", type,
                                              body.size(), more)) +
                   body);
  }
  // The properties of the running scheduler's file.
  std::map<std::string, std::string> configuration() const {
    std::map<std::string, std::string> properties;
    const std::string answer = get(scheduler_conf);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
    const json body = json::parse(test::http_body(answer));
    for (const json& one : body.at("property")) {
      properties[one.at("name")] = one.at("value");
    }
    return properties;
  }
  // Once the run shows one in which `is_wanted`.
  template <class Condition>
  json scheduler_info(Condition is_wanted) const {
    json info;
    EXPECT_TRUE(eventually([&] {
      const std::string answer = get("/ws/v1/cluster/scheduler");
      if (!answer.starts_with("HTTP/1.1 200")) return false;
      info = json::parse(test::http_body(answer)).at("scheduler").at("schedulerInfo");
      return is_wanted(info);
    })) << info;
    return info;
  }

  TemporaryFolder folder_;
  std::unique_ptr<RunningProgram> daemon_;
  std::string address_;
  std::uint16_t port_ = 0;
  std::string authorisation_;
};

TEST_F(Rest, TellsTheQueuesOfCapacityUnderYarnsNamesAndThoseOfItsPage) {
  begin("name = \"capacity\"\nconfig = \"capacity.xml\"\n");
  const json info = scheduler_info([](const json& shown) {
    return shown.at("queues").at("queue").at(0).at("numContainers") > 0;
  });
  EXPECT_EQ(info.at("type"), "capacityScheduler");
  EXPECT_EQ(info.at("queueName"), "root");
  EXPECT_EQ(info.at("capacity"), 100.0);
  const json& leaf = info.at("queues").at("queue").at(0);
  EXPECT_EQ(leaf.at("type"), "capacitySchedulerLeafQueueInfo");
  EXPECT_EQ(leaf.at("queueName"), "a");
  EXPECT_EQ(leaf.at("queuePath"), "root.a");
  EXPECT_EQ(leaf.at("state"), "RUNNING");
  EXPECT_EQ(leaf.at("capacity"), 75.0);
  EXPECT_EQ(leaf.at("absoluteCapacity"), 75.0);
  EXPECT_EQ(leaf.at("absoluteMaxCapacity"), 100.0);
  EXPECT_EQ(leaf.at("maxApplications"), 7'500);
  EXPECT_EQ(leaf.at("configuredMaxAMResourceLimit"), 0.1);
  EXPECT_EQ(leaf.at("minEffectiveCapacity"), json({{"memory", 6'144}, {"vCores", 3}}));
  EXPECT_GT(leaf.at("resourcesUsed").at("memory"), 0);
  EXPECT_EQ(
      leaf.at("numApplications").get<int>(),
      leaf.at("numActiveApplications").get<int>() + leaf.at("numPendingApplications").get<int>());
  // Each of the fields that can be told is told of a running queue: no figure has lost its name.
  for (const char* field :
       {"usedCapacity", "maxCapacity", "absoluteUsedCapacity", "allocatedContainers",
        "maxEffectiveCapacity", "maxApplicationsPerUser", "maxActiveApplications",
        "maxActiveApplicationsPerUser", "userLimit", "userLimitFactor", "AMResourceLimit",
        "usedAMResource", "userAMResourceLimit"}) {
    EXPECT_TRUE(leaf.contains(field)) << field;
  }
  std::set<std::string> names;
  for (const auto& [name, value] : leaf.at("queuePage").items()) names.insert(name);
  const std::vector<std::string> labels = test::page_labels();
  EXPECT_EQ(names, std::set<std::string>(labels.begin(), labels.end()));
  EXPECT_EQ(leaf.at("queuePage").at("Max Applications"), "7500");
  end_run();
}

TEST_F(Rest, TellsTheQueuesOfFairUnderYarnsNames) {
  begin("name = \"fair\"\nconfig = \"fair.xml\"\n");
  const auto used = [](const json& queue) { return queue.at("usedResources").at("memory"); };
  const json info = scheduler_info([&](const json& shown) {
    return shown.at("rootQueue").at("childQueues").at("queue").size() >= 2 &&
           used(shown.at("rootQueue")) > 0;
  });
  EXPECT_EQ(info.at("type"), "fairScheduler");
  const json& root = info.at("rootQueue");
  EXPECT_EQ(root.at("queueName"), "root");
  EXPECT_EQ(root.at("clusterResources"), json({{"memory", 8'192}, {"vCores", 4}}));
  for (const json& queue : root.at("childQueues").at("queue")) {
    for (const char* field :
         {"minResources", "maxResources", "demandResources", "steadyFairResources", "fairResources",
          "amUsedResources", "amMaxResources", "schedulingPolicy", "numActiveApps"}) {
      EXPECT_TRUE(queue.contains(field)) << field;
    }
    if (queue.at("queueName") == "root.a") {
      EXPECT_EQ(queue.at("maxResources"), json({{"memory", 1'024}, {"vCores", 1}}));
    }
    if (queue.at("queueName") != "root.b") continue;
    EXPECT_EQ(queue.at("maxApps"), 7);
    EXPECT_EQ(queue.at("maxResources"), root.at("clusterResources"));
    EXPECT_EQ(queue.at("queuePage").at("Max Running Applications"), "7");
  }
  end_run();
}

TEST_F(Rest, TellsOfFifoWhatYarnTells) {
  begin("name = \"fifo\"\n");
  const json info = scheduler_info([](const json& shown) { return shown.at("numContainers") > 0; });
  EXPECT_EQ(info.at("type"), "fifoScheduler");
  EXPECT_EQ(info.at("numNodes"), 2);
  EXPECT_EQ(info.at("totalNodeCapacity"), 8'192);
  EXPECT_EQ(8'192 - info.at("availNodeCapacity").get<int>(), info.at("usedNodeCapacity"));
  end_run();
}

TEST_F(Rest, TellsTheClusterItsNodesAndItsApplicationsUnderYarnsNames) {
  begin("name = \"capacity\"\nconfig = \"capacity.xml\"\n");
  const auto asked = [&](const std::string& path, const char* key) {
    const std::string answer = get("/ws/v1/cluster" + path);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200")) << path;
    return json::parse(test::http_body(answer)).at(key);
  };
  scheduler_info([](const json& shown) {
    return shown.at("queues").at("queue").at(0).at("numContainers") > 0;
  });
  EXPECT_EQ(asked("", "clusterInfo").at("state"), "STARTED");
  const json metrics = asked("/metrics", "clusterMetrics");
  EXPECT_EQ(metrics.at("activeNodes"), 2);
  EXPECT_EQ(metrics.at("totalMB"), 8'192);
  EXPECT_EQ(metrics.at("availableMB").get<int>() + metrics.at("allocatedMB").get<int>() +
                metrics.at("reservedMB").get<int>(),
            8'192);
  EXPECT_GT(metrics.at("appsSubmitted"), 0);
  const json nodes = asked("/nodes?states=running", "nodes").at("node");
  ASSERT_EQ(nodes.size(), 2u);
  for (const json& node : nodes) {
    EXPECT_EQ(node.at("usedMemoryMB").get<int>() + node.at("availMemoryMB").get<int>(), 4'096);
    EXPECT_EQ(asked("/nodes/" + node.at("id").get<std::string>(), "node").at("rack"),
              node.at("rack"));
  }
  const json apps = asked("/apps?limit=3", "apps").at("app");
  ASSERT_EQ(apps.size(), 3u);
  for (const json& app : apps) {
    const std::string path = "/apps/" + app.at("id").get<std::string>();
    const std::string answer = get("/ws/v1/cluster" + path);
    // The run may have gone on to its next replay, whose applications have other ids.
    if (answer.starts_with("HTTP/1.1 404")) continue;
    EXPECT_EQ(json::parse(test::http_body(answer)).at("app").at("name"), app.at("name"));
  }
  EXPECT_THAT(get("/ws/v1/cluster/apps?states=sleeping"),
              AllOf(StartsWith("HTTP/1.1 400"), HasSubstr("BadRequestException")));
  EXPECT_THAT(test::http_get(port_, "/ws/v1/cluster/metrics",
                             authorisation_ + "Accept: application/xml\r\n"),
              HasSubstr("<clusterMetrics><appsSubmitted>"));
  end_run();
}

std::string update_of(const std::string& queue, const std::string& key, const std::string& value) {
  return fmt::format(
      "<update-queue><queue-name>{}</queue-name><params><entry><key>{}</key><value>{}</value>"
      "</entry></params></update-queue>",
      queue, key, value);
}

std::string sched_conf(const std::string& within) {
  return "<sched-conf>" + within + "</sched-conf>";
}

TEST_F(Rest, ChangesTheConfigurationOfTheRunAsAResourceManagerDoes) {
  begin("name = \"capacity\"\nconfig = \"capacity.xml\"\n");
  scheduler_info([](const json&) { return true; });
  EXPECT_EQ(configuration().at("yarn.scheduler.capacity.root.a.capacity"), "75");
  const std::string taken = put(
      "application/xml",
      sched_conf(update_of("root.a", "capacity", "60") + update_of("root.b", "capacity", "40")));
  EXPECT_THAT(taken, StartsWith("HTTP/1.1 200"));
  EXPECT_EQ(test::http_body(taken), "Configuration change successfully applied.");
  EXPECT_EQ(configuration().at("yarn.scheduler.capacity.root.a.capacity"), "60");
  scheduler_info([](const json& shown) {
    return shown.at("queues").at("queue").at(0).at("capacity") == 60.0;
  });
  // As `yarn schedulerconf` and others send JSON; a queue is added, and one removed once it has
  // stopped and is empty.
  const std::string added =
      put("application/json; charset=UTF-8",
          R"({"add-queue": [{"queue-name": "root.c", "params": {"entry": [{"key": "capacity",
          "value": "0"}, {"key": "state", "value": "STOPPED"}]}}]})");
  EXPECT_THAT(added, StartsWith("HTTP/1.1 200")) << added;
  EXPECT_EQ(configuration().at("yarn.scheduler.capacity.root.queues"), "a,b,c");
  const std::string removed = put("application/json", R"({"remove-queue": "root.c"})");
  EXPECT_THAT(removed, StartsWith("HTTP/1.1 200")) << removed;
  EXPECT_EQ(configuration().at("yarn.scheduler.capacity.root.queues"), "a,b");
  // One that runs stays.
  const std::string busy =
      put("application/json",
          R"({"remove-queue": "root.b", "update-queue": {"queue-name": "root.a",
              "params": {"entry": {"key": "capacity", "value": 100}}}})");
  EXPECT_THAT(busy, StartsWith("HTTP/1.1 400")) << busy;
  EXPECT_EQ(configuration().at("yarn.scheduler.capacity.root.b.capacity"), "40");
  EXPECT_THAT(test::http_get(port_, scheduler_conf, authorisation_ + "Accept: application/xml\r\n"),
              HasSubstr("<configuration><property><name>yarn.scheduler.capacity.root.a.capacity"
                        "</name><value>60</value></property>"));
  const json status = json::parse(ask({"status", "1", "--json"}).out);
  EXPECT_EQ(status.at("changes").size(), 4U) << status;
  EXPECT_THAT(
      contents(folder_.path() / "state" / "audit.log"),
      AllOf(HasSubstr("\"scheduler-conf\""), HasSubstr("root.a.capacity=60, root.b.capacity=40")));
  end_run();
}

TEST_F(Rest, RefusesWhatCannotBeChangedAsAWholeAndByItsName) {
  begin("name = \"capacity\"\nconfig = \"capacity.xml\"\n");
  scheduler_info([](const json&) { return true; });
  const auto before = configuration();
  const std::string xml = "application/xml";
  struct Case {
    std::string type;
    std::string body;
    int status;
    std::string says;
  };
  std::string bomb = "<!DOCTYPE a [<!ENTITY b \"";
  bomb += std::string(100, 'b') + "\"><!ENTITY c \"&b;&b;&b;&b;\">]>";
  for (const Case& test : {
           Case{xml, sched_conf(update_of("root.a", "capacity", "60")), 400, "capacity"},
           Case{xml,
                sched_conf(update_of("root.a", "colour", "red") +
                           update_of("root.a", "maximum-am-resource-percent", "0.5")),
                400, "yarn.scheduler.capacity.root.a.colour is unknown here"},
           Case{xml, sched_conf(update_of("root.z", "capacity", "1")), 400,
                "yarn.scheduler.capacity.root.z.capacity"},
           Case{xml,
                sched_conf("<global-updates><entry><key>yarn.scheduler.capacity."
                           "mapping-rule-file</key><value>/etc/passwd</value></entry>"
                           "<entry><key>yarn.scheduler.capacity.mapping-rule-format</key>"
                           "<value>json</value></entry></global-updates>"),
                400, "yarn.scheduler.capacity.mapping-rule-file"},
           Case{xml, "no XML", 400, "the body:1: expected XML"},
           Case{xml, bomb + sched_conf("<remove-queue>&c;</remove-queue>"), 400,
                "expected no document type"},
           Case{xml,
                "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>" +
                    sched_conf("<remove-queue>&b;</remove-queue>"),
                400, "expected no document type"},
           Case{"application/json", "{", 400, "the body: expected JSON"},
           Case{"text/plain", "{}", 415, "expected Content-Type application/json or "},
           Case{"", "{}", 415, "expected Content-Type application/json or "},
       }) {
    const std::string answer = put(test.type, test.body);
    EXPECT_THAT(answer, StartsWith(fmt::format("HTTP/1.1 {}", test.status))) << test.body;
    const json body = json::parse(test::http_body(answer), nullptr, false);
    ASSERT_TRUE(body.is_object()) << answer;
    EXPECT_THAT(body.at("RemoteException").at("message").get<std::string>(), HasSubstr(test.says));
    EXPECT_THAT(answer, ::testing::Not(HasSubstr("root:")));
  }
  EXPECT_THAT(put(xml, std::string(10'000'000, 'x')), StartsWith("HTTP/1.1 413"));
  EXPECT_THAT(put_without_token(xml, sched_conf(update_of("root.a", "capacity", "1"))),
              StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(put_without_token(xml, "<sched-conf/>", test::bearer(std::string(43, 'x'))),
              StartsWith("HTTP/1.1 401"));
  EXPECT_EQ(configuration(), before);
  EXPECT_THAT(contents(folder_.path() / "state" / "audit-refused.log"),
              HasSubstr("root.a.colour is unknown here"));
  end_run();
}

TEST_F(Rest, ChangesOnlyConfigurationsThatYarnWouldChange) {
  const std::string change = sched_conf(update_of("root.a", "capacity", "60"));
  EXPECT_THAT(put("application/xml", change),
              AllOf(StartsWith("HTTP/1.1 404"), HasSubstr("no run is in progress")));
  EXPECT_THAT(get(scheduler_conf), StartsWith("HTTP/1.1 404"));
  begin("name = \"fair\"\nconfig = \"fair.xml\"\n");
  scheduler_info([](const json&) { return true; });
  EXPECT_THAT(put("application/xml", change, "Accept: application/xml\r\n"),
              AllOf(StartsWith("HTTP/1.1 400"), HasSubstr("<RemoteException>"),
                    HasSubstr("Configuration change only supported by MutableConfScheduler.")));
  EXPECT_THAT(get(scheduler_conf),
              AllOf(StartsWith("HTTP/1.1 400"), HasSubstr("underneath scheduler fair is not")));
  end_run();
}

// What was changed over HTTP is in the log: the run decides again without the coordinator.
TEST_F(Rest, AChangeIsAnArrivalOfTheLog) {
  begin("name = \"capacity\"\nconfig = \"capacity.xml\"\n");
  scheduler_info([](const json& shown) {
    return shown.at("queues").at("queue").at(0).at("numContainers") > 0;
  });
  EXPECT_THAT(
      put("application/xml", sched_conf(update_of("root.a", "maximum-am-resource-percent", "0.5"))),
      StartsWith("HTTP/1.1 200"));
  end_run();
  json status;
  ASSERT_TRUE(eventually([&] {
    status = json::parse(ask({"status", "1", "--json"}).out);
    return status.at("ended_at") != 0;
  }));
  const std::filesystem::path folder = status.at("folder").get<std::string>();
  const ProgramEnd again = tracebed_program({"replay-log", folder.string()});
  EXPECT_EQ(again.exit_code, 0) << again.error << again.out;
}

TEST_F(Rest, ShowsHowNodesWereCompared) {
  begin("name = \"weighted_priorities\"\n");
  json choices;
  EXPECT_TRUE(eventually([&] {
    const json body = json::parse(test::http_body(get("/ws/v1/cluster/scheduler/choices")));
    choices = body.value(json::json_pointer("/tracebed/choices"), json::array());
    return !choices.empty();
  }));
  EXPECT_EQ(choices.at(0).at("best").at(0).at("node"), choices.at(0).at("node"));
  end_run();
}

TEST_F(Rest, SaysThatNoRunGoesOnAsYarnSaysWhatIsNotThere) {
  const std::string answer = get("/ws/v1/cluster/scheduler");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 404"));
  EXPECT_THAT(answer, HasSubstr("Content-Type: application/json"));
  EXPECT_EQ(json::parse(test::http_body(answer)).at("RemoteException").at("exception"),
            "NotFoundException");
}

TEST_F(Rest, AnswersOnlyWhoMayAskAndStaysThereWhateverIsAsked) {
  begin("name = \"capacity\"\nconfig = \"capacity.xml\"\n");
  scheduler_info([](const json&) { return true; });
  const std::string path = "/ws/v1/cluster/scheduler";
  EXPECT_THAT(test::http_get(port_, path), StartsWith("HTTP/1.1 401"));
  EXPECT_THAT(test::http_exchange(port_, test::http_request("POST", path, authorisation_)),
              StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(get("/ws/v1/clusters"), StartsWith("HTTP/1.1 404"));
  std::vector<std::thread> askers;
  for (int i = 0; i < 8; ++i) {
    askers.emplace_back([&] {
      for (int n = 0; n < 25; ++n) {
        EXPECT_THAT(get(path),
                    ::testing::AnyOf(StartsWith("HTTP/1.1 200"), StartsWith("HTTP/1.1 503")));
      }
    });
  }
  for (std::thread& asker : askers) asker.join();
  EXPECT_THAT(get("/metrics"), HasSubstr("tracebed_run_number 1"));
  end_run();
  EXPECT_TRUE(eventually([&] { return get(path).starts_with("HTTP/1.1 404"); }));
}

}  // namespace
}  // namespace tracebed

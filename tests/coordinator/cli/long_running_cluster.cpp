#include "coordinator/cli/long_running_cluster.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <unistd.h>

#include "support/eventually.h"
#include "support/files.h"
#include "support/http.h"
#include "system/listening_socket.h"

namespace tracebed {
namespace {

// One that is free now, for a configuration file, which takes no others.
std::uint16_t free_port(const std::string& address) {
  return bound_port(listening_socket(address, 0, "a test"));
}

std::string address_of(int agent) {
  return fmt::format("127.0.0.{}", agent + 1);
}

}  // namespace

LongRunningCluster::LongRunningCluster(std::string name, const std::filesystem::path& traces,
                                       int agents, LongRunningOptions options)
    : name_(std::move(name)), options_(std::move(options)) {
  start_coordinator(traces, agents);
  const auto status = nlohmann::json::parse(ask({"cluster", "status", "--json"}).out);
  const auto endpoint = status.at("endpoint").get<std::string>();
  for (int i = 1; i <= agents; ++i) {
    start_agent(i, endpoint);
    if (options_.has_storage) start_datanode(i, endpoint);
  }
  EXPECT_TRUE(eventually([&] {
    const auto state = nlohmann::json::parse(ask({"cluster", "status", "--json"}).out);
    return state.at("agents").size() == static_cast<std::size_t>(agents);
  })) << agents_.front()->error();
}

LongRunningCluster::~LongRunningCluster() {
  for (auto* daemons : {&datanodes_, &agents_, &launchers_}) {
    for (const auto& daemon : *daemons) daemon->signal(SIGTERM);
    for (const auto& daemon : *daemons) EXPECT_EQ(daemon->wait().exit_code, 0) << daemon->error();
  }
  coordinator_->signal(SIGTERM);
  EXPECT_EQ(coordinator_->wait().exit_code, 0) << coordinator_->error();
}

std::string LongRunningCluster::make_keys(const std::string& daemon) const {
  const ProgramEnd made =
      tracebed_program({"cluster", "make-keys", folder_.file(daemon + "-keys.toml")});
  EXPECT_EQ(made.exit_code, 0) << made.error;
  return made.out.substr(0, made.out.find('\n'));
}

void LongRunningCluster::write_agents(const std::vector<int>& agents) const {
  std::string known;
  for (const int agent : agents) {
    known += fmt::format("\"lab{}\" = \"{}\"\n", agent,
                         agent_keys_.at(static_cast<std::size_t>(agent) - 1));
  }
  folder_.write("agents.toml", known);
}

void LongRunningCluster::let_in(const std::vector<int>& agents) {
  write_agents(agents);
  coordinator_->signal(SIGHUP);
}

void LongRunningCluster::start_coordinator(const std::filesystem::path& traces, int agents) {
  coordinator_key_ = make_keys("coordinator");
  std::vector<int> all;
  for (int i = 1; i <= agents; ++i) {
    agent_keys_.push_back(make_keys(fmt::format("lab{}", i)));
    all.push_back(i);
  }
  write_agents(all);
  EXPECT_EQ(tracebed_program({"cluster", "make-token", folder_.file("token")}).exit_code, 0);
  std::string storage;
  if (options_.has_storage) {
    const std::uint16_t rpc_port = free_port("127.0.0.1");
    namenode_ = fmt::format("127.0.0.1:{}", rpc_port);
    storage = fmt::format("[storage]\nrpc_port = {}\nhttp_port = {}\nthrift_port = {}\n", rpc_port,
                          free_port("127.0.0.1"), free_port("127.0.0.1"));
  }
  const auto config = folder_.write(
      "coordinator.toml",
      fmt::format("state = \"{0}/state\"\ntraces = \"{1}\"\nport = 0\n"
                  "listen = \"tcp://127.0.0.1:*\"\ntoken_file = \"{0}/token\"\n"
                  "[keys]\nown = \"{0}/coordinator-keys.toml\"\nagents = \"{0}/agents.toml\"\n"
                  "[metrics]\nport = 0\n",
                  folder_.path().string(), traces.string()) +
          storage);
  coordinator_ =
      limited_program(options_.limit, "tracebed-coordinator", {"--config", config.string()});
  coordinator_->wait_until([&] { return coordinator_->out().ends_with('\n'); });
  const std::string line = coordinator_->out();
  address_ = line.substr(line.rfind(' ') + 1);
  address_.pop_back();
}

void LongRunningCluster::start_agent(int number, const std::string& endpoint) {
  const std::string agent = fmt::format("lab{}", number);
  const std::string socket = folder_.file(agent + ".sock");
  launchers_.push_back(limited_program(
      options_.limit, "tracebed-launcher",
      {"--run", name_, "--agent", agent, "--isolation", "auto", "--listen", socket, "--agent-user",
       std::to_string(::getuid()), "--task", program_path("tracebed-task").string(), "--appmaster",
       program_path("tracebed-appmaster").string()}));
  std::string text = fmt::format(
      "coordinator = \"{}\"\nname = \"{}\"\naddress = \"{}\"\n"
      "launcher_socket = \"{}\"\n[capacity]\nvcores = 2\nmemory = \"1 GiB\"\n"
      "[keys]\nown = \"{}\"\ncoordinator = \"{}\"\n[metrics]\nport = 0\n",
      endpoint, agent, address_of(number), socket, folder_.file(agent + "-keys.toml"),
      coordinator_key_);
  const std::vector<int>& keepers = options_.keep_outputs;
  if (std::find(keepers.begin(), keepers.end(), number) != keepers.end()) {
    text += fmt::format("[shuffle]\nfolder = \"{}\"\nport = {}\n",
                        outputs_folder(agents_.size()).string(), free_port(address_of(number)));
  }
  folder_.write(agent + ".toml", text);
  agents_.push_back(
      limited_program(options_.limit, "tracebed-agent", {"--config", agent_config(number)}));
}

std::string LongRunningCluster::agent_config(int number) const {
  return folder_.file(fmt::format("lab{}.toml", number));
}

std::filesystem::path LongRunningCluster::outputs_folder(std::size_t number) const {
  return folder_.path() / fmt::format("lab{}-outputs", number + 1);
}

void LongRunningCluster::restart_agent(std::size_t number) {
  agents_[number]->signal(SIGKILL);
  agents_[number]->wait();
  agents_[number] = limited_program(options_.limit, "tracebed-agent",
                                    {"--config", agent_config(static_cast<int>(number) + 1)});
}

void LongRunningCluster::start_datanode(int number, const std::string& endpoint) {
  const std::string agent = fmt::format("lab{}", number);
  const std::string address = address_of(number);
  const auto config =
      folder_.write(agent + "-datanode.toml",
                    fmt::format("coordinator = \"{}\"\nname = \"{}\"\naddress = \"{}\"\n"
                                "transfer_port = {}\nhttp_port = {}\nfolder = \"{}\"\n"
                                "[keys]\nown = \"{}\"\ncoordinator = \"{}\"\n",
                                endpoint, agent, address, free_port(address), free_port(address),
                                folder_.file(agent + "-replicas"),
                                folder_.file(agent + "-keys.toml"), coordinator_key_));
  datanodes_.push_back(
      limited_program(options_.limit, "tracebed-datanode", {"--config", config.string()}));
}

std::vector<std::string> LongRunningCluster::outputs_of_runs(std::size_t number) const {
  std::vector<std::string> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(outputs_folder(number), none)) {
    if (entry.is_directory()) found.push_back(entry.path().filename());
  }
  return found;
}

std::vector<std::string> LongRunningCluster::client_flags() const {
  return {"--coordinator", address_, "--token-file", folder_.file("token")};
}

ProgramEnd LongRunningCluster::ask(std::vector<std::string> arguments) const {
  const std::vector<std::string> flags = client_flags();
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return tracebed_program(arguments);
}

std::uint16_t LongRunningCluster::control_port() const {
  return static_cast<std::uint16_t>(std::stoi(address_.substr(address_.rfind(':') + 1)));
}

// 0 if it has not said it yet.
std::uint16_t LongRunningCluster::port_of_metrics(const RunningProgram& daemon) {
  const std::string log = daemon.error();
  const std::string before = "metrics at http://127.0.0.1:";
  const std::size_t at = log.find(before);
  if (at == std::string::npos) return 0;
  return static_cast<std::uint16_t>(std::stoi(log.substr(at + before.size())));
}

std::string LongRunningCluster::metrics_of(const RunningProgram& daemon) const {
  const std::uint16_t port = port_of_metrics(daemon);
  if (port == 0) return {};
  const std::string token = contents(folder_.path() / "token");
  const bool wants_token = &daemon == coordinator_.get();
  return test::http_body(test::http_get(
      port, "/metrics", wants_token ? test::bearer(token.substr(0, token.find('\n'))) : ""));
}

}  // namespace tracebed

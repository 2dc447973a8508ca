#include "agents/agent/agent_file.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "support/temporary_folder.h"
#include "system/own_machine.h"

namespace tracebed::agent {
namespace {

class AgentFileTest : public testing::Test {
 protected:
  AgentFile read(const std::string& text) {
    std::ofstream(path_) << text;
    return read_agent_file(path_);
  }
  std::string fault(const std::string& text) {
    try {
      read(text);
    } catch (const InputError& error) {
      std::string message = error.what();
      EXPECT_TRUE(message.starts_with(path_)) << message;
      return message.substr(std::min(path_.size(), message.size()));
    }
    return "accepted";
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("agent.toml");
};

TEST_F(AgentFileTest, SaysWhatAMachineIs) {
  const AgentFile file = read(R"(coordinator = "tcp://10.0.0.1:7411"
name = "lab1"
rack = "/r1"
labels = ["ssd", "fast"]
address = "10.0.0.2"
[capacity]
vcores = 2.5
reserved_memory = "1 GiB"
resources = [4]
)");
  EXPECT_EQ(file.name, "lab1");
  EXPECT_THAT(file.labels, testing::ElementsAre("ssd", "fast"));
  const Resources capacity = capacity_of(file, Resources(8'000, 16'384));
  EXPECT_EQ(capacity.milli_vcores(), 2'500);
  EXPECT_EQ(capacity.memory_mib(), 15'360);
  EXPECT_EQ(capacity[2], 4);
}

TEST_F(AgentFileTest, IsRefusedWithFileLineAndKey) {
  const std::string good = "coordinator = \"tcp://10.0.0.1:7411\"\naddress = \"10.0.0.2\"\n";
  EXPECT_EQ(fault("address = \"10.0.0.2\"\n"), ":1: coordinator: this key is missing");
  EXPECT_EQ(fault(good + "rak = \"/r\"\n"), ":3: rak: unknown key; did you mean rack?");
  EXPECT_EQ(fault(good + "rack = \"r\"\n"), ":3: rack: expected a path like \"/rack1\", got \"r\"");
  EXPECT_EQ(fault(good + "interface = \"eth0\"\n"),
            ":3: interface: expected either this or `address`, got both");
  EXPECT_EQ(fault("coordinator = \"x\"\naddress = \"10.0.0\"\n"),
            ":2: address: expected an IPv4 address, got \"10.0.0\"");
  EXPECT_EQ(fault(good + "[capacity]\nmemory = \"1.5 MiB\"\n"),
            ":4: capacity.memory: expected a whole number of MiB, got \"1.5 MiB\"");
  EXPECT_EQ(fault(good + "[keys]\nown = \"k\"\ncoordinator = \"short\"\n"),
            ":5: keys.coordinator: expected a key of 40 characters of Z85, got 5 characters");
  EXPECT_EQ(fault("coordinator = \"x\"\n"),
            ": expected `address` or `interface`, the source of connections, got neither");
}

TEST_F(AgentFileTest, OpensItsFiguresToTheMachineAloneWithoutAToken) {
  const std::string good = "coordinator = \"x\"\naddress = \"10.0.0.2\"\n";
  EXPECT_FALSE(read(good).metrics_port);
  EXPECT_EQ(read(good + "[metrics]\nport = 7415\n").metrics_address, "127.0.0.1");
  const std::string opened = good + "[metrics]\nport = 7415\naddress = \"10.0.0.2\"\n";
  EXPECT_EQ(fault(opened),
            ": metrics.address: expected an address of the loopback interface, as there is no "
            "`token_file`, got 10.0.0.2");
  EXPECT_EQ(read(opened + "token_file = \"/t\"\n").metrics_token_file, "/t");
}

TEST_F(AgentFileTest, KeepsOutputsIfItIsSaidWhereAndOnlyThen) {
  const std::string good = "coordinator = \"x\"\naddress = \"10.0.0.2\"\n";
  EXPECT_FALSE(read(good).shuffle);
  const AgentFile by_default = read(good + "[shuffle]\n");
  ASSERT_TRUE(by_default.shuffle);
  EXPECT_EQ(by_default.shuffle->folder, "/var/lib/tracebed-shuffle");
  EXPECT_EQ(by_default.shuffle->port, 13'562);
  EXPECT_EQ(by_default.shuffle->connections_max, 256u);
  const AgentFile chosen =
      read(good + "[shuffle]\nfolder = \"/data/out\"\nport = 1\nconnections = 9\n");
  EXPECT_EQ(chosen.shuffle->folder, "/data/out");
  EXPECT_EQ(chosen.shuffle->port, 1);
  EXPECT_EQ(chosen.shuffle->connections_max, 9u);
  EXPECT_EQ(fault(good + "[shuffle]\nfolder = \"out\"\n"),
            ":4: shuffle.folder: expected an absolute path, got \"out\"");
  EXPECT_EQ(fault(good + "[shuffle]\nport = 0\n"),
            ":4: shuffle.port: expected a whole number from 1 to 65535, got 0");
  EXPECT_EQ(fault(good + "[shuffle]\nconnections = 0\n"),
            ":4: shuffle.connections: expected a whole number from 1 to 100000, got 0");
  EXPECT_EQ(fault(good + "[shuffle]\nprot = 1\n"),
            ":4: shuffle.prot: unknown key; did you mean port?");
}

TEST_F(AgentFileTest, AReserveThatLeavesNothingIsRefused) {
  const AgentFile file =
      read("coordinator = \"x\"\naddress = \"10.0.0.2\"\n[capacity]\nreserved_vcores = 8\n");
  EXPECT_THROW(capacity_of(file, Resources(8'000, 16'384)), InputError);
}

TEST(AddressOfInterface, IsThatOfTheLoopbackInterface) {
  EXPECT_EQ(address_of_interface("lo"), "127.0.0.1");
  EXPECT_THROW(address_of_interface("nosuch0"), EnvironmentError);
}

}  // namespace
}  // namespace tracebed::agent

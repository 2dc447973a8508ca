#include "agents/datanode_link/datanode_file.h"

#include <fstream>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

class DatanodeFileTest : public testing::Test {
 protected:
  DatanodeFile read(const std::string& text) {
    std::ofstream(path_) << text;
    return read_datanode_file(path_);
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
  std::string path_ = folder_.file("datanode.toml");
};

const std::string good = "coordinator = \"tcp://10.0.0.1:7411\"\naddress = \"10.0.0.2\"\n";

TEST_F(DatanodeFileTest, HasHdfsPortsUnlessItNamesOthers) {
  EXPECT_EQ(read(good).transfer_port, 9'866);
  EXPECT_EQ(read(good).http_port, 9'864);
  const DatanodeFile file = read(good + "transfer_port = 50010\nhttp_port = 50075\n");
  EXPECT_EQ(file.transfer_port, 50'010);
  EXPECT_EQ(file.http_port, 50'075);
}

TEST_F(DatanodeFileTest, HasTheAddressOfTheInterfaceThatItNames) {
  EXPECT_EQ(read(good).address, "10.0.0.2");
  EXPECT_EQ(read("coordinator = \"x\"\ninterface = \"lo\"\n").address, "127.0.0.1");
}

TEST_F(DatanodeFileTest, IsNamedAsItsHostUnlessItHasAName) {
  EXPECT_FALSE(read(good).name.empty());
  EXPECT_EQ(read(good + "name = \"lab1\"\n").name, "lab1");
}

TEST_F(DatanodeFileTest, IsRefusedWithFileLineAndKey) {
  EXPECT_EQ(fault("address = \"10.0.0.2\"\n"), ":1: coordinator: this key is missing");
  EXPECT_EQ(fault("coordinator = \"x\"\n"),
            ": expected `address` or `interface`, where it listens, got neither");
  EXPECT_EQ(fault(good + "foldr = \"/r\"\n"), ":3: foldr: unknown key; did you mean folder?");
  EXPECT_EQ(fault(good + "interface = \"eth0\"\n"),
            ":3: interface: expected either this or `address`, got both");
  EXPECT_EQ(fault(good + "transfer_port = 0\n"),
            ":3: transfer_port: expected a whole number from 1 to 65535, got 0");
  EXPECT_EQ(fault(good + "[keys]\nown = \"k\"\ncoordinator = \"short\"\n"),
            ":5: keys.coordinator: expected a key of 40 characters of Z85, got 5 characters");
}

}  // namespace
}  // namespace tracebed

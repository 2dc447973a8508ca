// Racks by a table, and by a topology script that works, fails, hangs or prints too much.
#include "coordinator/workload/machine_racks.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

std::vector<Machine> machines(std::size_t count) {
  std::vector<Machine> list(count);
  for (std::size_t i = 0; i < count; ++i) list[i].name = "node" + std::to_string(i + 1);
  return list;
}

class TopologyScript : public testing::Test {
 protected:
  TopologyChoice script(const std::string& body) {
    const std::filesystem::path file = folder_.write("topology.sh", "#!/bin/sh\n" + body + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    TopologyChoice topology;
    topology.script = file.string();
    topology.script_where = "x.toml:3: storage.topology_script";
    return topology;
  }
  std::string fault_of(const TopologyChoice& topology) {
    std::vector<Machine> list = machines(2);
    try {
      set_racks(topology, list);
    } catch (const InputError& error) {
      const std::string text = error.what();
      EXPECT_THAT(text, testing::StartsWith("x.toml:3: storage.topology_script: "));
      return text;
    }
    return "none";
  }
  TemporaryFolder folder_;
};

TEST_F(TopologyScript, PrintsARackForEachOfItsArguments) {
  TopologyChoice topology = script("for name; do echo \"/$# rack-${name#node}\" | tr -d ' '; done");
  topology.script_args = 3;
  std::vector<Machine> list = machines(5);
  set_racks(topology, list);
  EXPECT_EQ(list[0].rack, "/3rack-1");
  EXPECT_EQ(list[2].rack, "/3rack-3");
  EXPECT_EQ(list[4].rack, "/2rack-5");
}

TEST_F(TopologyScript, IsRefusedWithItsPlaceAndReason) {
  EXPECT_THAT(fault_of(script("echo /a; echo /b")), "none");
  EXPECT_THAT(fault_of(script("echo /a")), HasSubstr("to print 2 racks, one for each argument, got "
                                                     "none for node2"));
  EXPECT_THAT(fault_of(script("echo /a /b /c")), HasSubstr("got more: \"/c\""));
  EXPECT_THAT(fault_of(script("echo a /b")), HasSubstr("racks like /rack1, got \"a\" for node1"));
  EXPECT_THAT(fault_of(script("echo no such table >&2; exit 3")),
              HasSubstr("ended with exit code 3: no such table"));
  EXPECT_THAT(fault_of(script("kill -9 $$")), HasSubstr("ended by signal 9"));
  EXPECT_THAT(fault_of(script("yes")), HasSubstr("printed more than 2048 bytes"));
  TopologyChoice missing = script("");
  missing.script += ".none";
  EXPECT_THAT(fault_of(missing), HasSubstr("cannot be started: No such file or directory"));
}

TEST_F(TopologyScript, IsKilledWithItsChildrenWhenItDoesNotEndInTime) {
  TopologyChoice hanging = script("echo /a /b; sleep 1000 & sleep 1000");
  hanging.script_timeout = milliseconds(50);
  EXPECT_THAT(fault_of(hanging), HasSubstr("did not end within 50 ms"));
  TopologyChoice silent = script("exec >&- 2>&-; sleep 1000");
  silent.script_timeout = milliseconds(50);
  EXPECT_THAT(fault_of(silent), HasSubstr("did not end within 50 ms"));
}

TEST(RackTable, LeavesMachinesThatItDoesNotNameWhereTheyAre) {
  std::vector<Machine> list = machines(2);
  TopologyChoice topology;
  topology.racks = {{"node2", "/far"}};
  set_racks(topology, list);
  EXPECT_EQ(list[0].rack, "/default-rack");
  EXPECT_EQ(list[1].rack, "/far");
}

}  // namespace
}  // namespace tracebed

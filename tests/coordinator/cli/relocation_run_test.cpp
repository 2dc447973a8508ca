// Tasks that leave a machine whose disk is saturated, in a whole run on modelled machines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>

#include "coordinator/cli/program.h"
#include "core/exit_codes.h"
#include "support/csv_rows.h"
#include "support/files.h"

namespace tracebed {
namespace {

using testing::HasSubstr;

// All blocks are on node1, which reads them for the eight maps on node1 and node2.
ProgramEnd run_by_io(const TemporaryFolder& folder, const std::string& storage) {
  folder.write(
      "maps.csv",
      "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,input_path\n"
      "maps,0,grep,4000000000,8,0,1,512,,,/data/maps\n");
  const auto file =
      folder.write("io.toml",
                   "name = \"io\"\nworld = \"virtual\"\nschedulers = [\"binpack\"]\n"
                   "repetitions = 1\n[trace]\nfile = \"maps.csv\"\n"
                   "[cluster]\nnodes = 4\nvcores = 4\nmemory = \"8 GiB\"\n"
                   "[relocation]\nio = true\ninterval_ms = 5000\nsettled_ms = 5000\n" +
                       storage);
  return tracebed_program({"run", file.string(), "--output", folder.file("run")});
}

TEST(RelocationRun, TakesTasksFromAMachineWhoseDiskIsSaturated) {
  const TemporaryFolder folder;
  const ProgramEnd end =
      run_by_io(folder,
                "[storage]\nreplication = 1\nwriter = \"node1\"\n"
                "disk_rate = \"2 MB/s\"\n[storage.namenode]\nsafemode = false\n");
  ASSERT_EQ(end.exit_code, 0) << end.error;
  std::map<std::string, int> ended;  // by node and end
  for (const CsvRow& row : csv_rows(folder.path() / "run" / "binpack" / "tasks.csv")) {
    ++ended[row.at("node") + " " + row.at("end")];
  }
  EXPECT_EQ(ended, (std::map<std::string, int>{
                       {"node1 preempted", 4}, {"node2 succeeded", 4}, {"node3 succeeded", 4}}));
}

TEST(RelocationRun, IsRefusedWhereNothingWaitsForADisk) {
  for (const char* storage : {"", "[storage]\ndisk_rate = \"unlimited\"\n"}) {
    const TemporaryFolder folder;
    const ProgramEnd end = run_by_io(folder, storage);
    EXPECT_EQ(end.exit_code, to_int(ExitCode::input)) << end.error;
    EXPECT_THAT(end.error, HasSubstr("relocation.io: expected false"));
  }
}

}  // namespace
}  // namespace tracebed

// Every defect of an experiment, with the message that it gets: a table of text and expectation.
#include <gtest/gtest.h>
#include <vector>

#include "coordinator/config/load_experiment.h"
#include "core/input_error.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

// A good experiment, in which `line` replaces the line that begins with the same key (up to " =").
// A line of another key is put at the front; one that begins with "[" at the end.
std::string with_line(const std::string& line) {
  const std::vector<std::string> good{
      "name = \"x\"", "world = \"virtual\"", "schedulers = [\"fifo\"]",
      "[trace]",      "file = \"jobs.tsv\"", "[cluster]",
      "nodes = 2",    "vcores = 2",          "memory = \"1 GiB\""};
  const std::string key = line.substr(0, line.find('=') + 1);
  std::string text;
  bool is_placed = false;
  for (const std::string& good_line : good) {
    const bool is_replaced = !key.empty() && good_line.starts_with(key);
    is_placed = is_placed || is_replaced;
    text += (is_replaced ? line : good_line) + "\n";
  }
  if (is_placed) return text;
  return line.starts_with("[") ? text + line + "\n" : line + "\n" + text;
}

struct Defect {
  const char* line;
  const char* message;  // after the file's name
};

// Lines of the good text: name 1, world 2, schedulers 3, [trace] 4, file 5, [cluster] 6, nodes 7,
// vcores 8, memory 9; a line put in front moves them down by one.
const Defect defects[] = {
    {"name = \"a b\"",
     ":1: name: expected a name of letters, digits and - _ . (it becomes a folder's name), got "
     "\"a b\""},
    {"name = \"../x\"",
     ":1: name: expected a name of letters, digits and - _ . (it becomes a folder's name), got "
     "\"../x\""},
    {"name = \"\"", ":1: name: expected a text of one line, not empty, got \"\""},
    {"name = 3", ":1: name: expected a text, got 3"},
    {"name = ", ":1: not TOML: "},
    {"world = \"clusters\"",
     ":2: world: expected \"virtual\", \"local\" or \"cluster\", got \"clusters\""},
    {"world = 1979-05-27",
     ":2: world: expected \"virtual\", \"local\" or \"cluster\", got a date or time"},
    {"[sweep]\nseed = [1, 2]",
     ":10: sweep: one experiment is expected here, and this is many: `tracebed sweep run` runs a "
     "file with [sweep]"},
    {"sede = 3", ":1: sede: unknown key; did you mean seed?"},
    {"frobnicate = 3", ":1: frobnicate: unknown key; known are name, world, seed, "},
    {"seed = -1", ":1: seed: expected a whole number from 0 to 9223372036854775807, got -1"},
    {"repetitions = 0", ":1: repetitions: expected a whole number from 1 to 1000, got 0"},
    {"repetitions = 1.5", ":1: repetitions: expected a whole number from 1 to 1000, got 1.5"},
    {"[vary]\nrun_times = 0.6", ":11: vary.run_times: expected a number from 0 to 0.5, got 0.6"},
    {"[vary]\nsubmit_times = 0.1\n[replay]\nmode = \"at_once\"",
     ":10: vary: submit_times: expected only where replay.mode is \"trace\", since other modes "
     "ignore the trace's submit times"},
    {"[compare]\nnoise = 3", ":11: compare.noise: expected true or false, got 3"},
    {"[virtual]\nparallel = 0",
     ":11: virtual.parallel: expected a whole number from 1 to 256, got 0"},
    {"schedulers = [\"noise\"]",
     ":3: schedulers[0]: \"noise\" is reserved for the baseline's runs against itself; give the "
     "scheduler another `label`"},
    {"paranoid = \"yes\"", ":1: paranoid: expected true or false, got \"yes\""},
    {"schedulers = \"fifo\"", ":3: schedulers: expected an array, got \"fifo\""},
    {"[[refresh]]\nat = \"1s\"\nscheduler = \"fair\"\nx = 1",
     ":10: refresh[0]: expected `scheduler` to be the label of one of the experiment's schedulers, "
     "got \"fair\""},
    {"[[refresh]]\nx = 1", ":10: refresh[0].at: this key is missing"},
    {"[[refresh]]\nat = \"1s\"", ":10: refresh[0]: expected a setting of the scheduler, got none"},
    {"[[controller]]\nqueue = \"a\"", ":10: controller[0].name: this key is missing"},
    {"[[controller]]\nname = \"lian2020\"\nscheduler = \"fair\"",
     ":11: controller[0].name: expected `scheduler` to be the label of one of the experiment's "
     "schedulers, got \"fair\""},
    {"[[controller]]\nname = \"lian2020\"",
     ":11: controller[0].name: expected am = \"container\", since a controller changes how much of "
     "a queue the containers of masters may take"},
    {"[[controller]]\nname = \"a\"\nlatency = \"-1s\"", ":12: controller[0].latency: expected"},
    {"[[controller]]\nname = \"a\"\nstart = \"later\"", ":12: controller[0].start: expected"},
    {"schedulers = []", ": no scheduler: expected schedulers = [\"…\"] or a [[scheduler]] table"},
    {"schedulers = [\"fifo\", 3]", ":3: schedulers[1]: expected a text, got 3"},
    {"schedulers = [\"fifo\", \"fifo\"]",
     ":3: schedulers[1]: there are two schedulers with the label \"fifo\"; give one of them "
     "another "
     "`label`"},
    {"[[scheduler]]\nlabel = \"x\"", ":10: scheduler[0].name: this key is missing"},
    {"[[scheduler]]\nname = \"random\"\nlist = [1]",
     ":12: scheduler[0].list: expected a text, a number, true or false, got an array"},
    {"file = \"nowhere.tsv\"", ":5: trace.file: no such trace file or folder: "},
    {"file = \"${TRACEBED_TRACES}/x\"",
     ":5: trace.file: \"${TRACEBED_TRACES}/x\" needs the environment variable TRACEBED_TRACES, the "
     "folder of the traces, which is not set"},
    {"file = \"jobs.tsv\"\njobs = 0",
     ":6: trace.jobs: expected a whole number from 1 to 1000000000000, got 0"},
    {"file = \"jobs.tsv\"\nfrom = \"2h\"\nuntil = \"1h\"",
     ":7: trace.until: expected a time later than trace.from, got \"1h\""},
    {"file = \"jobs.tsv\"\nfrom = 7",
     ":6: trace.from: expected a duration like \"250ms\", \"3s\" or \"1h\" (us, ms, s, m, h, d), "
     "got 7"},
    {"file = \"jobs.tsv\"\nfrom = \"7 parsecs\"",
     ":6: trace.from: expected a duration like \"250ms\", \"3s\" or \"1h\" (us, ms, s, m, h, d), "
     "got \"7 parsecs\": \"parsecs\" is no known unit"},
    {"file = \"jobs.tsv\"\nbad_lines = \"ignore\"",
     ":6: trace.bad_lines: expected \"stop\" or \"skip\", got \"ignore\""},
    {"file = \"jobs.tsv\"\nfromat = \"swim\"",
     ":6: trace.fromat: unknown key; did you mean format?"},
    {"[trace.rules]\nx = []",
     ":11: trace.rules.x: expected a text, a number, true or false, got an array"},
    {"scale.time = 0", ":1: scale.time: expected a number from 1e-09 to 1000000000, got 0"},
    {"scale.time = nan", ":1: scale.time: expected a number from 1e-09 to 1000000000, got nan"},
    {"scale.times = 2", ":1: scale.times: unknown key; did you mean time?"},
    {"scale = 2", ":1: scale: expected a table, got 2"},
    {"nodes = 0", ":7: cluster.nodes: expected a whole number from 1 to 100000, got 0"},
    {"vcores = 0", ":8: cluster.vcores: expected a number from 0.001 to 10000, got 0"},
    {"vcores = 0.0005", ":8: cluster.vcores: expected a number from 0.001 to 10000, got 0.0005"},
    {"vcores = 1.2345",
     ":8: cluster.vcores: expected vcores with at most three digits after the point, got 1.2345"},
    {"memory = \"8 GB\"", ":9: cluster.memory: expected a whole number of MiB, got \"8 GB\""},
    {"memory = \"1 KiB\"",
     ":9: cluster.memory: expected a size from 1 MiB to 1024 TiB, got \"1 KiB\""},
    {"memory = 8192", ":9: cluster.memory: expected a size like \"128 MiB\" or \"8 GiB\" "},
    {"nodes = 2\nracks = 3", ":8: cluster.racks: expected a whole number from 1 to 2, got 3"},
    {"nodes = 2\nextra = { memory = 3 }",
     ":8: cluster.extra.memory: this dimension is not an extra one; set it in the group itself"},
    {"nodes = 100000\nlabels = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\", "
     "\"j\", "
     "\"k\"]",
     ":6: cluster: expected at most 1000000 labels of all nodes together, got 1100000"},
    {"nodes = 2\nextra = { a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1 }",
     ":6: cluster: expected at most 6 extra dimensions, got more"},
    {"nodes = 2\nextra = { gpu = 3 }\ndevices = { gpus = 1 }",
     ":9: cluster.devices.gpus: expected the name of a further resource that machines have"},
    {"nodes = 2\nextra = { gpu = 3 }\ndevices = { memory = 1 }",
     ":9: cluster.devices.memory: expected the name of a further resource that machines have"},
    {"nodes = 2\nextra = { gpu = 3 }\ndevices = { gpu = -1 }",
     ":9: cluster.devices.gpu: expected a whole number from 0 to 1000000, got -1"},
    {"nodes = 2\nextra = { gpu = 3 }\ndevices = { gpu = 2 }",
     ":6: cluster: node1: expected whole devices, a multiple of 2 of gpu (cluster.devices), got 3"},
    {"nodes = 2\nextra = { gpu_milli = 2500 }",
     ":6: cluster: node1: expected whole devices, a multiple of 1000 of gpu_milli"},
    {"nodes = 2\nheartbeat = \"0s\"",
     ":8: cluster.heartbeat: expected a duration from 1ms to 1h, got \"0s\""},
    {"[[cluster.group]]\nnodes = 1\nvcores = 1\nmemory = \"1 GiB\"",
     ":9: cluster.memory: unknown key; known are group, heartbeat, "},
    {"[[cluster.change]]\nnode = \"node3\"\nat = \"1s\"\nstate = \"down\"",
     ":10: cluster.change[0]: expected a node from node1 to node2, got \"node3\""},
    {"[[cluster.change]]\nnode = \"node1\"\nat = \"1s\"\nstate = \"up\"\n"
     "[[cluster.change]]\nnode = \"node1\"\nat = \"2s\"\nstate = \"up\"",
     ":10: cluster.change: node1 is set up twice in a row"},
    {"[[cluster.change]]\nnode = \"node1\"\nat = \"1s\"",
     ":10: cluster.change[0].state: this key is missing"},
    {"compare.matters_from = -1",
     ":1: compare.matters_from: expected a number from 0 to 1, got -1"},
    {"compare.primry = \"makespan\"", ":1: compare.primry: unknown key; did you mean primary?"},
    {"faults.late_answers = 1.5",
     ":1: faults.late_answers: expected a number from 0 to 1, got 1.5"},
    {"faults = { late_answers = 0.6, crashes_during_preemption = 0.5 }",
     ":1: faults: a master attempt has at most one fault: expected probabilities that add up to at "
     "most 1, got 1.1"},
    {"faults.deaths_owing = 0.5",
     ":1: faults.deaths_owing: unknown key; it was renamed to `crashes_during_preemption`"},
    {"agents.patience = \"60s\"", ":1: agents.patience: unknown key; it was renamed to `timeout`"},
    {"replay.think = \"5s\"", ":1: replay.think: unknown key; it was renamed to `think_time`"},
    {"faults.late_answers = 0.1",
     ":1: faults: expected am = \"container\" with faults of masters, since other masters make no "
     "calls"},
    {"[[crash]]\nnode = \"node1\"", ":10: crash[0]: expected one of `at` and `when`"},
    {"[[crash]]\nat = \"1s\"\nwhen = \"preemption\"",
     ":10: crash[0]: expected one of `at` and `when`"},
    {"[[crash]]\nat = \"1s\"", ":10: crash[0].node: this key is missing"},
    {"[[crash]]\nwhen = \"late\"", ":11: crash[0].when: expected \"preemption\", got \"late\""},
    {"[[crash]]\nwhen = \"preemption\"\ndown = \"0s\"",
     ":12: crash[0].down: expected a duration from 1ms to "},
    {"[[crash]]\nat = \"1s\"\nnode = \"node3\"",
     ":10: crash[0]: expected `node` to be the name of one of the 2 machines of the cluster, got "
     "\"node3\""},
    {"virtual.model = \"perfect\"",
     ":1: virtual.model: expected \"modelled\" or \"ideal\", got \"perfect\""},
    {"virtual.launch_spread = 0.5",
     ":1: virtual.launch_spread: expected a number from 1 to 1000, got 0.5"},
    {"virtual.swap_cost = -1", ":1: virtual.swap_cost: expected a number from 0 to 1000, got -1"},
    {"virtual.heartbeat_jitter_spread = 0",
     ":1: virtual.heartbeat_jitter_spread: expected a number from 1 to 1000, got 0"},
    {"virtual.master_startup_spread = 0.5",
     ":1: virtual.master_startup_spread: expected a number from 1 to 1000, got 0.5"},
    {"virtual.task_overhead_spread = 0.5",
     ":1: virtual.task_overhead_spread: expected a number from 1 to 1000, got 0.5"},
    {"virtual.calibration = 3", ":1: virtual.calibration: expected a text, got 3"},
    {"virtual.launch_latency = \"2h\"",
     ":1: virtual.launch_latency: expected a duration from 0us to 1h, got \"2h\""},
    {"log.durability = \"sometimes\"",
     ":1: log.durability: expected \"none\", \"every-second\" or \"always\", got \"sometimes\""},
    {"masters.slow_start = []",
     ":1: masters.slow_start: expected a text, a number, true or false, got an array"},
    {"local.isolation = \"docker\"",
     ":1: local.isolation: expected \"auto\", \"cgroup\" or \"none\", got \"docker\""},
    {"local.agent_lost_after = \"10ms\"",
     ":1: local.agent_lost_after: expected a duration from 1s to 1h, got \"10ms\""},
    {"local.oversubscribe = 1", ":1: local.oversubscribe: expected true or false, got 1"},
};

class BadExperiment : public testing::TestWithParam<Defect> {
 protected:
  BadExperiment() { folder_.write("jobs.tsv", ""); }
  TemporaryFolder folder_;
};

TEST_P(BadExperiment, IsRefusedWithPlaceAndReason) {
  const std::filesystem::path file = folder_.write("bad.toml", with_line(GetParam().line));
  try {
    load_experiment(file, std::nullopt);
    FAIL() << "accepted: " << GetParam().line;
  } catch (const InputError& error) {
    const std::string expected = file.string() + GetParam().message;
    EXPECT_EQ(std::string(error.what()).substr(0, expected.size()), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, BadExperiment, testing::ValuesIn(defects));

std::string message_of(const std::filesystem::path& file, std::vector<Override> overrides = {}) {
  try {
    load_experiment(file, std::nullopt, overrides);
    return "accepted";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(BadExperimentFile, IsNamedWhenItIsMissingTooLargeOrNoFile) {
  const TemporaryFolder folder;
  const std::filesystem::path none = folder.path() / "none.toml";
  EXPECT_EQ(message_of(none), none.string() + ": cannot be read: No such file or directory");
  EXPECT_EQ(message_of(folder.path()), folder.path().string() + ": cannot be read: Is a directory");
  const auto large = folder.write("large.toml", std::string((1 << 20) + 1, '#'));
  EXPECT_EQ(message_of(large), large.string() + ": expected at most 1048576 bytes, got 1048577");
}

TEST(BadExperimentFile, AWrongOverrideIsNamedByItsFlag) {
  const TemporaryFolder folder;
  folder.write("jobs.tsv", "");
  const auto file = folder.write("good.toml", with_line("seed = 1"));
  EXPECT_EQ(message_of(file), "accepted");
  EXPECT_EQ(message_of(file, {{"--seed", "seed", "many"}}),
            "--seed: seed: expected a whole number from 0 to 9223372036854775807, got \"many\"");
  EXPECT_EQ(message_of(file, {{"--set scale.tmie", "scale.tmie", "2"}}),
            "--set scale.tmie: scale.tmie: unknown key; did you mean time?");
  EXPECT_EQ(message_of(file, {{"--set name.x", "name.x", "2"}}),
            "--set name.x: name is not a table");
}

TEST(BadExperimentFile, TheLocalWorldHasNoScheduleOfMachines) {
  const TemporaryFolder folder;
  folder.write("jobs.tsv", "");
  const auto file = folder.write(
      "a.toml", with_line("[[cluster.change]]\nnode = \"node1\"\nat = \"1s\"\nstate = \"down\""));
  EXPECT_EQ(message_of(file), "accepted");
  EXPECT_EQ(message_of(file, {{"--world", "world", "local"}}),
            file.string() + ": cluster.change: scheduled machine changes need the virtual world");
}

TEST(BadExperimentFile, ClustersHostsDoNotCrash) {
  const TemporaryFolder folder;
  folder.write("jobs.tsv", "");
  const auto file = folder.write("a.toml", with_line("[[crash]]\nwhen = \"preemption\""));
  EXPECT_EQ(message_of(file), "accepted");
  EXPECT_EQ(message_of(file, {{"--world", "world", "local"}}), "accepted");
  EXPECT_EQ(message_of(file, {{"--world", "world", "cluster"}}),
            file.string() +
                ":10: crash[0]: a run cannot crash the hosts of a cluster; expected world = "
                "\"virtual\" or \"local\"");
}

}  // namespace
}  // namespace tracebed

// What a task keeps for others and what it fetches, by real shuffle servers and a real
// coordinator's answers.
#include <algorithm>
#include <array>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

#include "agents/shuffle/shuffle_server.h"
#include "agents/task/own_shuffle_server.h"
#include "agents/task/profile_work.h"
#include "agents/task/spilled_runs.h"
#include "agents/task/task_fetch.h"
#include "agents/task/task_map_output.h"
#include "agents/task/task_spill.h"
#include "coordinator/namenode_server/namenode_rpc_server.h"
#include "coordinator/namenode_server/run_thread.h"
#include "core/shuffle.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

constexpr std::uint32_t some_job = 5;
constexpr std::uint16_t some_stage = 1;
constexpr std::int64_t sources = 7;
constexpr std::int64_t bytes_of_stage = 3'000'001;

// Machines 0 and 1 are in one rack.
constexpr std::array<const char*, 3> racks{"/r0", "/r0", "/r1"};

std::string address_of(std::size_t machine) {
  return "127.0.1." + std::to_string(machine + 1);
}

class TaskShuffle : public testing::Test {
 protected:
  TaskShuffle() {
    for (std::size_t i = 0; i < racks.size(); ++i) start_server(i);
  }
  void start_server(std::size_t machine) {
    ShuffleServerOptions options;
    options.address = address_of(machine);
    options.folder = folder_.path() / std::to_string(machine);
    options.key = key_;
    servers_[machine] = std::make_unique<ShuffleServer>(options);
    run_.gate().map_outputs().set_server(
        NodeId(machine), {options.address, servers_[machine]->port(), racks[machine]});
  }
  WorkSpec spec(std::int64_t container, std::size_t machine) const {
    WorkSpec made;
    made.container = container;
    made.input = {"127.0.0.1:" + std::to_string(coordinator_.port()), address_of(machine),
                  racks[machine]};
    made.work.shuffle_job = some_job;
    return made;
  }
  // A source's task on the machine makes its output, which is ready then.
  void put(std::uint32_t source, std::size_t machine, std::int64_t container) {
    WorkSpec map = spec(container, machine);
    map.work.map_output_length = shuffled_from(source, sources, bytes_of_stage);
    StopOrder stop;
    TaskMapOutput output(map, token_, stop);
    ASSERT_TRUE(output.write_to(map.work.map_output_length / 2));
    ASSERT_TRUE(output.write_to(map.work.map_output_length));
    ASSERT_TRUE(output.close());
    run_.gate().map_outputs().add({JobId(std::size_t{some_job}), some_stage, source,
                                   ContainerId(static_cast<std::size_t>(container)),
                                   NodeId(machine), 0});
  }
  // Of what tasks of the machine keep.
  std::vector<std::filesystem::path> files_of(std::size_t machine) const {
    std::vector<std::filesystem::path> files;
    const auto folder = folder_.path() / std::to_string(machine) / std::to_string(some_job);
    std::error_code none;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, none)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return files;
  }
  // A task on machine 0 that fetches half of it, from its middle.
  WorkSpec fetching() const {
    WorkSpec reduce = spec(99, 0);
    reduce.work.shuffle_stage = some_stage;
    reduce.work.shuffle_sources = sources;
    reduce.work.shuffle_offset = bytes_of_stage / 4;
    reduce.work.shuffle_length = bytes_of_stage / 2;
    reduce.work.shuffle_copies = 2;
    return reduce;
  }

  TemporaryFolder folder_;
  test::RunThread run_{3};
  NamenodeRpcServer coordinator_{run_.gate(), {}};
  shuffle::RunKey key_{std::array<std::byte, 32>{std::byte{7}}};
  shuffle::JobToken token_ = shuffle::job_token(key_, some_job);
  std::array<std::unique_ptr<ShuffleServer>, racks.size()> servers_;
};

TEST_F(TaskShuffle, FetchesItsPartOfEachOutputFromNearAndFar) {
  for (std::uint32_t source = 0; source < sources; ++source) put(source, source % 3, 10 + source);
  const WorkSpec reduce = fetching();
  StopOrder stop;
  TaskFetch fetch(reduce, token_, stop);
  EXPECT_TRUE(fetch.wait_for(fetch.length()));
  EXPECT_EQ(fetch.position(), bytes_of_stage / 2);
  const ReadBytes fetched = fetch.fetched();
  EXPECT_EQ(fetched.total(), bytes_of_stage / 2);
  // Of seven sources, three are here.
  EXPECT_NEAR(static_cast<double>(fetched.node_local), bytes_of_stage / 14.0 * 3, 3);
  EXPECT_NEAR(static_cast<double>(fetched.rack_local), bytes_of_stage / 14.0 * 2, 3);
  EXPECT_NEAR(static_cast<double>(fetched.off_rack), bytes_of_stage / 14.0 * 2, 3);
  EXPECT_GT(fetch.cpu_ns(), 0);
  fetch.end();
  EXPECT_FALSE(stop.has_come());
}

TEST_F(TaskShuffle, FetchesWhatBecomesReadyMeanwhile) {
  const WorkSpec reduce = fetching();
  StopOrder stop;
  TaskFetch fetch(reduce, token_, stop);
  EXPECT_TRUE(fetch.wait_for(0));
  put(3, 1, 10);
  EXPECT_TRUE(fetch.wait_for(1));
  EXPECT_LT(fetch.position(), fetch.length());
  for (const std::uint32_t source : {6u, 5u, 4u, 2u, 1u, 0u}) put(source, 2, 11 + source);
  EXPECT_TRUE(fetch.wait_for(fetch.length()));
}

// The machine of one is gone with what it had; another attempt makes it again.
TEST_F(TaskShuffle, FetchesFromAnotherMachineWhatIsMadeAgainThere) {
  for (std::uint32_t source = 0; source < sources; ++source) put(source, source % 3, 10 + source);
  servers_[2].reset();
  const WorkSpec reduce = fetching();
  StopOrder stop;
  TaskFetch fetch(reduce, token_, stop);
  EXPECT_TRUE(fetch.wait_for(bytes_of_stage / 14 * 5 - 7));
  EXPECT_LT(fetch.position(), fetch.length());
  put(2, 1, 30);
  put(5, 0, 31);
  EXPECT_TRUE(fetch.wait_for(fetch.length()));
  EXPECT_EQ(fetch.fetched().off_rack, 0);
}

TEST_F(TaskShuffle, EndsAtOnceWhenTheTaskIsOrderedToStop) {
  const WorkSpec reduce = fetching();
  StopOrder stop;
  TaskFetch fetch(reduce, token_, stop);
  put(0, 1, 10);
  EXPECT_TRUE(fetch.wait_for(1));
  stop.give();
  EXPECT_TRUE(fetch.wait_for(fetch.length()));
  fetch.end();
  EXPECT_EQ(fetch.position(), fetch.fetched().rack_local);
  EXPECT_FALSE(fetch.failure());
}

// It is made anew, from its first byte on.
TEST_F(TaskShuffle, PutsItsOutputAgainToAServerThatHasEndedMeanwhile) {
  WorkSpec map = spec(10, 1);
  map.work.map_output_length = 1'000'000;
  StopOrder stop;
  TaskMapOutput output(map, token_, stop);
  ASSERT_TRUE(output.write_to(700'000));
  servers_[1].reset();
  start_server(1);
  EXPECT_TRUE(output.write_to(1'000'000));
  EXPECT_TRUE(output.close());
  EXPECT_TRUE(output.close());
  EXPECT_EQ(servers_[1]->figures().bytes_put, 1'000'000u);
}

// The server that follows has the runs of the first.
TEST_F(TaskShuffle, MergesWhatItHasSpilledToAServerThatHasEndedMeanwhile) {
  const WorkSpec map = spec(10, 1);
  StopOrder stop;
  SpilledRuns runs(map, token_, stop);
  const std::array<std::vector<std::byte>, 2> spilled{std::vector<std::byte>(100'000, std::byte{1}),
                                                      std::vector<std::byte>(70'000, std::byte{2})};
  for (std::size_t run = 0; run < spilled.size(); ++run) {
    ASSERT_TRUE(runs.append(run, spilled[run]));
    ASSERT_TRUE(runs.finish(run));
  }
  servers_[1].reset();
  start_server(1);
  for (std::size_t run = 0; run < spilled.size(); ++run) {
    std::vector<std::byte> read(spilled[run].size() - 5);
    ASSERT_TRUE(runs.read(run, 5, read));
    EXPECT_TRUE(std::equal(read.begin(), read.end(), spilled[run].begin() + 5));
  }
  EXPECT_EQ(runs.bytes(), 170'000);
  EXPECT_FALSE(runs.failure());
}

// It reads in eight requests of 50,000 bytes.
TEST_F(TaskShuffle, SpillsAllBeforeItReadsItAgain) {
  WorkSpec map = spec(10, 1);
  map.work.spilled_length = 400'000;
  StopOrder stop;
  {
    TaskSpill spill(map, token_, stop);
    EXPECT_EQ(spill.length(), 800'000);
    ASSERT_TRUE(spill.move_to(399'999));
    EXPECT_EQ(spill.position(), 399'999);
    ASSERT_TRUE(spill.move_to(449'999));
    EXPECT_EQ(spill.position(), 400'000) << "no whole request";
    ASSERT_TRUE(spill.move_to(520'000));
    EXPECT_EQ(spill.position(), 500'000);
    ASSERT_TRUE(spill.move_to(800'000));
    EXPECT_EQ(spill.position(), 800'000);
    EXPECT_EQ(spill.bytes(), 400'000);
    EXPECT_EQ(servers_[1]->figures().bytes_put, 400'000u);
    EXPECT_TRUE(eventually([&] { return servers_[1]->figures().bytes_got == 400'000u; }));
    EXPECT_FALSE(files_of(1).empty());
  }
  EXPECT_TRUE(files_of(1).empty()) << "it is deleted with the task";
}

TEST_F(TaskShuffle, SpillsNoMoreOnceItIsOrderedToStop) {
  WorkSpec map = spec(10, 1);
  map.work.spilled_length = 300'000;
  StopOrder stop;
  TaskSpill spill(map, token_, stop);
  ASSERT_TRUE(spill.move_to(100'000));
  stop.give();
  EXPECT_TRUE(spill.move_to(600'000));
  EXPECT_EQ(spill.position(), 100'000);
  EXPECT_FALSE(spill.failure());
}

TEST_F(TaskShuffle, RefusesToSpillMoreThanAServerKeeps) {
  WorkSpec map = spec(10, 1);
  map.work.spilled_length = task_amount_max;
  StopOrder stop;
  TaskSpill spill(map, token_, stop);
  EXPECT_FALSE(spill.move_to(1));
  EXPECT_TRUE(spill.failure());
}

// The server is still there: what the task has spilled can be deleted.
TEST_F(TaskShuffle, KnowsItsServerWhenAStepIsInterruptedByTheOrderToStop) {
  const WorkSpec map = spec(10, 1);
  StopOrder stop;
  OwnShuffleServer server(map.input, stop);
  const auto outcome = server.perform([&](const hdfs::Endpoint&) -> shuffle::ClientStatus {
    stop.give();
    return shuffle::Failure{shuffle::FailureKind::interrupted, "interrupted"};
  });
  ASSERT_TRUE(outcome);
  EXPECT_EQ(*outcome, OwnShuffleServer::Outcome::stopped);
  ASSERT_TRUE(server.endpoint());
  EXPECT_EQ(server.endpoint()->port, servers_[1]->port());
}

// Nothing is gained by asking again, so that it does not wait as for a server that is to return.
TEST_F(TaskShuffle, FailsWhereItsServerDeniesItsToken) {
  WorkSpec map = spec(10, 1);
  map.work.map_output_length = 1'000;
  const shuffle::JobToken of_another = shuffle::job_token(key_, some_job + 1);
  StopOrder stop;
  TaskMapOutput output(map, of_another, stop);
  EXPECT_FALSE(output.write_to(1'000) && output.close());
  EXPECT_TRUE(output.failure());
}

// Ordered to stop once all is written and nothing is committed: its server has ended.
TEST_F(TaskShuffle, IsNotDoneBeforeItsOutputIsCommitted) {
  WorkSpec map = spec(10, 1);
  map.work.map_output_length = 1'000;
  map.threads = 1;
  StopOrder stop;
  TaskMapOutput output(map, token_, stop);
  ASSERT_TRUE(output.write_to(1'000));
  servers_[1].reset();
  std::thread orders([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.give();
  });
  TaskFiles files;
  files.map_output = &output;
  const auto done = do_profile_work(map, stop, files);
  orders.join();
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(*done, whole_work - 1);
}

TEST_F(TaskShuffle, FailsBeforeItKeepsMoreThanAServerTakes) {
  WorkSpec map = spec(10, 1);
  map.work.map_output_length = (std::int64_t{1} << 40) + 1;
  StopOrder stop;
  TaskMapOutput output(map, token_, stop);
  EXPECT_FALSE(output.write_to(1));
  ASSERT_TRUE(output.failure());
  EXPECT_THAT(output.failure()->message, testing::HasSubstr("1099511627776"));
}

TEST_F(TaskShuffle, FailsIfItsPartOfAnOutputIsBeyondWhatAServerKeeps) {
  run_.gate().map_outputs().add(
      {JobId(std::size_t{some_job}), some_stage, 3, ContainerId(std::size_t{10}),
       NodeId(std::size_t{1}),
       (std::int64_t{1} << 40) - shuffled_from(3, sources, bytes_of_stage / 4 * 3) + 1});
  const WorkSpec reduce = fetching();
  StopOrder stop;
  TaskFetch fetch(reduce, token_, stop);
  EXPECT_FALSE(fetch.wait_for(1));
  ASSERT_TRUE(fetch.failure());
  EXPECT_THAT(fetch.failure()->message, testing::HasSubstr("container 10"));
}

}  // namespace
}  // namespace tracebed

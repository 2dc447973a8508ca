// Where tasks find each other's outputs.
#include "coordinator/real/map_output_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr JobId some_job(3u);
constexpr NodeId left(0u);
constexpr NodeId right(1u);
const MapOutputDirectory::Server left_server{"127.0.1.1", 13'562, "/r1"};
const MapOutputDirectory::Server right_server{"127.0.1.2", 13'563, "/r2"};

MapOutputReady ready(std::uint32_t source, NodeId node, JobId job = some_job,
                     std::uint16_t stage = 1) {
  return {job, stage, source, ContainerId(100 + source), node, 10 * std::int64_t{source}};
}
MapOutputDirectory::Event event(std::uint32_t source, const MapOutputDirectory::Server& server) {
  return {source, ContainerId(100 + source), server, 10 * std::int64_t{source}};
}

class MapOutputDirectoryTest : public testing::Test {
 protected:
  MapOutputDirectoryTest() {
    outputs_.set_server(left, left_server);
    outputs_.set_server(right, right_server);
  }
  MapOutputDirectory outputs_;
};

TEST_F(MapOutputDirectoryTest, TellsWhatHasBecomeReadyInItsOrderAPartAtATime) {
  outputs_.add(ready(4, left));
  outputs_.add(ready(2, right));
  outputs_.add(ready(0, left));
  auto events = outputs_.events_of(some_job, 1, 0, 2);
  EXPECT_THAT(events.events, ElementsAre(event(4, left_server), event(2, right_server)));
  events = outputs_.events_of(some_job, 1, events.next, 2);
  EXPECT_THAT(events.events, ElementsAre(event(0, left_server)));
  EXPECT_EQ(events.next, 3u);
  EXPECT_THAT(outputs_.events_of(some_job, 1, 3, 2).events, IsEmpty());
  // From beyond the end on nothing is there, and the question can be asked again.
  EXPECT_EQ(outputs_.events_of(some_job, 1, 99, 2).next, 99u);
}

TEST_F(MapOutputDirectoryTest, KeepsJobsAndStagesApartAndForgetsJobsThatHaveEnded) {
  outputs_.add(ready(1, left));
  outputs_.add(ready(2, left, some_job, 2));
  outputs_.add(ready(3, left, JobId(4u)));
  EXPECT_THAT(outputs_.events_of(some_job, 2, 0, 9).events, ElementsAre(event(2, left_server)));
  outputs_.remove(some_job);
  EXPECT_THAT(outputs_.events_of(some_job, 1, 0, 9).events, IsEmpty());
  EXPECT_THAT(outputs_.events_of(some_job, 2, 0, 9).events, IsEmpty());
  EXPECT_THAT(outputs_.events_of(JobId(4u), 1, 0, 9).events, ElementsAre(event(3, left_server)));
}

// One that comes back listens at another port; its machine's outputs are told with that.
TEST_F(MapOutputDirectoryTest, NamesTheServerThatAMachineHasNow) {
  outputs_.add(ready(1, left));
  const MapOutputDirectory::Server other{"127.0.1.1", 4'000, "/r1"};
  outputs_.set_server(left, other);
  EXPECT_THAT(outputs_.events_of(some_job, 1, 0, 9).events, ElementsAre(event(1, other)));
  EXPECT_EQ(outputs_.server_at("127.0.1.1"), other);
  EXPECT_EQ(outputs_.server_of_machine(static_cast<std::uint32_t>(left.value()) + 1), other);
  EXPECT_EQ(outputs_.server_at("127.0.1.2")->port, 13'563);
  EXPECT_EQ(outputs_.server_at("127.0.1.3"), std::nullopt);
}

TEST_F(MapOutputDirectoryTest, StopsBeforeAnOutputWhoseServerIsNotKnown) {
  outputs_.add(ready(1, left));
  outputs_.add(ready(2, NodeId(7u)));
  outputs_.add(ready(3, left));
  const auto events = outputs_.events_of(some_job, 1, 0, 9);
  EXPECT_THAT(events.events, ElementsAre(event(1, left_server)));
  EXPECT_EQ(events.next, 1u);
  outputs_.clear();
  EXPECT_THAT(outputs_.events_of(some_job, 1, 0, 9).events, IsEmpty());
  EXPECT_EQ(outputs_.server_at("127.0.1.1"), std::nullopt);
}

}  // namespace
}  // namespace tracebed

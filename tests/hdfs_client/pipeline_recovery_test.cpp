// Writing to pipelines whose members fail.
#include <gmock/gmock.h>

#include "hdfs_client/file_writer_fixture.h"

namespace tracebed::hdfs {
namespace {

using std::chrono::milliseconds;
using test::block_size;
using test::FileWriterTest;
using test::PacketFate;
using test::random_bytes;
using test::view;
using testing::HasSubstr;

struct Break {
  const char* name;
  std::function<PacketFate(int, std::int64_t)> fate;
  std::function<int(int, std::int64_t)> bad_member;
};
void PrintTo(const Break& fault, std::ostream* out) {
  *out << fault.name;
}

template <class Value>
std::function<Value(int, std::int64_t)> at(int pipeline, std::int64_t packet, Value value,
                                           Value otherwise) {
  return [=](int number, std::int64_t sequence_number) {
    return number == pipeline && sequence_number >= packet ? value : otherwise;
  };
}

std::vector<Break> breaks() {
  constexpr auto stored = PacketFate::stored;
  return {
      {"closes_at_once", at(0, 0, PacketFate::closed, stored), {}},
      {"closes_in_the_middle", at(0, 2, PacketFate::closed, stored), {}},
      {"closes_at_the_last_packet", at(0, 4, PacketFate::closed, stored), {}},
      {"hangs", at(0, 1, PacketFate::hung, stored), {}},
      {"does_not_acknowledge", at(0, 1, PacketFate::unacknowledged, stored), {}},
      {"does_not_acknowledge_the_last_packet", at(0, 4, PacketFate::unacknowledged, stored), {}},
      {"first_member_fails", {}, at(0, 1, 0, -1)},
      {"second_member_fails", {}, at(0, 1, 1, -1)},
      {"third_member_fails", {}, at(0, 3, 2, -1)},
      {"members_fail_one_after_the_other",
       {},
       [](int pipeline, std::int64_t packet) {
         return pipeline < 2 && packet >= pipeline + 1 ? 0 : -1;
       }},
  };
}

class PipelineThat : public FileWriterTest, public testing::WithParamInterface<Break> {
 protected:
  PipelineThat() {
    pipeline_.fate = GetParam().fate;
    pipeline_.bad_member = GetParam().bad_member;
    options_.connection.read_timeout = milliseconds(1'000);
    options_.read_timeout_extension = milliseconds(0);
  }
};

TEST_P(PipelineThat, IsMendedAndLosesNothing) {
  const std::string bytes = random_bytes(block_size + 100'000);
  expect_written(bytes);
  EXPECT_GE(pipeline_.pipelines(), 3);
  EXPECT_GE(pipeline_.namenode().count("updatePipeline"), 1u);
  EXPECT_GE(pipeline_.file().blocks().front().block.generation_stamp(), 2'000u);
}

TEST_P(PipelineThat, IsMendedWithAnotherDatanodeIfThePolicySaysSo) {
  options_.replace_datanode = ReplaceDatanodePolicy::always;
  const std::string bytes = random_bytes(block_size);
  expect_written(bytes);
  const bool is_closing = std::string(GetParam().name).ends_with("the_last_packet");
  EXPECT_EQ(pipeline_.file().blocks().front().members.size(), is_closing ? 2u : 3u);
}

INSTANTIATE_TEST_SUITE_P(Breaks, PipelineThat, testing::ValuesIn(breaks()),
                         [](const auto& fault) { return fault.param.name; });

TEST_F(FileWriterTest, FailsWhenEveryDatanodeOfThePipelineIsBad) {
  pipeline_.bad_member = [](int, std::int64_t) { return 0; };
  options_.replace_datanode = ReplaceDatanodePolicy::never;
  FileWriter writer = created();
  expect_ok(writer.write(view("abc")));
  const ClientStatus closed = writer.close();
  ASSERT_FALSE(closed);
  EXPECT_THAT(closed.error().message, HasSubstr("all datanodes of the pipeline are bad"));
  EXPECT_FALSE(writer.write(view("abc")));
}

TEST_F(FileWriterTest, MendsNoMoreOftenThanItMay) {
  pipeline_.bad_member = [](int, std::int64_t) { return 0; };
  options_.replace_datanode = ReplaceDatanodePolicy::always;
  options_.pipeline_recoveries_max = 2;
  FileWriter writer = created();
  expect_ok(writer.write(view("abc")));
  const ClientStatus closed = writer.close();
  ASSERT_FALSE(closed);
  EXPECT_THAT(closed.error().message, HasSubstr("failed 3 times without progress"));
}

TEST_F(FileWriterTest, GoesOnWithFewerDatanodesOnlyAtBestEffort) {
  pipeline_.bad_member = at(0, 1, 0, -1);
  pipeline_.file().have_no_spare();
  options_.replace_datanode = ReplaceDatanodePolicy::always;
  FileWriter writer = created();
  expect_ok(writer.write(view(random_bytes(70'000))));
  EXPECT_THAT(writer.close().error().message, HasSubstr("no datanode is left"));
}

TEST_F(FileWriterTest, AtBestEffortGoesOnWithoutAReplacement) {
  pipeline_.bad_member = at(0, 1, 0, -1);
  pipeline_.transfers_fail = true;
  options_.replace_datanode = ReplaceDatanodePolicy::always;
  options_.replaces_best_effort = true;
  expect_written(random_bytes(block_size));
  EXPECT_EQ(pipeline_.file().blocks().front().members.size(), 2u);
  EXPECT_EQ(pipeline_.namenode().count("getAdditionalDatanode"), 3u);
}

TEST_F(FileWriterTest, IsInterruptedWhileAPipelineHangs) {
  const EventDescriptor interrupt;
  options_.connection.interrupt = interrupt.number();
  pipeline_.fate = at(0, 0, PacketFate::hung, PacketFate::stored);
  FileWriter writer = created();
  expect_ok(writer.write(view("abc")));
  std::thread ringing([&] { interrupt.ring(); });
  const ClientStatus closed = writer.close();
  ringing.join();
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().kind, ClientFailureKind::interrupted);
}

// dfs.client.block.write.replace-datanode-on-failure.policy in hdfs-default.xml
TEST(ReplaceDatanodePolicy, IsThatOfHadoop) {
  constexpr auto standard = ReplaceDatanodePolicy::standard;
  EXPECT_FALSE(replaces_datanode(standard, 2, 1, true));
  EXPECT_TRUE(replaces_datanode(standard, 3, 1, false));
  EXPECT_FALSE(replaces_datanode(standard, 3, 2, false));
  EXPECT_TRUE(replaces_datanode(standard, 3, 2, true));
  EXPECT_TRUE(replaces_datanode(standard, 4, 2, false));
  EXPECT_FALSE(replaces_datanode(standard, 3, 3, true));
  EXPECT_FALSE(replaces_datanode(ReplaceDatanodePolicy::always, 3, 0, true));
  EXPECT_TRUE(replaces_datanode(ReplaceDatanodePolicy::always, 2, 1, false));
  EXPECT_FALSE(replaces_datanode(ReplaceDatanodePolicy::never, 3, 1, true));
}

}  // namespace
}  // namespace tracebed::hdfs

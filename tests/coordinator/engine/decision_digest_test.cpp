// Two different things that a run decided never give it the same digest.
#include "coordinator/engine/decision_digest.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace tracebed {
namespace {

struct Entry {
  std::string name;
  std::function<void(DecisionDigest&)> write;
};

std::string digest_of(const std::vector<const Entry*>& entries) {
  DecisionDigest digest;
  for (const Entry* entry : entries) entry->write(digest);
  return digest.value().to_string();
}

std::string number_text(std::uint32_t number) {
  return "(" + std::to_string(number) + ")";
}

void add_answers(std::vector<Entry>& all);

// Every verb, with every figure it takes as 0, 1 and 8 while the others are 1: 8 is the number that
// was once written as a mark of two kinds.
std::vector<Entry> entries() {
  std::vector<Entry> all;
  const auto add = [&all](std::string name, std::function<void(DecisionDigest&)> write) {
    all.push_back({std::move(name), std::move(write)});
  };
  for (const std::uint32_t n : {0u, 1u, 8u}) {
    const std::string of = number_text(n);
    const ApplicationId application(n);
    const ContainerId container(n);
    const TraceTime time{Duration(n)};
    add("accepted" + of, [=](auto& d) { d.accepted(application); });
    add("rejected" + of, [=](auto& d) { d.rejected(application); });
    add("ended" + of, [=](auto& d) { d.ended(application); });
    add("killed" + of, [=](auto& d) { d.killed(container); });
    add("withdrawn" + of, [=](auto& d) { d.preemption_withdrawn(container); });
    add("forced" + of, [=](auto& d) { d.forced(container); });
    add("checkpointed" + of, [=](auto& d) { d.checkpointed(container); });
    add("master launched" + of, [=](auto& d) { d.master_launched(container); });
    add("wake-up" + of, [=](auto& d) { d.wake_up_at(time); });
    for (const bool was_taken : {false, true}) {
      add("refreshed" + of + number_text(was_taken),
          [=](auto& d) { d.refreshed(time, was_taken); });
    }
    for (const std::uint32_t m : {0u, 1u, 8u}) {
      const std::string both = of + number_text(m);
      add("preempt" + both, [=](auto& d) {
        d.preemption_requested(container, PreemptionKind::strict, TraceTime(Duration(m)));
      });
      add("preempt negotiable" + both, [=](auto& d) {
        d.preemption_requested(container, PreemptionKind::negotiable, TraceTime(Duration(m)));
      });
      add("relocated" + both, [=](auto& d) { d.relocated(container, NodeId(m)); });
      add("launched" + both, [=](auto& d) { d.launched(container, TaskRef{0, m}); });
      add("launched, stage 1" + both, [=](auto& d) { d.launched(container, TaskRef{1, m}); });
      add("finished" + both,
          [=](auto& d) { d.job_ended(time, ApplicationId(m), JobOutcome::succeeded); });
      add("failed" + both,
          [=](auto& d) { d.job_ended(time, ApplicationId(m), JobOutcome::failed); });
      const auto allocated = [](TraceTime at, ApplicationId owner, AskId ask,
                                std::vector<GangPiece> pieces) {
        return [=](DecisionDigest& d) { d.allocated(at, owner, ask, pieces); };
      };
      add("allocated" + both, allocated(time, ApplicationId(m), AskId(1u), {{NodeId(1u), 1}}));
      add("allocated at" + both,
          allocated(TraceTime(seconds(9)), ApplicationId(1u), AskId(n), {{NodeId(m), 1}}));
      add("allocated units" + both,
          allocated(TraceTime(seconds(9)), ApplicationId(n), AskId(2u), {{NodeId(2u), m}}));
      add("allocated two" + both, allocated(TraceTime(seconds(9)), ApplicationId(1u), AskId(3u),
                                            {{NodeId(n), 1}, {NodeId(m), 1}}));
      add("gang launched" + both, [=](auto& d) { d.gang_launched(container, 2, TaskRef{0, m}); });
    }
  }
  add_answers(all);
  return all;
}

// What a namenode answers, each member of it different from its default once.
std::vector<AnswerDatanode> datanode_answers() {
  const BlockName block{1, 2, 3};
  const BlockName other_block{1, 2, 4};
  std::vector<AnswerDatanode> answers = {{NodeId(1u), HeartbeatReply()},
                                         {NodeId(2u), HeartbeatReply()},
                                         {NodeId(1u), ReportReply()},
                                         {NodeId(1u), HeartbeatReply{.must_register = true}},
                                         {NodeId(1u), ReportReply{true, {}}},
                                         {NodeId(1u), ReportReply{false, {1}}},
                                         {NodeId(1u), ReportReply{false, {1, 1}}}};
  const auto add = [&](const auto& change) {
    HeartbeatReply reply;
    change(reply);
    answers.push_back({NodeId(1u), reply});
  };
  for (const BlockName& each : {block, other_block, BlockName{1, 3, 3}, BlockName{2, 2, 3}}) {
    add([&](HeartbeatReply& reply) { reply.transfers = {{each, {}}}; });
    add([&](HeartbeatReply& reply) { reply.recoveries = {{each, 1, {}, {}}}; });
  }
  add([&](HeartbeatReply& reply) { reply.transfers = {{block, {NodeId(1u)}}}; });
  add([&](HeartbeatReply& reply) { reply.transfers = {{block, {NodeId(1u), NodeId(2u)}}}; });
  add([&](HeartbeatReply& reply) { reply.deletions = {{1, 2}}; });
  add([&](HeartbeatReply& reply) { reply.deletions = {{1, 3}}; });
  add([&](HeartbeatReply& reply) { reply.deletions = {{2, 2}}; });
  add([&](HeartbeatReply& reply) { reply.recoveries = {{block, 2, {}, {}}}; });
  add([&](HeartbeatReply& reply) { reply.recoveries = {{block, 1, {NodeId(1u)}, {}}}; });
  add([&](HeartbeatReply& reply) { reply.recoveries = {{block, 1, {}, 0}}; });
  add([&](HeartbeatReply& reply) { reply.recoveries = {{block, 1, {}, 1}}; });
  return answers;
}

std::vector<StorageReply> call_replies() {
  std::vector<StorageReply> replies = {
      Done(),
      Answer{false},
      Answer{true},
      StorageFailure{StorageFailureKind::io, ""},
      StorageFailure{StorageFailureKind::retriable, ""},
      StorageFailure{StorageFailureKind::io, "a"},
      StorageFailure{StorageFailureKind::io, std::string("a\0", 2)},
      StorageFailure{StorageFailureKind::io, "eight by"},
      StorageFailure{StorageFailureKind::io, "eight bytes and more"},
      LocatedBlock{},
      LocatedBlock{.block = {1, 0, 0}, .nodes = {}},
      LocatedBlock{.block = {}, .offset = 1, .nodes = {}},
      LocatedBlock{.block = {}, .nodes = {NodeId(1u)}},
      LocatedBlock{.block = {}, .nodes = {}, .is_corrupt = true},
      AppendedFile{},
      AppendedFile{{}, LocatedBlock()},
  };
  const auto add = [&](auto member, auto value) {
    FileStatus status;
    status.*member = value;
    replies.emplace_back(status);
    replies.emplace_back(AppendedFile{status, {}});
  };
  replies.emplace_back(FileStatus());
  add(&FileStatus::name, "a");
  add(&FileStatus::file_id, 1u);
  add(&FileStatus::is_directory, true);
  add(&FileStatus::length, 1u);
  add(&FileStatus::replication, 1u);
  add(&FileStatus::block_size, 1u);
  add(&FileStatus::permission, std::uint16_t{1});
  add(&FileStatus::owner, "a");
  add(&FileStatus::group, "a");
  add(&FileStatus::modified, trace_time(1));
  add(&FileStatus::accessed, trace_time(1));
  add(&FileStatus::children, 1u);
  return replies;
}

void add_answers(std::vector<Entry>& all) {
  std::size_t number = 0;
  const auto name = [&](const char* kind) { return kind + std::to_string(number++); };
  for (const AnswerDatanode& answer : datanode_answers()) {
    all.push_back({name("to a datanode "), [=](auto& d) { d.datanode_answered(answer); }});
  }
  for (const StorageReply& reply : call_replies()) {
    for (const std::uint64_t ticket : {1u, 8u}) {
      const AnswerStorageCall answer{ticket, reply};
      all.push_back({name("to a caller "), [=](auto& d) { d.storage_call_answered(answer); }});
    }
  }
  for (const std::uint32_t node : {1u, 8u}) {
    for (const std::vector<BlockName>& blocks :
         std::vector<std::vector<BlockName>>{{}, {{1, 2, 3}}, {{1, 2, 3}, {1, 2, 4}}}) {
      const StoreReplicas order{NodeId(node), blocks};
      all.push_back({name("to be stored "), [=](auto& d) { d.replicas_ordered(order); }});
    }
  }
}

TEST(DecisionDigest, DiffersForEveryTwoEntriesAndEveryTwoOrdersOfThem) {
  const std::vector<Entry> all = entries();
  std::map<std::string, std::string> known;  // by digest
  const auto add = [&](const std::string& digest, const std::string& name) {
    const auto [place, is_new] = known.emplace(digest, name);
    EXPECT_TRUE(is_new) << name << " has the digest of " << place->second;
  };
  add(digest_of({}), "nothing");
  for (const Entry& one : all) {
    add(digest_of({&one}), one.name);
    for (const Entry& other : all) add(digest_of({&one, &other}), one.name + ", " + other.name);
  }
}

TEST(DecisionDigest, IsTheSameForTheSameEntries) {
  const std::vector<Entry> first = entries();
  const std::vector<Entry> second = entries();
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(digest_of({&first[i]}), digest_of({&second[i]})) << first[i].name;
  }
}

}  // namespace
}  // namespace tracebed

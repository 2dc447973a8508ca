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
      add("allocated" + both,
          [=](auto& d) { d.allocated(time, ApplicationId(m), AskId(1u), NodeId(1u), 1); });
      add("allocated at" + both, [=](auto& d) {
        d.allocated(TraceTime(seconds(9)), ApplicationId(1u), AskId(n), NodeId(m), 1);
      });
      add("allocated units" + both, [=](auto& d) {
        d.allocated(TraceTime(seconds(9)), ApplicationId(n), AskId(2u), NodeId(2u), m);
      });
    }
  }
  return all;
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

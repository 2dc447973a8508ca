#include "coordinator/engine/preemption_ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

const ApplicationId owner(1u);

PreemptionRequest request_of(std::uint32_t container, TraceTime asked, PreemptionTerms terms,
                             Resources resources = Resources(1000, 1024)) {
  return {.container = ContainerId(container),
          .application = owner,
          .node = NodeId(0u),
          .resources = resources,
          .terms = std::move(terms),
          .asked = asked};
}

std::vector<std::uint32_t> credit(PreemptionLedger& book, Resources resources) {
  std::vector<PreemptionRequest> settled;
  book.credit(owner, resources, settled);
  std::vector<std::uint32_t> containers;
  for (const PreemptionRequest& request : settled) containers.push_back(request.container.value());
  return containers;
}

TEST(PreemptionLedger, AreToldWithTheAmountsThatAreOwed) {
  PreemptionLedger book;
  const TraceTime deadline = trace_time(15'000'000);
  book.add(request_of(4, trace_time(0), {.deadline = deadline}));
  book.add(request_of(2, trace_time(1), {.deadline = deadline}));
  book.add(request_of(3, trace_time(2), {.deadline = deadline}, Resources(2000, 4096)));
  const PreemptionMessage message = book.next_message(owner, trace_time(3));
  EXPECT_FALSE(message.strict);
  ASSERT_TRUE(message.negotiable);
  EXPECT_THAT(message.negotiable->containers,
              testing::ElementsAre(PreemptionContainer{ContainerId(2u), deadline},
                                   PreemptionContainer{ContainerId(3u), deadline},
                                   PreemptionContainer{ContainerId(4u), deadline}));
  EXPECT_THAT(message.negotiable->requests,
              testing::UnorderedElementsAre(
                  PreemptionResourceRequest{.capability = Resources(1000, 1024), .count = 2},
                  PreemptionResourceRequest{.capability = Resources(2000, 4096), .count = 1}));
}

TEST(PreemptionLedger, OfANodeThatIsDrainedAreOwedFromThere) {
  PreemptionLedger book;
  book.add(request_of(4, trace_time(0), {.purpose = PreemptionPurpose::drain}));
  const PreemptionMessage message = book.next_message(owner, trace_time(3));
  ASSERT_TRUE(message.negotiable);
  EXPECT_THAT(message.negotiable->requests,
              testing::ElementsAre(PreemptionResourceRequest{.node = NodeId(0u),
                                                             .capability = Resources(1000, 1024),
                                                             .count = 1,
                                                             .relax_locality = false}));
}

// 3 × 1,024 + 512 = 3,584 MiB: four of 1,024 MiB.
TEST(PreemptionLedger, AreCountedInUnitsRoundedUpIfTheTermsNameOne) {
  PreemptionLedger book;
  const PreemptionTerms terms{.unit = Resources(0, 1024)};
  book.add(request_of(1, trace_time(0), terms, Resources(1000, 3072)));
  book.add(request_of(2, trace_time(0), terms, Resources(1000, 512)));
  const PreemptionMessage message = book.next_message(owner, trace_time(3));
  ASSERT_TRUE(message.negotiable);
  EXPECT_THAT(message.negotiable->requests, testing::ElementsAre(PreemptionResourceRequest{
                                                .capability = Resources(0, 1024), .count = 4}));
}

TEST(PreemptionLedger, ThatAreToldOnceAreLeftOutAfterwards) {
  PreemptionLedger book;
  book.add(request_of(1, trace_time(0), {.is_repeated = false}));
  book.add(request_of(2, trace_time(0), {.kind = PreemptionKind::strict}));
  EXPECT_TRUE(book.next_message(owner, trace_time(1)).negotiable);
  const PreemptionMessage again = book.next_message(owner, trace_time(2));
  EXPECT_FALSE(again.negotiable);
  ASSERT_TRUE(again.strict);
  EXPECT_EQ(again.strict->containers.size(), 1u);
  EXPECT_EQ(book.find(ContainerId(1u))->notified, trace_time(1));
}

TEST(PreemptionLedger, AreSettledOldestFirstByWhatElseEnds) {
  PreemptionLedger book;
  book.add(request_of(9, trace_time(0), {}, Resources(2000, 2048)));
  book.add(request_of(1, trace_time(5), {}));
  EXPECT_THAT(credit(book, Resources(1000, 1024)), testing::ElementsAre(1u))
      << "the older one is larger than the credit, the younger is covered";
  EXPECT_THAT(credit(book, Resources(1000, 1024)), testing::IsEmpty());
  EXPECT_THAT(credit(book, Resources(1000, 1024)), testing::ElementsAre(9u));
  EXPECT_TRUE(book.empty());
}

TEST(PreemptionLedger, ThatAreStrictOrForcedAreNotSettledByOthers) {
  PreemptionLedger book;
  book.add(request_of(1, trace_time(0), {.kind = PreemptionKind::strict}));
  book.add(request_of(2, trace_time(0), {.may_be_substituted = false}));
  book.add(request_of(3, trace_time(0), {.deadline = trace_time(10)}));
  book.force(ContainerId(3u));
  EXPECT_THAT(credit(book, Resources(9000, 9216)), testing::IsEmpty());
}

TEST(PreemptionLedger, AreDueFromTheirDeadlineUntilForceIsUsed) {
  PreemptionLedger book;
  book.add(request_of(1, trace_time(0), {.deadline = trace_time(20)}));
  book.add(request_of(2, trace_time(0), {.deadline = trace_time(10)}));
  book.add(request_of(3, trace_time(0), {}));
  EXPECT_EQ(book.next_deadline(), trace_time(10));
  EXPECT_THAT(book.due(trace_time(9)), testing::IsEmpty());
  EXPECT_THAT(book.due(trace_time(20)), testing::ElementsAre(ContainerId(2u), ContainerId(1u)));
  book.force(ContainerId(2u));
  EXPECT_EQ(book.next_deadline(), trace_time(20));
  EXPECT_TRUE(book.next_message(owner, trace_time(20)).negotiable);
  EXPECT_EQ(book.next_message(owner, trace_time(20)).negotiable->containers.size(), 2u)
      << "one that is being killed is asked for no more";
  EXPECT_EQ(book.take(ContainerId(1u)).container, ContainerId(1u));
  EXPECT_EQ(book.next_deadline(), never);
}

}  // namespace
}  // namespace tracebed

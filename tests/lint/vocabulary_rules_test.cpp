#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

Findings found_in(std::string path, std::string text) {
  Findings findings;
  check_vocabulary(make_source(std::move(path), std::move(text)), findings);
  return findings;
}

TEST(VocabularyRules, FindRetiredWordsInNamesAndTexts) {
  const Findings findings = found_in("core/a.h", "int a;\nclass DebtBook;\n");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].line, 2u);
  EXPECT_EQ(findings[0].message, "Debt: say preemption request");
  EXPECT_THAT(found_in("core/a.h", "// Its patience ends.\n"), SizeIs(1));
  EXPECT_THAT(found_in("core/a.h", "int agent_patience_ms;\n"), SizeIs(1));
  EXPECT_THAT(found_in("core/a.h", "bool is_there;\nbool is_there_;\n"), SizeIs(2));
  EXPECT_THAT(found_in("docs/a.md", "hungry queues\n"), SizeIs(1));
  EXPECT_THAT(found_in("core/a.h", "TEST(A, LosesItsDebts)\n"), SizeIs(1));
}

TEST(VocabularyRules, LetOtherWordsAndTheChangelogBe) {
  EXPECT_THAT(found_in("core/a.h", "bool is_there_room; int impatience; // storytellers\n"),
              IsEmpty());
  EXPECT_THAT(found_in("CHANGELOG.md", "`patience` is `timeout`\n"), IsEmpty());
  EXPECT_THAT(found_in("coordinator/config/world_tables.cpp", "\"patience\"\n"), IsEmpty());
}

}  // namespace
}  // namespace tracebed::lint

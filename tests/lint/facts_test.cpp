// TRACEBED_UPDATE_GOLDEN=1 writes the pages of facts instead of comparing them.
#include "lint/facts.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed::lint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

const std::filesystem::path source_root = TRACEBED_SOURCE_DIR;

TEST(Facts, AreIdSourceAndText) {
  Findings findings;
  const FactList list =
      read_facts(make_source("facts.txt",
                             "# a comment\nSections: 1, 2\n\n[1.a] Some.method\n    One\n    two.\n"
                             "    Waits for: rain\n[2.b] Other\n"),
                 findings);
  const std::vector<Fact>& facts = list.facts;
  EXPECT_THAT(list.sections, ElementsAre("1", "2"));
  ASSERT_EQ(facts.size(), 2u);
  EXPECT_EQ(facts[0].waits_for, "rain");
  EXPECT_EQ(facts[1].waits_for, "");
  EXPECT_EQ(facts[0].id, "1.a");
  EXPECT_EQ(facts[0].source, "Some.method");
  EXPECT_EQ(facts[0].text, "One two.");
  EXPECT_EQ(facts[1].line, 8u);
  EXPECT_THAT(findings, IsEmpty());
  read_facts(make_source("facts.txt", "stray\n"), findings);
  EXPECT_EQ(findings.size(), 1u);
}

TEST(Facts, AreProvedByTestsAndStories) {
  const std::vector<SourceFile> files = {
      make_source("tests/a_test.cpp",
                  "// Why.\n// Proves: 1.a, 2.b\nTEST(Group, Name) {\n}\n"
                  "// Proves: 1.a\n// More.\nTEST_F(Fixture, Other) {}\n"),
      make_source("tests/scenarios/s.toml", "# Proves: 2.b\n"),
      make_source("core/a.cpp", "// Proves: 3.c\nTEST(Not, Here)\n")};
  Findings findings;
  EXPECT_THAT(read_proofs(files, findings),
              ElementsAre(Pair("1.a", ElementsAre("Group.Name", "Fixture.Other")),
                          Pair("2.b", ElementsAre("Group.Name", "s.toml"))));
  EXPECT_THAT(findings, IsEmpty());
  const std::vector<SourceFile> loose = {
      make_source("tests/b_test.cpp", "// Proves: 1.a\nint x;\n")};
  read_proofs(loose, findings);
  EXPECT_EQ(findings.size(), 1u);
  const std::vector<SourceFile> inner = {
      make_source("tests/c_test.cpp", "// Why. Proves: 1.a\nTEST(A, B) {}\n")};
  read_proofs(inner, findings);
  EXPECT_EQ(findings.size(), 2u);
}

std::vector<std::string> findings_of(const FactList& list, const Proofs& proofs) {
  Findings findings;
  check_facts(make_source("facts.txt", ""), list, proofs, findings);
  std::vector<std::string> messages;
  for (const Finding& finding : findings) messages.push_back(finding.message);
  return messages;
}

TEST(Facts, WithoutTestTwiceOrUnknownAreFound) {
  const FactList list{
      {"1", "2"}, {{"1.a", "S", "T", 1, ""}, {"1.a", "S", "T", 2, ""}, {"2.b", "S", "T", 3, ""}}};
  EXPECT_THAT(findings_of(list, {{"1.a", {"X.Y"}}, {"9.z", {"X.Z"}}}),
              ElementsAre("fact 1.a stands here twice", "no test proves fact 2.b",
                          "X.Z proves 9.z, which is no fact"));
}

TEST(Facts, MayWaitForSomethingUntilTheyAreProved) {
  const FactList list{{"1", "2.1"}, {{"1.a", "S", "T", 1, "rain"}, {"2.1.b", "S", "T", 2, "sun"}}};
  EXPECT_THAT(findings_of(list, {}), IsEmpty());
  EXPECT_THAT(findings_of(list, {{"1.a", {"X.Y"}}}),
              ElementsAre("fact 1.a is said to wait, but X.Y proves it"));
  const std::string page = facts_page(make_source("facts.txt", ""), list, {});
  EXPECT_THAT(page, HasSubstr("0 facts with tests, 2 that wait"));
  EXPECT_THAT(page, HasSubstr("## Not yet"));
  EXPECT_THAT(page, HasSubstr("| 2.1.b | T | `S` | sun |"));
}

TEST(Facts, OfNoSectionAndSectionsOfNoFactAreFound) {
  const FactList list{{"1", "2"}, {{"1.a", "S", "T", 1, "rain"}, {"3.b", "S", "T", 2, "rain"}}};
  EXPECT_THAT(findings_of(list, {}),
              ElementsAre("fact 3.b is of no section that is listed", "section 2 has no fact"));
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What is known of YARN's schedulers: each fact has a test or waits for something that is named,
// and the page that says so is true.
TEST(Facts, OfYarnHaveATestEachAndAPageThatIsTrue) {
  const std::filesystem::path folder = "tests/schedulers/yarn";
  const SourceFile file = make_source((folder / "facts.txt").generic_string(),
                                      text_of(source_root / folder / "facts.txt"));
  Findings findings;
  const FactList list = read_facts(file, findings);
  const Proofs proofs = read_proofs(read_project(source_root), findings);
  check_facts(file, list, proofs, findings);
  for (const Finding& finding : findings) {
    ADD_FAILURE() << finding.path << ":" << finding.line << ": " << finding.message;
  }
  EXPECT_GE(list.facts.size(), 240u);
  const std::filesystem::path page = source_root / folder / "FACTS.md";
  const std::string now = facts_page(file, list, proofs);
  if (std::getenv("TRACEBED_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(page) << now;
    return;
  }
  EXPECT_EQ(text_of(page), now) << "TRACEBED_UPDATE_GOLDEN=1 writes it anew";
}

}  // namespace
}  // namespace tracebed::lint

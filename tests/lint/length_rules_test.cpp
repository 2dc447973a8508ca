#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> length_messages(std::string path, std::string text) {
  Findings findings;
  check_lengths(make_source(std::move(path), std::move(text)), findings);
  std::vector<std::string> messages;
  for (const Finding& finding : findings) {
    messages.push_back(std::to_string(finding.line) + ": " + finding.message);
  }
  return messages;
}

std::string lines(std::size_t count, const std::string& line = "  a();\n") {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += line;
  return text;
}

// Of so many lines, with what stands before its block.
std::string block(const std::string& head, std::size_t count) {
  return head + " {\n" + lines(count - 2) + "}\n";
}

TEST(LengthRules, AFileOfTheProductHasFourHundredLines) {
  EXPECT_THAT(length_messages("core/a.cpp", lines(400, "// a\n")), IsEmpty());
  EXPECT_THAT(length_messages("core/a.cpp", lines(401, "// a\n")),
              ElementsAre(HasSubstr("a file of 401 lines, at most 400")));
}

TEST(LengthRules, AFileOfTestsHasALittleMore) {
  EXPECT_THAT(length_messages("tests/core/a_test.cpp", lines(450, "// a\n")), IsEmpty());
  EXPECT_THAT(length_messages("tests/core/a_test.cpp", lines(451, "// a\n")),
              ElementsAre(HasSubstr("at most 450")));
}

TEST(LengthRules, AFunctionHasSeventyLines) {
  EXPECT_THAT(length_messages("core/a.cpp", block("void f(int a)", 70)), IsEmpty());
  EXPECT_THAT(length_messages("core/a.cpp", "int b;\n" + block("void f(int a)", 71)),
              ElementsAre("2: a function of 71 lines, at most 70; split it"));
}

TEST(LengthRules, TestsAreStoriesAndMayBeLonger) {
  EXPECT_THAT(length_messages("tests/core/a_test.cpp", block("TEST(A, B)", 120)), IsEmpty());
  EXPECT_THAT(length_messages("tests/core/a_test.cpp", block("TEST(A, B)", 121)),
              ElementsAre(HasSubstr("a function of 121 lines, at most 120")));
}

TEST(LengthRules, FunctionsAreFoundWhereverTheyAre) {
  const std::string members = "namespace a {\nclass B : public C {\n public:\n";
  EXPECT_THAT(
      length_messages("core/a.cpp", members + block("  int f() const override", 71) + "};}\n"),
      ElementsAre(HasSubstr("4: a function of 71")));
  EXPECT_THAT(length_messages("core/a.cpp", block("template <class T>\nT f(T t)", 71)),
              ElementsAre(HasSubstr("1: a function of 72")));
  EXPECT_THAT(length_messages("core/a.cpp", block("#include <map>\n\nA::A() : b_{1}, c_(2)", 71)),
              ElementsAre(HasSubstr("a function of 71")));
}

TEST(LengthRules, TypesAndTablesAreNoFunctions) {
  EXPECT_THAT(length_messages("core/a.h", block("struct A", 300)), IsEmpty());
  EXPECT_THAT(length_messages("core/a.h", block("template <class T>\nclass A : B<T>", 300)),
              IsEmpty());
  EXPECT_THAT(
      length_messages("core/a.cpp", "const A a[] = {\n" + lines(100, "{f(1), 2},\n") + "};\n"),
      IsEmpty());
}

TEST(LengthRules, WhatIsKnownToBeLongMayNotGrow) {
  const std::string table = "schedulers/yarn/fair/fair_settings.cpp";
  const std::string head = "const std::vector<SettingDescription>& fair_setting_descriptions()";
  EXPECT_THAT(length_messages(table, block(head, 111)), IsEmpty());
  EXPECT_THAT(length_messages(table, block(head, 112)), ElementsAre(HasSubstr("at most 111")));
  EXPECT_THAT(length_messages(table, block(head, 70)), ElementsAre(HasSubstr("take it out")));
}

}  // namespace
}  // namespace tracebed::lint

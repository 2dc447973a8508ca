#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::size_t> lines_of(std::string path, std::string text) {
  Findings findings;
  check_exhaustiveness(make_source(std::move(path), std::move(text)), findings);
  std::vector<std::size_t> lines;
  for (const Finding& finding : findings) lines.push_back(finding.line);
  return lines;
}

TEST(ExhaustivenessRules, FindChainsOfQuestionsForAlternatives) {
  const std::string chain =
      "if (const auto* a = std::get_if<A>(&event)) {\n"
      "  use(*a);\n"
      "} else if (std::holds_alternative<B>(event)) {\n"
      "}\n";
  EXPECT_THAT(lines_of("core/a.cpp", chain), ElementsAre(3));
  EXPECT_THAT(lines_of("tests/core/a.cpp", chain), IsEmpty());
  EXPECT_THAT(lines_of("core/a.cpp",
                       "if (auto* a = std::get_if<A>(&message->body)) return &a->id;\n"
                       "if (auto* b = std::get_if<B>(&message->body)) return &b->id;\n"
                       "return nullptr;\n"),
              ElementsAre(2));
}

TEST(ExhaustivenessRules, AllowAQuestionForOneAlternative) {
  EXPECT_THAT(lines_of("core/a.cpp",
                       "if (const auto* a = std::get_if<A>(&event)) use(*a);\n"
                       "if (const auto* a = std::get_if<A>(&other)) use(*a);\n"
                       "if (is_b) return;\n"
                       "const bool is_a = std::holds_alternative<A>(event);\n"),
              IsEmpty());
}

TEST(ExhaustivenessRules, FindDefaultsAmongTheConstantsOfAnEnumeration) {
  EXPECT_THAT(lines_of("core/a.cpp",
                       "switch (kind) {\n"
                       "  case Kind::first:\n"
                       "    return 1;\n"
                       "  default:\n"
                       "    return 2;\n"
                       "}\n"),
              ElementsAre(4));
  EXPECT_THAT(lines_of("core/a.cpp",
                       "switch (c) {\n"
                       "  case 'a':\n"
                       "    return A::b;\n"
                       "  default:\n"
                       "    return A::c;\n"
                       "}\n"),
              IsEmpty());
}

}  // namespace
}  // namespace tracebed::lint

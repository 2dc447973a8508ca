#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/rules.h"
#include "support/markdown_blocks.h"

namespace tracebed::lint {
namespace {

using ::testing::UnorderedElementsAre;

std::vector<std::string> messages_of(const Findings& findings) {
  std::vector<std::string> messages;
  for (const Finding& finding : findings) {
    messages.push_back(finding.path + ":" + std::to_string(finding.line) + ": " + finding.message);
  }
  return messages;
}

TEST(MarkdownBlocks, AreWhatStandsBetweenFences) {
  const auto blocks = markdown_blocks(
      "a\n```sh bed\nb\nc\n```\nd\n<!-- file: e.toml -->\n```toml\nf = 1\n```\n```\ng\n");
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].info, "sh bed");
  EXPECT_EQ(blocks[0].line, 3u);
  EXPECT_EQ(blocks[0].text, "b\nc\n");
  EXPECT_EQ(blocks[0].file, "");
  EXPECT_EQ(blocks[1].file, "e.toml");
  EXPECT_EQ(blocks[1].text, "f = 1\n");
  EXPECT_EQ(blocks[2].text, "g\n");
}

TEST(MarkdownBlocks, MayBeIndentedAndNameTheirSource) {
  const auto blocks = markdown_blocks(
      "1. a\n\n   <!-- from: core/a.h -->\n   ```cpp\n     b\n\n  c\n   ```\n```\n d\n```\n");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].info, "cpp");
  EXPECT_EQ(blocks[0].quoted_from, "core/a.h");
  EXPECT_EQ(blocks[0].text, "  b\n\nc\n");
  EXPECT_EQ(blocks[1].quoted_from, "");
  EXPECT_EQ(blocks[1].text, " d\n");
}

TEST(CommandRule, WantsEveryBlockOfCommandsMarked) {
  const std::vector<SourceFile> files = {
      make_source("README.md",
                  "```\n./run demo\n```\n```console\nA=b build/bin/tracebed run x\n```\n"
                  "```text\ntracebed: an answer\nsay tracebed run\n```\n"
                  "```sh\ntracebed run x\n```\n```sh not-run\n./run demo\n```\n"),
      make_source("docs/a.md",
                  "```sh bed\ntracebed cluster status  # tracebed cluster logs\n"
                  "ansible-playbook -i x site.yml -e b=c.yml\n"
                  "ansible-playbook -i x other.yml\ntracebed cluster logs\n```\n"),
      make_source("core/README.md", "```\ntracebed run x\n```\n"),
      make_source("tests/beds/deploy.sh", "playbook site --check\ntracebed cluster status\n"),
  };
  Findings findings;
  check_commands(files, findings);
  EXPECT_THAT(messages_of(findings),
              UnorderedElementsAre(
                  "README.md:2: a command in a block that is none of sh, sh bed and sh not-run",
                  "README.md:5: a command in a block that is none of sh, sh bed and sh not-run",
                  "docs/a.md:4: no bed runs playbook other",
                  "docs/a.md:5: no bed runs tracebed cluster logs"));
}

}  // namespace
}  // namespace tracebed::lint

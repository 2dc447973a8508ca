#include <filesystem>
#include <gtest/gtest.h>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

const std::filesystem::path root = TRACEBED_SOURCE_DIR;

TEST(Project, IsReadWhole) {
  const std::vector<SourceFile> files = read_project(root);
  std::size_t headers = 0;
  for (const SourceFile& file : files) headers += is_header(file) && is_in(file, "core");
  EXPECT_GE(files.size(), 100u);
  EXPECT_GE(headers, 20u);
}

TEST(Project, KeepsItsOwnRules) {
  for (const Finding& finding : check_project(root)) {
    ADD_FAILURE() << finding.path << ":" << finding.line << ": " << finding.message;
  }
}

}  // namespace
}  // namespace tracebed::lint

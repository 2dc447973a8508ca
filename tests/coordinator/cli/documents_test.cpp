// What README and docs say to type is typed, and what they list is what the program lists. Each
// page's blocks of commands that are marked "sh" run in order, in a folder of the page's own that
// has the project's experiments; a block under "<!-- file: NAME -->" is a file there.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/cli/generated_tables.h"
#include "coordinator/cli/program.h"
#include "support/files.h"
#include "support/markdown_blocks.h"

namespace tracebed {
namespace {

const std::filesystem::path source_root = TRACEBED_SOURCE_DIR;

std::vector<std::string> pages() {
  std::vector<std::string> names;
  for (const char* folder : {".", "docs", "examples/own_scheduler"}) {
    for (const auto& entry : std::filesystem::directory_iterator(source_root / folder)) {
      if (entry.path().extension() != ".md") continue;
      names.push_back(
          (std::filesystem::path(folder) / entry.path().filename()).lexically_normal().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Page : public ::testing::TestWithParam<std::string> {};

TEST_P(Page, HasCommandsThatSucceed) {
  const TemporaryFolder folder;
  for (const char* name : {"examples", "experiments", "tests"}) {
    std::filesystem::create_directory_symlink(source_root / name, folder.path() / name);
  }
  const std::filesystem::path programs = program_path("tracebed").parent_path();
  std::filesystem::create_directories(folder.path() / "build/release");
  std::filesystem::create_directory_symlink(programs, folder.path() / "build/release/bin");
  for (const MarkdownBlock& block : markdown_blocks(contents(source_root / GetParam()))) {
    if (!block.file.empty()) folder.write(block.file, block.text);
    if (block.info != "sh") continue;
    RunningProgram shell("/bin/bash", {"-euc", "cd '" + folder.path().string() + "'\nPATH='" +
                                                   programs.string() + "':$PATH\n" + block.text});
    const ProgramEnd end = shell.wait();
    EXPECT_EQ(end.exit_code, 0) << GetParam() << ":" << block.line << "\n" << end.error;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Page, ::testing::ValuesIn(pages()), [](const auto& tested) {
  std::string name;
  for (const char c : tested.param) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

// With TRACEBED_UPDATE_GOLDEN set the pages are written anew.
TEST(Documents, HaveTheTablesOfKeysAndSettingsThatTheProgramLists) {
  const auto tables = generated_tables();
  for (const std::string& name : pages()) {
    const std::string page = contents(source_root / name);
    const std::string renewed = with_tables(page, tables);
    if (std::getenv("TRACEBED_UPDATE_GOLDEN") != nullptr) write_file(source_root / name, renewed);
    EXPECT_EQ(contents(source_root / name), renewed)
        << name << ": TRACEBED_UPDATE_GOLDEN=1 writes it anew";
  }
}

TEST(Documents, HaveEveryTableOnce) {
  const auto tables = generated_tables();
  for (const char* part : {"keys of [trace]", "settings of fifo", "settings of [masters]"}) {
    EXPECT_TRUE(tables.contains(part)) << part;
  }
  for (const auto& [part, table] : tables) {
    std::size_t count = 0;
    for (const std::string& name : pages()) {
      count += occurrences_of_part(contents(source_root / name), part);
    }
    EXPECT_EQ(count, 1U) << part;
  }
}

// Likewise; that the file runs is tested by the command in docs/experiments.md.
TEST(Documents, HaveEveryKeyInTheReferenceExperiment) {
  const std::filesystem::path file = source_root / "experiments/reference.toml";
  const std::string renewed = with_reference(contents(file), generated_reference());
  if (std::getenv("TRACEBED_UPDATE_GOLDEN") != nullptr) write_file(file, renewed);
  EXPECT_EQ(contents(file), renewed) << "TRACEBED_UPDATE_GOLDEN=1 writes it anew";
}

}  // namespace
}  // namespace tracebed

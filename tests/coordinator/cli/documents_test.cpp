// What README and docs say to type is typed, and what they list is what the program lists. Each
// page's blocks of commands that are marked "sh" run in order, in a folder of the page's own that
// has the project's experiments; a block under "<!-- file: NAME -->" is a file there.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "coordinator/cli/program.h"
#include "support/files.h"
#include "support/markdown_blocks.h"

namespace tracebed {
namespace {

const std::filesystem::path source_root = TRACEBED_SOURCE_DIR;

std::vector<std::string> pages() {
  std::vector<std::string> names{"README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(source_root / "docs")) {
    if (entry.path().extension() == ".md") {
      names.push_back("docs/" + entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Page : public ::testing::TestWithParam<std::string> {};

TEST_P(Page, HasCommandsThatSucceed) {
  const TemporaryFolder folder;
  for (const char* name : {"experiments", "tests"}) {
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

// The names in the first cells of the tables below the heading `section`.
std::set<std::string> described(const std::string& page, const std::string& section) {
  std::set<std::string> names;
  const std::string heading = "\n### `" + section + "`\n";
  const std::size_t begin = page.find(heading);
  if (begin == std::string::npos) return names;
  const std::size_t next = page.find("\n##", begin + heading.size());
  const std::string text = page.substr(begin, next - begin);
  for (std::size_t at = text.find("\n| `"); at != std::string::npos;
       at = text.find("\n| `", at + 1)) {
    names.insert(text.substr(at + 4, text.find('`', at + 4) - at - 4));
  }
  return names;
}

std::set<std::string> listed(const nlohmann::json& settings, const std::string& prefix = {}) {
  std::set<std::string> names;
  for (const nlohmann::json& setting : settings) {
    const std::string name = setting.at("name");
    names.insert(name.starts_with(prefix) ? name.substr(prefix.size()) : name);
  }
  return names;
}

TEST(Documents, DescribeEverySettingOfSchedulersMastersAndMachines) {
  const nlohmann::json json = nlohmann::json::parse(tracebed_program({"schedulers", "--json"}).out);
  const std::string schedulers = contents(source_root / "docs/schedulers.md");
  for (const nlohmann::json& scheduler : json.at("schedulers")) {
    const std::string name = scheduler.at("name");
    EXPECT_NE(schedulers.find("\n### `" + name + "`\n"), std::string::npos) << name;
    EXPECT_EQ(described(schedulers, name), listed(scheduler.at("settings"))) << name;
  }
  const std::string experiments = contents(source_root / "docs/experiments.md");
  EXPECT_EQ(described(experiments, "[masters]"), listed(json.at("masters")));
  EXPECT_EQ(described(experiments, "[node_manager]"), listed(json.at("node_manager")));
  EXPECT_EQ(described(experiments, "[relocation]"), listed(json.at("relocation"), "relocation."));
}

}  // namespace
}  // namespace tracebed

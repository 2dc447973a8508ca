// Shells complete what --help lists. Both scripts run in their shells: bash with a completion
// request as readline makes it, zsh on a pseudo-terminal.
#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "coordinator/cli/help_tree.h"
#include "coordinator/cli/program.h"

namespace tracebed {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

using Words = std::vector<std::string>;

Words lines_of(const std::string& text) {
  std::istringstream stream(text);
  Words lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// A folder with an experiment, a folder of runs, and the scripts.
class Completion : public ::testing::Test {
 protected:
  Completion() {
    folder_.write("first.toml", "");
    folder_.write("with blank.toml", "");
    std::filesystem::create_directories(folder_.path() / "runs");
    folder_.write("bash/tracebed", tracebed_program({"completion", "bash"}).out);
    folder_.write("zsh/_tracebed", tracebed_program({"completion", "zsh"}).out);
  }

  // What bash offers for the last word; readline makes words of "=" of their own.
  Words bash(const Words& words) const {
    std::string line;
    for (const std::string& word : words) line += " '" + word + "'";
    return output_of(
        "/bin/bash",
        {"-c", "cd '" + folder_.path().string() + "'\nsource bash/tracebed\n" + "COMP_WORDS=(" +
                   line + ")\n" + "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_tracebed\n" +
                   "((${#COMPREPLY[@]} == 0)) || " + "printf '%s\\n' \"${COMPREPLY[@]}\""});
  }

  // Of each line; one shell completes them all, since its start takes longer.
  std::vector<Words> zsh(const Words& command_lines) const {
    std::string script = "cd '" + folder_.path().string() +
                         "' && source '" TRACEBED_SOURCE_DIR
                         "/tests/coordinator/cli/zsh_matches.zsh' zsh";
    for (const std::string& line : command_lines) script += " '" + line + "'";
    std::vector<Words> matches(1);
    for (const std::string& line : output_of("/usr/bin/zsh", {"-fc", script})) {
      if (line.empty()) {
        matches.emplace_back();
      } else {
        matches.back().push_back(line);
      }
    }
    matches.pop_back();  // after the last empty line
    EXPECT_EQ(matches.size(), command_lines.size());
    matches.resize(command_lines.size());
    return matches;
  }

 private:
  static Words output_of(const std::string& shell, const Words& arguments) {
    RunningProgram running(shell, arguments);
    const ProgramEnd end = running.wait();
    EXPECT_THAT(end.error, IsEmpty());
    return lines_of(end.out);
  }

  TemporaryFolder folder_;
};

Words command_words(const std::string& command) {
  Words words{"tracebed"};
  std::istringstream stream(command);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

TEST_F(Completion, OfBashHasEveryCommandAndEveryFlag) {
  for (const HelpPage& page : help_pages("tracebed")) {
    Words words = command_words(page.command);
    words.emplace_back("");
    if (!page.subcommands.empty()) {
      EXPECT_THAT(bash(words), IsSupersetOf(page.subcommands)) << page.command;
    }
    words.back() = "-";
    EXPECT_THAT(bash(words), ::testing::UnorderedElementsAreArray(page.flags)) << page.command;
  }
}

TEST_F(Completion, OfBashEndsWordsThatHaveBegun) {
  EXPECT_THAT(bash({"tracebed", "tr"}), ElementsAre("trace"));
  EXPECT_THAT(bash({"tracebed", "run", "--wo"}), ElementsAre("--world"));
  EXPECT_THAT(bash({"tracebed", "trace", "generate", "swim", "--pa"}), ElementsAre("--paths"));
  EXPECT_THAT(bash({"tracebed", "nothing", "of", "it"}), IsEmpty());
}

TEST_F(Completion, OfBashOffersTheValuesThatAFlagTakes) {
  EXPECT_THAT(bash({"tracebed", "run", "--world", ""}), ElementsAre("virtual", "local", "cluster"));
  EXPECT_THAT(bash({"tracebed", "run", "--world", "=", "v"}), ElementsAre("virtual"));
  EXPECT_THAT(bash({"tracebed", "run", "--world", "="}),
              ElementsAre("virtual", "local", "cluster"));
  EXPECT_THAT(bash({"tracebed", "run", "--scheduler", ""}),
              IsSupersetOf({"fifo", "capacity", "fair", "fcfs"}));
  EXPECT_THAT(bash({"tracebed", "run", "--scheduler", "fifo,sp"}), ElementsAre("fifo,spread"));
  EXPECT_THAT(bash({"tracebed", "trace", "convert", "--to", ""}),
              ElementsAre("binary", "sls", "swf"));
  EXPECT_THAT(bash({"tracebed", "trace", "info", "--format", "sw"}),
              UnorderedElementsAre("swf", "swim"));
  EXPECT_THAT(bash({"tracebed", "trace", "info", "--rule", "swim.block"}),
              ElementsAre("swim.block_mib="));
  EXPECT_THAT(bash({"tracebed", "completion", ""}), ElementsAre("bash", "zsh"));
}

TEST_F(Completion, OfBashOffersFilesAndFoldersWhereTheyAreTaken) {
  EXPECT_THAT(bash({"tracebed", "run", ""}),
              UnorderedElementsAre("first.toml", "with blank.toml", "runs", "bash", "zsh"));
  EXPECT_THAT(bash({"tracebed", "run", "with"}), ElementsAre("with blank.toml"));
  EXPECT_THAT(bash({"tracebed", "compare", "runs", ""}),
              UnorderedElementsAre("runs", "bash", "zsh"));
  EXPECT_THAT(bash({"tracebed", "run", "--output", "r"}), ElementsAre("runs"));
  EXPECT_THAT(bash({"tracebed", "run", "first.toml", ""}), IsEmpty());
}

TEST_F(Completion, OfBashTellsTheValuesOfAFlagFromWhatFollows) {
  EXPECT_THAT(bash({"tracebed", "run", "--world", "virtual", "f"}), ElementsAre("first.toml"));
  EXPECT_THAT(bash({"tracebed", "run", "--world", "=", "virtual", "f"}), ElementsAre("first.toml"));
  EXPECT_THAT(bash({"tracebed", "run", "--quick", "f"}), ElementsAre("first.toml"));
  // A flag that takes several may go on, or end before the argument that is required.
  EXPECT_THAT(bash({"tracebed", "run", "--scheduler", "fifo", "f"}),
              UnorderedElementsAre("fifo", "fair", "fcfs", "first.toml"));
  EXPECT_THAT(bash({"tracebed", "run", "--scheduler", "fifo", "--q"}),
              UnorderedElementsAre("--quick", "--quiet"));
  EXPECT_THAT(bash({"tracebed", "run", "--set", "scale.time", "=", "2"}), IsEmpty());
  EXPECT_THAT(bash({"tracebed", "run", "--set", "scale.time", "=", "2", "--q"}),
              UnorderedElementsAre("--quick", "--quiet"));
}

TEST_F(Completion, OfZshHasEveryCommandAndEveryFlag) {
  if (!std::filesystem::exists("/usr/bin/zsh")) GTEST_SKIP() << "zsh is not installed";
  const std::vector<HelpPage> pages = help_pages("tracebed");
  Words lines;
  for (const HelpPage& page : pages) {
    const std::string line = "tracebed " + page.command + (page.command.empty() ? "" : " ");
    lines.push_back(line);
    lines.push_back(line + "-");
  }
  const std::vector<Words> matches = zsh(lines);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const HelpPage& page = pages[i];
    if (!page.subcommands.empty()) {
      EXPECT_THAT(matches[2 * i], IsSupersetOf(page.subcommands)) << page.command;
    }
    EXPECT_THAT(matches[2 * i + 1], ::testing::UnorderedElementsAreArray(page.flags))
        << page.command;
  }
}

TEST_F(Completion, OfZshOffersTheValuesThatAFlagTakes) {
  if (!std::filesystem::exists("/usr/bin/zsh")) GTEST_SKIP() << "zsh is not installed";
  const std::vector<Words> matches = zsh({
      "tracebed run --world ",
      "tracebed run --world=v",
      "tracebed run --scheduler fifo,sp",
      "tracebed trace info --format sw",
      "tracebed trace info --rule swim.block",
      "tracebed run fi",
      "tracebed run --output r",
      "tracebed compare ",
  });
  EXPECT_THAT(matches[0], UnorderedElementsAre("virtual", "local", "cluster"));
  EXPECT_THAT(matches[1], ElementsAre("virtual"));
  EXPECT_THAT(matches[2], ElementsAre("spread,"));
  EXPECT_THAT(matches[3], UnorderedElementsAre("swf", "swim"));
  EXPECT_THAT(matches[4], ElementsAre("swim.block_mib="));
  EXPECT_THAT(matches[5], ElementsAre("first.toml"));
  EXPECT_THAT(matches[6], ElementsAre("runs"));
  EXPECT_THAT(matches[7], Not(Contains("first.toml")));
}

}  // namespace
}  // namespace tracebed

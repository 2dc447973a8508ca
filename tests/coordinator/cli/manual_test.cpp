// The manual pages of the package: complete, and read by man and mandoc without complaint.
#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/cli/help_tree.h"
#include "coordinator/cli/program.h"
#include "support/files.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Manual : public ::testing::Test {
 protected:
  Manual() {
    RunningProgram writer(program_path("write_manual"), {folder_.path().string(), "2026-01-31"});
    EXPECT_EQ(writer.wait().exit_code, 0);
  }

  std::vector<std::filesystem::path> pages() const {
    std::vector<std::filesystem::path> found;
    for (const char* section : {"man1", "man8"}) {
      for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / section)) {
        found.push_back(entry.path());
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  std::string page(const std::string& name) const { return contents(folder_.path() / name); }

 private:
  TemporaryFolder folder_;
};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '-' ? "\\-" : std::string(1, c);
  return out;
}

// The part of a page on one command; where that is the page's own, up to the first of the others.
std::string part_on(const std::string& page, const std::string& command) {
  const bool is_own = command.find(' ') == std::string::npos;
  const std::string heading = ".SS tracebed " + escaped(command) + "\n";
  const std::size_t begin = is_own ? 0 : page.find(heading);
  if (begin == std::string::npos) return {};
  return page.substr(begin, page.find("\n.SS ", begin + heading.size()) - begin);
}

void expect_flags(const HelpPage& help, const std::string& part) {
  for (const std::string& flag : help.flags) {
    EXPECT_THAT(part, HasSubstr("\\fB" + escaped(flag) + "\\fR")) << help.command;
  }
}

TEST_F(Manual, HasEveryCommandAndEveryFlagOfTracebed) {
  const std::string program = page("man1/tracebed.1");
  for (const HelpPage& help : help_pages("tracebed")) {
    if (help.command.empty()) {
      expect_flags(help, program);
      for (const std::string& name : help.subcommands) {
        EXPECT_THAT(program, HasSubstr("\\fBtracebed\\-" + escaped(name) + "\\fR(1)"));
      }
      continue;
    }
    const std::string first = help.command.substr(0, help.command.find(' '));
    expect_flags(help, part_on(page("man1/tracebed-" + first + ".1"), help.command));
  }
}

TEST_F(Manual, HasEveryFlagOfTheDaemons) {
  for (const char* daemon : {"tracebed-coordinator", "tracebed-agent", "tracebed-datanode",
                             "tracebed-launcher", "tracebed-appmaster", "tracebed-shuffle"}) {
    const std::vector<HelpPage> help = help_pages(daemon);
    ASSERT_EQ(help.size(), 1U);
    ASSERT_THAT(help[0].flags, ::testing::Not(IsEmpty()));
    expect_flags(help[0], page("man8/" + std::string(daemon) + ".8"));
  }
}

TEST_F(Manual, PassesMandocsLint) {
  if (!std::filesystem::exists("/usr/bin/mandoc")) GTEST_SKIP() << "mandoc is not installed";
  for (const std::filesystem::path& file : pages()) {
    RunningProgram mandoc("/usr/bin/mandoc", {"-T", "lint", "-W", "warning", file.string()});
    EXPECT_THAT(mandoc.wait().out, IsEmpty());
  }
}

TEST_F(Manual, IsFormattedByManWithoutWarnings) {
  if (!std::filesystem::exists("/usr/bin/groff")) GTEST_SKIP() << "groff is not installed";
  for (const std::filesystem::path& file : pages()) {
    // As Debian's lintian does it.
    RunningProgram man("/usr/bin/man",
                       {"--warnings=w", "-E", "UTF-8", "-l", "-Tutf8", "-Z", file.string()},
                       {"LC_ALL=C.UTF-8", "MANWIDTH=80", "MANROFFSEQ="});
    const ProgramEnd end = man.wait();
    EXPECT_EQ(end.exit_code, 0) << file;
    EXPECT_THAT(end.error, IsEmpty()) << file;
  }
}

TEST_F(Manual, IsIndexedByItsOneLineDescriptions) {
  if (!std::filesystem::exists("/usr/bin/lexgrog")) GTEST_SKIP() << "man-db is not installed";
  for (const std::filesystem::path& file : pages()) {
    RunningProgram lexgrog("/usr/bin/lexgrog", {file.string()});
    const ProgramEnd end = lexgrog.wait();
    EXPECT_EQ(end.exit_code, 0) << end.out;
    EXPECT_THAT(end.out, HasSubstr("\"" + file.stem().string() + " - "));
  }
}

}  // namespace
}  // namespace tracebed

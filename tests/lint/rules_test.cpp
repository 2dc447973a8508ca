// Every rule is fed a snippet that breaks it and one that does not.
#include "lint/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace tracebed::lint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Check = void (*)(const SourceFile&, Findings&);

std::vector<std::string> messages(Check check, std::string path, std::string text) {
  Findings findings;
  check(make_source(std::move(path), std::move(text)), findings);
  std::vector<std::string> messages;
  for (const Finding& finding : findings) {
    messages.push_back(std::to_string(finding.line) + ": " + finding.message);
  }
  return messages;
}
std::vector<std::string> text_messages(std::string path, std::string text) {
  return messages(check_text, std::move(path), std::move(text));
}
std::vector<std::string> word_messages(std::string path, std::string text) {
  return messages(check_words, std::move(path), std::move(text));
}
std::vector<std::string> include_messages(std::string path, std::string text) {
  return messages(check_includes, std::move(path), std::move(text));
}

std::string repeated(std::size_t count, const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

// ---- the view of code without comments and literals ----

TEST(Code, HasNoCommentsAndNoInsidesOfLiterals) {
  EXPECT_EQ(make_source("a.cpp", "int a; // rand\n/* rand\n */ int b;\n").code,
            "int a;        \n       \n    int b;\n");
  EXPECT_EQ(make_source("a.cpp", R"(f("a\"b", 'c');)").code, R"(f("    ", ' ');)");
  EXPECT_EQ(make_source("a.cpp", "f(R\"x(a\")b)x\");g").code, "f(R\"      )x\");g");
}

TEST(Code, KeepsDigitSeparatorsAndIncludes) {
  EXPECT_EQ(make_source("a.cpp", "int a = 1'000'000; rand();").code, "int a = 1'000'000; rand();");
  EXPECT_EQ(make_source("a.cpp", "#include \"core/ids.h\"\n").code, "#include \"core/ids.h\"\n");
}

TEST(Code, KeepsPositionsWhateverTheTextHolds) {
  const std::string text = "a /* \n \"x */ 'b' \"\\n\" // c\nR\"(\n)\" d\n\"unfinished\n";
  const SourceFile file = make_source("a.cpp", text);
  ASSERT_EQ(file.code.size(), text.size());
  for (std::size_t i = 0; i < text.size(); ++i) ASSERT_EQ(file.code[i] == '\n', text[i] == '\n');
}

// ---- text ----

TEST(TextRules, AGoodFilePasses) {
  EXPECT_THAT(text_messages("core/a.h", "// Why.\n#pragma once\n\nint a();\n"), IsEmpty());
}

TEST(TextRules, LinesHaveAHundredColumns) {
  EXPECT_THAT(text_messages("core/a.cpp", repeated(100, "a") + "\n"), IsEmpty());
  EXPECT_THAT(text_messages("core/a.cpp", "b\n" + repeated(101, "a") + "\n"),
              ElementsAre("2: the line is longer than 100 columns"));
}

TEST(TextRules, ColumnsAreCharactersNotBytes) {
  EXPECT_THAT(text_messages("core/a.cpp", repeated(100, "\u00d7") + "\n"), IsEmpty());
}

TEST(TextRules, BlanksStandOnlyWhereTheyAreSeen) {
  EXPECT_THAT(text_messages("a.cpp", "a \n"), ElementsAre(HasSubstr("end of the line")));
  EXPECT_THAT(text_messages("a.cpp", "a\r\n"), ElementsAre(HasSubstr("end of the line")));
  EXPECT_THAT(text_messages("a.cpp", "\ta\n"), ElementsAre(HasSubstr("a tab")));
  EXPECT_THAT(text_messages("a.cpp", "a"), ElementsAre("1: the last line has no end"));
}

TEST(TextRules, NoMarkerIsLeftOver) {
  for (const std::string marker : {"TO"
                                   "DO",
                                   "FIX"
                                   "ME",
                                   "XX"
                                   "X",
                                   "HA"
                                   "CK"}) {
    EXPECT_THAT(text_messages("README.md", "see " + marker + ": later\n"), SizeIs(1)) << marker;
    EXPECT_THAT(text_messages("README.md", "a" + marker + "s\n"), IsEmpty()) << marker;
  }
}

TEST(TextRules, NoPathOfOneMachineIsNamed) {
  EXPECT_THAT(text_messages("README.md",
                            "cd /ho"
                            "me/me/tracebed\n"),
              SizeIs(1));
  EXPECT_THAT(text_messages("a.py",
                            "open('/wo"
                            "rk/trace')\n"),
              SizeIs(1));
}

TEST(TextRules, HeadersBeginWithPragmaOnce) {
  EXPECT_THAT(text_messages("core/a.h", "#include <map>\n#pragma once\n"),
              ElementsAre(HasSubstr("#pragma once")));
  EXPECT_THAT(text_messages("core/a.h", "// #pragma once\nint a();\n"), SizeIs(1));
}

// ---- words ----

struct BadWord {
  const char* path;
  const char* code;
};

TEST(WordRules, EachFindsWhatItBans) {
  const std::vector<BadWord> cases = {
      {"core/a.cpp", "auto t = std::chrono::steady_clock::now();"},
      {"schedulers/yarn/a.cpp", "auto t = std::time(nullptr);"},
      {"applications/a.h", "timespec t; clock_gettime(CLOCK_REALTIME, &t);"},
      {"traces/a.cpp", "std::mt19937 engine(1);"},
      {"coordinator/engine/a.cpp", "std::shuffle(a.begin(), a.end(), engine);"},
      {"report/a.cpp", "int x = rand();"},
      {"schedulers/a.cpp", "std::thread worker;"},
      {"schedulers/a.cpp", "thread_local int a;"},
      {"core/a.cpp", "std::atomic<int> a;"},
      {"core/a.cpp", "const char* home = getenv(\"HOME\");"},
      {"coordinator/engine/a.cpp", "printf(\"x\");"},
      {"coordinator/engine/a.cpp", "spdlog::info(\"x\");"},
      {"tests/schedulers/a_test.cpp", "std::this_thread::sleep_for(1s);"},
      {"agents/agent/a.cpp", "assert(a);"},
      {"agents/agent/a.cpp", "std::shared_ptr<int> a;"},
      {"report/a.cpp", "for (int a : b | std::views::reverse) f(a);"},
      {"report/a.cpp", "auto where = std::source_location::current();"},
      {"agents/agent/a.cpp", "std::system(\"ls\");"},
      {"tests/core/a_test.cpp", "FRIEND_TEST(A, B);"},
      {"traces/csv/a.cpp", "auto bytes = open_file(path);"},
      {"coordinator/cli/a_command.cpp", "fmt::print(stderr, text);"},
      {"traces/csv/a.cpp", "const MappedFile file(path);"},
  };
  for (const BadWord& c : cases) {
    EXPECT_THAT(word_messages(c.path, c.code), SizeIs(testing::Ge(1u))) << c.path << ": " << c.code;
  }
}

TEST(WordRules, LetPassWhatOnlyLooksAlike) {
  const std::vector<BadWord> cases = {
      {"core/a.cpp", "// std::mt19937 would differ\nint a;"},
      {"core/a.cpp", "const char* text = \"getenv\";"},
      {"core/a.cpp", "static_assert(a);"},
      {"core/a.cpp", "int brand = operand(random);"},
      {"core/a.cpp", "state.clock(); entry->thread();"},
      {"coordinator/real/a.cpp", "std::thread worker; auto t = std::chrono::steady_clock::now();"},
      {"core/a.py", "assert a"},
      {"traces/parts/witnessed_bytes.cpp", "auto bytes = open_file(path);"},
      {"report/a.cpp", "const MappedFile file(path);"},
      {"coordinator/cli/a_command.cpp", "print_plain(stderr, text);"},
      {"coordinator/api/a.cpp", "fmt::print(stderr, text);"},
  };
  for (const BadWord& c : cases) {
    EXPECT_THAT(word_messages(c.path, c.code), IsEmpty()) << c.path << ": " << c.code;
  }
}

TEST(WordRules, NameLineWordAndWayOut) {
  EXPECT_THAT(word_messages("core/a.cpp", "int a;\n\nint b = rand();\n"),
              ElementsAre(testing::AllOf(HasSubstr("3: rand"), HasSubstr("core/random.h"))));
}

// ---- includes ----

TEST(IncludeRules, FollowTheArrows) {
  EXPECT_THAT(include_messages("schedulers/a.cpp", "#include \"core/ids.h\"\n"), IsEmpty());
  EXPECT_THAT(include_messages("schedulers/a.cpp", "#include \"schedulers/b.h\"\n"), IsEmpty());
  EXPECT_THAT(include_messages("tests/core/a.cpp", "#include \"agents/agent/b.h\"\n"), IsEmpty());
  const std::vector<BadWord> against_the_arrows = {
      {"core/a.h", "#include \"schedulers/b.h\"\n"},
      {"schedulers/a.h", "#include \"applications/b.h\"\n"},
      {"applications/a.h", "#include \"coordinator/engine/b.h\"\n"},
      {"coordinator/engine/a.h", "#include \"coordinator/virtual/b.h\"\n"},
      {"coordinator/virtual/a.h", "#include \"protocol/b.h\"\n"},
      {"coordinator/config/a.h", "#include \"traces/b.h\"\n"},
      {"coordinator/cli/a.cpp", "#include \"agents/agent/b.h\"\n"},
      {"agents/agent/a.cpp", "#include \"coordinator/real/b.h\"\n"},
      {"report/a.cpp", "#include \"traces/b.h\"\n"},
      {"traces/a.cpp", "#include \"report/b.h\"\n"},
      {"protocol/a.cpp", "#include \"traces/b.h\"\n"},
  };
  for (const BadWord& c : against_the_arrows) {
    EXPECT_THAT(include_messages(c.path, c.code), ElementsAre(HasSubstr("no arrow"))) << c.path;
  }
}

TEST(IncludeRules, ARoomIsNoPrefixOfANameButAFolder) {
  EXPECT_THAT(include_messages("schedulers/a.cpp", "#include \"corelike/ids.h\"\n"), SizeIs(1));
}

TEST(IncludeRules, AreWrittenFromTheRoot) {
  EXPECT_THAT(include_messages("core/a.cpp", "#include \"ids.h\"\n"),
              ElementsAre(HasSubstr("from the root")));
  EXPECT_THAT(include_messages("core/a.cpp", "#include \"../core/ids.h\"\n"), SizeIs(1));
  EXPECT_THAT(include_messages("protocol/a.cpp", "#include \"wire_generated.h\"\n"), IsEmpty());
}

TEST(IncludeRules, PutTheOwnHeaderFirst) {
  EXPECT_THAT(include_messages("core/a.cpp", "#include \"core/a.h\"\n#include <map>\n"), IsEmpty());
  EXPECT_THAT(include_messages("core/a.cpp", "#include <map>\n#include \"core/a.h\"\n"),
              ElementsAre(HasSubstr("own header first")));
}

TEST(IncludeRules, KeepPureRoomsToTheListedHeaders) {
  EXPECT_THAT(include_messages("core/a.h", "#include <vector>\n"), IsEmpty());
  for (const std::string header :
       {"iostream", "fstream", "thread", "unistd.h", "spdlog/spdlog.h"}) {
    EXPECT_THAT(include_messages("core/a.h", "#include <" + header + ">\n"),
                ElementsAre(HasSubstr("not for a pure room")))
        << header;
    EXPECT_THAT(include_messages("coordinator/real/a.h", "#include <" + header + ">\n"), IsEmpty());
  }
}

TEST(IncludeRules, FindCirclesOfFolders) {
  const std::vector<SourceFile> files = {
      make_source("agents/a/x.h", "#include \"agents/b/x.h\"\n"),
      make_source("agents/b/y.h", "#include \"agents/c/x.h\"\n"),
      make_source("agents/c/z.h", "#include \"core/ids.h\"\n"),
  };
  Findings none;
  check_folder_circles(files, none);
  EXPECT_THAT(none, IsEmpty());

  std::vector<SourceFile> circle = files;
  circle.push_back(make_source("agents/c/back.cpp", "#include \"agents/a/x.h\"\n"));
  Findings findings;
  check_folder_circles(circle, findings);
  EXPECT_THAT(findings, SizeIs(3)) << "each of the three folders lies on the circle";
}

TEST(IncludeRules, KeepStandardRandomnessOutOfEveryRoom) {
  EXPECT_THAT(include_messages("traces/a.cpp", "#include <random>\n"),
              ElementsAre(HasSubstr("core/random.h")));
  EXPECT_THAT(include_messages("tests/core/a.cpp", "#include <random>\n"), IsEmpty());
}

// ---- containers ----

std::size_t container_findings(std::vector<SourceFile> files) {
  Findings findings;
  check_container_order(files, findings);
  return findings.size();
}

TEST(ContainerRules, FindOrderByAddress) {
  for (const std::string code :
       {"std::set<Node*> nodes;", "std::map<const Node*, int> nodes;",
        "std::set<std::pair<int, Node*>> nodes;", "std::priority_queue<Job*> jobs;",
        "std::map<std::unique_ptr<Node>, int> nodes;", "std::less<Node*> order;"}) {
    EXPECT_EQ(container_findings({make_source("schedulers/a.cpp", code)}), 1u) << code;
    EXPECT_EQ(container_findings({make_source("report/a.cpp", code)}), 0u) << code;
  }
}

TEST(ContainerRules, LetAddressesBeValues) {
  for (const std::string code :
       {"std::map<NodeId, Node*> nodes;", "std::vector<Node*> nodes;",
        "std::map<std::pair<int, int>, Node*> nodes;", "bool b = x < y * z;"}) {
    EXPECT_EQ(container_findings({make_source("schedulers/a.cpp", code)}), 0u) << code;
  }
}

TEST(ContainerRules, FindIterationOverUnorderedContainers) {
  const std::string header = "class A {\n  std::unordered_map<int, std::vector<int>> jobs_;\n};\n";
  for (const std::string use :
       {"for (const auto& [id, job] : jobs_) f(id);", "auto first = jobs_.begin();"}) {
    EXPECT_EQ(container_findings(
                  {make_source("schedulers/a.h", header), make_source("schedulers/a.cpp", use)}),
              1u)
        << use;
  }
}

TEST(ContainerRules, LetUnorderedContainersBeLookedUp) {
  EXPECT_EQ(container_findings(
                {make_source("core/a.h",
                             "std::unordered_map<int, int> ids_;\nauto x = ids_.find(3);\n"
                             "bool b = x == ids_.end();\nfor (int a : other_ids_) f(a);\n")}),
            0u);
}

// ---- names ----

TEST(NameRules, FindWhatIsNamedAndIsNot) {
  const std::vector<SourceFile> files = {
      make_source("traces/rules.cpp",
                  "add({\"swf.queue\", \"the column\"});\nflag(\"--skip-bad,--skip-all\");\n"
                  "TomlKey<Draft>{\"nodes\"}; TomlKey<Draft>{\"cluster\"}; f(\"trace\");\n"),
      make_source("traces/advice.cpp",
                  "f(\"rule swf.queue or \"\n  \"swf.queues, or --skip-bad or --skip-some\");\n"
                  "// swf.none --none\ng(\"in small.swf and swf.swf\");\n"),
      make_source("README.md",
                  "rule swf.queues; `--skip-worst`, or swf.* and swf.queue\n"
                  "kind.cluster.nodes and kind.cluster.cores\n"
                  "`[cluster] node = 3`\n```toml\n[cluster]\nnodes = 3\nmore = 4\n```\n"),
  };
  Findings findings;
  check_names(files, findings);
  std::vector<std::string> messages;
  for (const Finding& finding : findings) messages.push_back(finding.message);
  EXPECT_THAT(messages,
              testing::UnorderedElementsAre(
                  "there is no rule or key swf.queues", "no program has the flag --skip-some",
                  "there is no rule or key kind.cluster.cores",
                  "there is no rule or key swf.queues", "no program has the flag --skip-worst",
                  "no configuration has the key node", "no configuration has the key more"));
}

// ---- definitions ----

TEST(DefinitionRules, FindWhatTwoHeadersDefine) {
  const std::string begin = "namespace tracebed {\n";
  const std::string end = "}  // namespace tracebed\n";
  const std::vector<SourceFile> files = {
      make_source("core/a.h", begin +
                                  "inline std::int64_t rounded(double value) {\n  return 1;\n}\n"
                                  "constexpr bool is_even(int a) { return true; }\n"
                                  "struct Step {\n  int a;\n};\nclass Known;\n" +
                                  end + "namespace other {\nclass Known {};\n}  // namespace\n"),
      make_source("traces/b.h", begin +
                                    "inline double rounded(double x) { return 2; }\n"
                                    "constexpr bool is_even(long a) { return true; }\n"
                                    "struct Step { int b; };\nclass Known {};\n"
                                    "inline double half(double x);\n" +
                                    end),
  };
  Findings findings;
  check_definitions(files, findings);
  std::vector<std::string> messages;
  for (const Finding& finding : findings) messages.push_back(finding.message);
  EXPECT_THAT(messages,
              testing::UnorderedElementsAre("tracebed::rounded(double) is defined in core/a.h, too",
                                            "tracebed::Step is defined in core/a.h, too"));
}

// ---- a task's work ----

TEST(TaskWorkRule, FindsAFieldThatMoreThanFourFilesName) {
  std::vector<SourceFile> files = {
      make_source("core/task_work.h",
                  "struct TaskWork : Work {\n  bool is_slow = false;\n"
                  "  bool operator==(const TaskWork&) const = default;\n};\nint default_is = 0;\n"),
      make_source("applications/a.cpp", "work.is_slow = true;"),
      make_source("coordinator/virtual/b.cpp", "if (work.is_slow) {}"),
      make_source("agents/task/c.cpp", "if (work.is_slow) {}"),
      make_source("agents/task/d.h", "// is_slow\nbool is_slower;"),
      make_source("tests/e.cpp", "work.is_slow"),
  };
  Findings findings;
  check_task_work(files, findings);
  EXPECT_THAT(findings, IsEmpty());
  files.push_back(make_source("protocol/wire.fbs", "  is_slow:bool;"));
  check_task_work(files, findings);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].line, 2u);
  EXPECT_THAT(findings[0].message, HasSubstr("is_slow stands in 5 files, at most 4 may name it: "
                                             "core/task_work.h applications/a.cpp"));
  findings.clear();
  files[0] = make_source("core/task_work.h", "class TaskWork {};");
  check_task_work(files, findings);
  EXPECT_THAT(findings, SizeIs(1)) << "a rule that finds no field any more";
}

// ---- the top level ----

TEST(TopLevelRule, FindsFilesThatSomebodyLeftThere) {
  const std::vector<std::string> names = {"README.md", "run", ".gitignore", "build.configure.log",
                                          "notes.txt"};
  Findings findings;
  check_top_level(names, findings);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].path, "build.configure.log");
  EXPECT_EQ(findings[1].path, "notes.txt");
}

// ---- fixtures ----

TEST(FixtureRule, FindsFilesThatNoTestNames) {
  const std::vector<SourceFile> files = {
      make_source("tests/traces/swf_test.cpp", "read(\"tests/traces/fixtures/short.swf\");"),
      make_source("README.md", "orphan.swf"),
      make_source("tests/a/fixtures/alone.toml", "name = \"alone\"\nconfig = \"queues.xml\""),
  };
  const std::vector<std::string> fixtures = {
      "tests/traces/fixtures/short.swf", "tests/traces/fixtures/orphan.swf",
      "tests/a/fixtures/alone.toml", "tests/a/fixtures/queues.xml"};
  Findings findings;
  check_fixtures_are_used(files, fixtures, findings);
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].path, "tests/traces/fixtures/orphan.swf");
  EXPECT_EQ(findings[1].path, "tests/a/fixtures/alone.toml");
}

}  // namespace
}  // namespace tracebed::lint

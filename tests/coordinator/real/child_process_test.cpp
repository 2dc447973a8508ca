#include "coordinator/real/child_process.h"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/input_error.h"
#include "support/eventually.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

ChildProcess shell(const std::string& script, const std::string& output = {}) {
  return ChildProcess({.program = "sh", .arguments = {"-c", script}, .output = output});
}

TEST(ChildProcess, TellsItsExitCodeOrSignal) {
  ChildProcess exits = shell("exit 7");
  const auto exit = exits.wait(timeout);
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->exit_code, 7);
  EXPECT_EQ(exit->signal, 0);
  EXPECT_EQ(exit->describe(), "ended with exit code 7");
  ChildProcess dies = shell("kill -KILL $$");
  const auto death = dies.wait(timeout);
  ASSERT_TRUE(death);
  EXPECT_EQ(death->signal, SIGKILL);
  EXPECT_EQ(death->describe(), "ended by signal 9 (Killed)");
}

TEST(ChildProcess, IsWaitedForNoLongerThanAsked) {
  ChildProcess sleeper = shell("exec sleep 1000");
  EXPECT_FALSE(sleeper.poll());
  EXPECT_FALSE(sleeper.wait(10ms));
  sleeper.signal(SIGTERM);
  const auto end = sleeper.wait(timeout);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->signal, SIGTERM);
  // What is known is told again, and signals to it go nowhere.
  EXPECT_EQ(sleeper.poll()->signal, SIGTERM);
  sleeper.signal(SIGKILL);
}

TEST(ChildProcess, IsKilledAndReapedByItsOwner) {
  pid_t id = 0;
  {
    ChildProcess sleeper = shell("exec sleep 1000");
    id = sleeper.id();
    EXPECT_EQ(kill(id, 0), 0);
  }
  EXPECT_EQ(kill(id, 0), -1);
}

TEST(ChildProcess, WritesBothOutputsToItsFile) {
  const TemporaryFolder folder;
  const std::string output = folder.file("output");
  EXPECT_TRUE(shell("echo one; echo two >&2", output).wait(timeout));
  EXPECT_TRUE(shell("echo three", output).wait(timeout));
  EXPECT_EQ(contents(output), "one\ntwo\nthree\n");
}

// Ctrl-C in a terminal goes to a whole session, and must reach only the program typed there.
TEST(ChildProcess, LeadsASessionOfItsOwnWithDefaultSignals) {
  const TemporaryFolder folder;
  const auto before = std::signal(SIGTERM, SIG_IGN);
  ChildProcess child = shell("cut -d ' ' -f 6 /proc/$$/stat; kill -TERM $$", folder.file("output"));
  std::signal(SIGTERM, before);
  const auto end = child.wait(timeout);
  ASSERT_TRUE(end);
  EXPECT_EQ(contents(folder.file("output")), std::to_string(child.id()) + "\n");
  EXPECT_EQ(end->signal, SIGTERM);
}

TEST(ChildProcess, HasOnlyTheDescriptorThatItWasGiven) {
  const TemporaryFolder folder;
  Lifeline lifeline = Lifeline::make();
  // Neither this one, which is not closed on exec, nor what the test was given itself.
  const FileDescriptor other(dup(STDERR_FILENO));
  ChildProcess child({.program = "sh",
                      .arguments = {"-c", "ls /proc/$$/fd; read -r line <&7"},
                      .output = folder.file("output"),
                      .inherited = lifeline.reader.number(),
                      .inherited_as = 7});
  EXPECT_FALSE(child.wait(50ms));
  lifeline.writer.reset();  // the end of the line
  EXPECT_TRUE(child.wait(timeout));
  EXPECT_EQ(contents(folder.file("output")), "0\n1\n2\n7\n");
}

TEST(ChildProcess, AProgramThatIsNotThereIsNamed) {
  EXPECT_THAT([] { ChildProcess child({.program = "no-such-program"}); },
              ThrowsMessage<EnvironmentError>(HasSubstr("no-such-program cannot be started")));
}

}  // namespace
}  // namespace tracebed

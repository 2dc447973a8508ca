// Containers that do what they can to their launcher and to each other. Whatever it is, the
// launcher takes orders meanwhile and ends when it is told to, and other containers live.
#include <csignal>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <sys/stat.h>

#include "agents/launcher_fixture.h"
#include "agents/programs/attacks.h"
#include "support/files.h"

namespace tracebed::launcher {
namespace {

using testing::IsEmpty;
using testing::StartsWith;

enum class Setting {
  user_each,  // as root runs it
  one_user,   // as a user runs it who has no other to give: only the filter keeps them apart
  no_cgroups,
};
constexpr std::array<const char*, 3> setting_names = {"UserEach", "OneUser", "NoCgroups"};

class HostileTest : public LauncherTest {
 protected:
  LauncherProcess::Options hostile(Setting setting) {
    LauncherProcess::Options chosen = options(HOSTILE);
    if (setting == Setting::one_user) chosen.more = {"--task-user", "61234:61234"};
    if (setting == Setting::no_cgroups) chosen.more = {"--isolation", "none"};
    return chosen;
  }
  static LaunchRecord attacker(std::uint32_t id, Attack attack) {
    return container(id, {Work{.cpu_time = microseconds(static_cast<std::int64_t>(attack))}});
  }
  void expect_that_it_answers(LauncherProcess& launcher) {
    for (std::uint32_t i = 0; i < 5; ++i) {
      launcher.client().query_usage();
      launcher.next_usage();
    }
    launcher.launch(attacker(++last_probe_, Attack::end_at_once));
    EXPECT_EQ(exit_of(launcher, last_probe_).exit_code, 0);
  }
  // In whatever order they end.
  ExitedRecord exit_of(LauncherProcess& launcher, std::uint32_t id) {
    while (!exits_.contains(id)) {
      const ExitedRecord exit = launcher.next_exited();
      if (exit.sequence == 0) return exit;  // the test has failed
      exits_[exit.container] = exit;
    }
    return exits_.at(id);
  }

  std::uint32_t last_probe_ = 100;
  std::map<std::uint32_t, ExitedRecord> exits_;
};

class HostileContainer : public HostileTest,
                         public testing::WithParamInterface<std::tuple<int, Setting>> {
 protected:
  Attack attack() const { return static_cast<Attack>(std::get<0>(GetParam())); }
  Setting setting() const { return std::get<1>(GetParam()); }
};

TEST_P(HostileContainer, HarmsNobody) {
  if (attack() == Attack::fork_bomb && setting() == Setting::no_cgroups) {
    GTEST_SKIP() << "without cgroups only its user's limit of processes holds it";
  }
  LauncherProcess launcher(hostile(setting()));
  launcher.launch(attacker(1, Attack::none));
  const pid_t victim = launcher.next_started().process;
  ASSERT_TRUE(eventually([&] { return stat_of(victim).at(0) == "S"; }));
  const std::vector<std::string> before = stat_of(victim);

  launcher.launch(attacker(2, attack()));
  launcher.next_started();
  expect_that_it_answers(launcher);
  const bool is_asked = is_lie(attack()) && attack() != Attack::tell_unasked;
  if (is_asked) launcher.client().checkpoint(std::vector<std::uint32_t>{2});
  if (should_continue(attack())) {
    launcher.client().kill(std::vector<std::uint32_t>{2});
    // Processes that have ended, or were not let begin, are the container's memory until the kernel
    // gets round to freeing them: with many of them it may be full before the order comes.
    const bool may_fill_memory = attack() == Attack::fork_bomb || attack() == Attack::orphans;
    const ExitCause cause = exit_of(launcher, 2).cause;
    const bool is_full = may_fill_memory && cause == ExitCause::out_of_memory;
    EXPECT_TRUE(is_full || cause == ExitCause::killed) << static_cast<int>(cause);
  } else {
    const ExitedRecord exit = exit_of(launcher, 2);
    EXPECT_EQ(exit.cause, ExitCause::by_itself) << "signal " << exit.signal;
    EXPECT_EQ(exit.signal, 0);
    EXPECT_EQ(exit.exit_code, is_lie(attack()) ? 3 : 0);
    EXPECT_EQ(exit.progress, 0u);
  }

  constexpr std::size_t state = 0, priority = 15, nice = 16;
  const std::vector<std::string> after = stat_of(victim);
  ASSERT_GT(after.size(), nice) << "the victim is gone";
  for (const std::size_t field : {state, priority, nice}) EXPECT_EQ(after[field], before[field]);
  expect_that_it_answers(launcher);
  launcher.client().kill(std::vector<std::uint32_t>{1});
  EXPECT_EQ(exit_of(launcher, 1).cause, ExitCause::killed);
  kill(launcher.process(), SIGTERM);
  EXPECT_EQ(launcher.wait_for_end(), 0);
  expect_nothing_left();
  EXPECT_THAT(processes_of(HOSTILE), IsEmpty());
}

// Otherwise another container of the same user can look into a process between its first
// instruction and its own PR_SET_DUMPABLE.
TEST(ProgramsOfContainers, AreReadByTheirOwnerAlone) {
  for (const char* program : {TRACEBED_TASK, HOSTILE}) {
    EXPECT_EQ(std::filesystem::status(program).permissions(), std::filesystem::perms(0711))
        << program;
  }
}

INSTANTIATE_TEST_SUITE_P(
    WhateverItTries, HostileContainer,
    testing::Combine(testing::Range(static_cast<int>(Attack::shut_streams_down), attacks),
                     testing::Values(Setting::user_each, Setting::one_user, Setting::no_cgroups)),
    [](const auto& one) {
      return std::string(attack_names[static_cast<std::size_t>(std::get<0>(one.param))]) + "_" +
             setting_names[static_cast<std::size_t>(std::get<1>(one.param))];
    });

// While it goes on, and not only after it was killed.
TEST_F(HostileTest, TheLauncherEndsInTheMidstOfIt) {
  for (const Attack attack :
       {Attack::shut_streams_down, Attack::flood, Attack::orphans, Attack::fork_bomb}) {
    LauncherProcess launcher(hostile(Setting::user_each));
    launcher.launch(attacker(1, attack));
    launcher.next_started();
    kill(launcher.process(), SIGTERM);
    EXPECT_EQ(launcher.wait_for_end(), 0) << attack_names[static_cast<std::size_t>(attack)];
    expect_nothing_left();
  }
}

TEST_F(HostileTest, EachContainerIsAnotherUsersAndHasNoMoreThanItNeeds) {
  LauncherProcess launcher(hostile(Setting::user_each));
  std::set<uid_t> users;
  for (std::uint32_t id = 1; id <= 5; ++id) {
    launcher.launch(attacker(id, Attack::none));
    const pid_t process = launcher.next_started().process;
    const std::string folder = "/proc/" + std::to_string(process);
    // Its parent goes on a moment before the kernel has closed what is not for it.
    ASSERT_TRUE(eventually([&] { return stat_of(process).at(0) == "S"; }));
    // Its files are root's, as it is not dumpable; its status says whose it is.
    std::istringstream status(contents(folder + "/status"));
    uid_t user = 0;
    std::map<std::string, std::string> fields;
    for (std::string line; std::getline(status, line);) {
      const std::size_t colon = line.find(":\t");
      if (colon != std::string::npos) fields[line.substr(0, colon)] = line.substr(colon + 2);
    }
    user = static_cast<uid_t>(std::stoul(fields["Uid"]));
    EXPECT_EQ(user, 2'100'000'000u + static_cast<uid_t>(process));
    EXPECT_EQ(std::stoul(fields["Gid"]), user);
    users.insert(user);
    EXPECT_EQ(fields["Groups"].find_first_not_of(' '), std::string::npos);
    for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"}) {
      EXPECT_EQ(fields[set], "0000000000000000") << set;
    }
    EXPECT_EQ(fields["NoNewPrivs"], "1");
    EXPECT_EQ(fields["Seccomp"], "2");
    std::size_t descriptors = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder + "/fd")) {
      EXPECT_LE(std::stoi(entry.path().filename()), 2);
      ++descriptors;
    }
    EXPECT_EQ(descriptors, 3u);
    // The launcher's own open files are not among them.
    for (const int stream : {1, 2}) {
      const auto target = std::filesystem::read_symlink(folder + "/fd/" + std::to_string(stream));
      EXPECT_THAT(target.string(), StartsWith("pipe:["));
    }
  }
  EXPECT_EQ(users.size(), 5u);
}

// Each holds one descriptor of the launcher's, no more, and gives it back.
TEST_F(HostileTest, DescriptorsOfTheLauncherAreBounded) {
  const auto descriptors = [](pid_t process) {
    const std::filesystem::directory_iterator all("/proc/" + std::to_string(process) + "/fd");
    return std::distance(begin(all), end(all));
  };
  LauncherProcess launcher(hostile(Setting::user_each));
  launcher.next_state();
  const auto before = descriptors(launcher.process());
  for (std::uint32_t id = 1; id <= 10; ++id) launcher.launch(attacker(id, Attack::none));
  std::vector<std::uint32_t> ids;
  for (int i = 0; i < 10; ++i) ids.push_back(launcher.next_started().container);
  EXPECT_EQ(descriptors(launcher.process()), before + 10);
  launcher.client().kill(ids);
  for (int i = 0; i < 10; ++i) launcher.next_exited();
  EXPECT_EQ(descriptors(launcher.process()), before);
}

// With the rights that its unit gives it, and no others.
TEST_F(HostileTest, TheUnitsRightsAreEnoughForIt) {
  const std::string unit = contents(UNIT_FILE);
  const std::string key = "\nCapabilityBoundingSet=";
  const std::size_t begin = unit.find(key) + key.size();
  std::istringstream names(unit.substr(begin, unit.find('\n', begin) - begin));
  std::string set = "-all";
  for (std::string name; names >> name;) {
    for (char& c : name) c = static_cast<char>(std::tolower(c));
    set += ",+" + name.substr(std::string("cap_").size());
  }
  const TemporaryFolder folder;
  const std::string path = folder.file("socket");
  const pid_t process = spawn("/usr/bin/setpriv",
                              {"--bounding-set", set, "--no-new-privs", TRACEBED_LAUNCHER, "--run",
                               run_, "--agent", "agent", "--task", HOSTILE, "--listen", path},
                              {});
  std::optional<LauncherClient> client;
  EXPECT_TRUE(eventually([&] {
    Result<FileDescriptor> socket = connect_to_launcher(path);
    if (socket) client.emplace(*std::move(socket));
    return client.has_value();
  }));
  const LaunchRecord record = attacker(1, Attack::become_another);
  client->launch(std::span(&record, 1));
  std::vector<LauncherClient::News> news;
  std::optional<ExitedRecord> exit;
  EXPECT_TRUE(eventually([&] {
    client->receive(news);
    for (const auto& one : news) {
      if (const auto* exited = std::get_if<ExitedRecord>(&one)) exit = *exited;
    }
    return exit.has_value();
  }));
  EXPECT_EQ(exit->cause, ExitCause::by_itself) << exit->text.data();
  EXPECT_EQ(exit->exit_code, 0);
  kill(process, SIGTERM);
  EXPECT_EQ(launcher::wait_for_end(process), 0);
}

TEST_F(HostileTest, ASocketWhereOthersCanWriteIsRefused) {
  const TemporaryFolder folder;
  ASSERT_EQ(chmod(folder.path().c_str(), 0777), 0);
  const pid_t process = spawn(
      TRACEBED_LAUNCHER,
      {"--run", run_, "--agent", "agent", "--task", HOSTILE, "--listen", folder.file("socket")},
      {});
  EXPECT_EQ(WEXITSTATUS(launcher::wait_for_end(process)), 4);
}

}  // namespace
}  // namespace tracebed::launcher

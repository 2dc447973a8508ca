#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/cgroups/cgroup_tree.h"
#include "agents/cgroups/mounts.h"
#include "agents/cgroups/open_tree.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* hybrid_mounts =
    "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:4 - cgroup cgroup rw,memory\n"
    "40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

TEST(CgroupMounts, AreReadFromAHybridMachine) {
  const auto mounts = parse_cgroup_mounts(hybrid_mounts);
  ASSERT_EQ(mounts.size(), 3);
  EXPECT_THAT(mounts[0].controllers, ElementsAre("cpu", "cpuacct"));
  EXPECT_EQ(mounts[0].mount_point, "/sys/fs/cgroup/cpu,cpuacct");
  EXPECT_THAT(mounts[1].controllers, ElementsAre("memory"));
  EXPECT_TRUE(mounts[2].unified);
  EXPECT_EQ(mounts[2].mount_point, "/sys/fs/cgroup/unified");
}

TEST(CgroupMounts, KeepTheOneThatCoversAnother) {
  const auto mounts = parse_cgroup_mounts(
      "1 0 0:1 / /cg rw - cgroup cgroup rw,cpu\n2 1 0:2 /inner /cg rw - cgroup cgroup rw,cpu\n");
  ASSERT_EQ(mounts.size(), 1);
  EXPECT_EQ(mounts[0].root, "/inner");
}

TEST(CgroupMounts, UnderstandEscapedBlanksAndSurviveNonsense) {
  const auto mounts = parse_cgroup_mounts(
      "garbage\n\n1 2 3\n36 31 0:1 / /mnt/a\\040b rw - cgroup2 none rw\n9 9 0:9 / /x - cgroup\n");
  ASSERT_EQ(mounts.size(), 1);
  EXPECT_EQ(mounts[0].mount_point, "/mnt/a b");
}

// Version 1 paths may differ between hierarchies.
TEST(CgroupMemberships, AreKeptPerHierarchy) {
  const auto memberships =
      parse_cgroup_memberships("9:name=systemd:/\n4:memory:/jobs/a:b\n2:cpu,cpuacct:/\n0::/user\n");
  ASSERT_EQ(memberships.size(), 4);
  EXPECT_THAT(memberships[2].controllers, ElementsAre("cpu", "cpuacct"));
  EXPECT_EQ(memberships[1].path, "/jobs/a:b");
  EXPECT_THAT(memberships[3].controllers, IsEmpty());
  EXPECT_EQ(memberships[3].path, "/user");
}

struct PathCase {
  const char* root;
  const char* path;
  std::vector<std::string> expected;
};

TEST(OwnCgroup, IsNamedAsTheMountShowsIt) {
  const std::vector<PathCase> cases = {
      {"/", "/", {"/cg"}},
      {"/", "/a/b", {"/cg/a/b", "/cg/a", "/cg"}},
      {"/docker/1", "/docker/1/x", {"/cg/x", "/cg"}},
      {"/docker/1", "/docker/1", {"/cg"}},
      {"/docker/1", "/elsewhere", {"/cg"}},
      {"/docker/1", "/docker/12", {"/cg"}},
      {"/", "/../other", {"/cg"}},
  };
  for (const PathCase& test : cases) {
    const CgroupMount mount{
        .unified = true, .controllers = {}, .mount_point = "/cg", .root = test.root};
    EXPECT_EQ(own_and_ancestors(mount, {{{}, test.path}}), test.expected)
        << test.root << ' ' << test.path;
  }
}

TEST(CgroupDetection, SaysThatNothingIsMounted) {
  const CgroupSupport support = detect_cgroups({});
  EXPECT_EQ(support.kind, CgroupSupport::Kind::none);
  EXPECT_THAT(support.missing, ElementsAre("no cgroup hierarchy is mounted"));
}

TEST(CgroupDetection, NamesTheHierarchyAndTheRightThatAreMissing) {
  const CgroupSurroundings around = {
      {{.unified = false, .controllers = {"cpu"}, .mount_point = "/proc/self/fd", .root = "/"},
       {.unified = false, .controllers = {"memory"}, .mount_point = "/nowhere", .root = "/"}},
      {}};
  const CgroupSupport support = detect_cgroups(around);
  EXPECT_EQ(support.kind, CgroupSupport::Kind::none);
  EXPECT_THAT(support.missing,
              testing::Contains("controller pids: no version 1 hierarchy of it is mounted"));
  EXPECT_THAT(
      support.missing,
      testing::Contains(HasSubstr("controller memory: /nowhere cannot be written: No such file")));
  const auto tree = open_cgroup_tree(support, {"run", "agent"});
  ASSERT_FALSE(tree);
  EXPECT_THAT(tree.error().message, HasSubstr("controller pids"));
}

TEST(CgroupNames, CannotLeaveTheirDirectory) {
  EXPECT_TRUE(check_cgroup_name("run", "demo-2026.1_a"));
  for (const char* name : {"", "..", ".hidden", "a/b", "a b", "a\n"}) {
    EXPECT_FALSE(check_cgroup_name("run", name)) << name;
  }
  EXPECT_FALSE(check_cgroup_name("run", std::string(101, 'a')));
}

}  // namespace
}  // namespace tracebed

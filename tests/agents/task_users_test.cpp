// Which ranges of users a launcher takes, and what its filter of system calls is.
#include "agents/launcher/task_users.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/launcher/syscall_filter.h"

namespace tracebed::launcher {
namespace {

using testing::HasSubstr;

UserLimits whole_machine() {
  return {4'194'304, "         0          0 4294967295\n", "         0          0 4294967295\n"};
}
std::string fault(const std::string& range, const UserLimits& limits = whole_machine()) {
  const Result<TaskUsers> users = task_user_range(range, 1'000, limits);
  return users ? "" : users.error().message;
}

TEST(TaskUsers, TheDefaultIsARangeOfAUserForEachProcess) {
  const Result<TaskUsers> users = task_user_range("2100000000-2104194303", 1'000, whole_machine());
  ASSERT_TRUE(users) << users.error().message;
  EXPECT_TRUE(users->is_range());
  EXPECT_EQ(users->first, first_task_user_default);
  EXPECT_EQ(users->count, task_users_default);
  EXPECT_EQ(users->group, users->first);
}

TEST(TaskUsers, BadRangesAreRefusedWithTheReason) {
  for (const char* range : {"", "5", "-", "a-b", "100000-", "-200000", "200000-100000", "1-2-3",
                            "100000-99999999999999999999", "100000 - 5000000"}) {
    EXPECT_THAT(fault(range), HasSubstr("expected a range of user ids, FIRST-LAST")) << range;
  }
  EXPECT_THAT(fault("1000-5000000"), HasSubstr("from 65536 to 2147483647"));
  EXPECT_THAT(fault("2147000000-2152000000"), HasSubstr("from 65536 to 2147483647"));
  EXPECT_THAT(fault("100000-200000"), HasSubstr("at least 4194304 user ids"));
  UserLimits limits = whole_machine();
  limits.process_numbers = 32'768;
  EXPECT_EQ(fault("100000-132767", limits), "");
  EXPECT_THAT(fault("100000-132766", limits), HasSubstr("at least 32768"));
  limits.user_map = "0 100000 65536\n";
  EXPECT_THAT(fault("100000-132767", limits), HasSubstr("this user namespace"));
  limits.user_map = "0 100000 65536\n100000 900000 40000\n";
  EXPECT_EQ(fault("100000-132767", limits), "");
  limits.group_map = "";
  EXPECT_THAT(fault("100000-132767", limits), HasSubstr("this user namespace"));
  const Result<TaskUsers> own =
      task_user_range("2100000000-2104194303", 2'100'000'005, whole_machine());
  ASSERT_FALSE(own);
  EXPECT_THAT(own.error().message, HasSubstr("without the agent's user"));
}

TEST(TaskUsers, ThisMachineHasLimits) {
  const UserLimits limits = user_limits();
  EXPECT_GE(limits.process_numbers, 300);
  EXPECT_FALSE(limits.user_map.empty());
  EXPECT_FALSE(limits.group_map.empty());
}

// The kernel would refuse it else: every way ends with an answer, and no jump leaves it.
TEST(SyscallFilter, EveryJumpEndsWithin) {
  const SyscallFilter filter;
  const std::vector<sock_filter>& program = filter.program();
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (BPF_CLASS(program[i].code) != BPF_JMP) continue;
    EXPECT_LT(i + 1 + program[i].jt, program.size());
    EXPECT_LT(i + 1 + program[i].jf, program.size());
  }
  EXPECT_EQ(BPF_CLASS(program.back().code), BPF_RET);
}

}  // namespace
}  // namespace tracebed::launcher

// Queue mappings: which queue an application goes to. The rules are those that Hadoop's
// TestCSMappingPlacementRule and TestMappingRuleValidationContextImpl check, restated.
#include "schedulers/yarn/capacity/placement/mapping_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracebed {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// Two queues are called "twice", a leaf and a parent.
NamedQueues tree() {
  return NamedQueues({{"root", false},
                      {"root.default", true},
                      {"root.users", false},
                      {"root.users.ann", true},
                      {"root.users.bob_dot_x", true},
                      {"root.groups", false},
                      {"root.groups.ops", true},
                      {"root.groups.dev", true},
                      {"root.dev_team", true},
                      {"root.twice", true},
                      {"root.other", false},
                      {"root.other.twice", false},
                      {"root.other.twice.deep", true}});
}

constexpr const char* place = "cs.xml:3: yarn.scheduler.capacity.queue-mappings";

MappingRules rules_of(const std::string& mappings, bool overrides = false,
                      const NamedQueues& names = tree()) {
  auto rules = parse_queue_mappings(mappings, place);
  EXPECT_TRUE(rules.has_value()) << (rules ? "" : rules.error().message);
  return rules ? MappingRules(std::move(*rules), overrides, names) : MappingRules();
}

std::string placed(const MappingRules& rules, const MappingRequest& request) {
  const auto result = rules.place(request);
  if (!result) return result.error().message;
  return result->value_or("stays");
}

MappingRequest of_user(const std::string& user, std::vector<std::string> groups = {"staff"},
                       const std::string& queue = "default") {
  return {queue, user, std::move(groups)};
}

std::string fault_of(const std::string& mappings) {
  const Status status = rules_of(mappings).check();
  return status ? "none" : status.error().message;
}

// ---- names of queues ----

TEST(NamedQueues, AreThePathOrTheLastPartThatOneQueueHas) {
  const NamedQueues names = tree();
  EXPECT_EQ(names.find("root.users.ann")->path, "root.users.ann");
  EXPECT_EQ(names.find("ann")->path, "root.users.ann");
  EXPECT_EQ(names.find("root")->path, "root");
  EXPECT_EQ(names.find("users")->path, "root.users") << "a parent, too";
  EXPECT_EQ(names.find("twice"), nullptr);
  EXPECT_TRUE(names.is_ambiguous("twice"));
  EXPECT_EQ(names.find("users.ann"), nullptr) << "no path that begins in the middle";
}

TEST(NamedQueues, PathsAreSplitWithoutEmptyPartsAtTheEnd) {
  EXPECT_THAT(path_parts("root.a.b"), ElementsAre("root", "a", "b"));
  EXPECT_THAT(path_parts("root.a.."), ElementsAre("root", "a"));
  EXPECT_THAT(path_parts("root..b"), ElementsAre("root", "", "b"));
  EXPECT_THAT(path_parts(""), ElementsAre(""));
}

// ---- which applications rules count for ----

TEST(QueueMappings, CountOnlyForApplicationsWithoutAQueueUnlessTheyOverride) {
  const std::string mapping = "u:ann:root.users.ann";
  EXPECT_EQ(placed(rules_of(mapping), of_user("ann")), "root.users.ann");
  EXPECT_EQ(placed(rules_of(mapping), of_user("ann", {"staff"}, "ops")), "stays");
  EXPECT_EQ(placed(rules_of(mapping), of_user("ann", {"staff"}, "root.default")), "stays")
      << "the default queue by its path is a queue that was asked for";
  EXPECT_EQ(placed(rules_of(mapping, true), of_user("ann", {"staff"}, "ops")), "root.users.ann");
}

TEST(QueueMappings, TheFirstThatMatchesCounts) {
  const MappingRules rules = rules_of("u:ann:ops, g:staff:dev\nu:%user:dev_team");
  EXPECT_EQ(placed(rules, of_user("ann")), "root.groups.ops");
  EXPECT_EQ(placed(rules, of_user("bob")), "root.groups.dev");
  EXPECT_EQ(placed(rules, of_user("bob", {"guests"})), "root.dev_team");
  EXPECT_EQ(placed(rules_of("u:ann:ops"), of_user("bob")), "stays");
}

TEST(QueueMappings, OfGroupsMatchEveryGroupOfTheUser) {
  const MappingRules rules = rules_of("g:ops:dev_team");
  EXPECT_EQ(placed(rules, of_user("ann", {"staff", "guests", "ops"})), "root.dev_team");
  EXPECT_EQ(placed(rules_of("g:%primary_group:dev_team"), of_user("ann")), "root.dev_team");
  EXPECT_EQ(placed(rules_of("g:%user:dev_team"), of_user("ops", {"staff", "ops"})),
            "root.dev_team");
}

// ---- variables ----

TEST(QueueMappings, TakeUserAndGroupIntoPaths) {
  EXPECT_EQ(placed(rules_of("u:%user:%user"), of_user("ann")), "root.users.ann");
  EXPECT_EQ(placed(rules_of("u:%user:root.users.%user"), of_user("ann")), "root.users.ann");
  EXPECT_EQ(placed(rules_of("u:%user:users.%user"), of_user("ann")), "root.users.ann")
      << "the first part may be a queue's last";
  EXPECT_EQ(placed(rules_of("u:%user:groups.%primary_group"), of_user("ann", {"ops"})),
            "root.groups.ops");
  EXPECT_EQ(placed(rules_of("u:%user:%primary_group.%user"), of_user("ann", {"users"})),
            "root.users.ann");
  EXPECT_EQ(placed(rules_of("u:%user:root.users.%user"), of_user("bob.x")), "root.users.bob_dot_x");
  EXPECT_EQ(placed(rules_of("u:bob.x:ops"), of_user("bob.x")), "root.groups.ops")
      << "matched as it is";
}

TEST(QueueMappings, TheSecondaryGroupIsTheFirstThatIsAQueueThere) {
  const MappingRequest ann = of_user("ann", {"ops", "guests", "dev_team", "dev"});
  EXPECT_EQ(placed(rules_of("u:%user:%secondary_group"), ann), "root.dev_team");
  EXPECT_EQ(placed(rules_of("u:%user:root.groups.%secondary_group"), ann), "root.groups.dev")
      << "below the parts before it";
  EXPECT_EQ(placed(rules_of("u:%user:groups.%secondary_group"), ann), "root.default")
      << "these must be a whole path";
  EXPECT_EQ(placed(rules_of("u:%user:root.groups.%secondary_group"), of_user("ann", {"ops"})),
            "root.default")
      << "the primary one is none";
}

TEST(QueueMappings, AVariableIsAWholePartOfAPath) {
  EXPECT_EQ(placed(rules_of("u:%user:root.users.x%user"), of_user("ann")), "root.default");
}

// ---- where a queue is none ----

TEST(QueueMappings, FallBackToTheDefaultQueue) {
  const MappingRules rules = rules_of("u:%user:root.users.%user, u:%user:ops");
  EXPECT_EQ(placed(rules, of_user("carl")), "root.default") << "and not to the next rule";
  EXPECT_EQ(placed(rules_of("u:%user:%primary_group"), of_user("ann", {"users"})), "root.default")
      << "a parent takes no applications";
  EXPECT_EQ(placed(rules_of("u:%user:%primary_group"), of_user("ann", {"twice"})), "root.default");
}

TEST(QueueMappings, RejectWhereThereIsNoDefaultQueueEither) {
  const NamedQueues names({{"root", false}, {"root.a", true}});
  EXPECT_EQ(placed(rules_of("u:%user:%user", false, names), of_user("ann")),
            std::string("it is rejected by ") + place +
                ": u:%user:%user, as there is no queue ann, and in place of it there is no queue "
                "root.default");
}

MappingRule rule(MappingRule::Action action, const std::string& queue,
                 MappingRule::Fallback fallback = MappingRule::Fallback::skip) {
  MappingRule made;
  made.action = action;
  made.queue = queue;
  made.fallback = fallback;
  made.where = "rules.json: rule 1";
  return made;
}

TEST(MappingRules, SkipRejectOrSetAnotherDefault) {
  using Action = MappingRule::Action;
  using Fallback = MappingRule::Fallback;
  const auto first_of = [](std::vector<MappingRule> rules, const std::string& user) {
    return placed(MappingRules(std::move(rules), false, tree()), of_user(user));
  };
  const MappingRule by_user = rule(Action::place, "root.users.%user");
  EXPECT_EQ(first_of({by_user, rule(Action::place, "ops")}, "carl"), "root.groups.ops");
  EXPECT_EQ(first_of({by_user}, "carl"), "stays");
  EXPECT_EQ(first_of({rule(Action::place, "root.users.%user", Fallback::reject)}, "carl"),
            "it is rejected by rules.json: rule 1, as there is no queue root.users.carl");
  EXPECT_EQ(first_of({rule(Action::reject, "")}, "ann"), "it is rejected by rules.json: rule 1");
  EXPECT_EQ(first_of({rule(Action::set_default, "root.users.%user"),
                      rule(Action::place, "none", Fallback::place_in_default)},
                     "ann"),
            "root.users.ann");
  EXPECT_EQ(first_of({rule(Action::set_default, "ops"), rule(Action::place, "%default")}, "ann"),
            "root.groups.ops");
}

TEST(MappingRules, TheSpecifiedQueueIsTheOneThatTheApplicationNames) {
  const MappingRules rules(
      {rule(MappingRule::Action::place, "%specified"), rule(MappingRule::Action::place, "ops")},
      true, tree());
  EXPECT_EQ(placed(rules, of_user("ann", {"staff"}, "dev")), "root.groups.dev");
  EXPECT_EQ(placed(rules, of_user("ann", {"staff"}, "root.default")), "root.default");
  EXPECT_EQ(placed(rules, of_user("ann")), "root.groups.ops") << "default is none";
}

// ---- what is refused from the start ----

TEST(QueueMappings, AreOfThreeParts) {
  for (const char* wrong :
       {"u:ann", "u:ann:a:b", "x:ann:ops", "u::ops", "ann", "U:ann:ops", ":::"}) {
    const auto rules = parse_queue_mappings(std::string("u:ann:ops,") + wrong, place);
    ASSERT_FALSE(rules.has_value()) << wrong;
    EXPECT_EQ(rules.error().message, std::string(place) +
                                         ": expected u:USER:QUEUE or g:GROUP:QUEUE, separated by "
                                         "commas, got \"" +
                                         wrong + "\"");
  }
  EXPECT_TRUE(parse_queue_mappings("", place)->empty());
  EXPECT_TRUE(parse_queue_mappings(" , \n", place)->empty());
  EXPECT_EQ(parse_queue_mappings(" u : ann : ops ", place)->front().matches, "ann");
}

TEST(QueueMappings, AreRefusedIfTheyCanPlaceNobody) {
  EXPECT_THAT(fault_of("u:ann:ops, u:bob:nowhere"),
              AllOf(StartsWith(place), HasSubstr("u:bob:nowhere: expected a leaf queue, but there "
                                                 "is no queue nowhere")));
  EXPECT_THAT(fault_of("u:ann:root.users"), HasSubstr("but queue root.users has queues below it"));
  EXPECT_THAT(fault_of("u:ann:twice"), HasSubstr("but several queues are called twice"));
  EXPECT_THAT(fault_of("u:ann:root.users.nobody"),
              HasSubstr("there is no queue root.users.nobody"));
  EXPECT_THAT(fault_of("u:ann:root..ops"), HasSubstr("a path without empty parts"));
  EXPECT_THAT(fault_of("u:%user:root.nowhere.%user"),
              HasSubstr("a parent before the variable, but there is no queue root.nowhere"));
  EXPECT_THAT(fault_of("u:%user:ops.%user"), HasSubstr("but queue root.groups.ops is a leaf"));
  EXPECT_THAT(fault_of("u:%user:twice.%user"), HasSubstr("several queues are called twice"));
  EXPECT_THAT(fault_of("u:%user:root.dev%user"), HasSubstr("there is no queue root.dev%user"))
      << "no variable, as it is no whole part";
}

TEST(QueueMappings, AreTakenIfTheyMayPlaceSomebody) {
  for (const char* right :
       {"u:ann:ops", "u:ann:root.groups.ops", "u:ann:groups.ops", "u:%user:%user",
        "u:%user:root.users.%user", "u:%user:%primary_group.none.at.all",
        "g:staff:other.twice.deep", "u:%user:root.groups.%secondary_group",
        "u:%user:root.other.twice.%user"}) {
    EXPECT_EQ(fault_of(right), "none") << right;
  }
}

TEST(QueueMappings, SayWhetherTheyNeedAnApplicationsName) {
  const auto needs = [](const std::string& mapping) {
    return depends_on_application_name(parse_queue_mappings(mapping, place)->front());
  };
  EXPECT_TRUE(needs("u:%user:root.users.%application"));
  EXPECT_TRUE(needs("g:%application:ops"));
  EXPECT_FALSE(needs("u:%user:root.users.%user"));
  EXPECT_FALSE(needs("u:%user:root.x%application")) << "no variable";
}

}  // namespace
}  // namespace tracebed

// Random trees of queues, mappings and applications: mappings place as the rules in JSON that
// Hadoop makes of them (placement.converter.LegacyMappingRuleToJson), whoever is placed is in a
// leaf, and a text that was cut off anywhere is refused.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>

#include "core/random.h"
#include "schedulers/yarn/capacity/placement/mapping_rules_json.h"

namespace tracebed {
namespace {

constexpr int draws = 3'000;

// Names of queues, users and groups alike, so that they meet.
constexpr std::array<const char*, 6> drawn_names{"a", "b", "default", "users", "a.b", "a_dot_b"};
constexpr std::array<const char*, 6> drawn_variables{
    "%user", "%primary_group", "%secondary_group", "%specified", "%default", "%other"};

class MappingDrawer {
 public:
  explicit MappingDrawer(std::uint64_t seed) : random_(Random::stream(seed, "mappings")) {}

  std::string name() { return drawn_names[random_.below(drawn_names.size())]; }
  std::vector<NamedQueue> tree() {
    std::vector<NamedQueue> queues{{"root", false}};
    add_children("root", 0, queues);
    return queues;
  }
  // Parts of names and variables, sometimes empty ones.
  std::string path() {
    std::string path = random_.chance(0.6) ? "root" : part();
    for (std::uint64_t i = random_.below(4); i > 0; --i) path += "." + part();
    return path.empty() ? "root" : path;  // a mapping has a path
  }
  MappingRequest request() {
    MappingRequest request{random_.chance(0.5) ? "default" : path(), name(), {name()}};
    for (std::uint64_t i = random_.below(3); i > 0; --i) request.groups.push_back(name());
    return request;
  }
  Random& random() { return random_; }

 private:
  std::string part() {
    if (random_.chance(0.05)) return "";
    return random_.chance(0.3) ? drawn_variables[random_.below(drawn_variables.size())] : name();
  }
  void add_children(const std::string& path, int depth, std::vector<NamedQueue>& queues) {
    for (const char* child : drawn_names) {
      const std::string_view text(child);
      if (text.find('.') != std::string_view::npos || !random_.chance(0.6)) continue;
      const std::size_t index = queues.size();
      queues.push_back({path + "." + child, true});
      if (depth > 1 || !random_.chance(0.5)) continue;
      add_children(path + "." + child, depth + 1, queues);
      queues[index].is_leaf = queues.size() == index + 1;
    }
  }

  Random random_;
};

struct MappingTexts {
  std::string legacy;
  std::string json;
};

MappingTexts drawn_mappings(MappingDrawer& drawer) {
  MappingTexts texts;
  std::string rules;
  for (std::uint64_t i = 1 + drawer.random().below(4); i > 0; --i) {
    const bool is_group = drawer.random().chance(0.4);
    const bool is_everybody = !is_group && drawer.random().chance(0.3);
    const std::string who = is_everybody ? "%user" : drawer.name();
    const std::string path = drawer.path();
    texts.legacy += (texts.legacy.empty() ? "" : ",") + std::string(is_group ? "g" : "u") + ":" +
                    who + ":" + path;
    rules += (rules.empty() ? "" : ",") + std::string(R"({"type":")") +
             (is_group ? "group" : "user") + R"(","matches":")" + (is_everybody ? "*" : who) +
             R"(","policy":"custom","customPlacement":")" + path +
             R"(","fallbackResult":"placeDefault"})";
  }
  texts.json = R"({"rules":[)" + rules + "]}";
  return texts;
}

TEST(RandomMappings, PlaceAsTheRulesInJsonThatHadoopMakesOfThem) {
  int placed = 0;
  int refused = 0;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    MappingDrawer drawer(seed);
    const std::vector<NamedQueue> tree = drawer.tree();
    const MappingTexts texts = drawn_mappings(drawer);
    const auto legacy = parse_queue_mappings(texts.legacy, "mappings");
    const auto json = parse_json_mapping_rules(texts.json, "rules");
    ASSERT_TRUE(legacy.has_value() && json.has_value()) << texts.legacy;
    const bool overrides = drawer.random().chance(0.5);
    const MappingRules one(*legacy, overrides, NamedQueues(tree));
    const MappingRules other(*json, overrides, NamedQueues(tree));
    ASSERT_EQ(one.check().has_value(), other.check().has_value()) << texts.legacy;
    refused += one.check() ? 0 : 1;
    for (int i = 0; i < 5; ++i) {
      const MappingRequest request = drawer.request();
      const auto here = one.place(request);
      const auto there = other.place(request);
      ASSERT_EQ(here.has_value(), there.has_value()) << texts.legacy << " for " << request.user;
      if (!here) continue;
      ASSERT_EQ(*here, *there) << texts.legacy << " for " << request.user;
      if (!here->has_value()) continue;
      ++placed;
      EXPECT_TRUE(std::any_of(tree.begin(), tree.end(), [&](const NamedQueue& queue) {
        return queue.path == **here && queue.is_leaf;
      })) << **here;
    }
  }
  EXPECT_GT(placed, draws / 2);
  EXPECT_GT(refused, draws / 10);
  EXPECT_LT(refused, draws);
}

TEST(RandomMappings, ATextInJsonThatWasCutOffIsRefused) {
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    MappingDrawer drawer(seed);
    const std::string whole = drawn_mappings(drawer).json;
    const std::string cut = whole.substr(0, drawer.random().below(whole.size()));
    EXPECT_FALSE(parse_json_mapping_rules(cut, "rules").has_value()) << cut;
  }
}

}  // namespace
}  // namespace tracebed

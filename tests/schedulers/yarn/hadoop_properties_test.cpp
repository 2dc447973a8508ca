// Hadoop's configuration properties, and reading them as values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedulers/yarn/configuration/property_reader.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

XmlElement element(const std::string& name, const std::string& text = "") {
  return {.name = name, .where = "site.xml:1", .attributes = {}, .text = text, .children = {}};
}

XmlElement property(const std::string& name, const std::string& value, int line = 2,
                    const std::string& final = "") {
  XmlElement result = element("property");
  result.where = "site.xml:" + std::to_string(line);
  result.children = {element("name", name), element("value", value)};
  if (!final.empty()) result.children.push_back(element("final", final));
  return result;
}

XmlElement configuration(std::vector<XmlElement> properties) {
  XmlElement result = element("configuration");
  result.children = std::move(properties);
  return result;
}

HadoopProperties properties_of(std::vector<XmlElement> list) {
  HadoopProperties properties;
  EXPECT_TRUE(properties.add(configuration(std::move(list))).has_value());
  return properties;
}

std::string error_of(const XmlElement& root) {
  HadoopProperties properties;
  const Status status = properties.add(root);
  return status ? "" : status.error().message;
}

TEST(HadoopProperties, AreFoundByName) {
  const HadoopProperties properties = properties_of({property("a", "1", 7)});
  EXPECT_EQ(properties.find("a"), "1");
  EXPECT_EQ(properties.find("b"), std::nullopt);
  EXPECT_EQ(properties.place("a"), "site.xml:7: a");
  EXPECT_EQ(properties.place("b"), "b");
}

TEST(HadoopProperties, TheLaterOneCountsUnlessTheEarlierIsFinal) {
  HadoopProperties properties =
      properties_of({property("a", "1"), property("a", "2"), property("b", "1", 3, "true"),
                     property("b", "2", 4), property("c", "1", 5, "false"), property("c", "2")});
  EXPECT_EQ(properties.find("a"), "2");
  EXPECT_EQ(properties.find("b"), "1");
  EXPECT_EQ(properties.find("c"), "2");
  EXPECT_THAT(properties.remarks(),
              ElementsAre("site.xml:4: b is ignored, as the value of site.xml:3 is final"));
  properties.set("a", "3", "--set");
  EXPECT_EQ(properties.find("a"), "3");
  EXPECT_EQ(properties.place("a"), "--set: a");
}

TEST(HadoopProperties, MayBeGivenAsAttributes) {
  XmlElement short_form = element("property");
  short_form.attributes = {{"name", "a"}, {"value", "1"}};
  EXPECT_EQ(properties_of({short_form}).find("a"), "1");
}

TEST(HadoopProperties, ValuesAreKeptAsTheyStand) {
  const HadoopProperties properties = properties_of({property(" a ", " "), property("b", " 1\n")});
  EXPECT_EQ(properties.find("a"), " ");
  PropertyReader reader(properties);
  EXPECT_EQ(reader.raw("a"), " ");
  EXPECT_EQ(reader.raw("c"), std::nullopt);
  EXPECT_EQ(reader.integer("b", 7), 1);
}

TEST(HadoopProperties, WithoutAValueArePassedOver) {
  XmlElement without = element("property");
  without.children = {element("name", "a")};
  EXPECT_EQ(properties_of({without}).find("a"), std::nullopt);
}

TEST(HadoopProperties, StandForEachOther) {
  const HadoopProperties properties = properties_of(
      {property("a", "1"), property("b", "x${a}y${a}z"), property("c", "${b}"),
       property("d", "${unknown} ${a}"), property("e", "${e}e"), property("f", "${a")});
  EXPECT_EQ(properties.find("b"), "x1y1z");
  EXPECT_EQ(properties.find("c"), "x1y1z");
  EXPECT_EQ(properties.find("d"), "${unknown} 1");
  EXPECT_EQ(properties.find("e"), "${e}eeeeeeeeeeeeeeeeeeeee") << "20 times, then no more";
  EXPECT_EQ(properties.find("f"), "${a");
}

// As Configuration.findSubVariable has it.
TEST(HadoopProperties, HaveNamesWithoutSpacesAndDollars) {
  const HadoopProperties properties = properties_of(
      {property("a", "1"), property("b c", "2"), property("d", "${${a}${b c}${}${a}")});
  EXPECT_EQ(properties.find("d"), "${1${b c}${}1");
  EXPECT_THAT(HadoopProperties::variables_of("${${a}${b c}${}${d}"), ElementsAre("a", "d"));
}

TEST(HadoopProperties, ThatStandForEachOtherHaveABoundInAll) {
  const std::string half(replaced_bytes_max / 2, 'u');
  const XmlElement users = property("users", half);
  EXPECT_EQ(properties_of({users, property("a", "${users}"), property("b", "-")}).find("a"), half);
  EXPECT_THAT(
      error_of(configuration({users, property("a", "${users}"), property("b", "-${users}")})),
      HasSubstr("b: expected values that have at most 4194304 bytes in all once their "
                "variables are replaced, got more with this one"));
}

TEST(HadoopProperties, WhatIsNoConfigurationIsRefused) {
  EXPECT_EQ(error_of(element("allocations")),
            "site.xml:1: expected <configuration>, got <allocations>");
  EXPECT_THAT(
      error_of(element("queues")),
      testing::AllOf(testing::StartsWith("site.xml:1: expected <configuration>, got <queues>"),
                     testing::HasSubstr("a mapred-queues.xml"),
                     testing::HasSubstr("mapred.capacity-scheduler.queue.NAME.capacity")));
  EXPECT_EQ(error_of(configuration({element("xi:include")})),
            "site.xml:1: expected <property>, got <xi:include>");
  EXPECT_NE(error_of(configuration({property(" ", "1")})), "");
  EXPECT_EQ(error_of(configuration({element("property")})),
            "site.xml:1: expected a property with a <name>, got one without");
}

// ---- reading ----

class Reading : public testing::Test {
 protected:
  PropertyReader& reader(const std::string& value) {
    properties_ = HadoopProperties();
    properties_.set("p", value, "f.xml:3");
    return reader_.emplace(properties_);
  }
  std::string error() const { return reader_->status() ? "" : reader_->status().error().message; }

  HadoopProperties properties_;
  std::optional<PropertyReader> reader_;
};

TEST_F(Reading, TakesNumbersWithinTheirBounds) {
  EXPECT_EQ(reader(" 42 ").integer("p", 7, 0, 100), 42);
  EXPECT_EQ(reader("+42").integer("p", 7), 42);
  EXPECT_EQ(reader("-1").integer("p", 7), -1);
  EXPECT_EQ(reader("12.5").fraction("p", 7, 0, 100), 12.5F);
  EXPECT_EQ(reader("1e1").fraction("p", 7, 0, 100), 10.0F);
  EXPECT_EQ(error(), "");
}

// Proves: 1.fractions
TEST_F(Reading, FractionsHave32Bits) {
  EXPECT_EQ(reader("33.333333333").fraction("p", 0, 0, 100), 33.333333333F);
  EXPECT_NE(static_cast<double>(reader("0.1").fraction("p", 0, 0, 1)), 0.1);
}

TEST_F(Reading, TakesTheDefaultForWhatIsAbsentOrEmpty) {
  EXPECT_EQ(reader("  ").integer("p", 7), 7);
  EXPECT_FALSE(reader("").has("p"));
  EXPECT_EQ(reader_->integer("q", 8), 8);
  EXPECT_EQ(reader_->fraction("q", 0.5F, 0, 1), 0.5F);
  EXPECT_TRUE(reader_->flag("q", true));
  EXPECT_EQ(reader_->text("q", "x"), "x");
  EXPECT_EQ(reader_->choice("q", 1, {"a", "b"}), 1u);
  EXPECT_THAT(reader_->list("q"), IsEmpty());
  EXPECT_EQ(error(), "");
}

TEST_F(Reading, TakesFlagsWordsAndLists) {
  EXPECT_TRUE(reader("TRUE").flag("p", false));
  EXPECT_FALSE(reader("false").flag("p", true));
  EXPECT_EQ(reader("fair").choice("p", 0, {"fifo", "fair"}), 1u);
  EXPECT_THAT(reader(" a, b ,,c ").list("p"), ElementsAre("a", "b", "c"));
  EXPECT_EQ(error(), "");
}

TEST_F(Reading, SaysFileLineNameWhatWasExpectedAndWhatCame) {
  reader("x").integer("p", 7, 0, 100);
  EXPECT_EQ(error(), "f.xml:3: p: expected a whole number from 0 to 100, got \"x\"");
  EXPECT_EQ(reader("101").integer("p", 7, 0, 100), 7);
  EXPECT_THAT(error(), HasSubstr("got \"101\""));
  reader("-1").integer("p", 7, 0);
  EXPECT_EQ(error(), "f.xml:3: p: expected a whole number of at least 0, got \"-1\"");
  reader("1 %").fraction("p", 7, 0, 100);
  EXPECT_EQ(error(), "f.xml:3: p: expected a number from 0 to 100, got \"1 %\"");
  reader("nan").fraction("p", 7, 0, 100);
  EXPECT_THAT(error(), HasSubstr("got \"nan\""));
  reader("yes").flag("p", false);
  EXPECT_EQ(error(), "f.xml:3: p: expected true or false, got \"yes\"");
  reader("drf").choice("p", 0, {"fifo", "fair", "none"});
  EXPECT_EQ(error(), "f.xml:3: p: expected fifo, fair or none, got \"drf\"");
}

TEST_F(Reading, KeepsTheFirstError) {
  reader("x").integer("p", 7);
  reader_->flag("p", false);
  EXPECT_THAT(error(), HasSubstr("whole number"));
}

TEST_F(Reading, KnowsWhatNobodyAskedFor) {
  reader("1");
  properties_.set("q", "2", "f.xml:4");
  EXPECT_THAT(reader_->unread(), ElementsAre("p", "q"));
  reader_->integer("p", 0);
  EXPECT_THAT(reader_->unread(), ElementsAre("q"));
}

}  // namespace
}  // namespace tracebed

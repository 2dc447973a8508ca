// capacity-scheduler.xml with changes, as YARN's MutableCSConfigurationProvider makes them.
#include "schedulers/yarn/capacity/updated_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/xml_file.h"
#include "schedulers/yarn/configuration/hadoop_properties.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view root = "yarn.scheduler.capacity.root.";

std::string file_property(const std::string& name, const std::string& value) {
  return "<property><name>yarn.scheduler.capacity." + name + "</name><value>" + value +
         "</value></property>";
}

class UpdatedCapacityFile : public ::testing::Test {
 protected:
  Result<XmlElement> updated(const ConfigurationUpdate& update) const {
    const XmlElement file = parse_xml(file_, "capacity.xml");
    const SettingValues settings;
    const ResourceDimensions dimensions;
    return updated_capacity_file({"config", file, settings, dimensions}, update);
  }
  // "NAME=VALUE" of all queues, one a line; the message if it is refused.
  std::string text(const ConfigurationUpdate& update) const {
    const Result<XmlElement> file = updated(update);
    if (!file) return file.error().message;
    HadoopProperties properties;
    EXPECT_TRUE(properties.add(*file).has_value());
    std::string lines;
    for (const auto& [name, one] : properties.beginning_with(root)) {
      lines += name.substr(root.size()) + "=" + one.value + "\n";
    }
    return lines;
  }

  std::string file_ = "<configuration><!-- ours -->" + file_property("root.queues", "a,b") +
                      file_property("root.a.capacity", "40") +
                      file_property("root.b.capacity", "60") +
                      file_property("root.a.ordering-policy", "fair") + "</configuration>";
};

TEST_F(UpdatedCapacityFile, HasPropertiesOfQueuesAndOfAll) {
  ConfigurationUpdate update;
  update.updated = {{"root.a", {{"capacity", "30"}, {"maximum-am-resource-percent", "0.5"}}},
                    {"root.b", {{"capacity", "70"}}}};
  update.global = {{"yarn.scheduler.capacity.root.a.ordering-policy", "fifo"}};
  EXPECT_EQ(text(update),
            "a.capacity=30\na.maximum-am-resource-percent=0.5\na.ordering-policy=fifo\n"
            "b.capacity=70\nqueues=a,b\n");
}

// updateQueue: an empty value unsets; add-queue and global-updates: none does.
TEST_F(UpdatedCapacityFile, LosesAPropertyWithoutAValue) {
  ConfigurationUpdate update;
  update.updated = {{"root.a", {{"ordering-policy", ""}}}};
  EXPECT_EQ(text(update), "a.capacity=40\nb.capacity=60\nqueues=a,b\n");
  update.updated.clear();
  update.global = {{"yarn.scheduler.capacity.root.a.ordering-policy", std::nullopt}};
  EXPECT_EQ(text(update), "a.capacity=40\nb.capacity=60\nqueues=a,b\n");
}

// A leaf that gets a queue has no order of applications any more (addQueue).
TEST_F(UpdatedCapacityFile, HasAnAddedQueueAndItsSiblingsInOneUpdate) {
  ConfigurationUpdate update;
  update.added = {{"root.a.x", {{"capacity", "100"}}}, {"root.c", {{"capacity", "10"}}}};
  update.updated = {{"root.b", {{"capacity", "50"}}}};
  EXPECT_EQ(text(update),
            "a.capacity=40\na.queues=x\na.x.capacity=100\nb.capacity=50\nc.capacity=10\n"
            "queues=a,b,c\n");
}

TEST_F(UpdatedCapacityFile, LosesARemovedQueueWithAllOfItsProperties) {
  ConfigurationUpdate update;
  update.removed = {"root.a"};
  update.updated = {{"root.b", {{"capacity", "100"}}}};
  EXPECT_EQ(text(update), "b.capacity=100\nqueues=b\n");
}

TEST_F(UpdatedCapacityFile, IsRefusedByTheNameOfWhatCannotBeChanged) {
  struct Case {
    ConfigurationUpdate update;
    const char* says;
  };
  const auto global = [](const std::string& name, const std::string& value) {
    ConfigurationUpdate update;
    update.global = {{name, value}};
    return update;
  };
  const auto of_queue = [](const std::string& path, const std::string& key,
                           const std::string& value) {
    ConfigurationUpdate update;
    update.updated = {{path, {{key, value}}}};
    return update;
  };
  ConfigurationUpdate removed;
  removed.removed = {"root.c"};
  ConfigurationUpdate whole;
  whole.removed = {"root"};
  ConfigurationUpdate added;
  added.added = {{"root.a", {}}};
  ConfigurationUpdate nowhere;
  nowhere.added = {{"a", {}}};
  for (const Case& test :
       {Case{of_queue("root.a", "colour", "red"),
             "yarn.scheduler.capacity.root.a.colour is unknown here"},
        Case{global("yarn.resourcemanager.hostname", "x"), "yarn.resourcemanager.hostname"},
        Case{of_queue("root.z", "capacity", "10"), "yarn.scheduler.capacity.root.z.capacity"},
        Case{of_queue("root.a", "capacity", "soon"), "capacity.xml:"},
        Case{of_queue("root.a", "capacity", "10"), "capacity.xml:"},
        Case{removed, "Queue root.c not found"}, Case{whole, "Can't remove queue root"},
        Case{added, "Can't add existing queue root.a"},
        Case{nowhere, "Can't add invalid queue a"}}) {
    EXPECT_THAT(text(test.update), HasSubstr(test.says));
  }
}

}  // namespace
}  // namespace tracebed

// detect() on the files of both schedulers, and the executor that rewrites them.
#include "coordinator/resolving/resolved_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/config/xml_file.h"
#include "core/input_error.h"
#include "support/hadoop_file.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;

using Lines = std::vector<std::pair<std::string, std::string>>;

std::string capacity_file(const Lines& lines) {
  Lines named;
  for (const auto& [name, value] : lines) {
    named.emplace_back("yarn.scheduler.capacity." + name, value);
  }
  return test::hadoop_file(named);
}

const TunedParameter& parameter_of(const std::string& scheduler) {
  return *test::schedulers().find(scheduler)->master_share;
}

Result<TunedQueue> found(const std::string& scheduler, const std::string& file,
                         const std::string& queue = {}) {
  return parameter_of(scheduler).find(parse_xml(file, "mine.xml"), ResourceDimensions(), queue);
}

std::int64_t share_of(const std::string& scheduler, const std::string& file,
                      const std::string& queue = {}) {
  const auto queue_found = found(scheduler, file, queue);
  EXPECT_TRUE(queue_found) << queue_found.error().message;
  return queue_found ? queue_found->share : -99;
}

std::string written(const std::string& scheduler, const std::string& file, const std::string& queue,
                    std::int64_t share) {
  const auto at = found(scheduler, file, queue);
  EXPECT_TRUE(at) << at.error().message;
  return xml_text(parameter_of(scheduler).write(parse_xml(file, "mine.xml"), at->path, share));
}

const std::string one_leaf =
    capacity_file({{"root.queues", "default"}, {"root.default.capacity", "100"}});

TEST(ShareTexts, HaveAsManyDigitsAsTheyNeed) {
  EXPECT_EQ(share_text(0), "0");
  EXPECT_EQ(share_text(1'000'000), "1");
  EXPECT_EQ(share_text(525'000), "0.525");
  EXPECT_EQ(share_text(100'000), "0.1");
  EXPECT_EQ(share_text(1), "0.000001");
}

TEST(CapacityShare, IsTheQueuesElseThatOfAllElseTheDefault) {
  EXPECT_EQ(share_of("capacity", one_leaf), 100'000);
  const Lines two{{"root.queues", "a,b"},
                  {"root.a.capacity", "50"},
                  {"root.b.capacity", "50"},
                  {"maximum-am-resource-percent", "0.3"},
                  {"root.b.maximum-am-resource-percent", "0.7"}};
  EXPECT_EQ(share_of("capacity", capacity_file(two), "a"), 300'000);
  EXPECT_EQ(share_of("capacity", capacity_file(two), "root.b"), 700'000);
}

TEST(FairShare, IsTheQueuesElseThatOfAllElseTheDefault) {
  EXPECT_EQ(share_of("fair", "<allocations/>", "default"), 500'000);
  const std::string two =
      "<allocations><queueMaxAMShareDefault>0.3</queueMaxAMShareDefault><queue name=\"a\"/>"
      "<pool name=\"b\"><maxAMShare>0.7</maxAMShare></pool></allocations>";
  EXPECT_EQ(share_of("fair", two, "a"), 300'000);
  EXPECT_EQ(share_of("fair", two, "root.b"), 700'000);
  EXPECT_EQ(share_of("fair", two, "made-on-demand"), 300'000);
  EXPECT_LT(share_of("fair",
                     "<allocations><queue name=\"a\"><maxAMShare>-1</maxAMShare></queue>"
                     "</allocations>"),
            0);
}

TEST(TunedQueues, MustBeNamedUnlessThereIsOnlyOne) {
  EXPECT_EQ(found("capacity", one_leaf)->path, "root.default");
  const std::string capacity = capacity_file({{"root.queues", "a,b"},
                                              {"root.a.capacity", "50"},
                                              {"root.b.capacity", "50"},
                                              {"root.b.queues", "c"},
                                              {"root.b.c.capacity", "100"}});
  EXPECT_EQ(found("capacity", capacity, "c")->path, "root.b.c");
  for (const char* queue : {"", "b", "d", "root"}) {
    const auto none = found("capacity", capacity, queue);
    ASSERT_FALSE(none) << queue;
    EXPECT_THAT(none.error().message, HasSubstr("the leaves are root.a, root.b.c"));
  }
  const std::string fair =
      "<allocations><queue name=\"a\"/><queue name=\"b\"><queue name=\"c\"/></queue></allocations>";
  EXPECT_EQ(found("fair", fair, "b.c")->path, "root.b.c");
  for (const char* queue : {"", "b", "root"}) EXPECT_FALSE(found("fair", fair, queue)) << queue;
}

// Two leaves of one name at different depths.
TEST(TunedQueues, OfOneNameAreToldApartByTheirPaths) {
  const std::string capacity = capacity_file({{"root.queues", "a,b"},
                                              {"root.a.capacity", "50"},
                                              {"root.b.capacity", "50"},
                                              {"root.b.queues", "a"},
                                              {"root.b.a.capacity", "100"}});
  EXPECT_FALSE(found("capacity", capacity, "a"));
  const std::string changed = written("capacity", capacity, "root.b.a", 400'000);
  EXPECT_EQ(share_of("capacity", changed, "root.b.a"), 400'000);
  EXPECT_EQ(share_of("capacity", changed, "root.a"), 100'000);
}

struct TunedFile {
  const char* what;
  const char* scheduler;
  std::string file;
  const char* queue;
  const char* other;  // a leaf that must not change; may be null
};

std::vector<TunedFile> tuned_files() {
  const std::string name = "yarn.scheduler.capacity.root.a.maximum-am-resource-percent";
  const auto capacity = [&](const std::string& more) {
    std::string file = capacity_file({{"root.queues", "a,b"},
                                      {"root.a.capacity", "50"},
                                      {"root.b.capacity", "50"},
                                      {"maximum-am-resource-percent", "0.25"}});
    return file.insert(file.rfind("</configuration>"), more);
  };
  const auto property = [&](const std::string& value) {
    return "<property><name> " + name + " </name><value>" + value + "</value></property>\n";
  };
  return {
      {"none of its own", "capacity", capacity(""), "a", "b"},
      {"its own", "capacity", capacity(property("0.4")), "a", "b"},
      {"twice", "capacity", capacity(property("0.4") + property("0.6")), "a", "b"},
      {"final, then another", "capacity",
       capacity("<property><name>" + name +
                "</name><value>0.4</value><final>true</final></property>\n" + property("0.6")),
       "a", "b"},
      {"a variable", "capacity",
       capacity(property("${some.share}") +
                "<property><name>some.share</name><value>0.4</value></property>\n"),
       "a", "b"},
      {"the short form", "capacity", capacity("<property name=\"" + name + "\" value=\"0.4\"/>\n"),
       "a", "b"},
      {"without a value", "capacity", capacity("<property><name>" + name + "</name></property>\n"),
       "a", "b"},
      {"none of its own", "fair",
       "<allocations><queue name=\"a\"/><queue name=\"b\"/></allocations>", "a", "b"},
      {"its own", "fair",
       "<allocations><queue name=\"a\"><maxAMShare>0.4</maxAMShare></queue><queue name=\"b\"/>"
       "</allocations>",
       "a", "b"},
      {"twice", "fair",
       "<allocations><queue name=\"a\"><maxAMShare>0.4</maxAMShare><maxAMShare>0.2</maxAMShare>"
       "</queue><queue name=\"b\"/></allocations>",
       "a", "b"},
      {"below a root", "fair",
       "<allocations><queue name=\"ROOT\"><queue name=\"a\"><weight>2</weight></queue>"
       "<queue name=\"b\"/></queue></allocations>",
       "a", "b"},
      {"deep", "fair",
       "<allocations><pool name=\"p\"><queue name=\"a\"/></pool><queue name=\"b\"/></allocations>",
       "p.a", "b"},
      {"not in the file", "fair", "<allocations><queue name=\"b\"/></allocations>", "p.a", "b"},
      {"an empty file", "fair", "<allocations/>", "default", nullptr},
  };
}

// Whatever the file has: the share that is written is the one that is read, for this queue alone.
TEST(TunedFiles, HaveTheShareThatWasWrittenForTheirQueueAlone) {
  for (const TunedFile& tuned : tuned_files()) {
    SCOPED_TRACE(std::string(tuned.scheduler) + ", " + tuned.what);
    const std::int64_t other =
        tuned.other == nullptr ? 0 : share_of(tuned.scheduler, tuned.file, tuned.other);
    std::string file = tuned.file;
    for (const std::int64_t share : {525'000, 0, 1'000'000, 631'250, 50'000}) {
      file = written(tuned.scheduler, file, tuned.queue, share);
      EXPECT_EQ(share_of(tuned.scheduler, file, tuned.queue), share);
      if (tuned.other == nullptr) continue;
      EXPECT_EQ(share_of(tuned.scheduler, file, tuned.other), other);
    }
  }
}

// ---- controllers of an experiment ----

ControllerChoice choice_of(const std::string& name) {
  ControllerChoice choice;
  choice.name = name;
  choice.where = "mine.toml:7: controller[0].name";
  return choice;
}

ResolvedScheduler scheduler_of(const std::string& name, const std::string& file) {
  SchedulerChoice choice{name, name, "mine.toml:3: scheduler", {}, {}};
  if (!file.empty()) choice.settings.push_back({"config", file, "mine.toml:4: config"});
  return resolve_scheduler(test::schedulers(), choice, ResourceDimensions());
}

ResolvedController resolved(const ControllerChoice& choice, const ResolvedScheduler& scheduler,
                            const ScaleChoice& scale = {}) {
  return resolve_controller(choice, scheduler, scale, ResourceDimensions());
}

std::string fault_of(const ControllerChoice& choice, const ResolvedScheduler& scheduler) {
  try {
    (void)resolved(choice, scheduler);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(ResolvedControllers, KnowParameterQueueAndShareOfTheirSchedulersFile) {
  const ResolvedController capacity =
      resolved(choice_of("lian2020"), scheduler_of("capacity", one_leaf));
  EXPECT_EQ(capacity.parameter, "maximum-am-resource-percent");
  EXPECT_EQ(capacity.loop.queue, "root.default");
  EXPECT_EQ(capacity.share, 100'000);
  EXPECT_EQ(capacity.loop.latency, seconds(1));
  ControllerChoice choice = choice_of("lian2020");
  choice.queue = "default";
  const ResolvedController fair =
      resolved(choice, scheduler_of("fair", "<allocations></allocations>"));
  EXPECT_EQ(fair.parameter, "maxAMShare");
  EXPECT_EQ(fair.loop.queue, "root.default");
  EXPECT_EQ(fair.share, 500'000);
}

TEST(ResolvedControllers, AreRefusedWithThePlaceOfWhatIsWrong) {
  const ResolvedScheduler capacity = scheduler_of("capacity", one_leaf);
  EXPECT_THAT(fault_of(choice_of("lian"), capacity),
              StartsWith("mine.toml:7: controller[0].name: there is no controller lian"));
  EXPECT_THAT(fault_of(choice_of("lian2020"), scheduler_of("spread", "")),
              HasSubstr("expected a scheduler that limits the share of application masters, got "
                        "spread"));
  EXPECT_THAT(fault_of(choice_of("lian2020"), scheduler_of("fair", "")),
              HasSubstr("expected scheduler fair to have a file with maxAMShare, named by its "
                        "setting config; got none"));
  ControllerChoice queue = choice_of("lian2020");
  queue.queue = "production";
  EXPECT_THAT(fault_of(queue, capacity), HasSubstr("a leaf queue named \"production\""));
  ControllerChoice setting = choice_of("lian2020");
  setting.settings.push_back({"step", "2", "mine.toml:9: controller[0].step"});
  EXPECT_THAT(fault_of(setting, capacity),
              StartsWith("mine.toml:9: controller[0].step: controller lian2020"));
}

TEST(ResolvedControllers, AreDividedWithTheClustersMemory) {
  ScaleChoice scale;
  scale.memory = 4;
  const ResolvedController controller =
      resolved(choice_of("lian2020"), scheduler_of("capacity", one_leaf), scale);
  EXPECT_EQ(find_setting(controller.settings, "unit_mib")->value, "256");
}

TEST(ResolvedControllers, AreRecordedAmongTheSettingsOfTheirScheduler) {
  const NamedTexts recorded =
      to_record(resolved(choice_of("zhang2015"), scheduler_of("capacity", one_leaf)));
  EXPECT_THAT(recorded, Contains(Pair("controller", "zhang2015")));
  EXPECT_THAT(recorded, Contains(Pair("controller.queue", "root.default")));
  EXPECT_THAT(recorded, Contains(Pair("controller.step", "0.05")));
  EXPECT_THAT(without_controller(recorded), IsEmpty());
  EXPECT_THAT(without_controller({{"config", "a.xml"}, {"controllers", "b"}}),
              ElementsAre(Pair("config", "a.xml"), Pair("controllers", "b")));
}

TEST(WithMasterShare, ChangesTheTextOfTheFileAndNothingElse) {
  const ResolvedScheduler before = scheduler_of("capacity", one_leaf);
  const auto after = with_master_share(before, "root.default", 525'000, ResourceDimensions());
  ASSERT_TRUE(after);
  EXPECT_EQ(share_of("capacity", after->files.at("config").text), 525'000);
  EXPECT_EQ(to_values(after->settings), to_values(before.settings));
  const auto gone = with_master_share(before, "root.other", 525'000, ResourceDimensions());
  ASSERT_FALSE(gone);
  EXPECT_THAT(gone.error().message, HasSubstr("root.other"));
}

}  // namespace
}  // namespace tracebed

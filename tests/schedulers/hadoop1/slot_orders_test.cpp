// What slot schedulers keep in order instead of looking at all jobs: it is held to a scan of all of
// them, after random changes.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <optional>

#include "core/random.h"
#include "schedulers/hadoop1/capacity/slot_capacity.h"
#include "schedulers/hadoop1/fair/slot_fair.h"
#include "schedulers/hadoop1/slot_fifo.h"
#include "schedulers/hadoop1/slot_story.h"
#include "schedulers/hadoop1/waiting_by_demand.h"

namespace tracebed {
namespace {

using Key = std::pair<std::uint64_t, std::uint32_t>;

std::vector<Resources> sorted(std::vector<Resources> demands) {
  std::sort(demands.begin(), demands.end(), DemandOrder());
  demands.erase(std::unique(demands.begin(), demands.end()), demands.end());
  return demands;
}

TEST(WaitingByDemandTest, VisitsWhatAScanOfAllWould) {
  Random random(3);
  WaitingByDemand<std::uint32_t, Key> waiting;
  std::map<std::uint32_t, std::pair<Key, std::vector<Resources>>> all;
  const auto amounts = [&] { return Resources(random.between(1, 4), random.between(1, 4)); };
  for (int step = 0; step < 20'000; ++step) {
    const auto id = static_cast<std::uint32_t>(random.below(40));
    if (random.chance(0.3)) {
      waiting.remove(id);
      all.erase(id);
    } else {
      std::vector<Resources> demands;
      for (std::uint64_t i = random.below(3) + 1; i > 0; --i) demands.push_back(amounts());
      const bool stays = random.chance(0.5) && all.contains(id);
      const Key key = stays ? all[id].first : Key(random.below(20), id);
      all[id] = {key, sorted(demands)};
      waiting.set(id, key, all[id].second);
    }
    const Resources room = amounts();
    const auto has_room = [&](const Resources& demand) { return demand.fits_in(room); };
    std::vector<Key> expected;
    for (const auto& [one, known] : all) {
      if (std::any_of(known.second.begin(), known.second.end(), has_room)) {
        expected.push_back(known.first);
      }
    }
    std::sort(expected.begin(), expected.end());
    // The visit ends where it is told to.
    const std::size_t last = random.below(expected.size() + 1);
    std::vector<Key> visited;
    const bool is_over = waiting.visit_with_room(has_room, [&](const Key& key) {
      visited.push_back(key);
      return visited.size() == last;
    });
    if (last > 0) expected.resize(last);
    ASSERT_EQ(visited, expected) << "step " << step;
    ASSERT_EQ(is_over, last > 0) << "step " << step;
    ASSERT_EQ(waiting.empty(), all.empty());
  }
}

// Jobs of all kinds come, ask, are served, refused and end, and nodes come and go.
class RandomSlotStory {
 public:
  RandomSlotStory(Scheduler& scheduler, Names& names, std::uint64_t seed)
      : harness_(scheduler), names_(names), random_(seed) {
    for (std::uint32_t i = 0; i < nodes; ++i) harness_.add_node({6'000, 6'144}, RackId(i % 3));
  }

  void step() {
    switch (random_.below(9)) {
      case 0:
        return submit();
      case 1:
        return change_ask();
      case 2:
        return finish();
      case 3:
        if (random_.chance(0.2)) harness_.refuse_next(1);
        return;
      case 4:
        return harness_.advance(milliseconds(random_.between(1, 4'000)));
      case 5:
        return move_node();
      case 6:
      case 7:
        return end_container();
      default:
        for (std::uint32_t i = 0; i < nodes; ++i) {
          const NodeId node(i);
          if (harness_.cluster().node(node).alive && random_.chance(0.5)) harness_.heartbeat(node);
        }
    }
  }
  void settle() {
    harness_.decide();
    harness_.verify();
  }

 private:
  static constexpr std::uint32_t nodes = 8;

  void submit() {
    Application application;
    application.user = names_.users.intern("user" + std::to_string(random_.below(4)));
    application.queue = names_.queues.intern(random_.chance(0.5) ? "a" : "b");
    application.priority = static_cast<std::int32_t>(random_.between(-1, 1));
    application.submitted = harness_.now();
    const ApplicationId id = harness_.submit(application);
    harness_.decide();
    if (!harness_.is_accepted(id)) return;
    open_.push_back(id);
    for (std::uint64_t i = random_.below(3) + 1; i > 0; --i) ask(id);
  }
  void ask(ApplicationId id) {
    constexpr std::array kinds{StageKind::map,    StageKind::map,    StageKind::map,
                               StageKind::reduce, StageKind::reduce, StageKind::gang};
    AskFigures figures{.demand = {500 * random_.between(1, 6), 512 * random_.between(1, 6)},
                       .pending = static_cast<std::uint32_t>(random_.between(1, 6)),
                       .priority = static_cast<std::int32_t>(random_.between(0, 2)),
                       .kind = kinds.at(random_.below(kinds.size())),
                       .is_master = random_.chance(0.1)};
    if (figures.is_master) figures.kind = StageKind::map;
    if (figures.kind == StageKind::map && random_.chance(0.5)) {
      const NodeId node(static_cast<std::uint32_t>(random_.below(nodes)));
      figures.nodes = {{node, 2}};
      figures.relax_locality = random_.chance(0.8);
    }
    asks_.push_back(harness_.ask(id, figures));
  }
  void change_ask() {
    std::erase_if(asks_, [&](AskId ask) { return !harness_.cluster().asks.contains(ask); });
    if (asks_.empty()) return;
    const AskId ask = asks_[random_.below(asks_.size())];
    if (random_.chance(0.3)) return harness_.close(ask);
    if (harness_.cluster().asks[ask].is_gang()) return;  // which is asked for once
    harness_.set_pending(ask, static_cast<std::uint32_t>(random_.below(6)));
  }
  void finish() {
    if (open_.size() < 4) return;
    std::swap(open_[random_.below(open_.size())], open_.back());
    if (harness_.cluster().applications.contains(open_.back())) harness_.finish(open_.back());
    open_.pop_back();
  }
  void end_container() {
    std::vector<ContainerId> running;
    harness_.cluster().containers.for_each(
        [&](ContainerId id, const Container&) { running.push_back(id); });
    if (running.empty()) return;
    harness_.end(running[random_.below(running.size())],
                 random_.chance(0.8) ? ContainerEnd::succeeded : ContainerEnd::failed);
  }
  void move_node() {
    const NodeId node(static_cast<std::uint32_t>(random_.below(nodes)));
    if (!random_.chance(0.3)) return;
    if (harness_.cluster().node(node).alive) {
      harness_.remove_node(node);
    } else {
      harness_.bring_back(node);
    }
  }

  PolicyHarness harness_;
  Names& names_;
  Random random_;
  std::vector<ApplicationId> open_;
  std::vector<AskId> asks_;
};

constexpr int stories = 12;
constexpr int steps = 400;

TEST(SlotFairOrder, IsThatOfAScanAfterEveryStep) {
  for (std::uint64_t seed = 1; seed <= stories; ++seed) {
    for (const char* generation : {"0.20", "1.x"}) {
      Names names;
      SchedulerParameters parameters;
      parameters.names = &names;
      parameters.settings = {{"generation", generation},
                             {"map_slots", "4"},
                             {"reduce_slots", "2"},
                             {"sizebasedweight", seed % 2 == 0 ? "true" : "false"}};
      parameters.documents["config"] = parse_xml(
          "<allocations><pool name='user0'><minMaps>4</minMaps><minReduces>1</minReduces></pool>"
          "<pool name='user1'><weight>2</weight><maxRunningJobs>3</maxRunningJobs></pool>"
          "</allocations>",
          "pools.xml");
      auto made = SlotFairScheduler::make(parameters);
      ASSERT_TRUE(made.has_value()) << made.error().message;
      SlotFairScheduler& scheduler = **made;
      RandomSlotStory story(scheduler, names, seed);
      for (int i = 0; i < steps; ++i) {
        story.step();
        story.settle();
        scheduler.verify();
      }
    }
  }
}

TEST(SlotFifoQueue, IsThatOfAScanAfterEveryStep) {
  for (std::uint64_t seed = 1; seed <= stories; ++seed) {
    Names names;
    SlotFifoSettings settings;
    settings.slots.stated = {.map = 4, .reduce = 2};
    settings.gives_one = seed % 2 == 0;
    settings.is_exclusive = seed % 3 == 0;
    if (seed % 4 == 0) settings.delays = {.node = seconds(3), .rack = seconds(3)};
    SlotFifoScheduler scheduler(settings);
    RandomSlotStory story(scheduler, names, seed);
    for (int i = 0; i < steps; ++i) {
      story.step();
      story.settle();
      scheduler.verify();
    }
  }
}

TEST(SlotQueueCounts, AreThoseOfAScanAfterEveryStep) {
  for (std::uint64_t seed = 1; seed <= stories; ++seed) {
    for (const auto& [generation, capacity] :
         {std::pair("0.20.0", "guaranteed-capacity"), std::pair("0.20.2", "capacity"),
          std::pair("1.x", "capacity")}) {
      Names names;
      SchedulerParameters parameters;
      parameters.names = &names;
      parameters.settings = {{"generation", generation}, {"map_slots", "4"}, {"reduce_slots", "2"}};
      std::string file = "<configuration>";
      for (const auto& [queue, percent] :
           {std::pair("a", "60"), std::pair("b", "30"), std::pair("default", "10")}) {
        const std::string prefix =
            "<property><name>mapred.capacity-scheduler.queue." + std::string(queue) + ".";
        file += prefix + capacity + "</name><value>" + percent + "</value></property>";
        file += prefix + "minimum-user-limit-percent</name><value>30</value></property>";
        file += prefix + "supports-priority</name><value>true</value></property>";
      }
      parameters.documents["config"] = parse_xml(file + "</configuration>", "queues.xml");
      if (generation != std::string("0.20.0")) {
        for (const char* kind : {"map", "reduce"}) {
          parameters.settings[std::string(kind) + "_slot_mib"] = "1024";
          parameters.settings[std::string(kind) + "_task_max_mib"] = "8192";
        }
      }
      auto settings = read_slot_capacity_settings(parameters);
      ASSERT_TRUE(settings.has_value()) << settings.error().message;
      SlotCapacityScheduler scheduler(*settings, &names);
      RandomSlotStory story(scheduler, names, seed);
      for (int i = 0; i < steps; ++i) {
        story.step();
        story.settle();
        scheduler.verify();
      }
    }
  }
}

}  // namespace
}  // namespace tracebed

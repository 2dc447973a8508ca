// How many containers a machine runs under each scheduler: a row for each that is registered, and
// for each of its settings on which it depends, with where the imitated system says so. A machine
// is offered to a job that wants more than it holds, until nothing more is placed; what it holds
// then is compared with the amounts of the row's dimensions.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <ostream>
#include <stdexcept>

#include "applications/masters.h"
#include "coordinator/engine/doubles.h"
#include "coordinator/engine/engine.h"
#include "core/random.h"
#include "support/scheduler_parameters.h"
#include "support/schedulers.h"

namespace tracebed {
namespace {

constexpr LimitedDimensions all = LimitedDimensions::all();
constexpr LimitedDimensions all_but_vcores = LimitedDimensions::all_but_vcores();

struct Row {
  std::string_view scheduler;
  std::string_view key;  // of a setting, or of a property of its file; empty: the defaults
  std::string_view value;
  LimitedDimensions limits;
};

constexpr std::array rows{
    // FifoScheduler.assignContainer divides memory by memory.
    Row{"fifo", "", "", all_but_vcores},
    Row{"fifo", "resource_calculator", "dominant", all},
    // RegularContainerAllocator.assignContainer: computeAvailableContainers of the calculator.
    Row{"capacity", "", "", all_but_vcores},
    Row{"capacity", "yarn.scheduler.capacity.resource-calculator",
        "org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator", all_but_vcores},
    Row{"capacity", "yarn.scheduler.capacity.resource-calculator",
        "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator", all},
    // FSAppAttempt.assignContainer: Resources.fitsIn without a calculator, whatever the policy.
    Row{"fair", "", "", all},
    Row{"fair", "schedulingPolicy", "fair", all},
    Row{"fair", "schedulingPolicy", "fifo", all},
    Row{"fair", "defaultQueueSchedulingPolicy", "drf", all},
    // Hadoop 1 counts slots alone; a task has a demand besides only if its trace has one.
    Row{"slot_fifo", "slots", "1000", all},
    Row{"slot_fair", "slots", "1000", all},
    Row{"slot_capacity", "slots", "1000", all},
    Row{"slot_dynamic_priority", "slots", "1000", all},
    Row{"slot_hard_deadline", "slots", "1000", all},
    Row{"slot_soft_deadline", "slots", "1000", all},
    Row{"drf", "", "", all},
    Row{"mfs", "", "", all},
    Row{"hdrf", "", "", all},
    Row{"tetris", "", "", all},
    Row{"spread", "", "", all},
    Row{"binpack", "", "", all},
    Row{"random", "", "", all},
    Row{"dot_product", "", "", all},
    Row{"l2_norm", "", "", all},
    Row{"weighted_priorities", "", "", all},
    Row{"dbd", "", "", all},
    // Omega's simulator compares both CPUs and memory with what a machine has left.
    Row{"monolithic", "", "", all},
    Row{"shared_state", "", "", all},
    Row{"two_level", "", "", all},
    Row{"fcfs", "", "", all},
};

std::unique_ptr<Scheduler> made(const Row& row) {
  SchedulerParameters parameters = test::parameters_for(row.scheduler);
  parameters.dimensions = ResourceDimensions({"gpu"});
  const auto document = parameters.documents.find("config");
  const std::string key(row.key);
  const std::string value(row.value);
  if (key.empty()) {
  } else if (document == parameters.documents.end()) {
    parameters.settings[key] = value;
  } else if (row.scheduler == "fair") {
    XmlElement& queue = document->second.children.at(0);
    XmlElement& place = key == "schedulingPolicy" ? queue : document->second;
    place.children.push_back(test::xml_element(key, value));
  } else {
    document->second.children.push_back(test::xml_element(
        "property", "", {test::xml_element("name", key), test::xml_element("value", value)}));
  }
  auto scheduler = test::schedulers().make(row.scheduler, parameters);
  if (!scheduler) throw std::runtime_error(scheduler.error().message);
  return std::move(scheduler).value();
}

class Machinery {
 public:
  Machinery(std::unique_ptr<Scheduler> scheduler, bool limit_vcores,
            const DeviceSizes& devices = {})
      : engine_({.scheduler = std::move(scheduler),
                 .make_master = MasterBuilder(MasterOptions(), 1),
                 .paranoid = true,
                 .limit_vcores = limit_vcores,
                 .devices = devices},
                records_) {}

  // On a machine of this capacity, of a job with more tasks than it has room for.
  std::uint32_t containers_on(const Resources& capacity, const Resources& unit) {
    Round round;
    round.machines.push_back(doubles::plain_machine(1));
    round.machines.back().capacity = capacity;
    round.arrivals.push_back(NodeJoined{NodeId(0u), 0});
    Job job = doubles::plain_job(0, {}, 60, seconds(1'000'000));
    job.stages[0].demand = unit;
    job.user = UserId();
    job.queue = QueueId();
    round.add_job() = std::move(job);
    round.submit(0);
    for (int beat = 0; beat < 80; ++beat) {
      round.now = now_ += seconds(1);
      engine_.step(round, commands_);
      commands_.clear();
      round.clear();
      round.arrivals.push_back(NodeHeartbeat{NodeId(0u), {}});
    }
    return engine_.cluster().node(NodeId(0u)).containers;
  }

  std::uint64_t beyond_vcores() const { return engine_.counters().allocations_beyond_vcores; }
  std::uint64_t refusals() const { return engine_.counters().refusals; }

 private:
  doubles::Records records_;
  Engine engine_;
  std::vector<Command> commands_;
  TraceTime now_{};
};

class LimitedDimensionsOf : public ::testing::TestWithParam<Row> {};

TEST_P(LimitedDimensionsOf, AreThoseOfTheSystemThatItImitates) {
  const Row& row = GetParam();
  EXPECT_EQ(made(row)->limited_dimensions(), row.limits);
  Random random = Random::stream(7, row.scheduler);
  for (int i = 0; i < 12; ++i) {
    // At most 48 units fit, by whatever is counted.
    const Resources unit(1'000 * random.between(1, 4), 1'024 * random.between(1, 4));
    const Resources capacity(1'000 * random.between(4, 40), 1'024 * random.between(4, 48));
    SCOPED_TRACE(std::to_string(capacity.milli_vcores()) + " and " +
                 std::to_string(capacity.memory_mib()) + " in units of " +
                 std::to_string(unit.milli_vcores()) + " and " + std::to_string(unit.memory_mib()));
    Machinery machinery(made(row), false);
    const std::int64_t held = machinery.containers_on(capacity, unit);
    EXPECT_EQ(held, row.limits.count(unit, capacity));
    EXPECT_EQ(machinery.refusals(), 0u);
    EXPECT_EQ(machinery.beyond_vcores(),
              static_cast<std::uint64_t>(
                  std::max<std::int64_t>(held - capacity.milli_vcores() / unit.milli_vcores(), 0)));
    Machinery limited(made(row), true);
    EXPECT_EQ(limited.containers_on(capacity, unit), all.count(unit, capacity));
    EXPECT_EQ(limited.refusals(), 0u);
    EXPECT_EQ(limited.beyond_vcores(), 0u);
  }
}

// gpushare-scheduler-extender#188: of a share of 600 thousandths, two GPUs hold two, whatever their
// sum would hold.
TEST_P(LimitedDimensionsOf, KeepToSingleDevices) {
  const Row& row = GetParam();
  constexpr std::size_t gpu = Resources::memory_dimension + 1;
  constexpr std::int64_t size = 1'000;
  DeviceSizes devices;
  devices.set(gpu, size);
  Random random = Random::stream(11, row.scheduler);
  for (int i = 0; i < 12; ++i) {
    Resources unit(100, 256);
    unit[gpu] = random.chance(0.3) ? size * random.between(1, 3) : 50 * random.between(2, 20);
    Resources capacity(48'000, 48 * 1'024);
    capacity[gpu] = size * random.between(3, 4);
    SCOPED_TRACE(std::to_string(capacity[gpu]) + " in units of " + std::to_string(unit[gpu]));
    Machinery machinery(made(row), false, devices);
    EXPECT_EQ(machinery.containers_on(capacity, unit), devices.units_in_empty(unit, capacity));
    EXPECT_EQ(machinery.refusals(), 0u);
  }
}

// For messages of failures.
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.scheduler << " " << row.key << " " << row.value;
}

INSTANTIATE_TEST_SUITE_P(All, LimitedDimensionsOf, ::testing::ValuesIn(rows),
                         [](const auto& parameter) {
                           return std::string(parameter.param.scheduler) +
                                  std::to_string(parameter.index);
                         });

TEST(LimitedDimensionsTable, HasARowForEachScheduler) {
  for (const SchedulerEntry& entry : test::schedulers()) {
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(),
                            [&](const Row& row) { return row.scheduler == entry.name; }))
        << entry.name
        << " has no row: which dimensions limit what it places, and where does the "
           "imitated system say so?";
  }
}

}  // namespace
}  // namespace tracebed

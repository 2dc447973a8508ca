#include "core/devices.h"

#include <gmock/gmock.h>

#include "core/limited_dimensions.h"
#include "core/machines.h"
#include "core/random.h"

namespace tracebed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t gpu_dimension = 2;
constexpr std::size_t fpga_dimension = 3;

Resources gpus(std::int64_t amount) {
  Resources result;
  result[gpu_dimension] = amount;
  return result;
}

DeviceSizes thousandths() {
  DeviceSizes sizes;
  sizes.set(gpu_dimension, 1'000);
  return sizes;
}

DeviceShare share(std::uint16_t number, std::int64_t amount) {
  return {static_cast<std::uint8_t>(gpu_dimension), number, amount};
}

// gpushare-scheduler-extender#188: two GPUs have no room for 0.6, 0.6 and 0.8.
TEST(Devices, HaveNoRoomForPartsThatTheirSumWouldHold) {
  FreeDevices node(thousandths(), gpus(2'000));
  EXPECT_EQ(node.units(gpus(600)), 2);
  EXPECT_THAT(node.take(gpus(600), 2), ElementsAre(share(0, 600), share(1, 600)));
  EXPECT_EQ(node.units(gpus(800)), 0);
  EXPECT_EQ(node.units(gpus(400)), 2);
  EXPECT_EQ(node.units(gpus(1'000)), 0);
  EXPECT_EQ(node.units(gpus(0)), std::numeric_limits<std::int64_t>::max());
}

TEST(Devices, AreTakenWhereTheLeastIsLeft) {
  FreeDevices node(thousandths(), gpus(3'000));
  EXPECT_THAT(node.take(gpus(300), 1), ElementsAre(share(0, 300)));
  EXPECT_THAT(node.take(gpus(800), 1), ElementsAre(share(1, 800)));
  EXPECT_THAT(node.take(gpus(200), 1), ElementsAre(share(1, 200))) << "which fills it";
  EXPECT_THAT(node.take(gpus(200), 1), ElementsAre(share(0, 200)));
  EXPECT_THAT(node.take(gpus(600), 1), ElementsAre(share(2, 600)));
}

TEST(Devices, AreTakenWholeOnlyWhereNothingElseIsOnThem) {
  FreeDevices node(thousandths(), gpus(4'000));
  EXPECT_THAT(node.take(gpus(1), 1), ElementsAre(share(0, 1)));
  EXPECT_EQ(node.units(gpus(2'000)), 1) << "three are free";
  EXPECT_THAT(node.take(gpus(2'000), 1), ElementsAre(share(1, 1'000), share(2, 1'000)));
  EXPECT_EQ(node.units(gpus(2'000)), 0);
  EXPECT_EQ(node.units(gpus(1'000)), 1);
}

TEST(Devices, HaveNoRoomForWholeOnesAndAPart) {
  const FreeDevices node(thousandths(), gpus(8'000));
  EXPECT_EQ(node.units(gpus(1'500)), 0);
  EXPECT_EQ(thousandths().units_in_empty(gpus(1'500), gpus(8'000)), 0);
  const LimitedDimensions limits = LimitedDimensions::all().with_devices(thousandths());
  EXPECT_FALSE(limits.could_hold(gpus(1'500), gpus(8'000)));
  EXPECT_TRUE(limits.could_hold(gpus(8'000), gpus(8'000)));
}

TEST(Devices, OfUnitsThatStandTogetherCanBeShared) {
  FreeDevices node(thousandths(), gpus(2'000));
  EXPECT_THAT(node.take(gpus(400), 3), ElementsAre(share(0, 800), share(1, 400)));
  EXPECT_EQ(node.units(gpus(400)), 1);
}

TEST(Devices, AreWhatTheyWereWhenAllIsGivenBack) {
  const FreeDevices before(thousandths(), gpus(2'000));
  FreeDevices node = before;
  const DeviceShares first = node.take(gpus(700), 2);
  const DeviceShares second = node.take(gpus(300), 1);
  node.give_back(first);
  EXPECT_EQ(node.units(gpus(700)), 2);
  EXPECT_EQ(node.units(gpus(701)), 1);
  node.give_back(second);
  EXPECT_EQ(node, before);
}

// yarn.io/gpu.
TEST(Devices, OfSizeOneAreTakenWhole) {
  DeviceSizes sizes;
  sizes.set(gpu_dimension, 1);
  FreeDevices node(sizes, gpus(4));
  EXPECT_EQ(node.units(gpus(2)), 2);
  EXPECT_THAT(node.take(gpus(3), 1), ElementsAre(share(0, 1), share(1, 1), share(2, 1)));
  EXPECT_EQ(node.units(gpus(2)), 0);
}

TEST(Devices, OfSeveralResourcesAreCountedEach) {
  DeviceSizes sizes = thousandths();
  sizes.set(fpga_dimension, 2);
  Resources capacity = gpus(2'000);
  capacity[fpga_dimension] = 2;
  FreeDevices node(sizes, capacity);
  Resources demand = gpus(500);
  demand[fpga_dimension] = 1;
  EXPECT_EQ(node.units(demand), 2) << "of four parts of GPUs and two of the FPGA";
  EXPECT_EQ(sizes.units_in_empty(demand, capacity), 2);
  const DeviceShares shares = node.take(demand, 2);
  EXPECT_EQ(device_text(shares, ResourceDimensions({"gpu", "fpga"})), "gpu:0 fpga:0");
  EXPECT_EQ(device_text({}, ResourceDimensions({"gpu", "fpga"})), "");
}

TEST(Devices, OfAResourceThatIsNoneAreASum) {
  const FreeDevices node(DeviceSizes(), gpus(2'000));
  EXPECT_EQ(node.units(gpus(3'000)), std::numeric_limits<std::int64_t>::max());
  DeviceSizes sizes = thousandths();
  sizes.set(gpu_dimension, 0);
  EXPECT_TRUE(sizes.empty());
  EXPECT_EQ(sizes, DeviceSizes());
}

TEST(Devices, OfAMachineAreWholeAndBounded) {
  const ResourceDimensions dimensions({"gpu"});
  Machine machine;
  machine.name = "node1";
  machine.capacity = gpus(2'500);
  EXPECT_THAT(check_devices(thousandths(), machine, dimensions).error().message,
              HasSubstr("node1: expected whole devices, a multiple of 1000 of gpu"));
  machine.capacity = gpus(devices_max * 1'000 + 1'000);
  EXPECT_THAT(check_devices(thousandths(), machine, dimensions).error().message,
              HasSubstr("expected at most 1024 devices"));
  machine.capacity = gpus(devices_max * 1'000);
  EXPECT_TRUE(check_devices(thousandths(), machine, dimensions));
  EXPECT_TRUE(check_devices(DeviceSizes(), machine, dimensions));
}

// What a plain search over all devices finds, with random parts taken and given back.
TEST(Devices, HaveRoomIfAndOnlyIfSomeDeviceHas) {
  Random random = Random::stream(1, "devices");
  for (int story = 0; story < 200; ++story) {
    const std::int64_t count = random.between(1, 6);
    std::vector<std::int64_t> free(static_cast<std::size_t>(count), 1'000);
    FreeDevices node(thousandths(), gpus(count * 1'000));
    std::vector<DeviceShares> taken;
    for (int step = 0; step < 60; ++step) {
      if (!taken.empty() && random.chance(0.4)) {
        const std::size_t which = random.below(taken.size());
        for (const DeviceShare& each : taken[which]) free[each.number] += each.amount;
        node.give_back(taken[which]);
        taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(which));
        continue;
      }
      const std::int64_t amount =
          random.chance(0.8) ? random.between(1, 1'000) : 1'000 * random.between(1, 4);
      std::int64_t units = 0;
      std::int64_t whole = 0;
      for (const std::int64_t left : free) {
        units += left / amount;
        whole += left == 1'000 ? 1 : 0;
      }
      if (amount > 1'000) units = whole / (amount / 1'000);
      ASSERT_EQ(node.units(gpus(amount)), units) << amount;
      if (units == 0) continue;
      taken.push_back(node.take(gpus(amount), 1));
      std::int64_t sum = 0;
      for (const DeviceShare& each : taken.back()) {
        free[each.number] -= each.amount;
        ASSERT_GE(free[each.number], 0);
        sum += each.amount;
      }
      ASSERT_EQ(sum, amount);
      ASSERT_TRUE(amount > 1'000 || taken.back().size() == 1) << "a part lies on one device";
    }
  }
}

}  // namespace
}  // namespace tracebed

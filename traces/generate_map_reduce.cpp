#include "traces/generate_map_reduce.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/random.h"
#include "traces/model_options.h"
#include "traces/parts/trace_writer.h"
#include "traces/weighted_choice.h"

namespace tracebed {
namespace {

constexpr double kb = 1e3;
constexpr double mb = 1e6;
constexpr double gb = 1e9;
constexpr double tb = 1e12;

constexpr std::array<MapReduceClass, 10> classes = {{
    {"small jobs", 1'081'918, 21 * kb, 0, 871 * kb, 20, 0},
    {"load data, fast", 37'038, 381 * kb, 0, 1.9 * gb, 6'079, 0},
    {"load data, slow", 2'070, 10 * kb, 0, 4.2 * gb, 26'321, 0},
    {"load data, large", 602, 405 * kb, 0, 447 * gb, 66'657, 0},
    {"load data, huge", 180, 446 * kb, 0, 1.1 * tb, 125'662, 0},
    {"aggregate, fast", 6'035, 230 * gb, 8.8 * gb, 491 * mb, 104'338, 66'760},
    {"aggregate and expand", 379, 1.9 * tb, 502 * mb, 2.6 * gb, 348'942, 76'736},
    {"expand and aggregate", 159, 418 * gb, 2.5 * tb, 45 * gb, 1'076'089, 974'395},
    {"data transform", 793, 255 * gb, 788 * gb, 1.6 * gb, 384'562, 338'050},
    {"data summary", 19, 7.6 * tb, 51 * gb, 104 * kb, 4'843'452, 853'911},
}};

// What is zero in the class is zero in every job of it; nothing else becomes zero.
std::int64_t draw_bytes(double median, const MapReduceModel& model, Random& random) {
  const double factor = random.lognormal(0, model.spread);
  if (median == 0) return 0;
  const double bytes = std::min(median * factor / model.data_divisor, 9e18);
  return std::max<std::int64_t>(1, std::llround(bytes));
}

}  // namespace

std::span<const MapReduceClass> facebook_2009_classes() {
  return classes;
}

void generate_map_reduce(const MapReduceModel& model, const std::string& output) {
  require_jobs(model.jobs);
  require_option(model.mean_gap_seconds > 0, "a mean gap above 0 s");
  require_option(model.spread >= 0 && model.spread <= 10, "a spread from 0 to 10");
  require_option(model.data_divisor > 0, "a data divisor above 0");
  require_option(model.flatten >= 0 && model.flatten <= 1,
                 "a power from 0 to 1 to flatten classes by");
  require_option(model.paths >= 0 && model.paths <= 10'000'000, "0 to 10000000 input paths");
  WeightedChoice class_shares;
  for (const MapReduceClass& each : classes) class_shares.add(std::pow(each.jobs, model.flatten));
  const WeightedChoice path_shares = WeightedChoice::zipf(model.paths, 1);
  Random kinds = Random::stream(model.seed, "map reduce classes");
  Random sizes = Random::stream(model.seed, "map reduce sizes");
  Random arrivals = Random::stream(model.seed, "map reduce arrivals");
  Random files = Random::stream(model.seed, "map reduce paths");
  TraceWriter writer(output);
  double now = 0;
  std::int64_t last = 0;
  for (std::uint64_t i = 0; i < model.jobs; ++i) {
    now += arrivals.exponential(model.mean_gap_seconds);
    require_submit(now);
    const auto submit = static_cast<std::int64_t>(now);
    const MapReduceClass& kind = classes[class_shares.at(kinds.unit())];
    const std::int64_t input = draw_bytes(kind.input_bytes, model, sizes);
    const std::int64_t shuffle = draw_bytes(kind.shuffle_bytes, model, sizes);
    const std::int64_t written = draw_bytes(kind.output_bytes, model, sizes);
    writer.write(fmt::format("job{}\t{}\t{}\t{}\t{}\t{}", i, submit, submit - last, input, shuffle,
                             written));
    if (model.paths > 0) {
      writer.write(fmt::format("\tinputPath{}\t\t", path_shares.at(files.unit()) + 1));
    }
    writer.write("\n");
    last = submit;
  }
  writer.finish();
}

}  // namespace tracebed

#include "traces/generate_rigid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <numeric>

#include "core/check.h"
#include "core/random.h"
#include "traces/model_options.h"
#include "traces/parts/trace_writer.h"
#include "traces/weighted_choice.h"

namespace tracebed {
namespace {

constexpr std::int64_t processors_most = 10'000'000;

void write_header(TraceWriter& writer, std::uint64_t jobs, std::int64_t processors,
                  std::string_view note) {
  writer.write(
      fmt::format("; Version: 2.2\n; Computer: model\n; MaxJobs: {}\n; MaxProcs: {}\n; Note: {}\n",
                  jobs, processors, note));
}

struct GeneratedJob {
  std::uint64_t number = 0;
  std::int64_t submit_milliseconds = 0;
  std::int64_t run_seconds = 0;
  std::int64_t processors = 0;
  std::int64_t user = -1;
};

void write_job(TraceWriter& writer, const GeneratedJob& job, bool whole_seconds) {
  fmt::memory_buffer line;
  const auto out = std::back_inserter(line);
  if (whole_seconds) {
    fmt::format_to(out, FMT_COMPILE("{} {} -1"), job.number, job.submit_milliseconds / 1000);
  } else {
    fmt::format_to(out, FMT_COMPILE("{} {}.{:03} -1"), job.number, job.submit_milliseconds / 1000,
                   job.submit_milliseconds % 1000);
  }
  fmt::format_to(out, FMT_COMPILE(" {} {} -1 -1 {} -1 -1 1 {} -1 -1 -1 -1 -1 -1\n"),
                 job.run_seconds, job.processors, job.processors, job.user);
  writer.write({line.data(), line.size()});
}

// P(a, x), the regularized lower incomplete gamma function: by its series below a + 1, by Lentz's
// evaluation of its continued fraction above (Abramowitz and Stegun 6.5.29 and 6.5.31).
double gamma_distribution(double a, double x) {
  if (x <= 0) return 0;
  const double factor = std::exp(a * std::log(x) - x) / std::tgamma(a);
  constexpr double precision = 1e-12;
  if (x < a + 1) {
    double term = 1 / a;
    double sum = term;
    for (double n = a + 1; term > sum * precision; n += 1) {
      term *= x / n;
      sum += term;
    }
    return factor * sum;
  }
  double b = x + 1 - a;
  double c = 1e300;
  double d = 1 / b;
  double fraction = d;
  for (int i = 1; i < 1000; ++i) {
    const double coefficient = -i * (i - a);
    b += 2;
    d = 1 / (coefficient * d + b);
    c = b + coefficient / c;
    fraction *= c * d;
    if (std::abs(c * d - 1) < precision) break;
  }
  return 1 - factor * fraction;
}

// The daily cycle: how busy each half hour is, as a multiple of the mean.
class DailyCycle {
 public:
  DailyCycle() {
    // The share of half hour i of a day that begins at 5:30 is the mass of gamma(shape, scale)
    // around i, counted from there (Lublin and Feitelson, section 6).
    constexpr double shape = 8.1737;
    constexpr double scale = 3.9631;
    constexpr int day_start = 11;
    for (int i = day_start; i < day_start + half_hours; ++i) {
      weights_[static_cast<std::size_t>((i - 1) % half_hours)] =
          gamma_distribution(shape, (i + 0.5) / scale) -
          gamma_distribution(shape, (i - 0.5) / scale);
    }
    const double mean = std::accumulate(weights_.begin(), weights_.end(), 0.0) / half_hours;
    for (double& weight : weights_) weight /= mean;
  }

  // Moves on until a gap of so many seconds at mean business has gone by.
  void advance(double seconds_at_mean) {
    for (;;) {
      const double weight = weights_[static_cast<std::size_t>(half_hour_ % half_hours)];
      const double left = (half_hour_seconds - into_) * weight;
      if (seconds_at_mean < left) {
        into_ += seconds_at_mean / weight;
        return;
      }
      seconds_at_mean -= left;
      into_ = 0;
      ++half_hour_;
    }
  }
  double now() const { return static_cast<double>(half_hour_) * half_hour_seconds + into_; }

 private:
  static constexpr int half_hours = 48;
  static constexpr double half_hour_seconds = 1800;
  std::array<double, half_hours> weights_{};
  std::int64_t half_hour_ = 0;  // since midnight of the first day
  double into_ = 0;             // seconds
};

// Parameters of the model: Lublin and Feitelson, the column for jobs of one kind.
class LublinDraws {
 public:
  LublinDraws(std::int64_t processors, std::uint64_t seed)
      : processors_(processors),
        log_max_(std::log2(static_cast<double>(processors))),
        sizes_(Random::stream(seed, "lublin sizes")),
        run_times_(Random::stream(seed, "lublin run times")),
        arrivals_(Random::stream(seed, "lublin arrivals")) {}

  std::int64_t size() {
    constexpr double serial = 0.244;
    constexpr double power_of_two = 0.576;
    constexpr double log_low = 0.8;
    constexpr double below_max = 2.5;  // where the second uniform begins
    constexpr double first_uniform = 0.86;
    const double kind = sizes_.unit();
    if (kind < serial) return 1;
    const double middle = log_max_ - below_max;
    const bool low = sizes_.chance(first_uniform);
    const double from = low ? std::min(log_low, middle) : middle;
    const double to = low ? middle : log_max_;
    double log_size = from + sizes_.unit() * (to - from);
    if (kind < serial + power_of_two) log_size = std::floor(log_size + 0.5);
    return std::min(static_cast<std::int64_t>(std::floor(std::exp2(log_size) + 0.5)), processors_);
  }

  std::int64_t run_seconds(std::int64_t size) {
    constexpr double log_seconds_max = 12;  // 45 hours
    const double first = std::clamp(0.78 - 0.0054 * static_cast<double>(size), 0.0, 1.0);
    double log_seconds = 0;
    do {
      log_seconds =
          run_times_.chance(first) ? run_times_.gamma(4.2, 0.94) : run_times_.gamma(312, 0.03);
    } while (log_seconds > log_seconds_max);
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::exp(log_seconds)));
  }

  // At mean business.
  double gap_seconds() {
    constexpr double log_seconds_max = 13;  // 5 days
    constexpr double shape = 10.2303;
    constexpr double scale = 0.4871;
    constexpr double rush_to_all = 1.0225;
    double log_seconds = 0;
    do {
      log_seconds = arrivals_.gamma(shape * rush_to_all, scale);
    } while (log_seconds > log_seconds_max);
    return std::exp(log_seconds);
  }

 private:
  std::int64_t processors_;
  double log_max_;
  Random sizes_;
  Random run_times_;
  Random arrivals_;
};

}  // namespace

void generate_rigid(const UniformRigidModel& model, const std::string& output) {
  require_jobs(model.jobs);
  require_option(model.processors_min >= 1 && model.processors_min <= model.processors_max &&
                     model.processors_max <= processors_most,
                 "1 to 10000000 processors, the least not above the most");
  require_option(model.run_seconds_min >= 1 && model.run_seconds_min <= model.run_seconds_max &&
                     model.run_seconds_max <= 1'000'000'000,
                 "run times of 1 to 1000000000 s, the least not above the most");
  require_option(model.cores >= 1, "at least one core");
  require_option(model.load > 0 && model.load <= 1000, "a load above 0, at most 1000");
  TraceWriter writer(output);
  write_header(writer, model.jobs, model.cores,
               fmt::format("uniform sizes and run times, exponential gaps, load {}, seed {}",
                           model.load, model.seed));
  Random random = Random::stream(model.seed, "uniform rigid jobs");
  const double mean_work = static_cast<double>(model.processors_min + model.processors_max) / 2 *
                           static_cast<double>(model.run_seconds_min + model.run_seconds_max) / 2;
  const double mean_gap = mean_work / (model.load * static_cast<double>(model.cores));
  double submit = 0;
  for (std::uint64_t i = 1; i <= model.jobs; ++i) {
    require_submit(submit);
    GeneratedJob job;
    job.number = i;
    job.submit_milliseconds = std::llround(submit * 1000);
    job.processors = random.between(model.processors_min, model.processors_max);
    job.run_seconds = random.between(model.run_seconds_min, model.run_seconds_max);
    write_job(writer, job, false);
    submit += random.exponential(mean_gap);
  }
  writer.finish();
}

void generate_rigid(const LublinModel& model, const std::string& output) {
  require_jobs(model.jobs);
  require_option(model.processors >= 8 && model.processors <= processors_most,
                 "a machine of 8 to 10000000 processors");
  require_option(model.stretch > 0, "a stretch above 0");
  require_option(model.users >= 0 && model.users <= 1'000'000, "0 to 1000000 users");
  TraceWriter writer(output);
  write_header(writer, model.jobs, model.processors,
               fmt::format("model of Lublin and Feitelson (JPDC 2003), stretch {}, seed {}",
                           model.stretch, model.seed));
  LublinDraws draws(model.processors, model.seed);
  Random people = Random::stream(model.seed, "lublin users");
  const WeightedChoice shares = WeightedChoice::zipf(model.users, 1);
  DailyCycle cycle;
  for (std::uint64_t i = 1; i <= model.jobs; ++i) {
    const double gap = draws.gap_seconds() * model.stretch;
    require_submit(cycle.now() + gap);
    cycle.advance(gap);
    GeneratedJob job;
    job.number = i;
    job.submit_milliseconds = static_cast<std::int64_t>(cycle.now()) * 1000;
    job.processors = draws.size();
    job.run_seconds = draws.run_seconds(job.processors);
    if (model.users > 0) job.user = static_cast<std::int64_t>(shares.at(people.unit()));
    write_job(writer, job, true);
  }
  writer.finish();
}

}  // namespace tracebed

#include "traces/generate_mix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "core/random.h"
#include "traces/model_options.h"
#include "traces/parts/trace_writer.h"

namespace tracebed {
namespace {

constexpr std::array<std::string_view, 7> workloads = {
    "lian2020-grep", "lian2020-terasort", "lian2020-wordcount", "lian2020-mix",
    "ma2012-small",  "ma2012-large",      "ma2012-mixed"};
constexpr std::array<std::string_view, 3> user_rules = {"one", "kind", "job"};
constexpr std::array<std::string_view, 4> ma_kinds = {"sort", "wordcount", "terasort", "grep"};
constexpr std::array<std::string_view, 3> lian_kinds = {"grep", "terasort", "wordcount"};

constexpr double mb = 1e6;
constexpr double gb = 1e9;

struct MixJob {
  std::string_view kind;
  double bytes = 0;
  std::uint64_t maps = 0;
  std::uint64_t reduces = 0;
  double vcores = 0;
  double memory_mib = 0;
  std::string_view user;
};

// Of the workloads that do not say whose their jobs are.
constexpr std::string_view only_user = "user";

std::uint64_t drawn_from(Random& random, std::uint64_t low, std::uint64_t high) {
  return low + random.below(high - low + 1);
}

void add_lian(std::vector<MixJob>& jobs, std::string_view kind, int count) {
  jobs.insert(jobs.end(), static_cast<std::size_t>(count),
              {kind, 100 * mb, 5, 1, 1, 1024, only_user});
}

// Of each kind so many. Memory is 500 MB to 2 GB.
void draw_ma(std::vector<MixJob>& jobs, bool is_large, int of_each, std::string_view user,
             Random& random) {
  for (const std::string_view kind : ma_kinds) {
    for (int i = 0; i < of_each; ++i) {
      MixJob job;
      job.kind = kind;
      job.user = user;
      if (is_large) {
        // Of each reduce an input file of ten blocks; bytes grow with the files, from 4 to 8 GB.
        job.reduces = drawn_from(random, 7, 16);
        job.maps = 10 * job.reduces;
        job.bytes = 4 * gb + 4 * gb * static_cast<double>(job.reduces - 7) / 9;
      } else {
        // Maps of about 50 MB meet both ends of what is said of their number.
        job.reduces = 1;
        job.bytes = (60 + 440 * random.unit()) * mb;
        job.maps = static_cast<std::uint64_t>(std::llround(job.bytes / (50 * mb)));
      }
      job.vcores = static_cast<double>(drawn_from(random, 1, 2));
      job.memory_mib = static_cast<double>(drawn_from(random, 500, 2048));
      jobs.push_back(job);
    }
  }
}

// In no order of kind or size.
void mix_up(std::vector<MixJob>& jobs, Random& random) {
  for (std::size_t i = jobs.size(); i > 1; --i) {
    std::swap(jobs[i - 1], jobs[static_cast<std::size_t>(random.below(i))]);
  }
}

std::vector<MixJob> jobs_of(std::string_view workload, Random& random) {
  std::vector<MixJob> jobs;
  if (workload == "lian2020-mix") {
    for (const std::string_view kind : lian_kinds) add_lian(jobs, kind, 10);
  } else if (workload.starts_with("lian2020-")) {
    add_lian(jobs, workload.substr(workload.find('-') + 1), 30);
  } else if (workload == "ma2012-mixed") {
    draw_ma(jobs, false, 10, "A", random);
    draw_ma(jobs, true, 5, "B", random);
  } else {
    const bool is_large = workload == "ma2012-large";
    draw_ma(jobs, is_large, is_large ? 10 : 20, only_user, random);
  }
  mix_up(jobs, random);
  return jobs;
}

std::string user_of(const MixModel& model, const MixJob& job, std::size_t number) {
  if (job.user != only_user || model.users == "one") return std::string(job.user);
  return model.users == "kind" ? fmt::format("{}-user", job.kind) : fmt::format("user{}", number);
}

}  // namespace

std::span<const std::string_view> mix_workloads() {
  return workloads;
}

std::span<const std::string_view> mix_users() {
  return user_rules;
}

GeneratedMix make_mix(const MixModel& model) {
  require_option(
      std::find(workloads.begin(), workloads.end(), model.workload) != workloads.end(),
      fmt::format("one of the workloads {}, got '{}'", fmt::join(workloads, ", "), model.workload));
  require_option(
      std::find(user_rules.begin(), user_rules.end(), model.users) != user_rules.end(),
      fmt::format("users by one of {}, got '{}'", fmt::join(user_rules, ", "), model.users));
  require_option(model.gap_seconds >= 0 && model.gap_seconds <= 1e6, "a gap from 0 to 1000000 s");
  require_option(model.divisor > 0 && model.divisor <= 1e6, "a divisor above 0, at most 1000000");
  Random random = Random::stream(model.seed, "mix " + model.workload);
  const std::vector<MixJob> jobs = jobs_of(model.workload, random);
  const auto whole = [&](double amount) {
    return std::max<std::int64_t>(1, std::llround(amount / model.divisor));
  };
  GeneratedMix mix;
  mix.jobs = jobs.size();
  mix.text =
      "job,submit_seconds,kind,input_bytes,maps,reduces,vcores,memory_mib,user,queue,"
      "input_path\n";
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const MixJob& job = jobs[i];
    mix.text +=
        fmt::format("{0}{1},{2:.6g},{0},{3},{4},{5},{6},{7},{8},,/data/{0}{1}\n", job.kind, i,
                    static_cast<double>(i) * model.gap_seconds, whole(job.bytes), job.maps,
                    job.reduces, static_cast<double>(whole(job.vcores * 1000)) / 1000,
                    whole(job.memory_mib), user_of(model, job, i));
  }
  return mix;
}

std::uint64_t generate_mix(const MixModel& model, const std::string& output) {
  const GeneratedMix mix = make_mix(model);
  TraceWriter writer(output);
  writer.write(mix.text);
  writer.finish();
  return mix.jobs;
}

}  // namespace tracebed

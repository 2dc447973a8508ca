// What the reproduction of Lian and Liu (2020) runs: for each scheduler and group of jobs an
// experiment, and variants of it for what the paper leaves open.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coordinator/reproductions/reproduction.h"

namespace tracebed::lian {

inline constexpr int jobs_of_group = 30;
inline constexpr int tenths_max = 10;  // fixed values are 0, 0.1, …, 1

struct JobGroup {
  std::string_view name;   // of its trace
  std::string_view title;  // as the paper names it
  std::vector<std::string_view> kinds;
};
std::span<const JobGroup> job_groups();

struct TunedScheduler {
  std::string_view name;
  std::string_view title;
  std::string_view parameter;
  int default_tenths = 1;      // the parameter's default
  std::string_view more = {};  // of the scheduler's settings
  // What the paper found: the best values in tenths, by group, and by how many percent the method's
  // times are below the default's, on average over the groups.
  std::array<int, 4> best{};
  int method_percent = 0;
  // Of the real part, by group: the best values in tenths that the virtual world has with the
  // default settings (docs/reproductions.md).
  std::array<int, 4> real_best{};
};
std::span<const TunedScheduler> tuned_schedulers();

struct Variant {
  std::string_view name;   // empty: the experiment itself
  std::string_view title;  // for a row of a table
  bool has_every_share = false;
  bool has_every_period = false;
  bool has_predecessors = false;
  bool has_gaps = false;   // between submissions
  bool has_idled = false;  // the controller, for ten periods before
  bool has_the_other_size = false;
  std::string_view world = "virtual";
  // Of the real part: at scale, with the default, one other fixed value and the method.
  bool is_real_part = false;
};
std::span<const Variant> variants();
// By worlds_of_real_part.
std::span<const Variant> real_variants();

inline constexpr std::array<int, 4> periods{1, 5, 15, 30};  // seconds
inline constexpr int usual_period = 15;
// When n of the method grows.
inline constexpr std::array<std::string_view, 3> readings{"period", "pending", "adjust"};

// Of the real part.
inline constexpr std::string_view real_reading = "period";
int real_best_of(const TunedScheduler& scheduler, const JobGroup& group);

std::string share_label(int tenths);  // "0.5"
std::string fixed_label(int tenths);  // of the scheduler with that value
std::string method_label(std::string_view reading, int period);
std::string experiment_name(const TunedScheduler& scheduler, const JobGroup& group,
                            const Variant& variant);

const std::vector<SettingDescription>& settings();
ReproductionPlan plan(const ReproductionRequest& request);
std::vector<ReproductionTable> tables(const ReproductionRequest& request,
                                      const ReproductionResults& results);
ReproductionPlan real_plan(const ReproductionRequest& request);
std::vector<ReproductionTable> real_tables(const ReproductionRequest& request,
                                           const ReproductionResults& results);

}  // namespace tracebed::lian

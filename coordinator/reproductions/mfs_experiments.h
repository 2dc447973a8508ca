// What the reproduction of Ma and Hong (2012) runs. For each repetition the jobs' sizes and demands
// are drawn anew, and all schedulers get the same: so each experiment is of one repetition.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coordinator/reproductions/reproduction.h"

namespace tracebed::ma2012 {

inline constexpr std::array<int, 5> slot_counts{13, 14, 15, 16, 17};
inline constexpr int middle_slots = 15;

struct JobGroup {
  std::string_view name;
  std::string_view title;
  std::string_view workload;  // of traces/generate_mix.h
};
std::span<const JobGroup> job_groups();
// The group of the real part.
const JobGroup& real_group();

struct Variant {
  std::string_view name;            // empty: the experiments themselves
  std::string_view title;           // for a table
  bool has_free_memory = false;     // more memory than there is costs nothing
  bool has_other_cpu = false;       // the other reading of `cpu`
  bool has_other_settings = false;  // further settings of each scheduler, too
  // Not empty: of the real part, in this world, with four machines at scale.
  std::string_view real_part = {};
};
std::span<const Variant> variants();
// Those of the real part, in the order of its worlds. Memory costs nothing there: the agents have
// no limit of it together, and this machine has enough for what is too much for the four of them.
std::span<const Variant> real_variants();

// An experiment has MFS, or the slot schedulers: what tasks ask for differs.
enum class Arms : std::uint8_t { mfs, slots };
// MFS gives no machine more than it has, so that it is the same whatever that costs.
bool is_run(Arms arms, const Variant& variant);
std::string experiment_name(const JobGroup& group, Arms arms, const Variant& variant,
                            std::uint32_t repetition);

inline constexpr std::string_view mfs_label = "mfs";
std::string slot_label(std::string_view scheduler, int slots);  // "fair-13"

// A scheduler with a setting that is not 0.20.2's, or not MFS' default.
struct OtherSetting {
  Arms arms = Arms::mfs;
  std::string_view label;
  std::string base;  // the label of the scheduler without it
  std::string_view title;
};
std::span<const OtherSetting> other_settings();

const std::vector<SettingDescription>& settings();
ReproductionPlan plan(const ReproductionRequest& request);
std::vector<ReproductionTable> tables(const ReproductionRequest& request,
                                      const ReproductionResults& results);
ReproductionPlan real_plan(const ReproductionRequest& request);
std::vector<ReproductionTable> real_tables(const ReproductionRequest& request,
                                           const ReproductionResults& results);

}  // namespace tracebed::ma2012

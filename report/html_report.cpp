#include "report/html_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

#include "report/headline.h"
#include "report/html_page.h"
#include "report/html_preemption.h"
#include "report/html_queues.h"
#include "report/json_comparison.h"
#include "report/plot_number.h"
#include "report/stall_text.h"
#include "system/output_file.h"

namespace tracebed {
namespace {

constexpr std::size_t users_max = 10;
constexpr std::size_t time_points_max = 160;  // as many steps as a chart's width shows apart

Json waiting_jobs(const RunFolder& run) {
  const WaitingJobs& waiting = run.end.waiting;
  Json reasons = Json::object();
  for (const auto& [reason, count] : waiting.by_reason) reasons[reason] = count;
  Json longest = Json::array();
  for (const WaitingJob& job : waiting.longest) {
    Json why = Json::array();
    for (const auto& [reason, text] : job.reasons) why.push_back(text);
    longest.push_back({{"job", job.job.value()},
                       {"user", job.user},
                       {"queue", job.queue},
                       {"seconds", to_seconds(job.until - job.since)},
                       {"why", std::move(why)}});
  }
  return {{"by_reason", std::move(reasons)}, {"longest", std::move(longest)}};
}

Json sampled_choices(const RunFolder& run) {
  Json choices = Json::array();
  for (const SampledChoice& choice : run.end.choices) choices.push_back(choice_json(choice));
  return choices;
}

// The empirical distribution of JCT over all jobs that succeeded in the scheduler's runs, at evenly
// spread ranks, the smallest and the largest value among them.
Json jct_distribution(const ComparedScheduler& scheduler, std::span<const RunFolder> runs) {
  std::vector<Duration> values;
  for (std::size_t run : scheduler.runs) {
    for (const JobFigures& job : runs[run].jobs) {
      if (job.outcome == JobOutcome::succeeded) values.push_back(job.jct);
    }
  }
  std::sort(values.begin(), values.end());
  const std::size_t points = std::min(values.size(), curve_points_max);
  Json seconds = Json::array();
  Json shares = Json::array();
  for (std::size_t i = 0; i < points; ++i) {
    const std::size_t rank = points == 1 ? 0 : i * (values.size() - 1) / (points - 1);
    seconds.push_back(rounded(to_seconds(values[rank])));
    shares.push_back(rounded(static_cast<double>(rank + 1) / static_cast<double>(values.size())));
  }
  return {{"seconds", std::move(seconds)}, {"shares", std::move(shares)}};
}

// The means of `figure` over runs of intervals, weighted by their lengths.
template <class Figure>
Json thinned(const std::vector<ClusterInterval>& intervals, std::size_t stride, Figure figure) {
  Json values = Json::array();
  for (std::size_t first = 0; first < intervals.size(); first += stride) {
    const std::size_t last = std::min(first + stride, intervals.size());
    double sum = 0;
    double length = 0;
    for (std::size_t i = first; i < last; ++i) {
      const double seconds = to_seconds(intervals[i].end - intervals[i].start);
      sum += seconds * figure(intervals[i]);
      length += seconds;
    }
    values.push_back(rounded(sum / length));
  }
  return values;
}

Json state_over_time(const RunFolder& run) {
  const std::vector<ClusterInterval>& intervals = run.series.intervals;
  const std::size_t stride =
      std::max<std::size_t>(1, (intervals.size() + time_points_max - 1) / time_points_max);
  Json starts = Json::array();
  for (std::size_t i = 0; i < intervals.size(); i += stride) {
    starts.push_back(to_seconds(intervals[i].start));
  }
  Json utilisation = Json::object();
  const ResourceDimensions dimensions = run.dimensions();
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    utilisation[dimensions.name(d)] =
        thinned(intervals, stride, [d](const ClusterInterval& interval) {
          return interval.capacity[d] > 0 ? interval.allocated[d] / interval.capacity[d] : 0;
        });
  }
  const bool has_devices =
      std::any_of(intervals.begin(), intervals.end(),
                  [](const ClusterInterval& interval) { return interval.devices_free > 0; });
  Json fragmented = nullptr;
  if (has_devices) {
    fragmented = thinned(intervals, stride, [](const ClusterInterval& interval) {
      return interval.devices_free > 0 ? interval.devices_fragmented / interval.devices_free : 0;
    });
  }
  return {
      {"fragmented", std::move(fragmented)},
      {"start", std::move(starts)},
      {"end", intervals.empty() ? 0.0 : to_seconds(intervals.back().end)},
      {"containers",
       thinned(intervals, stride, [](const ClusterInterval& i) { return i.containers; })},
      {"jobs_waiting",
       thinned(intervals, stride, [](const ClusterInterval& i) { return i.jobs_waiting; })},
      {"utilisation", std::move(utilisation)},
  };
}

struct NamedUser {
  std::string name;
  std::uint64_t jobs = 0;
  double slowdown_sum = 0;
};

std::vector<NamedUser> users_of(const ComparedScheduler& scheduler,
                                std::span<const RunFolder> runs) {
  std::vector<NamedUser> users;
  for (std::size_t run : scheduler.runs) {
    for (const UserFigures& figures : user_figures(runs[run].jobs)) {
      users.push_back({runs[run].users.name(figures.user), figures.jobs,
                       figures.bounded_slowdown_mean * static_cast<double>(figures.jobs)});
    }
  }
  std::sort(users.begin(), users.end(),
            [](const NamedUser& a, const NamedUser& b) { return a.name < b.name; });
  std::vector<NamedUser> merged;
  for (const NamedUser& user : users) {
    if (merged.empty() || merged.back().name != user.name) merged.push_back({user.name, 0, 0});
    merged.back().jobs += user.jobs;
    merged.back().slowdown_sum += user.slowdown_sum;
  }
  return merged;
}

// The users with the most jobs (per run), and each scheduler's mean bounded slowdown of them; null
// where none of a user's jobs succeeded.
Json user_slowdowns(const WorldComparison& world, std::span<const RunFolder> runs) {
  std::vector<std::vector<NamedUser>> by_scheduler;
  std::vector<NamedUser> users;
  for (const ComparedScheduler& scheduler : world.schedulers) {
    by_scheduler.push_back(users_of(scheduler, runs));
    for (NamedUser user : by_scheduler.back()) {
      user.jobs = (user.jobs + scheduler.runs.size() - 1) / scheduler.runs.size();
      const auto known = std::find_if(users.begin(), users.end(), [&](const NamedUser& other) {
        return other.name == user.name;
      });
      if (known == users.end()) {
        users.push_back(user);
      } else {
        known->jobs = std::max(known->jobs, user.jobs);
      }
    }
  }
  std::sort(users.begin(), users.end(), [](const NamedUser& a, const NamedUser& b) {
    return a.jobs != b.jobs ? a.jobs > b.jobs : a.name < b.name;
  });
  Json result = {{"total", users.size()},
                 {"names", Json::array()},
                 {"jobs", Json::array()},
                 {"slowdowns", Json::array()}};
  users.resize(std::min(users.size(), users_max));
  for (const NamedUser& user : users) {
    result["names"].push_back(user.name);
    result["jobs"].push_back(user.jobs);
  }
  for (const std::vector<NamedUser>& figures : by_scheduler) {
    Json column = Json::array();
    for (const NamedUser& user : users) {
      const auto found = std::find_if(figures.begin(), figures.end(), [&](const NamedUser& other) {
        return other.name == user.name;
      });
      if (found == figures.end()) {
        column.push_back(nullptr);
      } else {
        column.push_back(rounded(found->slowdown_sum / static_cast<double>(found->jobs)));
      }
    }
    result["slowdowns"].push_back(std::move(column));
  }
  return result;
}

Json text_object(const std::vector<NamedText>& texts) {
  Json object = Json::object();
  for (const auto& [key, value] : texts) object[key] = value;
  return object;
}

// 0 where the run did not count it.
std::uint64_t counter(const RunFolder& run, const std::string& name) {
  for (const auto& [key, count] : run.end.counters) {
    if (key == name) return count;
  }
  return 0;
}

Json run_facts(const RunFolder& run) {
  const RunDescription& d = run.description;
  Json facts = {
      {"folder", run.folder.filename().string()},
      {"scheduler", d.scheduler_label},
      {"settings", text_object(d.scheduler_settings)},
      {"world", d.world},
      {"world_settings", text_object(d.world_settings)},
      {"repetition", d.repetition},
      {"is_noise", d.is_noise},
      {"seed", std::to_string(d.seed)},  // as text: a script's numbers are exact to 53 bits only
      {"time_scale", d.time_scale},
      {"isolation", d.isolation},
      {"ended", name(run.end.outcome)},
      {"digest", run.end.digest},
      {"wall_seconds", run.end.wall_seconds},
      {"asks_rounded_up", counter(run, "asks_rounded_up")},
      {"warnings", run.end.warnings},
  };
  if (run.end.stall) {
    const ResourceDimensions dimensions = run.dimensions();
    facts["stall"] = {{"text", stall_text(*run.end.stall, dimensions)},
                      {"chain", stall_chain(*run.end.stall, dimensions)}};
  }
  return facts;
}

Json experiment_facts(const RunFolder& run) {
  const RunDescription& d = run.description;
  Json machines = Json::array();  // runs of machines with the same capacity
  const ResourceDimensions dimensions = run.dimensions();
  const Machine* last = nullptr;
  for (const Machine& machine : d.machines) {
    if (last == nullptr || last->capacity != machine.capacity) {
      Json capacity = Json::object();
      for (std::size_t i = 0; i < dimensions.size(); ++i) {
        capacity[dimensions.name(i)] = machine.capacity[i];
      }
      machines.push_back({{"count", 0}, {"capacity", std::move(capacity)}});
    }
    machines.back()["count"] = machines.back()["count"].get<std::uint64_t>() + 1;
    last = &machine;
  }
  return {
      {"name", d.experiment_name},
      {"text", d.experiment_text},
      {"started", d.started},
      {"version", d.software_version},
      {"build_type", d.build_type},
      {"trace", std::filesystem::path(d.trace.file).filename().string()},
      {"trace_format", d.trace_format},
      {"trace_bytes", d.trace.bytes},
      {"trace_digest", d.trace.digest},
      {"selection", text_object(d.trace_selection)},
      {"rules", text_object(d.rules)},
      {"scale", text_object(d.scale)},
      {"scale_effects", text_object(d.scale_effects)},
      {"masters", text_object(d.masters)},
      {"storage", text_object(d.storage)},
      {"machines", std::move(machines)},
  };
}

Json page_data(const Comparison& comparison, std::span<const RunFolder> runs,
               const std::filesystem::path& base) {
  Json data = {{"headline", headline(comparison)},
               {"comparison", comparison_object(comparison, base)},
               {"experiment", experiment_facts(runs.front())},
               {"runs", Json::array()},
               {"worlds", Json::array()}};
  for (const RunFolder& run : runs) data["runs"].push_back(run_facts(run));
  for (const WorldComparison& world : comparison.worlds) {
    Json curves = Json::array();
    for (const ComparedScheduler& scheduler : world.schedulers) {
      const RunFolder& first = runs[scheduler.runs.front()];
      curves.push_back({{"label", scheduler.label},
                        {"jct", jct_distribution(scheduler, runs)},
                        {"repetition", first.description.repetition},
                        {"over_time", state_over_time(first)},
                        {"queues", queues_over_time(first)},
                        {"preemption", preemption_data(first)},
                        {"queue_page", queue_page_data(first)},
                        {"waiting", waiting_jobs(first)},
                        {"choices", sampled_choices(first)}});
    }
    data["worlds"].push_back(
        {{"curves", std::move(curves)}, {"users", user_slowdowns(world, runs)}});
  }
  return data;
}

}  // namespace

std::string html_page(const nlohmann::ordered_json& data) {
  std::string html;
  for (std::string_view piece : html_page_before_data()) html += piece;
  // Inside a script element only "</script" and "<!--" mean anything to a browser. A "<" can stand
  // only within a JSON string, where an escape says the same.
  for (char letter : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (letter == '<') {
      html += "\\u003c";
    } else {
      html += letter;
    }
  }
  for (std::string_view piece : html_page_after_data()) html += piece;
  return html;
}

std::string to_html(const Comparison& comparison, std::span<const RunFolder> runs,
                    const std::filesystem::path& base) {
  return html_page(page_data(comparison, runs, base));
}

FileChecksum write_html_report(const std::filesystem::path& file, const Comparison& comparison,
                               std::span<const RunFolder> runs) {
  const std::string text = to_html(comparison, runs, file.parent_path());
  write_output_file(file, text);
  return checksum_of(text);
}

}  // namespace tracebed

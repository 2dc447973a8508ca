#include "report/json_report.h"

#include <numeric>

#include "report/json_comparison.h"
#include "report/json_metrics.h"
#include "report/verdict_text.h"

namespace tracebed {
namespace {

Json interval_object(const ConfidenceInterval& interval) {
  return Json::array({interval.low, interval.high});
}

void write_differences(JsonOutput& fields, const WorldComparison& world,
                       const Candidate& candidate) {
  for (std::size_t f = 0; f < world.figures.size(); ++f) {
    const ComparedFigure& figure = world.figures[f];
    const FigureDifference& difference = candidate.differences[f];
    fields.object(figure.key.c_str(), [&](JsonOutput& d) {
      d("difference", difference.difference);
      if (const auto ratio = difference.ratio()) d("ratio", *ratio);
      if (difference.interval) {
        d("difference_interval_95", interval_object(*difference.interval));
      }
      if (const auto interval = difference.ratio_interval()) {
        d("ratio_interval_95", interval_object(*interval));
      }
      if (difference.is_exact) d("exact", true);
      if (difference.p) d("p", *difference.p);
      if (difference.p_corrected) d("p_corrected", *difference.p_corrected);
      if (difference.repetitions_needed) d("repetitions_needed", *difference.repetitions_needed);
      if (difference.noise) d("noise_floor", *difference.noise);
      d("verdict", name(difference.verdict));
      d("text", verdict_text(figure, difference));
    });
  }
}

// As it is where nothing leads there from the base.
std::string path_from(const std::filesystem::path& base, const std::filesystem::path& folder) {
  const std::filesystem::path path =
      base.empty() ? folder : folder.lexically_normal().lexically_relative(base.lexically_normal());
  return (path.empty() ? folder : path).generic_string();
}

void write_scheduler(JsonOutput& fields, const WorldComparison& world,
                     const ComparedScheduler& scheduler, const ResourceDimensions& dimensions,
                     const std::filesystem::path& base) {
  fields("label", scheduler.label);
  fields("runs", scheduler.runs);
  fields("constant", scheduler.is_constant);
  fields.object("figures", [&](JsonOutput& f) {
    for (std::size_t i = 0; i < world.figures.size(); ++i) {
      f(world.figures[i].key.c_str(), scheduler.figures[i]);
    }
  });
  std::vector<std::size_t> positions(scheduler.metrics.size());
  std::iota(positions.begin(), positions.end(), 0);
  fields.list("run_metrics", positions, [&](JsonOutput& f, std::size_t position) {
    const RunIdentity& run = scheduler.identities[position];
    f("folder", path_from(base, run.folder));
    f("seed", run.seed);
    f("repetition", run.repetition);
    write_metrics(f, scheduler.metrics[position], dimensions);
  });
}

void write_world(JsonOutput& fields, const WorldComparison& world,
                 const ResourceDimensions& dimensions, const std::filesystem::path& base) {
  fields("world", world.world);
  fields("jobs", world.jobs);
  fields("jobs_common", world.jobs_common);
  fields("notes", world.notes);
  if (world.primary) fields("primary", world.figures[*world.primary].key);
  fields("matters_from", world.matters_from);
  fields.list("figures", world.figures, [](JsonOutput& f, const ComparedFigure& figure) {
    f("key", figure.key);
    f("title", figure.title);
    f("unit", figure.unit);
    f("lower_is_better", figure.lower_is_better);
  });
  fields.list("schedulers", world.schedulers,
              [&](JsonOutput& f, const ComparedScheduler& scheduler) {
                write_scheduler(f, world, scheduler, dimensions, base);
              });
  fields("noise_runs", world.noise.runs);
  fields("varied", world.varied);
  fields("judgement", judgement_texts(world));
  fields.list("comparisons", world.candidates, [&](JsonOutput& f, const Candidate& candidate) {
    f("baseline", world.schedulers.front().label);
    f("candidate", world.schedulers[candidate.scheduler].label);
    f("repetitions", candidate.pairs.repetitions_min());
    f("pairs", candidate.pairs.pairs.size());
    f("identical_decisions", candidate.has_same_decisions);
    f("job_blocks", candidate.job_draws.block_jobs);
    f("test", test_text(world, candidate));
    f("jobs_faster", candidate.jobs_faster);
    f("jobs_slower", candidate.jobs_slower);
    f.object("figures", [&](JsonOutput& d) { write_differences(d, world, candidate); });
  });
}

void write_split(JsonOutput& fields, const char* key, const SplitDifference& split) {
  fields.object(key, [&](JsonOutput& f) {
    f("model", split.model);
    f("real", split.real);
    f("difference", split.difference);
    f.object("parts", [&](JsonOutput& parts) {
      for (std::size_t p = 0; p < jct_part_count; ++p) {
        parts(std::string(name(static_cast<JctPart>(p))).c_str(), split.parts[p]);
      }
    });
  });
}

void write_world_difference(JsonOutput& fields, const WorldDifference& difference) {
  fields("scheduler", difference.label);
  fields("model_world", difference.model_world);
  fields("real_world", difference.real_world);
  fields("repetitions", difference.repetitions);
  fields("jobs", difference.jobs);
  fields("jobs_left_out", difference.jobs_left_out);
  fields.object("jct_seconds", [&](JsonOutput& f) {
    for (const auto& [statistic, split] : difference.statistics())
      write_split(f, statistic, *split);
  });
  fields.object("model_attempts",
                [&](JsonOutput& f) { attempt_fields(f, difference.model_attempts); });
  fields.object("real_attempts",
                [&](JsonOutput& f) { attempt_fields(f, difference.real_attempts); });
}

void write_range(JsonOutput& fields, const char* key, const RunRange& range) {
  fields.object(key, [&](JsonOutput& f) {
    f("low", range.low);
    f("median", range.median);
    f("high", range.high);
  });
}

void write_world_agreement(JsonOutput& fields, const WorldAgreement& worlds) {
  fields("model_world", worlds.model_world);
  fields("real_world", worlds.real_world);
  fields("model_order", worlds.model_order);
  fields("real_order", worlds.real_order);
  fields.list(
      "schedulers", worlds.schedulers, [](JsonOutput& f, const SchedulerAgreement& scheduler) {
        f("scheduler", scheduler.label);
        f("model_runs", scheduler.model_runs);
        f("real_runs", scheduler.real_runs);
        f("jobs", scheduler.jobs);
        f("chance_of_separation", scheduler.chance);
        f.list("figures", scheduler.figures, [](JsonOutput& g, const FigureAgreement& figure) {
          g("key", figure.key);
          g("title", figure.title);
          write_range(g, "model", figure.model);
          write_range(g, "real", figure.real);
          g("agreement", name(figure.agreement));
        });
      });
}

}  // namespace

Json comparison_object(const Comparison& comparison, const std::filesystem::path& base) {
  Json root;
  JsonOutput fields(root);
  const ResourceDimensions dimensions(
      std::vector<std::string>(comparison.dimensions.begin() + 2, comparison.dimensions.end()));
  fields("experiment", comparison.experiment);
  fields("dimensions", comparison.dimensions);
  fields.list("worlds", comparison.worlds, [&](JsonOutput& f, const WorldComparison& world) {
    write_world(f, world, dimensions, base);
  });
  fields.list(
      "world_agreements", comparison.world_agreements,
      [](JsonOutput& f, const WorldAgreement& worlds) { write_world_agreement(f, worlds); });
  fields.list("world_differences", comparison.world_differences,
              [](JsonOutput& f, const WorldDifference& difference) {
                write_world_difference(f, difference);
              });
  return root;
}

std::string to_json(const Comparison& comparison, const std::filesystem::path& base) {
  return comparison_object(comparison, base).dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace tracebed

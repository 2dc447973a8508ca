#include "report/json_report.h"

#include "report/json_comparison.h"
#include "report/json_metrics.h"
#include "report/text_report.h"

namespace tracebed {
namespace {

Json interval_object(const ConfidenceInterval& interval) {
  return Json::array({interval.low, interval.high});
}

void write_differences(JsonOutput& fields, const WorldComparison& world,
                       const Candidate& candidate) {
  for (std::size_t f = 0; f < world.figures.size(); ++f) {
    const ComparedFigure& figure = world.figures[f];
    if (figure.is_of_jobs && world.jobs_common == 0) continue;
    const FigureDifference& difference = candidate.differences[f];
    fields.object(figure.key.c_str(), [&](JsonOutput& d) {
      d("difference", difference.difference);
      if (difference.ratio) d("ratio", *difference.ratio);
      if (difference.difference_interval) {
        d("difference_interval_95", interval_object(*difference.difference_interval));
      }
      if (difference.ratio_interval) {
        d("ratio_interval_95", interval_object(*difference.ratio_interval));
      }
      d("verdict", name(difference.verdict));
      d("text", verdict_text(figure, difference));
    });
  }
}

void write_scheduler(JsonOutput& fields, const WorldComparison& world,
                     const ComparedScheduler& scheduler, const ResourceDimensions& dimensions) {
  fields("label", scheduler.label);
  fields("runs", scheduler.runs);
  fields.object("figures", [&](JsonOutput& f) {
    for (std::size_t i = 0; i < world.figures.size(); ++i) {
      if (world.figures[i].is_of_jobs && world.jobs_common == 0) continue;
      f(world.figures[i].key.c_str(), scheduler.figures[i]);
    }
  });
  fields.list("run_metrics", scheduler.metrics, [&](JsonOutput& f, const RunMetrics& metrics) {
    write_metrics(f, metrics, dimensions);
  });
}

void write_world(JsonOutput& fields, const WorldComparison& world,
                 const ResourceDimensions& dimensions) {
  fields("world", world.world);
  fields("jobs", world.jobs);
  fields("jobs_common", world.jobs_common);
  fields("notes", world.notes);
  fields.list("figures", world.figures, [](JsonOutput& f, const ComparedFigure& figure) {
    f("key", figure.key);
    f("title", figure.title);
    f("unit", figure.unit);
    f("lower_is_better", figure.lower_is_better);
  });
  fields.list("schedulers", world.schedulers,
              [&](JsonOutput& f, const ComparedScheduler& scheduler) {
                write_scheduler(f, world, scheduler, dimensions);
              });
  fields.object("resampling", [&](JsonOutput& f) {
    f("unit", world.candidates.empty() ? std::string() : resampled_unit(world.plan));
    f("replicates", world.plan.replicates);
  });
  fields.list("comparisons", world.candidates, [&](JsonOutput& f, const Candidate& candidate) {
    f("baseline", world.schedulers.front().label);
    f("candidate", world.schedulers[candidate.scheduler].label);
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
    write_split(f, "mean", difference.mean);
    write_split(f, "p50", difference.p50);
    write_split(f, "p95", difference.p95);
    write_split(f, "p99", difference.p99);
  });
  fields.object("model_attempts",
                [&](JsonOutput& f) { attempt_fields(f, difference.model_attempts); });
  fields.object("real_attempts",
                [&](JsonOutput& f) { attempt_fields(f, difference.real_attempts); });
}

}  // namespace

Json comparison_object(const Comparison& comparison) {
  Json root;
  JsonOutput fields(root);
  const ResourceDimensions dimensions(
      std::vector<std::string>(comparison.dimensions.begin() + 2, comparison.dimensions.end()));
  fields("experiment", comparison.experiment);
  fields("dimensions", comparison.dimensions);
  fields.list("worlds", comparison.worlds, [&](JsonOutput& f, const WorldComparison& world) {
    write_world(f, world, dimensions);
  });
  fields.list("world_differences", comparison.world_differences,
              [](JsonOutput& f, const WorldDifference& difference) {
                write_world_difference(f, difference);
              });
  return root;
}

std::string to_json(const Comparison& comparison) {
  return comparison_object(comparison).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tracebed

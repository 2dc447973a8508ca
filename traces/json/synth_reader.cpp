#include "traces/json/synth_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

#include "traces/json/json_lists.h"
#include "traces/parts/text_numbers.h"
#include "traces/parts/trace_rows.h"
#include "traces/parts/usage.h"

namespace tracebed {
namespace {

namespace dom = simdjson::dom;

constexpr double amount_max = 1e9;

template <class Each, class Weight>
std::size_t draw_one(const std::vector<Each>& all, Random& random, const Weight& weight_of) {
  double sum = 0;
  for (const Each& each : all) sum += weight_of(each);
  double left = random.unit() * sum;
  for (std::size_t i = 0; i < all.size(); ++i) {
    left -= weight_of(all[i]);
    if (left < 0) return i;
  }
  return all.size() - 1;
}

// A number, or its digits as text.
bool number_in(dom::element element, double& value) {
  if (element.get_double().get(value) == simdjson::SUCCESS) return true;
  std::string_view text;
  if (element.get_string().get(text) != simdjson::SUCCESS) return false;
  const Decimal read = read_decimal(text);
  value = static_cast<double>(read.millionths) / 1e6;
  return read.fault == NumberFault::none;
}

// As each_object(), but an array without elements is wrong.
bool one_or_more(const JsonFields& fields, std::string_view key,
                 const std::function<bool(const JsonFields&)>& visit) {
  bool has_one = false;
  const bool is_good = each_object(fields, key, [&](const JsonFields& each) {
    has_one = true;
    return visit(each);
  });
  return is_good && (has_one || fields.bad(BadRow::columns, key, "one or more", "none"));
}

}  // namespace

SynthReader::SynthReader(JsonDocuments documents, const TraceOptions& options, Names& names)
    : JsonReader("synth", std::move(documents), options, names),
      jobs_max_(options.document_jobs_max) {}

void SynthReader::name_tallies(TraceTally& /*tally*/) {}

double SynthReader::Sample::draw(Random& random) const {
  if (shape == Shape::discrete) {
    return choices[draw_one(choices, random, [](const auto& each) { return each.second; })].first;
  }
  if (shape == Shape::constant || mean <= 0) return mean;
  if (shape == Shape::normal) return mean + deviation * random.normal();
  const double variance = std::log1p(deviation * deviation / (mean * mean));
  return random.lognormal(std::log(mean) - variance / 2, std::sqrt(variance));
}

bool SynthReader::read_choices(const JsonFields& values, Sample& sample) {
  constexpr std::array<std::string_view, 2> keys = {"discrete", "weights"};
  std::array<std::vector<double>, 2> lists;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    std::optional<dom::array> array;
    if (!values.array(keys[i], array)) return false;
    if (!array) continue;
    for (const dom::element element : *array) {
      double value = 0;
      if (!number_in(element, value) || !(value >= 0 && value <= amount_max)) {
        return values.bad(BadRow::number, keys[i], "numbers from 0 to 1000000000",
                          shown_json(element));
      }
      lists[i].push_back(value);
    }
  }
  auto& [amounts, weights] = lists;
  if (!values.has("weights")) weights.assign(amounts.size(), 1);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (amounts.empty() || weights.size() != amounts.size() || sum <= 0) {
    return values.bad(BadRow::columns, "discrete", "a weight for every value, not all of them 0",
                      std::to_string(weights.size()) + " weights");
  }
  sample = Sample();
  sample.shape = Sample::Shape::discrete;
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    sample.choices.emplace_back(amounts[i], weights[i]);
    sample.mean += amounts[i] * weights[i] / sum;
  }
  return true;
}

bool SynthReader::read_spread(const JsonFields& values, Sample& sample) {
  std::string shape = "LOGNORM";
  double deviation = 0;
  if (!values.optional_text("dist", shape) ||
      !values.optional_number("std", 0, amount_max, deviation)) {
    return false;
  }
  if (shape != "LOGNORM" && shape != "NORM") {
    return values.bad(BadRow::text, "dist", "LOGNORM or NORM", shown(shape));
  }
  if (!values.has("std")) return true;
  sample.shape = shape == "NORM" ? Sample::Shape::normal : Sample::Shape::log_normal;
  sample.set_deviation(deviation);
  return true;
}

bool SynthReader::read_sample(const JsonFields& fields, std::string_view key, Sample& sample) {
  dom::object object;
  if (!fields.has(key)) return true;
  if (fields.object().at_key(key).get_object().get(object) != simdjson::SUCCESS) {
    return fields.bad(BadRow::text, key, "an object with val and std, or with discrete",
                      "something else");
  }
  const JsonFields values(object, fields.place());
  if (!values.has("val") && values.has("discrete")) return read_choices(values, sample);
  return values.number("val", 0, amount_max, sample.mean) && read_spread(values, sample);
}

bool SynthReader::read_task(const JsonFields& fields, TaskClass& task) const {
  std::string type = "map";
  task.count.mean = 1;
  task.memory_mib.mean = static_cast<double>(rules().task.memory_mib);
  task.vcores.mean = static_cast<double>(rules().task.millicores) / 1000;
  if (!fields.optional_text("type", type) || !read_sample(fields, "count", task.count) ||
      !read_sample(fields, "time", task.seconds) ||
      !read_sample(fields, "max_memory", task.memory_mib) ||
      !read_sample(fields, "max_vcores", task.vcores)) {
    return false;
  }
  task.is_reduce = type == "reduce";
  return task.seconds.mean > 0 ||
         fields.bad(BadRow::out_of_range, "time", "a duration above 0", "none");
}

bool SynthReader::read_old_class(const JsonFields& fields, JobClass& job_class) const {
  const auto sample = [&](const std::string& key, double none, Sample& into) {
    into.mean = none;
    double deviation = 0;
    if (!fields.optional_number(key + "_avg", 0, amount_max, into.mean) ||
        !fields.optional_number(key + "_stddev", 0, amount_max, deviation)) {
      return false;
    }
    // A value that is not given is what the rules say.
    if (!fields.has(key + "_avg")) return true;
    into.shape = Sample::Shape::log_normal;
    into.set_deviation(deviation);
    return true;
  };
  const double memory = static_cast<double>(rules().task.memory_mib);
  const double vcores = static_cast<double>(rules().task.millicores) / 1000;
  for (const bool is_reduce : {false, true}) {
    TaskClass task;
    task.is_reduce = is_reduce;
    const std::string kind = is_reduce ? "reduce" : "map";
    const std::string letter = is_reduce ? "r" : "m";
    if (!sample(letter + "tasks", 0, task.count) || !sample(letter + "time", 0, task.seconds) ||
        !sample(kind + "_max_memory", memory, task.memory_mib) ||
        !sample(kind + "_max_vcores", vcores, task.vcores)) {
      return false;
    }
    if (task.count.mean > 0) job_class.tasks.push_back(task);
  }
  if (!sample("deadline_factor", 0, job_class.deadline_factor) ||
      !sample("dur", 0, job_class.seconds) ||
      !fields.optional_number("chance_of_reservation", 0, 1, job_class.deadline_chance.mean)) {
    return false;
  }
  return !job_class.tasks.empty() ||
         fields.bad(BadRow::columns, "mtasks_avg", "tasks of a job", "none");
}

bool SynthReader::read_class(const JsonFields& fields, JobClass& job_class) const {
  std::string type = "mapreduce";
  if (!fields.optional_number("class_weight", 0, amount_max, job_class.weight) ||
      !fields.optional_text("user_name", job_class.user) || !fields.optional_text("type", type)) {
    return false;
  }
  if (type != "mapreduce" && type != "stream") {
    return fields.bad(BadRow::text, "type", "mapreduce or stream", shown(type));
  }
  job_class.kind = type == "stream" ? JobKind::service : JobKind::map_reduce;
  if (!fields.has("tasks")) return read_old_class(fields, job_class);
  if (!read_sample(fields, "reservation", job_class.deadline_chance) ||
      !read_sample(fields, "deadline_factor", job_class.deadline_factor) ||
      !read_sample(fields, "duration", job_class.seconds)) {
    return false;
  }
  return one_or_more(fields, "tasks", [&](const JsonFields& task) {
    return read_task(task, job_class.tasks.emplace_back());
  });
}

bool SynthReader::read_workload(const JsonFields& fields, Workload& workload) const {
  double weights = 0;
  const bool is_read = fields.optional_number("workload_weight", 0, amount_max, workload.weight) &&
                       fields.optional_text("queue_name", workload.queue) &&
                       one_or_more(fields, "job_classes",
                                   [&](const JsonFields& each) {
                                     return read_class(each, workload.classes.emplace_back());
                                   }) &&
                       one_or_more(fields, "time_distribution", [&](const JsonFields& each) {
                         auto& [time, weight] = workload.times.emplace_back();
                         const bool is_good = each.number("time", 0, 1e9, time) &&
                                              each.number("weight", 0, amount_max, weight);
                         weights += weight;
                         return is_good;
                       });
  if (!is_read) return false;
  return weights > 0 ||
         fields.bad(BadRow::out_of_range, "time_distribution", "a weight above 0", "none");
}

bool SynthReader::read(const JsonFields& fields, Description& description) const {
  description = Description();
  const bool is_read = fields.whole("num_jobs", 1, jobs_max_, description.jobs) &&
                       fields.optional_whole("rand_seed", 0, INT64_MAX, description.seed) &&
                       one_or_more(fields, "workloads", [&](const JsonFields& each) {
                         return read_workload(each, description.workloads.emplace_back());
                       });
  return is_read;
}

Random SynthReader::random_of(const Description& description, std::uint32_t part) {
  return Random::stream(static_cast<std::uint64_t>(description.seed),
                        "synth job " + std::to_string(part));
}

double SynthReader::draw_time(const Workload& workload, Random& random) {
  const std::size_t interval =
      draw_one(workload.times, random, [](const auto& each) { return each.second; });
  const double begin = workload.times[interval].first;
  const bool is_last = interval + 1 == workload.times.size();
  const double end = is_last ? begin : std::max(begin, workload.times[interval + 1].first);
  return begin + std::floor(random.unit() * (end - begin));
}

// A document alone stands for very many jobs, so it is not kept for each of them.
void SynthReader::collect_document(const JsonFields& fields) {
  Description description;
  if (!read(fields, description)) return;
  if (!description_.workloads.empty()) {
    fields.bad(BadRow::columns, "workloads", "one document in the file", "another one");
    return;
  }
  description_ = std::move(description);
  for (std::uint32_t part = 0; part < description_.jobs; ++part) {
    Random random = random_of(description_, part);
    const auto weight_of = [](const Workload& each) { return each.weight; };
    const Workload& workload =
        description_.workloads[draw_one(description_.workloads, random, weight_of)];
    const auto submit = static_cast<std::int64_t>(std::llround(draw_time(workload, random) * 1e6));
    see_row(submit);
    keep(submit, std::string_view(reinterpret_cast<const char*>(&part), sizeof(part)));
  }
}

void SynthReader::fill_stage(const TaskClass& task, Random& random, Job& job) {
  const auto amount_of = [&](const Sample& sample, double scale) {
    return std::max<std::int64_t>(1, std::llround(sample.draw(random) * scale));
  };
  const std::int64_t count = std::min(amount_of(task.count, 1), rules().common.tasks_max);
  Stage& stage = begin_stage(job);
  stage.kind =
      task.is_reduce && job.kind == JobKind::map_reduce ? StageKind::reduce : StageKind::map;
  stage.demand = Resources(amount_of(task.vcores, 1) * 1000, amount_of(task.memory_mib, 1));
  for (std::int64_t i = 0; i < count; ++i) {
    add_tasks(stage, 1,
              work_of_run(microseconds(amount_of(task.seconds, 1e6)), stage.demand, rules().task));
  }
}

Duration SynthReader::draw_deadline(const JobClass& job_class, std::uint32_t part) const {
  Random random = Random::stream(static_cast<std::uint64_t>(description_.seed),
                                 "synth deadline " + std::to_string(part));
  const double chance = job_class.deadline_chance.draw(random);
  if (chance <= 0 || random.unit() > chance) return Duration{};
  const double factor = job_class.deadline_factor.draw(random);
  const double after = factor * job_class.seconds.draw(random);
  return microseconds(std::llround(std::clamp(after, 0.0, amount_max) * 1e6));
}

bool SynthReader::make(std::string_view record, Job& job) {
  std::uint32_t part = 0;
  std::memcpy(&part, record.data(), sizeof(part));
  Random random = random_of(description_, part);
  const auto weight_of = [](const auto& each) { return each.weight; };
  const Workload& workload =
      description_.workloads[draw_one(description_.workloads, random, weight_of)];
  draw_time(workload, random);  // as when its time was drawn, so that what follows is its own
  const JobClass& job_class = workload.classes[draw_one(workload.classes, random, weight_of)];
  job.name = "job_" + std::to_string(part);
  job.kind = job_class.kind;
  job.user = names().users.intern(job_class.user);
  job.queue = names().queues.intern(workload.queue);
  job.deadline = draw_deadline(job_class, part);
  for (const bool is_reduce : {false, true}) {
    for (const TaskClass& task : job_class.tasks) {
      if (task.is_reduce == is_reduce) fill_stage(task, random, job);
    }
  }
  const auto maps = static_cast<std::size_t>(
      std::count_if(job_class.tasks.begin(), job_class.tasks.end(),
                    [](const TaskClass& task) { return !task.is_reduce; }));
  const std::size_t reduces = job_class.tasks.size() - maps;
  if (job.kind == JobKind::map_reduce && (maps > 1 || reduces > 1)) {
    become_dag(job, maps);
  }
  return true;
}

}  // namespace tracebed

// Workloads as SLS' SYNTH describes them: not jobs but distributions, from which a seed draws jobs.
// Both styles are read: tasks[] with {val, std}, and the older one with mtasks_avg, mtasks_stddev
// and so on.
//
// Facts are those of SynthTraceJobProducer and SynthUtils. A value {val} is itself; {val, std} is
// log-normal (or normal, with dist NORM) with that mean and deviation, where a deviation of 0 means
// a sixth of the mean; {discrete, weights} is one of a list. The older style has a deviation for
// every value, so 0 means a sixth there, too. A workload, then a class of it, is drawn by weight; a
// submit time by the weights of time_distribution: a time and the next one are the ends of an
// interval, within which whole seconds are drawn evenly; the last time is itself. The draws are
// Tracebed's own, so a seed gives the same distributions as in SLS, not the same jobs. A job
// has a deadline with the probability `reservation`: `deadline_factor` times its `duration` after
// its submission. Reservations themselves are not replayed.
#pragma once

#include <string>
#include <vector>

#include "core/random.h"
#include "traces/json/json_reader.h"

namespace tracebed {

class SynthReader final : public JsonReader {
 public:
  SynthReader(JsonDocuments documents, const TraceOptions& options, Names& names);

 private:
  struct Sample {
    enum class Shape : std::uint8_t { constant, log_normal, normal, discrete };
    Shape shape = Shape::constant;
    double mean = 0;  // of `discrete`, weighted
    double deviation = 0;
    std::vector<std::pair<double, double>> choices;  // (value, weight) of `discrete`
    // 0 is taken as a sixth of the mean.
    void set_deviation(double given) { deviation = given > 0 ? given : mean / 6; }
    double draw(Random& random) const;
  };
  struct TaskClass {
    bool is_reduce = false;
    Sample count, seconds, memory_mib, vcores;
  };
  struct JobClass {
    double weight = 1;
    std::string user = "default";
    JobKind kind = JobKind::map_reduce;
    Sample deadline_chance, deadline_factor, seconds;
    std::vector<TaskClass> tasks;
  };
  struct Workload {
    double weight = 1;
    std::string queue = "default";
    std::vector<JobClass> classes;
    std::vector<std::pair<double, double>> times;  // (s, weight)
  };
  struct Description {
    std::int64_t jobs = 0;
    std::int64_t seed = 0;
    std::vector<Workload> workloads;
  };

  void collect_document(const JsonFields& fields) override;
  bool make(std::string_view record, Job& job) override;
  void name_tallies(TraceTally& tally) override;

  bool read(const JsonFields& fields, Description& description) const;
  bool read_workload(const JsonFields& fields, Workload& workload) const;
  bool read_class(const JsonFields& fields, JobClass& job_class) const;
  bool read_old_class(const JsonFields& fields, JobClass& job_class) const;
  bool read_task(const JsonFields& fields, TaskClass& task) const;
  static bool read_sample(const JsonFields& fields, std::string_view key, Sample& sample);
  static bool read_spread(const JsonFields& values, Sample& sample);
  static bool read_choices(const JsonFields& values, Sample& sample);
  static Random random_of(const Description& description, std::uint32_t part);
  static double draw_time(const Workload& workload, Random& random);
  void fill_stage(const TaskClass& task, Random& random, Job& job);
  // By draws of their own, so that the rest of the job is the same with and without a deadline.
  Duration draw_deadline(const JobClass& job_class, std::uint32_t part) const;

  std::int64_t jobs_max_;
  Description description_;  // of the one document
};

}  // namespace tracebed

// What is said of amounts that [scale] rounds: each kind of amount, when it is rounded by more than
// a twentieth, and not when it is rounded by less.
#include "traces/scale_rounding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "traces/scale_model.h"

namespace tracebed {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Job job_of(std::uint32_t tasks, const Resources& demand) {
  Job job;
  job.name = "j7";
  Stage stage;
  stage.demand = demand;
  stage.runs = {{tasks, {}}};
  job.stages = {stage};
  return job;
}

std::vector<Machine> machines_of(std::size_t count, const Resources& capacity) {
  std::vector<Machine> machines;
  for (std::size_t i = 0; i < count; ++i) {
    machines.push_back({"m" + std::to_string(i), "/r", capacity, {}});
  }
  return machines;
}

class OneJob final : public WorkloadSource {
 public:
  explicit OneJob(Job job) : job_(std::move(job)) {}
  bool next(Job& job) override {
    if (is_given_) return false;
    is_given_ = true;
    job = job_;
    return true;
  }

 private:
  Job job_;
  bool is_given_ = false;
};

struct RoundingCase {
  const char* name;
  ScaleFactors factors;
  std::vector<Machine> machines;
  Job job;
  const char* sentence;  // null: none
};

// By the run's own way: what is said of its machines, then of its jobs.
std::vector<std::string> sentences_of(const RoundingCase& one) {
  ScaleRounding rounding;
  add_machines(one.machines, scale_machines(one.machines, one.factors), one.factors, rounding);
  OneJob source(one.job);
  ScaledWorkload workload(source, one.factors);
  JobShapes before;
  JobShapes after;
  workload.measure_into(before, after, rounding);
  Job job;
  while (workload.next(job)) {
  }
  return rounding.sentences();
}

TEST(ScaleRounding, IsSaidOfEachKindOfAmountByNameAndFigures) {
  const auto ten = machines_of(10, Resources(16'000, 65'536));
  const Job fine = job_of(100, Resources(1'000, 1'024));
  const ScaleFactors thousand_of_cpu{.cpu = 3'000};
  const ScaleFactors thousand_of_memory{.memory = 3'000};
  const RoundingCase cases[] = {
      {"nothing is rounded",
       {.cpu = 10, .memory = 16, .machines = 5, .tasks = 10},
       ten,
       fine,
       nullptr},
      {"machines",
       {.machines = 4},
       ten,
       fine,
       "[scale] rounds the number of machines by more than 5 %, 1 of 1: the cluster has 3 where "
       "the "
       "factors alone give 2.5"},
      {"vcores of machines", thousand_of_cpu, machines_of(2, Resources(4'000, 65'536)),
       job_of(1, Resources(3'000, 1'024)),
       "[scale] rounds vcores of machines, in thousandths by more than 5 %, 2 of 2: m0 has 1 where "
       "the factors alone give 1.33333; m1 has 1 where the factors alone give 1.33333"},
      {"memory of machines", thousand_of_memory, machines_of(1, Resources(4'000, 4'096)),
       job_of(1, Resources(1'000, 3'000)),
       "[scale] rounds memory of machines, in MiB by more than 5 %, 1 of 1: m0 has 1 where the "
       "factors alone give 1.36533"},
      {"tasks of a stage",
       {.tasks = 4},
       ten,
       job_of(5, Resources(1'000, 1'024)),
       "[scale] rounds the number of a stage's tasks by more than 5 %, 1 of 1: stage 0 of job j7 "
       "has 2 where the factors alone give 1.25"},
      {"vcores of tasks", thousand_of_cpu, machines_of(2, Resources(3'000'000, 65'536)),
       job_of(8, Resources(1'000, 1'024)),
       "[scale] rounds vcores that tasks ask for, in thousandths by more than 5 %, 8 of 8: stage 0 "
       "of job j7 has 1 where the factors alone give 0.333333"},
      {"memory of tasks", thousand_of_memory, machines_of(2, Resources(4'000, 3'000'000)),
       job_of(8, Resources(1'000, 1'024)),
       "[scale] rounds memory that tasks ask for, in MiB by more than 5 %, 8 of 8: stage 0 of job "
       "j7 has 1 where the factors alone give 0.341333"},
  };
  for (const RoundingCase& one : cases) {
    SCOPED_TRACE(one.name);
    if (one.sentence == nullptr) {
      EXPECT_THAT(sentences_of(one), IsEmpty());
    } else {
      EXPECT_THAT(sentences_of(one), ElementsAre(one.sentence));
    }
  }
}

TEST(ScaleRounding, NamesTheThreeThatDeviateMost) {
  ScaleRounding rounding;
  for (int i = 1; i <= 9; ++i) {
    rounding.add("parts", "p" + std::to_string(i), 1 + 0.1 * i, 1, 2);
  }
  EXPECT_THAT(rounding.sentences(),
              ElementsAre("[scale] rounds parts by more than 5 %, 18 of 18: p9 has 1 where the "
                          "factors alone give 1.9; p8 has 1 where the factors alone give 1.8; p7 "
                          "has 1 where the factors alone give 1.7"));
}

}  // namespace
}  // namespace tracebed

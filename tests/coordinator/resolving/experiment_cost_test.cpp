// What a submitted experiment costs before it runs: however a list in it grows, to read and to
// resolve it costs in proportion to its text, which a submission bounds at 1 MiB.
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "coordinator/config/load_experiment.h"
#include "coordinator/resolving/resolved_experiment.h"
#include "core/input_error.h"
#include "support/cpu_time.h"
#include "support/schedulers.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

struct GrowingExperiment {
  const char* name;
  std::string (*text)(int count);  // of the part that grows
};

// `form` with each number.
std::string repeated(int count, const char* form) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format(fmt::runtime(form), fmt::arg("i", i));
  return text;
}

constexpr const char* one_cluster = "[cluster]\nnodes = 2\nvcores = 2\nmemory = \"8 GiB\"\n";

const GrowingExperiment growing_experiments[] = {
    {"Schedulers",
     [](int count) {
       return repeated(count, "[[scheduler]]\nname = \"fifo\"\nlabel = \"s{i}\"\n") + one_cluster;
     }},
    {"ShortSchedulers",
     [](int count) {
       return "schedulers = [" + repeated(count, "\"s{i}\",") + "]\n" + one_cluster;
     }},
    {"Refreshes",
     [](int count) {
       return "[[scheduler]]\nname = \"fifo\"\n" +
              repeated(count, "[[refresh]]\nat = \"{i}s\"\nminimum_allocation_mib = 512\n") +
              one_cluster;
     }},
    {"Groups",
     [](int count) {
       return "[[scheduler]]\nname = \"fifo\"\n" +
              repeated(count,
                       "[[cluster.group]]\nnodes = 1\nvcores = 2\nmemory = \"8 GiB\"\n"
                       "labels = [\"l{i}\"]\n");
     }},
    {"Labels",
     [](int count) {
       return std::string("[[scheduler]]\nname = \"fifo\"\n") + one_cluster + "labels = [" +
              repeated(count, "\"l{i}\",") + "]\n";
     }},
    {"Changes",
     [](int count) {
       return "[[scheduler]]\nname = \"fifo\"\n" + std::string(one_cluster) +
              repeated(count,
                       "[[cluster.change]]\nnode = \"node1\"\nat = \"{i}0s\"\nstate = \"down\"\n"
                       "[[cluster.change]]\nnode = \"node1\"\nat = \"{i}5s\"\nstate = \"up\"\n");
     }},
    {"Drains",
     [](int count) {
       return "[[scheduler]]\nname = \"fifo\"\n" + std::string(one_cluster) +
              repeated(count,
                       "[[drain]]\nnode = \"node1\"\nat = \"{i}0s\"\ngrace = \"1s\"\n"
                       "until = \"{i}5s\"\n");
     }},
    {"Crashes",
     [](int count) {
       return "[[scheduler]]\nname = \"fifo\"\n" + std::string(one_cluster) +
              repeated(count, "[[crash]]\nnode = \"node1\"\nat = \"{i}0s\"\ndown = \"1s\"\n");
     }},
    {"UnknownKeys",
     [](int count) {
       return "[[scheduler]]\nname = \"fifo\"\n" + std::string(one_cluster) +
              repeated(count, "k{i} = 1\n");
     }},
    {"Settings",
     [](int count) {
       return "[[scheduler]]\nname = \"fifo\"\n" + repeated(count, "k{i} = 1\n") + one_cluster;
     }},
    {"Rules",
     [](int count) {
       return "[[scheduler]]\nname = \"fifo\"\n" + std::string(one_cluster) + "[trace.rules]\n" +
              repeated(count, "k{i} = 1\n");
     }},
    {"Nested",
     [](int count) {
       return "[[scheduler]]\nname = \"fifo\"\n" + std::string(one_cluster) +
              "extra = " + std::string(static_cast<std::size_t>(count), '[') +
              std::string(static_cast<std::size_t>(count), ']') + "\n";
     }},
};

class ExperimentCost : public testing::TestWithParam<GrowingExperiment> {
 protected:
  ExperimentCost() { folder_.write("jobs.tsv", "j\t0\t0\t1\t1\t1\n"); }

  std::string text_of(int count) const {
    // Dotted, so that it can stand before tables and keys of the top level alike.
    return "name = \"n\"\nworld = \"virtual\"\ntrace.file = \"jobs.tsv\"\n" +
           GetParam().text(count);
  }
  // The sentence with which it is refused; empty: it is not.
  std::string refusal_of(const std::filesystem::path& file) const {
    try {
      (void)resolve(test::schedulers(), load_experiment(file, std::nullopt));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
};
class ExperimentCostGrowth : public ExperimentCost {};

// As FileCostGrowth (tests/coordinator/config/file_cost_test.cpp).
TEST_P(ExperimentCostGrowth, IsInProportionToTheText) {
  constexpr int few = 2'000;
  constexpr int times = 8;
  double least_of_few = 1e9;
  double least_of_many = 1e9;
  const auto small = folder_.write("few.toml", text_of(few));
  const auto large = folder_.write("many.toml", text_of(few * times));
  const auto cost = [&](const std::filesystem::path& file) {
    const double begin = process_cpu_seconds();
    (void)refusal_of(file);
    return process_cpu_seconds() - begin;
  };
  for (int i = 0; i < 5; ++i) {
    least_of_few = std::min(least_of_few, cost(small));
    least_of_many = std::min(least_of_many, cost(large));
  }
  const double growth = static_cast<double>(std::filesystem::file_size(large)) /
                        static_cast<double>(std::filesystem::file_size(small));
  EXPECT_LT(least_of_many, least_of_few * growth * 3)
      << least_of_few * 1e3 << " ms and " << least_of_many * 1e3 << " ms";
}

std::string largest_submission(const std::function<std::string(int)>& text_of) {
  int count = 1;
  while (text_of(2 * count).size() < (std::size_t{1} << 20)) count *= 2;
  return text_of(count);
}

// Others' submissions wait for it.
TEST_P(ExperimentCostGrowth, OfALargestSubmissionIsASecondOfCpuTimeAtMost) {
  const auto file =
      folder_.write("mine.toml", largest_submission([&](int count) { return text_of(count); }));
  const double begin = process_cpu_seconds();
  (void)refusal_of(file);
  EXPECT_LT(process_cpu_seconds() - begin, 1);
}

// As much as a submission may hold is accepted, or refused at a place of the file.
TEST_P(ExperimentCost, EndsWithAWordAtTheLargestSubmission) {
  const std::string refusal = refusal_of(
      folder_.write("mine.toml", largest_submission([&](int count) { return text_of(count); })));
  if (!refusal.empty()) {
    EXPECT_THAT(refusal, testing::HasSubstr("mine.toml:"));
  }
}

// A refresh keeps what it does not name, so each has the scheduler's file as well.
TEST(ExperimentFiles, AreCountedAsOftenAsSchedulersAndRefreshesHaveThem) {
  TemporaryFolder folder;
  folder.write("jobs.tsv", "j\t0\t0\t1\t1\t1\n");
  folder.write("queues.xml",
               "<configuration><property><name>yarn.scheduler.capacity.root.queues</name>"
               "<value>a</value></property><property><name>yarn.scheduler.capacity.root.a.capacity"
               "</name><value>100</value></property></configuration>" +
                   std::string(1'000'000, ' '));
  const auto experiment = [&](int refreshes) {
    const auto file = folder.write(
        "mine.toml",
        "name = \"n\"\nworld = \"virtual\"\ntrace.file = \"jobs.tsv\"\n" +
            std::string(one_cluster) +
            "[[scheduler]]\nname = \"capacity\"\nconfig = \"queues.xml\"\n" +
            repeated(refreshes, "[[refresh]]\nat = \"{i}s\"\nmaximum_application_priority = 5\n"));
    return load_experiment(file, std::nullopt);
  };
  EXPECT_NO_THROW((void)resolve(test::schedulers(), experiment(30)));
  EXPECT_THAT([&] { (void)resolve(test::schedulers(), experiment(40)); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("at most 32 MiB in all")));
}

std::string name_of_growing(const testing::TestParamInfo<GrowingExperiment>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Lists, ExperimentCost, testing::ValuesIn(growing_experiments),
                         name_of_growing);
INSTANTIATE_TEST_SUITE_P(Lists, ExperimentCostGrowth, testing::ValuesIn(growing_experiments),
                         name_of_growing);

}  // namespace
}  // namespace tracebed

// Schedulers' figures as text and as JSON.
#include "report/figure_text.h"

#include <gtest/gtest.h>

#include "report/figure_json.h"

namespace tracebed {
namespace {

struct Written {
  FigureValue value;
  std::string text;
  std::string json;
};

TEST(Figures, AreTextForPeopleAndNumbersForPrograms) {
  const ResourceDimensions dimensions({std::string("gpu")});
  Resources with_gpu(1'500, 4'096);
  with_gpu[2] = 2;
  ResourceLimit limit{.most = Resources(0, 2'048)};
  limit.is_limited[Resources::memory_dimension] = true;
  ResourceLimit others = limit;
  others.otherwise = "the scheduler's";
  const std::vector<Written> all{
      {true, "true", "true"},
      {std::int64_t{12}, "12", "12"},
      {10.0, "10.0", "10"},
      {0.6666666, "0.666667", "0.6666666"},
      {Ratio{0.875}, "87.5%", "0.875"},
      {Duration(seconds(90)), "90 s", "90"},
      {Duration(milliseconds(1'500)), "1.5 s", "1.5"},
      {with_gpu, "memory: 4096, vCores: 1.5, gpu: 2", R"({"memory":4096,"vcores":1.5,"gpu":2})"},
      {Resources(), "memory: 0", R"({"memory":0,"vcores":0,"gpu":0})"},
      {limit, "memory: 2048, vCores: unlimited, gpu: unlimited",
       R"({"memory":2048,"vcores":null,"gpu":null})"},
      {others, "memory: 2048, vCores: the scheduler's, gpu: the scheduler's",
       R"({"memory":2048,"vcores":null,"gpu":null})"},
      {Unlimited(), "unlimited", "null"},
      {"RUNNING", "RUNNING", R"("RUNNING")"},
  };
  for (const Written& one : all) {
    EXPECT_EQ(figure_text(one.value, dimensions), one.text);
    EXPECT_EQ(figure_json(one.value, dimensions).dump(), one.json);
  }
}

TEST(Figures, AreFoundByTheirIds) {
  const std::vector<Figure> figures{{"a", "A", 1.0}, {"b", "", std::int64_t{2}}};
  ASSERT_NE(find_figure(figures, "b"), nullptr);
  EXPECT_EQ(find_figure(figures, "b")->value, FigureValue(std::int64_t{2}));
  EXPECT_EQ(find_figure(figures, "A"), nullptr);
  EXPECT_EQ(count_or_unlimited(3), FigureValue(std::int64_t{3}));
  EXPECT_EQ(count_or_unlimited(std::nullopt), FigureValue(Unlimited()));
}

}  // namespace
}  // namespace tracebed

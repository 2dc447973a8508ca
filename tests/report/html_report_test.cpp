#include "report/html_report.h"

#include <algorithm>
#include <cctype>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/input_error.h"
#include "report/page_labels.h"
#include "report/sample_runs.h"
#include "support/files.h"
#include "support/temporary_folder.h"

namespace tracebed {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class HtmlReport : public ::testing::Test {
 protected:
  void add_run(const std::string& label, const std::vector<SampleJob>& jobs) {
    SampleCluster cluster;
    cluster.label = label;
    const auto path = folder_.path() / std::to_string(runs_.size());
    write_sample_run(path, cluster, jobs);
    runs_.push_back(RunFolder::load(path));
  }
  std::string html() const { return to_html(compare(runs_, {}), runs_, folder_.path()); }
  // What the page's script will parse.
  static nlohmann::json data_of(const std::string& html) {
    const std::string opening = "<script type=\"application/json\" id=\"data\">";
    const std::size_t from = html.find(opening) + opening.size();
    return nlohmann::json::parse(html.substr(from, html.find("</script>", from) - from));
  }

  // The beginnings of what follows each `word`, without white space, = and quotes between the two.
  static std::vector<std::string_view> values_after(std::string_view page, std::string_view word) {
    std::vector<std::string_view> values;
    for (std::size_t at = page.find(word); at != page.npos; at = page.find(word, at + 1)) {
      const std::size_t value = page.find_first_not_of(" \t\n=\"'", at + word.size());
      if (value != page.npos) values.push_back(page.substr(value, 40));
    }
    return values;
  }

  TemporaryFolder folder_;
  std::vector<RunFolder> runs_;
};

TEST_F(HtmlReport, NeedsNothingFromElsewhere) {
  add_run("fifo", sample_jobs(50, 1));
  std::string page = html();
  // The chart library's licence notice stays in the page and names where the licence is kept.
  const std::size_t notice = page.find("/*! Bundled license information");
  ASSERT_NE(notice, std::string::npos);
  page.erase(notice, page.find("*/", notice) - notice);
  std::transform(page.begin(), page.end(), page.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* word : {"@import", "xmlhttprequest", "importscripts", "websocket", "sendbeacon",
                           " fetch(", "=fetch(", ";fetch(", "{fetch(", "(fetch("}) {
    EXPECT_THAT(page, Not(HasSubstr(word)));
  }
  for (const char* loader : {"src", "href", "action", "url("}) {
    for (const std::string_view value : values_after(page, loader)) {
      EXPECT_FALSE(value.starts_with("//") || value.starts_with("http")) << value;
    }
  }
  // The one host named is that of the XML name spaces, which nothing is loaded from.
  for (const char* scheme : {"http://", "https://"}) {
    for (const std::string_view host : values_after(page, scheme)) {
      EXPECT_TRUE(host.starts_with("www.w3.org/")) << host;
    }
  }
}

TEST_F(HtmlReport, CannotBeEscapedFromByAName) {
  std::vector<SampleJob> jobs = sample_jobs(20, 1);
  const std::string hostile = "</script><script>alert(1)</script><!--";
  for (SampleJob& job : jobs) job.user = hostile;
  add_run(hostile, jobs);
  runs_[0].description.experiment_name = hostile;
  const std::string page = html();
  EXPECT_THAT(page, Not(HasSubstr("alert(1)</script>")));
  EXPECT_EQ(data_of(page).at("experiment").at("name"), hostile);
  EXPECT_EQ(data_of(page).at("worlds").at(0).at("users").at("names").at(0), hostile);
}

TEST_F(HtmlReport, HoldsTheComparisonAndItsCurves) {
  add_run("fifo", sample_jobs(50, 1));
  add_run("other", sample_jobs(50, 1));
  const nlohmann::json data = data_of(html());
  EXPECT_EQ(data.at("comparison").at("worlds").at(0).at("schedulers").size(), 2u);
  const auto& curve = data.at("worlds").at(0).at("curves").at(1);
  EXPECT_EQ(curve.at("label"), "other");
  EXPECT_EQ(curve.at("jct").at("seconds").size(), 50u);
  EXPECT_EQ(curve.at("jct").at("shares").back(), 1);
  const auto& over_time = curve.at("over_time");
  EXPECT_EQ(over_time.at("start").size(), over_time.at("containers").size());
  EXPECT_EQ(over_time.at("start").size(), over_time.at("utilisation").at("memory").size());
}

TEST_F(HtmlReport, TellsWhoseAsksWereRoundedUp) {
  add_run("fifo", sample_jobs(5, 1));
  add_run("fcfs", sample_jobs(5, 1));
  runs_[0].end.counters = {{"rounds", 9}, {"asks_rounded_up", 7}};
  const nlohmann::json data = data_of(html());
  EXPECT_EQ(data.at("runs").at(0).at("asks_rounded_up"), 7);
  EXPECT_EQ(data.at("runs").at(1).at("asks_rounded_up"), 0);
}

TEST_F(HtmlReport, HoldsTheQueuePageWithWhatAQueueLacksLeftOpen) {
  add_run("fifo", sample_jobs(5, 1));
  EXPECT_TRUE(data_of(html()).at("worlds").at(0).at("curves").at(0).at("queue_page").is_null());
  QueuePage& page = runs_[0].end.queue_page;
  page = {trace_time(90'000'000), 0.75, 2, {{"root", false, 0.75, {}}, {"root.a", true, 0.5, {}}}};
  for (const std::string& name : test::page_labels()) {
    page.queues[1].figures.emplace_back(name, "of a");
  }
  page.queues[0].figures = {{"Queue State", "RUNNING"}, {"Num Containers", "7"}};
  const auto shown = data_of(html()).at("worlds").at(0).at("curves").at(0).at("queue_page");
  EXPECT_EQ(shown.at("at"), 90);
  EXPECT_EQ(shown.at("used_share"), 0.75);
  EXPECT_TRUE(shown.at("is_resource_managers"));
  EXPECT_EQ(shown.at("figures").get<std::vector<std::string>>(), test::page_labels());
  const auto& values = shown.at("queues").at(0).at("values");
  ASSERT_EQ(values.size(), queue_page_figures.size());
  EXPECT_EQ(values.at(0), "RUNNING");
  EXPECT_TRUE(values.at(1).is_null());
  EXPECT_EQ(values.at(7), "7");
  EXPECT_EQ(shown.at("queues").at(1).at("path"), "root.a");
  EXPECT_EQ(shown.at("queues").at(1).at("values").at(15), "of a");
}

TEST_F(HtmlReport, CountsAUsersJobsUnderTheSchedulerThatServedMost) {
  const std::vector<SampleJob> jobs(4, {TraceTime(), seconds(10), "ann"});
  add_run("fifo", jobs);
  add_run("other", jobs);
  runs_[0].jobs[0].outcome = JobOutcome::failed;
  EXPECT_EQ(data_of(html()).at("worlds").at(0).at("users").at("jobs").at(0), 4);
}

TEST_F(HtmlReport, ThinsTheCurvesOfManyJobs) {
  add_run("fifo", sample_jobs(5000, 1));
  const std::string page = html();
  const nlohmann::json data = data_of(page);
  const auto& curve = data.at("worlds").at(0).at("curves").at(0);
  EXPECT_EQ(curve.at("jct").at("seconds").size(), curve_points_max);
  EXPECT_NEAR(curve.at("jct").at("seconds").back().get<double>(), runs_[0].metrics().jct.max,
              runs_[0].metrics().jct.max * 1e-4);
  EXPECT_LE(curve.at("over_time").at("start").size(), 160u);
  EXPECT_LT(page.size(), 1'000'000u);
}

TEST_F(HtmlReport, IsWrittenAtOnce) {
  add_run("fifo", sample_jobs(5, 1));
  const Comparison comparison = compare(runs_, {});
  write_html_report(folder_.path() / "report.html", comparison, runs_);
  EXPECT_EQ(contents(folder_.path() / "report.html"), html());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "report.html.new"));
  EXPECT_THROW(write_html_report(folder_.path() / "absent/report.html", comparison, runs_),
               EnvironmentError);
}

}  // namespace
}  // namespace tracebed

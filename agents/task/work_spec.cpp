#include "agents/task/work_spec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>

namespace tracebed {
namespace {

struct Figure {
  std::string_view name;
  std::int64_t least;
  std::int64_t most;
};

constexpr std::array own_figures = {
    Figure{"threads", 1, work_threads_max},
    Figure{"held", 0, 1},
    Figure{"container", 0, std::numeric_limits<std::uint32_t>::max()},
};
constexpr std::size_t figure_count_of_spec = own_figures.size() + task_work_fields.size();
using Numbers = std::array<std::int64_t, figure_count_of_spec>;

constexpr std::array<Figure, figure_count_of_spec> figures = [] {
  std::array<Figure, figure_count_of_spec> all{};
  std::copy(own_figures.begin(), own_figures.end(), all.begin());
  std::transform(task_work_fields.begin(), task_work_fields.end(), all.begin() + own_figures.size(),
                 [](const TaskWorkField& field) {
                   return Figure{field.name, 0, field.most};
                 });
  return all;
}();
constexpr std::string_view kind = "profile";

struct Text {
  std::string_view name;
  std::string InputSource::*value;
};
constexpr std::array texts = {Text{"namenode", &InputSource::namenode},
                              Text{"address", &InputSource::address},
                              Text{"rack", &InputSource::rack}};

Numbers numbers_of(const WorkSpec& spec) {
  Numbers numbers = {spec.threads, spec.held, spec.container};
  const TaskWorkNumbers work = to_numbers(spec.work);
  std::copy(work.begin(), work.end(), numbers.begin() + own_figures.size());
  return numbers;
}

Error expected(const Figure& figure, std::string_view got) {
  return Error{"expected " + std::string(figure.name) + "=NUMBER from " +
               std::to_string(figure.least) + " to " + std::to_string(figure.most) + ", got '" +
               std::string(got) + "'"};
}

Status check(const Numbers& numbers) {
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (numbers[i] < figures[i].least || numbers[i] > figures[i].most) {
      return expected(figures[i], std::to_string(numbers[i]));
    }
  }
  return success();
}

}  // namespace

Status check(const WorkSpec& spec) {
  for (const Text& text : texts) {
    if ((spec.input.*text.value).size() > InputSource::text_bytes_max) {
      return Error{"expected " + std::string(text.name) + "=TEXT of at most " +
                   std::to_string(InputSource::text_bytes_max) + " bytes"};
    }
  }
  return check(numbers_of(spec));
}

std::vector<std::string> to_arguments(const WorkSpec& spec) {
  std::vector<std::string> words = {"tracebed-task", std::string(kind)};
  const Numbers numbers = numbers_of(spec);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    words.push_back(std::string(figures[i].name) + '=' + std::to_string(numbers[i]));
  }
  for (const Text& text : texts) {
    words.push_back(std::string(text.name) + '=' + spec.input.*text.value);
  }
  return words;
}

Result<WorkSpec> parse_arguments(std::span<char* const> words) {
  if (words.size() != 1 + figures.size() + texts.size()) {
    return Error{"expected the kind, " + std::to_string(figures.size()) + " figures and " +
                 std::to_string(texts.size()) + " texts, got " + std::to_string(words.size()) +
                 " words"};
  }
  if (words.front() != kind) {
    return Error{"expected the kind 'profile', got '" + std::string(words.front()) + "'"};
  }
  Numbers numbers{};
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const Figure& figure = figures[i];
    const std::string_view word = words[i + 1];
    if (!word.starts_with(figure.name) || word.substr(figure.name.size(), 1) != "=") {
      return expected(figure, word);
    }
    const char* const end = word.data() + word.size();
    const char* const begin = word.data() + figure.name.size() + 1;
    const auto result = std::from_chars(begin, end, numbers[i]);
    if (result.ec != std::errc{} || result.ptr != end) return expected(figure, word);
  }
  if (Status status = check(numbers); !status) return status.error();
  const auto work = to_task_work(std::span(numbers).subspan(own_figures.size()));
  if (!work) return work.error();
  WorkSpec spec{*work, numbers[0], numbers[1], numbers[2], {}};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string_view word = words[1 + figures.size() + i];
    const std::string_view name = texts[i].name;
    if (!word.starts_with(name) || word.substr(name.size(), 1) != "=") {
      return Error{"expected " + std::string(name) + "=TEXT, got '" + std::string(word) + "'"};
    }
    spec.input.*texts[i].value = word.substr(name.size() + 1);
  }
  return spec;
}

}  // namespace tracebed

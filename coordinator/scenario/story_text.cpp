#include "coordinator/scenario/story_text.h"

#include <fmt/format.h>

namespace tracebed {
namespace {

using Json = StoryFacts;

std::string plain(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// "a@n1 x2, b@n1": equal neighbours are counted.
std::string list_text(const Json& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size();) {
    std::size_t end = i + 1;
    while (end < list.size() && list[end] == list[i]) ++end;
    text += (text.empty() ? "" : ", ") + plain(list[i]);
    if (end - i > 1) text += fmt::format(" x{}", end - i);
    i = end;
  }
  return text.empty() ? "none" : text;
}

std::string amounts_text(const Json& amounts) {
  std::string text;
  for (const auto& [dimension, amount] : amounts.items()) {
    if (!text.empty()) text += ", ";
    text += dimension == "memory" ? fmt::format("{} MiB", amount.dump())
                                  : fmt::format("{} {}", amount.dump(), dimension);
  }
  return text;
}

// With two digits; names of predicates as they are.
std::string score_text(const Json& score) {
  return score.is_number_float() ? fmt::format("{:.2f}", score.get<double>()) : plain(score);
}

class TextBuilder {
 public:
  explicit TextBuilder(const Json& facts) : facts_(facts) {}

  std::string build(bool shows_all) {
    print_events();
    if (shows_all) print_choices();
    if (shows_all) print_state();
    print_wanted();
    print_waiting();
    return std::move(text_);
  }

 private:
  void line(std::string_view name, const std::string& words) {
    text_ += fmt::format("   {:<12} {}\n", name, words);
  }

  void print_events() {
    for (const char* name : {"accepted", "allocated", "ended", "killed", "closed"}) {
      if (facts_.contains(name) && !facts_.at(name).empty()) line(name, list_text(facts_.at(name)));
    }
    if (facts_.contains("rejected")) {
      for (const auto& [application, why] : facts_.at("rejected").items()) {
        line("rejected", application + ": " + plain(why));
      }
    }
    if (!facts_.at("refused").empty() && !plain(facts_.at("refused")).empty()) {
      line("refused", plain(facts_.at("refused")));
    }
  }

  void print_choices() {
    for (const auto& [choice, nodes] : facts_.at("choices").items()) {
      line("choice", choice);
      for (const auto& [node, scores] : nodes.items()) {
        std::string text;
        for (const auto& [name, value] : scores.items()) {
          text += (text.empty() ? "" : ", ") + name + " " + score_text(value);
        }
        text_ += fmt::format("      {:<12} {}\n", node, text);
      }
    }
  }

  void print_state() {
    for (const auto& [node, free] : facts_.at("free").items()) {
      line(node, fmt::format("free {}; runs {}", amounts_text(free),
                             list_text(facts_.at("running").at(node))));
    }
    for (const auto& [path, queue] : facts_.at("queues").items()) {
      line(path, fmt::format("uses {}; entitled to {}", amounts_text(queue.at("used")),
                             amounts_text(queue.at("entitled"))));
      for (const auto& [name, value] : queue.at("figures").items()) {
        text_ += fmt::format("      {:<42} {}\n", name, plain(value));
      }
      if (!facts_.at("active").contains(path)) continue;
      text_ += fmt::format("      active, in order: {}; not active: {}\n",
                           list_text(facts_.at("active").at(path)),
                           list_text(facts_.at("inactive").at(path)));
    }
    for (const auto& [name, used] : facts_.at("used").items()) {
      line(name, fmt::format("uses {}; headroom {}", amounts_text(used),
                             amounts_text(facts_.at("headroom").at(name))));
      if (!facts_.at("applications").contains(name)) continue;
      for (const auto& [figure, value] : facts_.at("applications").at(name).at("figures").items()) {
        text_ += fmt::format("      {:<42} {}\n", figure, plain(value));
      }
    }
    for (const auto& [label, ask] : facts_.at("asks").items()) {
      line(label, fmt::format("asks for {} more", facts_.at("pending").at(label).dump()));
      for (const auto& [figure, value] : ask.at("figures").items()) {
        text_ += fmt::format("      {:<42} {}\n", figure, plain(value));
      }
    }
    if (!facts_.at("reservations").empty()) line("reserved", list_text(facts_.at("reservations")));
  }

  void print_wanted() {
    if (!facts_.contains("wanted_back")) return;
    for (const auto& [fact, title] :
         {std::pair("wanted_back", "wanted back"), std::pair("next_wanted", "next wanted")}) {
      if (!facts_.at(fact).empty()) line(title, list_text(facts_.at(fact)));
    }
  }

  void print_waiting() {
    if (!facts_.contains("why")) return;
    for (const auto& [label, why] : facts_.at("why").items()) {
      if (plain(why).empty()) continue;
      line("waiting", fmt::format("{} ({}): {}", label, list_text(facts_.at("waiting").at(label)),
                                  plain(why)));
    }
  }

  const Json& facts_;
  std::string text_;
};

}  // namespace

std::string to_text(const PlayedStep& step, std::size_t number, bool shows_all) {
  std::string text = fmt::format("{}. {} (at {:.3f} s)\n", number, step.title, to_seconds(step.at));
  text += TextBuilder(step.facts).build(shows_all || step.shows_all);
  for (const std::string& remark : step.remarks) text += "   NOTE: " + remark + "\n";
  for (const std::string& fault : step.unmet) text += "   NOT AS EXPECTED: " + fault + "\n";
  return text;
}

}  // namespace tracebed

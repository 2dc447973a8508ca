// The contents of a log of rounds, as facts: one for each arrival, and for each command of the
// engine if the run is decided again. A fact is a flat JSON object with "round" (from 1), "at_us"
// and "what"; keys that end in _us are microseconds of trace time.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coordinator/engine/engine.h"
#include "core/fleet.h"
#include "core/names.h"

namespace tracebed {

struct LogFilter {
  TraceTime from{};
  TraceTime until = never;  // not included
  std::string job;          // its number or name; empty: all, and what belongs to none
  std::string node;         // its name; empty: all, and what belongs to none
};

class LogFacts {
 public:
  using Show = std::function<void(const nlohmann::ordered_json& fact)>;
  // `names` are the log's, and outlive this.
  LogFacts(const Names& names, LogFilter filter, Show show);

  // Of the next round. `engine`, as of before the round, knows the containers' jobs; null: they are
  // not known, and a filter by job finds submissions alone.
  void show_arrivals(const Round& round, const Engine* engine);
  // What the engine commanded in the round; `engine` is as of after it.
  void show_commands(std::span<const Command> commands, const Engine& engine);
  // What the scheduler made of each node when it placed units in the round: a fact for each node of
  // each choice. `dimensions` are the run's.
  void show_choices(const Engine& engine, const ResourceDimensions& dimensions);
  // Whether there was one in any round.
  bool has_found_choice() const { return has_found_choice_; }
  bool is_within(TraceTime now) const { return now >= filter_.from && !is_over(now); }
  // No later round is shown.
  bool is_over(TraceTime now) const { return now >= filter_.until; }
  std::uint64_t rounds() const { return round_; }
  // Whether the job or node of the filter was submitted or joined so far.
  bool has_found_job() const { return has_found_job_; }
  bool has_found_node() const { return has_found_node_; }

 private:
  // A fact about a job or node, or about none.
  struct About {
    std::optional<JobId> job;
    NodeId node;
  };
  nlohmann::ordered_json begin(const char* what) const;
  void show(const About& about, const nlohmann::ordered_json& fact) const;
  void show_arrival(const Round& round, const Arrival& arrival, const Engine* engine);
  void show_gang(const GangEnded& gang, const Engine* engine);
  void show_order(const AdministratorCommand& order, const Engine* engine);
  About of_container(nlohmann::ordered_json& fact, ContainerId id, const Engine* engine);
  std::string node_name(NodeId node) const;
  void learn(const Round& round);

  const Names& names_;
  LogFilter filter_;
  Show show_;
  std::uint64_t round_ = 0;
  TraceTime now_{};
  std::vector<std::string> nodes_;  // names, by id
  std::optional<JobId> job_;        // the filter's, once it is known
  bool has_found_job_ = false;
  bool has_found_node_ = false;
  bool has_found_choice_ = false;
};

// A fact as a line for people, without a newline: the round, the time in seconds, then the rest.
std::string to_line(const nlohmann::ordered_json& fact);

}  // namespace tracebed

// The tasks that wait, filed by what they demand and below each demand by the work of their jobs,
// and which of them is the best for a node, as Tetris scores them (tetris.h): so that none has to
// be looked at that others of its demand come before.
//
// Of a demand the score falls with the work, but for the remote penalty: the first task that is not
// remote is the best, unless a remote one with less work is. Where all of the first that name
// places are remote, those that name the node are looked at instead, of all demands: if k of J name
// it, after k others, as about each J / k-th is one of them, or at once if J / k is more. So a
// search takes a step for each demand and, where tasks name places, about min(k, J / k). Before
// those it finds, it passes one by one over tasks that may not be placed on the node at all.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/ids.h"
#include "core/resources.h"
#include "core/time.h"
#include "schedulers/multi_resource/dominant_share.h"
#include "schedulers/parts/demand_census.h"

namespace tracebed {

class FiledTasks {
 public:
  // An ask of a job; the one with the least work of a demand comes first.
  struct Task {
    WideAmount work = 0;
    TraceTime submitted{};
    ApplicationId job;
    AskId ask;
    auto operator<=>(const Task&) const = default;
  };
  struct Filed {
    Task task;
    Resources demand;
    bool is_before_barrier = false;
    bool names_places = false;
  };
  struct Weights {
    double work = 1;              // ε
    double remote_penalty = 0.1;  // 0 to 1
  };
  struct Scored {
    double score = 0;
    Task task;
  };

  // A node, and where tasks stand to it.
  class Place {
   public:
    Place() = default;
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    virtual ~Place() = default;

    virtual bool has_room(const Resources& demand) const = 0;
    virtual double alignment(const Resources& demand) const = 0;
    // Whether the node is without the task's input; none if the task may not be placed there.
    virtual std::optional<bool> is_remote(const Task& task) const = 0;
    // At most so many tasks name the node.
    virtual std::size_t named() const = 0;
    // Calls visit(filed) for those of them that are in these files, which are at least all that
    // name places and are not remote.
    virtual void visit_named(const std::function<void(const Filed&)>& visit) const = 0;
  };

  void add(const Filed& filed);
  void remove(const Filed& filed);

  // The best for the place; none if nothing has room. Tasks before a barrier come before others.
  // Of equal scores the smaller task is the better one.
  std::optional<Scored> best(const Place& place, const Weights& weights) const;

 private:
  struct DemandClass {
    std::array<std::set<Task>, 2> tasks;  // that name no places, and that do
    WideAmount work = 0;                  // of all of them

    std::size_t size() const { return tasks.front().size() + tasks.back().size(); }
  };
  using Classes = std::map<Resources, DemandClass, DemandOrder>;
  struct Fitting {
    const DemandClass* of_demand = nullptr;
    double alignment = 0;
    bool is_before_barrier = false;
  };
  // For the tasks before a barrier, or for the others.
  struct Search {
    const Place& place;
    bool is_before_barrier = false;
    double work_factor = 0;
    double remote_factor = 1;
    bool has_seen_named = false;
    std::optional<Scored> best;

    double of_work(const Task& task) const { return work_factor * static_cast<double>(task.work); }
    bool is_beaten(const Scored& one) const;
    void take(double alignment, bool is_remote, const Task& task);
  };

  Classes& classes_of(const Filed& filed) { return classes_[filed.is_before_barrier ? 0 : 1]; }
  static void look_through(const std::set<Task>& tasks, double alignment, Search& search);
  static void look_at_named(Search& search);

  std::array<Classes, 2> classes_;  // before a barrier, and others
};

}  // namespace tracebed

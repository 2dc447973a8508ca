#include "schedulers/multi_resource/filed_tasks.h"

namespace tracebed {

void FiledTasks::add(const Filed& filed) {
  DemandClass& of_demand = classes_of(filed)[filed.demand];
  if (of_demand.tasks.at(filed.names_places ? 1 : 0).insert(filed.task).second) {
    of_demand.work += filed.task.work;
  }
}

void FiledTasks::remove(const Filed& filed) {
  Classes& classes = classes_of(filed);
  const auto found = classes.find(filed.demand);
  if (found == classes.end()) return;
  DemandClass& of_demand = found->second;
  if (of_demand.tasks.at(filed.names_places ? 1 : 0).erase(filed.task) == 0) return;
  of_demand.work -= filed.task.work;
  if (of_demand.size() == 0) classes.erase(found);
}

bool FiledTasks::Search::is_beaten(const Scored& one) const {
  return best && (one.score < best->score || (one.score == best->score && best->task < one.task));
}

void FiledTasks::Search::take(double alignment, bool is_remote, const Task& task) {
  const double aligned = alignment * (is_remote ? remote_factor : 1);
  const Scored scored{aligned - of_work(task), task};
  if (!is_beaten(scored)) best = scored;
}

std::optional<FiledTasks::Scored> FiledTasks::best(const Place& place,
                                                   const Weights& weights) const {
  std::vector<Fitting> fitting;
  double alignments = 0;
  double works = 0;
  for (const Classes& classes : classes_) {
    for (const auto& [demand, of_demand] : classes) {
      if (!place.has_room(demand)) continue;
      fitting.push_back({&of_demand, place.alignment(demand), &classes == &classes_.front()});
      alignments += fitting.back().alignment * static_cast<double>(of_demand.size());
      works += static_cast<double>(of_demand.work);
    }
  }
  // The number of tasks is in both averages.
  const double work_factor = works > 0 ? weights.work * alignments / works : 0;
  for (const bool is_before_barrier : {true, false}) {
    Search search{.place = place,
                  .is_before_barrier = is_before_barrier,
                  .work_factor = work_factor,
                  .remote_factor = 1 - weights.remote_penalty};
    for (const Fitting& one : fitting) {
      if (one.is_before_barrier != is_before_barrier) continue;
      for (const std::set<Task>& tasks : one.of_demand->tasks) {
        look_through(tasks, one.alignment, search);
      }
    }
    if (search.best) return search.best;
  }
  return std::nullopt;
}

void FiledTasks::look_through(const std::set<Task>& tasks, double alignment, Search& search) {
  const std::size_t named = search.place.named();
  const std::size_t remote_max = named * named < tasks.size() ? 1 : named;
  std::size_t remote = 0;
  for (const Task& task : tasks) {
    // None of the others has less work, and of equal ones the first is found.
    if (search.is_beaten({alignment - search.of_work(task), task})) return;
    const std::optional<bool> is_remote = search.place.is_remote(task);
    if (!is_remote) continue;
    search.take(alignment, *is_remote, task);
    if (!*is_remote || search.has_seen_named) return;
    if (++remote < remote_max) continue;
    return look_at_named(search);
  }
}

void FiledTasks::look_at_named(Search& search) {
  search.has_seen_named = true;
  search.place.visit_named([&](const Filed& filed) {
    if (filed.is_before_barrier != search.is_before_barrier) return;
    if (!search.place.has_room(filed.demand)) return;
    const std::optional<bool> is_remote = search.place.is_remote(filed.task);
    if (!is_remote) return;
    search.take(search.place.alignment(filed.demand), *is_remote, filed.task);
  });
}

}  // namespace tracebed

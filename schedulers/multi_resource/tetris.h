// Tetris: R. Grandl, G. Ananthanarayanan, S. Kandula, S. Rao, A. Akella, Multi-Resource Packing for
// Cluster Schedulers, SIGCOMM 2014. When a node beats, the task with the best score of those that
// have room on it gets it, again and again until none has.
//
// - Alignment (section 3.2): the dot product of what the task demands and of what is free on the
//   node, each as parts of the node's capacity. It is less by the remote penalty if the node does
//   not have the task's input.
// - Shortest remaining work (3.3): a job's work p is the sum over its tasks that have not ended of
//   what they demand, as parts of all there is, times their duration. The score is a − m p, where m
//   is ε ā / p̄: the averages of alignment and work over the tasks that could be placed. Of equal
//   scores, the one with less work comes first, then the older job.
// - Fairness (3.4): only tasks of the first ⌈(1 − f) J⌉ of J jobs are looked at, ordered by how far
//   a job is below its fair share: here by the dominant share, the least first.
// - Barriers (3.5): tasks of a stage of which the part b has ended come before all others, as those
//   of the next stage wait for them.
//
// Deviations, each on purpose:
// - [tetris-estimates] The paper estimates demands and durations from earlier runs of a job, and
//   measures what tasks really use. Here demands are what is asked for and enforced; the duration
//   of a job's maps or reduces is the mean of those that have ended, before any has that of all
//   jobs (when one of its tasks ended or it asked for some), and before any at all a second.
// - [tetris-dimensions] The paper's demands are of CPU, memory, disk and network, the two latter
//   where the input is, too. Here they are the resources that a run has; where the input is counts
//   by the penalty alone.
// - [tetris-none-of-the-first] Where none of the first jobs has a task that fits, the others are
//   looked at, likewise: a job that fits nowhere would keep all others waiting for ever.
// - [tetris-barriers] A scheduler knows of one barrier: that of a job whose reduces run or wait.
//   Later stages of other jobs are asked for when earlier ones have ended.
//
// Tasks are filed by their demands and the work of their jobs (filed_tasks.h), so a task costs a
// step for each demand that somebody waits with (classes of equal demand) and the logarithm of the
// jobs.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schedulers/multi_resource/asks_by_node.h"
#include "schedulers/multi_resource/dominant_share.h"
#include "schedulers/multi_resource/filed_tasks.h"
#include "schedulers/multi_resource/least_share_first.h"
#include "schedulers/multi_resource/task_durations.h"

namespace tracebed {

struct TetrisSettings {
  double work_weight = 1;             // ε
  std::int64_t fairness_milli = 250;  // f
  std::int64_t barrier_milli = 900;   // b; 1,000: no stage is preferred
  double remote_penalty = 0.1;
};

const std::vector<SettingDescription>& tetris_setting_descriptions();
Result<TetrisSettings> read_tetris_settings(const SchedulerParameters& parameters);

class TetrisScheduler final : public LeastShareFirst {
 public:
  TetrisScheduler(const TetrisSettings& settings, ResourceDimensions dimensions);

  SchedulerView view(const ClusterModel& cluster) const override;

 private:
  struct JobKey {
    DominantShare share;
    TraceTime submitted{};
    ApplicationId id;
    std::strong_ordering operator<=>(const JobKey& other) const;
    bool operator==(const JobKey& other) const { return (*this <=> other) == 0; }
  };
  struct Job {
    Resources used;
    JobKey key;
    WideAmount work = 0;
    bool wants = false;
    bool is_first = false;  // among the first (1 − f) J
    std::vector<FiledTasks::Filed> filed;
    std::set<AskId> asks;             // all that it ever had
    PerKind<Resources> demand;        // of the last ask of a kind
    PerKind<std::int64_t> size;       // of that demand
    PerKind<std::int64_t> durations;  // estimated, in microseconds
  };
  struct Asked {
    Job* job = nullptr;
    SlotKind kind = SlotKind::map;
  };
  class AtNode;  // a place of FiledTasks

  void job_added(const SlotJob& job) override;
  void job_removed(ApplicationId id) override;
  void job_changed(const SlotJob& job, const Resources& used) override;
  const Resources* used_by(ApplicationId id) const override;
  void see(const SchedulerInput& input) override;
  void proposed(AskId ask, NodeId node) override { durations_.started(ask, node, now()); }
  void count_all(const ClusterModel& cluster, bool has_changed) override;
  void visit_in_order(const JobVisitor& visit) const override;
  bool give_task(NodeId node, SlotOffer& offer) override;
  std::string shares_in_words(ApplicationId id) const override;

  // Only at events: a call without news must not make a difference.
  void estimate_durations(ApplicationId id);
  void count(const SlotJob& job, Job& counted);
  bool is_before_barrier(const SlotJob& job, const SlotAsk& ask) const;
  std::int64_t size_of(const Resources& demand) const;
  WideAmount work_of(const SlotJob& job, const Job& counted) const;
  void file(const Job& job);
  void unfile(const Job& job);
  // To be followed by divide().
  void put_in_order(Job& job);
  void take_out_of_order(Job& job);
  void move(bool is_to_first);
  void divide();

  TetrisSettings settings_;
  ResourceDimensions dimensions_;
  const ClusterModel* cluster_ = nullptr;  // of this call
  std::vector<Resources> capacities_;      // by node
  Resources total_;
  std::map<ApplicationId, Job> known_;
  std::set<JobKey> first_;
  std::set<JobKey> others_;
  std::array<FiledTasks, 2> files_;  // of the others, of the first
  // All of known jobs, apart from masters'; looked up, never iterated.
  std::unordered_map<AskId, Asked> asks_;
  AsksByNode asks_by_node_;  // for maps, reduces and masters alike
  TaskDurations durations_;
};

}  // namespace tracebed

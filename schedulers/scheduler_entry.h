// The description with which a scheduler is registered: how it is made, and everything in which it
// differs from others for code that reads its files, explains them or shows its queues. Nothing
// else depends on schedulers' names. What an entry does not state, its scheduler does not have.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/configuration_update.h"
#include "core/result.h"
#include "core/scheduler.h"
#include "core/scheduler_parameters.h"
#include "core/scheduler_view.h"
#include "core/settings.h"
#include "core/xml_element.h"
#include "schedulers/known_properties.h"
#include "schedulers/tuned_parameter.h"
#include "schedulers/yarn_site_key.h"

namespace tracebed {

// Which of the ResourceManager's objects (org.apache.hadoop.yarn.server.resourcemanager.webapp.dao)
// shows its queues at /ws/v1/cluster/scheduler.
enum class SchedulerInfoForm : std::uint8_t {
  own,       // none of YARN's: its queues in a list, each with all its figures
  capacity,  // CapacitySchedulerInfo
  fair,      // FairSchedulerInfo
  fifo,      // FifoSchedulerInfo
};

// A file that one of a scheduler's settings names, and what else determines how it is read.
struct SchedulerFile {
  std::string_view setting;
  const XmlElement& root;
  const SettingValues& settings;  // those that are given
  const ResourceDimensions& dimensions;
};

// Of equal machines.
struct ExplainedMachines {
  Resources capacity;  // of one
  std::int64_t count = 1;
};

inline Resources total_of(std::span<const ExplainedMachines> machines) {
  Resources total;
  for (const ExplainedMachines& equal : machines) total += equal.capacity * equal.count;
  return total;
}

struct ExplainedFile {
  std::vector<ExplainedQueue> queues;
  // What the scheduler does not obey, a sentence each that begins with "FILE:LINE: WHAT".
  std::vector<std::string> unread;
};

struct FileExplainer {
  // The scheduler's settings that change what the file means; others are refused.
  std::vector<std::string_view> settings;
  // Whether the file's contents show that it is this scheduler's.
  std::function<bool(const XmlElement& root)> is_own_file;
  // Of a queue's figures, those that are amounts of the cluster, by their ids.
  std::vector<std::string_view> amounts;
  // Likewise the one that says what the machines cannot give as the file has it; empty: none does.
  std::string_view warnings = {};
  // The error is a sentence that names setting or file and line, what was expected and what was
  // found.
  std::function<Result<ExplainedFile>(const SchedulerFile&, std::span<const ExplainedMachines>)>
      explain;
};

// By what the machines were divided, while the files stay unchanged.
struct ClusterScale {
  double memory = 1;
  double cpu = 1;
};

// A file that a property of another file names.
struct ContainedFile {
  std::string path;      // the property with its path
  std::string contents;  // the property that a copy of the naming file has for its contents
};

// What decides which of a scheduler's differences from what it imitates matter to a run.
struct DifferingRun {
  const SchedulerParameters& parameters;  // settings with their defaults
  bool has_gangs = false;                 // a job has units that must start at once
};

// A difference on purpose, by its name in docs/differences.md.
struct Difference {
  std::string_view name;
  // Whether it can show in the run; null: in any.
  std::function<bool(const DifferingRun&)> is_touched = {};
};

// A file whose properties may be changed while the scheduler runs (YARN: MutableConfScheduler).
struct MutableFile {
  std::string_view setting;  // that names it
  // Fails with a sentence that names what cannot be changed.
  std::function<Result<XmlElement>(const SchedulerFile& file, const ConfigurationUpdate& update)>
      updated;
};

struct SchedulerEntry {
  // All texts outlive the entry.
  std::string_view name;     // in lower case, as experiments name it
  std::string_view summary;  // one sentence for `tracebed schedulers`
  std::string_view source;   // the text or program whose rules it follows
  std::vector<SettingDescription> settings;
  // Fails with a sentence that names the setting, what was expected and what was found.
  std::function<Result<std::unique_ptr<Scheduler>>(const SchedulerEntry&,
                                                   const SchedulerParameters&)>
      make;

  std::string_view imitated = {};  // the system, in a word or two
  // From that system; a test compares it with those that its headers state.
  std::vector<Difference> differences = {};
  // What it draws from the seed, in words ("random placement"); empty: nothing.
  std::string_view draws = {};
  SchedulerInfoForm info_form = SchedulerInfoForm::own;
  YarnSiteKeys yarn_site = {};

  // ---- its files; null if there is nothing to report ----
  // The root of those that its settings name; "configuration" has properties.
  std::string_view file_root = "configuration";
  std::optional<FileExplainer> explainer = {};
  // Settings that a file states, for those that are not given. Fails with a sentence.
  std::function<Result<std::vector<FileSetting>>(const SchedulerFile&)> settings_of_file = {};
  // What in a file is not obeyed: a sentence each that begins with "FILE:LINE: WHAT"; nothing for a
  // file that cannot be read.
  std::function<std::vector<std::string>(const SchedulerFile&)> unread = {};
  // The files that a file names, apart from those whose contents it has already.
  std::function<std::vector<ContainedFile>(const XmlElement& root)> contained_files = {};
  // What is known of its files' properties.
  std::span<const KnownProperty> properties = {};
  // Amounts that fit only the cluster that the file was written for: "FILE:LINE: WHAT" of each.
  std::function<std::vector<std::string>(const XmlElement& root)> absolute_amounts = {};
  // What results differently on a cluster divided like this, in a sentence; empty: nothing.
  std::function<std::string(const SchedulerParameters&, const ClusterScale&)> changed_by_scale = {};
  // The part of a leaf queue that application masters may take, which controllers change.
  std::optional<TunedParameter> master_share = {};
  std::optional<MutableFile> mutable_file = {};
};

}  // namespace tracebed

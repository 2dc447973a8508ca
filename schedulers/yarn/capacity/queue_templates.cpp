#include "schedulers/yarn/capacity/queue_templates.h"

#include <algorithm>
#include <array>
#include <set>

#include "schedulers/yarn/capacity/capacity_checks.h"
#include "schedulers/yarn/capacity/capacity_prefix.h"
#include "schedulers/yarn/configuration/property_reader.h"
#include "schedulers/yarn/configuration/property_tables.h"

namespace tracebed {
namespace {

constexpr std::string_view creation_key = ".auto-queue-creation-v2.";
constexpr std::string_view of_both = "template.";
constexpr std::string_view of_leaves = "leaf-template.";
constexpr std::string_view of_parents = "parent-template.";
constexpr std::array template_forms{of_both, of_leaves, of_parents};
constexpr std::string_view any_name = "*";

// The path of a template, and what it is for.
struct TemplateName {
  std::string path;
  std::string_view form;
};

std::optional<TemplateName> parse_template(std::string_view name) {
  if (!name.starts_with(capacity_prefix)) return std::nullopt;
  const std::size_t at = name.find(creation_key);
  if (at == std::string_view::npos || at < capacity_prefix.size()) return std::nullopt;
  const std::string_view rest = name.substr(at + creation_key.size());
  for (const std::string_view form : template_forms) {
    if (!rest.starts_with(form) || rest.size() == form.size()) continue;
    return TemplateName{
        std::string(name.substr(capacity_prefix.size(), at - capacity_prefix.size())), form};
  }
  return std::nullopt;
}

}  // namespace

bool is_of_template(std::string_view name) {
  return parse_template(name).has_value();
}

NamesOfCreatedQueues::NamesOfCreatedQueues(const CapacityConfiguration& configuration) {
  for (const CapacityQueue& queue : configuration.queues) {
    paths_.insert(queue.path);
    if (queue.creates_queues) creating_.insert(queue.path);
  }
}

bool NamesOfCreatedQueues::contain(std::string_view property) const {
  if (creating_.empty() || !property.starts_with(capacity_prefix)) return false;
  const std::string_view name = property.substr(capacity_prefix.size());
  // The parts up to here, and up to the next dot.
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos;) {
    const std::size_t next = name.find('.', dot + 1);
    if (next == std::string_view::npos) return false;
    if (creating_.contains(name.substr(0, dot)) && !paths_.contains(name.substr(0, next))) {
      return true;
    }
    dot = next;
  }
  return false;
}

std::string in_managed_template(const std::string& name,
                                const CapacityConfiguration& configuration) {
  const std::size_t at = name.find(managed_template_key);
  if (at == std::string::npos || at < capacity_prefix.size()) return name;
  const std::string path = name.substr(capacity_prefix.size(), at - capacity_prefix.size());
  if (!configuration.managed_templates.contains(path)) return name;
  return name.substr(0, at) + name.substr(at + std::string_view(managed_template_key).size());
}

// ---- what a queue is made of ----

QueueTemplates::QueueTemplates(const HadoopProperties& file) {
  const std::string of_root = capacity_property("root", "");
  for (const auto& [name, property] : file.beginning_with(capacity_prefix)) {
    HadoopProperties& part = name.starts_with(of_root) ? of_queues_ : of_all_;
    part.set(name, *file.find(name), property.where);
  }
}

std::size_t QueueTemplates::wildcards_of(const std::string& parent) const {
  HadoopProperties stated;
  const std::string of_all = capacity_property("auto-queue-creation-v2.maximum-queue-depth");
  const std::string own = capacity_property(parent, "auto-queue-creation-v2.maximum-queue-depth");
  for (const std::string& name : {of_all, own}) {
    const std::optional<std::string> value =
        of_all_.find(name) ? of_all_.find(name) : of_queues_.find(name);
    if (value) stated.set(name, *value, "");
  }
  PropertyReader reader(stated);
  const std::int64_t depth = reader.integer(own, reader.integer(of_all, 2));
  const std::size_t parts = path_parts(parent).size();
  return std::min(static_cast<std::size_t>(std::max<std::int64_t>(depth, 0)), parts - 1);
}

void QueueTemplates::collect(const std::string& path, std::string_view form, Stated& stated) const {
  const std::string begin = capacity_property(path) + std::string(creation_key) + std::string(form);
  for (const auto& [name, property] : of_queues_.beginning_with(begin)) {
    // What was collected earlier counts.
    stated.try_emplace(name.substr(begin.size()), name);
  }
}

QueueTemplates::Properties QueueTemplates::properties_of(const std::string& path,
                                                         bool is_leaf) const {
  Properties made;
  made.properties = of_all_;
  std::vector<std::string> parts = path_parts(path.substr(0, path.rfind('.')));
  Stated of_kind;
  Stated of_any;
  const std::size_t wildcards = wildcards_of(joined_path(parts));
  for (std::size_t i = 0; i <= wildcards; ++i) {
    if (i > 0) parts[parts.size() - i] = any_name;
    collect(joined_path(parts), is_leaf ? of_leaves : of_parents, of_kind);
    collect(joined_path(parts), of_both, of_any);
  }
  of_kind.merge(of_any);
  const std::string begin = capacity_property(path, "");
  for (const auto& [name, property] : of_queues_.beginning_with(begin)) {
    made.properties.set(name, property.value, property.where);
    of_kind.erase(name.substr(begin.size()));
  }
  if (is_leaf) {
    // LeafQueue.parseAndSetDynamicTemplates: instead of the queue's own ones.
    made.properties.override_with(begin + "user-limit-factor", "-1", "", "");
    made.properties.override_with(begin + "maximum-am-resource-percent", "1", "", "");
  }
  for (const auto& [key, name] : of_kind) {
    made.properties.set(begin + key, *of_queues_.find(name), of_queues_.place(name));
    made.of_templates.emplace(begin + key, name);
  }
  return made;
}

// ---- looking at a file's templates ----

namespace {

class TemplateReview {
 public:
  TemplateReview(const FileReading& file, const CapacityConfiguration& configuration)
      : file_(file), names_(configuration), templates_(file.properties) {
    for (const CapacityQueue& queue : configuration.queues) {
      if (queue.creates_queues) creators_.push_back({path_parts(queue.path), &queue});
    }
  }

  Status run(PropertyReview& review) {
    std::map<std::string, bool> paths;  // whether queues are created there
    for (const auto& [name, property] : file_.properties.beginning_with(capacity_prefix)) {
      const std::optional<TemplateName> parsed = parse_template(name);
      if (!parsed) {
        note_own_limits(name, review);
        if (!property.value.empty()) note_removal(name, review);
        continue;
      }
      const auto [path, is_new] = paths.try_emplace(parsed->path, false);
      if (is_new) {
        const Result<bool> is_used = read(parsed->path);
        if (!is_used) return is_used.error();
        path->second = *is_used;
      }
      if (!path->second && !property.value.empty()) {
        review.remarks.push_back(file_.properties.place(name) +
                                 ": is ignored: no queues are created there");
      } else if (path->second) {
        add(name, review);
      }
    }
    return success();
  }

 private:
  // The queue of the file below which those are created that the template is for, which may be
  // itself; null if there is none.
  const CapacityQueue* creator_of(const std::vector<std::string>& parts) const;
  // Reads what the templates of the path make. Whether queues are created there.
  Result<bool> read(const std::string& path);
  Status read(const CapacityQueue& creator, const std::string& path, bool is_leaf);
  void note_own_limits(const std::string& name, PropertyReview& review) const;
  void note_removal(const std::string& name, PropertyReview& review) const;
  void add(const std::string& name, PropertyReview& review) const;

  struct Creator {
    std::vector<std::string> parts;  // of the path
    const CapacityQueue* queue = nullptr;
  };

  const FileReading& file_;
  const NamesOfCreatedQueues names_;
  const QueueTemplates templates_;
  std::vector<Creator> creators_;
  std::set<std::string> read_;                 // templates that the reader of some queue took
  std::map<std::string, std::string> unread_;  // the others, with the name that a queue had
};

const CapacityQueue* TemplateReview::creator_of(const std::vector<std::string>& parts) const {
  const Creator* found = nullptr;
  for (const Creator& each : creators_) {
    if (each.parts.size() > parts.size()) continue;
    const bool is_above = std::equal(each.parts.begin(), each.parts.end(), parts.begin(),
                                     [](const std::string& own, const std::string& part) {
                                       return own == part || (part == any_name && own != "root");
                                     });
    // The deepest one: it is the first above what is created that is not created itself.
    if (is_above && (found == nullptr || each.parts.size() > found->parts.size())) found = &each;
  }
  return found == nullptr ? nullptr : found->queue;
}

Result<bool> TemplateReview::read(const std::string& path) {
  const std::vector<std::string> parts = path_parts(path);
  const CapacityQueue* creator = creator_of(parts);
  if (creator == nullptr) return false;
  const auto below = static_cast<std::int64_t>(parts.size() - path_parts(creator->path).size());
  if (below + 1 > creator->created_levels_max) return false;
  if (const Status leaf = read(*creator, path, true); !leaf) return leaf.error();
  // A parent that is created has a leaf below it.
  if (below + 2 > creator->created_levels_max) return true;
  if (const Status parent = read(*creator, path, false); !parent) return parent.error();
  return true;
}

Status TemplateReview::read(const CapacityQueue& creator, const std::string& path, bool is_leaf) {
  CapacityQueue parent = creator;
  parent.path = path;
  const QueueTemplates::Properties made =
      templates_.properties_of(path + "." + std::string(any_name), is_leaf);
  const Result<LoadedQueue> queue =
      read_created_queue(made.properties, file_.dimensions, file_.generation, parent,
                         {std::string(any_name), is_leaf});
  if (!queue) return queue.error();
  const Status checked = check_created_queue(queue->queue, parent, made.properties);
  if (!checked) return checked;
  const std::set<std::string> unread(queue->unread.begin(), queue->unread.end());
  for (const auto& [name, of_template] : made.of_templates) {
    if (unread.contains(name)) {
      unread_[of_template] = name;
    } else {
      read_.insert(of_template);
    }
  }
  return success();
}

void TemplateReview::add(const std::string& name, PropertyReview& review) const {
  const auto unread = unread_.find(name);
  if (unread == unread_.end() || read_.contains(name)) return;
  review.add(known_property(known_capacity_properties(), unread->second),
             {name, file_.properties.place(name), file_.properties.find(name).value_or("")});
}

// LeafQueue.parseAndSetDynamicTemplates replaces them.
void TemplateReview::note_own_limits(const std::string& name, PropertyReview& review) const {
  for (const std::string_view key : {".user-limit-factor", ".maximum-am-resource-percent"}) {
    if (!name.ends_with(key) || name.find(".accessible-node-labels.") != std::string::npos)
      continue;
    if (!names_.contain(name)) continue;
    review.remarks.push_back(file_.properties.place(name) +
                             ": is ignored if the queue is created: only templates state it");
  }
}

// AbstractCSQueue.isEligibleForAutoDeletion asks for it by the path of the queue that is removed.
void TemplateReview::note_removal(const std::string& name, PropertyReview& review) const {
  constexpr std::string_view key = ".auto-queue-creation-v2.queue-auto-removal.enable";
  if (!name.ends_with(key)) return;
  const std::string_view path(name.data() + capacity_prefix.size(),
                              name.size() - capacity_prefix.size() - key.size());
  if (!names_.is_in_file(path)) return;
  review.remarks.push_back(file_.properties.place(name) +
                           ": is ignored: the file names this queue, and only those are removed "
                           "that are created; a template states it for them");
}

}  // namespace

Status review_templates(const FileReading& file, const CapacityConfiguration& configuration,
                        PropertyReview& review) {
  return TemplateReview(file, configuration).run(review);
}

}  // namespace tracebed

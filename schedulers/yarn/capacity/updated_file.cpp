#include "schedulers/yarn/capacity/updated_file.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text.h"
#include "schedulers/yarn/capacity/capacity_configuration.h"
#include "schedulers/yarn/capacity/capacity_prefix.h"
#include "schedulers/yarn/capacity/capacity_settings.h"
#include "schedulers/yarn/configuration/hadoop_properties.h"
#include "schedulers/yarn/configuration/property_elements.h"
#include "schedulers/yarn/configuration/property_tables.h"

namespace tracebed {
namespace {

using Treatment = KnownProperty::Treatment;

// The parent's path and the queue's own name.
struct QueuePlace {
  std::string parent;
  std::string name;
};
std::optional<QueuePlace> place_of_queue(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == path.size()) return std::nullopt;
  return QueuePlace{path.substr(0, dot), path.substr(dot + 1)};
}

class UpdatedFile {
 public:
  explicit UpdatedFile(const XmlElement& file) : file_(file) {}

  Status remove(const std::string& path) {
    const std::optional<QueuePlace> place = place_of_queue(path);
    if (!place) return Error{"Can't remove queue " + path};
    std::vector<std::string> siblings = children_of(place->parent);
    const auto found = std::find(siblings.begin(), siblings.end(), place->name);
    if (found == siblings.end()) return Error{"Queue " + path + " not found"};
    siblings.erase(found);
    set_children(place->parent, siblings);
    // A parent that has become a leaf would keep an order of queues.
    if (siblings.empty()) drop(capacity_property(place->parent, "ordering-policy"));
    const std::string own = capacity_property(path + ".");
    std::vector<std::string> names;
    const HadoopProperties properties = read();
    for (const auto& [name, property] : properties.beginning_with(own)) names.push_back(name);
    for (const std::string& name : names) drop(name);
    return success();
  }

  Status add(const ConfigurationUpdate::Queue& queue) {
    const std::optional<QueuePlace> place = place_of_queue(queue.path);
    if (!place) return Error{"Can't add invalid queue " + queue.path};
    std::vector<std::string> siblings = children_of(place->parent);
    if (std::find(siblings.begin(), siblings.end(), place->name) != siblings.end()) {
      return Error{"Can't add existing queue " + queue.path};
    }
    siblings.push_back(place->name);
    set_children(place->parent, siblings);
    // A leaf that has become a parent would keep an order of applications.
    if (siblings.size() == 1) drop(capacity_property(place->parent, "ordering-policy"));
    return update(queue);
  }

  Status update(const ConfigurationUpdate::Queue& queue) {
    for (const auto& [key, value] : queue.properties) {
      // An empty value removes the property of a queue (updateQueue).
      const bool is_empty = value && value->empty();
      const Status done = put(capacity_property(queue.path, key), is_empty ? std::nullopt : value);
      if (!done) return done;
    }
    return success();
  }

  Status put(const std::string& name, const std::optional<std::string>& value) {
    if (!value) {
      drop(name);
      return success();
    }
    const KnownProperty* known = known_property(known_capacity_properties(), name);
    if (known == nullptr) return Error{name + " is unknown here"};
    if (known->treatment == Treatment::without_effect) {
      return Error{name + " has no effect here: " + std::string(known->reason)};
    }
    if (known->treatment == Treatment::refused && !is_neutral(*known, *value)) {
      return Error{name + " is not obeyed: it decides " + std::string(known->decides)};
    }
    set_property(file_, name, *value);
    if (known->treatment == Treatment::obeyed) set_.push_back(name);
    return success();
  }

  XmlElement& file() { return file_; }
  const std::vector<std::string>& properties_set() const { return set_; }
  HadoopProperties read() const {
    HadoopProperties properties;
    (void)properties.add(file_);  // it could be read before
    return properties;
  }

 private:
  std::vector<std::string> children_of(const std::string& path) const {
    return split_list(read().find(capacity_property(path, "queues")).value_or(""));
  }
  void set_children(const std::string& path, const std::vector<std::string>& names) {
    const std::string property = capacity_property(path, "queues");
    if (names.empty()) return drop(property);
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
    set_property(file_, property, list);
  }
  void drop(const std::string& name) {
    remove_property(file_, name);
    std::erase(set_, name);
  }

  XmlElement file_;
  std::vector<std::string> set_;  // the names of what is to be obeyed
};

Status apply(const ConfigurationUpdate& update, UpdatedFile& file) {
  for (const std::string& path : update.removed) {
    if (Status done = file.remove(path); !done) return done;
  }
  for (const ConfigurationUpdate::Queue& queue : update.added) {
    if (Status done = file.add(queue); !done) return done;
  }
  for (const ConfigurationUpdate::Queue& queue : update.updated) {
    if (Status done = file.update(queue); !done) return done;
  }
  for (const auto& [name, value] : update.global) {
    if (Status done = file.put(name, value); !done) return done;
  }
  return success();
}

// What was set is read by somebody: its queue is there, and nothing takes precedence.
Status check_is_read(const UpdatedFile& file, const PropertyReview& review) {
  const HadoopProperties properties = file.read();
  for (const std::string& name : file.properties_set()) {
    const std::string place = properties.place(name) + ":";
    const auto remark =
        std::find_if(review.remarks.begin(), review.remarks.end(),
                     [&](const std::string& one) { return one.starts_with(place); });
    if (remark != review.remarks.end()) return Error{name + remark->substr(place.size() - 1)};
  }
  return success();
}

}  // namespace

Result<XmlElement> updated_capacity_file(const SchedulerFile& file,
                                         const ConfigurationUpdate& update) {
  UpdatedFile updated(file.root);
  if (const Status applied = apply(update, updated); !applied) return applied.error();
  const auto loaded =
      read_capacity_configuration(updated.read(), file.dimensions, generation_of(file.settings));
  if (!loaded) return loaded.error();
  if (const Status read = check_is_read(updated, loaded->review); !read) return read.error();
  return std::move(updated.file());
}

}  // namespace tracebed

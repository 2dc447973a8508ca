#include "schedulers/yarn/configuration/yarn_site.h"

#include <algorithm>
#include <array>
#include <limits>

#include "schedulers/yarn/configuration/hadoop_properties.h"
#include "schedulers/yarn/configuration/property_reader.h"
#include "schedulers/yarn/configuration/property_tables.h"

namespace tracebed {
namespace {

using KeyForm = YarnSiteKey::Form;
using KeyMatch = YarnSiteKey::Match;

// Properties that begin so are a scheduler's, known or not.
constexpr std::array<std::string_view, 3> prefixes{
    "yarn.scheduler.", "yarn.resourcemanager.scheduler.", "yarn.resourcemanager.monitor."};
constexpr std::string_view scheduler_class = "yarn.resourcemanager.scheduler.class";

bool is_described(const SchedulerEntry& entry, std::string_view setting) {
  return std::any_of(
      entry.settings.begin(), entry.settings.end(),
      [&](const SettingDescription& described) { return described.name == setting; });
}

// The setting that the property is about.
std::string setting_of(const YarnSiteKey& key, std::string_view property) {
  std::string setting(key.setting);
  if (key.match == KeyMatch::settings_below) setting += property.substr(key.property.size());
  return setting;
}

// Null if the scheduler follows no such property.
const YarnSiteKey* find_key(const SchedulerEntry& entry, std::string_view property) {
  const auto is_it = [&](const YarnSiteKey& key) {
    if (key.match == KeyMatch::name) return key.property == property;
    return property.starts_with(key.property) && is_described(entry, setting_of(key, property));
  };
  const std::vector<YarnSiteKey>& keys = entry.yarn_site.keys;
  const auto found = std::find_if(keys.begin(), keys.end(), is_it);
  return found == keys.end() ? nullptr : &*found;
}

// The value as settings are written.
std::string converted(PropertyReader& reader, std::string_view name, KeyForm form) {
  constexpr std::int64_t amount_max = std::int64_t{1} << 40;
  switch (form) {
    case KeyForm::whole:
      return std::to_string(reader.integer(name, 0));
    case KeyForm::thousands:
      return std::to_string(reader.integer(name, 0, 0, amount_max) * 1000);
    case KeyForm::fraction: {
      constexpr float highest = std::numeric_limits<float>::max();
      reader.fraction(name, 0, -highest, highest);
      return reader.text(name, "0");
    }
    case KeyForm::boolean:
      return reader.flag(name, false) ? "true" : "false";
    case KeyForm::text:
      break;
  }
  return reader.text(name, "");
}

class SiteReader {
 public:
  SiteReader(const HadoopProperties& properties, const SchedulerEntry& scheduler,
             const SchedulerRegistry& others)
      : properties_(properties), reader_(properties), scheduler_(scheduler), others_(others) {}

  Result<YarnSite> read() {
    site_.review.remarks = properties_.remarks();
    for (const auto& [name, property] : properties_.all()) {
      if (reader_.has(name)) take(name);
    }
    if (const Status status = reader_.status(); !status) return status.error();
    add_defaults();
    site_.layer.properties = properties_;
    return std::move(site_);
  }

 private:
  void take(const std::string& name) {
    if (const YarnSiteKey* key = find_key(scheduler_, name)) return follow(*key, name);
    if (name == scheduler_class) return remark_on_class(name);
    const KnownProperty* known = known_property(known_site_properties(), name);
    if (known == nullptr) known = known_property(scheduler_.properties, name);
    if (known != nullptr) return leave(*known, name);
    const bool is_of_another =
        std::any_of(others_.begin(), others_.end(), [&](const SchedulerEntry& other) {
          return find_key(other, name) != nullptr ||
                 known_property(other.properties, name) != nullptr;
        });
    if (is_of_another) {
      return remark(name, "does not apply to the scheduler " + std::string(scheduler_.name) +
                              " and is ignored");
    }
    const bool is_schedulers =
        std::any_of(prefixes.begin(), prefixes.end(),
                    [&](std::string_view start) { return name.starts_with(start); });
    if (is_schedulers) remark(name, "is unknown here and is ignored");
  }

  // What is obeyed in the scheduler's own file is layered under it.
  void leave(const KnownProperty& known, const std::string& name) {
    if (known.treatment == KnownProperty::Treatment::obeyed) {
      site_.layer.scheduler.insert(name);
      return;
    }
    site_.review.add(&known, {name, properties_.place(name), reader_.text(name, "")});
  }

  void add_defaults() {
    for (const YarnSiteKey& key : scheduler_.yarn_site.keys) {
      if (key.otherwise.empty()) continue;
      site_.settings.try_emplace(
          std::string(key.setting),
          YarnSite::Value{std::string(key.otherwise), std::string(key.property) + " is not set"});
    }
  }

  void follow(const YarnSiteKey& key, const std::string& name) {
    YarnSite::Value& value = site_.settings[setting_of(key, name)];
    const std::string text = converted(reader_, name, key.form);
    if (key.match != KeyMatch::queues_below) {
      value = {text, properties_.place(name), key.is_overridden ? name : ""};
      return;
    }
    if (value.value.empty()) value.where = properties_.place(name);
    value.value += (value.value.empty() ? "" : ",") + name.substr(key.property.size()) + "=" + text;
  }

  void remark_on_class(const std::string& name) {
    const std::string value = reader_.text(name, "");
    if (value.substr(value.rfind('.') + 1) == scheduler_.yarn_site.class_name) return;
    remark(name, "is " + value + ", but the experiment chose the scheduler " +
                     std::string(scheduler_.name));
  }

  void remark(const std::string& name, const std::string& text) {
    site_.review.remarks.push_back(properties_.place(name) + ": " + text);
  }

  const HadoopProperties& properties_;
  PropertyReader reader_;
  const SchedulerEntry& scheduler_;
  const SchedulerRegistry& others_;
  YarnSite site_;
};

XmlElement property_element(const std::string& name, const HadoopProperties::Property& property) {
  const auto part = [&](const char* element, std::string text) {
    return XmlElement{element, property.where, {}, std::move(text), {}};
  };
  XmlElement element{
      "property", property.where, {}, {}, {part("name", name), part("value", property.value)}};
  if (property.is_final) element.children.push_back(part("final", "true"));
  return element;
}

}  // namespace

std::vector<XmlElement> SiteLayer::under(const HadoopProperties& own_file) const {
  std::vector<XmlElement> elements;
  std::set<std::string, std::less<>> taken;
  std::vector<std::string> open(scheduler.begin(), scheduler.end());
  const auto refer = [&](const std::string& value) {
    for (std::string& name : HadoopProperties::variables_of(value)) open.push_back(std::move(name));
  };
  for (const auto& [name, property] : own_file.all()) refer(property.value);
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    const auto found = properties.all().find(name);
    if (found == properties.all().end() || !taken.insert(name).second) continue;
    refer(found->second.value);
    elements.push_back(property_element(name, found->second));
  }
  std::sort(elements.begin(), elements.end(), [](const XmlElement& a, const XmlElement& b) {
    return a.children.front().text < b.children.front().text;
  });
  return elements;
}

bool SiteLayer::is_final(std::string_view property) const {
  const auto found = properties.all().find(property);
  return found != properties.all().end() && found->second.is_final;
}

bool takes_yarn_site(const SchedulerEntry& scheduler) {
  return !scheduler.yarn_site.keys.empty();
}

Result<YarnSite> read_yarn_site(const XmlElement& root, const SchedulerEntry& scheduler,
                                const SchedulerRegistry& others) {
  HadoopProperties properties;
  if (const Status status = properties.add(root); !status) return status.error();
  return SiteReader(properties, scheduler, others).read();
}

}  // namespace tracebed

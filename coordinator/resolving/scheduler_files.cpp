#include "coordinator/resolving/scheduler_files.h"

#include <algorithm>
#include <fmt/format.h>

#include "coordinator/config/xml_file.h"
#include "core/input_error.h"
#include "core/text.h"
#include "schedulers/yarn/configuration/hadoop_properties.h"
#include "schedulers/yarn/configuration/yarn_site.h"
#include "system/replace_file.h"

namespace tracebed {
namespace {

constexpr const char* copies_folder = "scheduler-files";

// Of a <property> whose children have no children; on one line, so that those of the file keep
// their numbers.
std::string property_text(const XmlElement& property) {
  std::string text = "<property>";
  for (const XmlElement& part : property.children) {
    text += fmt::format("<{0}>{1}</{0}>", part.name, xml_escaped(part.text));
  }
  return text + "</property>";
}

// Behind the start tag of the root; the end of the text if there is none.
std::size_t behind_start_tag(std::string_view text) {
  std::size_t at = text.find('<');
  while (at != std::string_view::npos) {
    const std::string_view rest = text.substr(at);
    const std::string_view end = rest.starts_with("<!--") ? "-->"
                                 : rest.starts_with("<?") ? "?>"
                                                          : ">";
    const std::size_t close = text.find(end, at);
    if (close == std::string_view::npos) break;
    if (!rest.starts_with("<!") && !rest.starts_with("<?")) return close + 1;
    at = text.find('<', close);
  }
  return text.size();
}

// Whether the text has the properties of the root.
bool says_the_same(const NamedFile& file) {
  HadoopProperties root;
  HadoopProperties text;
  try {
    if (!root.add(file.root) || !text.add(parse_xml(file.text, {}))) return false;
  } catch (const InputError&) {
    return false;
  }
  return std::equal(root.all().begin(), root.all().end(), text.all().begin(), text.all().end(),
                    [](const auto& a, const auto& b) {
                      return a.first == b.first && a.second.value == b.second.value &&
                             a.second.is_final == b.second.is_final;
                    });
}

bool is_xml_file(const SchedulerEntry& entry, std::string_view key) {
  return std::any_of(entry.settings.begin(), entry.settings.end(),
                     [&](const SettingDescription& described) {
                       return described.name == key && described.is_xml_file;
                     });
}

}  // namespace

bool is_xml_setting(const SchedulerRegistry& schedulers, std::string_view scheduler,
                    std::string_view key) {
  const SchedulerEntry* entry = schedulers.find(scheduler);
  if (entry == nullptr) return false;
  const bool is_site = key == yarn_site_setting && takes_yarn_site(*entry);
  return is_site || is_xml_file(*entry, key);
}

bool names_xml_file(const SchedulerEntry& entry, const Setting& setting) {
  return !setting.value.empty() && is_xml_file(entry, setting.key);
}

void layer_under(const std::vector<XmlElement>& properties, const Setting& setting,
                 NamedFile& file) {
  if (properties.empty()) return;
  std::string text;
  for (const XmlElement& property : properties) text += property_text(property);
  file.text.insert(behind_start_tag(file.text), text);
  file.root.children.insert(file.root.children.begin(), properties.begin(), properties.end());
  if (says_the_same(file)) return;
  throw InputError(fmt::format(
      "{}: expected a file that begins with <configuration>, got one under which the properties "
      "of yarn-site.xml cannot be layered",
      setting.where));
}

void take_in_files(const SchedulerEntry& entry, const FileFolder& folder, const Setting& setting,
                   NamedFiles& files, NamedFile& file) {
  if (!entry.contained_files) return;
  const bool is_text = is_inline(setting);
  const std::filesystem::path naming = is_text ? std::filesystem::path() : path_of(folder, setting);
  const FileFolder beside{is_text ? folder.folder : naming.parent_path(), folder.confined_to};
  for (const ContainedFile& named : entry.contained_files(file.root)) {
    HadoopProperties properties;
    (void)properties.add(file.root);
    const std::string path(trimmed(properties.find(named.path).value_or("")));
    const std::string where = placed(setting, properties.place(named.path));
    const std::filesystem::path rules = path_of(beside, {setting.key, path, where});
    std::string contents;
    try {
      contents = files.text(rules);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", where, error.what()));
    }
    const auto part = [&](const char* name, const std::string& text) {
      return XmlElement{name, rules.string(), {}, text, {}};
    };
    XmlElement property{"property",
                        rules.string(),
                        {},
                        {},
                        {part("name", named.contents), part("value", contents)}};
    file.text.insert(file.text.rfind("</configuration"), property_text(property));
    file.root.children.push_back(std::move(property));
    if (says_the_same(file)) continue;
    throw InputError(fmt::format(
        "{}: expected a file in which </configuration> stands once, at its end; the contents of {} "
        "cannot be added to it",
        where, rules.string()));
  }
}

SchedulerConfiguration configuration_of(const ResolvedScheduler& scheduler) {
  SchedulerConfiguration configuration;
  for (const Setting& setting : scheduler.settings) {
    const auto file = scheduler.files.find(setting.key);
    const bool is_file = file != scheduler.files.end();
    if (is_file) configuration.documents[setting.key] = file->second.text;
    configuration.settings[setting.key] =
        is_file && is_inline(setting) ? name_of_text(setting) : setting.value;
  }
  return configuration;
}

Result<SchedulerParameters> read_configuration(const SchedulerConfiguration& configuration,
                                               const SchedulerSurroundings& surroundings) {
  SchedulerParameters parameters;
  parameters.seed = surroundings.seed;
  parameters.settings = configuration.settings;
  parameters.dimensions = surroundings.dimensions;
  parameters.heartbeat = surroundings.heartbeat;
  parameters.names = &surroundings.names;
  for (const auto& [key, text] : configuration.documents) {
    const auto path = configuration.settings.find(key);
    if (path == configuration.settings.end()) return Error{"the setting " + key + " is missing"};
    try {
      parameters.documents.emplace(key, parse_xml(text, path->second));
    } catch (const InputError& error) {
      return Error{error.what(), key};
    }
  }
  return parameters;
}

ResolvedScheduler keep_files(ResolvedScheduler scheduler, const std::filesystem::path& run,
                             std::vector<ListedFile>& kept) {
  for (Setting& setting : scheduler.settings) {
    const auto found = scheduler.files.find(setting.key);
    if (found == scheduler.files.end()) continue;
    NamedFile& file = found->second;
    const FileChecksum checksum = checksum_of(file.text);
    std::error_code error;
    std::filesystem::create_directories(run / copies_folder, error);
    constexpr std::size_t digits = 8;
    setting.value =
        fmt::format("{}/{}.{}.xml", copies_folder, setting.key, checksum.sha256.substr(0, digits));
    replace_file(run / setting.value, file.text);
    // Places in the file are the copy's, as they are when the run is decided again.
    file.root = parse_xml(file.text, (run / setting.value).string());
    kept.push_back({setting.value, checksum});
  }
  scheduler.folder = {run, {}};
  return scheduler;
}

ListedFile keep_rewritten_file(ResolvedScheduler& scheduler, std::string_view setting,
                               const std::filesystem::path& run) {
  const std::string& text = scheduler.files.find(setting)->second.text;
  std::string path = fmt::format("{}/{}.rewritten.xml", copies_folder, setting);
  replace_file(run / path, text);
  for (Setting& one : scheduler.settings) {
    if (one.key == setting) one.value = path;
  }
  return {std::move(path), checksum_of(text)};
}

}  // namespace tracebed

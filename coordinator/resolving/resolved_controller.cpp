#include "coordinator/resolving/resolved_controller.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "coordinator/config/xml_file.h"
#include "core/input_error.h"
#include "system/near_match.h"
#include "system/quantities.h"

namespace tracebed {
namespace {

constexpr std::string_view record_prefix = "controller";

const ControllerEntry& entry_of(const ControllerChoice& choice) {
  const ControllerEntry* entry = find_controller(choice.name);
  if (entry != nullptr) return *entry;
  std::vector<std::string_view> names;
  for (const ControllerEntry& known : builtin_controllers()) names.push_back(known.name);
  throw InputError(fmt::format("{}: there is no controller {}{}", choice.where, choice.name,
                               name_hint(choice.name, names)));
}

TunedQueue detect(const ControllerChoice& choice, const ResolvedScheduler& scheduler,
                  const ResourceDimensions& dimensions) {
  const std::optional<TunedParameter>& parameter = scheduler.entry->master_share;
  if (!parameter) {
    throw InputError(
        fmt::format("{}: expected a scheduler that limits the share of application masters, got {}",
                    choice.where, scheduler.name));
  }
  const auto file = scheduler.files.find(parameter->setting);
  if (file == scheduler.files.end()) {
    throw InputError(
        fmt::format("{}: expected scheduler {} to have a file with {}, named by its setting {}; "
                    "got none",
                    choice.where, scheduler.label, parameter->name, parameter->setting));
  }
  Result<TunedQueue> queue = parameter->find(file->second.root, dimensions, choice.queue);
  if (!queue) throw InputError(choice.where + ": " + queue.error().message);
  return std::move(*queue);
}

}  // namespace

ResolvedController resolve_controller(const ControllerChoice& choice,
                                      const ResolvedScheduler& scheduler, const ScaleChoice& scale,
                                      const ResourceDimensions& dimensions) {
  const ControllerEntry& entry = entry_of(choice);
  const TunedQueue queue = detect(choice, scheduler, dimensions);
  (void)valid(entry.make(to_values(choice.settings), queue.share), choice.settings, choice.where);
  ResolvedController controller{&entry,
                                with_defaults(entry.settings, choice.settings, choice.where),
                                {queue.path, choice.latency},
                                queue.share,
                                std::string(scheduler.entry->master_share->name)};
  if (choice.starts_with_run) controller.loop.start = ControlLoopOptions::Start::run;
  controller.remarks = scale_amounts(controller.settings, scale);
  return controller;
}

std::unique_ptr<Controller> make_controller(const ResolvedController& controller) {
  return valid(controller.entry->make(to_values(controller.settings), controller.share),
               controller.settings, std::string(record_prefix));
}

Result<ResolvedScheduler> with_master_share(ResolvedScheduler scheduler, const std::string& queue,
                                            std::int64_t share,
                                            const ResourceDimensions& dimensions) {
  const TunedParameter& parameter = *scheduler.entry->master_share;
  const auto file = scheduler.files.find(parameter.setting);
  if (file == scheduler.files.end()) {
    return Error{fmt::format("the scheduler has no file with {} any more", parameter.name)};
  }
  const Result<TunedQueue> found = parameter.find(file->second.root, dimensions, queue);
  if (!found) return found.error();
  const std::string name = find_setting(scheduler.settings, parameter.setting)->value;
  XmlElement changed = parameter.write(std::move(file->second.root), found->path, share);
  file->second.text = xml_text(changed);
  // Places are those of the new text.
  file->second.root = parse_xml(file->second.text, name);
  return scheduler;
}

NamedTexts to_record(const ResolvedController& controller) {
  const auto name = [](std::string_view key) { return fmt::format("{}.{}", record_prefix, key); };
  NamedTexts texts{
      {std::string(record_prefix), std::string(controller.entry->name)},
      {name("parameter"), controller.parameter},
      {name("queue"), controller.loop.queue},
      {name("latency"), duration_text(controller.loop.latency)},
      {name("start"),
       controller.loop.start == ControlLoopOptions::Start::run ? "run" : "first_submission"}};
  for (const Setting& setting : controller.settings) {
    texts.emplace_back(name(setting.key), setting.value);
  }
  return texts;
}

NamedTexts without_controller(NamedTexts recorded) {
  const std::string below = std::string(record_prefix) + ".";
  std::erase_if(recorded, [&](const auto& entry) {
    return entry.first == record_prefix || entry.first.starts_with(below);
  });
  return recorded;
}

}  // namespace tracebed

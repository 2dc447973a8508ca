// Parameters that every registered scheduler can be made with, for suites that run over all of
// them: those that read a file get a small one.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/scheduler_parameters.h"

namespace tracebed::test {

// <name>text</name>
inline XmlElement xml_element(std::string name, std::string text,
                              std::vector<XmlElement> children = {}) {
  XmlElement element;
  element.name = std::move(name);
  element.where = "fixture:1";
  element.text = std::move(text);
  element.children = std::move(children);
  return element;
}

// A configuration file of Hadoop's with these properties.
inline XmlElement hadoop_configuration(
    const std::vector<std::pair<std::string, std::string>>& properties) {
  XmlElement root = xml_element("configuration", "");
  for (const auto& [name, value] : properties) {
    root.children.push_back(
        xml_element("property", "", {xml_element("name", name), xml_element("value", value)}));
  }
  return root;
}

// One queue, which may use everything.
inline SchedulerParameters parameters_for(std::string_view scheduler) {
  static const Names names;
  SchedulerParameters parameters;
  parameters.names = &names;
  if (scheduler == "capacity") {
    parameters.documents["config"] =
        hadoop_configuration({{"yarn.scheduler.capacity.root.queues", "default"},
                              {"yarn.scheduler.capacity.root.default.capacity", "100"}});
  } else if (scheduler == "fair") {
    XmlElement queue = xml_element("queue", "");
    queue.attributes.emplace_back("name", "default");
    parameters.documents["config"] = xml_element("allocations", "", {queue});
  }
  return parameters;
}

}  // namespace tracebed::test

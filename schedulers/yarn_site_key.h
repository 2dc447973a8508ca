// Which properties of yarn-site.xml are equivalent to a scheduler's settings.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tracebed {

struct YarnSiteKey {
  enum class Form : std::uint8_t {
    whole,
    thousands,  // whole units there, thousandths in the setting
    fraction,
    boolean,
    text,
  };
  // What the property's name is compared with.
  enum class Match : std::uint8_t {
    name,
    settings_below,  // its beginning; what follows is appended to the setting's name
    queues_below,    // its beginning; a queue's path follows, and the setting has PATH=VALUE of all
  };

  std::string_view property;
  std::string_view setting;
  Form form = Form::whole;
  Match match = Match::name;
  // The file with the queues may also set it, and then takes precedence.
  bool is_overridden = false;
  // The setting's value where a yarn-site.xml does not state the property: YARN's default, where
  // the setting's own differs. Empty: the setting's.
  std::string_view otherwise = {};
};

struct YarnSiteKeys {
  // As in yarn.resourcemanager.scheduler.class after the package: "FairScheduler".
  std::string_view class_name = {};
  std::vector<YarnSiteKey> keys = {};
  // The setting that names the file with the queues, if YARN reads it after yarn-site.xml and for
  // the same properties: what yarn-site.xml states of them is layered under the file.
  std::string_view overriding_file = {};
};

}  // namespace tracebed

// Values that replace those of an experiment's file, before it is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <toml++/toml.h>

namespace tracebed {

// A value given in addition to the file, on the command line or by a sweep. It replaces the file's
// and is checked like it.
struct Override {
  std::string flag;        // for messages: "--set scale.time", or the file that has it
  std::string key;         // with its tables, as below
  std::string value;       // TOML; text if it does not parse as TOML
  std::uint32_t line = 1;  // of the file
};

// Keys name
//   scale.time             a key of a table, which is made where it is missing
//   scheduler.LABEL.KEY    a setting of a scheduler, also of one that `schedulers` lists
//   cluster.group.2.nodes  a key of the second table of a list
// Throws InputError where there is no such table.
void apply_override(const Override& given, toml::table& root);

// `schedulers`, the short form, as tables without settings before those of [[scheduler]], as it is
// read.
void spell_out_schedulers(toml::table& root);

// The label of a [[scheduler]] table; empty if it has none, which is found when it is read.
std::string label_of(const toml::table& scheduler);

// A value as TOML.
std::string toml_text(const toml::node& value);

}  // namespace tracebed

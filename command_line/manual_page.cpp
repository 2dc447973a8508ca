#include "command_line/manual_page.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "command_line/roff.h"

namespace tracebed {
namespace {

std::string bold(std::string_view text) {
  return "\\fB" + roff_text(text) + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + roff_text(text) + "\\fR";
}

// A description as a sentence. A first word that is more than letters, such as a value that is
// explained, keeps its form.
std::string sentence(std::string text) {
  if (text.empty()) return text;
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  const auto word_end = std::find_if_not(text.begin(), text.end(), is_letter);
  if (word_end == text.end() || *word_end == ' ') {
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  }
  if (!text.ends_with('.')) text += '.';
  return text;
}

// "--scheduler SCHEDULER ...", with the dashes and words in their fonts.
std::string heading_of(const OptionDescription& option, bool is_flag) {
  std::string heading;
  for (const std::string& name : option.names) {
    heading += (heading.empty() ? "" : ", ") + (is_flag ? bold(name) : italic(name));
  }
  if (is_flag && !option.value.empty()) heading += " " + italic(option.value);
  if (option.takes_several) heading += " ...";
  return heading;
}

std::string range_text(const std::string& range) {  // "[1 - 1000]"
  const std::size_t dash = range.find(" - ");
  if (dash == std::string::npos || !range.ends_with(']')) return {};
  return fmt::format(" From {} to {}.", range.substr(1, dash - 1),
                     range.substr(dash + 3, range.size() - dash - 4));
}

std::string text_of(const OptionDescription& option) {
  std::string text = sentence(option.description);
  if (!option.choices.empty()) {
    text += fmt::format(" One of: {}.", fmt::join(option.choices, ", "));
  }
  text += range_text(option.range);
  if (!option.default_value.empty()) text += fmt::format(" Default: {}.", option.default_value);
  if (!option.environment.empty()) {
    text += fmt::format(" Where it is not given, the variable {} is used.", option.environment);
  }
  if (!option.excludes.empty()) {
    text += fmt::format(" Not together with {}.", fmt::join(option.excludes, ", "));
  }
  return text;
}

void add_item(const std::string& heading, const std::string& text, std::string& page) {
  page += ".TP\n" + heading + "\n" + (text.empty() ? "\\&\n" : roff_paragraph(text));
}

void add_options(const CommandDescription& command, std::string& page) {
  for (const OptionDescription& argument : command.arguments) {
    add_item(heading_of(argument, false), text_of(argument), page);
  }
  for (const OptionDescription& flag : command.flags) {
    add_item(heading_of(flag, true), text_of(flag), page);
  }
}

std::string synopsis_of(const CommandDescription& command, const std::string& path) {
  std::string line = bold(path) + " [" + italic("option") + " ...]";
  for (const OptionDescription& argument : command.arguments) {
    std::string word = italic(argument.names.front());
    if (argument.takes_several) word += " ...";
    line += " " + (argument.is_required ? word : "[" + word + "]");
  }
  return line + "\n";
}

// Of a command and those below it: one line for each that can be called by itself.
void add_synopses(const CommandDescription& command, const std::string& path,
                  std::vector<std::string>& lines) {
  if (!command.needs_subcommand) lines.push_back(synopsis_of(command, path));
  for (const CommandDescription& subcommand : command.subcommands) {
    add_synopses(subcommand, path + " " + subcommand.name, lines);
  }
}

void add_subcommands(const CommandDescription& command, const std::string& path,
                     std::string& page) {
  for (const CommandDescription& subcommand : command.subcommands) {
    const std::string name = path + " " + subcommand.name;
    page += ".SS " + roff_text(name) + "\n" + roff_paragraph(sentence(subcommand.description));
    add_options(subcommand, page);
    add_subcommands(subcommand, name, page);
  }
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string beginning(const std::string& name, const std::string& description,
                      const ManualOptions& options) {
  // The whatis database takes a line of NAME for one page, so it is not wrapped.
  std::string_view first = description;
  if (first.ends_with('.')) first.remove_suffix(1);
  return fmt::format(
      ".TH {} {} {} \"Tracebed {}\" \"Tracebed Manual\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}\n",
      roff_text(upper(name)), options.number, options.date, options.version, roff_text(name),
      roff_text(first));
}

void add_synopsis_section(const std::vector<std::string>& lines, std::string& page) {
  page += ".SH SYNOPSIS\n";
  for (const std::string& line : lines) {
    if (&line != &lines.front()) page += ".br\n";
    page += line;
  }
}

void add_see_also(std::vector<std::string> others, const std::string& self, std::string& page) {
  others.erase(std::remove(others.begin(), others.end(), self), others.end());
  if (others.empty()) return;
  page += ".SH SEE ALSO\n";
  for (const std::string& other : others) {
    const std::size_t bracket = other.find('(');
    page += fmt::format(".BR {} {}{}\n", roff_text(other.substr(0, bracket)), other.substr(bracket),
                        &other == &others.back() ? "" : " ,");
  }
}

void add_sections(const ManualOptions& options, std::string& page) {
  for (const ManualSection& section : options.sections) {
    page += ".SH " + roff_text(upper(section.title)) + "\n" + roff_paragraph(section.text);
    for (const auto& [what, meaning] : section.items) add_item(bold(what), meaning, page);
  }
}

ManualPage page_of_command(const CommandDescription& command, const std::string& program,
                           const ManualOptions& options) {
  const std::string path = program + " " + command.name;
  const std::string name = program + "-" + command.name;
  std::string page = beginning(name, command.description, options);
  std::vector<std::string> lines;
  add_synopses(command, path, lines);
  add_synopsis_section(lines, page);
  page += ".SH DESCRIPTION\n" + roff_paragraph(sentence(command.description));
  page += ".SH OPTIONS\n";
  add_options(command, page);
  if (!command.subcommands.empty()) {
    page += ".SH COMMANDS\n";
    add_subcommands(command, path, page);
  }
  std::vector<std::string> others{fmt::format("{}({})", program, options.number)};
  others.insert(others.end(), options.see_also.begin(), options.see_also.end());
  const std::string self = fmt::format("{}({})", name, options.number);
  add_see_also(others, self, page);
  return {fmt::format("{}.{}", name, options.number), std::move(page)};
}

ManualPage page_of_program(const CommandDescription& program, const ManualOptions& options) {
  std::string page = beginning(program.name, program.description, options);
  std::string synopsis = bold(program.name) + " [" + italic("option") + " ...]\n";
  if (program.needs_subcommand) {
    synopsis =
        fmt::format("{} {} [{} ...]\n", bold(program.name), italic("command"), italic("argument"));
  }
  add_synopsis_section({synopsis}, page);
  page += ".SH DESCRIPTION\n" + roff_paragraph(sentence(program.description));
  if (!program.subcommands.empty()) {
    page += ".SH COMMANDS\n";
    for (const CommandDescription& command : program.subcommands) {
      add_item(fmt::format("{}({})", bold(program.name + "-" + command.name), options.number),
               sentence(command.description), page);
    }
  }
  page += ".SH OPTIONS\n";
  add_options(program, page);
  add_sections(options, page);
  const std::string self = fmt::format("{}({})", program.name, options.number);
  add_see_also(options.see_also, self, page);
  return {fmt::format("{}.{}", program.name, options.number), std::move(page)};
}

}  // namespace

std::vector<ManualPage> manual_pages(const CommandDescription& program,
                                     const ManualOptions& options) {
  std::vector<ManualPage> pages{page_of_program(program, options)};
  for (const CommandDescription& command : program.subcommands) {
    pages.push_back(page_of_command(command, program.name, options));
  }
  return pages;
}

}  // namespace tracebed

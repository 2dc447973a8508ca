#include <algorithm>
#include <array>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include "lint/rules.h"

namespace tracebed::lint {
namespace {

// Of rules of traces, as `tracebed trace rules` lists them.
constexpr std::string_view rule_names =
    R"(\b(?:trace|swim|swf|task|google|alibaba|pods|philly|rumen|mix|kind\.[a-z]+)\.)"
    R"([a-z][a-z0-9_]*\b(?![.\w/-]))";
constexpr std::string_view flag_names = R"((^|[\s`'"(,|=\[])(--[a-z][a-z0-9-]+))";

// What names of files end in.
constexpr std::array<std::string_view, 12> extensions = {
    "swf", "tsv", "toml", "json", "csv", "gz", "xml", "h", "cpp", "log", "yml", "tbt"};

// Flags of other programs, which the project's documents say how to call.
constexpr std::array<std::string_view, 26> foreign_flags = {
    "--cpus-per-task", "--points",     "--sshlogin",    "--time",       "--check",
    "--help",          "--version",    "--fail",        "--silent",     "--now",
    "--no-ui",         "--port",       "--dir",         "--save",       "--mode",
    "--daemonize",     "--appendonly", "--appendfsync", "--unixsocket", "--unixsocketperm",
    "--field",         "--create",     "--gzip",        "--file",       "--directory",
    "--no-same-owner"};

bool is_own_code(const SourceFile& file) {
  return is_cpp(file) && !is_in(file, "tests");
}

bool is_document(const SourceFile& file) {
  const bool has_text = file.path.ends_with(".md") || file.path.ends_with(".yml");
  return has_text && !is_in(file, "tests");
}

// The insides of the file's literals, adjacent ones joined, with the position of the first.
template <class Visit>
void for_each_literal(const SourceFile& file, const Visit& visit) {
  std::string literal;
  std::size_t first = 0;
  std::size_t last_end = 0;
  const std::string& code = file.code;
  const auto flush = [&] {
    if (last_end > 0) visit(first, literal);
    literal.clear();
    last_end = 0;
  };
  for (std::size_t at = code.find('"'); at != std::string::npos; at = code.find('"', at)) {
    const std::size_t end = code.find('"', at + 1);
    if (end == std::string::npos) break;
    const bool is_next = last_end > 0 && code.find_first_not_of(" \n", last_end) == at;
    if (!is_next) flush();
    if (literal.empty()) first = at;
    literal += file.text.substr(at + 1, end - at - 1);
    last_end = end + 1;
    at = end + 1;
  }
  flush();
}

struct Known {
  std::set<std::string, std::less<>> literals;  // names alone: rules, keys, settings
  std::set<std::string, std::less<>> parts;     // what stands between their dots
  std::set<std::string, std::less<>> flags;
};

void add_flags(const std::string& text, Known& known) {
  static const std::regex flags{"--[a-z][a-z0-9-]+"};
  for (std::sregex_iterator at(text.begin(), text.end(), flags), end; at != end; ++at) {
    known.flags.insert(at->str());
  }
}

void add_name(const std::string& name, Known& known) {
  known.literals.insert(name);
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t dot = std::min(name.find('.', at), name.size());
    known.parts.insert(name.substr(at, dot - at));
    at = dot + 1;
  }
}

Known known_in(std::span<const SourceFile> files) {
  static const std::regex name{"[a-z][a-z0-9_.]*"};
  Known known;
  known.flags.insert(foreign_flags.begin(), foreign_flags.end());
  for (const SourceFile& file : files) {
    // Programs of the shell parse their own.
    const bool is_script = file.path == "run" || file.path.ends_with(".sh");
    if (is_script) add_flags(file.text, known);
    if (!is_own_code(file)) continue;
    for_each_literal(file, [&](std::size_t, const std::string& literal) {
      if (std::regex_match(literal, name)) add_name(literal, known);
      // "--skip-bad,--skip-bad-lines" is how a flag is made; a sentence that names one is not.
      const bool makes_flag = literal.starts_with("--") && literal.find(' ') == std::string::npos;
      if (makes_flag) add_flags(literal, known);
    });
  }
  return known;
}

class NameCheck {
 public:
  NameCheck(const Known& known, Findings& findings) : known_(known), findings_(findings) {}

  void check(const SourceFile& file, std::size_t position, const std::string& text) {
    static const std::regex rules{std::string(rule_names)};
    static const std::regex flags{std::string(flag_names)};
    for (std::sregex_iterator at(text.begin(), text.end(), rules), end; at != end; ++at) {
      check_rule(file, position + static_cast<std::size_t>(at->position()), at->str());
    }
    for (std::sregex_iterator at(text.begin(), text.end(), flags), end; at != end; ++at) {
      const std::string flag = (*at)[2].str();
      if (known_.flags.contains(flag)) continue;
      report(file, position + static_cast<std::size_t>(at->position()),
             "no program has the flag " + flag);
    }
  }

 private:
  void check_rule(const SourceFile& file, std::size_t position, const std::string& name) {
    const std::size_t dot = name.find('.');
    const std::string own = name.substr(dot + 1);
    if (std::find(extensions.begin(), extensions.end(), own) != extensions.end()) return;
    // Of the table [trace] of experiments there are keys.
    const bool is_key = name.starts_with("trace.") && known_.literals.contains(own);
    // Those of the cost table are made of a kind and a figure.
    const std::size_t figure = own.find('.');
    const bool is_of_kind = figure != std::string::npos &&
                            known_.literals.contains(own.substr(0, figure)) &&
                            known_.literals.contains(own.substr(figure + 1));
    if (is_key || is_of_kind || known_.literals.contains(name)) return;
    report(file, position, "there is no rule or key " + name);
  }
  void report(const SourceFile& file, std::size_t position, std::string message) {
    findings_.push_back({file.path, line_at(file, position), std::move(message)});
  }

  const Known& known_;
  Findings& findings_;
};

// Keys in blocks and words of TOML: `key = value`, `[table]`, `[table] key = value`.
void check_keys(const SourceFile& file, const Known& known, Findings& findings) {
  static const std::regex assignment{R"(^(?:\[+([a-z_.]+)\]+)?\s*(?:([a-z][a-z0-9_.]*) =)?)"};
  static const std::regex inline_key{R"(`(?:\[+([a-z_.]+)\]+ )?([a-z][a-z0-9_.]*) = [^`]*`)"};
  const auto check = [&](std::size_t line, const std::string& names) {
    for (std::size_t at = 0; at < names.size();) {
      const std::size_t dot = std::min(names.find('.', at), names.size());
      const std::string part = names.substr(at, dot - at);
      if (!known.parts.contains(part)) {
        findings.push_back({file.path, line, "no configuration has the key " + part});
        return;
      }
      at = dot + 1;
    }
  };
  bool is_toml = false;
  for_each_line(file.text, [&](std::size_t number, std::string_view view) {
    const std::string line(view);
    if (line.starts_with("```")) {
      is_toml = line == "```toml";
      return;
    }
    std::smatch found;
    if (is_toml && std::regex_search(line, found, assignment)) {
      for (std::size_t group = 1; group <= 2; ++group) {
        if (found[group].matched) check(number, found[group].str());
      }
    }
    if (is_toml) return;
    for (std::sregex_iterator at(line.begin(), line.end(), inline_key), end; at != end; ++at) {
      for (std::size_t group = 1; group <= 2; ++group) {
        if ((*at)[group].matched) check(number, (*at)[group].str());
      }
    }
  });
}

}  // namespace

void check_names(std::span<const SourceFile> files, Findings& findings) {
  const Known known = known_in(files);
  NameCheck names(known, findings);
  for (const SourceFile& file : files) {
    if (is_document(file)) {
      names.check(file, 0, file.text);
      if (file.path.ends_with(".md")) check_keys(file, known, findings);
    }
    if (!is_own_code(file)) continue;
    for_each_literal(file, [&](std::size_t position, const std::string& literal) {
      if (literal.find(' ') != std::string::npos) names.check(file, position, literal);
    });
  }
}

}  // namespace tracebed::lint

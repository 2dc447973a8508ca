#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "lint/architecture.h"
#include "lint/rules.h"

namespace tracebed::lint {
namespace {

enum class Where {
  pure_rooms,
  everywhere,
  own_code,  // everywhere but tests
  trace_readers,
  commands,      // of `tracebed`
  virtual_tests  // tests of rooms that know only virtual time
};

struct WordRule {
  std::vector<std::string_view> words;  // whole identifiers, possibly qualified
  Where where;
  std::string_view instead;
};

const std::vector<WordRule>& word_rules() {
  static const std::vector<WordRule> rules = {
      {{"steady_clock", "system_clock", "high_resolution_clock", "clock_gettime", "gettimeofday",
        "std::time", "localtime", "gmtime", "mktime", "clock"},
       Where::pure_rooms,
       "a pure room reads no clock; it is told the time"},
      {{"std::mt19937", "std::mt19937_64", "std::minstd_rand", "std::default_random_engine",
        "std::random_device", "std::uniform_int_distribution", "std::uniform_real_distribution",
        "std::normal_distribution", "std::exponential_distribution", "std::gamma_distribution",
        "std::shuffle", "std::sample", "random_shuffle", "rand", "srand", "rand_r", "drand48",
        "getrandom"},
       Where::own_code,
       "standard randomness differs between libraries and seeds itself; use core/random.h"},
      {{"thread", "jthread", "mutex", "recursive_mutex", "shared_mutex", "condition_variable",
        "std::async", "std::future", "atomic", "atomic_ref", "thread_local", "volatile"},
       Where::pure_rooms,
       "a pure room has one thread and knows of no other"},
      {{"getenv", "secure_getenv", "setenv", "environ"},
       Where::pure_rooms,
       "a pure room gets its settings as arguments"},
      {{"printf", "fprintf", "fopen", "fputs", "fwrite", "puts", "std::cout", "std::cerr",
        "std::clog", "ifstream", "ofstream", "fstream", "spdlog", "syscall", "ioctl"},
       Where::pure_rooms,
       "a pure room does no I/O; it returns what there is to say"},
      {{"sleep_for", "sleep_until", "usleep", "nanosleep", "sleep"},
       Where::virtual_tests,
       "tests of this room use virtual time"},
      {{"assert"}, Where::everywhere, "assert vanishes in some builds; use TRACEBED_CHECK"},
      {{"shared_ptr", "make_shared", "weak_ptr"},
       Where::own_code,
       "one owner: a value or a unique_ptr; everyone else holds a reference"},
      {{"source_location", "std::views", "views::filter", "views::transform", "std::format",
        "std::expected", "std::print"},
       Where::everywhere,
       "not in GCC 12, or clang 14 cannot parse libstdc++'s"},
      {{"std::system", "popen", "alloca", "strcpy", "sprintf", "strtok", "gets"},
       Where::own_code,
       "unsafe; there is a bounded or typed way"},
      {{"open_file", "MappedFile", "fopen", "ifstream", "load_file", "read_regular_file"},
       Where::trace_readers,
       "a trace may be read again, and must then be the same; use open_witnessed or FileWindow"},
      {{"fmt::print", "printf", "fprintf", "std::puts", "fputs", "fwrite", "putchar", "std::cout",
        "std::cerr"},
       Where::commands,
       "names in it may be commands for a terminal; use coordinator/cli/text_output.h"},
      {{"FRIEND_TEST"}, Where::everywhere, "tests use what is public"},
  };
  return rules;
}

struct WordExemption {
  std::string_view path;  // a file, or a folder with '/' at its end
  std::string_view word;
  std::string_view reason;
};
constexpr std::array<WordExemption, 26> word_exemptions = {{
    {"core/check.cpp", "atomic", "any thread's invariant may fail"},
    {"core/check.cpp", "fprintf", "a failed invariant speaks before it leaves"},
    {"coordinator/api/", "shared_ptr", "Thrift's interfaces are made of them"},
    {"coordinator/api/", "make_shared", "Thrift's interfaces are made of them"},
    {"coordinator/thrift/", "shared_ptr", "Thrift's interfaces are made of them"},
    {"coordinator/thrift/", "make_shared", "Thrift's interfaces are made of them"},
    {"coordinator/namenode_server/", "shared_ptr", "a reply may come when its caller has gone"},
    {"coordinator/namenode_server/", "make_shared", "likewise"},
    {"coordinator/cli/", "shared_ptr", "CLI11 copies callbacks, and with them what they share"},
    {"coordinator/cli/", "make_shared", "CLI11 copies callbacks, and with them what they share"},
    {"core/immutable.h", "shared_ptr", "copies of a value that never changes share it"},
    {"core/immutable.h", "make_shared", "likewise"},
    {"traces/parts/byte_source.h", "open_file", "declares it"},
    {"traces/parts/byte_source.cpp", "open_file", "defines it"},
    {"traces/parts/byte_source.cpp", "fopen", "likewise"},
    {"traces/parts/witnessed_bytes.cpp", "open_file", "verifies what it gives"},
    {"traces/binary/binary_file.cpp", "open_file", "what the first bytes promise is verified"},
    {"traces/similar/generate_like.cpp", "open_file", "what it wrote itself"},
    {"coordinator/cli/text_output.cpp", "fmt::print", "prints what is plain"},
    {"coordinator/cli/text_output.cpp", "fwrite", "likewise, where a failure is no end"},
    {"coordinator/cli/completion_command.cpp", "fmt::print", "a script of the program's own"},
    {"coordinator/cli/progress_line.cpp", "fprintf", "moves the cursor itself"},
    {"traces/histories/", "open_file", "histories are read once"},
    {"traces/histories/", "load_file", "likewise"},
    {"daemon/daemon_log.h", "shared_ptr", "spdlog shares its sinks with who made them"},
    {"daemon/daemon_log.cpp", "make_shared", "spdlog shares its sinks with who made them"},
}};

bool is_exempt_word(const SourceFile& file, std::string_view word) {
  for (const WordExemption& exemption : word_exemptions) {
    if (exemption.word != word) continue;
    if (exemption.path == file.path) return true;
    if (exemption.path.ends_with('/') && file.path.starts_with(exemption.path)) return true;
  }
  return false;
}

bool applies(const SourceFile& file, Where where) {
  switch (where) {
    case Where::everywhere:
      return true;
    case Where::own_code:
      return !is_in(file, "tests");
    case Where::trace_readers:
      return is_in(file, "traces");
    case Where::commands:
      return is_in(file, "coordinator/cli");
    case Where::pure_rooms: {
      const Room* room = room_of(file.path);
      return room != nullptr && room->pure;
    }
    case Where::virtual_tests:
      for (std::string_view folder :
           {"tests/core", "tests/schedulers", "tests/applications", "tests/engine", "tests/virtual",
            "tests/recorded", "tests/config", "tests/traces", "tests/report"}) {
        if (is_in(file, folder)) return true;
      }
      return false;
  }
  return false;
}

// A word of its own: no part of a longer identifier, and no member of an object, which may be
// called anything.
bool stands_alone(std::string_view code, std::size_t at, std::size_t size) {
  if (at > 0 && is_identifier_char(code[at - 1])) return false;
  if (at + size < code.size() && is_identifier_char(code[at + size])) return false;
  if (at > 0 && code[at - 1] == '.') return false;
  return at < 2 || code.substr(at - 2, 2) != "->";
}

}  // namespace

void check_words(const SourceFile& file, Findings& findings) {
  if (!is_cpp(file)) return;
  for (const WordRule& rule : word_rules()) {
    if (!applies(file, rule.where)) continue;
    for (std::string_view word : rule.words) {
      if (is_exempt_word(file, word)) continue;
      const std::string_view code = file.code;
      for (std::size_t at = code.find(word); at != std::string_view::npos;
           at = code.find(word, at + 1)) {
        if (!stands_alone(code, at, word.size())) continue;
        findings.push_back(
            {file.path, line_at(file, at), std::string(word) + ": " + std::string(rule.instead)});
      }
    }
  }
}

}  // namespace tracebed::lint

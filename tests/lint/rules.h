// The rules that hold the project's shape, checked by a test. Each names what it found, where, and
// what to do instead. The compiler and clang-tidy look at everything else.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lint/source_file.h"

namespace tracebed::lint {

struct Finding {
  std::string path;
  std::size_t line = 0;
  std::string message;

  bool operator==(const Finding&) const = default;
};
using Findings = std::vector<Finding>;

// Text: line length, tabs, blanks at line ends, leftover markers, paths of one machine,
// `#pragma once`.
void check_text(const SourceFile& file, Findings& findings);

// Lengths of files and functions, in lines; what is known to be longer may not grow.
void check_lengths(const SourceFile& file, Findings& findings);

// Words that a room may not use: clocks, foreign randomness, threads, I/O and the environment in
// pure rooms; assert, shared_ptr and what clang 14 cannot parse everywhere.
void check_words(const SourceFile& file, Findings& findings);

// Words of the project's own that gave way to the field's.
void check_vocabulary(const SourceFile& file, Findings& findings);

// Includes: from the project's root, the own header first, only along the arrows of the
// architecture, and only the listed standard headers in pure rooms.
void check_includes(const SourceFile& file, Findings& findings);

// Last `else`s: chains that ask a variant for several of its alternatives, and switches over
// enumerations with a `default`. Both compile with an alternative or constant that they forget.
void check_exhaustiveness(const SourceFile& file, Findings& findings);

// Whether something has room on a node: asked by what knows which dimensions limit, wherever a
// scheduler that does not count all of them may be meant.
void check_node_room(const SourceFile& file, Findings& findings);

// Containers whose order is that of addresses or hashes, where decisions are made. Names of
// unordered members are collected over the whole folder, since a header declares what its source
// iterates over.
void check_container_order(std::span<const SourceFile> files, Findings& findings);

// Folders must not include each other in a circle.
void check_folder_circles(std::span<const SourceFile> files, Findings& findings);

// The top level has no file but the project's own few; `names` are those that it has.
void check_top_level(std::span<const std::string> names, Findings& findings);

// Every file in a fixtures or golden folder of the tests is named by a test or a CMakeLists.txt.
// `fixtures` are paths from the root.
void check_fixtures_are_used(std::span<const SourceFile> files,
                             std::span<const std::string> fixtures, Findings& findings);

// Rules of traces, flags of programs and keys of configurations that messages, help and documents
// name: each is one that some source file makes.
void check_names(std::span<const SourceFile> files, Findings& findings);

// One definition: no two headers define a function or a type of one name (and parameters) in one
// namespace. The linker takes either, for a program of both, and does not say so.
void check_definitions(std::span<const SourceFile> files, Findings& findings);

// Blocks of commands in README and docs say whether the tests run them ("sh"), the beds ("sh bed",
// which some script of tests/beds has to do) or nobody ("sh not-run").
void check_commands(std::span<const SourceFile> files, Findings& findings);

// A field of a task's work (core/task_work.h) is named in at most four files of the product: its
// definition, where it is set, where it is modelled and where it is done.
void check_task_work(std::span<const SourceFile> files, Findings& findings);

// The list of timed tests: each entry names a test that some source defines, has a date and a
// reason, and stands there once.
void check_timed_tests(std::span<const SourceFile> files, Findings& findings);

// Deviations from imitated systems: those that headers state and those of docs/differences.md are
// the same, and an entry says when a run touches one of a scheduler's.
void check_deviations(std::span<const SourceFile> files, Findings& findings);

// All of the above over the whole project.
Findings check_project(const std::filesystem::path& root);

}  // namespace tracebed::lint

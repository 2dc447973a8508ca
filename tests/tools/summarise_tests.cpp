// summarise_tests FOLDER: prints the summary of the test results in FOLDER. Exits with 1 if a test
// failed or none ran.
// summarise_tests --failed-by-assertion FILE: prints the names of the tests in ctest's results that
// may be repeated.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>

#include "tools/test_summary.h"

int main(int count, char** arguments) {
  using namespace tracebed::tools;
  if (count == 3 && arguments[1] == std::string_view("--failed-by-assertion")) {
    std::ifstream file(arguments[2], std::ios::binary);
    const std::string document(std::istreambuf_iterator<char>(file), {});
    for (const std::string& name : failed_by_assertion(document)) std::cout << name << "\n";
    return EXIT_SUCCESS;
  }
  if (count != 2) {
    std::cerr << "usage: summarise_tests FOLDER | --failed-by-assertion FILE\n";
    return 2;
  }
  const TestSummary summary = summarise(arguments[1]);
  std::cout << to_text(summary);
  return summary.failures.empty() && summary.passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

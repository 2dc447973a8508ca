// summarise_tests FOLDER: prints the summary of the test results in FOLDER. Exits with 1 if a test
// failed or none ran.
#include <cstdlib>
#include <iostream>

#include "tools/test_summary.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: summarise_tests FOLDER\n";
    return 2;
  }
  const tracebed::tools::TestSummary summary = tracebed::tools::summarise(arguments[1]);
  std::cout << to_text(summary);
  return summary.failures.empty() && summary.passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

// Prints the digests of virtual runs, one a line. `./run test` compares what each build prints.
#include <exception>
#include <iostream>

#include "determinism/run_digests.h"

int main() {
  try {
    for (const tracebed::test::RunDigest& run : tracebed::test::run_digests()) {
      std::cout << run.digest << "  " << run.name << "\n";
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}

// Writes the seeds of a fuzz target into a folder, for libFuzzer to start from.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "fuzz/fuzz_target.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: " << arguments[0] << " FOLDER\n";
    return 2;
  }
  std::size_t number = 0;
  for (const std::string& seed : tracebed::fuzz::seeds()) {
    const std::string name = "seed-" + std::to_string(number++);
    std::ofstream(std::filesystem::path(arguments[1]) / name, std::ios::binary) << seed;
  }
  return 0;
}

// Replays a fuzz target without libFuzzer: its seeds, the corpus of inputs that once broke it, and
// mutations of both, drawn by seed. `PROGRAM CORPUS_FOLDER`; the folder may be absent. With
// `PROGRAM CORPUS_FOLDER SECONDS SEED` it draws mutations for so long by that seed, instead of a
// number of them by the same one in every call.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "core/random.h"
#include "fuzz/fuzz_target.h"

namespace {

// Of all inputs together, and of each at least.
constexpr std::size_t mutations_in_all = 20'000;
constexpr std::size_t mutations_least = 1'000;

std::vector<std::string> read_corpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(folder)) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> inputs;
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return inputs;
}

// One small change: a bit, a byte, a piece taken out, doubled, or brought in from another input.
void mutate(std::string& input, const std::vector<std::string>& inputs, tracebed::Random& random) {
  const std::size_t at = random.below(input.size() + 1);
  const std::size_t length = random.below(std::min<std::size_t>(64, input.size() - at + 1));
  switch (random.below(6)) {
    case 0:
      if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << random.below(8)));
      break;
    case 1:
      if (at < input.size()) input[at] = static_cast<char>(random.below(256));
      break;
    case 2:
      input.erase(at, length);
      break;
    case 3:
      input.insert(at, input.substr(at, length));
      break;
    case 4:
      input.resize(at);
      break;
    default: {
      const std::string& other = inputs[random.below(inputs.size())];
      const std::size_t from = random.below(other.size() + 1);
      input.insert(at, other.substr(from, random.below(64)));
    }
  }
}

void run(const std::string& input) {
  // libFuzzer hands over a buffer of its own; a copy shows reads beyond the end here too.
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

void run_mutated(const std::string& original, const std::vector<std::string>& inputs,
                 tracebed::Random& random) {
  std::string input = original;
  for (std::uint64_t left = 1 + random.below(4); left > 0; --left) mutate(input, inputs, random);
  run(input);
}

std::size_t replay(const std::vector<std::string>& inputs) {
  const std::size_t mutations_per_input =
      std::max(mutations_least, mutations_in_all / std::max<std::size_t>(inputs.size(), 1));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    run(inputs[i]);
    tracebed::Random random(i);
    for (std::size_t mutation = 0; mutation < mutations_per_input; ++mutation) {
      run_mutated(inputs[i], inputs, random);
    }
  }
  return inputs.size() * (mutations_per_input + 1);
}

std::size_t draw_for(std::chrono::seconds time, std::uint64_t seed,
                     const std::vector<std::string>& inputs) {
  const auto end = std::chrono::steady_clock::now() + time;
  tracebed::Random random(seed);
  std::size_t drawn = 0;
  for (; std::chrono::steady_clock::now() < end; ++drawn) {
    run_mutated(inputs[random.below(inputs.size())], inputs, random);
  }
  return drawn;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2 && count != 4) {
    std::cerr << "usage: " << arguments[0] << " CORPUS_FOLDER [SECONDS SEED]\n";
    return 2;
  }
  std::vector<std::string> inputs = tracebed::fuzz::seeds();
  for (std::string& input : read_corpus(arguments[1])) inputs.push_back(std::move(input));
  const std::size_t inputs_run =
      count == 2 ? replay(inputs)
                 : draw_for(std::chrono::seconds(std::strtoll(arguments[2], nullptr, 10)),
                            std::strtoull(arguments[3], nullptr, 10), inputs);
  std::cout << inputs_run << " inputs\n";
  return 0;
}

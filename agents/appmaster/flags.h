// The flags of tracebed-appmaster.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace tracebed::appmaster {

struct Flags {
  std::string run;
  std::uint64_t epoch = 0;
  std::uint32_t application = 0;
  std::uint32_t attempt = 0;
  std::string address;
};

// Names the program and adds its flags, which are stored in `flags`.
void add_flags(CLI::App& app, Flags& flags);

}  // namespace tracebed::appmaster

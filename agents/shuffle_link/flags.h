// The flags of tracebed-shuffle, which has none of its own.
#pragma once

namespace CLI {
class App;
}

namespace tracebed::shuffle_link {

// Names the program.
void add_flags(CLI::App& app);

}  // namespace tracebed::shuffle_link

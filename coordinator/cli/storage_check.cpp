// `tracebed storage check`
#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "coordinator/cli/json_output.h"
#include "coordinator/cli/storage_client.h"
#include "coordinator/cli/storage_commands.h"
#include "coordinator/cli/text_output.h"
#include "core/input_error.h"
#include "core/kernel_work.h"
#include "hdfs_client/dead_datanodes.h"
#include "hdfs_client/file_reader.h"
#include "kernels/check_kernel.h"
#include "kernels/kernel_input.h"

namespace tracebed {
namespace {

struct CheckFlags : StorageFlags {
  std::string input;
  std::string output;
  std::int64_t iterations = 0;  // 0: not given
};

struct CheckedOutput {
  std::size_t parts = 0;
  std::uint64_t bytes = 0;
  std::string fault;  // empty: it is what it must be
};

// What tasks have written, in their order. Numbers of tasks have at least five digits.
std::vector<std::string> parts_of(hdfs::NamenodeClient& namenode, const std::string& directory) {
  std::vector<std::string> names;
  for (const hdfs::pb::HdfsFileStatus& entry : expected(namenode.listing(directory))) {
    if (entry.path() == "_temporary") {
      throw InputError(plain_format("{}: the job has not ended", directory));
    }
    names.push_back(entry.path());
  }
  std::sort(names.begin(), names.end(), [](const std::string& left, const std::string& right) {
    return std::tuple(left.size(), std::string_view(left)) <
           std::tuple(right.size(), std::string_view(right));
  });
  return names;
}

// True if the check goes on.
bool check_part(hdfs::NamenodeClient& namenode, const std::string& path,
                kernels::OutputCheck& check, CheckedOutput& output) {
  hdfs::DeadDatanodes dead;
  auto reader = expected(hdfs::FileReader::open(namenode, dead, path, 0,
                                                std::numeric_limits<std::uint64_t>::max(), {}));
  ++output.parts;
  for (;;) {
    const hdfs::Bytes bytes = expected(reader.next());
    if (bytes.empty()) break;
    output.bytes += bytes.size();
    if (const Status consumed = check.consume(bytes); !consumed) {
      output.fault = path + ": " + consumed.error().message;
      return false;
    }
  }
  const Status ended = check.end_part();
  if (!ended) output.fault = path + ": " + ended.error().message;
  return ended.has_value();
}

KernelInput input_of(const CheckFlags& flags) {
  const auto input = kernel_input_of(flags.input);
  if (!input) throw InputError(input.error().message);
  const bool is_given = flags.iterations != 0;
  if (is_given == iterates(input->kernel)) return *input;
  throw InputError(
      is_given ? plain_format("--iterations: the kernel of {} does not iterate", flags.input)
               : plain_format("{}: expected --iterations with the number of the job's "
                              "iterations (kind.KIND.iterations)",
                              flags.input));
}

CheckedOutput check_output(const CheckFlags& flags) {
  const KernelInput input = input_of(flags);
  hdfs::NamenodeClient namenode = connect_to(flags);
  const std::uint64_t length = existing(namenode, flags.input).length();
  const auto data = kernels::make_input(input, length);
  if (!data) throw InputError(plain_format("{}: {}", flags.input, data.error().message));
  if ((*data)->bytes() != length) {
    throw InputError(plain_format("{}: expected whole records of {} B, got {} B", flags.input,
                                  (*data)->unit_bytes(), length));
  }
  const auto check =
      kernels::make_output_check(input, **data, std::max<std::int64_t>(flags.iterations, 1));
  if (!check) throw InputError(plain_format("{}: {}", flags.input, check.error().message));
  CheckedOutput output;
  for (const std::string& name : parts_of(namenode, flags.output)) {
    if (!check_part(namenode, flags.output + '/' + name, **check, output)) return output;
  }
  const Status finished = (*check)->finish();
  if (!finished) output.fault = finished.error().message;
  return output;
}

ExitCode print_check(const CheckFlags& flags) {
  const CheckedOutput output = check_output(flags);
  const bool is_right = output.fault.empty();
  if (flags.json) {
    print_json({{"input", flags.input},
                {"output", flags.output},
                {"parts", output.parts},
                {"bytes", output.bytes},
                {"is_right", is_right},
                {"fault", output.fault}});
  } else if (is_right) {
    print_plain("{}: right ({} parts, {} B)\n", flags.output, output.parts, output.bytes);
  } else {
    print_plain("{}: wrong: {}\n", flags.output, output.fault);
  }
  return is_right ? ExitCode::success : ExitCode::run_failed;
}

}  // namespace

void add_storage_check_command(CLI::App& storage, ExitCode& result) {
  const auto flags = std::make_shared<CheckFlags>();
  CLI::App* command = storage.add_subcommand(
      "check", "Check what a job has written against what its kernel makes of its input");
  command->add_option("input", flags->input, "Input of the job: /tracebed/kernels/KERNEL/SEED")
      ->required();
  command->add_option("output", flags->output, "Its output: /tracebed/JOB/output")->required();
  command
      ->add_option("--iterations", flags->iterations,
                   "How often the job has run its kernel, if that iterates (kmeans, pagerank)")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1'000));
  add_storage_flags(*command, *flags);
  add_storage_json_flag(*command, *flags);
  command->callback([flags, &result] { result = print_check(*flags); });
}

}  // namespace tracebed

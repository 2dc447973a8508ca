#include "coordinator/cli/fetch_run.h"

#include <cerrno>
#include <fmt/format.h>
#include <unistd.h>

#include "core/input_error.h"
#include "system/files_below.h"

namespace tracebed {
namespace {

std::vector<control::RunFile> list_all(RetryingClient& client, std::int64_t run,
                                       const std::function<void()>& look) {
  constexpr std::size_t files_max = 1'000'000;
  std::vector<control::RunFile> all;
  for (;;) {
    const std::string after = all.empty() ? "" : all.back().path;
    const std::vector<control::RunFile> files =
        client.ask([&](ControlClient& once) { return once.list_files(run, after); }, look);
    if (files.empty()) break;
    for (const control::RunFile& file : files) {
      const std::string& last = all.empty() ? after : all.back().path;
      if (file.path > last && is_path_below(file.path) && file.bytes >= 0) {
        all.push_back(file);
        continue;
      }
      throw EnvironmentError(
          fmt::format("run {}: the coordinator listed a file outside the run's folder", run));
    }
    if (all.size() > files_max) {
      throw EnvironmentError(fmt::format("run {}: expected at most {} files", run, files_max));
    }
  }
  if (all.empty()) throw ControlRefusal(fmt::format("run {} has no files left", run));
  return all;
}

void check_room(const std::vector<control::RunFile>& files, const std::filesystem::path& folder) {
  std::uintmax_t wanted = 0;
  for (const control::RunFile& file : files) wanted += static_cast<std::uintmax_t>(file.bytes);
  const std::uintmax_t room = std::filesystem::space(folder).available;
  if (wanted <= room) return;
  throw EnvironmentError(fmt::format("{}: the run needs {} bytes, and only {} are free",
                                     folder.string(), wanted, room));
}

void write_all(const FileDescriptor& file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      throw EnvironmentError(fmt::format("{} cannot be written: {}", path, error_text(errno)));
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void fetch_file(RetryingClient& client, std::int64_t run, const FileDescriptor& folder,
                const control::RunFile& listed, const std::function<void()>& look) {
  const Result<FileDescriptor> file = create_below(folder, listed.path);
  if (!file) throw EnvironmentError(file.error().message);
  std::int64_t offset = 0;
  while (offset < listed.bytes) {
    const std::string bytes = client.ask(
        [&](ControlClient& once) { return once.read_file(run, listed.path, offset); }, look);
    const auto count = static_cast<std::int64_t>(bytes.size());
    if (count == 0 || count > listed.bytes - offset) {
      throw EnvironmentError(
          fmt::format("{}: expected {} bytes, got {}", listed.path, listed.bytes, offset + count));
    }
    write_all(*file, bytes, listed.path);
    offset += count;
  }
}

}  // namespace

std::string output_name(const control::RunStatus& status) {
  const bool is_word = is_path_below(status.name) && status.name.find('/') == std::string::npos;
  return is_word ? status.name : "run";
}

void fetch_run(RetryingClient& client, std::int64_t run, const std::filesystem::path& folder,
               const std::function<void()>& look) {
  const auto fail = [&] {
    throw EnvironmentError(
        fmt::format("{}: expected a folder that is empty or can be created", folder.string()));
  };
  std::error_code error;
  const bool exists = std::filesystem::exists(std::filesystem::symlink_status(folder, error));
  if (exists && (!std::filesystem::is_empty(folder, error) || error)) fail();
  const std::vector<control::RunFile> files = list_all(client, run, look);
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder, error)) fail();
  check_room(files, folder);
  const Result<FileDescriptor> opened = open_folder(folder);
  if (!opened) throw EnvironmentError(opened.error().message);
  for (const control::RunFile& file : files) fetch_file(client, run, *opened, file, look);
}

}  // namespace tracebed

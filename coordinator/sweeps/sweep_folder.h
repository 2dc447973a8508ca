// The folder of a sweep, which any number of processes on any number of machines may work in:
//
//   sweep.json      the plan: keys, values, points with the digests of their inputs
//   sweep.toml      the experiment's file as it was when the plan was made
//   traces/         traces in binary form, each under its id
//   points/DIGEST/  a finished point: what `tracebed run` writes, its document, log.txt, point.json
//   work/DIGEST/    one that is being made, or that failed: its document, log.txt, failure.json
//
// DIGEST is the beginning of the digest of the point's inputs. A point is made below work/ under a
// lock and moved to points/ as a whole, so a point is there or not, whoever is killed when.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coordinator/sweeps/sweep_plan.h"

namespace tracebed {

struct FinishedPoint {
  std::string digest;
  double seconds = 0;       // of wall time, of its process
  std::uint64_t bytes = 0;  // of its folder
};

// What sweep.json keeps of a plan.
struct RecordedPlan {
  std::string name;
  std::string figure;
  std::string digest;
  std::vector<SweptKey> keys;  // without lines
  struct Point {
    std::uint32_t number = 1;
    std::vector<std::optional<std::size_t>> values;  // by key
    std::string digest;
  };
  std::vector<Point> points;
};

class SweepFolder {
 public:
  explicit SweepFolder(std::filesystem::path path) : path_(std::move(path)) {}

  // Makes the folder one of this plan. Throws InputError, naming the first difference, if it is of
  // another, unless that is to be replaced; points that both have then stay.
  void adopt(const SweepPlan& plan, bool replaces) const;
  // Throws InputError if there is none, or it is malformed.
  RecordedPlan plan() const;

  // None if the point has not finished. Throws InputError for a record that was changed, or is of
  // other inputs.
  std::optional<FinishedPoint> finished(const std::string& digest) const;
  // Why it failed when it ran last, in words; empty if it did not.
  std::string failure(const std::string& digest) const;
  // It was begun, and has neither finished nor failed: it runs, or was killed.
  bool was_begun(const std::string& digest) const;

  std::filesystem::path point(const std::string& digest) const;
  std::filesystem::path work(const std::string& digest) const;
  std::filesystem::path traces() const { return path_ / "traces"; }
  const std::filesystem::path& path() const { return path_; }

  // Moves what was made below work(digest)/out to its place, with its record. What another process
  // has moved there meanwhile stays.
  void move_into_place(const SweepPoint& point, double seconds) const;
  void note_failure(const std::string& digest, const std::string& reason) const;

 private:
  std::filesystem::path plan_file() const { return path_ / "sweep.json"; }

  std::filesystem::path path_;
};

}  // namespace tracebed

#include "schedulers/placement/free_space.h"

#include <iterator>

#include "core/check.h"
#include "schedulers/placement/used_share.h"

namespace tracebed {

FreeSpace::Parts FreeSpace::parts_of(const Resources& amount, const SizedSpace& sized) {
  Parts parts{};
  for (const std::size_t d : sized.dimensions) {
    const std::uint64_t part =
        used_share(std::min(amount[d], sized.capacity[d]), sized.capacity[d]);
    parts[d] = static_cast<std::uint32_t>(part >> (used_share_bits - (bits - 1)));
  }
  return parts;
}

FreeSpace::Box FreeSpace::whole_box() {
  Box box;
  box.high.fill((std::uint32_t{1} << bits) - 1);
  return box;
}

// ---- scores ----

PackingLoss FreeSpace::loss_at(const Search& search, const Parts& free) const {
  PackingLoss loss = 0;
  for (const std::size_t d : search.sized.dimensions) {
    const PackingLoss demand = search.parts[d];
    if (score_ == PackingScore::dot_product) {
      loss -= weights_[d] * demand * free[d];
    } else {
      const PackingLoss left = PackingLoss{free[d]} - demand;
      loss += weights_[d] * left * left;
    }
  }
  return loss;
}

PackingLoss FreeSpace::loss(NodeId node, const Resources& demand) const {
  const Place& place = places_[node.index()];
  TRACEBED_CHECK(place.size != Place::nowhere, "only alive nodes have a score");
  const SizedSpace& sized = sizes_[place.size];
  return loss_at(search_for(sized, demand), parts_of(place.free, sized));
}

bool FreeSpace::is_too_small(const Search& search, const Parts& free) {
  return std::any_of(search.sized.dimensions.begin(), search.sized.dimensions.end(),
                     [&](std::size_t d) { return free[d] < search.parts[d]; });
}

// The more is free the larger are all terms of both.
PackingLoss FreeSpace::least_loss(const Search& search, const Box& box) const {
  if (score_ == PackingScore::dot_product) return loss_at(search, box.high);
  Parts least = box.low;
  for (const std::size_t d : search.sized.dimensions) {
    least[d] = std::max(least[d], search.parts[d]);
  }
  return loss_at(search, least);
}

// ---- nodes ----

std::uint32_t FreeSpace::size_of(const Resources& capacity) {
  const auto [entry, is_new] =
      size_by_capacity_.try_emplace(capacity, static_cast<std::uint32_t>(sizes_.size()));
  if (!is_new) return entry->second;
  SizedSpace sized;
  sized.capacity = capacity;
  for (std::size_t d = 0; d < capacity.dimensions_used(); ++d) {
    if (capacity[d] > 0) sized.dimensions.push_back(d);
  }
  sizes_.push_back(std::move(sized));
  return entry->second;
}

void FreeSpace::update(const Node& node, const Resources& free) {
  if (places_.size() <= node.id.index()) places_.resize(node.id.index() + 1);
  Place& place = places_[node.id.index()];
  const std::uint32_t size = size_of(node.capacity);
  if (place.size == size && place.free == free) return;
  remove(node.id);
  place = {size, free};
  insert(sizes_[size], node.id, free);
}

void FreeSpace::remove(NodeId node) {
  if (node.index() >= places_.size()) return;
  Place& place = places_[node.index()];
  if (place.size == Place::nowhere) return;
  erase(sizes_[place.size], node, place.free);
  place = {};
}

void FreeSpace::insert(SizedSpace& sized, NodeId node, const Resources& free) {
  const Parts parts = parts_of(free, sized);
  Cell* cell = &sized.root;
  std::size_t depth = 0;
  for (; cell->low != nullptr; ++depth) {
    const bool is_high = (parts[dimension_at(sized, depth)] & bit_at(sized, depth)) != 0;
    cell = is_high ? cell->high.get() : cell->low.get();
  }
  const auto point = std::find_if(cell->points.begin(), cell->points.end(),
                                  [&](const Point& one) { return one.free == free; });
  if (point != cell->points.end()) {
    point->nodes.insert(node);
    return;
  }
  cell->points.push_back({free, parts, {node}});
  split(sized, *cell, depth);
}

void FreeSpace::split(const SizedSpace& sized, Cell& cell, std::size_t depth) {
  if (cell.points.size() <= points_max || !can_be_split(sized, depth)) return;
  cell.low = std::make_unique<Cell>();
  cell.high = std::make_unique<Cell>();
  for (Point& point : cell.points) {
    const bool is_high = (point.parts[dimension_at(sized, depth)] & bit_at(sized, depth)) != 0;
    (is_high ? cell.high : cell.low)->points.push_back(std::move(point));
  }
  cell.points.clear();
  split(sized, *cell.low, depth + 1);
  split(sized, *cell.high, depth + 1);
}

void FreeSpace::erase(SizedSpace& sized, NodeId node, const Resources& free) {
  const Parts parts = parts_of(free, sized);
  std::vector<Cell*> way{&sized.root};
  for (std::size_t depth = 0; way.back()->low != nullptr; ++depth) {
    const bool is_high = (parts[dimension_at(sized, depth)] & bit_at(sized, depth)) != 0;
    way.push_back(is_high ? way.back()->high.get() : way.back()->low.get());
  }
  std::vector<Point>& points = way.back()->points;
  const auto point = std::find_if(points.begin(), points.end(),
                                  [&](const Point& one) { return one.free == free; });
  TRACEBED_CHECK(point != points.end() && point->nodes.erase(node) == 1,
                 "a node is at the point of what is free on it");
  if (!point->nodes.empty()) return;
  points.erase(point);
  // Halves that have become small are one cell again.
  for (way.pop_back(); !way.empty(); way.pop_back()) {
    Cell& cell = *way.back();
    const bool are_leaves = cell.low->low == nullptr && cell.high->low == nullptr;
    if (!are_leaves || cell.low->points.size() + cell.high->points.size() > points_max / 2) return;
    cell.points = std::move(cell.low->points);
    std::move(cell.high->points.begin(), cell.high->points.end(), std::back_inserter(cell.points));
    cell.low.reset();
    cell.high.reset();
  }
}

// ---- checks ----

std::size_t FreeSpace::verify_cell(const SizedSpace& sized, const Cell& cell, std::size_t depth,
                                   const Box& box, const FreeTable& free) {
  if (cell.low != nullptr) {
    return verify_cell(sized, *cell.low, depth + 1, half(sized, depth, box, false), free) +
           verify_cell(sized, *cell.high, depth + 1, half(sized, depth, box, true), free);
  }
  std::size_t nodes = 0;
  for (const Point& point : cell.points) {
    for (const std::size_t d : sized.dimensions) {
      TRACEBED_CHECK(point.parts[d] >= box.low[d] && point.parts[d] <= box.high[d],
                     "a point is in its cell");
    }
    for (const NodeId node : point.nodes) {
      TRACEBED_CHECK(point.free == free.free(node), "a point knows what is free");
    }
    nodes += point.nodes.size();
  }
  return nodes;
}

void FreeSpace::verify(const FreeTable& free) const {
  std::size_t nodes = 0;
  for (const SizedSpace& sized : sizes_) {
    nodes += verify_cell(sized, sized.root, 0, whole_box(), free);
  }
  const auto members = std::count_if(places_.begin(), places_.end(), [](const Place& place) {
    return place.size != Place::nowhere;
  });
  TRACEBED_CHECK(nodes == static_cast<std::size_t>(members), "every member is at one point");
}

}  // namespace tracebed

#include "core/document/vertex_maps.h"

#include "core/skin/delta_mush.h"

namespace limber::document {

skin::VertexMap VertexMaps::operator()(std::uint32_t vertex) const {
    static constexpr skin::Influence kWhole{0, 1.0f};
    const double share = shares.empty() ? 1.0 : double(shares[vertex]);
    const skin::VertexMap map =
        skin::poseMap(rows ? rows->row(vertex) : std::span<const skin::Influence>(&kWhole, 1), poses, method, share);
    if (!mush)
        return map;
    return mush->mixed(map, vertex, rest[vertex].cast<double>(), mushShares.empty() ? 1.0 : double(mushShares[vertex]));
}

} // namespace limber::document

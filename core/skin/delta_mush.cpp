#include "core/skin/delta_mush.h"

#include "core/base/pieces.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace limber::skin {

namespace {

constexpr std::size_t kPiece = 4096;

template <class Work> void inParallel(std::size_t count, const Work& work) {
    inPieces(count, pieceOf(count, kPiece), work);
}

Eigen::Vector4f widened(const Eigen::Vector3f& v) {
    return {v.x(), v.y(), v.z(), 0};
}

// A smoothed part this much smaller than the detail that it carries holds little but rounding.
constexpr float kLeastFrame = 0.01f;
// Likewise a normal that is this much smaller than the areas it is the sum of, as where two sheets share their points,
// and what of an edge stands off it.
constexpr float kLeastNormal = 0.01f;
constexpr float kLeastSine = 0.01f;

// Axes of a frame from an edge and the normal of the faces; false where they do not make one.
bool axes(const Eigen::Vector4f& edge, const FacesNormal& faces, Eigen::Vector4f& tangent, Eigen::Vector4f& up) {
    const float square = faces.sum.squaredNorm();
    if (square > kLeastNormal * kLeastNormal * faces.size && square > 0) {
        up = faces.sum / std::sqrt(square);
        tangent = edge - up * up.dot(edge);
        const float length = tangent.norm();
        if (length > kLeastSine * edge.norm() && length > 0) {
            tangent /= length;
            return true;
        }
    }
    return false;
}

} // namespace

MushedSurface::MushedSurface(const mesh::Weld& weld, std::span<const std::uint32_t> triangles,
                             std::span<const Eigen::Vector3f> rest, const DeltaMush& settings,
                             const math::Affine& placement)
    : weld_(weld), settings_(settings), placement_(placement.linear().cast<float>()),
      around_(weld, settings.iterations, weld.pointCount() / 2) {
    const std::size_t count = weld.pointCount();
    const Eigen::Matrix3d cofactor = math::cofactor<double>(placement.linear());
    const double size = cofactor.norm();
    placementOfNormals_ = (size > 0 ? Eigen::Matrix3d(cofactor / size) : Eigen::Matrix3d::Identity()).cast<float>();
    if (placement.linear().determinant() < 0)
        placementOfNormals_ = -placementOfNormals_;
    connect(triangles);
    follows_.resize(count);
    restFrames_.resize(count);
    frames_.resize(count);
    detail_.resize(count);
    smoothed_.resize(count);
    buffer_.resize(count);
    redone_.reserve(rest.size());
    gather(rest, smoothed_);
    inParallel(count, [&](std::size_t first, std::size_t end) {
        for (std::size_t p = first; p < end; ++p) {
            smoothed_[p] = widened(placement_ * smoothed_[p].head<3>());
            detail_[p] = smoothed_[p];
        }
    });
    smooth();
    inParallel(count, [&](std::size_t first, std::size_t end) {
        for (std::size_t p = first; p < end; ++p) {
            const auto point = static_cast<std::uint32_t>(p);
            const Eigen::Vector4f d = detail_[p] - smoothed_[p];
            chooseEdge(point, d.norm());
            const Frame f = restFrames_[p] = frameOf(point);
            detail_[p] = {f.tangent.dot(d), f.normal.cross3(f.tangent).dot(d), f.normal.dot(d), 0};
        }
    });
    frames_ = restFrames_;
}

// Border edges have one triangle: their ends occur once among the corners of a point's triangles.
void MushedSurface::connect(std::span<const std::uint32_t> triangles) {
    const std::size_t count = weld_.pointCount();
    counts_.resize(count);
    edges_.resize(count);
    neighbours_.resize(weld_.neighbours.items.size());
    fans_.resize(2 * weld_.trianglesOfPoint.items.size());
    inParallel(count, [&](std::size_t first, std::size_t end) {
        std::vector<std::uint32_t> ends;
        for (std::size_t p = first; p < end; ++p) {
            ends.clear();
            std::uint32_t* fan = fans_.data() + 2 * weld_.trianglesOfPoint.offsets[p];
            for (const std::uint32_t t : weld_.trianglesOfPoint[p]) {
                std::array<std::uint32_t, 3> corner;
                for (std::size_t k = 0; k < 3; ++k)
                    corner[k] = weld_.pointOfVertex[triangles[3 * std::size_t(t) + k]];
                const std::size_t own = corner[0] == p ? 0 : corner[1] == p ? 1 : 2;
                const std::uint32_t b = corner[(own + 1) % 3], c = corner[(own + 2) % 3];
                *fan++ = b;
                *fan++ = c;
                if (b != c && b != p && c != p)
                    ends.insert(ends.end(), {b, c});
            }
            std::sort(ends.begin(), ends.end());
            std::uint32_t* row = neighbours_.data() + weld_.neighbours.offsets[p];
            std::uint32_t* last = row;
            for (const std::uint32_t other : weld_.neighbours[p])
                if (const auto same = std::equal_range(ends.begin(), ends.end(), other); same.second - same.first == 1)
                    *last++ = other;
            if (last == row)
                last = std::copy(weld_.neighbours[p].begin(), weld_.neighbours[p].end(), row);
            counts_[p] = static_cast<std::uint32_t>(last - row);
        }
    });
}

Eigen::Vector4f MushedSurface::gathered(std::span<const Eigen::Vector3f> vertices, std::size_t point) const {
    const std::span<const std::uint32_t> of = weld_.verticesOfPoint[point];
    const Eigen::Vector4f first = widened(vertices[of[0]]) - origin_;
    if (of.size() == 1)
        return first;
    // Vertices of a seam may have other weights: the mean closes the seam.
    Eigen::Vector4f off = Eigen::Vector4f::Zero();
    for (const std::uint32_t v : of.subspan(1))
        off += widened(vertices[v]) - origin_ - first;
    return first + off / static_cast<float>(of.size());
}

Eigen::Vector4f MushedSurface::originOf(std::span<const Eigen::Vector3f> vertices) const {
    return vertices.empty() ? Eigen::Vector4f::Zero() : widened(vertices[weld_.firstOfFile]);
}

void MushedSurface::gather(std::span<const Eigen::Vector3f> vertices, Points& points) {
    assert(vertices.size() == weld_.pointOfVertex.size());
    origin_ = originOf(vertices);
    inParallel(points.size(), [&](std::size_t first, std::size_t end) {
        for (std::size_t p = first; p < end; ++p)
            points[p] = gathered(vertices, p);
    });
}

void MushedSurface::step(const Points& from, Points& to) const {
    const auto lambda = static_cast<float>(settings_.lambda);
    const std::uint32_t* offsets = weld_.neighbours.offsets.data();
    const Eigen::Vector4f* points = from.data();
    inParallel(from.size(), [&](std::size_t first, std::size_t end) {
        for (std::size_t p = first; p < end; ++p)
            to[p] = smoothed(points, p, neighbours_.data() + offsets[p], counts_[p], lambda);
    });
}

void MushedSurface::smooth() {
    for (std::uint32_t k = 0; k < settings_.iterations; ++k) {
        step(smoothed_, buffer_);
        smoothed_.swap(buffer_);
    }
}

FacesNormal MushedSurface::facesNormal(std::uint32_t point) const {
    const Eigen::Vector4f* points = smoothed_.data();
    const std::uint32_t* fan = fans_.data() + 2 * weld_.trianglesOfPoint.offsets[point];
    const std::uint32_t* last = fans_.data() + 2 * weld_.trianglesOfPoint.offsets[point + 1];
    const auto count = static_cast<float>((last - fan) / 2);
    FacesNormal normal;
    for (; fan != last; fan += 2) {
        const Eigen::Vector4f area = (points[fan[0]] - points[point]).cross3(points[fan[1]] - points[point]);
        normal.sum += area;
        normal.size += area.squaredNorm();
    }
    normal.size *= count;
    return normal;
}

// The first edge that stands well off the normal, or the one that does so most.
void MushedSurface::chooseEdge(std::uint32_t point, float detail) {
    const FacesNormal normal = facesNormal(point);
    const float normalLength = normal.sum.norm();
    float best = 0;
    for (const std::uint32_t other : weld_.neighbours[point]) {
        const Eigen::Vector4f edge = smoothed_[other] - smoothed_[point];
        const float length = edge.norm();
        Eigen::Vector4f tangent, up;
        if (!axes(edge, normal, tangent, up) || normalLength < kLeastFrame * detail * length)
            continue;
        const float off = tangent.dot(edge) / length;
        if (off * length < kLeastFrame * detail || off <= best)
            continue;
        best = off;
        edges_[point] = other;
        if (off > 0.5f)
            break;
    }
    follows_[point] = best > 0;
}

MushedSurface::Frame MushedSurface::frameOf(std::uint32_t point) const {
    Frame frame;
    if (!follows_[point])
        return frame;
    const Eigen::Vector4f edge = smoothed_[edges_[point]] - smoothed_[point];
    if (axes(edge, facesNormal(point), frame.tangent, frame.normal))
        return frame;
    // The pose has flattened the faces: the edge alone turns what it can.
    frame = restFrames_[point];
    const float length = edge.norm();
    if (!(length > 0))
        return frame;
    frame.tangent = edge / length;
    frame.normal -= frame.tangent * frame.tangent.dot(frame.normal);
    const float rest = frame.normal.norm();
    frame.normal = rest > 1e-3f ? Eigen::Vector4f(frame.normal / rest)
                                : widened(Eigen::Vector3f(frame.tangent.head<3>()).unitOrthogonal());
    return frame;
}

void MushedSurface::pose(std::span<const Eigen::Vector3f> skinnedRest) {
    gather(skinnedRest, smoothed_);
    smooth();
    inParallel(smoothed_.size(), [&](std::size_t first, std::size_t end) {
        for (std::size_t p = first; p < end; ++p)
            frames_[p] = frameOf(static_cast<std::uint32_t>(p));
    });
}

bool MushedSurface::poseAround(std::span<const Eigen::Vector3f> skinnedRest, std::span<const std::uint32_t> moved) {
    const std::uint32_t steps = settings_.iterations;
    // All points are kept about the origin.
    if (originOf(skinnedRest) != origin_ || !around_.list(moved))
        return false;
    const std::span<const std::uint32_t> listed = around_.within(2 * steps);
    inParallel(listed.size(), [&](std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; ++k)
            around_.places()[k] = gathered(skinnedRest, listed[k]);
    });
    around_.smooth(neighbours_, counts_, static_cast<float>(settings_.lambda));
    const std::size_t smoothedCount = around_.within(steps).size();
    for (std::size_t k = 0; k < smoothedCount; ++k)
        smoothed_[listed[k]] = around_.places()[k];
    // Frames are made of neighbours too.
    const std::span<const std::uint32_t> framed = around_.within(steps + 1);
    inParallel(framed.size(), [&](std::size_t first, std::size_t end) {
        for (const std::uint32_t p : framed.subspan(first, end - first))
            frames_[p] = frameOf(p);
    });
    redone_.clear();
    for (const std::uint32_t p : framed)
        redone_.insert(redone_.end(), weld_.verticesOfPoint[p].begin(), weld_.verticesOfPoint[p].end());
    return true;
}

Eigen::Vector3f MushedSurface::place(std::uint32_t vertex) const {
    const std::uint32_t p = weld_.pointOfVertex[vertex];
    const Frame& g = frames_[p];
    const Eigen::Vector4f& d = detail_[p];
    return (origin_ + smoothed_[p] + g.tangent * d[0] + g.normal.cross3(g.tangent) * d[1] + g.normal * d[2]).head<3>();
}

Eigen::Matrix3f MushedSurface::turn(std::uint32_t vertex) const {
    const std::uint32_t p = weld_.pointOfVertex[vertex];
    const auto axesOf = [](const Frame& frame) {
        Eigen::Matrix3f m;
        m << frame.tangent.head<3>(), frame.normal.cross3(frame.tangent).head<3>(), frame.normal.head<3>();
        return m;
    };
    return axesOf(frames_[p]) * (axesOf(restFrames_[p]).transpose() * placement_);
}

VertexMap MushedSurface::mixed(const VertexMap& skinned, std::uint32_t vertex, const Eigen::Vector3d& rest,
                               double share) const {
    if (share == 0 || !follows(vertex))
        return skinned;
    const Eigen::Matrix3d t = turn(vertex).cast<double>();
    VertexMap map = skinned;
    map.a += share * (t - skinned.a);
    map.b += share * (place(vertex).cast<double>() - t * rest - skinned.b);
    return map;
}

// `added` at rest, mesh space.
void MushedSurface::mix(std::uint32_t vertex, float share, const Eigen::Vector3f& added,
                        const Eigen::Vector3f& preNormal, Eigen::Vector3f& skinned, Eigen::Vector3f& normal) const {
    const std::uint32_t p = weld_.pointOfVertex[vertex];
    const Frame &f = restFrames_[p], &g = frames_[p];
    const Eigen::Vector4f fThird = f.normal.cross3(f.tangent), gThird = g.normal.cross3(g.tangent);
    const auto carried = [&](const Eigen::Vector4f& a, const Eigen::Vector4f& off) {
        return Eigen::Vector3f((g.tangent * (f.tangent.dot(a) + off[0]) + gThird * (fThird.dot(a) + off[1]) +
                                g.normal * (f.normal.dot(a) + off[2]))
                                   .head<3>());
    };
    const Eigen::Vector3f to =
        origin_.head<3>() + smoothed_[p].head<3>() + carried(widened(placement_ * added), detail_[p]);
    skinned += share * (to - skinned);
    Eigen::Vector3f n = carried(widened(placementOfNormals_ * preNormal), Eigen::Vector4f::Zero());
    if (const float length = n.norm(); length > 0)
        n /= length;
    n = normal + share * (n - normal);
    // Opposite normals may meet at nothing: then the heavier of the two stays.
    if (const float length = n.norm(); length > 1e-6f)
        normal = n / length;
}

void MushedSurface::apply(std::span<const Eigen::Vector3f> pre, std::span<const Eigen::Vector3f> preNormals,
                          std::span<const Eigen::Vector3f> rest, std::span<const float> shares,
                          std::span<Eigen::Vector3f> skinned, std::span<Eigen::Vector3f> normals) const {
    inParallel(skinned.size(), [&](std::size_t first, std::size_t end) {
        for (std::size_t v = first; v < end; ++v) {
            const float share = shares.empty() ? 1 : shares[v];
            if (share != 0 && follows(static_cast<std::uint32_t>(v)))
                mix(static_cast<std::uint32_t>(v), share, pre[v] - rest[v], preNormals[v], skinned[v], normals[v]);
        }
    });
}

void MushedSurface::applyTo(std::span<const std::uint32_t> vertices, std::span<const Eigen::Vector3f> pre,
                            std::span<const Eigen::Vector3f> preNormals, std::span<const Eigen::Vector3f> rest,
                            std::span<const float> shares, std::span<Eigen::Vector3f> skinned,
                            std::span<Eigen::Vector3f> normals) const {
    inParallel(vertices.size(), [&](std::size_t first, std::size_t end) {
        for (const std::uint32_t v : vertices.subspan(first, end - first))
            if (const float share = shares.empty() ? 1 : shares[v]; share != 0 && follows(v))
                mix(v, share, pre[v] - rest[v], preNormals[v], skinned[v], normals[v]);
    });
}

} // namespace limber::skin

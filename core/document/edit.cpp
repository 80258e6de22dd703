#include "core/document/edit.h"

#include <cassert>

namespace limber::document {

namespace {

template <class T, class A> std::size_t bytesOf(const std::vector<T, A>& v) {
    return v.capacity() * sizeof(T);
}

std::size_t bytesOf(const skin::SkinWeights& w) {
    return w.vertexCount() * (w.capacity() * sizeof(skin::Influence) + sizeof(std::uint32_t));
}

std::size_t bytesOf(const shape::Shape& s) {
    return bytesOf(s.vertices) + bytesOf(s.deltas) + bytesOf(s.normalDeltas) + bytesOf(s.tangentDeltas);
}

std::size_t bytesOf(const std::vector<shape::PoseDriver>& drivers) {
    std::size_t bytes = 0;
    for (const shape::PoseDriver& d : drivers)
        for (const shape::DriverSample& s : d.samples)
            bytes += bytesOf(s.rotations) + sizeof s;
    return bytes;
}

struct Sizes {
    std::size_t operator()(const PosePatch& p) const {
        return bytesOf(p.joints) + bytesOf(p.before) + bytesOf(p.after);
    }
    std::size_t operator()(const WeightsPatch& p) const {
        return bytesOf(p.vertices) + bytesOf(p.before) + bytesOf(p.after);
    }
    std::size_t operator()(const ShapeDeltasPatch& p) const {
        return bytesOf(p.vertices) + bytesOf(p.before) + bytesOf(p.after) + (p.whole ? bytesOf(*p.whole) : 0);
    }
    std::size_t operator()(const ShapePatch& p) const { return bytesOf(p.shape) + bytesOf(p.instanceWeights); }
    std::size_t operator()(const DriversPatch& p) const { return bytesOf(p.before) + bytesOf(p.after); }
    std::size_t operator()(const NormalsPatch& p) const {
        return bytesOf(p.vertices) + bytesOf(p.before) + bytesOf(p.after);
    }
    std::size_t operator()(const PaintedMapPatch& p) const {
        return bytesOf(p.vertices) + bytesOf(p.before) + bytesOf(p.after);
    }
    template <class Small> std::size_t operator()(const Small&) const { return 0; }
};

} // namespace

ShapeDeltasPatch shapeDeltasPatch(const Document& doc, MeshId mesh, ShapeId shape, std::vector<std::uint32_t> vertices,
                                  std::vector<Eigen::Vector3f> after) {
    const shape::Shape* now = doc.mesh(mesh).findShape(shape);
    assert(now && vertices.size() == after.size());
    ShapeDeltasPatch p{mesh, shape, std::move(vertices), {}, std::move(after), {}};
    p.before.reserve(p.vertices.size());
    for (const std::uint32_t v : p.vertices)
        p.before.push_back(now->delta(v));
    if (now->losesByEditing(p.vertices))
        p.whole = *now;
    return p;
}

std::size_t Edit::bytes() const {
    std::size_t bytes = sizeof(Edit) + label.size();
    for (const Patch& patch : patches)
        bytes += sizeof(Patch) + std::visit(Sizes{}, patch);
    return bytes;
}

} // namespace limber::document

#include "core/shape/shape.h"

#include <algorithm>
#include <cassert>

namespace limber::shape {

Vector3f Shape::delta(std::uint32_t vertex) const {
    const auto at = std::lower_bound(vertices.begin(), vertices.end(), vertex);
    if (at == vertices.end() || *at != vertex)
        return Vector3f::Zero();
    return deltas[static_cast<std::size_t>(at - vertices.begin())];
}

namespace {

bool isZero(const Vector3f& v) {
    return (v.array() == 0).all();
}

// Copies entries of one shape and new ones into another, in ascending order.
class Merge {
public:
    explicit Merge(const Shape& from)
        : from_(from), hasNormals_(!from.normalDeltas.empty()), hasTangents_(!from.tangentDeltas.empty()) {}

    void keep(std::size_t k) { append(from_.vertices[k], from_.deltas[k], k); }
    void insert(std::uint32_t vertex, const Vector3f& delta) {
        if (!isZero(delta))
            append(vertex, delta, from_.vertices.size());
    }
    // An entry whose offset became zero stays while it carries a normal or a tangent: undo must find them again.
    void replace(std::size_t k, const Vector3f& delta) {
        const bool carries =
            (hasNormals_ && !isZero(from_.normalDeltas[k])) || (hasTangents_ && !isZero(from_.tangentDeltas[k]));
        if (!isZero(delta) || carries)
            append(from_.vertices[k], delta, k);
    }
    void moveInto(Shape& to) {
        to.vertices = std::move(vertices_);
        to.deltas = std::move(deltas_);
        to.normalDeltas = std::move(normals_);
        to.tangentDeltas = std::move(tangents_);
    }

private:
    void append(std::uint32_t vertex, const Vector3f& delta, std::size_t source) {
        const bool old = source < from_.vertices.size();
        vertices_.push_back(vertex);
        deltas_.push_back(delta);
        if (hasNormals_)
            normals_.push_back(old ? from_.normalDeltas[source] : Vector3f::Zero().eval());
        if (hasTangents_)
            tangents_.push_back(old ? from_.tangentDeltas[source] : Vector3f::Zero().eval());
    }

    const Shape& from_;
    bool hasNormals_, hasTangents_;
    std::vector<std::uint32_t> vertices_;
    std::vector<Vector3f> deltas_, normals_, tangents_;
};

} // namespace

void Shape::setDeltas(std::span<const std::uint32_t> newVertices, std::span<const Vector3f> newDeltas) {
    assert(newVertices.size() == newDeltas.size());
    Merge merge(*this);
    std::size_t k = 0;
    for (std::size_t n = 0; n < newVertices.size(); ++n) {
        assert(n == 0 || newVertices[n - 1] < newVertices[n]);
        while (k < vertices.size() && vertices[k] < newVertices[n])
            merge.keep(k++);
        if (k < vertices.size() && vertices[k] == newVertices[n])
            merge.replace(k++, newDeltas[n]);
        else
            merge.insert(newVertices[n], newDeltas[n]);
    }
    while (k < vertices.size())
        merge.keep(k++);
    merge.moveInto(*this);
}

} // namespace limber::shape

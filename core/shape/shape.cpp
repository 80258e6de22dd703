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

} // namespace

void Shape::setDeltas(std::span<const std::uint32_t> newVertices, std::span<const Vector3f> newDeltas) {
    assert(newVertices.size() == newDeltas.size());
    std::vector<std::uint32_t> mergedVertices;
    std::vector<Vector3f> mergedDeltas;
    mergedVertices.reserve(vertices.size() + newVertices.size());
    mergedDeltas.reserve(vertices.size() + newVertices.size());
    const auto append = [&](std::uint32_t vertex, const Vector3f& delta) {
        mergedVertices.push_back(vertex);
        mergedDeltas.push_back(delta);
    };
    std::size_t k = 0;
    for (std::size_t n = 0; n < newVertices.size(); ++n) {
        assert(n == 0 || newVertices[n - 1] < newVertices[n]);
        for (; k < vertices.size() && vertices[k] < newVertices[n]; ++k)
            append(vertices[k], deltas[k]);
        if (k < vertices.size() && vertices[k] == newVertices[n])
            ++k;
        if (!isZero(newDeltas[n]))
            append(newVertices[n], newDeltas[n]);
    }
    for (; k < vertices.size(); ++k)
        append(vertices[k], deltas[k]);
    vertices = std::move(mergedVertices);
    deltas = std::move(mergedDeltas);
    normalDeltas.clear();
    tangentDeltas.clear();
}

bool Shape::losesByEditing(std::span<const std::uint32_t> edited) const {
    if (!normalDeltas.empty() || !tangentDeltas.empty())
        return true;
    auto at = vertices.begin();
    for (const std::uint32_t v : edited) {
        at = std::lower_bound(at, vertices.end(), v);
        if (at == vertices.end())
            return false;
        if (*at == v && isZero(deltas[static_cast<std::size_t>(at - vertices.begin())]))
            return true;
    }
    return false;
}

} // namespace limber::shape

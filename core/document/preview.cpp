#include "core/document/preview.h"

#include "core/document/edit.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace limber::document {

namespace {

// What a row grows by before it has to move: painted joints come one by one.
constexpr std::size_t kRoom = 2;
// Influences that there is room for from the start: 256 MB, of which only what is written to takes memory.
constexpr std::size_t kMostReserved = std::size_t(32) << 20;

} // namespace

void RowList::set(std::size_t k, std::span<const skin::Influence> row) {
    assert(k <= rows_.size());
    if (k == rows_.size())
        rows_.emplace_back();
    Place& place = rows_[k];
    if (row.size() > place.room) {
        place.first = entries_.size();
        place.room = static_cast<std::uint32_t>(row.size() + kRoom);
        entries_.resize(entries_.size() + place.room);
    }
    std::copy(row.begin(), row.end(), entries_.begin() + static_cast<std::ptrdiff_t>(place.first));
    place.count = static_cast<std::uint32_t>(row.size());
}

void RowList::reserve(std::size_t rows, std::size_t influences) {
    rows_.reserve(rows);
    entries_.reserve(influences);
}

void Preview::PreviewRows::set(std::uint32_t vertex, std::span<const skin::Influence> row) {
    const std::uint32_t at = places.insert(vertex, static_cast<std::uint32_t>(vertices.size()));
    if (at == vertices.size())
        vertices.push_back(vertex);
    rows.set(at, row);
}

const ChangeSet& Preview::setJoint(JointId j, const rig::Affine& userLocal) {
    joints_[j] = userLocal;
    ++poseRevision_;
    changes_.clear();
    changes_.joints.push_back(j);
    return changes_;
}

const ChangeSet& Preview::setShapeWeight(InstanceId instance, ShapeId shape, double weight) {
    const auto at = std::find_if(shapeWeights_.begin(), shapeWeights_.end(), [&](const PreviewShapeWeight& w) {
        return w.instance == instance && w.shape == shape;
    });
    if (at == shapeWeights_.end())
        shapeWeights_.push_back({instance, shape, weight});
    else
        at->weight = weight;
    ++poseRevision_;
    changes_.clear();
    changes_.shapeWeights.push_back(instance);
    return changes_;
}

Preview::PreviewRows& Preview::rowsOf(MeshId mesh) {
    const auto [at, isNew] = weights_.try_emplace(mesh);
    if (isNew && spareRows_) {
        at->second = std::move(*spareRows_);
        spareRows_.reset();
    }
    return at->second;
}

void Preview::reserveRows(const Document& doc, MeshId mesh) {
    const skin::SkinWeights& weights = doc.mesh(mesh).weights;
    PreviewRows& rows = rowsOf(mesh);
    rows.places.reserve(weights.vertexCount());
    rows.vertices.reserve(weights.vertexCount());
    std::size_t influences = weights.vertexCount() * kRoom;
    for (const std::uint32_t count : weights.counts())
        influences += count;
    rows.rows.reserve(weights.vertexCount(), std::min(2 * influences, kMostReserved));
}

void Preview::reserveDeltas(MeshId mesh, std::size_t vertices) {
    PreviewDeltas& p = deltas_.at(mesh);
    p.places.reserve(vertices);
    p.vertices.reserve(vertices);
    p.deltas.reserve(vertices);
}

Preview::PreviewMap& Preview::mapOf(MeshId mesh, skin::PaintedMap map, std::size_t vertices) {
    PreviewMap& p = maps_[mesh];
    assert(p.vertices.empty() || p.map == map);
    p.map = map;
    p.places.reserve(vertices);
    p.vertices.reserve(vertices);
    p.values.reserve(vertices);
    return p;
}

void Preview::PreviewMap::set(std::uint32_t vertex, float value) {
    const std::uint32_t at = places.insert(vertex, static_cast<std::uint32_t>(vertices.size()));
    if (at == vertices.size()) {
        vertices.push_back(vertex);
        values.push_back(value);
    } else {
        values[at] = value;
    }
}

Preview::PreviewDeltas& Preview::deltasOf(MeshId mesh, ShapeId shape, double newShapeWeight) {
    PreviewDeltas& p = deltas_[mesh];
    assert(p.vertices.empty() || p.shape == shape);
    p.shape = shape;
    p.weight = newShapeWeight;
    return p;
}

std::uint32_t Preview::setDelta(MeshId mesh, std::uint32_t vertex, const Eigen::Vector3d& delta) {
    PreviewDeltas& p = deltas_.at(mesh);
    const std::uint32_t at = p.places.insert(vertex, static_cast<std::uint32_t>(p.vertices.size()));
    if (at == p.vertices.size()) {
        p.vertices.push_back(vertex);
        p.deltas.push_back(delta);
    } else {
        p.deltas[at] = delta;
    }
    return at;
}

void Preview::setMapValue(MeshId mesh, skin::PaintedMap map, std::uint32_t vertex, float value) {
    PreviewMap& p = maps_[mesh];
    assert(p.vertices.empty() || p.map == map);
    p.map = map;
    p.set(vertex, value);
}

const rig::Affine& Preview::userLocal(const Document& doc, JointId j) const {
    const auto at = joints_.find(j);
    return at == joints_.end() ? doc.state().pose[j.index()] : at->second;
}

std::span<const skin::Influence> Preview::row(const Document& doc, MeshId mesh, std::uint32_t vertex) const {
    const PreviewRows* p = rows(mesh);
    return p ? p->rowOr(doc.mesh(mesh).weights, vertex) : doc.mesh(mesh).weights.row(vertex);
}

const Preview::PreviewDeltas* Preview::deltas(MeshId mesh) const {
    const auto at = deltas_.find(mesh);
    return at == deltas_.end() ? nullptr : &at->second;
}

const Preview::PreviewRows* Preview::rows(MeshId mesh) const {
    const auto at = weights_.find(mesh);
    return at == weights_.end() || at->second.vertices.empty() ? nullptr : &at->second;
}

const Preview::PreviewMap* Preview::map(MeshId mesh) const {
    const auto at = maps_.find(mesh);
    return at == maps_.end() ? nullptr : &at->second;
}

float Preview::mapValue(const Document& doc, MeshId mesh, skin::PaintedMap which, std::uint32_t vertex) const {
    if (const PreviewMap* p = map(mesh); p && p->map == which)
        if (const std::uint32_t at = p->places.find(vertex); at != VertexPlaces::kNone)
            return p->values[at];
    return doc.mesh(mesh).mapValue(which, vertex);
}

namespace {

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> v) {
    std::sort(v.begin(), v.end());
    return v;
}

template <class Map> std::vector<typename Map::key_type> sortedKeys(const Map& map) {
    std::vector<typename Map::key_type> keys;
    keys.reserve(map.size());
    for (const auto& [key, value] : map)
        keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    return keys;
}

} // namespace

ChangeSet Preview::clear() {
    ChangeSet c;
    c.joints = sortedKeys(joints_);
    for (const PreviewShapeWeight& w : shapeWeights_)
        if (std::find(c.shapeWeights.begin(), c.shapeWeights.end(), w.instance) == c.shapeWeights.end())
            c.shapeWeights.push_back(w.instance);
    for (auto& [mesh, p] : weights_) {
        if (p.vertices.empty())
            continue;
        for (const std::uint32_t v : p.vertices)
            p.places.erase(v);
        p.rows.clear();
        std::sort(p.vertices.begin(), p.vertices.end());
        c.of(mesh).weightVertices = p.vertices;
        p.vertices.clear();
        spareRows_ = std::move(p);
    }
    for (const auto& [mesh, p] : deltas_)
        c.of(mesh).shapeVertices = sorted(p.vertices);
    for (const auto& [mesh, p] : maps_)
        c.of(mesh).mapVertices = sorted(p.vertices);
    for (const AppendedJoint& a : appended_)
        c.skins.push_back(a.skin);
    joints_.clear();
    shapeWeights_.clear();
    weights_.clear();
    deltas_.clear();
    maps_.clear();
    appended_.clear();
    ++poseRevision_;
    return c;
}

namespace {

PosePatch posePatch(const Document& doc, const std::unordered_map<JointId, rig::Affine>& joints) {
    PosePatch p;
    for (const JointId j : sortedKeys(joints)) {
        const rig::Affine& before = doc.state().pose[j.index()];
        const rig::Affine& after = joints.at(j);
        if (math::identical(before, after))
            continue;
        p.joints.push_back(j);
        p.before.push_back(before);
        p.after.push_back(after);
    }
    return p;
}

WeightsPatch weightsPatch(const Document& doc, MeshId mesh, const Preview::PreviewRows& rows) {
    WeightsPatch p;
    p.mesh = mesh;
    const skin::SkinWeights& weights = doc.mesh(mesh).weights;
    for (const std::uint32_t v : sorted(rows.vertices)) {
        const auto before = weights.row(v), after = rows.rows.row(rows.places.find(v));
        if (std::equal(before.begin(), before.end(), after.begin(), after.end()))
            continue;
        p.before.appendRow();
        p.before.setRow(p.vertices.size(), before);
        p.after.appendRow();
        p.after.setRow(p.vertices.size(), after);
        p.vertices.push_back(v);
    }
    return p;
}

ShapeDeltasPatch deltasPatch(const Document& doc, MeshId mesh, const Preview::PreviewDeltas& deltas) {
    std::vector<std::uint32_t> vertices;
    std::vector<Eigen::Vector3f> offsets;
    const shape::Shape* shape = doc.mesh(mesh).findShape(deltas.shape);
    assert(shape && "a new shape is created by an edit before its offsets are committed");
    for (const std::uint32_t v : sorted(deltas.vertices)) {
        const Eigen::Vector3f after = deltas.deltas[deltas.places.find(v)].cast<float>();
        if (shape->delta(v) == after)
            continue;
        vertices.push_back(v);
        offsets.push_back(after);
    }
    return shapeDeltasPatch(doc, mesh, deltas.shape, std::move(vertices), std::move(offsets));
}

PaintedMapPatch mapPatch(const Document& doc, MeshId mesh, const Preview::PreviewMap& map) {
    PaintedMapPatch p{mesh, map.map, {}, {}, {}};
    for (const std::uint32_t v : sorted(map.vertices)) {
        const float before = doc.mesh(mesh).mapValue(map.map, v), after = map.values[map.places.find(v)];
        if (before == after)
            continue;
        p.vertices.push_back(v);
        p.before.push_back(before);
        p.after.push_back(after);
    }
    return p;
}

} // namespace

Edit Preview::toEdit(const Document& doc, std::string label) const {
    Edit edit;
    edit.label = std::move(label);
    if (PosePatch p = posePatch(doc, joints_); !p.joints.empty())
        edit.patches.emplace_back(std::move(p));
    for (const PreviewShapeWeight& w : shapeWeights_) {
        const Instance& instance = doc.instance(w.instance);
        const std::size_t index = doc.mesh(instance.mesh).shapeIndex(w.shape);
        if (index < instance.shapeWeights.size() && instance.shapeWeights[index] != w.weight)
            edit.patches.emplace_back(ShapeWeightPatch{w.instance, w.shape, instance.shapeWeights[index], w.weight});
    }
    std::vector<Patch> weights;
    for (const MeshId mesh : sortedKeys(weights_))
        if (WeightsPatch p = weightsPatch(doc, mesh, weights_.at(mesh)); !p.vertices.empty())
            weights.emplace_back(std::move(p));
    // A joint joins a skin only where something was painted with it.
    if (!weights.empty())
        for (const AppendedJoint& a : appended_)
            edit.patches.emplace_back(SkinJointPatch{a.skin, a.joint, a.inverseBind});
    for (Patch& p : weights)
        edit.patches.push_back(std::move(p));
    for (const MeshId mesh : sortedKeys(deltas_))
        if (ShapeDeltasPatch p = deltasPatch(doc, mesh, deltas_.at(mesh)); !p.vertices.empty())
            edit.patches.emplace_back(std::move(p));
    for (const MeshId mesh : sortedKeys(maps_))
        if (PaintedMapPatch p = mapPatch(doc, mesh, maps_.at(mesh)); !p.vertices.empty())
            edit.patches.emplace_back(std::move(p));
    return edit;
}

} // namespace limber::document

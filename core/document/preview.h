// What is being dragged, laid over the document: joint transforms, shape weights, weight rows, shape
// offsets, painted maps.
// The evaluator and the panels read through it; commit turns it into one edit, cancel drops it.
#pragma once

#include "core/document/document.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace limber::document {

// Vertices numbered in the order they come: a place each, without a memory block each.
class VertexPlaces {
public:
    static constexpr std::uint32_t kNone = 0xffffffff;

    [[nodiscard]] std::uint32_t find(std::uint32_t vertex) const {
        return vertex < places_.size() ? places_[vertex] : kNone;
    }
    // `place` for a new vertex, else the one it has.
    std::uint32_t insert(std::uint32_t vertex, std::uint32_t place) {
        if (vertex >= places_.size())
            places_.resize(std::max<std::size_t>(vertex + std::size_t(1), 2 * places_.size()), kNone);
        if (places_[vertex] == kNone)
            places_[vertex] = place;
        return places_[vertex];
    }
    // Room for that many vertices, so that inserting them asks for no more.
    void reserve(std::size_t vertices) {
        if (places_.size() < vertices)
            places_.resize(vertices, kNone);
    }
    void erase(std::uint32_t vertex) { places_[vertex] = kNone; }

private:
    std::vector<std::uint32_t> places_; // by vertex
};

// Weight rows one after the other, each with its own room: one that grows moves to the end, and no other does.
class RowList {
public:
    [[nodiscard]] std::span<const skin::Influence> row(std::size_t k) const {
        return {entries_.data() + rows_[k].first, rows_[k].count};
    }
    // k: of a row, or the number of rows for a new one.
    void set(std::size_t k, std::span<const skin::Influence> row);
    void reserve(std::size_t rows, std::size_t influences);
    void clear() {
        rows_.clear();
        entries_.clear();
    }

private:
    struct Place {
        std::size_t first = 0;
        std::uint32_t count = 0, room = 0;
    };
    std::vector<Place> rows_;
    std::vector<skin::Influence> entries_;
};

class Preview {
public:
    struct PreviewRows {
        std::vector<std::uint32_t> vertices; // in the order they were first touched
        RowList rows;                        // row k is of vertices[k]
        VertexPlaces places;                 // vertex -> k

        // The row of a vertex as it is laid over, or else the document's.
        [[nodiscard]] std::span<const skin::Influence> rowOr(const skin::SkinWeights& weights,
                                                             std::uint32_t vertex) const {
            const std::uint32_t at = places.find(vertex);
            return at == VertexPlaces::kNone ? weights.row(vertex) : rows.row(at);
        }
        void set(std::uint32_t vertex, std::span<const skin::Influence> row);
    };
    struct PreviewDeltas {
        ShapeId shape;     // of the document, or (not valid) a new shape
        double weight = 1; // of a new shape; one of the document keeps its own
        std::vector<std::uint32_t> vertices;
        std::vector<Eigen::Vector3d> deltas; // the whole offset of the vertex, mesh space
        VertexPlaces places;
    };
    struct PreviewMap {
        skin::PaintedMap map = skin::PaintedMap::MethodShare;
        std::vector<std::uint32_t> vertices; // in the order they were first touched
        std::vector<float> values;           // of vertices[k], in [0, 1]
        VertexPlaces places;

        void set(std::uint32_t vertex, float value);
        // The value of a vertex as it is laid over, or else the document's.
        [[nodiscard]] float valueOr(const MeshData& mesh, std::uint32_t vertex) const {
            const std::uint32_t at = places.find(vertex);
            return at == VertexPlaces::kNone ? mesh.mapValue(map, vertex) : values[at];
        }
    };
    struct AppendedJoint {
        SkinId skin;
        JointId joint;
        rig::Affine inverseBind = rig::Affine::Identity();
    };

    struct PreviewShapeWeight {
        InstanceId instance;
        ShapeId shape;
        double weight = 0;
    };

    [[nodiscard]] bool active() const { return hasPose() || !weights_.empty() || !deltas_.empty() || !maps_.empty(); }

    // The change set is valid until the preview is changed again.
    const ChangeSet& setJoint(JointId j, const rig::Affine& userLocal);
    // Drivers and mutes of the document still count more. As above.
    const ChangeSet& setShapeWeight(InstanceId instance, ShapeId shape, double weight);
    // Rows and offsets are set by the thousand: the caller names the vertices in one change set of its own.
    void setRow(MeshId mesh, std::uint32_t vertex, std::span<const skin::Influence> row) {
        rowsOf(mesh).set(vertex, row);
    }
    // The rows of a mesh to set by set(), for a stroke. Valid until clear().
    PreviewRows& rowsOf(MeshId mesh);
    // Room for all rows of a mesh like the document's, so that setting them asks for no more. Untouched room costs
    // no memory where the system gives it when it is written to.
    void reserveRows(const Document& doc, MeshId mesh);
    // Room for offsets of that many vertices.
    void reserveDeltas(MeshId mesh, std::size_t vertices);
    // The values of a painted map to set by set(), with room for that many, for a stroke. Valid until clear().
    PreviewMap& mapOf(MeshId mesh, skin::PaintedMap map, std::size_t vertices);
    // Starts (or finds) the offsets of one shape of a mesh; one shape a mesh at a time.
    PreviewDeltas& deltasOf(MeshId mesh, ShapeId shape, double newShapeWeight = 1);
    // Returns the vertex's place in the list.
    std::uint32_t setDelta(MeshId mesh, std::uint32_t vertex, const Eigen::Vector3d& delta);
    // One map a mesh at a time.
    void setMapValue(MeshId mesh, skin::PaintedMap map, std::uint32_t vertex, float value);
    // The joint's slot is then the skin's joint count.
    void appendJoint(AppendedJoint joint) {
        appended_.push_back(joint);
        ++poseRevision_;
    }

    // The value a reader sees: the preview's, or else the document's.
    [[nodiscard]] const rig::Affine& userLocal(const Document& doc, JointId j) const;
    [[nodiscard]] std::span<const skin::Influence> row(const Document& doc, MeshId mesh, std::uint32_t vertex) const;
    [[nodiscard]] const PreviewDeltas* deltas(MeshId mesh) const;
    [[nodiscard]] const PreviewRows* rows(MeshId mesh) const;
    [[nodiscard]] const PreviewMap* map(MeshId mesh) const;
    [[nodiscard]] float mapValue(const Document& doc, MeshId mesh, skin::PaintedMap map, std::uint32_t vertex) const;
    [[nodiscard]] const std::vector<AppendedJoint>& appendedJoints() const { return appended_; }
    [[nodiscard]] const std::vector<PreviewShapeWeight>& shapeWeights() const { return shapeWeights_; }
    [[nodiscard]] bool hasJoints() const { return !joints_.empty(); }
    [[nodiscard]] bool hasPose() const { return !joints_.empty() || !shapeWeights_.empty(); }

    // Counts the changes of joints, shape weights, joint lists, and clear().
    [[nodiscard]] std::uint64_t poseRevision() const { return poseRevision_; }

    // Forgets all; the change set names everything that was laid over.
    ChangeSet clear();

    // One edit with what is laid over, against the document's present values; unchanged entries left out.
    [[nodiscard]] Edit toEdit(const Document& doc, std::string label) const;

private:
    std::unordered_map<JointId, rig::Affine> joints_;
    std::vector<PreviewShapeWeight> shapeWeights_;
    std::unordered_map<MeshId, PreviewRows> weights_;
    std::unordered_map<MeshId, PreviewDeltas> deltas_;
    std::unordered_map<MeshId, PreviewMap> maps_;
    std::vector<AppendedJoint> appended_;
    std::uint64_t poseRevision_ = 0;
    ChangeSet changes_;                    // what setJoint and setShapeWeight return
    std::optional<PreviewRows> spareRows_; // empty, with the memory of the last stroke
};

} // namespace limber::document

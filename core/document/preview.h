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

private:
    std::vector<std::uint32_t> places_; // by vertex
};

class Preview {
public:
    struct PreviewRows {
        std::vector<std::uint32_t> vertices; // in the order they were first touched
        skin::SkinWeights rows;              // row k is of vertices[k]
        VertexPlaces places;                 // vertex -> k
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

    ChangeSet setJoint(JointId j, const rig::Affine& userLocal);
    // Drivers and mutes of the document still count more.
    ChangeSet setShapeWeight(InstanceId instance, ShapeId shape, double weight);
    // Rows and offsets are set by the thousand: the caller names the vertices in one change set of its own.
    void setRow(MeshId mesh, std::uint32_t vertex, std::span<const skin::Influence> row);
    // Starts (or finds) the offsets of one shape of a mesh; one shape a mesh at a time.
    PreviewDeltas& deltasOf(MeshId mesh, ShapeId shape, double newShapeWeight = 1);
    // Returns the vertex's place in the list.
    std::uint32_t setDelta(MeshId mesh, std::uint32_t vertex, const Eigen::Vector3d& delta);
    // One map a mesh at a time.
    void setMapValue(MeshId mesh, skin::PaintedMap map, std::uint32_t vertex, float value);
    // The joint's slot is then the skin's joint count.
    void appendJoint(AppendedJoint joint) { appended_.push_back(joint); }

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
};

} // namespace limber::document

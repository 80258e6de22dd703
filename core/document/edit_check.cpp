#include "core/document/edit_check.h"

#include <algorithm>
#include <limits>

namespace limber::document {

namespace {

// Strictly ascending and below the bound.
bool isList(const std::vector<std::uint32_t>& vertices, std::size_t bound) {
    return std::is_sorted(vertices.begin(), vertices.end(), std::less_equal<>()) &&
           (vertices.empty() || vertices.back() < bound);
}

bool isShape(const shape::Shape& s, std::size_t vertexCount) {
    const std::size_t n = s.vertices.size();
    const auto fitsIn = [n](const auto& v) { return v.empty() || v.size() == n; };
    return isList(s.vertices, vertexCount) && s.deltas.size() == n && fitsIn(s.normalDeltas) && fitsIn(s.tangentDeltas);
}

class Checker {
public:
    Checker(const Document& doc, Direction direction) : doc_(doc), forward_(direction == Direction::Forward) {}

    bool operator()(const PosePatch& p) const {
        return p.before.size() == p.joints.size() && p.after.size() == p.joints.size() &&
               std::all_of(p.joints.begin(), p.joints.end(), [this](JointId j) { return has(j); });
    }

    bool operator()(const WeightsPatch& p) const {
        return has(p.mesh) && isList(p.vertices, doc_.mesh(p.mesh).weights.vertexCount()) &&
               areRows(p.before, p.vertices.size(), slotsOf(p.mesh)) &&
               areRows(p.after, p.vertices.size(), slotsOf(p.mesh));
    }

    bool operator()(const SkinJointPatch& p) const {
        if (!has(p.joint) || p.skin.index() >= doc_.state().skins.size())
            return false;
        const std::vector<JointId>& joints = doc_.skin(p.skin).joints;
        return forward_ || (!joints.empty() && joints.back() == p.joint && !isUsed(p.skin, joints.size() - 1));
    }

    bool operator()(const ShapeDeltasPatch& p) const {
        if (!has(p.mesh, p.shape))
            return false;
        const std::size_t vertices = doc_.mesh(p.mesh).geometry.vertexCount();
        return isList(p.vertices, vertices) && p.before.size() == p.vertices.size() &&
               p.after.size() == p.vertices.size() && (!p.whole || isShape(*p.whole, vertices));
    }

    bool operator()(const ShapePatch& p) const {
        if (!has(p.mesh) || p.shape.id.value >= ShapeId::kNone - 1)
            return false;
        const MeshData& m = doc_.mesh(p.mesh);
        std::size_t instances = 0;
        for (const Instance& i : doc_.state().instances)
            if (i.mesh == p.mesh) {
                if (i.shapeWeights.size() != m.shapes.size())
                    return false;
                ++instances;
            }
        if (!isShape(p.shape, m.geometry.vertexCount()) || p.instanceWeights.size() != instances)
            return false;
        if (forward_ != p.removes)
            return p.index <= m.shapes.size() && !m.findShape(p.shape.id);
        return p.index < m.shapes.size() && m.shapes[p.index].id == p.shape.id && !m.isDriven(p.shape.id);
    }

    bool operator()(const ShapePropertiesPatch& p) const { return has(p.mesh, p.shape); }

    bool operator()(const DriversPatch& p) const {
        return has(p.mesh) && areDrivers(p.mesh, p.before) && areDrivers(p.mesh, p.after);
    }

    bool operator()(const ShapeWeightPatch& p) const {
        if (p.instance.index() >= doc_.instanceCount())
            return false;
        const Instance& instance = doc_.instance(p.instance);
        return has(instance.mesh, p.shape) &&
               doc_.mesh(instance.mesh).shapeIndex(p.shape) < instance.shapeWeights.size();
    }

    bool operator()(const LockPatch& p) const { return has(p.joint); }
    bool operator()(const JointNamePatch& p) const { return has(p.joint); }

    bool operator()(const NormalsPatch& p) const {
        return has(p.mesh) && isList(p.vertices, doc_.mesh(p.mesh).geometry.normals.size()) &&
               p.before.size() == p.vertices.size() && p.after.size() == p.vertices.size();
    }

    bool operator()(const RepairsPatch& p) const { return has(p.mesh); }

    bool operator()(const SkinningPatch& p) const { return has(p.mesh) && isSkinning(p.before) && isSkinning(p.after); }

    bool operator()(const PaintedMapPatch& p) const {
        return has(p.mesh) && static_cast<std::uint8_t>(p.map) < skin::kPaintedMapCount &&
               isList(p.vertices, doc_.mesh(p.mesh).geometry.vertexCount()) && areShares(p.before, p.vertices.size()) &&
               areShares(p.after, p.vertices.size());
    }

private:
    [[nodiscard]] bool has(JointId j) const { return j.index() < doc_.skeleton().size(); }
    [[nodiscard]] bool has(MeshId m) const { return m.index() < doc_.state().meshes.size(); }
    [[nodiscard]] bool has(MeshId m, ShapeId s) const { return has(m) && doc_.mesh(m).findShape(s); }

    [[nodiscard]] static bool isSkinning(const skin::Skinning& s) {
        return static_cast<std::uint8_t>(s.method) < skin::kMethodCount && s.mush.iterations >= 1 &&
               s.mush.iterations <= skin::kMaxMushIterations && s.mush.lambda > 0 && s.mush.lambda <= 1;
    }

    [[nodiscard]] static bool areShares(const std::vector<float>& values, std::size_t count) {
        return values.size() == count &&
               std::all_of(values.begin(), values.end(), [](float value) { return value >= 0 && value <= 1; });
    }

    // Slots that every skin of the mesh's instances has.
    [[nodiscard]] std::size_t slotsOf(MeshId m) const {
        std::size_t slots = std::numeric_limits<std::size_t>::max();
        for (const Instance& i : doc_.state().instances)
            if (i.mesh == m && i.skin.valid())
                slots = std::min(slots, doc_.skin(i.skin).joints.size());
        return slots;
    }

    [[nodiscard]] static bool areRows(const skin::SkinWeights& rows, std::size_t count, std::size_t slots) {
        if (rows.vertexCount() != count)
            return false;
        for (std::size_t k = 0; k < count; ++k) {
            const auto row = rows.row(k);
            for (std::size_t i = 0; i < row.size(); ++i)
                if (row[i].slot >= slots || row[i].weight < 0 || (i > 0 && row[i - 1].slot >= row[i].slot))
                    return false;
        }
        return true;
    }

    [[nodiscard]] bool isUsed(SkinId skin, std::size_t slot) const {
        for (const Instance& i : doc_.state().instances) {
            if (i.skin != skin)
                continue;
            const skin::SkinWeights& weights = doc_.mesh(i.mesh).weights;
            for (std::size_t v = 0; v < weights.vertexCount(); ++v)
                if (const auto row = weights.row(v); !row.empty() && row.back().slot >= slot)
                    return true;
        }
        return false;
    }

    [[nodiscard]] bool areDrivers(MeshId m, const std::vector<shape::PoseDriver>& drivers) const {
        for (const shape::PoseDriver& d : drivers) {
            if (!(d.widthScale > 0) ||
                !std::all_of(d.joints.begin(), d.joints.end(), [this](JointId j) { return has(j); }))
                return false;
            for (const shape::DriverSample& s : d.samples)
                if (!has(m, s.shape) || s.rotations.size() != d.joints.size())
                    return false;
        }
        return true;
    }

    const Document& doc_;
    bool forward_;
};

void put(Document& doc, const Edit& edit, Direction direction) {
    (void)(direction == Direction::Forward ? doc.apply(edit) : doc.revert(edit));
}

Status walk(Document& doc, const Edit& edit, Direction direction) {
    const bool forward = direction == Direction::Forward;
    const std::size_t n = edit.patches.size();
    if (n == 1) { // the usual case needs no copy
        Status fitting = fits(doc, edit.patches[0], direction);
        if (fitting)
            put(doc, edit, direction);
        return fitting;
    }
    const auto at = [&](std::size_t k) -> const Patch& { return edit.patches[forward ? k : n - 1 - k]; };
    for (std::size_t k = 0; k < n; ++k) {
        if (const Status fitting = fits(doc, at(k), direction); !fitting) {
            while (k-- > 0)
                put(doc, {{}, {at(k)}}, forward ? Direction::Backward : Direction::Forward);
            return fitting;
        }
        put(doc, {{}, {at(k)}}, direction);
    }
    return {};
}

} // namespace

Status fits(const Document& doc, const Patch& patch, Direction direction) {
    if (std::visit(Checker(doc, direction), patch))
        return {};
    return Error{ErrorCode::InputRefused, "The stored change does not belong to this document.", {}};
}

Status applyChecked(Document& doc, const Edit& edit) {
    return walk(doc, edit, Direction::Forward);
}

Status revertChecked(Document& doc, const Edit& edit) {
    return walk(doc, edit, Direction::Backward);
}

} // namespace limber::document

// One instance of a mesh on the graphics card: static arrays, weights and palette for the vertex shader, a draw per
// part. Posed by the vertex shader; by the CPU when asked to, where a last step follows skinning, and where the
// graphics hold no array so large.
#pragma once

#include "core/document/change_set.h"
#include "core/skin/skinning.h"
#include "ui/viewport/dirty_buffer.h"
#include "ui/viewport/mesh_effects.h"
#include "ui/viewport/shader_array.h"

#include <Qt3DCore/QEntity>
#include <Qt3DCore/QGeometry>

#include <vector>

namespace Qt3DRender {
class QMaterial;
}

namespace limber::ui {

class Editor;
class SceneTextures;

class MeshView {
public:
    // The nodes belong to `parent` and live as long as the document.
    MeshView(Editor& editor, InstanceId instance, MeshEffects& effects, SceneTextures& textures,
             Qt3DCore::QEntity* parent);

    void invalidate(const document::ChangeSet& changes);
    void setGpuSkinning(bool on) { gpu_ = on; }
    void setHeatJoint(JointId joint);
    void setVisible(bool visible) { entity_->setEnabled(visible); }

    // Sends what changed since the last frame; call right before a frame and only when visible. O(changed), posed
    // points included. Frames that it takes until all of that is drawn, at least 1.
    int flush();

    // Of the last flush; whether the vertex shader poses.
    [[nodiscard]] bool shaderPoses() const { return stage_ && *stage_ != SkinStage::Posed; }
    // Bytes of points, weights, palettes and maps sent so far.
    [[nodiscard]] std::uint64_t sentBytes() const;

private:
    void addAttributes();
    void addPart(std::size_t part, SceneTextures& textures);
    bool chooseStage();
    int flushSkin();
    void flushPoints();
    int flushHeat();
    void markShape(const std::vector<std::uint32_t>& vertices);
    [[nodiscard]] std::vector<float> heatOfRows(int slot) const;
    [[nodiscard]] int heatSlot() const;
    [[nodiscard]] MeshId mesh() const;
    [[nodiscard]] bool skinned() const;
    [[nodiscard]] bool rowsFit() const;

    Editor& editor_;
    InstanceId instance_;
    MeshEffects& effects_;
    Qt3DCore::QEntity* entity_;
    Qt3DCore::QGeometry* geometry_;
    DirtyBuffer positions_, normals_;
    ShaderArray palette_, rigid_, entries_, counts_, share_, heat_;
    Qt3DRender::QParameter *heatSlot_, *heatSource_, *capacity_, *paintedShare_, *mirroredJoints_;
    struct PartMaterial {
        Qt3DRender::QMaterial* material;
        bool blended, doubleSided;
    };
    std::vector<PartMaterial> materials_;
    JointId heatJoint_;
    std::optional<skin::PaintedMap> shownMap_;
    std::uint64_t preSkinRevision_ = 0, paletteRevision_ = 0;
    std::optional<SkinStage> stage_; // none before the first frame
    bool gpu_ = true;
    bool heatDirty_ = true;
    bool mirrored_ = false;
};

} // namespace limber::ui

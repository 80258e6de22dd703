// One instance of a mesh on the graphics card: static arrays, weights and palette as storage buffers, a draw per part.
// Posed by the vertex shader, or by the CPU when asked to (and where the graphics cannot).
#pragma once

#include "core/document/change_set.h"
#include "ui/viewport/dirty_buffer.h"
#include "ui/viewport/mesh_effects.h"

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
    MeshView(Editor& editor, InstanceId instance, const MeshEffects& effects, SceneTextures& textures,
             Qt3DCore::QEntity* parent);

    void invalidate(const document::ChangeSet& changes);
    void setGpuSkinning(bool on);
    void setHeatJoint(JointId joint);
    void setVisible(bool visible) { entity_->setEnabled(visible); }

    // Sends what changed since the last frame; call right before a frame and only when visible. O(changed) on the
    // vertex shader's path, all posed points on the CPU's.
    void flush();

private:
    void addAttributes();
    void addPart(std::size_t part, SceneTextures& textures);
    void showSides();
    void flushSkin();
    void flushPoints();
    void flushHeat();
    [[nodiscard]] int heatSlot() const;
    [[nodiscard]] bool skinned() const;

    Editor& editor_;
    InstanceId instance_;
    const MeshEffects& effects_;
    Qt3DCore::QEntity* entity_;
    Qt3DCore::QGeometry* geometry_;
    DirtyBuffer positions_, normals_, palette_, entries_, counts_, heat_;
    Qt3DRender::QParameter *skinHere_, *heatSlotParameter_, *capacity_;
    struct PartMaterial {
        Qt3DRender::QMaterial* material;
        bool blended, doubleSided;
    };
    std::vector<PartMaterial> materials_;
    JointId heatJoint_;
    std::uint64_t preSkinRevision_ = 0;
    bool gpu_ = true;
    bool heatDirty_ = true;
    bool mirrored_ = false, sidesDirty_ = true;
};

} // namespace limber::ui

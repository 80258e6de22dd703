#include "ui/viewport/mesh_view.h"

#include "ui/editor/editor.h"
#include "ui/viewport/scene_textures.h"

#include <Qt3DCore/QAttribute>
#include <Qt3DRender/QGeometryRenderer>
#include <Qt3DRender/QMaterial>

#include <cmath>

namespace limber::ui {

using namespace Qt3DRender;
using Qt3DCore::QAttribute;

namespace {

// Bytes of one influence and of one palette entry as the shader reads them.
static_assert(sizeof(skin::Influence) == 8 && sizeof(skin::Matrix34f) == 48);

QByteArray bytesFrom(const void* data, std::size_t size) {
    return {static_cast<const char*>(data), static_cast<qsizetype>(size)};
}

void addAttribute(Qt3DCore::QGeometry* geometry, Qt3DCore::QBuffer* buffer, const char* name,
                  QAttribute::VertexBaseType type, unsigned components, std::size_t count) {
    geometry->addAttribute(
        new QAttribute(buffer, QLatin1String(name), type, components, static_cast<unsigned>(count), 0, 0, geometry));
}

// Texture coordinates of all vertices, those of a part carried by its material's texture transform
// (KHR_texture_transform: scale, then rotation, then offset).
std::vector<Eigen::Vector2f> shownUvs(const document::DocumentState& state, const mesh::Mesh& mesh) {
    std::vector<Eigen::Vector2f> uvs = mesh.uvs;
    uvs.resize(mesh.vertexCount(), Eigen::Vector2f::Zero());
    for (const mesh::Part& part : mesh.parts) {
        if (part.material < 0)
            continue;
        const auto& t = state.materials[static_cast<std::size_t>(part.material)].baseColorTexture.transform;
        if (t == std::array<double, 5>{0, 0, 0, 1, 1})
            continue;
        const double c = std::cos(t[2]), s = std::sin(t[2]);
        Eigen::Matrix2d a;
        a << c * t[3], s * t[4], -s * t[3], c * t[4];
        for (std::uint32_t v = part.firstVertex; v < part.firstVertex + part.vertexCount; ++v)
            uvs[v] = (a * uvs[v].cast<double>() + Eigen::Vector2d(t[0], t[1])).cast<float>();
    }
    return uvs;
}

std::vector<std::uint16_t> shownColors(const mesh::Mesh& mesh) {
    std::vector<std::uint16_t> colors(mesh.vertexCount() * 4, 0xffff);
    for (std::size_t v = 0; v < mesh.colors.size(); ++v)
        for (int c = 0; c < 4; ++c)
            colors[v * 4 + static_cast<std::size_t>(c)] =
                static_cast<std::uint16_t>(std::lround(std::clamp(mesh.colors[v][c], 0.0f, 1.0f) * 65535));
    return colors;
}

} // namespace

MeshView::MeshView(Editor& editor, InstanceId instance, const MeshEffects& effects, SceneTextures& textures,
                   Qt3DCore::QEntity* parent)
    : editor_(editor), instance_(instance), effects_(effects), entity_(new Qt3DCore::QEntity(parent)),
      geometry_(new Qt3DCore::QGeometry(entity_)), positions_(geometry_), normals_(geometry_), palette_(geometry_),
      entries_(geometry_), counts_(geometry_), heat_(geometry_),
      skinHere_(new QParameter(QStringLiteral("skinHere"), QVariant(1), entity_)),
      heatSlotParameter_(new QParameter(QStringLiteral("heatSlot"), QVariant(-1), entity_)),
      capacity_(new QParameter(QStringLiteral("influenceCapacity"), QVariant(0), entity_)) {
    gpu_ = effects.level() == ShaderLevel::Gl43;
    addAttributes();
    const std::size_t parts = editor.document().mesh(editor.document().instance(instance).mesh).geometry.parts.size();
    for (std::size_t part = 0; part < parts; ++part)
        addPart(part, textures);
}

bool MeshView::skinned() const {
    const document::Instance& instance = editor_.document().instance(instance_);
    return instance.skin.valid() && !editor_.document().mesh(instance.mesh).weights.empty();
}

void MeshView::addAttributes() {
    const document::Document& doc = editor_.document();
    const mesh::Mesh& mesh = doc.mesh(doc.instance(instance_).mesh).geometry;
    const std::size_t count = mesh.vertexCount();
    const auto fixed = [&](const void* data, std::size_t size) {
        auto* buffer = new Qt3DCore::QBuffer(geometry_);
        buffer->setData(bytesFrom(data, size));
        return buffer;
    };
    const auto uvs = shownUvs(doc.state(), mesh);
    const auto colors = shownColors(mesh);
    addAttribute(geometry_, positions_.buffer(), "vertexPosition", QAttribute::Float, 3, count);
    addAttribute(geometry_, normals_.buffer(), "vertexNormal", QAttribute::Float, 3, count);
    addAttribute(geometry_, fixed(uvs.data(), uvs.size() * 8), "vertexUv", QAttribute::Float, 2, count);
    addAttribute(geometry_, fixed(colors.data(), colors.size() * 2), "vertexColor", QAttribute::UnsignedShort, 4,
                 count);
    if (effects_.level() == ShaderLevel::Gl33)
        addAttribute(geometry_, heat_.buffer(), "vertexHeat", QAttribute::Float, 1, count);
    auto* indices = new QAttribute(fixed(mesh.triangles.data(), mesh.triangles.size() * 4), QAttribute::UnsignedInt, 1,
                                   static_cast<unsigned>(mesh.triangles.size()), 0, 0, geometry_);
    indices->setAttributeType(QAttribute::IndexAttribute);
    geometry_->addAttribute(indices);
}

void MeshView::addPart(std::size_t index, SceneTextures& textures) {
    const document::Document& doc = editor_.document();
    const mesh::Part& part = doc.mesh(doc.instance(instance_).mesh).geometry.parts[index];
    static const document::Material kNone;
    const document::Material& m =
        part.material < 0 ? kNone : doc.state().materials[static_cast<std::size_t>(part.material)];
    auto* entity = new Qt3DCore::QEntity(entity_);
    auto* renderer = new QGeometryRenderer(entity);
    renderer->setGeometry(geometry_);
    renderer->setVertexCount(static_cast<int>(part.triangleCount * 3));
    renderer->setIndexBufferByteOffset(static_cast<int>(part.firstTriangle * 12));

    const bool blended = m.alpha == document::Material::Alpha::Blend;
    auto* material = new QMaterial(entity);
    material->setEffect(effects_.effect(blended, m.doubleSided));
    materials_.push_back({material, blended, m.doubleSided});
    const auto add = [&](const char* name, const QVariant& value) {
        auto* parameter = new QParameter(QLatin1String(name), value, material);
        material->addParameter(parameter);
        return parameter;
    };
    add("baseColor",
        QVector4D(float(m.baseColor[0]), float(m.baseColor[1]), float(m.baseColor[2]), float(m.baseColor[3])));
    add("plain", part.material < 0 ? 1 : 0);
    add("unlit", m.unlit ? 1 : 0);
    add("blended", blended ? 1 : 0);
    add("alphaCutoff", m.alpha == document::Material::Alpha::Mask ? float(m.alphaCutoff) : -1.0f);
    textures.bind(add("baseTexture", {}), doc, m.baseColorTexture);
    material->addParameter(heatSlotParameter_);
    material->addParameter(skinHere_);
    if (effects_.level() == ShaderLevel::Gl43) {
        material->addParameter(capacity_);
        add("Palette", QVariant::fromValue(palette_.buffer()));
        add("WeightEntries", QVariant::fromValue(entries_.buffer()));
        add("WeightCounts", QVariant::fromValue(counts_.buffer()));
    }
    entity->addComponent(renderer);
    entity->addComponent(material);
}

// A joint that mirrors turns the triangles it carries the other way round: culling would show their inside. A skinned
// mesh may have both kinds at once, so all of it is drawn from both sides.
void MeshView::showSides() {
    if (!sidesDirty_)
        return;
    sidesDirty_ = false;
    const auto matrices = editor_.evaluator().skinMatrices(instance_);
    const bool mirrored = std::any_of(matrices.begin(), matrices.end(),
                                      [](const rig::Affine& m) { return m.linear().determinant() < 0; });
    if (mirrored == mirrored_)
        return;
    mirrored_ = mirrored;
    for (const PartMaterial& part : materials_)
        part.material->setEffect(effects_.effect(part.blended, part.doubleSided || mirrored));
}

void MeshView::invalidate(const document::ChangeSet& changes) {
    if (!changes.joints.empty() || !changes.skins.empty()) {
        palette_.markAll();
        sidesDirty_ = true;
    }
    heatDirty_ = heatDirty_ || !changes.skins.empty();
    if (!gpu_) {
        positions_.markAll();
        normals_.markAll();
    }
    const document::Document& doc = editor_.document();
    const MeshId meshId = doc.instance(instance_).mesh;
    for (const document::MeshChange& change : changes.meshes) {
        if (change.mesh != meshId)
            continue;
        const std::size_t capacity = editor_.evaluator().weights(meshId).capacity();
        for (const std::uint32_t v : change.weightVertices) {
            entries_.markRange(v * capacity * sizeof(skin::Influence), capacity * sizeof(skin::Influence));
            counts_.markRange(v * sizeof(std::uint32_t), sizeof(std::uint32_t));
        }
        heatDirty_ = heatDirty_ || !change.weightVertices.empty();
        // The normals around a moved point change with it.
        const mesh::Weld& weld = doc.mesh(meshId).weld();
        for (const std::uint32_t v : change.shapeVertices) {
            const std::uint32_t point = weld.pointOfVertex[v];
            for (const std::uint32_t same : weld.verticesOfPoint[point])
                positions_.markRange(same * 12u, 12);
            const auto markNormals = [&](std::uint32_t p) {
                for (const std::uint32_t same : weld.verticesOfPoint[p])
                    normals_.markRange(same * 12u, 12);
            };
            markNormals(point);
            for (const std::uint32_t near : weld.neighbours[point])
                markNormals(near);
        }
    }
}

void MeshView::setGpuSkinning(bool on) {
    on = on && effects_.level() == ShaderLevel::Gl43;
    if (on == gpu_)
        return;
    gpu_ = on;
    positions_.markAll();
    normals_.markAll();
    palette_.markAll();
}

void MeshView::setHeatJoint(JointId joint) {
    heatDirty_ = heatDirty_ || joint != heatJoint_;
    heatJoint_ = joint;
}

int MeshView::heatSlot() const {
    const document::Document& doc = editor_.document();
    const document::Instance& instance = doc.instance(instance_);
    if (!heatJoint_.valid())
        return -1;
    if (!skinned())
        return instance.node == heatJoint_ ? 0 : -1;
    const document::Skin& skin = doc.skin(instance.skin);
    if (const auto slot = skin.slotOf(heatJoint_))
        return static_cast<int>(*slot);
    std::size_t appended = skin.joints.size();
    for (const document::Preview::AppendedJoint& a : editor_.preview().appendedJoints())
        if (a.skin == instance.skin) {
            if (a.joint == heatJoint_)
                return static_cast<int>(appended);
            ++appended;
        }
    return -1;
}

void MeshView::flush() {
    showSides();
    if (effects_.level() == ShaderLevel::Gl43)
        flushSkin();
    flushPoints();
    flushHeat();
}

void MeshView::flushSkin() {
    document::Evaluator& evaluator = editor_.evaluator();
    palette_.flush(bytesOf(evaluator.palette(instance_).linear()));
    skinHere_->setValue(gpu_ ? 1 : 0);
    if (skinned()) {
        const skin::SkinWeights& weights = evaluator.weights(editor_.document().instance(instance_).mesh);
        capacity_->setValue(static_cast<int>(weights.capacity()));
        entries_.flush(bytesOf(weights.entries()));
        counts_.flush(bytesOf(weights.counts()));
    } else {
        // A block without a buffer would leave the mesh undrawn.
        static constexpr std::array<std::uint32_t, 4> kNone{};
        entries_.flush(std::as_bytes(std::span(kNone)));
        counts_.flush(std::as_bytes(std::span(kNone)));
    }
}

void MeshView::flushPoints() {
    document::Evaluator& evaluator = editor_.evaluator();
    if (!gpu_) {
        if (positions_.dirty() || normals_.dirty()) {
            positions_.flush(bytesOf(evaluator.positions(instance_)));
            normals_.flush(bytesOf(evaluator.normals(instance_)));
        }
        return;
    }
    const auto points = evaluator.preSkinPositions(instance_);
    const std::uint64_t revision = evaluator.preSkinRevision(instance_);
    if (revision != preSkinRevision_) {
        preSkinRevision_ = revision;
        positions_.markAll();
        normals_.markAll();
    }
    positions_.flush(bytesOf(points));
    normals_.flush(bytesOf(evaluator.preSkinNormals(instance_)));
}

void MeshView::flushHeat() {
    if (!heatDirty_)
        return;
    heatDirty_ = false;
    const int slot = heatSlot();
    heatSlotParameter_->setValue(slot);
    if (effects_.level() == ShaderLevel::Gl43)
        return;
    const std::size_t count = editor_.evaluator().preSkinPositions(instance_).size();
    std::vector<float> heat(count, slot >= 0 ? 1.0f : 0.0f);
    if (skinned()) {
        const skin::SkinWeights& weights = editor_.evaluator().weights(editor_.document().instance(instance_).mesh);
        for (std::size_t v = 0; v < count; ++v)
            heat[v] = weights.row(v).empty() ? -1.0f
                      : slot < 0             ? 0.0f
                                             : weights.weight(v, static_cast<std::uint32_t>(slot));
    }
    heat_.markAll();
    heat_.flush(bytesOf(std::span<const float>(heat)));
}

} // namespace limber::ui

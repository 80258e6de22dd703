#include "ui/viewport/mesh_view.h"

#include "ui/editor/editor.h"
#include "ui/viewport/scene_textures.h"

#include <Qt3DCore/QAttribute>
#include <Qt3DCore/QGeometryView>
#include <Qt3DRender/QGeometryRenderer>
#include <Qt3DRender/QMaterial>

#include <cmath>

namespace limber::ui {

using namespace Qt3DRender;
using Qt3DCore::QAttribute;

namespace {

// Bytes of one influence and of one palette entry as the shader reads them.
static_assert(sizeof(skin::Influence) == 8 && sizeof(skin::Matrix34f) == 48);

using Texel = ShaderArray::Texel;

QByteArray bytesFrom(const void* data, std::size_t size) {
    return {static_cast<const char*>(data), static_cast<qsizetype>(size)};
}

void addAttribute(Qt3DCore::QGeometry* geometry, Qt3DCore::QBuffer* buffer, const char* name,
                  QAttribute::VertexBaseType type, unsigned components, std::size_t count) {
    geometry->addAttribute(
        new QAttribute(buffer, QLatin1String(name), type, components, static_cast<unsigned>(count), 0, 0, geometry));
}

// Texture coordinates of all vertices, those of a part carried by its material's texture transform
// (KHR_texture_transform: scale, then rotation, then offset). One pair for all where there are none.
std::vector<float> shownUvs(const document::DocumentState& state, const mesh::Mesh& mesh) {
    if (mesh.uvs.empty())
        return {0, 0};
    std::vector<float> uvs(mesh.vertexCount() * 2);
    const auto at = [&](std::size_t v) { return Eigen::Map<Eigen::Vector2f>(&uvs[2 * v]); };
    for (std::size_t v = 0; v < mesh.uvs.size(); ++v)
        at(v) = mesh.uvs[v];
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
            at(v) = (a * at(v).cast<double>() + Eigen::Vector2d(t[0], t[1])).cast<float>();
    }
    return uvs;
}

// White for all where there are none.
std::vector<std::uint16_t> shownColors(const mesh::Mesh& mesh) {
    std::vector<std::uint16_t> colors(std::max<std::size_t>(mesh.colors.size(), 1) * 4, 0xffff);
    for (std::size_t v = 0; v < mesh.colors.size(); ++v)
        for (int c = 0; c < 4; ++c)
            colors[v * 4 + static_cast<std::size_t>(c)] =
                static_cast<std::uint16_t>(std::lround(std::clamp(mesh.colors[v][c], 0.0f, 1.0f) * 65535));
    return colors;
}

// Of the points of a part at bind, world: what translucent parts are sorted by.
Eigen::AlignedBox3f bindBox(const document::Document& doc, InstanceId id, const mesh::Part& part) {
    const document::Instance& instance = doc.instance(id);
    const math::Affine& place =
        doc.isSkinned(id) ? doc.skin(instance.skin).bindShape : doc.skeleton()[instance.node].bindWorld;
    const std::vector<Eigen::Vector3f>& points = doc.mesh(instance.mesh).geometry.positions;
    Eigen::AlignedBox3f box;
    for (std::uint32_t v = part.firstVertex; v < part.firstVertex + part.vertexCount; ++v)
        box.extend((place * points[v].cast<double>()).cast<float>());
    return box.isEmpty() ? Eigen::AlignedBox3f(Eigen::Vector3f(0, 0, 0)) : box;
}

} // namespace

MeshView::MeshView(Editor& editor, InstanceId instance, MeshEffects& effects, SceneTextures& textures,
                   Qt3DCore::QEntity* parent)
    : editor_(editor), instance_(instance), effects_(effects), entity_(new Qt3DCore::QEntity(parent)),
      geometry_(new Qt3DCore::QGeometry(entity_)), positions_(geometry_), normals_(geometry_),
      palette_(effects.level(), Texel::Vec4, "Palette", entity_),
      rigid_(effects.level(), Texel::Vec4, "RigidPalette", entity_),
      entries_(effects.level(), Texel::Entry, "WeightEntries", entity_),
      counts_(effects.level(), Texel::Count, "WeightCounts", entity_),
      share_(effects.level(), Texel::Float, "MethodShare", entity_),
      heat_(effects.level(), Texel::Float, "HeatValues", entity_),
      heatSlot_(new QParameter(QStringLiteral("heatSlot"), QVariant(-1), entity_)),
      heatSource_(new QParameter(QStringLiteral("heatSource"), QVariant(0), entity_)),
      capacity_(new QParameter(QStringLiteral("influenceCapacity"), QVariant(0), entity_)),
      paintedShare_(new QParameter(QStringLiteral("paintedShare"), QVariant(0), entity_)),
      mirroredJoints_(new QParameter(QStringLiteral("mirroredJoints"), QVariant(0), entity_)) {
    addAttributes();
    const std::size_t parts = editor.document().mesh(mesh()).geometry.parts.size();
    for (std::size_t part = 0; part < parts; ++part)
        addPart(part, textures);
    chooseStage();
}

MeshId MeshView::mesh() const {
    return editor_.document().instance(instance_).mesh;
}

bool MeshView::skinned() const {
    return editor_.document().isSkinned(instance_);
}

bool MeshView::rowsFit() const {
    const skin::SkinWeights& weights = editor_.evaluator().weights(mesh());
    return ShaderArray::fits(effects_.level(), Texel::Entry, weights.entries().size_bytes());
}

void MeshView::addAttributes() {
    const document::Document& doc = editor_.document();
    const mesh::Mesh& geometry = doc.mesh(mesh()).geometry;
    const std::size_t count = geometry.vertexCount();
    const auto fixed = [&](const void* data, std::size_t size) {
        auto* buffer = new Qt3DCore::QBuffer(geometry_);
        buffer->setData(bytesFrom(data, size));
        return buffer;
    };
    // One value for all where the file gives none: an attribute that advances with instances only.
    const auto addOptional = [&](const char* name, QAttribute::VertexBaseType type, unsigned components, auto given) {
        const std::size_t values = given.size() / components;
        auto* attribute = new QAttribute(fixed(given.data(), given.size() * sizeof(given[0])), QLatin1String(name),
                                         type, components, static_cast<unsigned>(values), 0, 0, geometry_);
        attribute->setDivisor(values == 1 && count > 1 ? 1 : 0);
        geometry_->addAttribute(attribute);
    };
    addAttribute(geometry_, positions_.buffer(), "vertexPosition", QAttribute::Float, 3, count);
    addAttribute(geometry_, normals_.buffer(), "vertexNormal", QAttribute::Float, 3, count);
    addOptional("vertexUv", QAttribute::Float, 2, shownUvs(doc.state(), geometry));
    addOptional("vertexColor", QAttribute::UnsignedShort, 4, shownColors(geometry));
    auto* indices =
        new QAttribute(fixed(geometry.triangles.data(), geometry.triangles.size() * 4), QAttribute::UnsignedInt, 1,
                       static_cast<unsigned>(geometry.triangles.size()), 0, 0, geometry_);
    indices->setAttributeType(QAttribute::IndexAttribute);
    geometry_->addAttribute(indices);
}

void MeshView::addPart(std::size_t index, SceneTextures& textures) {
    const document::Document& doc = editor_.document();
    const mesh::Part& part = doc.mesh(mesh()).geometry.parts[index];
    static const document::Material kNone;
    const document::Material& m =
        part.material < 0 ? kNone : doc.state().materials[static_cast<std::size_t>(part.material)];
    auto* entity = new Qt3DCore::QEntity(entity_);
    auto* renderer = new QGeometryRenderer(entity);
    // By a view, and with bounds: otherwise Qt3D looks through all points in every frame in which one has moved.
    auto* view = new Qt3DCore::QGeometryView(entity);
    view->setGeometry(geometry_);
    view->setVertexCount(static_cast<int>(part.triangleCount * 3));
    view->setIndexBufferByteOffset(static_cast<int>(part.firstTriangle * 12));
    renderer->setView(view);
    const Eigen::AlignedBox3f box = bindBox(doc, instance_, part);
    renderer->setMinPoint(QVector3D(box.min().x(), box.min().y(), box.min().z()));
    renderer->setMaxPoint(QVector3D(box.max().x(), box.max().y(), box.max().z()));

    const bool blended = m.alpha == document::Material::Alpha::Blend;
    auto* material = new QMaterial(entity);
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
    for (QParameter* parameter :
         {heatSlot_, heatSource_, capacity_, paintedShare_, mirroredJoints_, palette_.parameter(), rigid_.parameter(),
          entries_.parameter(), counts_.parameter(), share_.parameter(), heat_.parameter()})
        material->addParameter(parameter);
    entity->addComponent(renderer);
    entity->addComponent(material);
}

// Which programs draw the mesh. A joint that mirrors turns the triangles it carries the other way round: culling would
// show their inside. A skinned mesh may have both kinds at once, so all of it is drawn from both sides.
bool MeshView::chooseStage() {
    const skin::Skinning& skinning = editor_.document().mesh(mesh()).skinning;
    const skin::Palette& palette = editor_.evaluator().palette(instance_);
    SkinStage stage = SkinStage::Posed;
    if (gpu_ && !skinning.mush.on && rowsFit())
        stage = !skinned()                                         ? SkinStage::Linear
                : palette.method() == skin::Method::DualQuaternion ? SkinStage::DualQuaternion
                : palette.method() == skin::Method::Spherical      ? SkinStage::Spherical
                                                                   : SkinStage::Linear;
    if (stage_ == stage && mirrored_ == palette.mirrored())
        return false;
    if (!stage_ || (*stage_ == SkinStage::Posed) != (stage == SkinStage::Posed)) {
        positions_.markAll();
        normals_.markAll();
    }
    if (stage_ != stage)
        rigid_.markAll();
    stage_ = stage;
    mirrored_ = palette.mirrored();
    mirroredJoints_->setValue(mirrored_ ? 1 : 0);
    for (const PartMaterial& part : materials_)
        part.material->setEffect(effects_.effect(part.blended, part.doubleSided || mirrored_, stage));
    return true;
}

void MeshView::invalidate(const document::ChangeSet& changes) {
    heatDirty_ = heatDirty_ || !changes.skins.empty();
    for (const document::MeshChange& change : changes.meshes) {
        if (change.mesh != mesh())
            continue;
        const std::size_t row = editor_.evaluator().weights(change.mesh).capacity() * sizeof(skin::Influence);
        for (const std::uint32_t v : change.weightVertices) {
            entries_.markRange(v * row, row);
            counts_.markRange(v * sizeof(std::uint32_t), sizeof(std::uint32_t));
        }
        for (const std::uint32_t v : change.mapVertices) {
            share_.markRange(v * sizeof(float), sizeof(float));
            if (shownMap_)
                heat_.markRange(v * sizeof(float), sizeof(float));
        }
        heatDirty_ = heatDirty_ || !change.weightVertices.empty();
        if (stage_ != SkinStage::Posed && !change.shapeVertices.empty())
            markShape(change.shapeVertices);
    }
}

// The normals around a moved point change with it.
void MeshView::markShape(const std::vector<std::uint32_t>& vertices) {
    const mesh::Weld& weld = editor_.document().mesh(mesh()).weld();
    const auto mark = [&](DirtyBuffer& buffer, std::uint32_t point) {
        for (const std::uint32_t same : weld.verticesOfPoint[point])
            buffer.markRange(same * 12u, 12);
    };
    for (const std::uint32_t v : vertices) {
        const std::uint32_t point = weld.pointOfVertex[v];
        mark(positions_, point);
        mark(normals_, point);
        for (const std::uint32_t near : weld.neighbours[point])
            mark(normals_, near);
    }
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

std::uint64_t MeshView::sentBytes() const {
    std::uint64_t sum = positions_.sentBytes() + normals_.sentBytes();
    for (const ShaderArray* array : {&palette_, &rigid_, &entries_, &counts_, &share_, &heat_})
        sum += array->sentBytes();
    return sum;
}

int MeshView::flush() {
    int frames = chooseStage() ? 2 : 1; // programs are compiled in one frame and drawn with in a later one
    frames = std::max(frames, flushSkin());
    flushPoints();
    return editor_.view().heatMap ? std::max(frames, flushHeat()) : frames;
}

int MeshView::flushSkin() {
    document::Evaluator& evaluator = editor_.evaluator();
    const skin::Palette& palette = evaluator.palette(instance_);
    if (const std::uint64_t revision = evaluator.paletteRevision(instance_); revision != paletteRevision_) {
        paletteRevision_ = revision;
        palette_.markAll();
        rigid_.markAll();
    }
    const bool rigid = stage_ == SkinStage::DualQuaternion || stage_ == SkinStage::Spherical;
    std::span<const skin::Influence> entries;
    std::span<const std::uint32_t> counts;
    std::span<const float> share;
    if (skinned() && rowsFit()) {
        const skin::SkinWeights& weights = evaluator.weights(mesh());
        capacity_->setValue(static_cast<int>(weights.capacity()));
        entries = weights.entries();
        counts = weights.counts();
    }
    if (rigid)
        share = evaluator.paintedMap(mesh(), skin::PaintedMap::MethodShare);
    if (paintedShare_->value().toInt() != (share.empty() ? 0 : 1)) {
        paintedShare_->setValue(share.empty() ? 0 : 1);
        share_.markAll();
    }
    return std::max({palette_.flush(bytesOf(palette.linear())),
                     rigid_.flush(rigid ? bytesOf(palette.rigid()) : std::span<const std::byte>()),
                     entries_.flush(bytesOf(entries)), counts_.flush(bytesOf(counts)), share_.flush(bytesOf(share))});
}

void MeshView::flushPoints() {
    document::Evaluator& evaluator = editor_.evaluator();
    if (stage_ == SkinStage::Posed) {
        for (const auto& r : evaluator.takePosedChanges(instance_)) {
            positions_.markRange(r.first * 12u, (r.end - r.first) * 12u);
            normals_.markRange(r.first * 12u, (r.end - r.first) * 12u);
        }
        positions_.flush(bytesOf(evaluator.positions(instance_)));
        normals_.flush(bytesOf(evaluator.normals(instance_)));
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

int MeshView::flushHeat() {
    enum Source { Rows = 0, Values = 1, One = 2, Zero = 3 };
    const std::optional<skin::PaintedMap> shown = editor_.view().shownMap;
    if (shown != shownMap_) {
        shownMap_ = shown;
        heatDirty_ = true;
        heat_.markAll();
    }
    if (shown) {
        const std::span<const float> map = editor_.evaluator().paintedMap(mesh(), *shown);
        // A rigid mesh has no map: none of it takes part.
        heatSource_->setValue(!skinned() ? Zero : map.empty() ? One : Values);
        return heat_.flush(bytesOf(map));
    }
    if (!heatDirty_)
        return 1;
    heatDirty_ = false;
    const int slot = heatSlot();
    heatSlot_->setValue(slot);
    const bool rows = !skinned() || rowsFit();
    heatSource_->setValue(rows ? Rows : Values);
    heat_.markAll();
    const std::vector<float> values = rows ? std::vector<float>() : heatOfRows(slot);
    return heat_.flush(bytesOf(std::span<const float>(values)));
}

// Where the rows are not on the graphics card.
std::vector<float> MeshView::heatOfRows(int slot) const {
    const skin::SkinWeights& weights = editor_.evaluator().weights(mesh());
    std::vector<float> heat(weights.vertexCount());
    for (std::size_t v = 0; v < heat.size(); ++v)
        heat[v] = weights.row(v).empty() ? -1.0f
                  : slot < 0             ? 0.0f
                                         : weights.weight(v, static_cast<std::uint32_t>(slot));
    return heat;
}

} // namespace limber::ui

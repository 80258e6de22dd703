#include "tests/support/edit_maker.h"

#include "core/document/intents.h"
#include "tests/support/tube_document.h"

namespace limber::test {

namespace {

class Maker {
public:
    Maker(const Document& doc, Random& random) : doc_(doc), random_(random) {}

    Edit make(std::size_t kind) {
        switch (kind) {
        case 0:
            return wrap(pose());
        case 1:
            return wrap(weights());
        case 2:
            return wrap(SkinJointPatch{Tube::skin, anyJoint(), random_.affine()});
        case 3:
            return wrap(deltas());
        case 4:
            return random_.index(2) ? wrap(insertion()) : removal();
        case 5:
            return wrap(properties());
        case 6:
            return wrap(drivers());
        case 7:
            return shapeWeight();
        case 8:
            return lock();
        case 9:
            return jointName();
        case 10:
            return wrap(normals());
        case 11:
            return repairedRows();
        case 12:
            return wrap(skinning());
        default:
            return wrap(paintedMap());
        }
    }

private:
    static Edit wrap(Patch patch) { return {"edit", {std::move(patch)}}; }

    JointId anyJoint() { return JointId(random_.index(doc_.skeleton().size())); }
    MeshId anyMesh() { return MeshId(random_.index(doc_.state().meshes.size())); }
    const MeshData& mesh(MeshId id) { return doc_.mesh(id); }

    std::vector<std::uint32_t> someVertices(MeshId id) {
        std::vector<std::uint32_t> vertices;
        for (std::uint32_t v = 0; v < mesh(id).geometry.vertexCount(); ++v)
            if (random_.index(4) == 0)
                vertices.push_back(v);
        return vertices;
    }

    PosePatch pose() {
        PosePatch p;
        p.joints = {anyJoint()};
        p.before = {doc_.state().pose[p.joints[0].index()]};
        p.after = {random_.affine()};
        return p;
    }

    WeightsPatch weights() {
        WeightsPatch p;
        p.mesh = Tube::mesh;
        p.vertices = someVertices(Tube::mesh);
        const std::size_t slotCount = doc_.skin(Tube::skin).joints.size();
        for (std::size_t k = 0; k < p.vertices.size(); ++k) {
            p.before.appendRow();
            p.before.setRow(k, mesh(Tube::mesh).weights.row(p.vertices[k]));
            skin::Row row;
            for (std::uint32_t s = 0; s < slotCount; ++s)
                if (random_.index(2))
                    row.push_back({s, static_cast<float>(random_.uniform(0.1, 1))});
            p.after.appendRow();
            p.after.setRow(k, row);
        }
        return p;
    }

    ShapeDeltasPatch deltas() {
        const MeshId id = anyMeshWithShapes();
        const auto& shapes = mesh(id).shapes;
        std::vector<std::uint32_t> vertices = someVertices(id);
        std::vector<Eigen::Vector3f> after;
        for (std::size_t k = 0; k < vertices.size(); ++k)
            after.push_back(random_.index(3) ? random_.vector().cast<float>() : Eigen::Vector3f::Zero().eval());
        return shapeDeltasPatch(doc_, id, shapes[random_.index(shapes.size())].id, std::move(vertices),
                                std::move(after));
    }

    ShapePatch insertion() {
        ShapePatch p;
        p.mesh = anyMesh();
        const MeshData& data = mesh(p.mesh);
        p.index = random_.index(data.shapes.size() + 1);
        p.shape.id = ShapeId(data.nextShapeId);
        p.shape.name = "shape";
        for (const std::uint32_t v : someVertices(p.mesh)) {
            p.shape.vertices.push_back(v);
            p.shape.deltas.push_back(random_.index(4) ? random_.vector().cast<float>()
                                                      : Eigen::Vector3f::Zero().eval()); // as files hold them
        }
        if (random_.index(2))
            p.shape.normalDeltas.assign(p.shape.vertices.size(), random_.vector().cast<float>());
        p.instanceWeights = {random_.uniform()};
        return p;
    }

    Edit removal() {
        const MeshId id = anyMeshWithShapes();
        if (mesh(id).shapes.size() < 2)
            return wrap(insertion());
        return removeShape(doc_, id, mesh(id).shapes[random_.index(mesh(id).shapes.size())].id);
    }

    ShapePropertiesPatch properties() {
        const MeshId id = anyMeshWithShapes();
        const shape::Shape& s = mesh(id).shapes[random_.index(mesh(id).shapes.size())];
        return {id, s.id, s.name, s.name + 'x', s.muted, !s.muted};
    }

    DriversPatch drivers() {
        const MeshId id = anyMeshWithShapes();
        DriversPatch p{id, mesh(id).drivers, {}};
        shape::PoseDriver driver;
        driver.joints = {anyJoint()};
        driver.widthScale = random_.uniform(0.5, 2);
        for (const shape::Shape& s : mesh(id).shapes)
            driver.samples.push_back({s.id, {random_.rotation()}});
        p.after.push_back(std::move(driver));
        return p;
    }

    Edit shapeWeight() {
        const InstanceId id(random_.index(doc_.instanceCount()));
        const auto& shapes = mesh(doc_.instance(id).mesh).shapes;
        if (shapes.empty())
            return lock();
        return setShapeWeight(doc_, id, shapes[random_.index(shapes.size())].id, random_.uniform());
    }

    Edit lock() {
        const JointId j = anyJoint();
        return setLocked(doc_, {&j, 1}, !doc_.state().locked[j.index()]);
    }

    Edit jointName() {
        const JointId j = anyJoint();
        const std::string& name = doc_.skeleton()[j].name;
        return wrap(JointNamePatch{j, name, name + 'x'});
    }

    NormalsPatch normals() {
        NormalsPatch p{anyMesh(), {}, {}, {}};
        p.vertices = someVertices(p.mesh);
        for (const std::uint32_t v : p.vertices) {
            p.before.push_back(mesh(p.mesh).geometry.normals[v]);
            p.after.push_back((random_.rotation() * Eigen::Vector3d::UnitX()).cast<float>());
        }
        return p;
    }

    Edit repairedRows() {
        const MeshId id = anyMesh();
        const bool now = mesh(id).writesRepairs;
        return wrap(RepairsPatch{id, now, !now});
    }

    SkinningPatch skinning() {
        const MeshId id = anyMesh();
        const skin::Skinning now = mesh(id).skinning;
        skin::Skinning after = now;
        after.method = static_cast<skin::Method>((static_cast<std::size_t>(now.method) + 1 + random_.index(2)) % 3);
        after.mush = {random_.index(2) == 0, static_cast<std::uint32_t>(1 + random_.index(20)),
                      random_.uniform(0.1, 1)};
        return {id, now, after};
    }

    PaintedMapPatch paintedMap() {
        PaintedMapPatch p{anyMesh(), static_cast<skin::PaintedMap>(random_.index(2)), {}, {}, {}};
        p.vertices = someVertices(p.mesh);
        for (const std::uint32_t v : p.vertices) {
            p.before.push_back(mesh(p.mesh).mapValue(p.map, v));
            p.after.push_back(static_cast<float>(random_.uniform(0, 1)));
        }
        return p;
    }

    // The tube always has a shape: the tests put one there.
    MeshId anyMeshWithShapes() {
        const MeshId id = anyMesh();
        return mesh(id).shapes.empty() ? Tube::mesh : id;
    }

    const Document& doc_;
    Random& random_;
};

} // namespace

Edit EditMaker::make(std::size_t kind) const {
    return Maker(doc_, random_).make(kind);
}

} // namespace limber::test

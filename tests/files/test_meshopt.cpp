// Views compressed by EXT_meshopt_compression: every mode and filter unfolds to what went in.
#include "tests/files/gltf_edits.h"
#include "tests/files/gltf_text.h"

#include <QTest>

#include <meshoptimizer.h>
#include <set>

using namespace limber;
using namespace limber::test;
using Eigen::Vector3f;

namespace {

io::LoadedFile opened(const GltfText& text) {
    auto file = text.load();
    if (!file)
        qFatal("%s", file.error().message().c_str());
    return std::move(*file);
}

// An accessor whose view is compressed: what the view itself would hold uncompressed are zeros.
std::size_t addPacked(GltfText& text, const std::vector<unsigned char>& packed, std::size_t count, std::size_t stride,
                      const char* mode, const char* filter, const char* type, int componentType, bool normalized) {
    const std::size_t data = text.addView(packed.data(), packed.size());
    Json extension = text.json["bufferViews"][data];
    text.json["bufferViews"].erase(data);
    const std::vector<std::byte> zeros(count * stride);
    const std::size_t view = text.addView(zeros.data(), zeros.size());
    extension.update({{"byteStride", stride}, {"count", count}, {"mode", mode}, {"filter", filter}});
    text.json["bufferViews"][view]["extensions"] = {{"EXT_meshopt_compression", extension}};
    if (std::string(mode) == "ATTRIBUTES")
        text.json["bufferViews"][view]["byteStride"] = stride;
    text.json["accessors"].push_back(
        {{"bufferView", view}, {"componentType", componentType}, {"count", count}, {"type", type}});
    if (normalized)
        text.json["accessors"].back()["normalized"] = true;
    text.json["extensionsUsed"] = {"EXT_meshopt_compression", "KHR_mesh_quantization"};
    return text.json["accessors"].size() - 1;
}

std::vector<unsigned char> packVertices(const void* data, std::size_t count, std::size_t stride) {
    std::vector<unsigned char> packed(meshopt_encodeVertexBufferBound(count, stride));
    packed.resize(meshopt_encodeVertexBuffer(packed.data(), packed.size(), data, count, stride));
    return packed;
}

// One clip that moves `path` of a node.
void addClip(GltfText& text, std::size_t node, const char* path, const char* interpolation, std::size_t times,
             std::size_t values) {
    text.json["animations"].push_back(
        {{"channels", {{{"sampler", 0}, {"target", {{"node", node}, {"path", path}}}}}},
         {"samplers", {{{"input", times}, {"output", values}, {"interpolation", interpolation}}}}});
}

} // namespace

class TestMeshopt : public QObject {
    Q_OBJECT

private slots:
    void meshoptDirectionsByOctahedra_data() {
        QTest::addColumn<int>("stride");
        QTest::newRow("bytes") << 4;
        QTest::newRow("shorts") << 8;
    }
    void meshoptDirectionsByOctahedra() {
        QFETCH(int, stride);
        const float normals[16] = {0, 0, 1, 0, 0.6f, 0, 0.8f, 0, 0, -1, 0, 0, -0.48f, 0.6f, -0.64f, 0};
        std::vector<std::byte> filtered(std::size_t(stride) * 4);
        meshopt_encodeFilterOct(filtered.data(), 4, std::size_t(stride), stride == 4 ? 8 : 16, normals);
        GltfText text;
        text.withSquare();
        text.attributes()["NORMAL"] =
            addPacked(text, packVertices(filtered.data(), 4, std::size_t(stride)), 4, std::size_t(stride), "ATTRIBUTES",
                      "OCTAHEDRAL", "VEC3", stride == 4 ? 5120 : 5122, true);
        const io::LoadedFile file = opened(text);
        for (std::size_t v = 0; v < 4; ++v) {
            const Vector3f expected(normals[4 * v], normals[4 * v + 1], normals[4 * v + 2]);
            QVERIFY((file.state.meshes[0].geometry.normals[v] - expected).norm() < (stride == 4 ? 0.02f : 1e-4f));
        }
    }

    void meshoptRotationsAndExponents() {
        const float rotations[8] = {0, 0, 0, 1, 0.5f, -0.5f, 0.5f, 0.5f};
        std::vector<std::byte> filtered(16);
        meshopt_encodeFilterQuat(filtered.data(), 2, 8, 16, rotations);
        GltfText text;
        text.withSquare();
        const std::size_t times = text.addFloats({0, 1}, "SCALAR");
        const std::size_t turned =
            addPacked(text, packVertices(filtered.data(), 2, 8), 2, 8, "ATTRIBUTES", "QUATERNION", "VEC4", 5122, true);
        const float places[6] = {0, 0, 0, 1000.5f, -0.25f, 3};
        std::vector<std::byte> exponents(24);
        meshopt_encodeFilterExp(exponents.data(), 2, 12, 20, places);
        const std::size_t moved = addPacked(text, packVertices(exponents.data(), 2, 12), 2, 12, "ATTRIBUTES",
                                            "EXPONENTIAL", "VEC3", 5126, false);
        addClip(text, 0, "rotation", "LINEAR", times, turned);
        addClip(text, 0, "translation", "LINEAR", times, moved);
        const io::LoadedFile file = opened(text);
        const std::vector<float>& q = file.state.clips[0].channels[0].values;
        QVERIFY((Eigen::Vector4f(q[4], q[5], q[6], q[7]) - Eigen::Vector4f(0.5f, -0.5f, 0.5f, 0.5f)).norm() < 1e-3f);
        const std::vector<float>& t = file.state.clips[1].channels[0].values;
        QVERIFY((Vector3f(t[3], t[4], t[5]) - Vector3f(1000.5f, -0.25f, 3)).norm() < 0.01f);
    }

    void meshoptIndicesOfBothKinds_data() {
        QTest::addColumn<bool>("triangles");
        QTest::newRow("triangles") << true;
        QTest::newRow("a sequence") << false;
    }
    void meshoptIndicesOfBothKinds() {
        QFETCH(bool, triangles);
        const unsigned corners[] = {0, 1, 2, 0, 2, 3};
        std::vector<unsigned char> packed(1000);
        packed.resize(triangles ? meshopt_encodeIndexBuffer(packed.data(), packed.size(), corners, 6)
                                : meshopt_encodeIndexSequence(packed.data(), packed.size(), corners, 6));
        GltfText text;
        text.withSquare();
        text.primitive()["indices"] =
            addPacked(text, packed, 6, 2, triangles ? "TRIANGLES" : "INDICES", "NONE", "SCALAR", 5123, false);
        const std::vector<std::uint32_t> read = opened(text).state.meshes[0].geometry.triangles;
        QCOMPARE(std::set<std::uint32_t>(read.begin(), read.end()).size(), std::size_t(4));
        QCOMPARE(read.size(), std::size_t(6));
    }
};

QTEST_APPLESS_MAIN(TestMeshopt)
#include "test_meshopt.moc"

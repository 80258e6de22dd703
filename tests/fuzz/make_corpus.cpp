// make_corpus FOLDER: writes the files that fuzzing starts from, a folder for each target.
#include "core/document/edit_codec.h"
#include "core/document/skinning_intents.h"
#include "core/history/journal_format.h"
#include "core/history/replay.h"
#include "core/io/gltf_container.h"
#include "core/io/pose_file.h"
#include "core/io/weights_file.h"
#include "core/io/worker_protocol.h"
#include "tests/files/fbx_sample.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/sample_files.h"
#include "tests/support/edit_maker.h"

#include <cstring>
#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#include <fstream>
#include <meshoptimizer.h>

using namespace limber;
using namespace limber::fuzz;
using io::Json;

namespace {

std::filesystem::path folder;

void put(const std::string& name, std::span<const std::byte> bytes) {
    const std::filesystem::path path = folder / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void put(const std::string& name, const std::string& text) {
    put(name, std::as_bytes(std::span(text)));
}

template <class T> void append(FileBytes& out, const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    out.insert(out.end(), bytes.begin(), bytes.end());
}

// JSON, a zero, data: as the target takes it.
void putTree(const std::string& name, Json json, const FileBytes& data) {
    json["asset"]["version"] = "2.0";
    json["buffers"] = Json::array({{{"byteLength", data.size()}}});
    FileBytes out;
    const std::string text = json.dump();
    append(out, std::vector<char>(text.begin(), text.end()));
    out.push_back(std::byte{0});
    append(out, data);
    put("gltf/" + name, out);
}

Json withPrimitive(Json primitive) {
    return {{"scene", 0},
            {"scenes", {{{"nodes", {0}}}}},
            {"nodes", {{{"mesh", 0}}}},
            {"meshes", {{{"primitives", Json::array({std::move(primitive)})}}}}};
}

const std::vector<float> kSquare = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

void putStrip() {
    const FileBytes glb = stripGlb();
    put("gltf/strip.glb", glb);
    std::vector<io::Repair> repairs;
    const io::ParsedContainer parsed = io::parseContainer(glb, repairs);
    putTree("strip", parsed.json, {parsed.binary.begin(), parsed.binary.end()});
}

// The strip with a method, delta mush and painted shares of both.
void putSkinned() {
    document::Document doc(strip().state);
    doc.apply(document::setSkinning(doc, MeshId(0), {skin::Method::Spherical, {true, 3, 0.5}}));
    for (const skin::PaintedMap which : {skin::PaintedMap::MethodShare, skin::PaintedMap::MushShare})
        doc.apply({"Paint", {document::PaintedMapPatch{MeshId(0), which, {0, 5}, {1, 1}, {0.25f, 0.5f}}}});
    const auto file = io::writeGltf(*strip().source, doc, io::Container::Glb);
    std::vector<io::Repair> repairs;
    const io::ParsedContainer parsed = io::parseContainer(file->bytes, repairs);
    putTree("skinned", parsed.json, {parsed.binary.begin(), parsed.binary.end()});
}

void putSparse() {
    Json json = withPrimitive({{"attributes", {{"POSITION", 0}}}, {"mode", 5}, {"targets", {{{"POSITION", 1}}}}});
    json["accessors"] = {{{"bufferView", 0}, {"componentType", 5126}, {"count", 4}, {"type", "VEC3"}},
                         {{"componentType", 5126},
                          {"count", 4},
                          {"type", "VEC3"},
                          {"sparse",
                           {{"count", 1},
                            {"indices", {{"bufferView", 1}, {"componentType", 5123}}},
                            {"values", {{"bufferView", 0}, {"byteOffset", 12}}}}}}};
    json["bufferViews"] = {{{"buffer", 0}, {"byteLength", 48}}, {{"buffer", 0}, {"byteOffset", 48}, {"byteLength", 4}}};
    FileBytes data;
    append(data, kSquare);
    append(data, std::vector<std::uint16_t>{2, 0});
    putTree("sparse", std::move(json), data);
}

void putQuantized() {
    Json json = withPrimitive({{"attributes", {{"POSITION", 0}, {"JOINTS_0", 1}, {"WEIGHTS_0", 2}}}, {"mode", 4}});
    json["nodes"] = {{{"mesh", 0}, {"skin", 0}},
                     {{"children", {2}}},
                     {{"matrix", Json::parse("[1,0,0,0,0,1,0,0,0,0,1,0,1,0,0,1]")}}};
    json["scenes"][0]["nodes"] = {0, 1};
    json["skins"] = {{{"joints", {1, 2}}, {"skeleton", 1}}};
    json["extensionsUsed"] = json["extensionsRequired"] = {"KHR_mesh_quantization"};
    json["accessors"] = {
        {{"bufferView", 0},
         {"componentType", 5122},
         {"count", 3},
         {"type", "VEC3"},
         {"normalized", true},
         {"min", {0, 0, 0}},
         {"max", {32767, 32767, 0}}},
        {{"bufferView", 1}, {"componentType", 5121}, {"count", 3}, {"type", "VEC4"}},
        {{"bufferView", 2}, {"componentType", 5121}, {"count", 3}, {"type", "VEC4"}, {"normalized", true}}};
    json["bufferViews"] = {{{"buffer", 0}, {"byteLength", 24}, {"byteStride", 8}},
                           {{"buffer", 0}, {"byteOffset", 24}, {"byteLength", 12}},
                           {{"buffer", 0}, {"byteOffset", 36}, {"byteLength", 12}}};
    FileBytes data;
    append(data, std::vector<std::int16_t>{0, 0, 0, 0, 32767, 0, 0, 0, 0, 32767, 0, 0});
    append(data, std::vector<std::uint8_t>{0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0});
    append(data, std::vector<std::uint8_t>{128, 127, 0, 0, 200, 55, 0, 0, 255, 0, 0, 0});
    putTree("quantized", std::move(json), data);
}

void putMeshopt() {
    FileBytes data(meshopt_encodeVertexBufferBound(4, 12));
    data.resize(
        meshopt_encodeVertexBuffer(reinterpret_cast<unsigned char*>(data.data()), data.size(), kSquare.data(), 4, 12));
    Json json = withPrimitive({{"attributes", {{"POSITION", 0}}}, {"mode", 5}});
    json["extensionsUsed"] = json["extensionsRequired"] = {"EXT_meshopt_compression"};
    json["accessors"] = {{{"bufferView", 0}, {"componentType", 5126}, {"count", 4}, {"type", "VEC3"}}};
    json["bufferViews"] = {
        {{"buffer", 0},
         {"byteLength", 48},
         {"byteStride", 12},
         {"extensions",
          {{"EXT_meshopt_compression",
            {{"buffer", 0}, {"byteLength", data.size()}, {"byteStride", 12}, {"count", 4}, {"mode", "ATTRIBUTES"}}}}}}};
    data.resize(std::max<std::size_t>(data.size(), 48));
    putTree("meshopt", std::move(json), data);
}

void putDraco() {
    draco::TriangleSoupMeshBuilder builder;
    builder.Start(2);
    const int position = builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
    const auto corner = [](int k) { return kSquare.data() + 3 * k; };
    builder.SetAttributeValuesForFace(position, draco::FaceIndex(0), corner(0), corner(1), corner(2));
    builder.SetAttributeValuesForFace(position, draco::FaceIndex(1), corner(0), corner(2), corner(3));
    const std::unique_ptr<draco::Mesh> mesh = builder.Finalize();
    for (const int method : {0, 1}) {
        draco::Encoder encoder;
        encoder.SetEncodingMethod(method);
        draco::EncoderBuffer buffer;
        if (!encoder.EncodeMeshToBuffer(*mesh, &buffer).ok())
            continue;
        const auto bytes = std::as_bytes(std::span(buffer.data(), buffer.size()));
        Json json = withPrimitive(
            {{"attributes", {{"POSITION", 0}}},
             {"indices", 1},
             {"extensions", {{"KHR_draco_mesh_compression", {{"bufferView", 0}, {"attributes", {{"POSITION", 0}}}}}}}});
        json["extensionsUsed"] = json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
        json["accessors"] = {{{"componentType", 5126}, {"count", 4}, {"type", "VEC3"}},
                             {{"componentType", 5123}, {"count", 6}, {"type", "SCALAR"}}};
        json["bufferViews"] = {{{"buffer", 0}, {"byteLength", bytes.size()}}};
        putTree("draco" + std::to_string(method), std::move(json), {bytes.begin(), bytes.end()});
    }
}

void putAccessors() {
    Dice dice(1);
    for (const char* name : {"a", "b", "c", "d"}) {
        FileBytes bytes;
        for (std::size_t k = 0; k < 120; ++k)
            bytes.push_back(static_cast<std::byte>(dice.chance(70) ? dice.below(12) : dice.below(256)));
        put(std::string("accessors/") + name, bytes);
    }
}

void putProtocol() {
    FileBytes stream = {std::byte{7}};
    append(stream, io::progressFrame(0.25, "Reading"));
    append(stream, io::noteFrame({"IMPORT_UNIT", "nodes[1]", "The unit is a centimetre.", 3}));
    put("protocol/failure", [&] {
        FileBytes whole = stream;
        append(whole, io::textFrame(io::FrameKind::Failure, "No importer reads this."));
        return whole;
    }());
    const auto header = io::frameHeader(io::FrameKind::Scene, 6);
    append(stream, std::vector<std::byte>(header.begin(), header.end()));
    append(stream, std::vector<char>{'g', 'l', 'T', 'F', 2, 0});
    put("protocol/scene", stream);
}

void putTexts() {
    put("pose/all", R"({"limber":"pose","version":1,"joints":{"root":{"translation":[0,1,0],"rotation":[0,0,0.6,0.8],)"
                    R"("scale":[1,2,1]},"#1":{"rotation":[0.5,0.5,0.5,0.5]}}})");
    put("pose/empty", R"({"limber":"pose","version":1,"joints":{}})");
    document::DocumentState state = strip().state;
    state.pose[2] = rig::Affine(Eigen::Translation3d(0.1, -2, 1e-3));
    put("pose/written", io::writePose(state));
    put("obj/objects", "# two\no body\nv 0 0 0\nv 1.5 -2e-3 0\nvn 0 0 1\nf 1 2 1\no \xc3\xa4\nv 1 2 3 1.0\n");
    put("obj/groups", "v 1 2 3\ng first second\nv 4 5 6\r\n\tv 7 8 9\n");
}

void putWeights() {
    io::WeightsFile file = io::weightsOf(strip().state, MeshId(0));
    put("weights/strip", io::writeWeights(file));
    file.joints.push_back("#2");
    file.rows.setRow(3, skin::Row{{0, 0.25f}, {1, 0.25f}, {2, 1.0f}});
    put("weights/appended", io::writeWeights(file));
}

// Edits of every kind, and journals of some of them.
void putEdits() {
    document::Document doc(strip().state);
    test::Random random(3);
    test::EditMaker maker(doc, random);
    history::JournalHeader header;
    header.path = "strip.glb";
    header.shapes = history::shapeIdsOf(doc.state());
    FileBytes whole = {std::byte{0}}, parts = {std::byte{255}};
    append(whole, history::encodeHeader(header));
    for (std::size_t kind = 0; kind < test::kKinds; ++kind) {
        const auto edit = std::make_shared<const document::Edit>(maker.make(kind));
        const FileBytes bytes = document::encodeEdit(*edit);
        put("edit/" + std::to_string(kind), bytes);
        doc.apply(*edit);
        if (kind % 3 != 0)
            continue;
        append(whole,
               *history::encodeEntry({history::JournalEntry::Kind::Edit, edit}, static_cast<std::uint32_t>(kind / 3)));
        append(parts, FileBytes{std::byte{1}, static_cast<std::byte>(bytes.size() % 256),
                                static_cast<std::byte>(bytes.size() / 256)});
        append(parts, bytes);
    }
    append(whole, *history::encodeEntry({history::JournalEntry::Kind::Undo, nullptr}, 4));
    append(parts, std::vector<unsigned char>{2, 0, 0, 3, 0, 0, 2, 0, 0});
    put("journal/whole", whole);
    put("journal/parts", parts);
}

void putFbx() {
    using tests::FbxForm;
    for (const auto& [name, form] :
         {std::pair("text", FbxForm::Text), std::pair("binary32", FbxForm::Binary32),
          std::pair("binary64", FbxForm::Binary64), std::pair("packed", FbxForm::BinaryPacked)}) {
        const QByteArray bytes = tests::fbxSample(form, 20);
        put(std::string("fbx/") + name, std::string(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2)
        return 2;
    folder = argv[1];
    putStrip();
    putSkinned();
    putSparse();
    putQuantized();
    putMeshopt();
    putDraco();
    putAccessors();
    putProtocol();
    putTexts();
    putWeights();
    putEdits();
    putFbx();
    return 0;
}

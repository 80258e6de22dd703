#include "core/io/gltf_limber_extras.h"

#include "core/io/gltf_reader.h"
#include "core/io/skinning_names.h"

#include <limits>
#include <unordered_set>

namespace limber::io {

namespace {

using shape::DriverSample;
using shape::PoseDriver;

constexpr const char* kCode = "LIMBER_EXTRAS";

std::optional<DriverSample> readSample(const ReadContext& context, const Json& json, std::size_t mesh,
                                       std::size_t joints, std::unordered_set<std::size_t>& used) {
    const std::size_t target = indexValue(json.at("shape"), context.targetCounts[mesh], "");
    const Json& rotations = json.at("rotations");
    if (rotations.size() != joints || !used.insert(target).second)
        return std::nullopt;
    DriverSample sample;
    sample.shape = context.state.meshes[mesh].shapes[target].id;
    for (const Json& r : rotations) {
        const Eigen::Quaterniond q(finiteNumber(r.at(3), ""), finiteNumber(r.at(0), ""), finiteNumber(r.at(1), ""),
                                   finiteNumber(r.at(2), ""));
        if (std::abs(q.norm() - 1) > 1e-6)
            return std::nullopt;
        sample.rotations.push_back(q);
    }
    return sample;
}

std::optional<PoseDriver> readDriver(const ReadContext& context, const Json& json, std::size_t mesh,
                                     std::unordered_set<std::size_t>& used) {
    PoseDriver driver;
    for (const Json& item : json.at("joints")) {
        const JointId joint(indexValue(item, context.nodes.size(), ""));
        if (!driver.joints.empty() && joint <= driver.joints.back())
            return std::nullopt;
        driver.joints.push_back(joint);
    }
    driver.widthScale = std::clamp(numberMember(json, "widthScale", 1, ""), 0.25, 4.0);
    for (const Json& item : json.at("samples")) {
        auto sample = readSample(context, item, mesh, driver.joints.size(), used);
        if (!sample)
            return std::nullopt;
        driver.samples.push_back(std::move(*sample));
    }
    if (driver.joints.empty() || driver.samples.empty() || !shape::DriverSolver::build(driver).ok())
        return std::nullopt;
    return driver;
}

// Runs `read`; what it throws or refuses means that somebody else wrote these extras, or damaged them.
template <class Read> void tolerant(ReadContext& context, const std::string& where, const char* what, Read read) {
    bool good = false;
    try {
        good = read();
    } catch (const Refusal&) {
    } catch (const std::exception&) {
    }
    if (!good)
        context.note(kCode, where, std::string(what) + " in extras.limber cannot be read; it was left out.");
}

void readSkinning(ReadContext& context, const Json& json, const std::string& where, skin::Skinning& skinning) {
    if (!json.is_object())
        return tolerant(context, where, "How the mesh is skinned", [] { return false; });
    if (member(json, "method"))
        tolerant(context, where, "The skinning method", [&] {
            const auto method = methodOf(json.at("method").get<std::string>());
            if (method)
                skinning.method = *method;
            return method.has_value();
        });
    if (member(json, "mush"))
        tolerant(context, where, "The settings of delta mush", [&] {
            const Json& given = json.at("mush");
            skin::DeltaMush mush;
            mush.on = given.at("on").get<bool>();
            const std::uint64_t iterations = wholeMember(given, "iterations", mush.iterations, "");
            mush.lambda = numberMember(given, "lambda", mush.lambda, "");
            if (iterations < 1 || iterations > skin::kMaxMushIterations || !(mush.lambda > 0 && mush.lambda <= 1))
                return false;
            mush.iterations = static_cast<std::uint32_t>(iterations);
            skinning.mush = mush;
            return true;
        });
}

void readMeshState(ReadContext& context, const Json& extras, std::size_t m) {
    const std::string where = place("meshes", m);
    document::MeshData& mesh = context.state.meshes[m];
    if (const Json* version = member(extras, "version"); version && *version != Json(kExtrasVersion))
        context.note(kCode, where, "extras.limber was written by a newer version; what is known of it was read.");
    std::unordered_set<std::size_t> used;
    if (const Json* drivers = member(extras, "drivers"))
        for (const Json& item : *drivers)
            tolerant(context, where, "A shape's driver", [&] {
                auto driver = readDriver(context, item, m, used);
                if (driver)
                    mesh.drivers.push_back(std::move(*driver));
                return driver.has_value();
            });
    if (const Json* skinning = member(extras, "skinning"))
        readSkinning(context, *skinning, where, mesh.skinning);
    if (const Json* muted = member(extras, "muted"))
        for (const Json& item : *muted)
            tolerant(context, where, "A muted shape", [&] {
                mesh.shapes[indexValue(item, mesh.shapes.size(), "")].muted = true;
                return true;
            });
}

void readSliders(ReadContext& context, document::Instance& instance) {
    document::MeshData& mesh = context.state.meshes[instance.mesh.index()];
    // What the file holds for a driven shape is its effective weight, not its slider.
    for (std::size_t s = 0; s < mesh.shapes.size(); ++s)
        if (mesh.isDriven(mesh.shapes[s].id))
            instance.shapeWeights[s] = 0;
    const std::size_t node = instance.node.index();
    const Json* extras = limberExtras(context.json["nodes"][node]);
    if (!extras || !member(*extras, "sliders"))
        return;
    tolerant(context, place("nodes", node), "The list of sliders", [&] {
        const std::vector<double> sliders = numbersMember(*extras, "sliders", mesh.shapes.size(), "").value();
        for (std::size_t s = 0; s < sliders.size(); ++s)
            if (mesh.shapes[s].muted || mesh.isDriven(mesh.shapes[s].id))
                instance.shapeWeights[s] = sliders[s];
        return true;
    });
}

// The exact transform of a joint that was written as the nearest TRS; used only while the node is still that TRS.
void readTransform(ReadContext& context, const Json& owner, std::size_t n) {
    tolerant(context, place("nodes", n), "A joint's transform", [&] {
        const math::Affine exact = limberTransform(owner, "transform").value();
        const math::Affine& written = context.nodeLocal[n];
        const double size = 1 + exact.matrix().cwiseAbs().maxCoeff();
        const math::Affine nearest = nearestTrs(exact);
        if (math::distance(nearest, written) > 1e-6 * size)
            return false;
        const math::Affine& bindLocal = context.state.skeleton[JointId(n)].bindLocal;
        const math::Affine userLocal = bindLocal.inverse() * exact;
        if (!math::allFinite(userLocal))
            return false;
        context.state.pose[n] = userLocal;
        return true;
    });
}

} // namespace

std::optional<math::Affine> limberTransform(const Json& owner, const char* key) {
    const Json* extras = limberExtras(owner);
    const Json* numbers = extras ? member(*extras, key) : nullptr;
    if (!numbers || !numbers->is_array() || numbers->size() != 12)
        return std::nullopt;
    math::Affine m = math::Affine::Identity();
    for (std::size_t i = 0; i < 12; ++i) {
        if (!(*numbers)[i].is_number())
            return std::nullopt;
        m.matrix()(static_cast<Eigen::Index>(i % 3), static_cast<Eigen::Index>(i / 3)) = (*numbers)[i].get<double>();
    }
    if (!fitsFloats(m) || !isInvertible(m))
        return std::nullopt;
    return m;
}

bool isInvertible(const math::Affine& m) {
    const double size = m.linear().cwiseAbs().maxCoeff();
    return math::allFinite(m) && size > 0 && std::abs((m.linear() / size).determinant()) > 1e-9;
}

bool hasMadeNormals(const Json& mesh, std::size_t target) {
    const Json* extras = limberExtras(mesh);
    const Json* targets = extras ? member(*extras, "smoothNormals") : nullptr;
    return targets && targets->is_array() &&
           std::find(targets->begin(), targets->end(), Json(target)) != targets->end();
}

Json columnsOf(const math::Affine& m) {
    Json numbers = Json::array();
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 3; ++row)
            numbers.push_back(m.matrix()(row, column));
    return numbers;
}

bool fitsFloats(const math::Affine& m) {
    return math::allFinite(m) && m.matrix().cwiseAbs().maxCoeff() <= double(std::numeric_limits<float>::max());
}

math::Affine nearestTrs(const math::Affine& m) {
    // A reflection is a negative scale along x: the rest is then near a rotation.
    const Eigen::Vector3d mirror(m.linear().determinant() < 0 ? -1 : 1, 1, 1);
    const Eigen::Matrix3d proper = m.linear() * mirror.asDiagonal();
    const Eigen::Matrix3d rotation = math::nearestRotation(proper);
    const Eigen::Vector3d scale = (rotation.transpose() * proper).diagonal().cwiseProduct(mirror);
    return math::composeTrs(m.translation(), Eigen::Quaterniond(rotation), scale);
}

const Json* limberExtras(const Json& owner) {
    const Json* extras = member(owner, "extras");
    const Json* ours = extras ? member(*extras, "limber") : nullptr;
    return ours && ours->is_object() ? ours : nullptr;
}

void readLimberExtras(ReadContext& context) {
    for (std::size_t m = 0; m < context.state.meshes.size(); ++m)
        if (const Json* extras = limberExtras(context.json["meshes"][m]))
            readMeshState(context, *extras, m);
    for (std::size_t n = 0; n < context.nodes.size(); ++n) {
        const Json* extras = limberExtras(context.json["nodes"][n]);
        if (!extras)
            continue;
        const Json* locked = member(*extras, "locked");
        context.state.locked[n] = locked && locked->is_boolean() && locked->get<bool>();
        if (member(*extras, "transform"))
            readTransform(context, context.json["nodes"][n], n);
    }
    context.state.filePose = context.state.pose;
    for (document::Instance& instance : context.state.instances)
        readSliders(context, instance);
}

namespace {

Json driverJson(const document::MeshData& mesh, const PoseDriver& driver) {
    Json joints = Json::array(), samples = Json::array();
    for (const JointId j : driver.joints)
        joints.push_back(j.index());
    for (const DriverSample& sample : driver.samples) {
        Json rotations = Json::array();
        for (const Eigen::Quaterniond& q : sample.rotations)
            rotations.push_back(Json::array({q.x(), q.y(), q.z(), q.w()}));
        samples.push_back({{"shape", mesh.shapeIndex(sample.shape)}, {"rotations", std::move(rotations)}});
    }
    return {{"joints", std::move(joints)}, {"widthScale", driver.widthScale}, {"samples", std::move(samples)}};
}

Json skinningJson(const skin::Skinning& skinning) {
    const skin::Skinning usual;
    Json json = Json::object();
    if (skinning.method != usual.method)
        json["method"] = methodWord(skinning.method);
    if (skinning.mush != usual.mush)
        json["mush"] = {
            {"on", skinning.mush.on}, {"iterations", skinning.mush.iterations}, {"lambda", skinning.mush.lambda}};
    return json;
}

} // namespace

Json meshExtras(const document::MeshData& mesh) {
    Json drivers = Json::array(), muted = Json::array();
    for (const PoseDriver& driver : mesh.drivers)
        if (!driver.samples.empty())
            drivers.push_back(driverJson(mesh, driver));
    for (std::size_t s = 0; s < mesh.shapes.size(); ++s)
        if (mesh.shapes[s].muted)
            muted.push_back(s);
    Json skinning = skinningJson(mesh.skinning);
    if (drivers.empty() && muted.empty() && skinning.empty())
        return nullptr;
    Json extras = {{"version", kExtrasVersion}};
    if (!drivers.empty())
        extras["drivers"] = std::move(drivers);
    if (!muted.empty())
        extras["muted"] = std::move(muted);
    if (!skinning.empty())
        extras["skinning"] = std::move(skinning);
    return extras;
}

void setExtra(Json& owner, const char* key, Json value) {
    if (value.is_null() && !member(owner, "extras"))
        return;
    Json& extras = owner["extras"];
    if (!extras.is_null() && !extras.is_object())
        extras = {{"original", std::move(extras)}};
    if (value.is_null())
        extras.erase(key);
    else
        extras[key] = std::move(value);
    if (extras.empty())
        owner.erase("extras");
}

void setLimberExtra(Json& owner, const char* key, Json value) {
    const Json* present = limberExtras(owner);
    if (value.is_null() && (!present || !member(*present, key)))
        return;
    Json ours = present ? *present : Json::object();
    if (value.is_null())
        ours.erase(key);
    else
        ours[key] = std::move(value);
    setExtra(owner, "limber", ours.empty() ? Json(nullptr) : std::move(ours));
}

namespace {

Json memberOr(const Json& values, const char* key, Json otherwise) {
    const Json* value = member(values, key);
    return value ? *value : std::move(otherwise);
}

// The present object with those keys changed that differ: a newer version may have put more into it.
Json merged(const Json& present, const Json& before, const Json& after) {
    Json result = present.is_object() ? present : Json::object();
    for (const char* key : {"method", "mush"}) {
        const Json value = memberOr(after, key, nullptr);
        if (value == memberOr(before, key, nullptr))
            continue;
        if (value.is_null())
            result.erase(key);
        else
            result[key] = value;
    }
    return result.empty() ? Json(nullptr) : result;
}

} // namespace

void setMeshExtras(Json& mesh, const Json& before, const Json& after) {
    const Json* present = limberExtras(mesh);
    const Json file = present ? *present : Json::object();
    for (const char* key : {"version", "drivers", "muted", "skinning"}) {
        const Json was = memberOr(before, key, nullptr), is = memberOr(after, key, nullptr);
        const bool newer = key == std::string_view("version") && member(file, key) && !is.is_null();
        if (was == is || newer)
            continue;
        if (key == std::string_view("skinning"))
            setLimberExtra(mesh, key, merged(memberOr(file, key, nullptr), was, is));
        else
            setLimberExtra(mesh, key, is);
    }
}

} // namespace limber::io

#include "core/io/pose_file.h"

#include "core/io/joint_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace limber::io {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kUnitTolerance = 1e-3; // what rounding leaves of a rotation

struct Fault {
    Error error;
};

[[noreturn]] void fail(std::string where, std::string text) {
    throw Fault{{ErrorCode::InputRefused, std::move(text), std::move(where)}};
}

// Whether a file of single-precision numbers can hold it.
bool inRange(double value) {
    return std::abs(value) <= double(std::numeric_limits<float>::max());
}

std::vector<double> numbers(const Json& transform, const char* key, const std::string& joint,
                            std::vector<double> otherwise) {
    const auto found = transform.find(key);
    if (found == transform.end())
        return otherwise;
    const bool fits = found->is_array() && found->size() == otherwise.size() &&
                      std::all_of(found->begin(), found->end(),
                                  [](const Json& n) { return n.is_number() && inRange(n.get<double>()); });
    if (!fits)
        fail(joint, std::string("\"") + key + "\" is not a list of " + std::to_string(otherwise.size()) +
                        " numbers of at most 3.4e38.");
    return found->get<std::vector<double>>();
}

rig::Affine readTransform(const Json& json, const std::string& joint) {
    if (!json.is_object())
        fail(joint, "The joint's transform is not an object.");
    for (const auto& [key, value] : json.items())
        if (key != "translation" && key != "rotation" && key != "scale")
            fail(joint, "\"" + key + "\" is not known here.");
    const std::vector<double> t = numbers(json, "translation", joint, {0, 0, 0});
    const std::vector<double> r = numbers(json, "rotation", joint, {0, 0, 0, 1});
    const std::vector<double> s = numbers(json, "scale", joint, {1, 1, 1});
    const Eigen::Quaterniond rotation(r[3], r[0], r[1], r[2]);
    if (!(std::abs(rotation.norm() - 1) <= kUnitTolerance))
        fail(joint,
             "The rotation is not a unit quaternion [x, y, z, w]: the length of these four numbers is not 1 (they "
             "are no degrees).");
    return math::composeTrs({t[0], t[1], t[2]}, rotation.normalized(), {s[0], s[1], s[2]});
}

// Transforms multiply down the skeleton.
void checkRange(const document::DocumentState& state, const rig::Pose& pose) {
    rig::Transforms world(pose.size());
    rig::forwardKinematics(state.skeleton, pose, world);
    for (std::size_t j = 0; j < pose.size(); ++j) {
        const math::Affine local = state.skeleton[JointId(j)].bindLocal * pose[j];
        for (const math::Affine* m : {&local, &std::as_const(world[j])})
            if (!math::allFinite(*m) || !inRange(m->matrix().cwiseAbs().maxCoeff()))
                fail(state.skeleton[JointId(j)].name, "The pose moves this joint beyond the numbers that files hold.");
    }
}

rig::Pose parsePose(std::string_view text, const document::DocumentState& state) {
    constexpr std::size_t kDeepest = 16;
    std::size_t depth = 0;
    std::string section;
    std::set<std::string> listed; // the parser itself lets one of two win
    const Json::parser_callback_t shallow = [&](int level, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::key && level == 1)
            section = parsed.get<std::string>();
        else if (event == Json::parse_event_t::key && level == 2 && section == "joints")
            if (const auto name = parsed.get<std::string>(); !listed.insert(name).second)
                fail(name, "The joint is listed twice.");
        depth = std::max(depth, static_cast<std::size_t>(level));
        if (depth > kDeepest)
            fail("", "This is not a pose file: it is nested too deeply.");
        return true;
    };
    const Json json = Json::parse(text, shallow);
    const auto format = json.find("limber");
    if (!json.is_object() || format == json.end() || *format != "pose")
        fail("", "This is not a pose file: \"limber\" is not \"pose\".");
    if (const auto version = json.find("version"); version == json.end() || *version != 1)
        fail("", "The pose file's version is not 1.");
    const auto joints = json.find("joints");
    if (joints == json.end() || !joints->is_object())
        fail("", "The pose file has no \"joints\".");

    const JointNames names(state);
    rig::Pose pose(state.pose.size(), rig::Affine::Identity());
    std::vector<char> seen(pose.size(), 0);
    for (const auto& [name, transform] : joints->items()) {
        const auto joint = names.find(name);
        if (!joint)
            throw Fault{joint.error()};
        if (std::exchange(seen[joint->index()], 1))
            fail(name, "The joint is listed twice.");
        pose[joint->index()] = readTransform(transform, name);
    }
    checkRange(state, pose);
    return pose;
}

// Where in the text a parser stopped, and nothing of its own words.
std::string placeOf(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1; // npos + 1 is 0
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

Json listOf(const Eigen::VectorXd& values) {
    Json json = Json::array();
    for (const double v : values)
        json.push_back(v);
    return json;
}

} // namespace

Result<rig::Pose> readPose(std::string_view json, const document::DocumentState& state) {
    try {
        return parsePose(json, state);
    } catch (const Fault& fault) {
        return fault.error;
    } catch (const Json::parse_error& error) {
        return Error{ErrorCode::InputRefused,
                     "This is not a pose file: it is not valid JSON at " + placeOf(json, error.byte) + ".", ""};
    } catch (const Json::out_of_range&) {
        return Error{ErrorCode::InputRefused, "This is not a pose file: it holds a number that is too large.", ""};
    } catch (const Json::exception&) {
        return Error{ErrorCode::InputRefused, "This is not a pose file: a value in it is of the wrong kind.", ""};
    }
}

std::string writePose(const document::DocumentState& state) {
    const JointNames names(state);
    Json joints = Json::object();
    for (const JointId j : names.joints()) {
        const rig::Affine& userLocal = state.pose[j.index()];
        if (math::distance(userLocal, rig::Affine::Identity()) <= 1e-9)
            continue;
        const math::TransformParts parts = math::decompose(userLocal);
        joints[names.nameOf(j)] = {{"translation", listOf(parts.translation)},
                                   {"rotation", listOf(parts.rotation.coeffs())},
                                   {"scale", listOf(parts.scale)}};
    }
    const Json pose = {{"limber", "pose"}, {"version", 1}, {"joints", std::move(joints)}};
    return pose.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace limber::io

#include "app/command_line/commands.h"
#include "app/command_line/posed_scene.h"
#include "app/command_line/sculpt_match.h"
#include "core/document/intents.h"
#include "core/document/refit_correctives.h"
#include "core/document/skinning_intents.h"
#include "core/io/obj_file.h"
#include "core/io/safe_save.h"
#include "core/io/skinning_names.h"
#include "core/shape/corrective.h"

namespace limber::app {

namespace {

constexpr std::uintmax_t kMaxObjBytes = std::uintmax_t(2) << 30;
constexpr double kSamePose = 1e-3; // chord distance; drivers cannot tell nearer poses apart

Result<std::vector<io::ObjObject>> readSculpt(const std::string& path) {
    const auto bytes = io::readFile(path, kMaxObjBytes);
    if (!bytes)
        return bytes.error();
    auto objects = io::readObj({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    if (objects)
        return objects;
    Error error = objects.error();
    error.where = path + (error.where.empty() ? "" : ": " + error.where);
    return error;
}

Result<std::vector<JointId>> readDrivers(const Arguments& arguments, const document::DocumentState& state) {
    std::vector<JointId> joints;
    for (const std::string& name : arguments.values("--driver")) {
        const auto joint = findJoint(state, name);
        if (!joint) {
            Error error = joint.error();
            error.where = "--driver " + error.where;
            return error;
        }
        joints.push_back(*joint);
    }
    std::sort(joints.begin(), joints.end());
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
    return joints;
}

// Adds one corrective after the other to a posed document.
class CorrectiveAdder {
public:
    CorrectiveAdder(document::Document& doc, std::string name, std::vector<JointId> drivers, const Console& console)
        : doc_(doc), evaluator_(doc, preview_), name_(std::move(name)), drivers_(std::move(drivers)),
          console_(console) {}

    document::Evaluator& evaluator() { return evaluator_; }

    Status add(const SculptedInstance& sculpted) {
        const document::Instance& instance = doc_.instance(sculpted.instance);
        const document::MeshData& mesh = doc_.mesh(instance.mesh);
        for (const shape::Shape& s : mesh.shapes)
            if (s.name == name_)
                return refine(sculpted, s.id);
        std::vector<JointId> joints = drivers_;
        if (joints.empty())
            joints = document::proposeDriverJoints(doc_, instance.mesh, sculpted.changed);
        if (const Status s = checkPoseIsFree(instance.mesh, joints); !s)
            return s;
        const auto created = document::newCorrective(doc_, instance.mesh, name_, joints);
        if (!created)
            return created.error();
        apply(created->edit);
        document::ExtractionReport report;
        const auto extracted = document::extractCorrective(doc_, evaluator_, sculpted.instance, created->shape,
                                                           sculpted.positions, &report);
        if (!extracted)
            return extracted.error();
        apply(*extracted);
        say(instance.mesh, "", joints, report);
        return {};
    }

private:
    // How far the present pose is from a key of a driver.
    double distanceTo(std::span<const JointId> joints, std::span<const Eigen::Quaterniond> rotations) const {
        std::vector<Eigen::Quaterniond> now;
        for (const JointId j : joints)
            now.push_back(shape::driverRotation(doc_.state().pose[j.index()]));
        return shape::chordDistance(now, rotations);
    }

    // A driver needs a pose of its own: away from bind, and from its other shapes.
    Status checkPoseIsFree(MeshId mesh, const std::vector<JointId>& joints) const {
        const std::vector<Eigen::Quaterniond> bind(joints.size(), Eigen::Quaterniond::Identity());
        if (!joints.empty() && distanceTo(joints, bind) < kSamePose)
            return Error{ErrorCode::Failed,
                         "The pose leaves " + names(joints) +
                             " at bind, so it cannot drive the shape; name a joint that the pose turns.",
                         "--driver"};
        for (const shape::PoseDriver& driver : doc_.mesh(mesh).drivers)
            for (const shape::DriverSample& sample : driver.samples)
                if (driver.joints == joints && distanceTo(joints, sample.rotations) < kSamePose) {
                    const std::string& name = doc_.mesh(mesh).findShape(sample.shape)->name;
                    return Error{ErrorCode::Failed,
                                 "The shape \"" + name + "\" has this pose already; refine it with --name \"" + name +
                                     "\", or turn the joint further.",
                                 meshLabel(doc_.state(), mesh)};
                }
        return {};
    }

    // Goes on in a shape that was made in this very pose.
    Status refine(const SculptedInstance& sculpted, ShapeId shape) {
        const MeshId mesh = doc_.instance(sculpted.instance).mesh;
        for (const shape::PoseDriver& driver : doc_.mesh(mesh).drivers)
            for (const shape::DriverSample& sample : driver.samples) {
                if (sample.shape != shape || distanceTo(driver.joints, sample.rotations) >= kSamePose)
                    continue;
                if (!drivers_.empty() && drivers_ != driver.joints)
                    return usageError("The shape \"" + name_ + "\" is driven by " + names(driver.joints) +
                                      "; leave --driver out to refine it.");
                const std::vector<JointId> joints = driver.joints;
                document::ExtractionReport report;
                const auto extracted = document::extractCorrective(doc_, evaluator_, sculpted.instance, shape,
                                                                   sculpted.positions, &report);
                if (!extracted)
                    return extracted.error();
                apply(*extracted);
                say(mesh, "\"" + name_ + "\" refined, ", joints, report);
                return {};
            }
        return usageError(meshLabel(doc_.state(), mesh) + " has a shape \"" + name_ +
                          "\" already, which is not for this pose; choose another name.");
    }

    std::string names(const std::vector<JointId>& joints) const {
        std::string list;
        for (const JointId j : joints)
            list += (list.empty() ? "" : ", ") + jointLabel(doc_.state(), j);
        return list;
    }

    void apply(const document::Edit& edit) { evaluator_.invalidate(doc_.apply(edit)); }

    void say(MeshId meshId, const std::string& what, const std::vector<JointId>& joints,
             const document::ExtractionReport& report) const {
        const std::string mesh = meshLabel(doc_.state(), meshId);
        console_.say(mesh + ": " + std::to_string(report.changed) + " vertices; " + what +
                     (joints.empty()
                          ? "no joint of these vertices is out of its bind pose, so the shape has a slider and is on."
                          : "driven by " + names(joints) + "."));
        if (report.unreachable > 0)
            console_.say(mesh + ": " + std::to_string(report.unreachable) +
                         " vertices cannot be moved fully there by skinning; the rest is up to " +
                         std::to_string(report.largestResidual) + " units.");
    }

    document::Document& doc_;
    document::Preview preview_;
    document::Evaluator evaluator_;
    std::string name_;
    std::vector<JointId> drivers_;
    const Console& console_;
};

// The surface is looked at with this method everywhere; only meshes that get a shape keep it.
void setMethods(document::Document& doc, skin::Method method) {
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        skin::Skinning skinning = doc.mesh(MeshId(m)).skinning;
        skinning.method = method;
        doc.apply(document::setSkinning(doc, MeshId(m), skinning));
    }
}

void keepMethods(document::Document& doc, const document::DocumentState& before,
                 std::span<const SculptedInstance> sculpted, const Console& console) {
    for (std::size_t m = 0; m < before.meshes.size(); ++m) {
        const MeshId mesh(m);
        const skin::Skinning& was = before.meshes[m].skinning;
        const skin::Method is = doc.mesh(mesh).skinning.method;
        const bool keeps = std::any_of(sculpted.begin(), sculpted.end(), [&](const SculptedInstance& s) {
            return doc.instance(s.instance).mesh == mesh;
        });
        if (!keeps)
            doc.apply(document::setSkinning(doc, mesh, was));
        else if (is != was.method)
            console.say(meshLabel(doc.state(), mesh) + ": its method is " + std::string(io::methodWord(is)) +
                        " from now on (it was " + std::string(io::methodWord(was.method)) +
                        "); the shape fits only with it.");
        const std::size_t older = document::correctivesOf(before.meshes[m]).size();
        if (keeps && is != was.method && older > 0)
            console.say(meshLabel(doc.state(), mesh) + ": " + std::to_string(older) +
                        (older == 1 ? " older corrective was" : " older correctives were") + " made with " +
                        std::string(io::methodWord(was.method)) +
                        " and may not fit any more; the window offers to fit them when the method is changed there.");
    }
}

Status addAll(document::Document& doc, const Arguments& arguments, const Console& console) {
    auto drivers = readDrivers(arguments, doc.state());
    if (!drivers)
        return drivers.error();
    const auto objects = readSculpt(arguments.value("--sculpt"));
    if (!objects)
        return objects.error();
    const auto method = methodOption(arguments);
    if (!method)
        return method.error();
    const document::DocumentState before = doc.state();
    if (*method)
        setMethods(doc, **method);
    CorrectiveAdder adder(doc, arguments.value("--name"), std::move(drivers).value(), console);
    const auto sculpted = matchSculpt(doc, adder.evaluator(), *objects);
    if (!sculpted) {
        Error error = sculpted.error();
        error.where = arguments.value("--sculpt");
        return error;
    }
    for (const SculptedInstance& s : *sculpted)
        if (const Status status = adder.add(s); !status)
            return status;
    if (*method)
        keepMethods(doc, before, *sculpted, console);
    return {};
}

Result<ExitCode> run(const Arguments& arguments, const Console& console) {
    const std::string& output = arguments.value("--output");
    if (const Status s =
            checkSceneOutput(output, {arguments.positional(0), arguments.value("--pose"), arguments.value("--sculpt")});
        !s)
        return s.error();
    if (const auto method = methodOption(arguments); !method)
        return method.error();
    const auto file = openListed(arguments.positional(0), console);
    if (!file)
        return file.error();
    document::Document doc(file->state);
    const auto pose = readPoseFile(arguments.value("--pose"), doc.state());
    if (!pose)
        return pose.error();
    doc.apply(setPose(doc, *pose));
    if (const Status s = addAll(doc, arguments, console); !s)
        return s.error();
    doc.apply(setPose(doc, file->state.pose));
    if (const Status s = saveScene(*file, doc, output, console); !s)
        return s.error();
    return exitCodeFor(*file);
}

} // namespace

Command correctiveAddCommand() {
    return {"corrective add",
            "Adds a shape that fixes the surface in one pose.",
            "SCULPT.obj holds the surface as it should look in that pose: what limber deform writes, with vertices "
            "moved. It\n"
            "may hold some of the objects only. Where no --driver is given, the shape is driven by the joints that are "
            "out\n"
            "of their bind pose and influence the moved vertices. The name of a shape that has this pose already "
            "refines that\n"
            "shape. The file keeps its own pose. A shape fits only with the method it was made with: --method is\n"
            "saved as the method of the meshes that get the shape.",
            {"FILE"},
            {{"--pose", "", "POSE.json", "the pose in which the surface was sculpted", false, true},
             {"--sculpt", "", "SCULPT.obj", "the sculpted surface", false, true},
             {"--name", "", "NAME", "of the new shape", false, true},
             {"--driver", "", "JOINT", "a joint that drives the shape; may be repeated", true},
             {"--method", "", "METHOD", "linear, dual-quaternion or spherical, for these meshes from now on"},
             {"--output", "-o", "OUT.glb", "the file to write", false, true}},
            run};
}

} // namespace limber::app

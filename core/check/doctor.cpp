#include "core/check/doctor.h"

#include "core/check/rules.h"

#include <algorithm>

namespace limber::check {

namespace {

using document::Document;
using document::Edit;

// Weights first: values, then joints that share a slot's meaning, then rows as wholes; what shortens or normalises
// rows comes after what may lengthen them.
constexpr Rule kRules[] = {
    {"WEIGHTS_NOT_FINITE", findUnusableWeights, fixUnusableWeights},
    {"POSITIONS_NOT_FINITE", findUnusablePositions, nullptr},
    {"SHAPE_NOT_FINITE", findUnusableShapes, fixUnusableShapes},
    {"POSE_NOT_FINITE", findUnusablePose, fixUnusablePose},
    {"INVERSE_BINDS_NOT_FINITE", findUnusableInverseBinds, nullptr},
    {"JOINT_TWICE_IN_SKIN", findJointsTwice, fixJointsTwice},
    {"STRAY_WEIGHTS", findStrayWeights, fixStrayWeights},
    {"UNWEIGHTED_VERTICES", findUnweighted, fixUnweighted},
    {"SEAM_WEIGHTS_DIFFER", findSeams, fixSeams},
    {"TOO_MANY_INFLUENCES", findTooManyInfluences, fixTooManyInfluences},
    {"WEIGHTS_SUM", findSums, fixSums},
    {"INVERSE_BINDS_DISAGREE", findDisagreeingBinds, nullptr},
    {"POSE_NOT_BIND", findPoseOffBind, fixPoseOffBind},
    {"NON_UNIFORM_SCALE", findNonUniformScale, nullptr},
    {"SHEAR", findShear, nullptr},
    {"NEGATIVE_SCALE", findNegativeScale, nullptr},
    {"ZERO_SCALE", findZeroScale, nullptr},
    {"ROOT_UNIT_FACTOR", findRootUnitFactor, nullptr},
    {"ROOT_AXIS_TURN", findRootAxisTurn, nullptr},
    {"UNUSUAL_SIZE", findUnusualSize, nullptr},
    {"NORMALS_NOT_UNIT", findUnusableNormals, fixUnusableNormals},
    {"NORMALS_OFF_FACES", findStrayNormals, fixStrayNormals},
    {"NORMALS_AGAINST_FACES", findNormalsAgainstFaces, fixNormalsAgainstFaces},
    {"ZERO_AREA_TRIANGLES", findZeroAreaTriangles, nullptr},
    {"EMPTY_MESH", findEmptyMeshes, nullptr},
    {"EMPTY_SHAPE", findEmptyShapes, fixEmptyShapes},
    {"DUPLICATE_SHAPE_NAMES", findDuplicateShapeNames, fixDuplicateShapeNames},
    {"MISSING_NAMES", findMissingNames, fixMissingNames},
    {"DUPLICATE_NAMES", findDuplicateNames, fixDuplicateNames},
    {"UNUSED_JOINTS", findUnusedJoints, nullptr},
};

const Rule* ruleOf(const std::string& code) {
    const auto at = std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& r) { return r.code == code; });
    return at == std::end(kRules) ? nullptr : at;
}

// A finding may be of another document, or of this one before shapes were removed.
bool fits(const Document& doc, const Finding& finding) {
    if (finding.mesh.valid() && finding.mesh.index() >= doc.state().meshes.size())
        return false;
    if (finding.skin.valid() && finding.skin.index() >= doc.state().skins.size())
        return false;
    return !finding.shape.valid() || (finding.mesh.valid() && doc.mesh(finding.mesh).findShape(finding.shape));
}

Edit edited(const Document& doc, const Finding& finding, Notes& notes) {
    const Rule* rule = ruleOf(finding.code);
    if (!rule || !rule->fix || !finding.fixable() || !fits(doc, finding))
        return {};
    Edit edit = rule->fix(doc, finding, notes);
    edit.label = finding.fix;
    return edit;
}

Error nothingToDo(const Notes& notes) {
    if (!notes.empty())
        return {ErrorCode::Failed, notes.front(), ""};
    return {ErrorCode::Failed, "There is nothing here that can be fixed without you; the finding says what to do.", ""};
}

} // namespace

std::span<const Rule> rules() {
    return kRules;
}

std::vector<Finding> examine(const Document& doc, const Options& options) {
    std::vector<Finding> all;
    for (const Rule& rule : kRules) {
        if (options.cancelled && options.cancelled->load())
            break;
        for (Finding& finding : rule.find(doc, options)) {
            finding.code = rule.code;
            all.push_back(std::move(finding));
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
    return all;
}

Result<Edit> fix(const Document& doc, const Finding& finding, Notes* notes) {
    Notes found;
    Edit edit = edited(doc, finding, found);
    if (notes)
        *notes = found;
    if (edit.empty())
        return nothingToDo(found);
    return edit;
}

Result<Edit> fixAll(const Document& doc, std::span<const Finding> findings, Notes* notes) {
    Notes found;
    Document copy = doc;
    Edit all;
    std::size_t fixed = 0;
    for (const Rule& rule : kRules)
        for (const Finding& finding : findings) {
            if (finding.code != rule.code)
                continue;
            Edit edit = edited(copy, finding, found);
            if (edit.empty())
                continue;
            copy.apply(edit);
            ++fixed;
            all.label = edit.label;
            std::move(edit.patches.begin(), edit.patches.end(), std::back_inserter(all.patches));
        }
    if (notes)
        *notes = found;
    if (all.empty())
        return nothingToDo(found);
    if (fixed > 1)
        all.label = "Fix " + std::to_string(fixed) + " findings";
    return all;
}

} // namespace limber::check

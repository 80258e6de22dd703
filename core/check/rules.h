// All rules of the doctor and their fixes; doctor.h says what they promise. Grouped by source file.
#pragma once

#include "core/check/doctor.h"

namespace limber::check {

using Findings = std::vector<Finding>;

// finite_rules.cpp: values that are no numbers.
[[nodiscard]] Findings findUnusableWeights(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findUnusablePositions(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findUnusableShapes(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findUnusablePose(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findUnusableInverseBinds(const document::Document& doc, const Options& options);
[[nodiscard]] document::Edit fixUnusableWeights(const document::Document& doc, const Finding& finding, Notes& notes);
[[nodiscard]] document::Edit fixUnusableShapes(const document::Document& doc, const Finding& finding, Notes& notes);
[[nodiscard]] document::Edit fixUnusablePose(const document::Document& doc, const Finding& finding, Notes& notes);

// weight_rules.cpp: rows by themselves.
[[nodiscard]] Findings findSums(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findTooManyInfluences(const document::Document& doc, const Options& options);
[[nodiscard]] document::Edit fixSums(const document::Document& doc, const Finding& finding, Notes& notes);
[[nodiscard]] document::Edit fixTooManyInfluences(const document::Document& doc, const Finding& finding, Notes& notes);

// unweighted_rule.cpp, seam_rule.cpp, stray_rule.cpp: rows and the surface.
[[nodiscard]] Findings findUnweighted(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findSeams(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findStrayWeights(const document::Document& doc, const Options& options);
[[nodiscard]] document::Edit fixUnweighted(const document::Document& doc, const Finding& finding, Notes& notes);
[[nodiscard]] document::Edit fixSeams(const document::Document& doc, const Finding& finding, Notes& notes);
[[nodiscard]] document::Edit fixStrayWeights(const document::Document& doc, const Finding& finding, Notes& notes);

// skin_rules.cpp: joints of skins.
[[nodiscard]] Findings findJointsTwice(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findDisagreeingBinds(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findUnusedJoints(const document::Document& doc, const Options& options);
[[nodiscard]] document::Edit fixJointsTwice(const document::Document& doc, const Finding& finding, Notes& notes);

// pose_rules.cpp, scale_rules.cpp, root_rules.cpp: transforms of joints.
[[nodiscard]] Findings findPoseOffBind(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findNonUniformScale(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findShear(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findNegativeScale(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findZeroScale(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findRootUnitFactor(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findRootAxisTurn(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findUnusualSize(const document::Document& doc, const Options& options);
[[nodiscard]] document::Edit fixPoseOffBind(const document::Document& doc, const Finding& finding, Notes& notes);

// surface_rules.cpp: triangles and normals.
[[nodiscard]] Findings findUnusableNormals(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findNormalsAgainstFaces(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findZeroAreaTriangles(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findEmptyMeshes(const document::Document& doc, const Options& options);
[[nodiscard]] document::Edit fixUnusableNormals(const document::Document& doc, const Finding& finding, Notes& notes);
[[nodiscard]] document::Edit fixNormalsAgainstFaces(const document::Document& doc, const Finding& finding,
                                                    Notes& notes);

// stray_normals_rule.cpp
[[nodiscard]] Findings findStrayNormals(const document::Document& doc, const Options& options);
[[nodiscard]] document::Edit fixStrayNormals(const document::Document& doc, const Finding& finding, Notes& notes);

// shape_rules.cpp
[[nodiscard]] Findings findEmptyShapes(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findDuplicateShapeNames(const document::Document& doc, const Options& options);
[[nodiscard]] document::Edit fixEmptyShapes(const document::Document& doc, const Finding& finding, Notes& notes);
[[nodiscard]] document::Edit fixDuplicateShapeNames(const document::Document& doc, const Finding& finding,
                                                    Notes& notes);

// name_rules.cpp
[[nodiscard]] Findings findMissingNames(const document::Document& doc, const Options& options);
[[nodiscard]] Findings findDuplicateNames(const document::Document& doc, const Options& options);
[[nodiscard]] document::Edit fixMissingNames(const document::Document& doc, const Finding& finding, Notes& notes);
[[nodiscard]] document::Edit fixDuplicateNames(const document::Document& doc, const Finding& finding, Notes& notes);

} // namespace limber::check

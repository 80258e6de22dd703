// The figure's skin as the zero level of a field of blended shapes: negative inside, roughly metres outside.
// Each shape belongs to a part of the body; a point is asked about some parts only, so that neighbouring fingers
// or an arm beside the chest never melt into each other. Shapes of fingers come last.
#pragma once

#include <Eigen/Core>

#include <array>
#include <variant>
#include <vector>

namespace limber::io::mannequin {

using Eigen::Vector3d;

enum Part : unsigned {
    kTorso = 1U << 0,
    kHead = 1U << 1,
    kArm = 1U << 2,
    kPalm = 1U << 3,
    kThumb = 1U << 4, // the other fingers follow: kThumb << FingerName
    kFingers = 31U << 4,
    kLeg = 1U << 9,
    kFoot = 1U << 10,
};

// A profile at one place along a limb: half sizes to the four sides, metres.
struct Station {
    double at; // 0 at the first axis point, 1 at the second, ...
    double side, otherSide, front, back;
};

// A limb: profiles swept along a nearly straight chain of points.
struct Sweep {
    std::vector<Vector3d> axis;
    Vector3d side, front; // unit
    std::vector<Station> stations;
    double roundness = 2; // exponent of the superellipse; above 2 is boxier
};

struct Ellipsoid {
    Vector3d centre;
    Eigen::Matrix3d axes; // columns: unit axes
    Vector3d radii;
};

struct Cone { // round ends
    Vector3d from, to;
    double fromRadius, toRadius;
};

struct Shape {
    unsigned part = kTorso;
    std::variant<Sweep, Ellipsoid, Cone> geometry;
    double blend = 0.01; // width of the fillet, metres
    bool carve = false;  // taken away instead of added
    bool paired = true;  // has a mirror image
    Vector3d boundCentre = Vector3d::Zero();
    double boundRadius = 0;
};

class BodyField {
public:
    void add(Shape shape);

    // `parts` is a union of Part bits.
    [[nodiscard]] double value(const Vector3d& p, unsigned parts) const;
    [[nodiscard]] Vector3d gradient(const Vector3d& p, double valueThere, unsigned parts) const;

    // At most `steps` Newton steps along the gradient towards the surface, none longer than `reach` metres.
    [[nodiscard]] Vector3d project(Vector3d p, unsigned parts, int steps, double reach = 0.02) const;

private:
    std::vector<Shape> shapes_;
};

} // namespace limber::io::mannequin

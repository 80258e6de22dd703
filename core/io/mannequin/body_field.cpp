#include "core/io/mannequin/body_field.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace limber::io::mannequin {

namespace {

constexpr double kFar = 1e3;
constexpr double kClose = 1e-6; // metres off the surface: near enough

double smoothMin(double a, double b, double k) {
    const double h = std::max(k - std::abs(a - b), 0.0) / k;
    return std::min(a, b) - h * h * k * 0.25;
}

double cubic(double a, double b, double c, double d, double t) {
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

// Catmull-Rom between the stations; constant beyond them.
Station profileAt(const std::vector<Station>& s, double at) {
    if (at <= s.front().at)
        return s.front();
    if (at >= s.back().at)
        return s.back();
    std::size_t i = 1;
    while (s[i].at < at)
        ++i;
    const Station &b = s[i - 1], &c = s[i];
    const Station &a = i >= 2 ? s[i - 2] : b, &d = i + 1 < s.size() ? s[i + 1] : c;
    const double t = (at - b.at) / (c.at - b.at);
    const auto mix = [&](double Station::*m) { return cubic(a.*m, b.*m, c.*m, d.*m, t); };
    return {at, mix(&Station::side), mix(&Station::otherSide), mix(&Station::front), mix(&Station::back)};
}

struct AxisFoot {
    double at;
    Vector3d point;
};

AxisFoot nearestOnAxis(const Sweep& s, const Vector3d& p) {
    const double first = s.stations.front().at, last = s.stations.back().at;
    AxisFoot best{0, s.axis.front()};
    double bestDistance = kFar;
    const int segments = static_cast<int>(s.axis.size()) - 1;
    for (int i = 0; i < segments; ++i) {
        const Vector3d along = s.axis[i + 1] - s.axis[i];
        const double low = i == 0 ? first : i, high = i == segments - 1 ? last : i + 1;
        const double t = std::clamp(i + (p - s.axis[i]).dot(along) / along.squaredNorm(), low, high);
        const Vector3d q = s.axis[i] + (t - i) * along;
        const double d = (p - q).squaredNorm();
        if (d < bestDistance) {
            bestDistance = d;
            best = {t, q};
        }
    }
    return best;
}

double distanceTo(const Sweep& s, const Vector3d& p) {
    const AxisFoot foot = nearestOnAxis(s, p);
    const Station r = profileAt(s.stations, foot.at);
    const Vector3d off = p - foot.point;
    const double x = off.dot(s.side), z = off.dot(s.front), length = off.norm();
    const double a = x >= 0 ? r.side : r.otherSide, b = z >= 0 ? r.front : r.back, c = std::min(a, b);
    if (length < 1e-9)
        return -c;
    // What is left along the axis is the round end's share.
    const double beyond = std::sqrt(std::max(off.squaredNorm() - x * x - z * z, 0.0));
    const double n = s.roundness;
    const double reach =
        std::pow(std::pow(std::abs(x) / a, n) + std::pow(std::abs(z) / b, n) + std::pow(beyond / c, n), 1 / n);
    return length - length / reach;
}

double distanceTo(const Ellipsoid& e, const Vector3d& p) {
    const Vector3d q = e.axes.transpose() * (p - e.centre);
    const Vector3d k = q.cwiseQuotient(e.radii);
    const double k0 = k.norm(), k1 = k.cwiseQuotient(e.radii).norm();
    return k1 < 1e-9 ? -e.radii.minCoeff() : k0 * (k0 - 1) / k1;
}

// Distance to the hull of two spheres (section in the plane through the axis).
double distanceTo(const Cone& c, const Vector3d& p) {
    const Vector3d axis = c.to - c.from;
    const double length = axis.norm(), slope = (c.fromRadius - c.toRadius) / length;
    const double along = (p - c.from).dot(axis) / length;
    const double away = std::sqrt(std::max((p - c.from).squaredNorm() - along * along, 0.0));
    const double cosine = std::sqrt(1 - slope * slope);
    const double k = along * cosine - away * slope; // position of the nearest point along the flank
    if (k <= 0)
        return std::hypot(along, away) - c.fromRadius;
    if (k >= length * cosine)
        return std::hypot(along - length, away) - c.toRadius;
    return away * cosine + along * slope - c.fromRadius;
}

double distanceTo(const Shape& shape, const Vector3d& p) {
    return std::visit([&](const auto& g) { return distanceTo(g, p); }, shape.geometry);
}

void bound(Shape& shape) {
    if (const auto* sweep = std::get_if<Sweep>(&shape.geometry)) {
        Vector3d low = sweep->axis.front(), high = low;
        for (const Vector3d& p : sweep->axis) {
            low = low.cwiseMin(p);
            high = high.cwiseMax(p);
        }
        double reach = 0;
        for (const Station& s : sweep->stations)
            reach = std::max({reach, s.side, s.otherSide, s.front, s.back});
        shape.boundCentre = (low + high) / 2;
        // Stations may lie before the first and behind the last point.
        shape.boundRadius = (high - low).norm() * 0.75 + 1.5 * reach;
    } else if (const auto* e = std::get_if<Ellipsoid>(&shape.geometry)) {
        shape.boundCentre = e->centre;
        shape.boundRadius = e->radii.maxCoeff();
    } else if (const auto* c = std::get_if<Cone>(&shape.geometry)) {
        shape.boundCentre = (c->from + c->to) / 2;
        shape.boundRadius = (c->to - c->from).norm() / 2 + std::max(c->fromRadius, c->toRadius);
    }
}

double blendIn(const Shape& shape, const Vector3d& p, double d) {
    const double nearest = (p - shape.boundCentre).norm() - shape.boundRadius;
    if (shape.carve)
        return nearest > shape.blend - d ? d : -smoothMin(-d, distanceTo(shape, p), shape.blend);
    return nearest > d + shape.blend ? d : smoothMin(d, distanceTo(shape, p), shape.blend);
}

} // namespace

void BodyField::add(Shape shape) {
    bound(shape);
    shapes_.push_back(std::move(shape));
}

double BodyField::value(const Vector3d& p, unsigned parts) const {
    const Vector3d mirrored(-p.x(), p.y(), p.z());
    // Each finger melts into the hand but not into its neighbours: the nearest of hand-with-finger counts.
    double body = kFar, withFinger = kFar, d = kFar;
    unsigned finger = 0;
    for (const Shape& shape : shapes_) {
        if (!(shape.part & parts))
            continue;
        if (shape.part & kFingers) {
            if (shape.part != finger) {
                d = std::min(d, withFinger);
                withFinger = body;
                finger = shape.part;
            }
            withFinger = blendIn(shape, p, withFinger);
            continue;
        }
        body = blendIn(shape, p, body);
        if (shape.paired)
            body = blendIn(shape, mirrored, body);
    }
    d = std::min({d, withFinger, body});
    return parts & kFoot ? -smoothMin(-d, p.y(), 0.012) : d; // the flat of the sole
}

Vector3d BodyField::gradient(const Vector3d& p, double valueThere, unsigned parts) const {
    constexpr double h = 1e-6;
    Vector3d g;
    for (int i = 0; i < 3; ++i)
        g[i] = (value(p + h * Vector3d::Unit(i), parts) - valueThere) / h;
    return g;
}

Vector3d BodyField::project(Vector3d p, unsigned parts, int steps, double reach) const {
    for (int i = 0; i < steps; ++i) {
        const double d = value(p, parts);
        if (std::abs(d) < kClose)
            break;
        const Vector3d g = gradient(p, d, parts);
        const double slope = g.squaredNorm();
        if (slope < 1e-4)
            break;
        Vector3d step = -d / slope * g;
        if (step.norm() > reach)
            step *= reach / step.norm();
        p += step;
    }
    return p;
}

} // namespace limber::io::mannequin

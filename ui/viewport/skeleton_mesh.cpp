#include "ui/viewport/skeleton_mesh.h"

#include "ui/viewport/camera.h"

#include <algorithm>
#include <cmath>

namespace limber::ui {

using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

using Color = std::array<float, 4>;
constexpr double kHaloPx = 2.0; // how far the dark halo reaches beyond a line

struct Style {
    Color fill, line, ball;
    double lineHalfPx;
};

const Style& styleOf(BoneState state) {
    static const Style plain{
        {0.78f, 0.83f, 0.90f, 0.16f}, {0.93f, 0.95f, 0.98f, 0.78f}, {0.90f, 0.92f, 0.95f, 0.9f}, 0.5};
    static const Style hovered{{0.92f, 0.95f, 1.0f, 0.38f}, {1.0f, 1.0f, 1.0f, 1.0f}, {1.0f, 1.0f, 1.0f, 1.0f}, 0.9};
    static const Style selected{
        {0.80f, 0.53f, 0.20f, 0.38f}, {0.86f, 0.60f, 0.25f, 0.95f}, {0.84f, 0.57f, 0.22f, 1.0f}, 0.7};
    static const Style active{
        {0.95f, 0.64f, 0.23f, 0.50f}, {1.0f, 0.74f, 0.36f, 1.0f}, {0.97f, 0.66f, 0.24f, 1.0f}, 0.8};
    switch (state) {
    case BoneState::Hovered:
        return hovered;
    case BoneState::Selected:
        return selected;
    case BoneState::Active:
        return active;
    case BoneState::Plain:
        break;
    }
    return plain;
}

class Painter {
public:
    Painter(const Camera& camera, double fill, std::vector<SkeletonVertex>& out)
        : camera_(camera), fill_(static_cast<float>(fill)), out_(out) {}

    void ball(const JointBall& ball, const Style& style) {
        const Vector3d at = camera_.project(ball.center);
        const double r = drawnRadiusPx(camera_, ball.center, ball.radius, kBallSmallestPx), reach = r + kHaloPx;
        const auto corner = [&](double x, double y) {
            vertex({at.x() + x * reach, at.y() - y * reach}, style.ball, x * reach, y * reach, r, 2);
        };
        corner(-1, -1), corner(1, -1), corner(1, 1);
        corner(-1, -1), corner(1, 1), corner(-1, 1);
    }

    void bone(const Bone& bone, const Style& style) {
        const Vector3d along = bone.tail - bone.head;
        const double length = along.norm();
        const Vector3d waist = bone.head + along * kBoneWaistAt;
        const double width = camera_.worldPerPixel(waist) * drawnRadiusPx(camera_, waist, bone.waist, kBoneSmallestPx);
        const Vector3d u = bone.side * width, v = along.cross(bone.side) * (width / length);
        // 0 head, 1 tail, 2 .. 5 around the waist
        const std::array<Vector3d, 6> world{bone.head, bone.tail, waist + u, waist + v, waist - u, waist - v};
        std::array<Vector2d, 6> px;
        for (std::size_t k = 0; k < 6; ++k)
            px[k] = camera_.project(world[k]).head<2>();

        std::array<bool, 8> front{};
        for (std::size_t side = 0; side < 4; ++side) {
            const std::size_t a = 2 + side, b = 2 + (side + 1) % 4;
            front[side] = face(world, px, {0, b, a}, style.fill);
            front[4 + side] = face(world, px, {1, a, b}, style.fill);
        }
        for (std::size_t side = 0; side < 4; ++side) {
            const std::size_t a = 2 + side, b = 2 + (side + 1) % 4, before = (side + 3) % 4;
            if (front[side] || front[4 + side])
                line(px[a], px[b], style);
            if (front[side] || front[before])
                line(px[0], px[a], style);
            if (front[4 + side] || front[4 + before])
                line(px[1], px[a], style);
        }
    }

private:
    void vertex(const Vector2d& px, const Color& color, double x, double y, double halfPx, float kind) {
        const Vector2d view = camera_.viewport();
        out_.push_back(
            {{static_cast<float>(px.x() / view.x() * 2 - 1), static_cast<float>(1 - px.y() / view.y() * 2), 0.0f, 1.0f},
             color,
             {static_cast<float>(x), static_cast<float>(y), static_cast<float>(halfPx), kind}});
    }

    // Fills a face that looks to the eye, lit a little from the upper left.
    bool face(const std::array<Vector3d, 6>& world, const std::array<Vector2d, 6>& px,
              const std::array<std::size_t, 3>& corners, Color color) {
        const Vector2d e = px[corners[1]] - px[corners[0]], f = px[corners[2]] - px[corners[0]];
        if (e.x() * f.y() - e.y() * f.x() >= 0) // y runs down
            return false;
        const Vector3d n =
            (world[corners[1]] - world[corners[0]]).cross(world[corners[2]] - world[corners[0]]).normalized();
        const double light =
            0.72 + 0.38 * std::max(0.0, n.dot(-camera_.right() * 0.45 + camera_.up() * 0.6 - camera_.forward() * 0.65));
        for (std::size_t c = 0; c < 3; ++c)
            color[c] = std::min(1.0f, color[c] * static_cast<float>(light));
        color[3] *= fill_;
        for (const std::size_t k : corners)
            vertex(px[k], color, 0, 0, 0, 0);
        return true;
    }

    void line(const Vector2d& from, const Vector2d& to, const Style& style) {
        const Vector2d along = to - from;
        const double length = along.norm();
        if (!(length > 1e-3))
            return;
        const double reach = style.lineHalfPx + kHaloPx;
        const Vector2d across = Vector2d(-along.y(), along.x()) * (reach / length);
        const auto end = [&](const Vector2d& at, double side) {
            vertex(at + across * side, style.line, side * reach, 0, style.lineHalfPx, 1);
        };
        end(from, -1), end(to, -1), end(to, 1);
        end(from, -1), end(to, 1), end(from, 1);
    }

    const Camera& camera_;
    float fill_;
    std::vector<SkeletonVertex>& out_;
};

struct Item {
    double depth;
    std::size_t index;
    bool isBall;
};

} // namespace

void buildSkeletonMesh(const SkeletonShape& shape, const Camera& camera,
                       const std::function<BoneState(JointId)>& stateOf, double fill,
                       std::vector<SkeletonVertex>& out) {
    out.clear();
    const auto depthOf = [&](const Vector3d& p) { return (p - camera.eye()).dot(camera.forward()); };
    const double nearest = camera.orthographic() ? -1e300 : camera.nearPlane();
    std::vector<Item> items;
    for (std::size_t k = 0; k < shape.bones.size(); ++k) {
        const double head = depthOf(shape.bones[k].head), tail = depthOf(shape.bones[k].tail);
        if (std::min(head, tail) > nearest)
            items.push_back({(head + tail) / 2, k, false});
    }
    for (std::size_t k = 0; k < shape.balls.size(); ++k)
        if (const double depth = depthOf(shape.balls[k].center); depth > nearest)
            items.push_back({depth - shape.balls[k].radius, k, true});
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.depth > b.depth; });

    Painter painter(camera, fill, out);
    // What is picked lies over the rest.
    for (const BoneState round : {BoneState::Plain, BoneState::Selected, BoneState::Active, BoneState::Hovered})
        for (const Item& item : items) {
            const JointId joint = item.isBall ? shape.balls[item.index].joint : shape.bones[item.index].joint;
            if (stateOf(joint) != round)
                continue;
            if (item.isBall)
                painter.ball(shape.balls[item.index], styleOf(round));
            else
                painter.bone(shape.bones[item.index], styleOf(round));
        }
}

} // namespace limber::ui

#include "core/rig/bind_pose.h"

#include <array>
#include <cmath>

namespace limber::rig {

namespace {

bool usable(const Affine& m) {
    const double size = m.linear().cwiseAbs().maxCoeff();
    return math::allFinite(m) && size > 0 && std::abs((m.linear() / size).determinant()) > 1e-9;
}

// Difference relative to the sizes of the linear parts and of the translations.
bool nearlyEqual(const Affine& a, const Affine& b, double relative) {
    const double linear = (a.linear() - b.linear()).cwiseAbs().maxCoeff();
    const double shift = (a.translation() - b.translation()).cwiseAbs().maxCoeff();
    const double linearSize = a.linear().cwiseAbs().maxCoeff();
    const double shiftSize = std::max(a.translation().cwiseAbs().maxCoeff(), linearSize);
    return linear <= relative * linearSize && shift <= relative * shiftSize;
}

class Derivation {
public:
    Derivation(std::span<const Affine> nodeLocal, std::span<const JointId> parents)
        : local_(nodeLocal), parents_(parents), world_(nodeLocal.size()), depth_(nodeLocal.size(), 0),
          order_(orderOf(parents)) {
        for (const std::size_t n : order_) {
            world_[n] = parents_[n].valid() ? world_[parents_[n].index()] * local_[n] : local_[n];
            depth_[n] = parents_[n].valid() ? depth_[parents_[n].index()] + 1 : 0;
        }
    }

    [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }

    [[nodiscard]] Affine bindShapeOf(const SkinBind& skin) const {
        if (skin.bindShape)
            return *skin.bindShape;
        if (skin.joints.empty())
            return Affine::Identity();
        // A file whose nodes stand at bind tells the matrix itself.
        const Affine first = worldOf(skin.joints[0]) * skin.inverseBinds[0];
        bool atBind = usable(first);
        for (std::size_t k = 1; k < skin.joints.size() && atBind; ++k)
            atBind = nearlyEqual(first, worldOf(skin.joints[k]) * skin.inverseBinds[k], 1e-4);
        if (atBind)
            return first;
        return nearestCandidate(skin);
    }

private:
    static std::vector<std::size_t> orderOf(std::span<const JointId> parents) {
        std::vector<std::vector<std::size_t>> children(parents.size());
        std::vector<std::size_t> order;
        for (std::size_t n = 0; n < parents.size(); ++n)
            parents[n].valid() ? children[parents[n].index()].push_back(n) : order.push_back(n);
        for (std::size_t next = 0; next < order.size(); ++next)
            for (const std::size_t child : children[order[next]])
                order.push_back(child);
        return order;
    }

    [[nodiscard]] const Affine& worldOf(JointId j) const { return world_[j.index()]; }

    [[nodiscard]] std::size_t depthOf(JointId j) const { return depth_[j.index()]; }

    // The candidate that makes the topmost joint's Ul smallest.
    [[nodiscard]] Affine nearestCandidate(const SkinBind& skin) const {
        std::size_t top = 0;
        std::size_t topDepth = depthOf(skin.joints[0]);
        for (std::size_t k = 1; k < skin.joints.size() && topDepth > 0; ++k)
            if (const std::size_t depth = depthOf(skin.joints[k]); depth < topDepth) {
                top = k;
                topDepth = depth;
            }
        const Affine& inverseBind = skin.inverseBinds[top];
        const JointId topParent = parents_[skin.joints[top].index()];
        const Affine parent = topParent.valid() ? worldOf(topParent) : Affine::Identity();
        const std::array<Affine, 3> candidates{skin.carrier.valid() ? worldOf(skin.carrier) : Affine::Identity(),
                                               parent, Affine::Identity()};
        if (!usable(inverseBind))
            return candidates[0];

        const Affine* best = nullptr;
        double bestCost = 0;
        for (const Affine& m : candidates) {
            if (!usable(m))
                continue;
            // Ul = L^-1 N with L = B_p^-1 B: the part above the joint cancels where it is not bound itself.
            const Affine userLocal = (m * inverseBind.inverse()).inverse() * worldOf(skin.joints[top]);
            const double cost = restlessness(userLocal);
            if (!best || cost < bestCost - 1e-9) {
                best = &m;
                bestCost = cost;
            }
        }
        return best ? *best : Affine::Identity();
    }

    // Rotation angle + |log scale|.
    static double restlessness(const Affine& m) {
        const math::TransformParts parts = math::decompose(m);
        if (parts.singular)
            return 1e9;
        const double angle = Eigen::AngleAxisd(parts.rotation).angle();
        return angle + parts.scale.cwiseAbs().array().log().abs().sum();
    }

    std::span<const Affine> local_;
    std::span<const JointId> parents_;
    Transforms world_;
    std::vector<std::size_t> depth_; // below its root, per node
    std::vector<std::size_t> order_;
};

} // namespace

BindPose deriveBindPose(std::span<const Affine> nodeLocal, std::span<const JointId> parents,
                        std::span<const SkinBind> skins) {
    const Derivation derivation(nodeLocal, parents);
    const std::size_t count = nodeLocal.size();
    BindPose result;
    Transforms bind(count, Affine::Identity());
    std::vector<std::uint8_t> bound(count, 0);

    for (const SkinBind& skin : skins) {
        const Affine shape = derivation.bindShapeOf(skin);
        result.bindShape.push_back(shape);
        for (std::size_t k = 0; k < skin.joints.size(); ++k) {
            const std::size_t j = skin.joints[k].index();
            if (bound[j])
                continue; // the first skin that lists a joint decides
            if (!usable(skin.inverseBinds[k])) {
                result.singular.push_back(j);
                continue;
            }
            bind[j] = shape * skin.inverseBinds[k].inverse();
            bound[j] = 1;
        }
    }

    result.bindLocal.resize(count);
    result.userLocal.resize(count);
    for (const std::size_t n : derivation.order()) {
        const Affine parentBind = parents[n].valid() ? bind[parents[n].index()] : Affine::Identity();
        if (!bound[n] || !usable(parentBind)) {
            bind[n] = parentBind * nodeLocal[n];
            result.bindLocal[n] = nodeLocal[n];
            result.userLocal[n] = Affine::Identity();
            continue;
        }
        result.bindLocal[n] = parentBind.inverse() * bind[n];
        result.userLocal[n] = result.bindLocal[n].inverse() * nodeLocal[n];
    }

    for (std::size_t s = 0; s < skins.size(); ++s) {
        bool same = true;
        for (std::size_t k = 0; k < skins[s].joints.size() && same; ++k)
            same = nearlyEqual(result.bindShape[s], bind[skins[s].joints[k].index()] * skins[s].inverseBinds[k], 1e-5);
        result.sameBind.push_back(same);
    }
    return result;
}

} // namespace limber::rig

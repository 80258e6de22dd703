#include "core/document/surface_drift.h"

#include "core/document/edit.h"
#include "core/document/evaluator.h"

#include <algorithm>

namespace limber::document {

namespace {

std::vector<double> sampleTimes(const rig::Clip& clip, std::size_t most) {
    std::vector<double> times;
    for (const rig::Channel& channel : clip.channels)
        times.insert(times.end(), channel.times.begin(), channel.times.end());
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    if (times.size() <= most)
        return times;
    const double first = times.front(), step = (times.back() - first) / static_cast<double>(most - 1);
    times.resize(most);
    for (std::size_t k = 0; k < most; ++k)
        times[k] = first + step * static_cast<double>(k);
    return times;
}

// One of the two documents, posed by clips.
class PosedDocument {
public:
    explicit PosedDocument(const DocumentState& state) : doc_(state), rest_(state.pose), evaluator_(doc_, nothing_) {
        for (const Instance& instance : state.instances)
            sliders_.push_back(instance.shapeWeights);
    }

    void pose(const rig::Clip& clip, double time) {
        Edit edit;
        PosePatch joints;
        rig::Pose pose;
        rig::sampleClip(clip, time, doc_.skeleton(), rest_, pose);
        for (std::size_t j = 0; j < pose.size(); ++j) {
            const rig::Affine& now = doc_.state().pose[j];
            if (math::identical(now, pose[j]))
                continue;
            joints.joints.emplace_back(j);
            joints.before.push_back(now);
            joints.after.push_back(pose[j]);
        }
        edit.patches.emplace_back(std::move(joints));
        for (std::size_t i = 0; i < doc_.instanceCount(); ++i)
            poseShapes(clip, time, InstanceId(i), edit);
        evaluator_.invalidate(doc_.apply(edit));
    }

    [[nodiscard]] const Document& document() const { return doc_; }
    [[nodiscard]] std::span<const Eigen::Vector3f> positions(InstanceId i) { return evaluator_.positions(i); }

private:
    void poseShapes(const rig::Clip& clip, double time, InstanceId id, Edit& edit) {
        const Instance& instance = doc_.instance(id);
        std::vector<double> sliders = sliders_[id.index()];
        for (const rig::Channel& channel : clip.channels) {
            if (channel.path != rig::Channel::Path::Weights || channel.joint != instance.node)
                continue;
            const std::vector<double> values = rig::sampleChannel(channel, time);
            std::copy_n(values.begin(), std::min(values.size(), sliders.size()), sliders.begin());
        }
        const auto& shapes = doc_.mesh(instance.mesh).shapes;
        for (std::size_t s = 0; s < sliders.size(); ++s)
            if (instance.shapeWeights[s] != sliders[s])
                edit.patches.emplace_back(ShapeWeightPatch{id, shapes[s].id, instance.shapeWeights[s], sliders[s]});
    }

    Document doc_;
    Preview nothing_;
    rig::Pose rest_;
    std::vector<std::vector<double>> sliders_;
    Evaluator evaluator_;
};

class DriftMeter {
public:
    DriftMeter(const DocumentState& before, const DocumentState& after) : before_(before), after_(after) {}

    SurfaceDrift run(std::span<const rig::Clip> clips, std::size_t mostTimes) {
        drift_.clips = clips.size();
        for (std::size_t c = 0; c < clips.size(); ++c)
            for (const double time : sampleTimes(clips[c], mostTimes)) {
                before_.pose(clips[c], time);
                after_.pose(clips[c], time);
                compare(c, time);
            }
        if (drift_.times == 0)
            compare(0, 0);
        if (points_)
            drift_.mean = sum_ / static_cast<double>(points_);
        return drift_;
    }

private:
    void compare(std::size_t clip, double time) {
        ++drift_.times;
        for (std::size_t i = 0; i < before_.document().instanceCount(); ++i) {
            const InstanceId id(i);
            if (!before_.document().isSkinned(id))
                continue;
            const auto from = before_.positions(id), to = after_.positions(id);
            points_ += from.size();
            for (std::uint32_t v = 0; v < from.size(); ++v) {
                const double distance = (to[v].cast<double>() - from[v].cast<double>()).norm();
                sum_ += distance;
                if (distance <= drift_.maximum)
                    continue;
                drift_.maximum = distance;
                drift_.clip = clip;
                drift_.time = time;
                drift_.instance = id;
                drift_.vertex = v;
            }
        }
    }

    PosedDocument before_, after_;
    SurfaceDrift drift_;
    double sum_ = 0;
    std::size_t points_ = 0;
};

} // namespace

SurfaceDrift measureDrift(const DocumentState& before, const DocumentState& after, std::size_t mostTimes) {
    return DriftMeter(before, after).run(before.clips, std::max<std::size_t>(mostTimes, 2));
}

} // namespace limber::document

#include "core/io/assimp_animation.h"

#include "core/io/assimp_geometry.h"

#include <algorithm>
#include <cmath>

namespace limber::io {

namespace {

using Path = BuildChannel::Path;

// Collects keys of one channel in seconds, in order.
class KeyCollector {
public:
    KeyCollector(int node, Path path, double secondsPerTick) : secondsPerTick_(secondsPerTick) {
        channel.node = node;
        channel.path = path;
    }

    void add(double ticks, std::initializer_list<double> values) { add(ticks, std::vector<double>(values)); }
    void add(double ticks, const std::vector<double>& values) {
        const double seconds = ticks * secondsPerTick_;
        const bool finite = std::isfinite(seconds) && std::abs(seconds) < 1e7 &&
                            std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
        const auto time = static_cast<float>(seconds);
        if (!finite || (!channel.times.empty() && time <= channel.times.back())) {
            leftOut += finite && time == channel.times.back() && repeatsLast(values) ? 0 : 1;
            return;
        }
        channel.times.push_back(time);
        for (const double v : values)
            channel.values.push_back(static_cast<float>(v));
    }

    BuildChannel channel;
    std::size_t leftOut = 0;

private:
    bool repeatsLast(const std::vector<double>& values) const {
        return std::equal(values.begin(), values.end(),
                          channel.values.end() - static_cast<std::ptrdiff_t>(values.size()),
                          [](double a, float b) { return std::abs(a - b) < 1e-6; });
    }

    double secondsPerTick_;
};

class ClipBuilder {
public:
    // `sliders`: the same clip in the FBX file, or null.
    ClipBuilder(const aiAnimation& animation, const SceneMap& map, const FbxShapeClip* sliders) : map_(map) {
        clip.name = toString(animation.mName);
        const double ticks = animation.mTicksPerSecond;
        secondsPerTick_ = 1.0 / (std::isfinite(ticks) && ticks > 0 ? ticks : 25.0);
        for (unsigned c = 0; c < animation.mNumChannels; ++c)
            addNodeChannel(*animation.mChannels[c]);
        for (unsigned c = 0; c < animation.mNumMorphMeshChannels; ++c)
            addShapeChannel(*animation.mMorphMeshChannels[c]);
        if (sliders)
            addSliders(*sliders, startOf(animation, *sliders));
        startAtZero();
    }

    // A clip that only the FBX file knows.
    ClipBuilder(const FbxShapeClip& sliders, const SceneMap& map) : map_(map) {
        clip.name = sliders.name;
        addSliders(sliders, sliders.start);
        startAtZero();
    }

    BuildClip clip;
    std::size_t leftOutKeys = 0;
    std::size_t unknownNodes = 0;

private:
    void addNodeChannel(const aiNodeAnim& source) {
        const auto node = map_.nodeByName.find(toString(source.mNodeName));
        if (node == map_.nodeByName.end()) {
            ++unknownNodes;
            return;
        }
        KeyCollector translation(node->second, Path::Translation, secondsPerTick_);
        for (unsigned k = 0; k < source.mNumPositionKeys; ++k) {
            const aiVectorKey& key = source.mPositionKeys[k];
            translation.add(key.mTime, {key.mValue.x, key.mValue.y, key.mValue.z});
        }
        KeyCollector rotation(node->second, Path::Rotation, secondsPerTick_);
        for (unsigned k = 0; k < source.mNumRotationKeys; ++k) {
            const aiQuatKey& key = source.mRotationKeys[k];
            Eigen::Quaterniond q(key.mValue.w, key.mValue.x, key.mValue.y, key.mValue.z);
            q = q.norm() > 1e-8 ? q.normalized() : Eigen::Quaterniond::Identity();
            rotation.add(key.mTime, {q.x(), q.y(), q.z(), q.w()});
        }
        KeyCollector scale(node->second, Path::Scale, secondsPerTick_);
        for (unsigned k = 0; k < source.mNumScalingKeys; ++k) {
            const aiVectorKey& key = source.mScalingKeys[k];
            scale.add(key.mTime, {key.mValue.x, key.mValue.y, key.mValue.z});
        }
        for (KeyCollector* keys : {&translation, &rotation, &scale})
            take(*keys);
    }

    // FBX names the channel "node*geometry"; others by the node alone.
    void addShapeChannel(const aiMeshMorphAnim& source) {
        const std::string name = toString(source.mName);
        auto nodes = map_.shapedNodesByName.find(name);
        if (nodes == map_.shapedNodesByName.end())
            nodes = map_.shapedNodesByName.find(name.substr(0, name.rfind('*')));
        if (nodes == map_.shapedNodesByName.end()) {
            ++unknownNodes;
            return;
        }
        for (const int node : nodes->second)
            if (!map_.planOfNode.contains(node))
                addShapeKeys(source, node, map_.shapeNamesOfNode.at(node));
    }

    // A key's values count channels; the in-betweens of a channel are shapes of the same name, the whole shape last.
    void addShapeKeys(const aiMeshMorphAnim& source, int node, const std::vector<std::string>& shapes) {
        std::vector<std::size_t> shapeOfChannel;
        for (std::size_t s = 0; s < shapes.size(); ++s)
            if (s + 1 == shapes.size() || shapes[s].empty() || shapes[s] != shapes[s + 1])
                shapeOfChannel.push_back(s);
        KeyCollector keys(node, Path::Weights, secondsPerTick_);
        for (unsigned k = 0; k < source.mNumKeys; ++k) {
            const aiMeshMorphKey& key = source.mKeys[k];
            std::vector<double> weights(shapes.size(), 0.0);
            for (unsigned i = 0; i < key.mNumValuesAndWeights; ++i)
                if (key.mValues[i] < shapeOfChannel.size())
                    weights[shapeOfChannel[key.mValues[i]]] = key.mWeights[i];
            keys.add(key.mTime, weights);
        }
        take(keys);
    }

    // Assimp may begin a clip elsewhere than the file says; its first key of a shape is the file's.
    double startOf(const aiAnimation& animation, const FbxShapeClip& sliders) const {
        double ticks = HUGE_VAL, seconds = HUGE_VAL;
        for (unsigned c = 0; c < animation.mNumMorphMeshChannels; ++c)
            if (const aiMeshMorphAnim& morph = *animation.mMorphMeshChannels[c]; morph.mNumKeys > 0)
                ticks = std::min(ticks, morph.mKeys[0].mTime);
        for (const FbxPercentCurve& curve : sliders.curves)
            seconds = std::min(seconds, curve.keys.front().seconds);
        return std::isfinite(ticks) && std::isfinite(seconds) ? seconds - ticks * secondsPerTick_ : sliders.start;
    }

    void addSliders(const FbxShapeClip& sliders, double start) {
        for (const auto& [node, plan] : map_.planOfNode) {
            const FbxWeightKeys source = weightKeys(*map_.fbx, sliders, plan.mesh);
            KeyCollector keys(node, Path::Weights, 1);
            for (std::size_t k = 0; k < source.seconds.size(); ++k) {
                std::vector<double> weights;
                for (const std::size_t target : plan.targets)
                    weights.push_back(source.weights[k][target]);
                keys.add(source.seconds[k] - start, weights);
            }
            keys.leftOut = 0; // some are too close together to be told apart as floats
            take(keys);
        }
    }

    void take(KeyCollector& keys) {
        leftOutKeys += keys.leftOut;
        if (!keys.channel.times.empty())
            clip.channels.push_back(std::move(keys.channel));
    }

    void startAtZero() {
        float first = 0;
        for (const BuildChannel& c : clip.channels)
            first = std::min(first, c.times.front());
        if (first < 0)
            for (BuildChannel& c : clip.channels)
                for (float& t : c.times)
                    t -= first;
    }

    const SceneMap& map_;
    double secondsPerTick_ = 1;
};

// A channel for the same node and path twice is not valid in glTF; the first stays.
std::size_t dropDoubledChannels(BuildClip& clip) {
    std::vector<BuildChannel> kept;
    for (BuildChannel& c : clip.channels) {
        const bool doubled = std::any_of(kept.begin(), kept.end(),
                                         [&](const BuildChannel& k) { return k.node == c.node && k.path == c.path; });
        if (!doubled)
            kept.push_back(std::move(c));
    }
    const std::size_t dropped = clip.channels.size() - kept.size();
    clip.channels = std::move(kept);
    return dropped;
}

void addClip(ClipBuilder& builder, ImportedScene& target) {
    const std::string where = "clip \"" + builder.clip.name + "\"";
    const std::size_t leftOut = builder.unknownNodes + dropDoubledChannels(builder.clip);
    if (builder.leftOutKeys > 0)
        target.notes.push_back(
            {"IMPORT_KEYS_LEFT_OUT", where,
             std::to_string(builder.leftOutKeys) + " keys were out of order, doubled or not numbers and are left out.",
             builder.leftOutKeys});
    if (leftOut > 0)
        target.notes.push_back({"IMPORT_CHANNELS_LEFT_OUT", where,
                                std::to_string(leftOut) +
                                    " channels move something the scene does not have, or has twice, and are left out.",
                                leftOut});
    if (!builder.clip.channels.empty())
        target.scene.clips.push_back(std::move(builder.clip));
}

} // namespace

void convertAnimations(const aiScene& source, const SceneMap& map, ImportedScene& target) {
    std::vector<const FbxShapeClip*> sliders;
    for (std::size_t c = 0; map.fbx && c < map.fbx->clips.size(); ++c)
        sliders.push_back(&map.fbx->clips[c]);
    for (unsigned a = 0; a < source.mNumAnimations; ++a) {
        const auto same = std::find_if(sliders.begin(), sliders.end(), [&](const FbxShapeClip* c) {
            return c->name == toString(source.mAnimations[a]->mName);
        });
        ClipBuilder builder(*source.mAnimations[a], map, same == sliders.end() ? nullptr : *same);
        if (same != sliders.end())
            sliders.erase(same);
        addClip(builder, target);
    }
    for (const FbxShapeClip* further : sliders)
        if (!further->curves.empty()) {
            ClipBuilder builder(*further, map);
            addClip(builder, target);
        }
}

} // namespace limber::io

#include "core/io/fbx_shapes.h"

#include "core/io/fbx_curve.h"
#include "core/io/fbx_tree.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace limber::io {

namespace {

constexpr std::size_t kMostChannels = 100000, kMostTargets = 200000; // of all meshes together
constexpr std::size_t kMostKeys = std::size_t(1) << 24;

FbxWanted wanted(std::size_t depth, std::string_view name) {
    if (depth == 0)
        return name == "Objects" || name == "Connections" ? FbxWanted::Whole : FbxWanted::No;
    if (depth > 1 || name == "C" || name == "Connect")
        return FbxWanted::Whole;
    if (name == "Geometry" || name == "Model" || name == "AnimationLayer" || name == "AnimationCurveNode")
        return FbxWanted::WithoutChildren;
    return name == "Deformer" || name == "AnimationStack" || name == "AnimationCurve" ? FbxWanted::Whole
                                                                                      : FbxWanted::No;
}

struct Connection {
    std::int64_t source = 0, destination = 0;
    std::string property; // empty: of the objects themselves
};

class ShapeReader {
public:
    explicit ShapeReader(const FbxTree& tree) : tree_(tree) {}

    Result<FbxShapes> run() {
        readObjects();
        readConnections();
        for (const auto& [id, node] : inOrder_)
            if (isKind(*node, "Geometry", "Mesh"))
                addMesh(id, *node);
        for (const auto& [id, node] : inOrder_)
            if (node->name == "AnimationStack")
                addClip(id, *node);
        if (tooMany_)
            return Error{ErrorCode::InputRefused, "The FBX file has more shapes than can be read.", ""};
        return std::move(out_);
    }

private:
    struct Slider { // where a channel object stands in the result
        std::size_t mesh = 0, channel = 0;
    };

    void readObjects() {
        const FbxNode* objects = tree_.child(tree_.nodes[0], "Objects");
        for (std::uint32_t c = objects ? objects->firstChild : kNoFbxNode; c != kNoFbxNode;
             c = tree_.nodes[c].nextSibling) {
            const FbxNode& node = tree_.nodes[c];
            const auto values = tree_.valuesOf(node);
            if (values.empty() || values[0].kind != FbxValue::Kind::Integer)
                continue;
            if (objects_.emplace(values[0].integer, &node).second)
                inOrder_.emplace_back(values[0].integer, &node);
        }
    }

    void readConnections() {
        const FbxNode* list = tree_.child(tree_.nodes[0], "Connections");
        for (std::uint32_t c = list ? list->firstChild : kNoFbxNode; c != kNoFbxNode; c = tree_.nodes[c].nextSibling) {
            const auto values = tree_.valuesOf(tree_.nodes[c]);
            if (values.size() < 3 || values[1].kind != FbxValue::Kind::Integer ||
                values[2].kind != FbxValue::Kind::Integer)
                continue;
            Connection made{values[1].integer, values[2].integer, values.size() > 3 ? tree_.text(values[3]) : ""};
            if (!objects_.contains(made.source) || !objects_.contains(made.destination))
                continue;
            into_[made.destination].push_back(connections_.size());
            from_[made.source].push_back(connections_.size());
            connections_.push_back(std::move(made));
        }
    }

    [[nodiscard]] bool isKind(const FbxNode& node, std::string_view name, std::string_view kind) const {
        const auto values = tree_.valuesOf(node);
        return node.name == name && values.size() > 2 && tree_.text(values[2]) == kind;
    }

    [[nodiscard]] std::string nameOf(const FbxNode& node) const {
        const auto values = tree_.valuesOf(node);
        return values.size() > 1 ? tree_.objectName(values[1]) : std::string();
    }

    // visit(id, node, property) for what is connected into an object, or for what it is connected to.
    template <class F> void eachInto(std::int64_t id, F&& visit) const {
        if (const auto it = into_.find(id); it != into_.end())
            for (const std::size_t c : it->second)
                visit(connections_[c].source, *objects_.at(connections_[c].source), connections_[c].property);
    }
    template <class F> void eachFrom(std::int64_t id, F&& visit) const {
        if (const auto it = from_.find(id); it != from_.end())
            for (const std::size_t c : it->second)
                visit(connections_[c].destination, *objects_.at(connections_[c].destination), connections_[c].property);
    }

    void addMesh(std::int64_t id, const FbxNode& geometry) {
        FbxShapedMesh mesh;
        mesh.name = nameOf(geometry);
        eachInto(id, [&](std::int64_t blend, const FbxNode& blendNode, const std::string&) {
            if (!isKind(blendNode, "Deformer", "BlendShape"))
                return;
            eachInto(blend, [&](std::int64_t channel, const FbxNode& node, const std::string&) {
                if (!isKind(node, "Deformer", "BlendShapeChannel"))
                    return;
                tooMany_ = tooMany_ || ++channels_ > kMostChannels;
                if (tooMany_)
                    return;
                sliders_[channel].push_back({out_.meshes.size(), mesh.channels.size()});
                mesh.channels.push_back(readChannel(channel, node));
            });
        });
        if (mesh.channels.empty())
            return;
        eachFrom(id, [&](std::int64_t, const FbxNode& node, const std::string&) {
            if (node.name == "Model")
                mesh.nodes.push_back(nameOf(node));
        });
        out_.meshes.push_back(std::move(mesh));
    }

    FbxShapeChannel readChannel(std::int64_t id, const FbxNode& node) {
        FbxShapeChannel channel;
        channel.name = nameOf(node);
        channel.percent = percentOf(node);
        eachInto(id, [&](std::int64_t, const FbxNode& shape, const std::string&) {
            tooMany_ = tooMany_ || targets_ >= kMostTargets;
            if (tooMany_ || !isKind(shape, "Geometry", "Shape"))
                return;
            ++targets_;
            channel.targets.push_back({nameOf(shape), 100});
        });
        const FbxNode* full = tree_.child(node, "FullWeights");
        const auto percents = full && full->valueCount > 0 ? tree_.numbers(tree_.valuesOf(*full)[0])
                                                           : std::optional<std::vector<double>>();
        if (!percents || percents->empty())
            return channel;
        // Some exporters write a strength for each vertex here.
        if (percents->size() != channel.targets.size()) {
            channel.perVertex =
                std::any_of(percents->begin(), percents->end(), [&](double p) { return p != percents->front(); });
            return channel;
        }
        for (std::size_t t = 0; t < channel.targets.size(); ++t)
            if (const double p = (*percents)[t]; std::isfinite(p) && p != 0)
                channel.targets[t].fullPercent = p;
        return channel;
    }

    [[nodiscard]] double percentOf(const FbxNode& channel) const {
        double percent = 0;
        if (const FbxNode* own = tree_.child(channel, "DeformPercent"); own && own->valueCount > 0)
            percent = tree_.valuesOf(*own)[0].number;
        if (const FbxNode* properties = tree_.child(channel, "Properties70"))
            for (std::uint32_t p = properties->firstChild; p != kNoFbxNode; p = tree_.nodes[p].nextSibling)
                if (const auto values = tree_.valuesOf(tree_.nodes[p]);
                    values.size() > 4 && tree_.text(values[0]) == "DeformPercent")
                    percent = values[4].number;
        return std::isfinite(percent) ? percent : 0;
    }

    void addClip(std::int64_t id, const FbxNode& stack) {
        FbxShapeClip clip;
        clip.name = nameOf(stack);
        clip.start = startOf(stack);
        bool first = true;
        eachInto(id, [&](std::int64_t layer, const FbxNode& node, const std::string&) {
            if (node.name != "AnimationLayer")
                return;
            const std::size_t before = clip.curves.size();
            moved_.clear();
            addLayer(layer, clip);
            if (!first && clip.curves.size() > before) {
                clip.hasFurtherLayers = true;
                clip.curves.resize(before);
            }
            first = first && clip.curves.empty();
        });
        out_.clips.push_back(std::move(clip));
    }

    void addLayer(std::int64_t layer, FbxShapeClip& clip) {
        eachInto(layer, [&](std::int64_t curveNode, const FbxNode& node, const std::string&) {
            if (node.name != "AnimationCurveNode")
                return;
            const std::vector<FbxPercentKey>& keys = keysOf(curveNode);
            if (keys.empty())
                return;
            eachFrom(curveNode, [&](std::int64_t channel, const FbxNode&, const std::string& property) {
                const auto sliders = sliders_.find(channel);
                if (property != "DeformPercent" || sliders == sliders_.end())
                    return;
                for (const Slider& s : sliders->second)
                    moveSlider(s, keys, clip);
            });
        });
    }

    void moveSlider(const Slider& slider, const std::vector<FbxPercentKey>& keys, FbxShapeClip& clip) {
        tooMany_ = tooMany_ || keys.size() > kMostKeys - keys_;
        if (tooMany_ || !moved_.insert({slider.mesh, slider.channel}).second)
            return;
        keys_ += keys.size();
        clip.curves.push_back({slider.mesh, slider.channel, keys});
    }

    // The keys of the first curve that is not damaged.
    const std::vector<FbxPercentKey>& keysOf(std::int64_t curveNode) {
        static const std::vector<FbxPercentKey> kNone;
        const std::vector<FbxPercentKey>* keys = &kNone;
        eachInto(curveNode, [&](std::int64_t id, const FbxNode& curve, const std::string&) {
            if (!keys->empty() || curve.name != "AnimationCurve" || tooMany_)
                return;
            const auto [known, fresh] = curves_.try_emplace(id);
            if (fresh) {
                known->second = readFbxCurve(tree_, curve);
                tooMany_ = known->second.size() > kMostKeys - readKeys_;
                readKeys_ += known->second.size();
            }
            keys = &known->second;
        });
        return *keys;
    }

    [[nodiscard]] double startOf(const FbxNode& stack) const {
        const FbxNode* properties = tree_.child(stack, "Properties70");
        for (std::uint32_t p = properties ? properties->firstChild : kNoFbxNode; p != kNoFbxNode;
             p = tree_.nodes[p].nextSibling)
            if (const auto values = tree_.valuesOf(tree_.nodes[p]);
                values.size() > 4 && tree_.text(values[0]) == "LocalStart")
                return fbxSeconds(values[4].integer);
        return 0;
    }

    const FbxTree& tree_;
    FbxShapes out_;
    std::unordered_map<std::int64_t, const FbxNode*> objects_;
    std::vector<std::pair<std::int64_t, const FbxNode*>> inOrder_;
    std::vector<Connection> connections_;
    std::unordered_map<std::int64_t, std::vector<std::size_t>> into_, from_; // -> places in connections_
    std::unordered_map<std::int64_t, std::vector<Slider>> sliders_;          // by channel object
    std::unordered_map<std::int64_t, std::vector<FbxPercentKey>> curves_;    // by curve object, as far as read
    std::set<std::pair<std::size_t, std::size_t>> moved_;                    // by the layer that is read
    std::size_t channels_ = 0, targets_ = 0, keys_ = 0, readKeys_ = 0;
    bool tooMany_ = false;
};

} // namespace

Result<FbxShapes> readFbxShapes(std::span<const std::byte> bytes) {
    const auto tree = readFbxTree(bytes, wanted);
    if (!tree)
        return tree.error();
    return ShapeReader(*tree).run();
}

} // namespace limber::io

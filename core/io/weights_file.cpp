#include "core/io/weights_file.h"

#include "core/document/weights_intents.h"
#include "core/io/pose_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace limber::io {

namespace {

using Json = nlohmann::ordered_json;
using document::Document;
using document::DocumentState;

constexpr std::size_t kMostJoints = 65536;
constexpr int kDeepest = 4; // object, list of rows, row, pair

struct Fault {
    Error error;
};

[[noreturn]] void fail(std::string where, std::string text) {
    throw Fault{{ErrorCode::InputRefused, std::move(text), std::move(where)}};
}

std::string rowPlace(std::size_t vertex) {
    return "weights[" + std::to_string(vertex) + "]";
}

std::uint64_t wholeNumber(const Json& value, const std::string& where, std::uint64_t below) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= below)
        fail(where, "This is not a whole number below " + std::to_string(below) + ".");
    return value.get<std::uint64_t>();
}

float weightValue(const Json& value, const std::string& where) {
    const double weight = value.is_number() ? value.get<double>() : -1;
    if (!(weight >= 0) || weight > double(std::numeric_limits<float>::max()))
        fail(where, "A weight is not a number from 0 to 3.4e38.");
    return static_cast<float>(weight);
}

// Takes each row out of the tree as soon as it is read: a tree of millions of small lists would fill the memory.
class WeightsParser {
public:
    WeightsFile parse(std::string_view text) {
        const Json json = Json::parse(
            text, [this](int depth, Json::parse_event_t event, Json& parsed) { return step(depth, event, parsed); });
        readMembers(json);
        return std::move(file_);
    }

private:
    bool step(int depth, Json::parse_event_t event, Json& parsed) {
        using Event = Json::parse_event_t;
        const bool opens = event == Event::object_start || event == Event::array_start;
        if (depth >= kDeepest && opens)
            fail("", "This is not a weights file: it is nested too deeply.");
        if (event == Event::key && depth == 1) {
            inWeights_ = parsed == "weights";
            if (inWeights_ && ++lists_ > 1)
                fail("", "The weights file has \"weights\" twice.");
        }
        if (event != Event::array_end || depth != 2 || !inWeights_)
            return true;
        addRow(parsed);
        return false;
    }

    void addRow(const Json& json) {
        const std::size_t vertex = file_.rows.vertexCount();
        skin::Row row;
        for (const Json& pair : json) {
            if (!pair.is_array() || pair.size() != 2)
                fail(rowPlace(vertex), "An influence is not a pair of a joint and its weight.");
            const auto slot = static_cast<std::uint32_t>(wholeNumber(pair[0], rowPlace(vertex), kMostJoints));
            mostSlot_ = std::max<std::size_t>(mostSlot_, slot + std::size_t(1));
            if (const float weight = weightValue(pair[1], rowPlace(vertex)); weight > 0)
                row.push_back({slot, weight});
        }
        std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
        for (std::size_t k = 1; k < row.size(); ++k)
            if (row[k].slot == row[k - 1].slot)
                fail(rowPlace(vertex), "Joint " + std::to_string(row[k].slot) + " is listed twice.");
        // The rows of a file share one width: one long row among many must not multiply.
        entries_ += row.size();
        file_.rows.appendRow();
        const std::size_t width = std::max(file_.rows.capacity(), row.size());
        if (width > 8 && width * file_.rows.vertexCount() > 16 * entries_ + (std::size_t(1) << 22))
            fail(rowPlace(vertex), "The vertex has far more influences than the others.");
        file_.rows.setRow(vertex, row);
    }

    void readMembers(const Json& json) {
        if (!json.is_object() || !json.contains("limber") || json["limber"] != "weights")
            fail("", "This is not a weights file: \"limber\" is not \"weights\".");
        if (!json.contains("version") || json["version"] != 1)
            fail("", "The weights file's version is not 1.");
        for (const auto& [key, value] : json.items())
            if (key != "limber" && key != "version" && key != "mesh" && key != "vertices" && key != "joints" &&
                key != "weights")
                fail("", "\"" + key + "\" is not known here.");
        if (json.contains("mesh") && !json["mesh"].is_string())
            fail("mesh", "The mesh's name is not a text.");
        file_.mesh = json.value("mesh", std::string());
        readJoints(json);
        if (!json.contains("weights") || !json["weights"].is_array() || !json["weights"].empty())
            fail("weights", "\"weights\" is not a list of one list a vertex.");
        constexpr std::uint64_t kAny = std::numeric_limits<std::uint32_t>::max();
        if (!json.contains("vertices") || wholeNumber(json["vertices"], "vertices", kAny) != file_.rows.vertexCount())
            fail("vertices", "The number of vertices is not that of the lists in \"weights\", " +
                                 std::to_string(file_.rows.vertexCount()) + ".");
    }

    void readJoints(const Json& json) {
        if (!json.contains("joints") || !json["joints"].is_array())
            fail("joints", "The weights file has no list of \"joints\".");
        if (json["joints"].size() > kMostJoints)
            fail("joints", "There are more than " + std::to_string(kMostJoints) + " joints.");
        for (const Json& name : json["joints"]) {
            if (!name.is_string())
                fail("joints", "A joint's name is not a text.");
            file_.joints.push_back(name.get<std::string>());
        }
        if (mostSlot_ > file_.joints.size())
            fail("weights", "A vertex is weighted to joint " + std::to_string(mostSlot_ - 1) + ", but only " +
                                std::to_string(file_.joints.size()) + " are listed.");
    }

    WeightsFile file_;
    bool inWeights_ = false;
    int lists_ = 0;
    std::size_t mostSlot_ = 0, entries_ = 0;
};

// The joints of all skins by the names that files use for them.
class JointLabels {
public:
    explicit JointLabels(const DocumentState& state) : state_(state), joints_(skinJoints(state)) {
        for (const JointId j : joints_)
            byName_.emplace(state.skeleton[j].name, j);
    }

    [[nodiscard]] std::string labelOf(JointId joint) const {
        const std::string& name = state_.skeleton[joint].name;
        if (!name.empty() && byName_.count(name) == 1)
            return name;
        return "#" + std::to_string(std::lower_bound(joints_.begin(), joints_.end(), joint) - joints_.begin());
    }

    [[nodiscard]] JointId find(const std::string& label) const {
        if (const auto n = byName_.count(label); n == 1)
            return byName_.find(label)->second;
        else if (n > 1)
            fail(label, "Several joints have this name; name the joint by its number instead, such as \"#12\".");
        std::size_t index = 0;
        const char* end = label.data() + label.size();
        if (label.size() > 1 && label[0] == '#')
            if (const auto [at, wrong] = std::from_chars(label.data() + 1, end, index);
                wrong == std::errc() && at == end && index < joints_.size())
                return joints_[index];
        fail(label, "The file has no joint of this name.");
    }

private:
    const DocumentState& state_;
    std::vector<JointId> joints_;
    std::unordered_multimap<std::string, JointId> byName_;
};

// The skins that show a mesh; all number their joints alike as far as the mesh goes.
std::vector<SkinId> skinsOf(const DocumentState& state, MeshId mesh) {
    std::vector<SkinId> skins;
    for (const document::Instance& instance : state.instances)
        if (instance.mesh == mesh && instance.skin.valid() &&
            std::find(skins.begin(), skins.end(), instance.skin) == skins.end())
            skins.push_back(instance.skin);
    return skins;
}

class Importer {
public:
    Importer(const Document& doc, MeshId mesh) : doc_(doc), mesh_(mesh), skins_(skinsOf(doc.state(), mesh)) {
        if (skins_.empty() || doc.mesh(mesh).weights.empty())
            fail("", "The mesh has no skin: there is nothing to give weights to.");
        joints_ = doc.skin(skins_.front()).joints;
    }

    WeightsImport run(const WeightsFile& file) {
        const std::size_t vertices = doc_.mesh(mesh_).geometry.vertexCount();
        if (file.rows.vertexCount() != vertices)
            fail("vertices", "The weights are of " + std::to_string(file.rows.vertexCount()) +
                                 " vertices, the mesh has " + std::to_string(vertices) + ".");
        mapJoints(file);
        document::Edit rows = document::replaceWeights(doc_, mesh_, mappedRows(file), "Import weights");
        WeightsImport result{{}, normalised_, unweighted_, joints_.size() - doc_.skin(skins_.front()).joints.size()};
        if (rows.empty())
            return {{}, normalised_, unweighted_, 0};
        result.edit.label = std::move(rows.label);
        result.edit.patches = std::move(appended_);
        std::move(rows.patches.begin(), rows.patches.end(), std::back_inserter(result.edit.patches));
        return result;
    }

private:
    // Joints that no row uses need not exist.
    void mapJoints(const WeightsFile& file) {
        std::vector<std::uint8_t> used(file.joints.size(), 0);
        for (std::size_t v = 0; v < file.rows.vertexCount(); ++v)
            for (const skin::Influence& i : file.rows.row(v))
                used[i.slot] = 1;
        const JointLabels labels(doc_.state());
        slots_.assign(file.joints.size(), 0);
        std::unordered_map<std::uint32_t, std::size_t> taken;
        for (std::size_t k = 0; k < file.joints.size(); ++k) {
            if (!used[k])
                continue;
            slots_[k] = slotOf(labels.find(file.joints[k]));
            if (!taken.emplace(slots_[k], k).second)
                fail(file.joints[k], "Two entries of \"joints\" are this one joint.");
        }
    }

    std::uint32_t slotOf(JointId joint) {
        const auto at = std::find(joints_.begin(), joints_.end(), joint);
        const auto slot = static_cast<std::uint32_t>(at - joints_.begin());
        if (at != joints_.end())
            return slot;
        for (const SkinId skin : skins_) {
            if (doc_.skin(skin).joints.size() != doc_.skin(skins_.front()).joints.size())
                fail(doc_.skeleton()[joint].name, "The skins of the mesh lack this joint and differ in length.");
            appended_.emplace_back(
                document::SkinJointPatch{skin, joint, doc_.skeleton()[joint].inverseBind * doc_.skin(skin).bindShape});
        }
        joints_.push_back(joint);
        return slot;
    }

    skin::SkinWeights mappedRows(const WeightsFile& file) {
        skin::SkinWeights rows(file.rows.vertexCount(), file.rows.capacity());
        skin::Row row;
        for (std::size_t v = 0; v < rows.vertexCount(); ++v) {
            row.assign(file.rows.row(v).begin(), file.rows.row(v).end());
            double sum = 0;
            for (skin::Influence& i : row) {
                i.slot = slots_[i.slot];
                sum += static_cast<double>(i.weight);
            }
            unweighted_ += row.empty();
            const double tolerance = std::max(1e-6, 2e-7 * static_cast<double>(row.size()));
            if (!row.empty() && std::abs(sum - 1) > tolerance) {
                ++normalised_;
                for (skin::Influence& i : row)
                    i.weight = static_cast<float>(static_cast<double>(i.weight) / sum);
                std::erase_if(row, [](const skin::Influence& i) { return !(i.weight > 0); });
            }
            std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
            rows.setRow(v, row);
        }
        return rows;
    }

    const Document& doc_;
    MeshId mesh_;
    std::vector<SkinId> skins_;
    std::vector<JointId> joints_;      // of the skin, appended ones last
    std::vector<std::uint32_t> slots_; // per joint of the file
    std::vector<document::Patch> appended_;
    std::size_t normalised_ = 0, unweighted_ = 0;
};

} // namespace

Result<WeightsFile> readWeights(std::string_view json) {
    try {
        return WeightsParser().parse(json);
    } catch (const Fault& fault) {
        return fault.error;
    } catch (const Json::parse_error& error) {
        return Error{ErrorCode::InputRefused,
                     "This is not a weights file: it is not valid JSON at byte " + std::to_string(error.byte) + ".",
                     ""};
    } catch (const Json::out_of_range&) {
        return Error{ErrorCode::InputRefused, "This is not a weights file: it holds a number that is too large.", ""};
    } catch (const Json::exception&) {
        return Error{ErrorCode::InputRefused, "This is not a weights file: a value in it is of the wrong kind.", ""};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::InputRefused, "The weights file does not fit into memory.", ""};
    }
}

std::string writeWeights(const WeightsFile& file) {
    const auto text = [](const std::string& s) { return Json(s).dump(-1, ' ', false, Json::error_handler_t::replace); };
    std::string out = "{\"limber\":\"weights\",\"version\":1,\n\"mesh\":" + text(file.mesh) +
                      ",\n\"vertices\":" + std::to_string(file.rows.vertexCount()) + ",\n\"joints\":[";
    for (std::size_t j = 0; j < file.joints.size(); ++j)
        out += (j ? "," : "") + text(file.joints[j]);
    out += "],\n\"weights\":[";
    for (std::size_t v = 0; v < file.rows.vertexCount(); ++v) {
        out += v ? ",\n[" : "\n[";
        bool first = true;
        for (const skin::Influence& i : file.rows.row(v)) {
            char number[32];
            // The shortest digits that give the same float again.
            const auto end = std::to_chars(number, number + sizeof number, i.weight).ptr;
            out += (first ? "[" : ",[") + std::to_string(i.slot) + "," + std::string(number, end) + "]";
            first = false;
        }
        out += "]";
    }
    return out + "]}\n";
}

WeightsFile weightsOf(const DocumentState& state, MeshId mesh) {
    const document::MeshData& data = state.meshes[mesh.index()];
    WeightsFile file{data.geometry.name, {}, skin::SkinWeights(data.weights.vertexCount(), data.weights.capacity())};
    const std::vector<SkinId> skins = skinsOf(state, mesh);
    if (skins.empty())
        return file;
    const std::vector<JointId>& joints = state.skins[skins.front().index()].joints;
    std::vector<std::uint8_t> used(joints.size(), 0);
    for (std::size_t v = 0; v < data.weights.vertexCount(); ++v)
        for (const skin::Influence& i : data.weights.row(v))
            used[i.slot] = 1;
    const JointLabels labels(state);
    std::vector<std::uint32_t> places(joints.size(), 0);
    std::unordered_map<JointId, std::uint32_t> known; // a skin may list a joint twice
    for (std::size_t slot = 0; slot < joints.size(); ++slot) {
        if (!used[slot])
            continue;
        const auto [at, isNew] = known.emplace(joints[slot], static_cast<std::uint32_t>(file.joints.size()));
        places[slot] = at->second;
        if (isNew)
            file.joints.push_back(labels.labelOf(joints[slot]));
    }
    for (std::size_t v = 0; v < data.weights.vertexCount(); ++v) {
        skin::Row row;
        for (const skin::Influence& i : data.weights.row(v)) {
            const std::uint32_t place = places[i.slot];
            const auto same = std::find_if(row.begin(), row.end(), [&](const auto& r) { return r.slot == place; });
            if (same == row.end())
                row.push_back({place, i.weight});
            else
                same->weight += i.weight;
        }
        std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.slot < b.slot; });
        file.rows.setRow(v, row);
    }
    return file;
}

Result<WeightsImport> importWeights(const Document& doc, MeshId mesh, const WeightsFile& file) {
    try {
        return Importer(doc, mesh).run(file);
    } catch (const Fault& fault) {
        return fault.error;
    }
}

} // namespace limber::io

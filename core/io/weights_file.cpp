#include "core/io/weights_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

namespace limber::io {

namespace {

using Json = nlohmann::ordered_json;

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

} // namespace limber::io

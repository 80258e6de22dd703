// A small FBX file made by code, as text and in all binary forms: a triangle "Face" whose slider "Smile" passes the
// shape "Half" at 30 % on its way to "Full" at 100 %, and a clip "Talk" of two seconds that moves it 0, 150, -50 %.
#pragma once

#include <QByteArray>

#include <cstdint>
#include <cstring>
#include <string>
#include <variant>
#include <vector>

namespace limber::tests {

struct FbxText {
    std::string name, kind; // of an object: written as name and class; without class: a plain text
};
using FbxItem = std::variant<std::int32_t, std::int64_t, double, FbxText, std::vector<double>,
                             std::vector<std::int32_t>, std::vector<std::int64_t>>;

struct FbxRecord {
    std::string name;
    std::vector<FbxItem> items = {};
    std::vector<FbxRecord> children = {};
};

enum class FbxForm { Text, Binary32, Binary64, BinaryPacked };

class FbxWriter {
public:
    explicit FbxWriter(FbxForm form) : form_(form) {}

    QByteArray write(const std::vector<FbxRecord>& records) {
        if (form_ == FbxForm::Text)
            out_ = "; FBX 7.4.0 project file\n";
        else
            out_ = QByteArray("Kaydara FBX Binary  \0\x1a\0", 23) + raw<std::uint32_t>(wide() ? 7700 : 7400);
        for (const FbxRecord& r : records)
            add(r);
        return form_ == FbxForm::Text ? out_ : out_ + closing();
    }

private:
    [[nodiscard]] bool wide() const { return form_ == FbxForm::Binary64; }
    template <class T> static QByteArray raw(T value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }
    [[nodiscard]] QByteArray length(qsizetype n) const {
        return wide() ? raw(std::uint64_t(n)) : raw(std::uint32_t(n));
    }
    [[nodiscard]] QByteArray closing() const { return QByteArray(wide() ? 25 : 13, '\0'); }

    void add(const FbxRecord& r) {
        if (form_ == FbxForm::Text) {
            addText(r);
            return;
        }
        const qsizetype start = out_.size(), headBytes = wide() ? 24 : 12;
        QByteArray items;
        for (const FbxItem& item : r.items)
            items += std::visit([this](const auto& v) { return binary(v); }, item);
        out_ +=
            QByteArray(headBytes, '\0') + raw(std::uint8_t(r.name.size())) + QByteArray::fromStdString(r.name) + items;
        for (const FbxRecord& c : r.children)
            add(c);
        if (!r.children.empty())
            out_ += closing();
        out_.replace(start, headBytes, length(out_.size()) + length(qsizetype(r.items.size())) + length(items.size()));
    }

    [[nodiscard]] QByteArray binary(std::int32_t v) const { return 'I' + raw(v); }
    [[nodiscard]] QByteArray binary(std::int64_t v) const { return 'L' + raw(v); }
    [[nodiscard]] QByteArray binary(double v) const { return 'D' + raw(v); }
    [[nodiscard]] QByteArray binary(const FbxText& t) const {
        QByteArray text = QByteArray::fromStdString(t.name);
        if (!t.kind.empty())
            text += QByteArray("\0\x01", 2) + QByteArray::fromStdString(t.kind);
        return 'S' + raw(std::uint32_t(text.size())) + text;
    }
    template <class T> [[nodiscard]] QByteArray binary(const std::vector<T>& values) const {
        QByteArray bytes(reinterpret_cast<const char*>(values.data()), qsizetype(values.size() * sizeof(T)));
        const bool packed = form_ == FbxForm::BinaryPacked;
        if (packed)
            bytes = qCompress(bytes).mid(4);
        const char type = std::is_same_v<T, double> ? 'd' : sizeof(T) == 4 ? 'i' : 'l';
        return QByteArray(1, type) + raw(std::uint32_t(values.size())) + raw(std::uint32_t(packed)) +
               raw(std::uint32_t(bytes.size())) + bytes;
    }

    void addText(const FbxRecord& r) {
        out_ += QByteArray::fromStdString(r.name) + ": ";
        for (std::size_t i = 0; i < r.items.size(); ++i)
            out_ += (i > 0 ? ", " : "") + std::visit([](const auto& v) { return text(v); }, r.items[i]);
        if (!r.children.empty()) {
            out_ += " {\n";
            for (const FbxRecord& c : r.children)
                addText(c);
            out_ += "}";
        }
        out_ += "\n";
    }

    static QByteArray text(std::int32_t v) { return QByteArray::number(v); }
    static QByteArray text(std::int64_t v) { return QByteArray::number(qlonglong(v)); }
    static QByteArray text(double v) { return QByteArray::number(v, 'g', 17); }
    static QByteArray text(const FbxText& t) {
        return QByteArray::fromStdString("\"" + (t.kind.empty() ? t.name : t.kind + "::" + t.name) + "\"");
    }
    template <class T> static QByteArray text(const std::vector<T>& values) {
        QByteArray out = "*" + QByteArray::number(qulonglong(values.size())) + " {\na: ";
        for (std::size_t i = 0; i < values.size(); ++i)
            out += (i > 0 ? "," : "") + text(values[i]);
        return out + "\n}";
    }

    FbxForm form_;
    QByteArray out_;
};

inline FbxRecord fbxConnection(std::int64_t source, std::int64_t destination, const std::string& property = {}) {
    FbxRecord c{"C", {FbxText{property.empty() ? "OO" : "OP", ""}, source, destination}};
    if (!property.empty())
        c.items.emplace_back(FbxText{property, ""});
    return c;
}

// `percent`: where the slider stands.
inline QByteArray fbxSample(FbxForm form, double percent) {
    using Numbers = std::vector<double>;
    using Whole = std::vector<std::int32_t>;
    using Ticks = std::vector<std::int64_t>;
    constexpr std::int64_t kSecond = 46186158000;
    const auto object = [](const char* type, std::int64_t id, const char* name, const char* of, const char* kind,
                           std::vector<FbxRecord> children) {
        return FbxRecord{type, {id, FbxText{name, of}, FbxText{kind, ""}}, std::move(children)};
    };
    const FbxRecord version{"Version", {100}};
    const std::vector<FbxRecord> objects{
        object("Geometry", 1, "Face", "Geometry", "Mesh",
               {{"Vertices", {Numbers{0, 0, 0, 1, 0, 0, 0, 1, 0}}}, {"PolygonVertexIndex", {Whole{0, 1, -3}}}}),
        object("Model", 2, "Face", "Model", "Mesh", {version}),
        object("Geometry", 3, "Half", "Geometry", "Shape",
               {{"Indexes", {Whole{1, 2}}},
                {"Vertices", {Numbers{0, 0, 1, 0, 0, 2}}},
                {"Normals", {Numbers{0, 0, 0, 0, 0, 0}}}}),
        object("Geometry", 4, "Full", "Geometry", "Shape",
               {{"Indexes", {Whole{1}}}, {"Vertices", {Numbers{0, 3, 0}}}, {"Normals", {Numbers{0, 0, 0}}}}),
        object("Deformer", 5, "Shapes", "Deformer", "BlendShape", {version}),
        object("Deformer", 6, "Smile", "SubDeformer", "BlendShapeChannel",
               {version, {"DeformPercent", {percent}}, {"FullWeights", {Numbers{30, 100}}}}),
        object("AnimationStack", 7, "Talk", "AnimStack", "",
               {{"Properties70",
                 {},
                 {{"P",
                   {FbxText{"LocalStop", ""}, FbxText{"KTime", ""}, FbxText{"Time", ""}, FbxText{"", ""},
                    2 * kSecond}}}}}),
        object("AnimationLayer", 8, "Base", "AnimLayer", "", {version}),
        object("AnimationCurveNode", 9, "DeformPercent", "AnimCurveNode", "", {version}),
        object("AnimationCurve", 10, "", "AnimCurve", "",
               {{"KeyTime", {Ticks{0, kSecond, 2 * kSecond}}},
                {"KeyValueFloat", {Numbers{0, 150, -50}}},
                {"KeyAttrFlags", {Whole{4}}},
                {"KeyAttrDataFloat", {Numbers{0, 0, 0, 0}}},
                {"KeyAttrRefCount", {Whole{3}}}})};
    const std::vector<FbxRecord> connections{fbxConnection(2, 0),
                                             fbxConnection(1, 2),
                                             fbxConnection(5, 1),
                                             fbxConnection(6, 5),
                                             fbxConnection(3, 6),
                                             fbxConnection(4, 6),
                                             fbxConnection(8, 7),
                                             fbxConnection(9, 8),
                                             fbxConnection(9, 6, "DeformPercent"),
                                             fbxConnection(10, 9, "d|DeformPercent")};
    return FbxWriter(form).write({{"FBXHeaderExtension", {}, {{"FBXVersion", {7400}}}},
                                  {"GlobalSettings",
                                   {},
                                   {version,
                                    {"Properties70",
                                     {},
                                     {{"P",
                                       {FbxText{"UnitScaleFactor", ""}, FbxText{"double", ""}, FbxText{"Number", ""},
                                        FbxText{"", ""}, 100.0}}}}}},
                                  {"Objects", {}, objects},
                                  {"Connections", {}, connections}});
}

} // namespace limber::tests

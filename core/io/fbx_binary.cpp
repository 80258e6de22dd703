#include "core/io/fbx_parse.h"

#include <cmath>
#include <cstring>

namespace limber::io {

namespace {

class BinaryParser {
public:
    BinaryParser(std::span<const std::byte> bytes, FbxTreeBuilder& builder) : bytes_(bytes), builder_(builder) {}

    Status run() {
        at_ = kFbxBinaryMagic.size();
        if (!has(4))
            return fbxDamaged(at_, "it ends in its header");
        const auto version = take<std::uint32_t>();
        if (version < 7000 || version > 7999)
            return fbxDamaged(at_ - 4, "its version is not 7");
        wide_ = version >= 7500;
        for (;;) {
            if (!ends_.empty() && at_ == ends_.back()) {
                ends_.pop_back();
                builder_.close();
                continue;
            }
            bool last = false;
            if (const Status s = readRecord(last); !s)
                return s;
            if (!last)
                continue;
            if (ends_.empty())
                return {}; // a footer follows, of no use
            if (at_ != ends_.back())
                return fbxDamaged(at_, "a list of records is closed before its end");
        }
    }

private:
    [[nodiscard]] std::uint64_t limit() const { return ends_.empty() ? bytes_.size() : ends_.back(); }
    [[nodiscard]] bool has(std::uint64_t count) const { return count <= limit() - at_; }

    template <class T> T take() {
        T value;
        std::memcpy(&value, bytes_.data() + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    std::uint64_t takeLength() { return wide_ ? take<std::uint64_t>() : take<std::uint32_t>(); }

    // The head and the values of a record; its children follow as records. `last`: the empty one that closes a list.
    Status readRecord(bool& last) {
        const std::uint64_t start = at_;
        if (!has(wide_ ? 25 : 13))
            return fbxDamaged(start, "a record is cut off");
        const std::uint64_t end = takeLength(), values = takeLength(), valueBytes = takeLength();
        const auto nameBytes = take<std::uint8_t>();
        last = end == 0;
        if (last)
            return values == 0 && valueBytes == 0 && nameBytes == 0
                       ? Status()
                       : fbxDamaged(start, "a record has no end but is not empty");
        if (end < at_ || end > limit() || nameBytes > end - at_ || valueBytes > end - at_ - nameBytes)
            return fbxDamaged(start, "a record is longer than what holds it");
        const std::string_view name(reinterpret_cast<const char*>(bytes_.data()) + at_, nameBytes);
        at_ += nameBytes;
        if (!builder_.open(name))
            return fbxDamaged(start, "it has too many records, or they nest too deep");
        ends_.push_back(end);
        const std::uint64_t children = at_ + valueBytes;
        if (builder_.keepsValues()) {
            ends_.push_back(children);
            if (const Status s = readValues(values); !s)
                return s;
            ends_.pop_back();
        }
        at_ = builder_.keepsChildren() ? children : end;
        return {};
    }

    Status readValues(std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i) {
            FbxValue value;
            if (!has(1) || !readValue(value))
                return fbxDamaged(at_, "a value is cut off or of no known type");
            if (!builder_.add(value))
                return fbxDamaged(at_, "it has too many values");
        }
        return {};
    }

    template <class T> bool readInteger(FbxValue& value) {
        if (!has(sizeof(T)))
            return false;
        value.kind = FbxValue::Kind::Integer;
        value.integer = take<T>();
        value.number = static_cast<double>(value.integer);
        return true;
    }

    template <class T> bool readNumber(FbxValue& value) {
        if (!has(sizeof(T)))
            return false;
        value.kind = FbxValue::Kind::Number;
        value.number = take<T>();
        value.integer = std::abs(value.number) < 9e18 ? static_cast<std::int64_t>(value.number) : 0;
        return true;
    }

    bool readContent(FbxValue& value, std::uint64_t size) {
        if (!has(size))
            return false;
        value.content = bytes_.subspan(at_, size);
        at_ += size;
        return true;
    }

    bool readValue(FbxValue& value) {
        const auto type = static_cast<char>(take<std::uint8_t>());
        switch (type) {
        case 'Y':
            return readInteger<std::int16_t>(value);
        case 'B':
        case 'C':
            return readInteger<std::int8_t>(value);
        case 'I':
            return readInteger<std::int32_t>(value);
        case 'L':
            return readInteger<std::int64_t>(value);
        case 'F':
            return readNumber<float>(value);
        case 'D':
            return readNumber<double>(value);
        case 'S':
        case 'R':
            value.kind = FbxValue::Kind::Text;
            return has(4) && readContent(value, take<std::uint32_t>());
        case 'f':
        case 'd':
        case 'l':
        case 'i':
        case 'b':
        case 'c': {
            if (!has(12))
                return false;
            value.kind = FbxValue::Kind::Array;
            value.element = type == 'c' ? 'b' : type;
            value.count = take<std::uint32_t>();
            value.packed = take<std::uint32_t>() != 0;
            return readContent(value, take<std::uint32_t>());
        }
        default:
            return false;
        }
    }

    std::span<const std::byte> bytes_;
    FbxTreeBuilder& builder_;
    std::uint64_t at_ = 0;
    bool wide_ = false;
    std::vector<std::uint64_t> ends_; // of the open records
};

} // namespace

Status parseFbxBinary(std::span<const std::byte> bytes, FbxTreeBuilder& builder) {
    return BinaryParser(bytes, builder).run();
}

} // namespace limber::io

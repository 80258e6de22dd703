#include "core/io/fbx_parse.h"

#include <charconv>
#include <cmath>

namespace limber::io {

namespace {

bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '|' ||
           c == '-' || c == '.';
}

class TextParser {
public:
    TextParser(std::string_view text, FbxTreeBuilder& builder) : text_(text), builder_(builder) {}

    Status run() {
        for (;;) {
            skipBlank(true);
            if (at_ == text_.size())
                return builder_.depth() == 0 ? Status() : fbxDamaged(at_, "it ends inside a block");
            if (peek() == '}') {
                if (builder_.depth() == 0)
                    return fbxDamaged(at_, "a block is closed that was not opened");
                ++at_;
                builder_.close();
                continue;
            }
            if (const Status s = readNode(); !s)
                return s;
        }
    }

private:
    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    // Spaces and comments; line ends too where `lines`.
    void skipBlank(bool lines) {
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == ';')
                at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
            else if (c != ' ' && c != '\t' && c != '\r' && !(lines && c == '\n'))
                return;
        }
    }

    Status readNode() {
        const std::size_t start = at_;
        while (isNameCharacter(peek()))
            ++at_;
        const std::string_view name = text_.substr(start, at_ - start);
        skipBlank(false);
        if (name.empty() || peek() != ':')
            return fbxDamaged(start, "a name and a colon are missing");
        ++at_;
        lastWasCount_ = false;
        if (!builder_.open(name))
            return fbxDamaged(start, "it has too many records, or they nest too deep");
        return readValues();
    }

    // Up to the end of the line, or into the block, which then stays open.
    Status readValues() {
        bool comma = false;
        for (;;) {
            skipBlank(comma);
            const char c = peek();
            if (at_ == text_.size() || c == '\n' || c == '}') {
                builder_.close();
                return {};
            }
            comma = c == ',';
            if (comma) {
                ++at_;
            } else if (c == '{') {
                ++at_;
                return readArray();
            } else if (!readValue()) {
                return fbxDamaged(at_, "a value is cut off, or there are too many");
            }
        }
    }

    // A block is an array where its node has a count and it begins with `a:`; one that is not stays open.
    Status readArray() {
        FbxValue* const count = builder_.lastValue();
        const std::size_t start = at_;
        skipBlank(true);
        if (!lastWasCount_ || text_.substr(at_, 2) != "a:") {
            at_ = start;
            return {};
        }
        at_ += 2;
        const std::size_t end = text_.find('}', at_);
        if (end == text_.npos)
            return fbxDamaged(start, "an array has no end");
        if (count) {
            const std::string_view numbers = text_.substr(at_, end - at_);
            count->kind = FbxValue::Kind::Array;
            count->element = 't';
            count->count = count->integer < 0 ? 0 : static_cast<std::uint64_t>(count->integer);
            count->content = std::as_bytes(std::span(numbers.data(), numbers.size()));
        }
        at_ = end + 1;
        builder_.close();
        return {};
    }

    bool readValue() {
        FbxValue value;
        lastWasCount_ = peek() == '*';
        if (lastWasCount_)
            ++at_;
        if (peek() == '"') {
            const std::size_t end = text_.find('"', at_ + 1);
            if (end == text_.npos)
                return false;
            setText(value, text_.substr(at_ + 1, end - at_ - 1));
            at_ = end + 1;
            return builder_.add(value);
        }
        const std::size_t end = std::min(text_.find_first_of(" \t\r\n,{};\"", at_), text_.size());
        if (end == at_)
            return false;
        setBare(value, text_.substr(at_, end - at_));
        at_ = end;
        return builder_.add(value);
    }

    static void setText(FbxValue& value, std::string_view text) {
        value.kind = FbxValue::Kind::Text;
        value.content = std::as_bytes(std::span(text.data(), text.size()));
    }

    static void setBare(FbxValue& value, std::string_view word) {
        const char* const end = word.data() + word.size();
        if (const auto [stop, error] = std::from_chars(word.data(), end, value.integer);
            error == std::errc() && stop == end) {
            value.number = static_cast<double>(value.integer);
            return;
        }
        value.integer = 0;
        if (const auto [stop, error] = std::from_chars(word.data(), end, value.number);
            error == std::errc() && stop == end) {
            value.kind = FbxValue::Kind::Number;
            value.integer = std::abs(value.number) < 9e18 ? static_cast<std::int64_t>(value.number) : 0;
            return;
        }
        setText(value, word);
    }

    std::string_view text_;
    FbxTreeBuilder& builder_;
    std::size_t at_ = 0;
    bool lastWasCount_ = false; // the value before was `*count`
};

} // namespace

Status parseFbxText(std::string_view text, FbxTreeBuilder& builder) {
    return TextParser(text, builder).run();
}

} // namespace limber::io

// Little-endian bytes, written and read back without trust: a reader that fails stays failed and gives zeros.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace limber {

// What is stored as it is. A bool is not: it has values that are none.
template <class T>
concept PlainNumber = (std::integral<T> || std::floating_point<T>)&&!std::same_as<T, bool>;

class ByteWriter {
public:
    template <PlainNumber T> void number(T value) { numbers(std::span<const T>(&value, 1)); }
    template <PlainNumber T> void numbers(std::span<const T> values) {
        const std::size_t at = bytes_.size();
        bytes_.resize(at + values.size_bytes());
        if (!values.empty())
            std::memcpy(bytes_.data() + at, values.data(), values.size_bytes());
        if constexpr (std::endian::native == std::endian::big)
            for (std::size_t k = at; k < bytes_.size(); k += sizeof(T))
                std::reverse(bytes_.begin() + k, bytes_.begin() + k + sizeof(T));
    }
    void text(const std::string& value) {
        number(static_cast<std::uint32_t>(value.size()));
        numbers(std::span<const char>(value));
    }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

class ByteReader {
public:
    explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    [[nodiscard]] bool failed() const { return failed_; }
    void fail() {
        failed_ = true;
        rest_ = {};
    }
    [[nodiscard]] std::size_t remaining() const { return rest_.size(); }

    template <PlainNumber T> [[nodiscard]] T number() {
        T value{};
        numbers(std::span<T>(&value, 1));
        return value;
    }
    // Fills `out`, or fails; numbers that are not finite fail as well.
    template <PlainNumber T> void numbers(std::span<T> out) {
        if (rest_.size() < out.size_bytes())
            return fail();
        if (out.empty())
            return;
        std::memcpy(out.data(), rest_.data(), out.size_bytes());
        rest_ = rest_.subspan(out.size_bytes());
        for (T& value : out) {
            if constexpr (std::endian::native == std::endian::big) {
                auto* first = reinterpret_cast<std::byte*>(&value);
                std::reverse(first, first + sizeof(T));
            }
            if constexpr (std::floating_point<T>)
                if (!std::isfinite(value)) {
                    value = 0;
                    failed_ = true;
                }
        }
        if (failed_)
            fail();
    }
    [[nodiscard]] bool flag() {
        const auto value = number<std::uint8_t>();
        if (value > 1)
            fail();
        return value == 1;
    }
    // How many elements follow, where each takes at least `bytesEach`: never more than there is room for.
    [[nodiscard]] std::size_t count(std::size_t bytesEach) {
        const auto n = number<std::uint32_t>();
        if (n > rest_.size() / bytesEach) {
            fail();
            return 0;
        }
        return n;
    }
    [[nodiscard]] std::string text() {
        std::string value(count(1), '\0');
        numbers(std::span<char>(value));
        return value;
    }

private:
    std::span<const std::byte> rest_;
    bool failed_ = false;
};

} // namespace limber

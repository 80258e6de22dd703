// A value or a reason. Everything that can fail because of a file, a disk or a user returns one of these;
// mistakes of the programmer assert instead.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace limber {

// What kind of failure it was. The command line turns these into exit codes.
enum class ErrorCode {
    Failed,       // the work itself could not be done
    Usage,        // the request makes no sense (unknown name, bad number, missing argument)
    InputRefused, // the input file is missing, unreadable, malformed or hostile
    WriteFailed,  // the output could not be written
    Cancelled,    // the user stopped it
};

// `text` says what is wrong and what to do, as one sentence for a person; `where` names the place
// (a path, or a position inside a file such as "accessors[3]"); it may be empty.
struct Error {
    ErrorCode code = ErrorCode::Failed;
    std::string text;
    std::string where;

    // "where: text", or the text alone.
    [[nodiscard]] std::string message() const { return where.empty() ? text : where + ": " + text; }
};

template <class T> class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    [[nodiscard]] T& value() & {
        assert(ok());
        return std::get<0>(state_);
    }
    [[nodiscard]] const T& value() const& {
        assert(ok());
        return std::get<0>(state_);
    }
    [[nodiscard]] T&& value() && {
        assert(ok());
        return std::get<0>(std::move(state_));
    }
    [[nodiscard]] T* operator->() { return &value(); }
    [[nodiscard]] const T* operator->() const { return &value(); }
    [[nodiscard]] T& operator*() & { return value(); }
    [[nodiscard]] const T& operator*() const& { return value(); }

    [[nodiscard]] const Error& error() const {
        assert(!ok());
        return std::get<1>(state_);
    }

private:
    std::variant<T, Error> state_;
};

// Success without a value.
template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    [[nodiscard]] bool ok() const { return !error_; }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const Error& error() const {
        assert(error_);
        return *error_;
    }

private:
    std::optional<Error> error_;
};

using Status = Result<void>;

} // namespace limber

// Room that is not cleared before something is written to it.
#pragma once

#include <memory>
#include <utility>

namespace limber {

// For std::vector<T, Unfilled<T>>: growing without a value leaves the new elements as they lie in memory. Filling a
// large array twice, and the first time on one thread, takes longer than reading its file. T: of plain values.
template <class T> struct Unfilled : std::allocator<T> {
    template <class U> struct rebind { using other = Unfilled<U>; };
    Unfilled() = default;
    template <class U> explicit Unfilled(const Unfilled<U>&) {}
    void construct(T*) const {}
    template <class... Arguments> void construct(T* at, Arguments&&... arguments) const {
        std::construct_at(at, std::forward<Arguments>(arguments)...);
    }
};

} // namespace limber

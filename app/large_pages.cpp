// Large blocks of this program lie in large pages where the system grants them: filling a fresh block of small pages
// takes several times as long as writing to it. To be compiled into a program, not into a library.
#if defined(__linux__) && !defined(LIMBER_SANITIZED)

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace {

constexpr std::size_t kPage = std::size_t(2) << 20;

std::size_t rounded(std::size_t size, std::size_t to) {
    return (size + to - 1) / to * to;
}

void* allocate(std::size_t size, std::size_t alignment) {
    if (size > SIZE_MAX - kPage)
        return nullptr;
    if (size < kPage)
        return alignment <= alignof(std::max_align_t) ? std::malloc(size ? size : 1)
                                                      : std::aligned_alloc(alignment, rounded(size, alignment));
    // Whole pages at the start alone: the rest of the last one would be memory that nobody asked for.
    void* block = std::aligned_alloc(std::max(kPage, alignment), rounded(size, std::max<std::size_t>(64, alignment)));
    if (block)
        madvise(block, size / kPage * kPage, MADV_HUGEPAGE);
    return block;
}

void* allocateOrThrow(std::size_t size, std::size_t alignment) {
    while (true) {
        if (void* block = allocate(size, alignment))
            return block;
        const std::new_handler handler = std::get_new_handler();
        if (!handler)
            throw std::bad_alloc();
        handler();
    }
}

} // namespace

void* operator new(std::size_t size) {
    return allocateOrThrow(size, 1);
}

void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocateOrThrow(size, static_cast<std::size_t>(alignment));
}

void operator delete(void* block) noexcept {
    std::free(block);
}

void operator delete(void* block, std::size_t) noexcept {
    std::free(block);
}

void operator delete(void* block, std::align_val_t) noexcept {
    std::free(block);
}

void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
    std::free(block);
}

#endif

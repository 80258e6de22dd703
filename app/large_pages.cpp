// Large blocks of this program lie in large pages where the system grants them: filling a fresh block of small pages
// takes several times as long as writing to it. To be compiled into a program, not into a library.
#if defined(__linux__) && !defined(LIMBER_SANITIZED)

#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace {

constexpr std::size_t kPage = std::size_t(2) << 20;

void* allocate(std::size_t size) {
    if (size < kPage || size > SIZE_MAX - 63)
        return std::malloc(size ? size : 1);
    // Whole pages at the start alone: the rest of the last one would be memory that nobody asked for.
    void* block = std::aligned_alloc(kPage, (size + 63) / 64 * 64);
    if (block)
        madvise(block, size / kPage * kPage, MADV_HUGEPAGE);
    return block;
}

} // namespace

void* operator new(std::size_t size) {
    while (true) {
        if (void* block = allocate(size))
            return block;
        const std::new_handler handler = std::get_new_handler();
        if (!handler)
            throw std::bad_alloc();
        handler();
    }
}

void operator delete(void* block) noexcept {
    std::free(block);
}

void operator delete(void* block, std::size_t) noexcept {
    std::free(block);
}

#endif

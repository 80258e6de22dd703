#include "app/freed_memory.h"

#include <cstdlib> // tells whose C library it is

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace limber::app {

void shareOneHeap() {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
#endif
}

void returnFreedMemory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

} // namespace limber::app

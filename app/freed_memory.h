// What becomes of memory that the program does not need any more. On the GNU C library; nothing elsewhere.
#pragma once

namespace limber::app {

// All threads take memory from one heap. Left to itself the library gives threads heaps of their own, up to eight for
// each core, and what one frees stays for those that get its heap: every thread that reads a file may find another one
// to fill. The window's threads take next to nothing from it while they work side by side. To be called before the
// first other thread starts.
void shareOneHeap();

// Gives the heap's unused pages back to the system. Costs about a millisecond for each 10 MB of them; other threads
// wait for memory meanwhile.
void returnFreedMemory();

} // namespace limber::app

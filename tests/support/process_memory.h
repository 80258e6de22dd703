// The memory of the process that asks, in megabytes; 0 where the system does not tell.
#pragma once

#include <QFile>

#include <algorithm>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace limber::test {

inline double residentMegabytes() {
    QFile statm(QStringLiteral("/proc/self/statm"));
    return statm.open(QIODevice::ReadOnly) ? statm.readAll().split(' ').value(1).toDouble() * 4096 / 1e6 : 0;
}

// Without what the allocator keeps of freed memory: how much that is depends on which threads had it.
inline double allocatedMegabytes() {
#ifdef __GLIBC__
    const struct mallinfo2 all = mallinfo2();
    return double(all.uordblks + all.hblkhd) / 1e6;
#else
    return 0;
#endif
}

struct Growth {
    double resident = 1e9, allocated = 1e9;

    [[nodiscard]] QString text() const {
        return QStringLiteral("%1 MB more in every round, %2 MB of them allocated").arg(resident).arg(allocated);
    }
};

// By how much memory grows in the best of four rounds, after one to warm up: caches, pools and heaps reach their size
// in steps; a leak goes on in every round.
template <class Round> Growth leastGrowth(const Round& round) {
    round();
    Growth least;
    for (int k = 0; k < 4; ++k) {
        const double resident = residentMegabytes(), allocated = allocatedMegabytes();
        round();
        least.resident = std::min(least.resident, residentMegabytes() - resident);
        least.allocated = std::min(least.allocated, allocatedMegabytes() - allocated);
    }
    return least;
}

} // namespace limber::test

// The instruction sets that kernels are compiled for, one after the other.
#pragma once

#include <hwy/targets.h>

namespace limber::test {

inline constexpr std::int64_t kTargets[] = {HWY_AVX3, HWY_AVX2, HWY_SSSE3, HWY_SCALAR, HWY_EMU128, HWY_NEON};

// Kernels of one instruction set for as long as it lives; those of this processor where `target` is 0.
struct OneTarget {
    explicit OneTarget(std::int64_t target) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
    ~OneTarget() {
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
};

} // namespace limber::test

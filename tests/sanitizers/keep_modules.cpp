// Linked into what is built with sanitizers: drivers that are unloaded at exit stay, so that what they keep has a name
// to be left out by (leaks.supp).

extern "C" int dlclose(void*) noexcept {
    return 0;
}

// What libFuzzer, and the test that replays its corpus, call: one function for each parser of ours, from bytes. They
// return, or end the process where something is wrong.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace limber::fuzz {

using Bytes = std::span<const std::byte>;

void gltf(Bytes input);      // a .glb, a .gltf, or JSON, a zero byte and the binary chunk: read, shown, saved
void accessors(Bytes input); // numbers that describe buffer views and accessors, and their data behind them
void protocol(Bytes input);  // what an import worker sends, in pieces of every size
void pose(Bytes input);      // POSE.json
void obj(Bytes input);       // OBJ
void weights(Bytes input);   // W.json
void edit(Bytes input);      // one stored edit
void journal(Bytes input);   // a whole journal: its bytes, or what its records hold
void fbx(Bytes input);       // the shapes of an FBX file

struct Target {
    const char* name; // also of its folder in corpus/
    void (*run)(Bytes input);
};
inline constexpr Target kTargets[] = {
    {"gltf", gltf},       {"accessors", accessors}, {"protocol", protocol}, {"pose", pose}, {"obj", obj},
    {"weights", weights}, {"edit", edit},           {"journal", journal},   {"fbx", fbx},
};

// Ends the process with the message where `holds` is false.
void require(bool holds, std::string_view message);

[[nodiscard]] inline std::string_view textOf(Bytes input) {
    return {reinterpret_cast<const char*>(input.data()), input.size()};
}

} // namespace limber::fuzz

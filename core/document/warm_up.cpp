#include "core/document/warm_up.h"

#include <atomic>
#include <thread>
#include <vector>

namespace limber::document {

namespace {

// Smaller ones take less than a frame when they are needed.
constexpr std::size_t kLargeMesh = 20'000;

} // namespace

struct WarmUp::Impl {
    std::atomic<bool> stops = false;
    std::thread thread;
};

WarmUp::WarmUp(const Document& document) : impl_(std::make_unique<Impl>()) {
    std::vector<const MeshData*> meshes;
    for (const MeshData& mesh : document.state().meshes)
        if (mesh.geometry.vertexCount() >= kLargeMesh)
            meshes.push_back(&mesh);
    if (meshes.empty())
        return;
    impl_->thread = std::thread([meshes = std::move(meshes), &stops = impl_->stops] {
        for (const MeshData* mesh : meshes) {
            if (stops)
                return;
            (void)mesh->weld();
        }
    });
}

WarmUp::~WarmUp() {
    impl_->stops = true;
    wait();
}

void WarmUp::wait() {
    if (impl_->thread.joinable())
        impl_->thread.join();
}

} // namespace limber::document

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
    std::vector<const MeshData*> meshes;                // of each instance; null for a small one
    std::vector<std::unique_ptr<mesh::RayCaster>> rays; // of each instance
    std::function<void()> done;
    std::atomic<bool> stops = false, working = false;
    std::thread thread;

    void run() {
        for (std::size_t i = 0; i < meshes.size() && !stops; ++i)
            if (meshes[i])
                (void)meshes[i]->weld();
        for (std::size_t i = 0; i < meshes.size() && !stops; ++i)
            if (const MeshData* mesh = meshes[i]) {
                rays[i] = std::make_unique<mesh::RayCaster>(mesh->geometry.positions, mesh->geometry.triangles);
                if (!stops)
                    rays[i]->refit(mesh->geometry.positions); // the first one takes as long as the making
            }
        working = false;
        if (done && !stops)
            done();
    }
};

WarmUp::WarmUp(const Document& document, std::function<void()> done) : impl_(std::make_unique<Impl>()) {
    bool any = false;
    for (const Instance& instance : document.state().instances) {
        const MeshData& mesh = document.mesh(instance.mesh);
        const bool large = mesh.geometry.vertexCount() >= kLargeMesh;
        impl_->meshes.push_back(large ? &mesh : nullptr);
        any |= large;
    }
    if (!any)
        return;
    impl_->rays.resize(impl_->meshes.size());
    impl_->done = std::move(done);
    impl_->working = true;
    impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
}

WarmUp::~WarmUp() {
    impl_->stops = true;
    wait();
}

bool WarmUp::working() const {
    return impl_->working;
}

void WarmUp::wait() {
    if (impl_->thread.joinable())
        impl_->thread.join();
}

std::unique_ptr<mesh::RayCaster> WarmUp::takeRays(InstanceId instance) {
    wait();
    return instance.index() < impl_->rays.size() ? std::move(impl_->rays[instance.index()]) : nullptr;
}

} // namespace limber::document

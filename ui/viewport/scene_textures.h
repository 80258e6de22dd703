// The images of a document as textures: decoded on a worker thread, white until they are ready.
#pragma once

#include "core/document/document.h"

#include <QImage>
#include <QObject>
#include <QThreadPool>
#include <Qt3DRender/QParameter>

#include <map>
#include <tuple>
#include <vector>

namespace Qt3DRender {
class QAbstractTexture;
}

namespace limber::ui {

// Decodes with a limit on the memory it may take; a null image where it is broken, too large or of an unknown format.
// Larger pictures than 4096 pixels come smaller. Any thread.
[[nodiscard]] QImage decodeImage(const std::vector<std::byte>& bytes);

class SceneTextures : public QObject {
    Q_OBJECT
public:
    explicit SceneTextures(Qt3DCore::QNode* node); // textures belong to `node`
    ~SceneTextures() override;

    // Puts the texture into the parameter, white for now. The parameter must live as long as this object.
    void bind(Qt3DRender::QParameter* parameter, const document::Document& document, const document::Texture& texture);
    // Blocks until every image is decoded.
    void wait();

signals:
    void ready();           // another texture was put in
    void broken(int image); // it cannot be shown: what has it stays white

private:
    using Key = std::tuple<int, bool, bool, bool>; // image, repeat u, repeat v, nearest
    struct Entry {
        Qt3DRender::QAbstractTexture* texture = nullptr;
        std::vector<Qt3DRender::QParameter*> waiting;
    };
    void decoded(const Key& key, const QImage& image);
    Qt3DRender::QAbstractTexture* makeTexture(const Key& key, const QImage& image);

    Qt3DCore::QNode* node_;
    Qt3DRender::QAbstractTexture* white_;
    std::map<Key, Entry> entries_;
    QThreadPool pool_;
};

} // namespace limber::ui

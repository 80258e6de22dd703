#include "ui/viewport/scene_textures.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImageReader>
#include <Qt3DRender/QAbstractTextureImage>
#include <Qt3DRender/QTexture>
#include <Qt3DRender/QTextureImageData>
#include <Qt3DRender/QTextureImageDataGenerator>
#include <Qt3DRender/QTextureWrapMode>

namespace limber::ui {

namespace {

constexpr int kAllocationLimitMiB = 256;
constexpr int kLargestSide = 4096;

// Qt3D asks for the pixels through a functor, on one of its threads.
class PixelGenerator : public Qt3DRender::QTextureImageDataGenerator {
public:
    explicit PixelGenerator(QImage image) : image_(std::move(image)) {}

    Qt3DRender::QTextureImageDataPtr operator()() override {
        auto data = Qt3DRender::QTextureImageDataPtr::create();
        data->setTarget(QOpenGLTexture::Target2D);
        data->setWidth(image_.width());
        data->setHeight(image_.height());
        data->setDepth(1);
        data->setFaces(1);
        data->setLayers(1);
        data->setMipLevels(1);
        data->setFormat(QOpenGLTexture::SRGB8_Alpha8);
        data->setPixelFormat(QOpenGLTexture::RGBA);
        data->setPixelType(QOpenGLTexture::UInt8);
        data->setData(QByteArray(reinterpret_cast<const char*>(image_.constBits()), image_.sizeInBytes()), 4, false);
        return data;
    }

    bool operator==(const Qt3DRender::QTextureImageDataGenerator& other) const override {
        const auto* same = Qt3DCore::functor_cast<PixelGenerator>(&other);
        return same && same->image_.cacheKey() == image_.cacheKey();
    }

    QT3D_FUNCTOR(PixelGenerator)

private:
    QImage image_; // RGBA8888, rows without padding
};

class PixelImage : public Qt3DRender::QAbstractTextureImage {
public:
    PixelImage(QImage image, Qt3DCore::QNode* parent)
        : QAbstractTextureImage(parent), generator_(QSharedPointer<PixelGenerator>::create(std::move(image))) {}

protected:
    Qt3DRender::QTextureImageDataGeneratorPtr dataGenerator() const override { return generator_; }

private:
    Qt3DRender::QTextureImageDataGeneratorPtr generator_;
};

} // namespace

QImage decodeImage(const std::vector<std::byte>& bytes) {
    QByteArray data =
        QByteArray::fromRawData(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
    ::QBuffer device(&data);
    if (!device.open(QIODevice::ReadOnly))
        return {};
    QImageReader reader(&device);
    reader.setDecideFormatFromContent(true);
    const QSize size = reader.size();
    if (size.isValid() && std::max(size.width(), size.height()) > kLargestSide)
        reader.setScaledSize(size.scaled(kLargestSide, kLargestSide, Qt::KeepAspectRatio));
    QImage image = reader.read();
    return image.isNull() ? image : image.convertToFormat(QImage::Format_RGBA8888);
}

SceneTextures::SceneTextures(Qt3DCore::QNode* node) : node_(node) {
    QImageReader::setAllocationLimit(kAllocationLimitMiB);
    QImage white(1, 1, QImage::Format_RGBA8888);
    white.fill(Qt::white);
    white_ = makeTexture(Key{-1, true, true, true}, white);
    pool_.setMaxThreadCount(1);
}

SceneTextures::~SceneTextures() {
    pool_.clear();
    pool_.waitForDone();
}

void SceneTextures::bind(Qt3DRender::QParameter* parameter, const document::Document& document,
                         const document::Texture& texture) {
    parameter->setValue(QVariant::fromValue(white_));
    const auto& images = document.state().images;
    if (texture.image < 0 || static_cast<std::size_t>(texture.image) >= images.size())
        return;
    const auto bytes = images[static_cast<std::size_t>(texture.image)].bytes;
    if (!bytes)
        return;
    const Key key{texture.image, texture.repeatU, texture.repeatV, texture.nearest};
    const bool isNew = !entries_.contains(key);
    Entry& entry = entries_[key];
    if (entry.texture)
        parameter->setValue(QVariant::fromValue(entry.texture));
    else
        entry.waiting.push_back(parameter);
    if (isNew)
        pool_.start([this, key, bytes] {
            QImage image = decodeImage(*bytes);
            QMetaObject::invokeMethod(
                this, [this, key, image] { decoded(key, image); }, Qt::QueuedConnection);
        });
}

void SceneTextures::wait() {
    pool_.waitForDone();
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

void SceneTextures::decoded(const Key& key, const QImage& image) {
    if (image.isNull()) {
        emit broken(std::get<0>(key));
        return;
    }
    Entry& entry = entries_[key];
    entry.texture = makeTexture(key, image);
    for (Qt3DRender::QParameter* parameter : entry.waiting)
        parameter->setValue(QVariant::fromValue(entry.texture));
    entry.waiting.clear();
    emit ready();
}

Qt3DRender::QAbstractTexture* SceneTextures::makeTexture(const Key& key, const QImage& image) {
    using namespace Qt3DRender;
    const auto& [index, repeatU, repeatV, nearest] = key;
    auto* texture = new QTexture2D;
    texture->setFormat(QAbstractTexture::SRGB8_Alpha8);
    texture->setSize(image.width(), image.height());
    texture->setGenerateMipMaps(!nearest);
    texture->setMinificationFilter(nearest ? QAbstractTexture::Nearest : QAbstractTexture::LinearMipMapLinear);
    texture->setMagnificationFilter(nearest ? QAbstractTexture::Nearest : QAbstractTexture::Linear);
    QTextureWrapMode wrap;
    wrap.setX(repeatU ? QTextureWrapMode::Repeat : QTextureWrapMode::ClampToEdge);
    wrap.setY(repeatV ? QTextureWrapMode::Repeat : QTextureWrapMode::ClampToEdge);
    texture->setWrapMode(wrap);
    texture->addTextureImage(new PixelImage(image, texture));
    texture->setParent(node_); // last, as RenderEngine::scene() asks for
    return texture;
}

} // namespace limber::ui

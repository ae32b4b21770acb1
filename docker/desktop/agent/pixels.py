"""Screenshots as images and files."""

import io
import struct
import zlib

from PIL import Image, ImageChops
from Xlib import X, error

from shared_memory import SharedPixels


class Pixels:
    def __init__(self, display, root, width, height):
        self.root = root
        Image.preinit()
        try:
            self.shared = SharedPixels(display, root, width * height * 4)
        except (OSError, error.XError):
            self.shared = None

    def grab(self, x, y, width, height):
        if self.shared is not None:
            raw = self.shared.read(x, y, width, height)
        else:
            raw = self.root.get_image(x, y, width, height, X.ZPixmap, 0xFFFFFFFF).data
        return Image.frombytes("RGB", (width, height), raw, "raw", "BGRX", 0, 1)


def resized(image, size):
    return image.resize(size, Image.Resampling.LANCZOS)


def jpeg(image, quality):
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality)
    return out.getvalue()


def png(image):
    """A PNG without filters: of what is drawn, not photographed, it takes a third of the time and a quarter more bytes."""
    width, height = image.size
    raw, stride = image.tobytes(), width * 3
    rows = b"".join([b"\0" + raw[at : at + stride] for at in range(0, len(raw), stride)])
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(name)))


def changed_area(before, after):
    box = ImageChops.difference(before, after).getbbox()
    return 0 if box is None else (box[2] - box[0]) * (box[3] - box[1])

"""Files that are no model, or not a whole one."""

import os

from harness import ANY, Case, main, model

GOOD = model("g (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> { y = Add(x, w) }").SerializeToString()
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 1234\n"


def placed(prepare):
    def make(folder):
        path = folder / "model.onnx"
        prepare(path)
        return path

    return make


FORMATS = {
    "an archive (ZIP)": b"PK\x03\x04" + b"\0" * 100,
    "an archive (gzip)": b"\x1f\x8b\x08" + b"\0" * 100,
    "a page": b"<!DOCTYPE html><html><body>404</body></html>",
    "JSON": b'{"irVersion": 10}',
    "GGUF": b"GGUF" + b"\3\0\0\0" + b"\0" * 100,
    "a FlatBuffer (ORT)": b"\x1c\0\0\0ORTM" + b"\0" * 100,
    "a FlatBuffer (TFLite)": b"\x1c\0\0\0TFL3" + b"\0" * 100,
    "text": b"this is no model\n" * 20,
}
main(
    [Case("nothing", b"", ("IO901",)), Case("a Git LFS pointer", POINTER, ("IO902",))]
    + [Case(name, content, ("IO901", "IO903")) for name, content in FORMATS.items()]
    + [Case(f"cut off after {n} of {len(GOOD)} bytes", GOOD[:n], ANY) for n in range(1, len(GOOD))]
    + [Case("zeros behind the model", GOOD + b"\0" * 64, ("IO903",)),
       Case("text behind the model", GOOD + b"garbage!", ("IO903",)),
       Case("a link to itself", placed(lambda p: p.symlink_to(p.name)), ANY),
       Case("a pipe", placed(lambda p: os.mkfifo(p)), ANY)]
)

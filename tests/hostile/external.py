"""Weights in another file: which files may be opened, and what stands there."""

import os

import onnx
from onnx import TensorProto

from harness import ANY, CLEAN, Case, main, model


def naming(folder, *entries, dims=(4,)):
    made = model("g (float[4] x) => (float[4] y) { y = Add(x, w) }")
    tensor = made.graph.initializer.add(name="w", data_type=TensorProto.FLOAT, dims=list(dims))
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in entries:
        tensor.external_data.add(key=key, value=value)
    path = folder / "in" / "model.onnx"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(made.SerializeToString())
    return path


def at(location, prepare=lambda folder: None, *more):
    def make(folder):
        path = naming(folder, ("location", location), *(more or (("length", "16"),)))
        (folder / "secret.bin").write_bytes(b"\0" * 64)
        prepare(path.parent)
        return path

    return make


def data(name="w.bin", size=64):
    return lambda folder: (folder / name).write_bytes(b"\0" * size)


def parent_link(folder):
    (folder / "up").symlink_to("..")


def directory(folder):
    (folder / "w.bin").mkdir()


REFUSED, MISSING = ("IO905",), ("IO906",)
main([
    Case("the folder above", at("../secret.bin"), REFUSED),
    Case("the folder above, by a detour", at("x/../../secret.bin"), REFUSED),
    Case("an absolute path", at("/etc/passwd"), REFUSED),
    Case("a process's own memory", at("/proc/self/mem"), REFUSED),
    Case("a link to the folder above", at("up/secret.bin", parent_link), REFUSED),
    Case("a link out of the folder", at("w.bin", lambda f: (f / "w.bin").symlink_to("../secret.bin")), REFUSED),
    Case("a hard link to a file outside", at("w.bin", lambda f: os.link(f / "../secret.bin", f / "w.bin")), ANY),
    Case("a pipe", at("w.bin", lambda f: os.mkfifo(f / "w.bin")), REFUSED + MISSING),
    Case("a device", at("w.bin", lambda f: (f / "w.bin").symlink_to("/dev/zero")), REFUSED + MISSING),
    Case("a folder", at("w.bin", directory), REFUSED + MISSING),
    Case("nothing", at(""), REFUSED),
    Case("a leading #", at("#x"), REFUSED),
    Case("a marker of memory", at("*/_ORT_MEM_ADDR_/*"), REFUSED),
    Case("a file that is not there", at("w.bin"), MISSING),
    Case("a file that is too short", at("w.bin", data(size=8)), MISSING),
    Case("a negative offset", at("w.bin", data(), ("offset", "-16"), ("length", "16")), MISSING + ("ST509",)),
    Case("a huge offset", at("w.bin", data(), ("offset", "18446744073709551600"), ("length", "16")), MISSING),
    Case("a huge length", at("w.bin", data(), ("length", "18446744073709551615")), MISSING + ("ST503",)),
    Case("a length that the shape contradicts", at("w.bin", data(), ("length", "12")), ("ST503",)),
    Case("two locations", at("w.bin", data(), ("location", "v.bin"), ("length", "16")), ("ST509",) + MISSING),
    Case("an unknown key", at("w.bin", data(), ("encoding", "zip"), ("length", "16")), ("ST509",)),
    Case("all as it should be", at("w.bin", data(), ("offset", "0"), ("length", "16")), CLEAN),
])

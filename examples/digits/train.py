#!/usr/bin/env python3
"""Trains a small network on scikit-learn's handwritten digits and writes it as ONNX, with held-out data.

Writes digits.onnx, heldout.npz (`image`, float32 [360, 1, 8, 8] in 0..1) and labels.npy (int64 [360]) into this folder.
Its sizes (23 channels, 130 and 50 features) are the awkward ones that real networks have: no multiples of 8.
Seeded: the same machine and the same numpy give the same files. About ten seconds on two cores.
"""

import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from sklearn.datasets import load_digits

from layers import BatchNorm, Conv, Dense, Flatten, MaxPool, Relu, Residual

CHANNELS, HIDDEN = 23, (130, 50)
EPOCHS, BATCH, RATE = 30, 32, 2e-3


def data():
    """(train images, train labels), (held-out images, held-out labels); every fifth digit of a seeded order is held out."""
    images, labels = load_digits(return_X_y=True)
    images = (images / 16).astype(np.float32).reshape(-1, 1, 8, 8)
    order = np.random.default_rng(1).permutation(len(labels))
    held = np.arange(len(labels)) % 5 == 0
    return tuple((images[order[part]], labels[order[part]].astype(np.int64)) for part in (~held, held))


def network(rng):
    """Name -> layer, in order; the names become node names."""
    return {
        "stem/Conv": Conv(1, CHANNELS, rng),
        "stem/BatchNormalization": BatchNorm(CHANNELS),
        "stem/Relu": Relu(),
        "block": Residual(Conv(CHANNELS, CHANNELS, rng), BatchNorm(CHANNELS)),
        "block/Relu": Relu(),
        "pool/MaxPool": MaxPool(),
        "head/Flatten": Flatten(),
        "head/fc1/Gemm": Dense(CHANNELS * 16, HIDDEN[0], rng),
        "head/fc1/Relu": Relu(),
        "head/fc2/Gemm": Dense(HIDDEN[0], HIDDEN[1], rng),
        "head/fc2/Relu": Relu(),
        "head/fc3/Gemm": Dense(HIDDEN[1], 10, rng),
    }


def forward(layers, x, training=False):
    for layer in layers.values():
        x = layer.forward(x, training)
    return x


def top1(layers, images, labels):
    return float((forward(layers, images).argmax(1) == labels).mean())


class Adam:
    def __init__(self, layers):
        flat = [part for layer in layers for part in getattr(layer, "inner", (layer,))]
        self.slots = [(layer, name, np.zeros_like(w), np.zeros_like(w)) for layer in flat for name, w in layer.weights.items()]
        self.steps = 0

    def step(self, rate):
        self.steps += 1
        for layer, name, first, second in self.slots:
            gradient = layer.gradients[name]
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient * gradient - second)
            mean, square = first / (1 - 0.9**self.steps), second / (1 - 0.999**self.steps)
            layer.weights[name] -= rate * mean / (np.sqrt(square) + 1e-8)


def train(layers, images, labels, rng):
    adam = Adam(layers.values())
    for epoch in range(EPOCHS):
        rate = RATE * 0.5 * (1 + np.cos(np.pi * epoch / EPOCHS))
        order = rng.permutation(len(labels))
        for start in range(0, len(order), BATCH):
            pick = order[start : start + BATCH]
            logits = forward(layers, images[pick], training=True)
            share = np.exp(logits - logits.max(1, keepdims=True))
            share /= share.sum(1, keepdims=True)
            share[np.arange(len(pick)), labels[pick]] -= 1
            gradient = (share / len(pick)).astype(np.float32)
            for layer in reversed(layers.values()):
                gradient = layer.backward(gradient)
            adam.step(np.float32(rate))
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1}: top-1 on the training part {top1(layers, images, labels):.4f}", flush=True)


class Exporter:
    """Collects nodes and weights; each method adds one node and returns the name of its output."""

    def __init__(self):
        self.nodes, self.weights = [], []

    def weight(self, name, array):
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(array, np.float32), name))
        return name

    def node(self, name, inputs, output=None, **attributes):
        output = output or name + "_output"
        self.nodes.append(helper.make_node(name.rsplit("/")[-1], inputs, [output], name=name, **attributes))
        return output

    def conv(self, name, x, layer):
        return self.node(name, [x, self.weight(name + ".W", layer.weights["W"])], kernel_shape=[3, 3], pads=[1, 1, 1, 1])

    def norm(self, name, x, layer):
        rest = {"scale": layer.weights["scale"], "bias": layer.weights["bias"], "mean": layer.mean, "var": layer.var}
        return self.node(name, [x] + [self.weight(f"{name}.{k}", v) for k, v in rest.items()], epsilon=layer.epsilon)

    def gemm(self, name, x, layer):
        return self.node(name, [x] + [self.weight(f"{name}.{k}", v) for k, v in layer.weights.items()], transB=1)


def export(layers):
    to = Exporter()
    x = to.conv("stem/Conv", "image", layers["stem/Conv"])
    x = to.norm("stem/BatchNormalization", x, layers["stem/BatchNormalization"])
    x = skip = to.node("stem/Relu", [x])
    conv, norm = layers["block"].inner
    x = to.norm("block/BatchNormalization", to.conv("block/Conv", x, conv), norm)
    x = to.node("block/Relu", [to.node("block/Add", [skip, x])])
    x = to.node("pool/MaxPool", [x], kernel_shape=[2, 2], strides=[2, 2])
    x = to.node("head/Flatten", [x])
    for name in ("head/fc1", "head/fc2"):
        x = to.node(name + "/Relu", [to.gemm(name + "/Gemm", x, layers[name + "/Gemm"])])
    x = to.gemm("head/fc3/Gemm", x, layers["head/fc3/Gemm"])
    to.node("head/Softmax", [x], "probabilities", axis=1)

    image = helper.make_tensor_value_info("image", TensorProto.FLOAT, ["N", 1, 8, 8])
    probabilities = helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["N", 10])
    graph = helper.make_graph(to.nodes, "digits", [image], [probabilities], to.weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="digits")


def main():
    folder = pathlib.Path(__file__).resolve().parent
    rng = np.random.default_rng(2)
    (images, labels), (held_images, held_labels) = data()
    layers = network(rng)
    train(layers, images, labels, rng)
    print(f"top-1 on {len(held_labels)} held-out digits: {top1(layers, held_images, held_labels):.4f}")

    model = export(layers)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, folder / "digits.onnx")
    np.savez(folder / "heldout.npz", image=held_images)
    np.save(folder / "labels.npy", held_labels)
    print(f"written: {folder}/digits.onnx, heldout.npz, labels.npy")


if __name__ == "__main__":
    main()

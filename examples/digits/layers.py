"""The layers that the digits network is made of, with their gradients, in numpy.

Every layer holds `weights` (name -> array) and, after backward(), `gradients` under the same names.
Images are NCHW float32. backward() takes the loss's gradient of the output and returns that of the input.
"""

import numpy as np


class Layer:
    def __init__(self):
        self.weights, self.gradients = {}, {}


class Conv(Layer):
    """3x3, stride 1, padding 1, no bias (a normalisation follows)."""

    def __init__(self, channels_in, channels_out, rng):
        super().__init__()
        spread = np.sqrt(2.0 / (9 * channels_in))
        self.weights["W"] = rng.normal(0, spread, (channels_out, channels_in, 3, 3)).astype(np.float32)

    @staticmethod
    def patches(x):
        """[N, C, H, W] -> [N, H, W, C * 9]: the 3x3 neighbourhood of each pixel, zero outside the image."""
        padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
        n, c, h, w = x.shape
        return np.ascontiguousarray(windows.transpose(0, 2, 3, 1, 4, 5)).reshape(n, h, w, c * 9)

    @classmethod
    def apply(cls, x, kernel):
        return (cls.patches(x) @ kernel.reshape(len(kernel), -1).T).transpose(0, 3, 1, 2)

    def forward(self, x, training):
        self.columns = self.patches(x) if training else None
        return self.apply(x, self.weights["W"])

    def backward(self, dy):
        kernel = self.weights["W"]
        flat = dy.transpose(0, 2, 3, 1).reshape(-1, len(kernel))
        self.gradients["W"] = (flat.T @ self.columns.reshape(len(flat), -1)).reshape(kernel.shape)
        return self.apply(dy, kernel[:, :, ::-1, ::-1].transpose(1, 0, 2, 3))


class BatchNorm(Layer):
    """Over N, H and W; `mean` and `var` are the running statistics that the exported network uses."""

    epsilon = 1e-5

    def __init__(self, channels):
        super().__init__()
        self.weights["scale"] = np.ones(channels, np.float32)
        self.weights["bias"] = np.zeros(channels, np.float32)
        self.mean, self.var = np.zeros(channels, np.float32), np.ones(channels, np.float32)

    def forward(self, x, training):
        mean, var = (x.mean((0, 2, 3)), x.var((0, 2, 3))) if training else (self.mean, self.var)
        if training:
            self.mean += 0.1 * (mean - self.mean)
            self.var += 0.1 * (var - self.var)
        self.inverse = 1 / np.sqrt(var + self.epsilon)
        self.normal = (x - mean[:, None, None]) * self.inverse[:, None, None]
        return self.normal * self.weights["scale"][:, None, None] + self.weights["bias"][:, None, None]

    def backward(self, dy):
        self.gradients["bias"] = dy.sum((0, 2, 3))
        self.gradients["scale"] = (dy * self.normal).sum((0, 2, 3))
        count = dy.size / dy.shape[1]
        mean = (self.gradients["bias"] / count)[:, None, None]
        slope = (self.gradients["scale"] / count)[:, None, None]
        return (dy - mean - self.normal * slope) * (self.weights["scale"] * self.inverse)[:, None, None]


class Relu(Layer):
    def forward(self, x, training):
        self.mask = x > 0
        return x * self.mask

    def backward(self, dy):
        return dy * self.mask


class Residual(Layer):
    """x + inner(x)."""

    def __init__(self, *inner):
        super().__init__()
        self.inner = inner

    def forward(self, x, training):
        y = x
        for layer in self.inner:
            y = layer.forward(y, training)
        return x + y

    def backward(self, dy):
        dx = dy
        for layer in reversed(self.inner):
            dx = layer.backward(dx)
        return dy + dx


class MaxPool(Layer):
    """2x2, stride 2."""

    def forward(self, x, training):
        n, c, h, w = x.shape
        cells = x.reshape(n, c, h // 2, 2, w // 2, 2)
        y = cells.max((3, 5))
        hit = cells == y[:, :, :, None, :, None]
        self.share = hit / hit.sum((3, 5), keepdims=True)
        return y

    def backward(self, dy):
        n, c, h, w = dy.shape
        return (self.share * dy[:, :, :, None, :, None]).reshape(n, c, 2 * h, 2 * w)


class Flatten(Layer):
    def forward(self, x, training):
        self.shape = x.shape
        return x.reshape(len(x), -1)

    def backward(self, dy):
        return dy.reshape(self.shape)


class Dense(Layer):
    """x W^T + b, W stored [out, in] as exporters do (Gemm with transB = 1)."""

    def __init__(self, features_in, features_out, rng):
        super().__init__()
        self.weights["W"] = rng.normal(0, np.sqrt(2.0 / features_in), (features_out, features_in)).astype(np.float32)
        self.weights["B"] = np.zeros(features_out, np.float32)

    def forward(self, x, training):
        self.x = x
        return x @ self.weights["W"].T + self.weights["B"]

    def backward(self, dy):
        self.gradients["W"], self.gradients["B"] = dy.T @ self.x, dy.sum(0)
        return dy @ self.weights["W"]

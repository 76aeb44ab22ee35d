"""Bytes that are no legal protobuf, or legal in a way that nobody expects."""

from harness import ANY, CLEAN, Case, main, model

GOOD = model("g (float[4] x) => (float[4] y) { y = Relu(x) }").SerializeToString()


def varint(n):
    out = b""
    while n >= 0x80:
        out += bytes([n & 0x7F | 0x80])
        n >>= 7
    return out + bytes([n])


def field(number, body):
    return varint(number << 3 | 2) + varint(len(body)) + body


def length(number, n):
    return varint(number << 3 | 2) + varint(n)


def nested(depth):
    """A graph in an attribute of a node of a graph ..."""
    body = b""
    for _ in range(depth):
        body = field(1, field(5, field(6, body)))  # graph.node { attribute { g } }
    return GOOD + field(7, body)


def sequences(depth):
    body = field(1, varint(1 << 3) + varint(1))
    for _ in range(depth):
        body = field(4, field(1, body))
    return GOOD + field(7, field(11, field(1, b"z") + field(2, body)))


BROKEN = ("IO903", "IO904")
main([
    Case("a length past the end", GOOD + length(7, 1 << 20), BROKEN),
    Case("a length past its parent", GOOD + length(7, 3) + length(1, 100) + b"abc", BROKEN),
    Case("a length of 2^31", GOOD + length(7, 1 << 31), BROKEN),
    Case("a length of 2^63", GOOD + length(7, 1 << 63), BROKEN),
    Case("a length of 2^64 - 1", GOOD + length(7, (1 << 64) - 1), BROKEN),
    Case("a varint of 11 bytes", GOOD + varint(5 << 3) + b"\xff" * 10 + b"\x01", BROKEN),
    Case("a group that does not end", GOOD + varint(99 << 3 | 3), BROKEN),
    Case("an end of a group alone", GOOD + varint(99 << 3 | 4), BROKEN),
    Case("a whole group", GOOD + varint(99 << 3 | 3) + varint(99 << 3 | 4), ANY),
    Case("groups 100,000 deep", GOOD + varint(99 << 3 | 3) * 100_000, BROKEN),
    Case("wire type 6", GOOD + varint(99 << 3 | 6), BROKEN),
    Case("field number 0", GOOD + b"\x02\x00", BROKEN),
    Case("fields of no length", GOOD + length(14, 0) * 50_000, ANY),
    Case("messages 101 deep", nested(34), BROKEN),
    Case("messages 10,000 deep", nested(3400), BROKEN),
    Case("a type of 4,000 sequences", sequences(4000), BROKEN),
    Case("unknown fields", GOOD + field(1234, b"kept"), CLEAN),
])

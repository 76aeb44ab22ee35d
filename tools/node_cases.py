#!/usr/bin/env python3
"""Writes ONNX's node test cases: OUT/<case>/model.onnx and OUT/<case>/test_data_set_0/{input,output}_N.pb.

usage: node_cases.py OUT [PATTERN]    PATTERN: a regular expression that the case's name must match
"""
import pathlib
import re
import sys
import warnings

import numpy as np
import onnx
from onnx import numpy_helper


def to_proto(value, type_proto, name):
    kind = type_proto.WhichOneof("value")
    if kind == "sequence_type":
        return numpy_helper.from_list(value, name)
    if kind == "optional_type":
        return numpy_helper.from_optional(value, name)
    if isinstance(value, onnx.TensorProto):
        return value
    return numpy_helper.from_array(np.asarray(value), name)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1])
    wanted = re.compile(sys.argv[2] if len(sys.argv) > 2 else "")
    warnings.simplefilter("ignore")
    import onnx.backend.test.case.node as node

    count = 0
    for case in node.collect_testcases(None):
        if not wanted.search(case.name):
            continue
        folder = out / case.name
        for n, (inputs, outputs) in enumerate(case.data_sets):
            data = folder / f"test_data_set_{n}"
            data.mkdir(parents=True, exist_ok=True)
            graph = case.model.graph
            for kind, values, infos in (("input", inputs, graph.input), ("output", outputs, graph.output)):
                for i, (value, info) in enumerate(zip(values, infos)):
                    proto = to_proto(value, info.type, info.name)
                    (data / f"{kind}_{i}.pb").write_bytes(proto.SerializeToString())
        (folder / "model.onnx").write_bytes(case.model.SerializeToString())
        count += 1
    (out / "complete").write_text(f"{count} cases of onnx {onnx.__version__}\n")
    print(f"{count} cases")


main()
